"""How many deals of the shifting board are different up to its symmetries, counted in two ways.

The symmetries of each reading are found by `collapsi.games.shifting_symmetry`. The two jacks share no row and
no column, and red's is told from blue's: so a symmetry leaves a deal as it is only if both jacks stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.deals import count_numberings
from collapsi.census.different import cycle_lengths, spread
from collapsi.games.shifting_symmetry import symmetries
from collapsi.made_up import deck_of
from collapsi.rules import SHIFT
from collapsi.shifting_facts.first_move import jack_placements
from collapsi.solve.layers import least_numberings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi import json_shapes
    from collapsi.rules import Rules
    from collapsi.shifting_facts.first_move import Jacks
    from collapsi.symmetry import Symmetry

CARDS = range(SHIFT.board.size)


@dataclass(frozen=True)
class DifferentDeals:
    """How many deals there are, and up to the symmetries of a reading, counted in two ways."""

    rules: Rules
    symmetries: int
    deals: int
    by_burnside: int
    by_enumeration: int

    def to_json(self) -> json_shapes.ShiftingDifferent:
        """As plain data."""
        return {
            "rules": self.rules.name,
            "symmetries": self.symmetries,
            "deals": self.deals,
            "different_by_burnside": self.by_burnside,
            "different_by_enumeration": self.by_enumeration,
        }


@cache
def different_deals(rules: Rules) -> DifferentDeals:
    """All deals, red's jack and blue's told apart, and how many no symmetry turns into each other."""
    found = symmetries(rules)
    return DifferentDeals(
        rules,
        len(found),
        len(jack_placements()) * count_numberings(),
        count_by_burnside(found),
        sum(len(ranks) for ranks, _ in enumerated(found)),
    )


def count_by_burnside(renamings: Iterable[Symmetry]) -> int:
    """By Burnside's lemma: how many deals a symmetry leaves unchanged, on average.

    Both jacks must stay where they are, and every cycle of other cells must have one number.
    """
    every = tuple(renamings)
    total = 0
    for renaming in every:
        for red, blue in jack_placements():
            if renaming[red] == red and renaming[blue] == blue:
                total += spread(cycle_lengths(renaming, {red, blue}), deck_of(SHIFT))
    return total // len(every)


def enumerated(renamings: Iterable[Symmetry]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """By finding them: for each way to lay the jacks, up to symmetry, the least numberings and their weights.

    The weight is how many deals are the same as this one.
    """
    every = tuple(renamings)
    found = []
    for jacks in jack_placements():
        images = {(renaming[jacks[0]], renaming[jacks[1]]) for renaming in every}
        if jacks != min(images):
            continue
        ranks, unchanged = _least(_stabiliser(every, jacks))
        found.append((ranks, len(every) // unchanged.astype(np.int64)))
    return found


@cache
def _least(renamings: tuple[Symmetry, ...]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """`least_numberings`, once for all jacks that the same renamings leave where they are."""
    return least_numberings(renamings)


def _stabiliser(renamings: Iterable[Symmetry], jacks: Jacks) -> tuple[Symmetry, ...]:
    """The symmetries that leave both jacks where they are, as renamings of the other cells in their order."""
    cells = [cell for cell in CARDS if cell not in jacks]
    return tuple(
        tuple(cells.index(renaming[cell]) for cell in cells)
        for renaming in renamings
        if all(renaming[jack] == jack for jack in jacks)
    )
