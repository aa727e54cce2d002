"""Collapsi, solved: the exact value of every move in any position.

>>> import collapsi
>>> collapsi.analyse("A223/4A2Jr/3A23/Jb3A4 r").best
('a2',)
"""

import _signal  # type: ignore[import-not-found]  # `signal` without its enums, which take long to load
import sys

# Ctrl-C while the program is being loaded ends it in silence; `cli.main` takes over from there. Whoever
# imports the library keeps their signals, and so does who has Ctrl-C ignored.
if (
    "".join(sys.orig_argv[-len(sys.argv) :][:1]).replace("\\", "/").split("/")[-1]
    in ("collapsi", "-mcollapsi", "collapsi.exe")
    and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
):
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from typing import TYPE_CHECKING, Any

from collapsi.analysis import (
    Analysis,
    MoveValue,
    analyse,
    analyse_many,
    count_games_many,
)
from collapsi.board import Board
from collapsi.errors import CollapsiError, IllegalMoveError, IllegalPositionError, MalformedError
from collapsi.faults import Fault, Reason, status
from collapsi.game import Game
from collapsi.notation import (
    format_game,
    format_position,
    format_published,
    format_rules,
    parse_game,
    parse_position,
    parse_published,
    parse_rules,
)
from collapsi.position import Position, deal
from collapsi.review import Review, Verdict, review
from collapsi.rules import CHOICE, JOKER, RULE_SETS, STANDARD, Card, Player, Rules
from collapsi.state import Outcome, Refusal, State
from collapsi.symmetry import symmetries, transform

if TYPE_CHECKING:
    from collapsi.atlas import Atlas

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`collapsi.Atlas` loads Polars, so it is loaded when it is asked for."""
    if name == "Atlas":
        from collapsi.atlas import Atlas

        return Atlas
    msg = f"module 'collapsi' has no attribute {name!r}"
    raise AttributeError(msg)


__all__ = [
    "CHOICE",
    "JOKER",
    "RULE_SETS",
    "STANDARD",
    "Analysis",
    "Atlas",
    "Board",
    "Card",
    "CollapsiError",
    "Fault",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "MalformedError",
    "MoveValue",
    "Outcome",
    "Player",
    "Position",
    "Reason",
    "Refusal",
    "Review",
    "Rules",
    "State",
    "Verdict",
    "__version__",
    "analyse",
    "analyse_many",
    "count_games_many",
    "deal",
    "format_game",
    "format_position",
    "format_published",
    "format_rules",
    "parse_game",
    "parse_position",
    "parse_published",
    "parse_rules",
    "review",
    "status",
    "symmetries",
    "transform",
]
