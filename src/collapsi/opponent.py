"""Players for a person to meet: from one that moves at random to one that never errs.

A player who looks ahead so many plies sees every game that ends within them, and nothing beyond: a win in
sight is taken as soon as possible, a loss in sight put off as long as possible, and what is not decided in
sight is all the same to it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.analysis import analyse
from collapsi.errors import IllegalMoveError

if TYPE_CHECKING:
    import random

    from collapsi.state import Duel


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

    @property
    def text(self) -> str:
        """What people are told of it.

        >>> Level.TWO.text
        'casual (looks 2 moves ahead)'
        """
        if not self.plies:
            return self.value
        name = {Level.ONE: "beginner", Level.TWO: "casual", Level.FOUR: "skilled"}[self]
        return f"{name} (looks {self.plies} move{'s' * (self.plies > 1)} ahead)"


FIRST_MET = Level.ONE
"""Who meets somebody that plays for the first time."""


def choose_move(state: Duel, level: Level, rng: random.Random) -> int:
    """The computer's move; among equally good ones by chance.

    >>> import collapsi, random
    >>> choose_move(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), Level.PERFECT, random.Random(1))
    4
    """
    if not state.moves:
        msg = f"{state.to_move} cannot move: the game is over"
        raise IllegalMoveError(msg)
    return rng.choice(liked_moves(state, level))


def liked_moves(state: Duel, level: Level) -> tuple[int, ...]:
    """The moves that are best as far as the level sees, in reading order.

    Whoever wins within sight under perfect play can force it, and is seen to; where perfect play lasts
    longer, nobody can force an end within sight. So what a look-ahead finds is the exact value of near ends
    and nothing of far ones, and one solution does for all levels.
    """
    if level is Level.RANDOM:
        return state.moves
    moves = analyse(state).moves  # best first: quick wins, slow wins, slow losses, quick losses
    seen = [move for move in moves if level.plies is None or move.plies <= level.plies]
    unseen = [move for move in moves if level.plies is not None and move.plies > level.plies]
    wins = [move for move in seen if move.wins]
    best = wins or unseen or seen
    equal = best if best is unseen else [move for move in best if move.outcome == best[0].outcome]
    return tuple(sorted(move.move for move in equal))
