"""A second way to the symmetries of the shifting board: every shift must be matched by one, again and again.

A renaming of the cards of a deal keeps the game only if every shift of a line is matched by a shift of the
renamed line, after which again the same cards touch, and so on. Tried with positions, as they are played.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

from collapsi.core.symmetry import symmetries
from collapsi.facts.shifting.first_move import deal_with, jack_placements
from collapsi.games.shifting.state import Shifting, Way

if TYPE_CHECKING:
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.shifting.rules import ShiftingRules

CARDS = range(16)

Line = frozenset[int]
"""The cards of a line."""


@dataclass(frozen=True)
class Laid:
    """What lies where after some shifts: a position, and the cell of each card of the deal."""

    position: Shifting
    cells: tuple[int, ...]

    def touching(self) -> frozenset[tuple[int, int]]:
        """The pairs of cards that touch."""
        card = {cell: number for number, cell in enumerate(self.cells)}
        near = self.position.board.neighbours
        return frozenset((one, card[cell]) for one in CARDS for cell in near(self.cells[one]))

    def shifts(self) -> dict[Line, list[Laid]]:
        """By the cards of each line, the boards after it has been shifted either way."""
        columns = self.position.board.columns
        found: dict[Line, list[Laid]] = {}
        for is_row in (True, False):
            lines: dict[int, list[int]] = {}
            for card, cell in enumerate(self.cells):
                lines.setdefault(cell // columns if is_row else cell % columns, []).append(card)
            for cards in lines.values():
                for way in Way:
                    if way.is_row == is_row:
                        places = self.position.slides(4 * self.cells[cards[0]] + way)
                        after = _laid(self.position, [places[cell] for cell in self.cells])
                        found.setdefault(frozenset(cards), []).append(after)
        return found


def _laid(position: Shifting, places: list[tuple[int, int]]) -> Laid:
    """The cards of a position at other places."""
    top, left = min(row for row, _ in places), min(column for _, column in places)
    card = position.cards[position.pawns[0]]
    moved = Shifting.at(dict.fromkeys(places, card), (places[0], places[1]), position.to_move, position.rules)
    columns = moved.board.columns
    return Laid(moved, tuple((row - top) * columns + column - left for row, column in places))


@cache
def square(rules: ShiftingRules) -> Laid:
    """What lies where at the deal."""
    return Laid(deal_with(jack_placements()[0], rules), tuple(CARDS))


@cache
def _touching(laid: Laid) -> frozenset[tuple[int, int]]:
    return laid.touching()


@cache
def _shifts(laid: Laid) -> dict[Line, list[Laid]]:
    return laid.shifts()


def keeps_game(renaming: Symmetry, laid: Laid, image: Laid, shifts: int) -> bool:
    """Whether the renamed cards touch as the cards do, now and after so many shifts, each matched by one."""
    if {(renaming[one], renaming[two]) for one, two in _touching(laid)} != _touching(image):
        return False
    if not shifts:
        return True
    theirs = _shifts(image)
    for line, after in _shifts(laid).items():
        matching = theirs.get(frozenset(renaming[card] for card in line), ())
        # The ways to shift a line are matched by the ways to shift the other, in some order.
        if len(matching) != len(after) or not any(
            all(keeps_game(renaming, one, two, shifts - 1) for one, two in zip(after, order, strict=True))
            for order in permutations(matching)
        ):
            return False
    return True


@cache
def symmetries_of(rules: ShiftingRules, shifts: int) -> tuple[Symmetry, ...]:
    """The renamings of the cards of a deal that keep the game, as far as so many shifts can tell."""
    start = square(rules)
    return tuple(
        renaming for renaming in symmetries(rules.board) if keeps_game(renaming, start, start, shifts)
    )
