"""A whole study: parts handed out, kept, and summed up, until there are enough."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from collapsi.intervals import Z
from collapsi.study.engines import Threads
from collapsi.study.plan import make_plan
from collapsi.study.result import Result
from collapsi.study.solving import Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.opponent import Level
    from collapsi.study.engines import Engine
    from collapsi.study.folder import Folder
    from collapsi.study.plan import Part, Plan
    from collapsi.study.result import Tally
    from collapsi.study.solving import Cost, Ending


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    parts: int
    """That are done, and so are those that were there."""
    of: int
    """That are wanted; where it goes on until an interval is narrow, about."""
    result: Result
    """What was found so far."""
    rate: float
    """Deals a second, since this run began."""
    seconds_left: float | None
    """About; None as long as nothing was solved."""

    def __str__(self) -> str:
        told = [f"{self.parts:,} of {self.of:,} parts", f"{self.result.deals:,} deals"]
        if self.result.deals:
            rate = next(iter(self.result.wins.values()))
            low, high = rate.interval
            told.append(f"red {100 * rate.share:.1f} % ({100 * low:.1f}–{100 * high:.1f})")
        if self.seconds_left is not None:
            told += [f"{self.rate:,.1f} deals a second", f"{_duration(self.seconds_left)} left"]
        return ", ".join(told)


@dataclass(frozen=True)
class Study:
    """A study that is done, or as far as it could be."""

    result: Result
    failed: tuple[Failed, ...]
    """The parts that always failed: nothing of them is in the result."""
    costs: tuple[Cost, ...]
    """What the parts took that were solved now."""


def sample(
    rules: str, *, deals: int = 1000, seed: int = 1, level: Level | None = None, jobs: int | None = None
) -> Result:
    """Solve some random deals of a rule set, here and now, on this machine's threads.

    >>> found = sample("shift-box", deals=100, seed=1)
    >>> found.deals, round(found.wins[0].share, 2), round(found.mean_plies.value, 1)
    (100, 0.98, 6.2)
    """
    study = run(make_plan(rules, seed=seed, level=level), deals=deals, engine=Threads(jobs))
    if study.failed:
        raise RuntimeError(str(study.failed[0]))
    return study.result


def run(
    plan: Plan,
    *,
    deals: int | None = None,
    until: float | None = None,
    engine: Engine,
    folder: Folder | None = None,
    told: Callable[[Progress], None] = lambda _progress: None,
) -> Study:
    """Solve so many deals, or until the widest interval of a share of wins is so narrow, from end to end.

    Which deals that takes depends on the deals alone, in the order of their numbers, and not on which are
    solved first. Parts that are in the folder are not solved again.
    """
    return _Run(plan, deals, until, folder, told).run(engine)


def most_deals(width: float) -> int:
    """So many deals make an interval so narrow, whatever the share is.

    >>> most_deals(0.05)
    1537
    """
    return ceil((Z / width) ** 2)


class _Run:
    """One call of `run`."""

    def __init__(
        self,
        plan: Plan,
        deals: int | None,
        until: float | None,
        folder: Folder | None,
        told: Callable[[Progress], None],
    ) -> None:
        if deals is None and until is None:
            msg = "a study needs a number of deals, or how narrow its intervals are to be"
            raise ValueError(msg)
        self.plan, self.until, self.folder, self.told = plan, until, folder, told
        if deals is None:
            assert until is not None
            deals = plan.parts(most_deals(until)) * plan.part
        self.deals, self.parts = deals, plan.parts(deals)
        self.tallies: dict[int, Tally] = {}
        self.failed: dict[int, Failed] = {}
        self.costs: list[Cost] = []
        self.solved = 0
        self.began = time.monotonic()
        self._ahead = 0
        """The parts before this one are done."""
        self._summed: Counter[Ending] = Counter()
        """And this is how their deals ended."""
        self._enough = False

    def run(self, engine: Engine) -> Study:
        """Do it."""
        if self.folder is not None:
            for part, tally in self.folder.tallies(self.deals):
                self.tallies[part.number] = tally
        self._look()
        self.told(self._progress())
        for done in engine.work(self.plan, self._todo()):
            if isinstance(done, Failed):
                self.failed[done.part.number] = done
            elif done is not None:
                if self.folder is not None:
                    self.folder.write(done)
                self.tallies[done.part.number] = Counter(ending for _, ending in done.rows)
                self.costs.append(done.cost)
                self.solved += done.part.deals
            if done is not None:
                self._look()
            self.told(self._progress())
        failed = [self.failed[number] for number in sorted(self.failed) if number < self._ahead]
        return Study(Result(self.plan, self._summed), tuple(failed), tuple(self.costs))

    def _todo(self) -> Iterator[Part]:
        for number in range(self.parts):
            if self._enough:
                return
            if number not in self.tallies:
                yield self.plan.part_of(self.deals, number)

    def _look(self) -> None:
        """Sum up the parts that are done, in their order, until there are enough."""
        while not self._enough and self._ahead < self.parts:
            if self._ahead in self.tallies:
                self._summed = self._summed + self.tallies[self._ahead]  # what was told stays as it was
            elif self._ahead not in self.failed:
                return
            self._ahead += 1
            if self.until is not None and self._summed:
                self._enough = Result(self.plan, self._summed).width <= self.until

    def _progress(self) -> Progress:
        """How far it is; the share so far is that of the parts before the first that is missing."""
        result = Result(self.plan, self._summed)
        of = self.parts
        if self.until is not None and result.deals:
            needed = result.deals * (result.width / self.until) ** 2
            of = min(of, max(ceil(needed / self.plan.part), self._ahead))
        seconds = time.monotonic() - self.began
        rate = self.solved / seconds if seconds > 0 else 0.0
        left = None
        if rate:
            left = max(of - len(self.tallies) - len(self.failed), 0) * self.plan.part / rate
        return Progress(len(self.tallies), of, result, rate, left)


def _duration(seconds: float) -> str:
    """A time in words.

    >>> _duration(59.6), _duration(170), _duration(100_000)
    ('1 min', '3 min', '28 h')
    """
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{max(seconds / 60, 1):.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 72 * 3600 else f"{seconds / 86400:,.0f} days"
