"""Estimate the cost of solving every deal of a rule set one by one, from the costs of a study."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING, cast

from collapsi.census.burnside import count_deals, count_different
from collapsi.core.intervals import Z
from collapsi.games.kind import Can
from collapsi.games.registry import can, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.games.classic.rules import Rules
    from collapsi.study import json_types
    from collapsi.study.solving import Cost

DAY = 24 * 3600

LAYER_SECONDS = 4.3e-9
"""CPU seconds for one position of a layer in the classic census, measured with `make bench-census`."""

ROTATE_SECONDS = 7.8e-9
"""The same for `shift-rotate`."""

MOST_CORE_DAYS = 10**6 * 365.25
"""A million years of one core; rule sets that would take longer are out of reach."""


@dataclass(frozen=True)
class Estimate:
    """The estimated cost of all deals of a rule set."""

    rules: RuleSet
    measured: int
    """The number of deals whose cost is known."""
    cpu_seconds: float
    """Mean for one deal, on one core."""
    low: float
    high: float
    """The 95 % interval of that mean; equal to the mean if there is only one part."""
    nodes: float
    """Mean number of positions searched for one deal."""
    deals: int
    """All deals of the rules, as counted by `count_deals`."""
    different: int
    """Deals up to the symmetries of the board."""

    @property
    def core_days(self) -> float:
        """Days of one core for the different deals."""
        return self.different * self.cpu_seconds / DAY

    @property
    def is_out_of_reach(self) -> bool:
        """Whether the cost exceeds `MOST_CORE_DAYS`."""
        return self.core_days > MOST_CORE_DAYS

    def machines(self, cores: int) -> int:
        """Return how many machines of `cores` cores solve all different deals in a day."""
        return ceil(self.core_days / cores)

    def to_json(self) -> json_types.StudyEstimate:
        """Return the estimate as plain data."""
        return {
            "rules": self.rules.name,
            "measured": self.measured,
            "cpu_seconds": {"mean": self.cpu_seconds, "interval": [self.low, self.high]},
            "nodes": self.nodes,
            "deals": self.deals,
            "different": self.different,
            "core_days": self.core_days,
        }


def estimate(rules: RuleSet, costs: Sequence[Cost]) -> Estimate:
    """Extrapolate the costs of parts, at least one, to all deals."""
    measured = sum(cost.deals for cost in costs)
    mean = sum(cost.cpu_seconds for cost in costs) / measured
    # Costs are measured per part, so the interval follows from the variance between parts (ratio estimator).
    spread = sum((cost.cpu_seconds - mean * cost.deals) ** 2 for cost in costs)
    reach = Z * sqrt(spread * len(costs) / max(len(costs) - 1, 1)) / measured
    return Estimate(
        rules,
        measured,
        mean,
        max(mean - reach, 0.0),
        mean + reach,
        sum(cost.nodes for cost in costs) / measured,
        count_deals(rules),
        count_different(rules),
    )


def census_seconds(rules: RuleSet) -> float | None:
    """Return the CPU seconds of `collapsi census` for all deals; None if it does not support the rules.

    It counts them by layers, which is far cheaper than one by one.
    """
    if not can(rules, Can.CENSUS):
        return None
    from collapsi.census import rotate
    from collapsi.census.layers import layers_of, positions_in

    if kind_of(rules).shifts:  # its layers differ: a shift follows each walk
        return rotate.positions_after(None) * ROTATE_SECONDS
    return sum(map(positions_in, layers_of(cast("Rules", rules)).values())) * LAYER_SECONDS
