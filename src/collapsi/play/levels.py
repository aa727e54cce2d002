"""The move of a level of the computer, in any kind of game.

A kind may have computer players of its own (`Kind.opponents`); otherwise `play.characters` play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.games.kind import Can, Choice
from collapsi.games.levels import Level
from collapsi.games.registry import kind_of, require

if TYPE_CHECKING:
    import random

    from collapsi.core.rules import RuleSet
    from collapsi.core.state import Duel
    from collapsi.play.characters import Character


def choose_move(state: Any, level: Level, rng: random.Random) -> int:
    """Choose the computer's move, at random among equally good ones.

    >>> import collapsi, random
    >>> choose_move(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), Level.PERFECT, random.Random(1))
    4
    """
    return choose(state, level, rng).move


def choose(state: Any, level: Level, rng: random.Random, *, seconds: float | None = None) -> Choice:
    """Choose the computer's move, with its comment; `seconds` limits the time of slow levels."""
    check_level(level, state.rules)
    opponents = kind_of(state).opponents
    if opponents is not None:
        return opponents.choose(state, level, rng, seconds=seconds)
    return Choice(_character(level).choose(state, rng))


def levels_for(rules: RuleSet) -> tuple[Level, ...]:
    """Return the levels that play by these rules, weakest first."""
    require(rules, Can.OPPONENTS)
    opponents = kind_of(rules).opponents
    return tuple(Level) if opponents is None else opponents.levels(rules)


def level_text(level: Level, rules: RuleSet) -> str:
    """Return the description of a level for players."""
    opponents = kind_of(rules).opponents
    return level.text if opponents is None else opponents.text(level)


def check_level(level: Level, rules: RuleSet) -> None:
    """Raise if a level does not play by these rules."""
    require(rules, Can.OPPONENTS)
    opponents = kind_of(rules).opponents
    if opponents is not None:
        opponents.check(level, rules)


def liked_moves(state: Duel, level: Level) -> tuple[int, ...]:
    """Return the moves that a level considers equally good, in reading order, apart from slips."""
    return _character(level).allowed(state)


def _character(level: Level) -> Character:
    from collapsi.play.strategy.players import character  # loads the strategy cards

    return character(level.value)
