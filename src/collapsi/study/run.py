"""Run a whole study: solve parts, store them, and aggregate them until there are enough."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from collapsi.core.intervals import enough_cases
from collapsi.study.engines import Threads
from collapsi.study.plan import make_plan
from collapsi.study.result import Result
from collapsi.study.solving import FailedPart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.games.levels import Level
    from collapsi.study.engines import Engine
    from collapsi.study.folder import Folder
    from collapsi.study.plan import Part, Plan
    from collapsi.study.result import Tally
    from collapsi.study.solving import Cost, Ending


@dataclass(frozen=True)
class Progress:
    """The progress of a study."""

    parts: int
    """Parts that are complete, those of earlier runs included."""
    of: int
    """Parts in total; an estimate if the study stops at a width of its intervals."""
    result: Result
    """The result so far."""
    rate: float
    """Deals per second in this run."""
    seconds_left: float | None
    """Estimated; None until the first part is solved."""

    def __str__(self) -> str:
        words = [f"{self.parts:,} of {self.of:,} parts", f"{self.result.deals:,} deals"]
        if self.result.deals:
            words.append(f"red {next(iter(self.result.wins.values()))}")
        if self.seconds_left is not None:
            words += [f"{self.rate:,.1f} deals a second", f"{duration(self.seconds_left)} left"]
        return ", ".join(words)


@dataclass(frozen=True)
class FinishedStudy:
    """The outcome of a run: the result, and what is missing from it."""

    result: Result
    failed: tuple[FailedPart, ...]
    """The parts that failed in every attempt: the result does not contain them."""
    costs: tuple[Cost, ...]
    """The costs of the parts solved in this run."""


def sample(
    rules: str, *, deals: int = 1000, seed: int = 1, level: Level | None = None, jobs: int | None = None
) -> Result:
    """Solve random deals of a rule set on the threads of this process.

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
    progress: Callable[[Progress], None] = lambda _progress: None,
) -> FinishedStudy:
    """Solve a number of deals, or continue until the widest interval of a share of wins is `until` wide.

    With `until` the intervals are those of confidence sequences: they stay valid although they decide when to
    stop. The stopping point depends only on the deals in the order of their numbers, not on the order in
    which they are solved.

    Parts that are in the folder are not solved again. `progress` is called about once a second and after
    each part.
    """
    return _Run(plan, deals, until, folder, progress).run(engine)


class _Run:
    """The state of one call of `run`."""

    def __init__(
        self,
        plan: Plan,
        deals: int | None,
        until: float | None,
        folder: Folder | None,
        progress: Callable[[Progress], None],
    ) -> None:
        if deals is None and until is None:
            msg = "a study needs a number of deals, or the width of its intervals"
            raise ValueError(msg)
        self.plan, self.until, self.folder, self.progress = plan, until, folder, progress
        if deals is None:
            assert until is not None
            deals = plan.parts(enough_cases(until)) * plan.part
        self.deals, self.parts = deals, plan.parts(deals)
        self.tallies: dict[int, Tally] = {}
        self.failed: dict[int, FailedPart] = {}
        self.costs: list[Cost] = []
        self.solved = 0
        self.began = time.monotonic()
        self._ahead = 0
        """Number of the first part that is missing."""
        self._summed: Counter[Ending] = Counter()
        """The endings of all deals before that part."""
        self._enough = False

    def run(self, engine: Engine) -> FinishedStudy:
        """Solve the missing parts, and return the outcome."""
        if self.folder is not None:
            for part, tally in self.folder.tallies(self.deals):
                self.tallies[part.number] = tally
        self._advance()
        self.progress(self._progress())
        for done in engine.work(self.plan, self._todo()):
            if isinstance(done, FailedPart):
                self.failed[done.part.number] = done
            elif done is not None:
                if self.folder is not None:
                    self.folder.write(done)
                self.tallies[done.part.number] = Counter(ending for _, ending in done.rows)
                self.costs.append(done.cost)
                self.solved += done.part.deals
            if done is not None:
                self._advance()
            self.progress(self._progress())
        failed = [self.failed[number] for number in sorted(self.failed) if number < self._ahead]
        return FinishedStudy(self._result(), tuple(failed), tuple(self.costs))

    def _todo(self) -> Iterator[Part]:
        for number in range(self.parts):
            if self._enough:
                return
            if number not in self.tallies:
                yield self.plan.part_of(self.deals, number)

    def _advance(self) -> None:
        """Aggregate the complete parts in their order, until there are enough."""
        while not self._enough and self._ahead < self.parts:
            if self._ahead in self.tallies:
                self._summed = self._summed + self.tallies[self._ahead]  # results so far share the old object
            elif self._ahead not in self.failed:
                return
            self._ahead += 1
            if self.until is not None and self._summed:
                self._enough = self._result().is_narrow

    def _result(self) -> Result:
        return Result(self.plan, self._summed, self.until)

    def _progress(self) -> Progress:
        """Return the progress; its result covers the parts before the first that is missing."""
        result = self._result()
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


def duration(seconds: float) -> str:
    """Format a duration in words.

    >>> duration(59.6), duration(170), duration(100_000)
    ('1 min', '3 min', '28 h')
    """
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{max(seconds / 60, 1):.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 72 * 3600 else f"{seconds / 86400:,.0f} days"
