"""The number of deals of the shifting board up to symmetry, counted in two ways.

`collapsi.games.shifting.symmetry` finds the symmetries of each reading. The two jacks share no row and no
column, and red's is distinguished from blue's: so a symmetry fixes a deal only if it fixes both jacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.burnside import count_different
from collapsi.census.deals import count_numberings
from collapsi.census.different import stabiliser
from collapsi.census.layers import least_numberings
from collapsi.facts.shifting.first_move import jack_placements
from collapsi.games.shifting.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi.core.symmetry import Symmetry
    from collapsi.facts import json_types
    from collapsi.games.shifting.rules import ShiftingRules


@dataclass(frozen=True)
class DifferentDeals:
    """The number of deals, and of deals up to the symmetries of a reading, counted in two ways."""

    rules: ShiftingRules
    symmetries: int
    deals: int
    by_burnside: int
    by_enumeration: int

    def to_json(self) -> json_types.ShiftingDifferent:
        """Return the counts as JSON."""
        return {
            "rules": self.rules.name,
            "symmetries": self.symmetries,
            "deals": self.deals,
            "different_by_burnside": self.by_burnside,
            "different_by_enumeration": self.by_enumeration,
        }


@lru_cache(maxsize=8)
def different_deals(rules: ShiftingRules) -> DifferentDeals:
    """Count all deals, with distinguished jacks, and the truly different ones."""
    found = symmetries(rules)
    return DifferentDeals(
        rules,
        len(found),
        len(jack_placements()) * count_numberings(),
        count_different(rules),
        sum(len(ranks) for ranks, _ in enumerate_different(found)),
    )


def enumerate_different(renamings: Iterable[Symmetry]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Find the least numberings and their weights for each placement of the jacks, up to symmetry.

    The weight is the number of deals that a symmetry maps to this one.
    """
    every = tuple(renamings)
    found = []
    for jacks in jack_placements():
        images = {(renaming[jacks[0]], renaming[jacks[1]]) for renaming in every}
        if jacks != min(images):
            continue
        ranks, unchanged = _cached_least_numberings(stabiliser(jacks, every))
        found.append((ranks, len(every) // unchanged.astype(np.int64)))
    return found


@lru_cache(maxsize=32)
def _cached_least_numberings(renamings: tuple[Symmetry, ...]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Call `least_numberings` once for all placements that the same renamings fix."""
    return least_numberings(renamings)
