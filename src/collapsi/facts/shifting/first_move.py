"""The deals that red wins with the first move: counted, not sampled.

Red walks one step from a jack, and blue's reply is one step from the other jack. So whether blue has a reply
depends only on the places of the jacks, not on the numbers. There are 144 ways to lay the two jacks in
different rows and columns, each with the same number of deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from collapsi.census.deals import count_numberings
from collapsi.core.board import mask_of
from collapsi.core.cards import Card
from collapsi.core.intervals import Rate
from collapsi.core.patch import Patch
from collapsi.core.players import Player
from collapsi.games.shifting.rules import SHIFT
from collapsi.games.shifting.state import Shifting

if TYPE_CHECKING:
    from collapsi.facts import json_types
    from collapsi.facts.shifting.readings import Reading
    from collapsi.games.shifting.rules import ShiftingRules

SIDE = SHIFT.board.rows

Jacks = tuple[int, int]
"""The cells of red's and of blue's jack."""

ANY = Card.ACE
"""The card on all other cells: numbers do not matter here."""


@dataclass(frozen=True)
class FirstMoveWins:
    """Red's winning first moves in notation, by placement of the jacks."""

    reading: Reading
    moves: dict[Jacks, tuple[str, ...]]
    """By placement of the jacks; empty where no first move wins."""

    @property
    def placements(self) -> tuple[Jacks, ...]:
        """The placements with which red wins at once."""
        return tuple(jacks for jacks, moves in self.moves.items() if moves)

    @property
    def deals(self) -> Rate:
        """The share of all deals that red wins at once."""
        numberings = count_numberings()
        won, every = len(self.placements), len(self.moves)
        return Rate(won * numberings, every * numberings, is_sample=False)

    def to_json(self) -> json_types.ShiftingFirstMove:
        """Return the placements as JSON."""
        square = SHIFT.board.square
        return {
            "reading": self.reading.name,
            "deals": self.deals.to_json(),
            "jacks": [{"red": square(red), "blue": square(blue)} for red, blue in self.placements],
            "jack_placements": len(self.moves),
        }


def jack_placements() -> tuple[Jacks, ...]:
    """Return every way to lay red's and blue's jack in different rows and columns.

    >>> len(jack_placements())
    144
    """
    cells = range(SHIFT.board.size)
    return tuple(
        (red, blue)
        for red, blue in product(cells, cells)
        if red // SIDE != blue // SIDE and red % SIDE != blue % SIDE
    )


@lru_cache(maxsize=16)
def first_move_wins(reading: Reading) -> FirstMoveWins:
    """Play every first move for every placement of the jacks, and test whether blue has a reply.

    >>> from collapsi.facts.shifting.readings import BOX
    >>> str(first_move_wins(BOX).deals.found * 36 // first_move_wins(BOX).deals.cases) + " of 36"
    '7 of 36'
    """
    found = {}
    for jacks in jack_placements():
        dealt = deal_with(jacks, reading.rules)
        found[jacks] = tuple(
            dealt.move_text(move)
            for move in dealt.moves
            if not has_reply(dealt.play(move), removed=reading.removed)
        )
    return FirstMoveWins(reading, found)


def deal_with(jacks: Jacks, rules: ShiftingRules) -> Shifting:
    """Return a deal with these jacks and arbitrary numbers."""
    cards = {divmod(cell, SIDE): Card.JACK if cell in jacks else ANY for cell in range(rules.board.size)}
    red, blue = (divmod(cell, SIDE) for cell in jacks)
    return Shifting.at(cards, (red, blue), Player.RED, rules)


def has_reply(position: Shifting, *, removed: bool = False) -> bool:
    """Whether the player to move has a move; for `removed` see `Reading`."""
    if not removed:
        return bool(position.ends)
    # As if collapsed cards had been removed: lines end at face-up cards.
    columns = position.board.columns
    places = [divmod(cell, columns) for cell, card in enumerate(position.cards) if card is not None]
    top, left = min(row for row, _ in places), min(column for _, column in places)
    height, width = max(row for row, _ in places) - top + 1, max(column for _, column in places) - left + 1

    def cell_at(place: tuple[int, int]) -> int:
        return (place[0] - top) * width + place[1] - left

    lying = mask_of(cell_at(place) for place in places)
    board = Patch(height, width, lying, position.rules.wrap)
    mover, other = (
        cell_at(divmod(position.pawns[player], columns))
        for player in (position.to_move, position.to_move.other)
    )
    reached = 0
    for steps in position.steps:
        reached |= board.reach(mover, steps, lying)
    return bool(reached & ~(1 << mover | 1 << other))
