"""What a player without a card of rules goes by on the shifting board: how many ways there are to go on.

A player's *ways* are the cards that they could step to if it were their move.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.games.shifting import Shifting
    from collapsi.rules import Player


class Wish(StrEnum):
    """What somebody would like a move to leave."""

    WAYS = "many ways of one's own"
    MARGIN = "many ways of one's own and few of the other's"

    def choose(self, state: Shifting, moves: Sequence[int]) -> tuple[int, ...]:
        """Of these moves those that fulfil it best, in the order given.

        >>> import collapsi
        >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r shift")
        >>> " ".join(map(position.move_text, Wish.MARGIN.choose(position, position.moves)))
        'a2u'
        """
        worth = {move: self._worth(state.play(move), state.to_move) for move in moves}
        most = max(worth.values())
        return tuple(move for move in moves if worth[move] == most)

    def _worth(self, after: Shifting, player: Player) -> int:
        own = ways(after, player)
        return own if self is Wish.WAYS else own - ways(after, player.other)


def ways(state: Shifting, player: Player) -> int:
    """How many cards a player could step to, were it their move."""
    return len((state if state.to_move is player else replace(state, to_move=player)).ends)
