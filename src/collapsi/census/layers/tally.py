"""Counting over arrays of answers: representatives of deals, and histograms of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.layers.numberings import NUMBERED, OFFICIAL, Decks, numberings
from collapsi.census.layers.sweep import places_of
from collapsi.solving.jit import machine_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


@machine_code
def mark_images(places, least, unchanged):  # type: ignore[no-untyped-def]
    """Clear `least` where the image is smaller, and count in `unchanged` where it is the same."""
    for index in range(len(places)):
        least[index] &= places[index] >= index
        unchanged[index] += places[index] == index


def least_numberings(
    renamings: Iterable[Sequence[int]],
    decks: Decks = OFFICIAL,
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the ranks of the numberings of whole deals that no renaming of cells makes smaller.

    The second array is the number of renamings that leave each unchanged.
    """
    codes = numberings(NUMBERED, decks).codes
    least = np.ones(len(codes), np.bool_)
    unchanged = np.zeros(len(codes), np.uint8)
    for to in renamings:
        mark_images(places_of(codes, to, decks=decks), least, unchanged)
    chosen = np.flatnonzero(least)
    return chosen, unchanged[chosen]


@machine_code
def histogram(values, ranks, weights):  # type: ignore[no-untyped-def]
    """Return the weighted counts of the values from -16 to 16 at the given ranks."""
    counts = np.zeros(33, np.int64)
    for index in range(len(ranks)):
        counts[values[ranks[index]] + 16] += weights[index]
    return counts
