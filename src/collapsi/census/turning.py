"""The census of `shift-rotate`: every deal with turning lines, by length under perfect play."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.by_length import ByLength
from collapsi.census.deals import numbered_cells
from collapsi.memory import peak_bytes
from collapsi.rules import SHIFT_ROTATE
from collapsi.solve.layers import DealAnswers, histogram, least_numberings, turning

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from collapsi import json_shapes


@dataclass(frozen=True, repr=False)
class TurningCensus(ByLength):
    """The values of every deal with turning lines, and what they come to.

    Deals are those that are dealt: the jacks share no row and no column.
    """

    parts: tuple[DealAnswers, ...]
    """The values of every deal, one part for each place of blue's jack up to symmetry."""
    lengths: Mapping[int, int]
    """Deals by plies."""
    classes: Mapping[int, int]
    """Truly different deals by plies."""
    spent: turning.Spent
    """The time that it took, also in runs that were broken off."""
    peak_bytes: int | None
    """The memory that the process held at the most, where the system says it."""

    rules = SHIFT_ROTATE

    def to_json(self) -> json_shapes.AllTurningDeals:
        """The tables as plain data."""
        return {
            "rules": self.rules.name,
            "lengths": self.lengths_json(),
            "deals": self.deals,
            "different_deals": self.different,
            "red_wins": self.red_wins,
            "blue_wins": self.deals - self.red_wins,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "seconds": round(self.spent.seconds, 3),
            "cpu_seconds": round(self.spent.cpu_seconds, 3),
            "peak_bytes": self.peak_bytes,
        }


def take_turning_census(
    *,
    jobs: int | None = None,
    kept: turning.Kept | None = None,
    progress: Callable[[turning.Piece], None] = lambda _: None,
) -> TurningCensus:
    """Solve every deal of `shift-rotate` by its layers.

    With `kept` it goes on where a run before was broken off; when it is done, nothing is kept any more.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    parts = turning.solve_deals(jobs=jobs, kept=kept, progress=progress)
    lengths, classes = tally(parts)
    spent = turning.Spent(time.perf_counter() - wall, time.process_time() - cpu)
    if kept is not None:
        spent = kept.spent
        kept.forget()
    return TurningCensus(parts, lengths, classes, spent, peak_bytes())


def tally(parts: tuple[DealAnswers, ...]) -> tuple[dict[int, int], dict[int, int]]:
    """Deals, and truly different deals, by plies."""
    deals: Counter[int] = Counter()
    classes: Counter[int] = Counter()
    for part in parts:
        ranks, weights = different_deals(part.jacks.blue)
        for counter, counts in (
            (deals, histogram(part.answers, ranks, weights)),
            (classes, histogram(part.answers, ranks, np.ones_like(weights))),
        ):
            for value in np.flatnonzero(counts).tolist():
                counter[16 - abs(value - 16)] += int(counts[value])
    return dict(sorted(deals.items())), dict(sorted(classes.items()))


def different_deals(blue: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each truly different deal with these jacks the least numbering, by rank, and how many it is of all.

    That is over all places of blue's jack that this one stands for.
    """
    cells = numbered_cells(blue)
    red_stays = [way for way in turning.group().tolist() if way[0] == 0]
    both_stay = [way for way in red_stays if way[blue] == blue]
    ranks, unchanged = least_numberings(tuple(cells.index(way[cell]) for cell in cells) for way in both_stay)
    return ranks, len(red_stays) // unchanged.astype(np.int64)
