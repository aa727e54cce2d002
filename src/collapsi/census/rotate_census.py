"""The census of `shift-rotate`: every deal with rotating lines, by length under perfect play."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census import rotate
from collapsi.census.different import stabiliser
from collapsi.census.layers import least_numberings
from collapsi.census.lengths import ByLength, count_by_length
from collapsi.games.shifting.rules import SHIFT_ROTATE
from collapsi.system.memory import peak_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class RotateCensus(ByLength):
    """The values of every deal of `shift-rotate`, in which the jacks share no row and no column.

    Its times are those of all runs, interrupted ones included.
    """


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
    return RotateCensus(
        SHIFT_ROTATE, parts, lengths, classes, elapsed.seconds, elapsed.cpu_seconds, peak_bytes()
    )


def different_deals(blue: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the least numbering (by rank) and the weight of each truly different deal with these jacks.

    The weight includes all places of blue's jack that this one represents.
    """
    red_stays = [symmetry for symmetry in rotate.group().tolist() if symmetry[0] == 0]
    ranks, unchanged = least_numberings(stabiliser((0, blue), red_stays))
    return ranks, len(red_stays) // unchanged.astype(np.int64)
