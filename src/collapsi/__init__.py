"""Collapsi, solved: the exact value of every move in any position.

>>> import collapsi
>>> collapsi.analyse("A223/4A2Jr/3A23/Jb3A4 r").best
('a2',)
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from collapsi import batch as batch
    from collapsi.census.atlas import Atlas
    from collapsi.core.board import Board
    from collapsi.core.cards import Card
    from collapsi.core.errors import CollapsiError, IllegalMoveError, IllegalPositionError, MalformedError
    from collapsi.core.game import Game, GameNode
    from collapsi.core.players import Player
    from collapsi.core.reasons import Fault, Reason
    from collapsi.core.rules import RuleSet
    from collapsi.core.state import Outcome, Refusal, State
    from collapsi.core.symmetry import symmetries
    from collapsi.ecosystem.notebook import board
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.games.classic.notation import format_published, parse_published
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import CHOICE, JOKER, STANDARD, Rules
    from collapsi.games.classic.symmetry import transform
    from collapsi.games.records import (
        GameFile,
        GameRecord,
        format_games,
        parse_games,
        read_games,
        write_games,
    )
    from collapsi.games.registry import (
        RULE_SETS,
        deal,
        format_game,
        format_position,
        format_rules,
        parse_game,
        parse_position,
        parse_rules,
        status,
    )
    from collapsi.play.analysis import analyse, analyse_many, count_games_many, iter_analyses, warm_up
    from collapsi.play.enums import Verdict
    from collapsi.play.review import Review, review

__version__ = "0.1.0"

# Nothing is imported here: `collapsi.__main__` has to set up Ctrl-C before anything that takes time.
_MODULES = {
    "core.board": "Board",
    "core.cards": "Card",
    "core.errors": "CollapsiError IllegalMoveError IllegalPositionError MalformedError",
    "core.reasons": "Fault Reason",
    "core.game": "Game GameNode",
    "core.players": "Player",
    "core.rules": "RuleSet",
    "core.state": "Outcome Refusal State",
    "core.symmetry": "symmetries",
    "games.analysis": "Analysis MoveValue",
    "games.classic.notation": "format_published parse_published",
    "games.classic.position": "Position",
    "games.classic.rules": "CHOICE JOKER STANDARD Rules",
    "games.classic.symmetry": "transform",
    "games.records": "GameFile GameRecord format_games parse_games read_games write_games",
    "games.registry": "RULE_SETS deal format_game format_position format_rules "
    "parse_game parse_position parse_rules status",
    "play.analysis": "analyse analyse_many count_games_many iter_analyses warm_up",
    "play.enums": "Verdict",
    "play.review": "Review review",
    "census.atlas": "Atlas",
    "ecosystem.notebook": "board",
}
"""The public names by the module that defines them."""

_PACKAGES = ("batch",)
"""The public packages."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> "Any":
        """Load a public name from its module on first use."""
        from importlib import import_module

        if name in _PACKAGES:
            return import_module(f"collapsi.{name}")
        for module, names in _MODULES.items():
            if name in names.split():
                globals()[name] = found = getattr(import_module(f"collapsi.{module}"), name)
                return found
        msg = f"module 'collapsi' has no attribute {name!r}"
        raise AttributeError(msg)


def __dir__() -> list[str]:
    """List the public names, those that are not loaded yet among them."""
    return sorted(__all__)


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
    "GameFile",
    "GameNode",
    "GameRecord",
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
    "RuleSet",
    "Rules",
    "State",
    "Verdict",
    "__version__",
    "analyse",
    "analyse_many",
    "board",
    "count_games_many",
    "deal",
    "format_game",
    "format_games",
    "format_position",
    "format_published",
    "format_rules",
    "iter_analyses",
    "parse_game",
    "parse_games",
    "parse_position",
    "parse_published",
    "parse_rules",
    "read_games",
    "review",
    "status",
    "symmetries",
    "transform",
    "warm_up",
    "write_games",
]
