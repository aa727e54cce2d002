"""Confidence intervals of shares and means, fixed in advance or valid at any time."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from collapsi.core.intervals import (
    ALPHA,
    ANYTIME,
    Mean,
    Rate,
    confidence_sequence,
    enough_cases,
    tuned_to,
    wilson,
)
from tests.test_census import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("width", [0.3, 0.1, 0.02])
def test_so_many_deals_are_enough_whatever_the_share(width: float) -> None:
    deals, tuned_for = enough_cases(width), tuned_to(width)
    some = range(0, deals + 1, max(deals // 500, 1))
    assert max(Rate(found, deals, tuned_for=tuned_for).width for found in (*some, deals // 2)) <= width
    assert Rate((deals - 1) // 2, deals - 1, tuned_for=tuned_for).width > width


LOOKS = range(20, 2001, 20)
"""When simulated studies are looked at."""


def test_a_confidence_sequence_holds_at_all_times_where_wilson_does_not() -> None:
    """Simulated studies of 2,000 deals, looked at a hundred times: how many never leave the share out."""
    paths, share = 1000, 0.75
    wins = np.random.default_rng(1).random((paths, LOOKS[-1])) < share
    found = wins.cumsum(axis=1)[:, LOOKS[0] - 1 :: 20]
    sequence = cache(lambda cases, count: confidence_sequence(count, cases, tuned_for=1000))

    def covered(interval: Callable[[int, int], tuple[float, float]]) -> float:
        always = 0
        for path in found.tolist():
            ends = [interval(cases, count) for cases, count in zip(LOOKS, path, strict=True)]
            always += all(low <= share <= high for low, high in ends)
        return always / paths

    assert covered(sequence) >= 0.95
    assert covered(cache(lambda cases, count: wilson(count, cases))) < 0.85


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("tuned_for", [20.0, 1000.0])
def test_a_confidence_sequence_holds_exactly(share: float, tuned_for: float) -> None:
    """Not simulated: the probability that one of a hundred looks, after every deal, leaves the share out."""
    still = {0: 1.0}
    for cases in range(1, 101):
        after: Counter[int] = Counter()
        for found, chance in still.items():
            after[found] += chance * (1 - share)  # type: ignore[assignment]
            after[found + 1] += chance * share  # type: ignore[assignment]
        still = {
            found: chance
            for found, chance in after.items()
            if (ends := confidence_sequence(found, cases, tuned_for))[0] <= share <= ends[1]
        }
    assert sum(still.values()) >= 1 - ALPHA


def test_what_is_left_out_by_a_confidence_sequence_is_outside_one_interval() -> None:
    """Between its ends the cases are less than twenty times as likely under the mixture, and more outside."""
    assert ANYTIME**2 - math.log(ANYTIME**2) == pytest.approx(1 - 2 * math.log(ALPHA), abs=1e-5)
    for found, cases in ((0, 0), (0, 7), (7, 7), (1, 50), (30, 100), (999, 1000), (250_000_000, 10**9)):
        low, high = confidence_sequence(found, cases, 100.0)
        assert 0 <= low <= (found / cases if cases else 0.5) <= high <= 1
        mirrored = confidence_sequence(cases - found, cases, 100.0)
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    prior = 100 / (ANYTIME**2 - 1)
    for found, cases in ((0, 7), (3, 7), (30, 100), (99, 100)):
        low, high = confidence_sequence(found, cases, 100.0)
        for share in (number / 1000 for number in range(1, 1000)):
            wins = ((prior * share + n) / (prior + n) / share for n in range(found))
            losses = (
                (prior * (1 - share) + n) / (prior + found + n) / (1 - share) for n in range(cases - found)
            )
            assert (math.prod(wins) * math.prod(losses) < 1 / ALPHA) == (low < share < high)


@pytest.mark.parametrize("sample", [[9, 11], [8, 8, 12], [7, 9, 9, 12, 14]])
def test_a_mean_has_the_interval_of_the_normal_distribution(sample: list[int]) -> None:
    found = Mean.of(Counter(sample))
    reach = statistics.NormalDist().inv_cdf(0.975) * statistics.stdev(sample) / math.sqrt(len(sample))
    mean = statistics.fmean(sample)
    assert (found.value, found.low, found.high) == pytest.approx((mean, mean - reach, mean + reach))


def test_the_mean_of_a_study_that_was_looked_at_again_and_again() -> None:
    """Means of simulated lengths, looked at a hundred times."""
    assert Mean.of({11: 1}) == Mean.of({11: 5}) == Mean(11.0, 11.0, 11.0)
    lengths = np.array(list(PUBLISHED))
    shares = np.array(list(PUBLISHED.values())) / sum(PUBLISHED.values())
    true = float((lengths * shares).sum())
    rng, plain, always = np.random.default_rng(2), 0, 0
    for _ in range(200):
        counts = rng.multinomial(20, shares, size=100).cumsum(axis=0)[4:]
        tallies = [
            {int(plies): int(count) for plies, count in zip(lengths, row, strict=True) if count}
            for row in counts
        ]
        always += all((mean := Mean.of(tally, 1000.0)).low <= true <= mean.high for tally in tallies)
        plain += all((mean := Mean.of(tally)).low <= true <= mean.high for tally in tallies)
    assert always >= 0.95 * 200
    assert plain < 0.85 * 200
