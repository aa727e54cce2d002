"""The same deals under every reading of the shifting board: who wins, in how many plies, what differs.

Deal *n* of a seed comes from the two numbers alone, so a sample is the same on any number of threads, and a
smaller one is the beginning of a larger one. Readings take from less than a millisecond to half a second a
deal: the cheap ones are asked about more deals, and two are compared on the deals that both were asked about.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from collapsi import dealing
from collapsi.intervals import Rate
from collapsi.position import Position
from collapsi.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE, STANDARD, Rules
from collapsi.solve import search, shift_search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from collapsi import json_shapes
    from collapsi.games.shifting import Shifting

CARDS = SHIFT.board.size


@dataclass(frozen=True)
class Reading:
    """One way to play the deals of the shifting board."""

    rules: Rules
    removed: bool = False
    """Whether only face-up cards count for where a line or the rectangle ends."""
    part: Fraction = Fraction(1)
    """How many deals are looked at, for each that is looked at under `shift`."""
    cost: int = 1
    """Microseconds a deal, about: how far the work has come is told by it."""

    @property
    def name(self) -> str:
        """The name of the rules, and what is read in another way."""
        return f"{self.rules.name}, face-up ends" if self.removed else self.rules.name

    def sample_size(self, deals: int) -> int:
        """How many deals are looked at if it is so many under `shift`."""
        return max(1, int(deals * self.part))

    def __str__(self) -> str:
        return self.name


FLAT = Reading(STANDARD, part=Fraction(10), cost=300)
"""No shift at all: the standard rules, on the deals of the shifting board."""
LINE = Reading(SHIFT, cost=60_000)
BOX = Reading(SHIFT_BOX, part=Fraction(10), cost=1_500)
ROTATE = Reading(SHIFT_ROTATE, part=Fraction(1, 10), cost=600_000)
LINE_REMOVED = Reading(SHIFT, removed=True, part=Fraction(1, 5), cost=400_000)
BOX_REMOVED = Reading(SHIFT_BOX, removed=True, part=Fraction(10), cost=2_500)
READINGS = (FLAT, LINE, BOX, ROTATE, LINE_REMOVED, BOX_REMOVED)

PAIRS = (
    (LINE, BOX),
    (LINE, ROTATE),
    (BOX, ROTATE),
    (LINE, LINE_REMOVED),
    (BOX, BOX_REMOVED),
    (FLAT, LINE),
)
"""Those that are compared deal by deal."""


@dataclass(frozen=True)
class Outcomes:
    """The deals by their length under one reading, of all deals or of a sample."""

    reading: Reading
    lengths: tuple[tuple[int, int], ...]
    """Plies, and how many deals last so long; shortest first. Odd lengths are won by red."""
    is_sample: bool = True

    @property
    def deals(self) -> int:
        """How many deals these are."""
        return sum(deals for _, deals in self.lengths)

    @property
    def red(self) -> Rate:
        """The deals that red wins."""
        return Rate(sum(deals for plies, deals in self.lengths if plies % 2), self.deals, self.is_sample)

    @property
    def mean_plies(self) -> float:
        """The plies of a deal on average."""
        return sum(plies * deals for plies, deals in self.lengths) / self.deals

    def rate(self, plies: int) -> Rate:
        """The deals that last so long."""
        return Rate(dict(self.lengths).get(plies, 0), self.deals, self.is_sample)

    def to_json(self) -> json_shapes.ShiftingOutcomes:
        """As plain data."""
        return {
            "reading": self.reading.name,
            "red_wins": self.red.to_json(),
            "mean_plies": self.mean_plies,
            "lengths": [{"plies": plies, **self.rate(plies).to_json()} for plies, _ in self.lengths],
        }


@dataclass(frozen=True)
class Difference:
    """Two readings on the same deals."""

    first: Reading
    second: Reading
    winner: Rate
    """How often another side wins."""
    length: Rate
    """How often it takes another number of plies, whoever wins."""

    def to_json(self) -> json_shapes.ShiftingDifference:
        """As plain data."""
        return {
            "first": self.first.name,
            "second": self.second.name,
            "winner_differs": self.winner.to_json(),
            "length_differs": self.length.to_json(),
        }


@dataclass(frozen=True)
class Sample:
    """The values of the first deals of a seed under every reading."""

    seed: int
    values: Mapping[Reading, tuple[int, ...]]
    """Cards left face up after perfect play, negative if blue wins; deal by deal."""

    def outcomes(self, reading: Reading) -> Outcomes:
        """The deals by length."""
        lengths = Counter(CARDS - abs(value) for value in self.values[reading])
        return Outcomes(reading, tuple(sorted(lengths.items())))

    def difference(self, first: Reading, second: Reading) -> Difference:
        """Two readings compared on the deals that both were asked about."""
        both = list(zip(self.values[first], self.values[second], strict=False))
        return Difference(
            first,
            second,
            Rate(sum((one > 0) != (two > 0) for one, two in both), len(both)),
            Rate(sum(one != two for one, two in both), len(both)),
        )


def nth_deal(seed: int, number: int, rules: Rules = SHIFT) -> Shifting:
    """A deal of a seed: the same cards whatever the reading.

    >>> nth_deal(7, 0).text, nth_deal(7, 0, SHIFT_BOX).text
    ('AA2A/4323/324Jr/2AJb3 r shift', 'AA2A/4323/324Jr/2AJb3 r shift-box')
    """
    return cast("Shifting", dealing.nth_deal(seed, number, rules))


def without_shift(dealt: Shifting) -> Position:
    """The same cards under standard rules."""
    return Position(dealt.cards, dealt.pawns, dealt.to_move, STANDARD)


def take_sample(
    deals: int,
    seed: int,
    *,
    readings: Sequence[Reading] = READINGS,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _cost: None,
) -> Sample:
    """Solve the deals of a seed under every reading; `progress` is told which comes next and its cost."""
    values: dict[Reading, tuple[int, ...]] = {}
    for reading in readings:
        size = reading.sample_size(deals)
        dealt = [nth_deal(seed, number, dealt_by(reading)) for number in range(size)]
        answers = values_of(dealt, reading, jobs=jobs)
        found = []
        for _ in dealt:
            progress(f"deals, {reading}", reading.cost)
            found.append(next(answers))
        values[reading] = tuple(found)
    return Sample(seed, values)


def dealt_by(reading: Reading) -> Rules:
    """The rules that deals are dealt by: jacks in different rows and columns, also where nothing shifts."""
    return SHIFT if reading.rules.shift is None else reading.rules


def values_of(deals: Sequence[Shifting], reading: Reading, *, jobs: int | None = None) -> Iterator[int]:
    """The value of each for red."""
    if reading.rules.shift is not None:
        return shift_search.value_many(deals, jobs=jobs, removed=reading.removed)
    solutions = search.solve_many([without_shift(dealt) for dealt in deals], jobs=jobs)
    return (max(value for value in solution.values if value) for solution in solutions)


def sample_cost(deals: int, readings: Sequence[Reading] = READINGS) -> int:
    """What `take_sample` tells `progress` in all."""
    return sum(reading.sample_size(deals) * reading.cost for reading in readings)
