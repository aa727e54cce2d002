"""The plan of a dataset: rules, seed, number of positions, and the division into splits and parts.

Part *n* of a split depends only on the rules, the seed, the split and *n*, so it has the same rows on every
machine, with any number of threads, and in larger datasets of the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from collapsi.core.errors import CollapsiError
from collapsi.games.kind import Can
from collapsi.games.levels import Level
from collapsi.games.registry import parse_rules, require
from collapsi.play.strategy.samples import Split
from collapsi.study.plan import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.classic.rules import Rules
    from collapsi.study import json_types

FORMAT = 1
"""Version of the columns and of the rows that a seed gives; incremented when either changes."""

PART = 100_000
"""Positions in a part: seconds of work, about four megabytes."""

FEWEST = 10

SPLITS = {"train": Split.TRAIN, "validation": Split.VALIDATION, "test": Split.FRESH}
"""The splits by name; `collapsi.play.strategy.samples` decides which deals each has."""


LEVELS = (
    Level.RANDOM,
    Level.ONE,
    Level.TWO,
    Level.ROAMER,
    Level.FOUR,
    Level.CARD,
    Level.EXPERT,
    Level.DREAMER,
    Level.MASTER,
    Level.PERFECT,
)
"""The levels that play games of a dataset. A new level is not among them: it would change the rows."""


class Source(StrEnum):
    """The players of the game that a position comes from."""

    RANDOM = "random"
    LEVELS = "levels"
    SLIPS = "slips"

    @property
    def text(self) -> str:
        """The description for the dataset card."""
        names = ", ".join(LEVELS)
        return {
            Source.RANDOM: "both players move at random",
            Source.LEVELS: f"each player is a level of the computer, drawn for each game: {names}",
            Source.SLIPS: "both players play perfectly, but one move in four is random",
        }[self]


class SplitPart(NamedTuple):
    """A part of a split."""

    split: str
    part: Part

    def __str__(self) -> str:
        return f"{self.split} part {self.part.number}"


@dataclass(frozen=True)
class DatasetPlan:
    """Everything that the rows of a dataset depend on.

    >>> plan = make_plan("standard", positions=1000, seed=7)
    >>> plan.sizes
    {'train': 800, 'validation': 100, 'test': 100}
    >>> [str(task) for task in plan.tasks()]
    ['train part 0', 'validation part 0', 'test part 0']
    """

    noun: ClassVar = "dataset"
    manifest: ClassVar = "dataset.json"
    format: ClassVar = FORMAT

    rules: str
    """Name of the rule set."""
    seed: int
    positions: int
    part: int = PART
    """Number of positions in a part."""

    @property
    def rule_set(self) -> Rules:
        """The rules that `rules` names."""
        return parse_rules(self.rules)  # type: ignore[return-value]  # those of the classic game, by `make_plan`

    @property
    def sizes(self) -> dict[str, int]:
        """The number of positions in each split: a tenth each for validation and test."""
        tenth = self.positions // 10
        return {"train": self.positions - 2 * tenth, "validation": tenth, "test": tenth}

    def parts(self, split: str) -> Iterator[Part]:
        """Yield the parts of a split; the last one may be shorter."""
        size = self.sizes[split]
        for number, first in enumerate(range(0, size, self.part)):
            yield Part(number, first, min(first + self.part, size))

    def tasks(self) -> Iterator[SplitPart]:
        """Yield all parts of all splits."""
        for split in SPLITS:
            for part in self.parts(split):
                yield SplitPart(split, part)

    @property
    def subject(self) -> str:
        """The subject of the dataset in words."""
        return f"{self.rules}, seed {self.seed}, {self.positions:,} positions"

    def to_json(self) -> json_types.DatasetPlan:
        """Return the plan as plain data, the content of the manifest."""
        return {
            "format": FORMAT,
            "rules": self.rules,
            "seed": self.seed,
            "positions": self.positions,
            "part": self.part,
        }


def make_plan(rules: str, *, positions: int, seed: int = 1, part: int = PART) -> DatasetPlan:
    """Make a plan; raise `CollapsiError` if there is no dataset of these rules."""
    found = parse_rules(rules)
    require(found, Can.DATASET)
    if positions < FEWEST:
        msg = f"a dataset has at least {FEWEST} positions, one in each split, not {positions}"
        raise CollapsiError(msg)
    return DatasetPlan(found.name, seed, positions, part)
