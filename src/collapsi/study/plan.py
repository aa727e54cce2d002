"""The plan of a study: rules, seed, players, and the division of the deals into parts.

Plans and parts are plain values that can be sent to any machine. Deal *n* depends only on the seed and *n*,
so a part has the same rows on every machine and in every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from collapsi.core.errors import CollapsiError
from collapsi.games.kind import Can
from collapsi.games.levels import Level
from collapsi.games.registry import kind_of, parse_rules, require
from collapsi.play.levels import check_level

if TYPE_CHECKING:
    from collapsi.core.rules import RuleSet
    from collapsi.study import json_types

FORMAT = 1
"""Version of the rows of a part and of the deals that a seed gives; incremented when either changes."""

PART_SECONDS = 1.0
"""Approximate time of one core for a part."""

PLAYED_SECONDS = {Level.RANDOM: 0.001, Level.ONE: 0.005, Level.TWO: 0.15}
"""Approximate time for a game on the big board by level; better levels take seconds."""

SMALL_SECONDS = 0.0003
"""Approximate time for a game of random moves on the small boards."""

SOLVED_PER_GAME = 3
"""A level that searches takes about the time in which the solver finds the winner of this many deals."""

DEFAULT_LEVEL = Level.TWO
"""Level of the players where perfect play is not known."""


@dataclass(frozen=True)
class Part:
    """A range of deals of a study, by their numbers: from `first` up to but excluding `stop`."""

    number: int
    first: int
    stop: int

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.stop - self.first

    def __str__(self) -> str:
        return f"part {self.number} (deals {self.first} to {self.stop - 1})"


@dataclass(frozen=True)
class Plan:
    """Everything that the rows of a study depend on, and the size of its parts.

    >>> plan = make_plan("1,3|2", seed=7)
    >>> plan
    Plan(rules='1,3|2', seed=7, level=None, lengths=True, part=500)
    >>> [str(plan.part_of(600, number)) for number in range(plan.parts(600))]
    ['part 0 (deals 0 to 499)', 'part 1 (deals 500 to 599)']
    """

    noun: ClassVar = "study"
    manifest: ClassVar = "study.json"
    format: ClassVar = FORMAT

    rules: str
    """Name of the rule set."""
    seed: int
    level: str | None
    """Level of the players whose games are studied; None for perfect play."""
    lengths: bool
    """Whether lengths are studied too, or winners only."""
    part: int
    """Number of deals in a part."""

    def parts(self, deals: int) -> int:
        """Return the number of parts for `deals` deals."""
        return -(-deals // self.part)

    def part_of(self, deals: int, number: int) -> Part:
        """Return a part of the first `deals` deals; the last one may be shorter."""
        first = number * self.part
        return Part(number, first, min(first + self.part, deals))

    @property
    def rule_set(self) -> RuleSet:
        """The rules that `rules` names."""
        return parse_rules(self.rules)

    @property
    def subject(self) -> str:
        """The subject of the study in words."""
        level = "" if self.level is None else f", players of level {self.level}"
        lengths = ", winners only" if not self.lengths else ""
        return f"{self.rules}, seed {self.seed}{level}{lengths}"

    def to_json(self) -> json_types.StudyPlan:
        """Return the plan as plain data, the content of the manifest."""
        return {
            "format": FORMAT,
            "rules": self.rules,
            "seed": self.seed,
            "level": self.level,
            "lengths": self.lengths,
            "part": self.part,
        }


def make_plan(
    rules: str,
    *,
    seed: int = 1,
    level: Level | None = None,
    lengths: bool | None = None,
    part: int | None = None,
) -> Plan:
    """Make a plan; raise `CollapsiError` if such a study is not possible.

    For the big board for two, lengths are studied only if `lengths` is true: they take longer than winners.
    """
    found = parse_rules(rules)
    require(found, Can.STUDY)
    kind = kind_of(found)
    solved = kind.solver.solves(found)
    if level is None and not solved:
        level = DEFAULT_LEVEL
    elif level is not None and level.never_errs and solved:
        msg = f"leave the level out for perfect play: the solver knows {found} exactly"
        raise CollapsiError(msg)
    if level is not None:
        check_level(level, found)
    hard = level is None and not kind.solver.lengths_are_cheap
    if lengths is False and not hard:
        lengths = None  # the solver returns them at no extra cost
    return Plan(
        found.name,
        seed,
        level and level.value,
        not hard if lengths is None else lengths,
        part or default_part_size(found, level),
    )


def default_part_size(rules: RuleSet, level: Level | None = None) -> int:
    """Return the number of deals that take about `PART_SECONDS`: 1, 2 or 5 times a power of ten.

    >>> from collapsi.games.classic.rules import STANDARD
    >>> from collapsi.games.shifting.rules import SHIFT
    >>> default_part_size(STANDARD), default_part_size(SHIFT)
    (5000, 10)
    """
    deals = max(int(PART_SECONDS / _seconds(rules, level)), 1)
    power: int = 10 ** (len(str(deals)) - 1)
    return max(size for size in (power, 2 * power, 5 * power) if size <= deals)


def _seconds(rules: RuleSet, level: Level | None) -> float:
    """Estimate how long a deal takes on one core."""
    kind = kind_of(rules)
    if level is None:
        return kind.solver.deal_seconds(rules)
    if kind.opponents is None:
        return SMALL_SECONDS + SOLVED_PER_GAME * kind.solver.deal_seconds(rules)
    return PLAYED_SECONDS.get(level, PART_SECONDS)
