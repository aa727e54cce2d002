"""Parameters that several questions have."""

import random
from typing import Annotated, Any

from collapsi.api.question import NODE_SECONDS, Param
from collapsi.core.errors import CollapsiError
from collapsi.core.game import Game
from collapsi.core.rules import RuleSet
from collapsi.games.registry import kind_of, parse_game, parse_rules

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
BIG_EXAMPLE = "A.432A/....22/.234.Ab/.A443g4r/A332.2/A32443 g big3"

SEED_LIMIT = 2**53
"""Seeds are below this, so that JavaScript represents them exactly."""

PositionText = Annotated[
    str, Param("A position, or a game, whose last position is taken.", examples=[EXAMPLE])
]
GameText = Annotated[
    str,
    Param("A game: a position and the moves played from it, in any notation.", examples=[f"{EXAMPLE} a2 b4"]),
]
RulesName = Annotated[str, Param("The rules, if the position does not name them.", examples=["standard"])]
Seed = Annotated[
    int | None,
    Param("The same seed gives the same answer; by default it is random.", ge=0, lt=SEED_LIMIT),
]
DrawnMove = Annotated[str | None, Param("Draw the path of this move.", examples=["d1"])]


def chosen_seed(seed: int | None) -> int:
    """The seed of the request, or a random one."""
    return random.randrange(SEED_LIMIT) if seed is None else seed


def read_game(text: str, *, rules: str) -> Game[Any]:
    """Read a game of a kind whose paths have no prefix."""
    game = parse_game(text, rules=rules)
    refuse_other_paths(game.position.rules, "")
    return game


def show_seconds(game: Game[Any]) -> float:
    """The time to show a game, about: that of its variations."""
    return len(game.tree) * NODE_SECONDS


def read_rules(name: str, *, path: str = "") -> Any:
    """Read rules of a kind whose paths begin with `path`."""
    rules = parse_rules(name)
    refuse_other_paths(rules, path)
    return rules


def refuse_other_paths(rules: RuleSet, path: str) -> None:
    """Raise an error for rules of a kind that has other paths."""
    kind = kind_of(rules)
    if kind.path != path:
        where = f"paths that begin with {kind.path}" if kind.path else "paths without a prefix"
        msg = f"{rules} is a rule set of {kind.title}: use the {where}"
        raise CollapsiError(msg)
