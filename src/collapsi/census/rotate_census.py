"""The census of `shift-rotate`: every deal with rotating lines, by length under perfect play."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census import rotate
from collapsi.census.by_length import ByLength, count_by_length
from collapsi.census.different import stabiliser
from collapsi.census.layers import DealAnswers, least_numberings
from collapsi.games.shifting.rules import SHIFT_ROTATE
from collapsi.system.memory import peak_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from collapsi.census import json_types


@dataclass(frozen=True, repr=False)
class RotateCensus(ByLength):
    """The values of every deal of `shift-rotate`, and their totals.

    In these deals the jacks share no row and no column.
    """

    parts: tuple[DealAnswers, ...]
    """The values of every deal, one part for each place of blue's jack up to symmetry."""
    lengths: Mapping[int, int]
    """Deals by plies."""
    classes: Mapping[int, int]
    """Truly different deals by plies."""
    elapsed: rotate.ElapsedTime
    """Time of all runs, interrupted ones included."""
    peak_bytes: int | None
    """Peak memory of the process, if the system reports it."""

    rules = SHIFT_ROTATE

    def to_json(self) -> json_types.AllRotateDeals:
        """Return the tables as JSON."""
        return {
            "rules": self.rules.name,
            "lengths": self.lengths_json(),
            "deals": self.deals,
            "different_deals": self.different,
            "red_wins": self.red_wins,
            "blue_wins": self.deals - self.red_wins,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "seconds": round(self.elapsed.seconds, 3),
            "cpu_seconds": round(self.elapsed.cpu_seconds, 3),
            "peak_bytes": self.peak_bytes,
        }


def take_rotate_census(
    *,
    jobs: int | None = None,
    store: rotate.LayerStore | None = None,
    progress: Callable[[rotate.WorkDone], None] = lambda _: None,
) -> RotateCensus:
    """Solve every deal of `shift-rotate` by its layers.

    With `store` an interrupted run is continued; the store is cleared at the end.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    parts = rotate.solve_deals(jobs=jobs, store=store, progress=progress)
    lengths, classes = count_by_length(parts, different_deals)
    elapsed = rotate.ElapsedTime(time.perf_counter() - wall, time.process_time() - cpu)
    if store is not None:
        elapsed = store.elapsed
        store.clear()
    return RotateCensus(parts, lengths, classes, elapsed, peak_bytes())


def different_deals(blue: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the least numbering (by rank) and the weight of each truly different deal with these jacks.

    The weight includes all places of blue's jack that this one represents.
    """
    red_stays = [symmetry for symmetry in rotate.group().tolist() if symmetry[0] == 0]
    ranks, unchanged = least_numberings(stabiliser((0, blue), red_stays))
    return ranks, len(red_stays) // unchanged.astype(np.int64)
