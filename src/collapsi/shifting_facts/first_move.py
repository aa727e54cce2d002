"""The deals that red wins with the very first move: counted, not sampled.

Red walks one step from a jack, and blue's reply would be one step from the other jack. So whether blue has a
reply depends on where the jacks lie and on nothing else: no number has been used yet. There are 144 ways to
lay the two jacks in different rows and columns, each for as many deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from collapsi.board import mask_of
from collapsi.census.deals import count_numberings
from collapsi.games.shifting import Shifting
from collapsi.intervals import Rate
from collapsi.patch import Patch
from collapsi.rules import SHIFT, Card, Player

if TYPE_CHECKING:
    from collapsi import json_shapes
    from collapsi.rules import Rules
    from collapsi.shifting_facts.readings import Reading

SIDE = SHIFT.board.rows

Jacks = tuple[int, int]
"""The cells of red's and of blue's jack."""

ANY = Card.ACE
"""In place of the numbers, which do not matter here."""


@dataclass(frozen=True)
class FirstMoveWins:
    """Where the jacks must lie for red to win at once, with the moves that do it as they are written."""

    reading: Reading
    moves: dict[Jacks, tuple[str, ...]]
    """By the places of the jacks; empty where no first move wins."""

    @property
    def placements(self) -> tuple[Jacks, ...]:
        """The places from which red wins at once."""
        return tuple(jacks for jacks, moves in self.moves.items() if moves)

    @property
    def deals(self) -> Rate:
        """The deals that red wins at once, of all."""
        numberings = count_numberings()
        won, every = len(self.placements), len(self.moves)
        return Rate(won * numberings, every * numberings, is_sample=False)

    def to_json(self) -> json_shapes.ShiftingFirstMove:
        """As plain data."""
        square = SHIFT.board.square
        return {
            "reading": self.reading.name,
            "deals": self.deals.to_json(),
            "jacks": [{"red": square(red), "blue": square(blue)} for red, blue in self.placements],
            "jack_placements": len(self.moves),
        }


def jack_placements() -> tuple[Jacks, ...]:
    """Every way to lay red's and blue's jack in different rows and columns.

    >>> len(jack_placements())
    144
    """
    cells = range(SHIFT.board.size)
    return tuple(
        (red, blue)
        for red, blue in product(cells, cells)
        if red // SIDE != blue // SIDE and red % SIDE != blue % SIDE
    )


@cache
def first_move_wins(reading: Reading) -> FirstMoveWins:
    """Play every first move for every way to lay the jacks, and look whether blue has a reply.

    >>> from collapsi.shifting_facts.readings import BOX
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


def deal_with(jacks: Jacks, rules: Rules) -> Shifting:
    """A deal with these jacks and any numbers."""
    cards = {divmod(cell, SIDE): Card.JACK if cell in jacks else ANY for cell in range(rules.board.size)}
    red, blue = (divmod(cell, SIDE) for cell in jacks)
    return Shifting.at(cards, (red, blue), Player.RED, rules)


def has_reply(position: Shifting, *, removed: bool = False) -> bool:
    """Whether the side to move has a move; `removed` as `Reading` has it."""
    if not removed:
        return bool(position.ends)
    # As if collapsed cards had been taken off the table: lines end at face-up cards.
    columns = position.board.columns
    places = [divmod(cell, columns) for cell, card in enumerate(position.cards) if card is not None]
    top, left = min(row for row, _ in places), min(column for _, column in places)
    height, width = max(row for row, _ in places) - top + 1, max(column for _, column in places) - left + 1

    def cell_at(place: tuple[int, int]) -> int:
        return (place[0] - top) * width + place[1] - left

    assert position.rules.shift is not None  # it is a position of the shifting board
    lying = mask_of(cell_at(place) for place in places)
    board = Patch(height, width, lying, position.rules.shift)
    mover, other = (
        cell_at(divmod(position.pawns[player], columns))
        for player in (position.to_move, position.to_move.other)
    )
    reached = 0
    for steps in position.steps:
        reached |= board.reach(mover, steps, lying)
    return bool(reached & ~(1 << mover | 1 << other))
