"""Counting over arrays of answers: which deals stand for others, and how often each value comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collapsi.solve.jit import machine_code
from collapsi.solve.layers.numberings import NUMBERED, OFFICIAL, Decks, numberings
from collapsi.solve.layers.sweep import places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


@machine_code
def mark_images(places, least, unchanged):  # type: ignore[no-untyped-def]
    """Strike out what has an image below itself, and count where it is its own image."""
    for index in range(len(places)):
        least[index] &= places[index] >= index
        unchanged[index] += places[index] == index


def least_numberings(
    renamings: Iterable[Sequence[int]],
    decks: Decks = OFFICIAL,
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The numberings of a whole deal that no renaming of its cells makes smaller, by rank.

    With each comes how many of the renamings leave it unchanged.
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
    """How often each value from -16 to 16 stands at the given places, each with its weight."""
    counts = np.zeros(33, np.int64)
    for index in range(len(ranks)):
        counts[values[ranks[index]] + 16] += weights[index]
    return counts
