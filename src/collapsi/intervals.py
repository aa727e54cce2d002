"""How sure a share is that was found in a sample."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collapsi import json_shapes


Z = 1.959964
"""A normal value lies within so many standard deviations with 95 % confidence."""


def wilson(found: int, looked_at: int) -> tuple[float, float]:
    """Wilson's interval: where a share lies with 95 % confidence if so many of so many were found.

    >>> [round(share, 3) for share in wilson(30, 100)]
    [0.219, 0.396]
    """
    if not looked_at:
        return 0.0, 1.0
    share = found / looked_at
    scale = 1 + Z * Z / looked_at
    middle = (share + Z * Z / (2 * looked_at)) / scale
    reach = Z * sqrt(share * (1 - share) / looked_at + (Z / (2 * looked_at)) ** 2) / scale
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True)
class Rate:
    """So many of so many: all that there are, or a sample."""

    found: int
    cases: int
    is_sample: bool = True

    @property
    def share(self) -> float:
        """The share, of all or of those looked at."""
        return self.found / self.cases if self.cases else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all lies with 95 % confidence; if all were counted, the share itself."""
        return wilson(self.found, self.cases) if self.is_sample else (self.share, self.share)

    @property
    def width(self) -> float:
        """How wide the interval is, from end to end."""
        low, high = self.interval
        return high - low

    def to_json(self) -> json_shapes.Rate:
        """As plain data."""
        return {
            "found": self.found,
            "cases": self.cases,
            "share": self.share,
            "exact": not self.is_sample,
            "interval": list(self.interval),
        }


@dataclass(frozen=True)
class Mean:
    """The average of what was found in a sample.

    >>> mean = Mean.of({9: 50, 11: 50})
    >>> mean.value, round(mean.low, 2), round(mean.high, 2)
    (10.0, 9.8, 10.2)
    """

    value: float
    low: float
    high: float
    """Where the average of all lies, with 95 % confidence."""

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Mean:
        """Of values and how often each was found, of at least one."""
        cases = sum(counts.values())
        value = sum(number * times for number, times in counts.items()) / cases
        squares = sum(times * (number - value) ** 2 for number, times in counts.items())
        reach = Z * sqrt(squares / max(cases - 1, 1) / cases)
        return cls(value, value - reach, value + reach)

    def to_json(self) -> json_shapes.Mean:
        """As plain data."""
        return {"mean": self.value, "interval": [self.low, self.high]}
