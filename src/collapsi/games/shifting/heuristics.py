"""Heuristics of the computer players of the shifting board, based on mobility after a move.

A player's *ways* are the cards that they could end on if they were to move.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.players import Player
    from collapsi.games.shifting.state import Shifting


class Heuristic(StrEnum):
    """The value that a computer player maximises."""

    WAYS = "many ways of one's own"
    MARGIN = "many ways of one's own and few of the other's"

    def choose(self, state: Shifting, moves: Sequence[int]) -> tuple[int, ...]:
        """Return the moves with the largest value, in the given order.

        >>> import collapsi
        >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r shift")
        >>> " ".join(map(position.move_text, Heuristic.MARGIN.choose(position, position.moves)))
        'a2u'
        """
        worth = {move: self._worth(state.play(move), state.to_move) for move in moves}
        most = max(worth.values())
        return tuple(move for move in moves if worth[move] == most)

    def _worth(self, after: Shifting, player: Player) -> int:
        own = ways(after, player)
        return own if self is Heuristic.WAYS else own - ways(after, player.other)


def ways(state: Shifting, player: Player) -> int:
    """Return the number of cards that a player could end on if they were to move."""
    return len((state if state.to_move is player else replace(state, to_move=player)).ends)
