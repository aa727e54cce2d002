"""Deals by length under perfect play: how they are counted, and the base class of every census."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.layers import DealAnswers, histogram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.core.rules import RuleSet


@dataclass(frozen=True, repr=False)
class ByLength:
    """The values of every deal under some rules, and their totals."""

    rules: RuleSet
    parts: tuple[DealAnswers, ...]
    """The values of every deal, one part for each place of blue's jack up to symmetry."""
    lengths: Mapping[int, int]
    """Deals by plies."""
    classes: Mapping[int, int]
    """Truly different deals by plies."""
    seconds: float
    cpu_seconds: float
    peak_bytes: int | None
    """Peak memory of the process, if the system reports it."""

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

    def to_json(self) -> json_types.AllRotateDeals:
        """Return the tables as JSON."""
        return {
            "rules": self.rules.name,
            "lengths": [
                {
                    "plies": plies,
                    "winner": "red" if plies % 2 else "blue",
                    "deals": deals,
                    "different": self.classes[plies],
                }
                for plies, deals in self.lengths.items()
            ],
            "deals": self.deals,
            "different_deals": self.different,
            "red_wins": self.red_wins,
            "blue_wins": self.deals - self.red_wins,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "peak_bytes": self.peak_bytes,
        }


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
