"""What it would take to solve every deal of a rule set one by one, by what the deals of a study took."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, factorial, prod, sqrt
from typing import TYPE_CHECKING

from collapsi.intervals import Z
from collapsi.rules import PAIR, SHIFT_ROTATE, STANDARD, Card, CrowdRules
from collapsi.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi import json_shapes
    from collapsi.rules import Rules
    from collapsi.study.solving import Cost

DAY = 24 * 3600


@dataclass(frozen=True)
class Estimate:
    """What all deals of a rule set would take."""

    rules: Rules | CrowdRules
    measured: int
    """The deals whose cost is known."""
    cpu_seconds: float
    """A deal, on average, on one core."""
    low: float
    high: float
    """Where that average lies with 95 % confidence; the same as the average if there is but one part."""
    nodes: float
    """Positions looked at, a deal."""
    deals: int
    """All deals of the rules, red's jack and blue's told apart."""
    different: int
    """Truly different ones, about: no symmetry of the board turns them into each other."""

    @property
    def core_days(self) -> float:
        """Days of one core for the truly different deals."""
        return self.different * self.cpu_seconds / DAY

    def machines(self, cores: int) -> int:
        """How many machines with so many cores would do it in a day."""
        return ceil(self.core_days / cores)

    def to_json(self) -> json_shapes.StudyEstimate:
        """As plain data."""
        return {
            "rules": self.rules.name,
            "measured": self.measured,
            "cpu_seconds": {"mean": self.cpu_seconds, "interval": [self.low, self.high]},
            "nodes": self.nodes,
            "deals": self.deals,
            "different": self.different,
            "core_days": self.core_days,
        }


def estimate(rules: Rules | CrowdRules, costs: Sequence[Cost]) -> Estimate:
    """What all deals would take, if some parts of a study, at least one, took so much."""
    measured = sum(cost.deals for cost in costs)
    mean = sum(cost.cpu_seconds for cost in costs) / measured
    # Parts are what is measured: the spread of theirs says how sure the average is (a ratio of two sums).
    spread = sum((cost.cpu_seconds - mean * cost.deals) ** 2 for cost in costs)
    reach = Z * sqrt(spread * len(costs) / max(len(costs) - 1, 1)) / measured
    deals = count_deals(rules)
    return Estimate(
        rules,
        measured,
        mean,
        max(mean - reach, 0.0),
        mean + reach,
        sum(cost.nodes for cost in costs) / measured,
        deals,
        -(-deals // count_symmetries(rules)),
    )


def counted_at_once(rules: Rules | CrowdRules) -> bool:
    """Whether `collapsi census` counts these deals by layers, so that nobody needs to solve them one by one.

    >>> from collapsi.rules import RULE_SETS
    >>> [name for name, rules in RULE_SETS.items() if counted_at_once(rules)]
    ['standard', 'joker', 'choice', 'shift-rotate']
    """
    if isinstance(rules, CrowdRules) or rules.board != STANDARD.board:
        return False
    return rules.shift is None or rules == SHIFT_ROTATE


def count_deals(rules: Rules | CrowdRules) -> int:
    """All deals, every player's jack told from the others': as if each chose one.

    >>> from collapsi.rules import SHIFT, STANDARD
    >>> count_deals(STANDARD), count_deals(SHIFT)
    (756756000, 454053600)
    """
    board, jacks = rules.board, rules.deck[Card.JACK]
    players = rules.players if isinstance(rules, CrowdRules) else len(PAIR)
    numbers = [count for card, count in rules.cards if card is not Card.JACK]
    laid = factorial(board.size) // prod(map(factorial, [*numbers, jacks - players]))
    if isinstance(rules, CrowdRules) or rules.shift is None:
        return laid
    # The jacks share no row and no column.
    apart = board.size - board.rows - board.columns + 1
    return laid * apart // (board.size - 1)


def count_symmetries(rules: Rules | CrowdRules) -> int:
    """In how many ways the board can be turned, reflected and moved so that the game stays the same."""
    if isinstance(rules, CrowdRules) or rules.shift is None:
        return len(symmetries(rules.board))
    from collapsi.games import shifting_symmetry

    return len(shifting_symmetry.symmetries(rules))
