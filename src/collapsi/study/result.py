"""The result of a study: shares and lengths, each with its 95 % interval."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean, Rate, tuned_to
from collapsi.core.players import PAIR, Player
from collapsi.games.big.analysis import seat_json
from collapsi.games.registry import parse_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.study import json_types
    from collapsi.study.plan import Plan
    from collapsi.study.solving import Ending

    Tally = Counter[Ending]
    """Number of deals by their ending."""


@dataclass(frozen=True)
class Result:
    """The deals of a study by their ending."""

    plan: Plan
    tally: Tally = field(repr=False)
    until: float | None = None
    """The width of the intervals at which the study stops; None if its size is fixed.

    If set, all intervals are those of confidence sequences, which stay valid under this stopping rule.
    """

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.tally.total()

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players."""
        return parse_rules(self.plan.rules).seats

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
        """The share of games by number of plies, shortest first; empty if lengths are not studied."""
        return {plies: self._rate_of(count) for plies, count in sorted(self._plies.items())}

    @property
    def mean_plies(self) -> Mean | None:
        """The mean number of plies, or None if lengths are not studied."""
        return Mean.of(self._plies, self._tuned_for) if self._plies else None

    @property
    def width(self) -> float:
        """The width of the widest interval of a player's wins."""
        return max(rate.width for rate in self.wins.values())

    @property
    def is_narrow(self) -> bool:
        """Whether the intervals of the wins are at most `until` wide."""
        return self.until is None or self.width <= self.until

    @property
    def _plies(self) -> Counter[int]:
        counts: Counter[int] = Counter()
        for ending, count in self.tally.items():
            if ending.plies is not None:
                counts[ending.plies] += count
        return counts

    def _rate(self, is_one: Callable[[Ending], bool]) -> Rate:
        return self._rate_of(sum(count for ending, count in self.tally.items() if is_one(ending)))

    def _rate_of(self, found: int) -> Rate:
        return Rate(found, self.deals, tuned_for=self._tuned_for)

    @property
    def _tuned_for(self) -> float | None:
        return None if self.until is None else tuned_to(self.until)

    def to_json(self) -> json_types.StudyResult:
        """Return the result as plain data."""
        mean = self.mean_plies
        found: json_types.StudyResult = {
            "rules": self.plan.rules,
            "seed": self.plan.seed,
            "deals": self.deals,
            "level": self.plan.level,
            "wins": {seat_json(player): rate.to_json() for player, rate in self.wins.items()},
            "first_out": {seat_json(player): rate.to_json() for player, rate in self.first_out.items()},
            "mean_plies": None if mean is None else mean.to_json(),
            "lengths": [{"plies": plies, **rate.to_json()} for plies, rate in self.lengths.items()],
        }
        if self.until is not None:
            found["until"] = {"wanted": self.until, "width": self.width, "reached": self.is_narrow}
        return found
