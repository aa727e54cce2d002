"""Players for a person to meet: from one that moves at random to one that never errs.

A player who looks ahead so many plies sees every game that ends within them, and nothing beyond: a win in sight is taken as soon
as possible, a loss in sight put off as long as possible, and what is not decided in sight is all the same to it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.analysis import analyse

if TYPE_CHECKING:
    import random

    from collapsi.position import Position


class Level(StrEnum):
    """How well the computer plays."""

    RANDOM = "random"
    ONE = "1"
    TWO = "2"
    FOUR = "4"
    PERFECT = "perfect"

    @property
    def plies(self) -> int | None:
        """How far it looks ahead; None is to the end."""
        return {Level.RANDOM: 0, Level.ONE: 1, Level.TWO: 2, Level.FOUR: 4, Level.PERFECT: None}[self]


def choose_move(position: Position, level: Level, rng: random.Random) -> int:
    """The computer's move, as its end cell; among equally good ones by chance.

    >>> import collapsi, random
    >>> choose_move(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), Level.PERFECT, random.Random(1))
    4
    """
    if not position.moves:
        msg = f"{position.to_move} cannot move: the game is over"
        raise ValueError(msg)
    if level.plies is None:
        best = analyse(position)
        return rng.choice([move.cell for move in best.moves if move.outcome == best.outcome])
    values = {
        to: -look_ahead(position.play(to), level.plies - 1) if level.plies else 0 for to in position.moves
    }
    return rng.choice([to for to, value in values.items() if value == max(values.values())])


def look_ahead(position: Position, plies: int) -> int:
    """The value for the side to move as far as `plies` plies show it: cards left at the end, 0 if it is not in sight."""
    if not position.moves:
        return -position.cards_left
    if plies == 0:
        return 0
    return max(-look_ahead(position.play(to), plies - 1) for to in position.moves)
