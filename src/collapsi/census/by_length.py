"""Deals by length under perfect play: how they are counted, and the base class of every census."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.layers import DealAnswers, histogram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.core.rules import RuleSet


class ByLength:
    """Totals of a census, computed from its rules and two tables."""

    if TYPE_CHECKING:
        rules: RuleSet
        lengths: Mapping[int, int]
        """Deals by plies."""
        classes: Mapping[int, int]
        """Truly different deals by plies."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.rules)!r}, {self.different:,} deals)"

    @property
    def deals(self) -> int:
        """All deals, weighted."""
        return sum(self.lengths.values())

    @property
    def red_wins(self) -> int:
        """Deals that red wins: those with an odd number of plies."""
        return sum(deals for plies, deals in self.lengths.items() if plies % 2 == 1)

    @property
    def different(self) -> int:
        """Truly different deals."""
        return sum(self.classes.values())

    def lengths_json(self) -> list[json_types.Length]:
        """Return a row for each length as JSON."""
        return [
            {
                "plies": plies,
                "winner": "red" if plies % 2 else "blue",
                "deals": deals,
                "different": self.classes[plies],
            }
            for plies, deals in self.lengths.items()
        ]


def count_by_length(
    parts: Iterable[DealAnswers],
    representatives: Callable[[int], tuple[NDArray[np.int64], NDArray[np.int64]]],
    *,
    uncounted: int = 0,
) -> tuple[dict[int, int], dict[int, int]]:
    """Count deals and truly different deals by plies.

    `representatives(blue)` returns the ranks and weights of the truly different deals with blue's jack on a
    cell; `uncounted` plies are not counted.
    """
    deals: Counter[int] = Counter()
    classes: Counter[int] = Counter()
    for part in parts:
        ranks, weights = representatives(part.jacks.blue)
        for counter, counts in (
            (deals, histogram(part.answers, ranks, weights)),
            (classes, histogram(part.answers, ranks, np.ones_like(weights))),
        ):
            for value in np.flatnonzero(counts).tolist():
                counter[16 - abs(value - 16) - uncounted] += int(counts[value])
    return dict(sorted(deals.items())), dict(sorted(classes.items()))
