"""95 % confidence intervals for shares and means of a sample.

Wilson's interval requires a sample size that is fixed in advance. If sampling stops depending on the
interval, use `confidence_sequence`, which is valid at all sample sizes simultaneously.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, log1p, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from collapsi.core import json_types


Z = 1.959964
"""The two-sided 95 % quantile of the normal distribution, in standard deviations."""


def wilson(found: int, cases: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, for `found` successes in a sample of size `cases`.

    >>> [round(share, 3) for share in wilson(30, 100)]
    [0.219, 0.396]
    """
    if not cases:
        return 0.0, 1.0
    share = found / cases
    scale = 1 + Z * Z / cases
    middle = (share + Z * Z / (2 * cases)) / scale
    reach = Z * sqrt(share * (1 - share) / cases + (Z / (2 * cases)) ** 2) / scale
    return max(0.0, middle - reach), min(1.0, middle + reach)


ALPHA = 0.05
"""The probability that a confidence sequence ever leaves out the true value is at most this."""

ANYTIME = 3.035122
"""The counterpart of `Z` for a confidence sequence, at the number of cases that it is tuned for.

Its square w solves w − ln w = 1 − 2 ln ALPHA, which minimises it (Howard et al. 2021, section 3.5).
"""

PRECISION = 1e-12
"""Absolute precision of the bounds of a confidence sequence."""


def confidence_sequence(found: int, cases: int, tuned_for: float) -> tuple[float, float]:
    """Return the 95 % interval of a share, valid at all sample sizes simultaneously.

    A beta-binomial mixture (Robbins 1970, Howard et al. 2021): a share p is left out if the cases are 20
    times as likely under a mixture of shares around p as under p itself. If p is true, this ratio is a
    martingale that starts at 1, so the probability that it ever reaches 20 is at most 1/20 (Ville's
    inequality). The mixture is Beta(mp, m(1 − p)), where m makes the interval approximately narrowest at
    `tuned_for` cases; it is valid for every m.

    >>> [round(share, 3) for share in confidence_sequence(30, 100, tuned_for=100)]
    [0.174, 0.448]
    """
    missed = cases - found
    prior = tuned_for / (ANYTIME**2 - 1)

    def is_left_out(share: float) -> bool:
        alpha, beta = prior * share, prior * (1 - share)
        mixed = _log_beta(alpha + found, beta + missed) - _log_beta(alpha, beta)
        return mixed - found * log(share) - missed * log1p(-share) >= -log(ALPHA)

    share = found / cases if cases else 0.5
    low = _border(share, 0.0, is_left_out) if found else 0.0
    return low, _border(share, 1.0, is_left_out) if missed else 1.0


def _log_beta(alpha: float, beta: float) -> float:
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)


def _border(inside: float, outside: float, is_left_out: Callable[[float], bool]) -> float:
    """Find the bound of the interval by bisection, rounded outwards."""
    while abs(outside - inside) > PRECISION:
        middle = (inside + outside) / 2
        if is_left_out(middle):
            outside = middle
        else:
            inside = middle
    return outside


def tuned_to(width: float) -> float:
    """Return the approximate number of cases for an interval of this width if the share is one half."""
    return (ANYTIME / width) ** 2


def enough_cases(width: float) -> int:
    """Return the number of cases for an interval of at most this width, for every share.

    >>> enough_cases(0.05)
    3682
    """

    def is_enough(cases: int) -> bool:
        return Rate(cases // 2, cases, tuned_for=tuned_to(width)).width <= width

    most = 1
    while not is_enough(most):
        most *= 2
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if is_enough(middle) else (middle, most)
    return most


@dataclass(frozen=True)
class Rate:
    """A number of cases out of all cases or out of a sample.

    >>> str(Rate(30, 100)), str(Rate(30, 100, is_sample=False))
    ('30.0 % (21.9–39.6)', '30.0 %')
    """

    found: int
    cases: int
    is_sample: bool = True
    tuned_for: float | None = None
    """The sample size that the confidence sequence is tuned for; None if the size was fixed in advance."""

    @property
    def share(self) -> float:
        """The share of all cases, or of the sample."""
        return self.found / self.cases if self.cases else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share; if all cases were counted, the share itself."""
        if not self.is_sample:
            return self.share, self.share
        if self.tuned_for is not None:
            return confidence_sequence(self.found, self.cases, self.tuned_for)
        return wilson(self.found, self.cases)

    @property
    def width(self) -> float:
        """The width of the interval."""
        low, high = self.interval
        return high - low

    def __str__(self) -> str:
        if not self.is_sample:
            return f"{100 * self.share:.1f} %"
        low, high = self.interval
        return f"{100 * self.share:.1f} % ({100 * low:.1f}–{100 * high:.1f})"

    def to_json(self) -> json_types.Rate:
        """Return plain data for JSON."""
        return {
            "found": self.found,
            "cases": self.cases,
            "share": self.share,
            "exact": not self.is_sample,
            "interval": list(self.interval),
        }


@dataclass(frozen=True)
class Mean:
    """The mean of a sample.

    >>> print(Mean.of({9: 50, 11: 50}))
    10.00 (9.80–10.20)
    """

    value: float
    low: float
    high: float
    """`low` and `high` are the bounds of the 95 % interval."""

    @classmethod
    def of(cls, counts: Mapping[int, int], tuned_for: float | None = None) -> Mean:
        """Return the mean of a non-empty sample, given as values with their counts.

        With `tuned_for` the interval is an asymptotic confidence sequence (Waudby-Smith et al. 2024), the
        counterpart of `confidence_sequence` for means.
        """
        cases = sum(counts.values())
        value = sum(number * times for number, times in counts.items()) / cases
        squares = sum(times * (number - value) ** 2 for number, times in counts.items())
        deviations = Z
        if tuned_for is not None:
            prior = tuned_for / (ANYTIME**2 - 1)
            deviations = sqrt((1 + prior / cases) * log((1 + cases / prior) / ALPHA**2))
        reach = deviations * sqrt(squares / max(cases - 1, 1) / cases)
        return cls(value, value - reach, value + reach)

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"

    def to_json(self) -> json_types.Mean:
        """Return plain data for JSON."""
        return {"mean": self.value, "interval": [self.low, self.high]}


def paired_difference(both: int, first: int, second: int, neither: int) -> Mean:
    """Return the difference of two shares of the same cases, with Newcombe's 95 % interval (1998, method 10).

    The arguments count the cases with both successes, with one of them only, and with none. The interval
    follows from those of the two shares (`wilson`) and their correlation, so it has a width even if all pairs
    are equal.

    >>> print(paired_difference(20, 12, 2, 16))
    0.20 (0.06–0.33)
    """
    cases = both + first + second + neither
    rates = Rate(both + first, cases), Rate(both + second, cases)
    (low, high), (other_low, other_high) = (rate.interval for rate in rates)
    below, above = rates[0].share - low, high - rates[0].share
    other_below, other_above = rates[1].share - other_low, other_high - rates[1].share
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    excess: float = both * neither - first * second
    if excess > 0:
        excess = max(excess - cases / 2, 0)
    correlation = excess / sqrt(product) if product else 0.0
    value = (first - second) / cases
    down = sqrt(max(below**2 - 2 * correlation * below * other_above + other_above**2, 0.0))
    up = sqrt(max(above**2 - 2 * correlation * above * other_below + other_below**2, 0.0))
    return Mean(value, value - down, value + up)
