"""How sure a share, or a mean, is that was found in a sample."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi import json_shapes

Z = 1.959964
"""Standard errors to either side within which 95 of 100 lie."""


def wilson(found: int, looked_at: int) -> tuple[float, float]:
    """Wilson's interval: where a share lies with 95 % confidence if so many of so many were found.

    >>> [round(share, 3) for share in wilson(30, 100)]
    [0.219, 0.396]
    """
    if not looked_at:
        return 0.0, 1.0
    z = Z
    share = found / looked_at
    scale = 1 + z * z / looked_at
    middle = (share + z * z / (2 * looked_at)) / scale
    reach = z * sqrt(share * (1 - share) / looked_at + (z / (2 * looked_at)) ** 2) / scale
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True)
class Share:
    """So many found of so many.

    >>> str(Share(30, 100))
    '30.0 % (21.9–39.6)'
    """

    found: int
    of: int

    @property
    def value(self) -> float:
        """The share."""
        return self.found / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % confidence."""
        return wilson(self.found, self.of)

    def to_json(self) -> json_shapes.ShareFound:
        """As plain data."""
        low, high = self.interval
        return {"found": self.found, "of": self.of, "share": self.value, "low": low, "high": high}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


@dataclass(frozen=True)
class Mean:
    """The mean of so many numbers, and how far it may be from the true one."""

    value: float
    count: int
    error: float
    """The standard error; 0 where it cannot be told."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of these.

        >>> Mean.of([0, 1, 1, 2]).value, [round(end, 2) for end in Mean.of([0, 1, 1, 2]).interval]
        (1.0, [0.2, 1.8])
        """
        count = len(values)
        if not count:
            return cls(0.0, 0, 0.0)
        mean = sum(values) / count
        squares = sum((value - mean) ** 2 for value in values)
        return cls(mean, count, sqrt(squares / (count - 1) / count) if count > 1 else 0.0)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies with 95 % confidence, about."""
        return self.value - Z * self.error, self.value + Z * self.error

    def to_json(self) -> json_shapes.MeanFound:
        """As plain data."""
        low, high = self.interval
        return {"mean": self.value, "count": self.count, "low": low, "high": high}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.2f} ({low:.2f}–{high:.2f})"
