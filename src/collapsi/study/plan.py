"""What is studied: rules, seed, who plays, and how the deals are cut into parts.

A plan and a part are plain values that go to any machine as they are. Deal *n* depends on the seed and *n*
only, so a part gives the same rows whoever solves it, and when.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from collapsi.errors import CollapsiError
from collapsi.games.crowd_players import check_level
from collapsi.notation import parse_rules
from collapsi.opponent import Level
from collapsi.rules import CROWD_RULES, PAIR, CrowdRules, Wrap
from collapsi.solve.answers import COMPILED_SECONDS

if TYPE_CHECKING:
    from collapsi import json_shapes
    from collapsi.rules import Rules

FORMAT = 1
"""Raised whenever the rows of a part, or what is drawn from a seed, change their meaning."""

PART_SECONDS = 1.0
"""How long one core works at a part, about."""

SHIFT_SECONDS = {Wrap.LINE: 0.06, Wrap.BOX: 0.0015, Wrap.ROTATE: 0.6}
"""What winner and length of a deal of the shifting board take, about."""

EXACT_SECONDS = 8.0
"""What the winner of a deal of the big board takes, about."""

PLAYED_SECONDS = {Level.RANDOM: 0.001, Level.ONE: 0.005, Level.TWO: 0.15}
"""What a game between the players of the big board takes, about; between better ones it takes seconds."""

USUAL_LEVEL = Level.TWO
"""Who plays where nobody knows perfect play."""


@dataclass(frozen=True)
class Part:
    """Some deals of a study, by their numbers: from `first` up to before `stop`."""

    number: int
    first: int
    stop: int

    @property
    def deals(self) -> int:
        """How many deals these are."""
        return self.stop - self.first

    def __str__(self) -> str:
        return f"part {self.number} (deals {self.first} to {self.stop - 1})"


@dataclass(frozen=True)
class Plan:
    """A study: what its rows depend on, and how many deals are a part.

    >>> plan = make_plan("1,3|2", seed=7)
    >>> plan
    Plan(rules='1,3|2', seed=7, level=None, lengths=True, part=500)
    >>> [str(plan.part_of(600, number)) for number in range(plan.parts(600))]
    ['part 0 (deals 0 to 499)', 'part 1 (deals 500 to 599)']
    """

    rules: str
    """Their name, as it is read."""
    seed: int
    level: str | None
    """Who plays, where players stand in for perfect play."""
    lengths: bool
    """Whether it is asked how long games last, or only who wins."""
    part: int
    """Deals of a part."""

    def parts(self, deals: int) -> int:
        """How many parts so many deals are."""
        return -(-deals // self.part)

    def part_of(self, deals: int, number: int) -> Part:
        """A part of so many deals; the last one may be short."""
        first = number * self.part
        return Part(number, first, min(first + self.part, deals))

    @property
    def played_by(self) -> Rules | CrowdRules:
        """The rules."""
        return find_rules(self.rules)

    @property
    def subject(self) -> str:
        """What the study is of, in words."""
        level = "" if self.level is None else f", players of level {self.level}"
        lengths = ", winners only" if not self.lengths else ""
        return f"{self.rules}, seed {self.seed}{level}{lengths}"

    def to_json(self) -> json_shapes.StudyPlan:
        """As plain data."""
        return {
            "format": FORMAT,
            "rules": self.rules,
            "seed": self.seed,
            "level": self.level,
            "lengths": self.lengths,
            "part": self.part,
        }


@cache
def find_rules(name: str) -> Rules | CrowdRules:
    """The rule set of that name, of any kind that a study can be of.

    >>> find_rules("big3").players, find_rules("1-4|1-4").name
    (3, 'joker')
    """
    return CROWD_RULES.get(name.lower()) or parse_rules(name)


def make_plan(
    rules: str,
    *,
    seed: int = 1,
    level: Level | None = None,
    lengths: bool | None = None,
    part: int | None = None,
) -> Plan:
    """A plan, or an error that says why there is no such study.

    For the big board for two it is asked who wins, and how soon only if `lengths` says so: that takes longer.
    """
    found = find_rules(rules)
    exact = level is None
    if isinstance(found, CrowdRules):
        if level is None and found.players > len(PAIR):
            level = USUAL_LEVEL
        if level is Level.PERFECT and found.players == len(PAIR):
            msg = f"leave the level out for perfect play: the solver knows {found} exactly"
            raise CollapsiError(msg)
        if level is not None:
            check_level(level, found)
        exact = level is None
    elif level is not None:
        msg = f"a level is for the big board ({', '.join(CROWD_RULES)}): {found} is solved exactly"
        raise CollapsiError(msg)
    hard = isinstance(found, CrowdRules) and exact
    if lengths is False and not hard:
        lengths = None  # they cost nothing
    return Plan(
        found.name,
        seed,
        level and level.value,
        not hard if lengths is None else lengths,
        part or usual_part(found, level),
    )


def usual_part(rules: Rules | CrowdRules, level: Level | None = None) -> int:
    """Deals of a part that takes `PART_SECONDS`, about: 1, 2 or 5 times a power of ten.

    >>> from collapsi.rules import SHIFT, STANDARD
    >>> usual_part(STANDARD), usual_part(SHIFT)
    (5000, 10)
    """
    deals = max(int(PART_SECONDS / _seconds(rules, level)), 1)
    power: int = 10 ** (len(str(deals)) - 1)
    return max(size for size in (power, 2 * power, 5 * power) if size <= deals)


def _seconds(rules: Rules | CrowdRules, level: Level | None) -> float:
    """What a deal takes on one core, about."""
    if isinstance(rules, CrowdRules):
        return EXACT_SECONDS if level is None else PLAYED_SECONDS.get(level, PART_SECONDS)
    if rules.shift is not None:
        return SHIFT_SECONDS[rules.shift]
    return COMPILED_SECONDS * (7 if max(map(len, rules.first_walks)) > 1 else 1)
