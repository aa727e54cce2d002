"""Counting over arrays of answers: which deals stand for others, and how often each value comes."""

from __future__ import annotations

import numpy as np

from collapsi.solve.jit import compiled


@compiled
def mark_images(places, least, unchanged):  # type: ignore[no-untyped-def]
    """Strike out what has an image below itself, and count where it is its own image."""
    for index in range(len(places)):
        least[index] &= places[index] >= index
        unchanged[index] += places[index] == index


@compiled
def histogram(values, ranks, weights):  # type: ignore[no-untyped-def]
    """How often each value from -16 to 16 stands at the given places, each with its weight."""
    counts = np.zeros(33, np.int64)
    for index in range(len(ranks)):
        counts[values[ranks[index]] + 16] += weights[index]
    return counts
