"""Estimate the cost of solving every deal of a rule set one by one, from the costs of a study."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil, comb, prod, sqrt
from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.core.intervals import Z
from collapsi.games.classic.rules import Rules
from collapsi.games.kind import Can
from collapsi.games.registry import can, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.core.symmetry import Symmetry
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


def counted_at_once(rules: RuleSet) -> bool:
    """Return whether `collapsi census` counts these deals by layers, which is far cheaper than one by one.

    >>> from collapsi.games.registry import RULE_SETS
    >>> [name for name, rules in RULE_SETS.items() if counted_at_once(rules)]
    ['standard', 'joker', 'choice', 'shift-rotate']
    """
    return can(rules, Can.CENSUS)


def census_seconds(rules: RuleSet) -> float | None:
    """Return the CPU seconds of `collapsi census` for all deals; None if it does not support the rules."""
    if not counted_at_once(rules):
        return None
    from collapsi.census import rotate
    from collapsi.census.layers import layers_of, positions_in

    if isinstance(rules, Rules):
        return sum(map(positions_in, layers_of(rules).values())) * LAYER_SECONDS
    return rotate.positions_after(None) * ROTATE_SECONDS


def count_deals(rules: RuleSet) -> int:
    """Count all deals, with the jacks of the players distinguished.

    Where symmetries map red's jack to every cell, as on a torus, deals are counted with it in one place.

    >>> from collapsi.games.shifting.rules import SHIFT
    >>> from collapsi.games.classic.rules import STANDARD
    >>> count_deals(STANDARD), count_deals(SHIFT)
    (47297250, 454053600)
    """
    every = _count_unchanged(tuple(range(rules.board.size)), rules)  # the identity
    red_may_be = {symmetry[0] for symmetry in find_symmetries(rules)}
    return every // rules.board.size if len(red_may_be) == rules.board.size else every


def count_different(rules: RuleSet) -> int:
    """Count the deals up to symmetry, by Burnside's lemma.

    >>> from collapsi.games.classic.rules import STANDARD
    >>> count_different(STANDARD)
    1982769
    """
    found = find_symmetries(rules)
    return sum(_count_unchanged(symmetry, rules) for symmetry in found) // len(found)


def find_symmetries(rules: RuleSet) -> Sequence[Symmetry]:
    """Return all renamings of the cells of a deal that preserve the game."""
    return kind_of(rules).symmetries(rules)


def _count_unchanged(symmetry: Symmetry, rules: RuleSet) -> int:
    """Count the deals that a symmetry leaves unchanged.

    The jacks of the players lie on fixed cells, and each cycle of the other cells has cards of one kind.
    """
    fixed = [cell for cell, image in enumerate(symmetry) if cell == image]
    placed = rules.count_jack_placements(fixed)
    if not placed:
        return 0
    cycles = Counter(_cycle_lengths(symmetry))
    cycles[1] -= rules.players
    kinds = [count - rules.players if card is Card.JACK else count for card, count in rules.cards]
    return placed * _count_spread(cycles, kinds)


def _cycle_lengths(symmetry: Symmetry) -> Iterator[int]:
    left = set(range(len(symmetry)))
    while left:
        cell, length = left.pop(), 1
        while (cell := symmetry[cell]) in left:
            left.remove(cell)
            length += 1
        yield length


def _count_spread(cycles: Counter[int], kinds: Sequence[int]) -> int:
    """Count the ways to assign one kind of card to every cycle so that all cards are used."""
    if not kinds:
        return 1
    total = 0
    for taken in _cycles_for(kinds[0], sorted(cycles.items(), reverse=True)):
        ways = prod(comb(cycles[length], count) for length, count in taken.items())
        total += ways * _count_spread(cycles - taken, kinds[1:])
    return total


def _cycles_for(cards: int, cycles: Sequence[tuple[int, int]]) -> Iterator[Counter[int]]:
    """Yield the ways to choose cycles with `cards` cells in total, by their lengths."""
    if not cycles:
        if not cards:
            yield Counter()
        return
    (length, most), *others = cycles
    for count in range(min(most, cards // length) + 1):
        for taken in _cycles_for(cards - count * length, others):
            yield taken + Counter({length: count})
