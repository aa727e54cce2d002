"""What a study found: shares and lengths, each with its 95 % interval."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.games.crowd_analysis import seat_json
from collapsi.intervals import Mean, Rate
from collapsi.rules import PAIR, CrowdRules, Player
from collapsi.study.plan import find_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi import json_shapes
    from collapsi.study.plan import Plan
    from collapsi.study.solving import Ending

    Tally = Counter[Ending]
    """How many deals ended how."""


@dataclass(frozen=True)
class Result:
    """The deals of a study by how they ended."""

    plan: Plan
    tally: Tally = field(repr=False)

    @property
    def deals(self) -> int:
        """How many were looked at."""
        return self.tally.total()

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players."""
        rules = find_rules(self.plan.rules)
        return rules.seats if isinstance(rules, CrowdRules) else PAIR

    @property
    def wins(self) -> dict[Player, Rate]:
        """How often each player wins."""
        return {player: self._rate(lambda ending, who=player: ending.winner is who) for player in self.seats}  # type: ignore[misc]

    @property
    def first_out(self) -> dict[Player, Rate]:
        """With three or four players, how often each is the first to go out."""
        if len(self.seats) == len(PAIR):
            return {}
        return {
            player: self._rate(lambda ending, who=player: ending.first_out is who)  # type: ignore[misc]
            for player in self.seats
        }

    @property
    def lengths(self) -> dict[int, Rate]:
        """How often a game lasts so many plies, shortest first; nothing where that was not asked."""
        return {plies: Rate(count, self.deals) for plies, count in sorted(self._plies.items())}

    @property
    def mean_plies(self) -> Mean | None:
        """How long games last on average, or None where that was not asked."""
        return Mean.of(self._plies) if self._plies else None

    @property
    def width(self) -> float:
        """How wide the widest interval of a player's wins is."""
        return max(rate.width for rate in self.wins.values())

    @property
    def _plies(self) -> Counter[int]:
        counts: Counter[int] = Counter()
        for ending, count in self.tally.items():
            if ending.plies is not None:
                counts[ending.plies] += count
        return counts

    def _rate(self, is_one: Callable[[Ending], bool]) -> Rate:
        return Rate(sum(count for ending, count in self.tally.items() if is_one(ending)), self.deals)

    def to_json(self) -> json_shapes.StudyResult:
        """As plain data."""
        mean = self.mean_plies
        return {
            "rules": self.plan.rules,
            "seed": self.plan.seed,
            "deals": self.deals,
            "level": self.plan.level,
            "wins": {seat_json(player): rate.to_json() for player, rate in self.wins.items()},
            "first_out": {seat_json(player): rate.to_json() for player, rate in self.first_out.items()},
            "mean_plies": None if mean is None else mean.to_json(),
            "lengths": [{"plies": plies, **rate.to_json()} for plies, rate in self.lengths.items()],
        }
