"""The same deals under every reading of the shifting board: winners, lengths, and differences.

Deal *n* of a seed depends only on these two numbers, so a sample is the same on any number of threads, and a
smaller sample is the beginning of a larger one. A deal takes from less than a millisecond to half a second,
depending on the reading: cheap readings solve more deals, and two readings are compared on their common
deals.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from collapsi.core.intervals import Rate
from collapsi.games.classic import search
from collapsi.games.classic.position import Position
from collapsi.games.classic.rules import STANDARD
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.play.dealing import nth_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from collapsi.facts import json_types
    from collapsi.games.shifting.rules import ShiftingRules
    from collapsi.games.shifting.state import Shifting

CARDS = SHIFT.board.size


@dataclass(frozen=True)
class Reading:
    """One way to play the deals of the shifting board."""

    rules: ShiftingRules
    """The rules of dealing, which keep the jacks in different rows and columns, and of play."""
    shifts: bool = True
    """Whether moves shift a line; if not, the deals are played by the standard rules."""
    removed: bool = False
    """Whether only face-up cards count for where a line or the rectangle ends."""
    part: Fraction = Fraction(1)
    """Size of the sample relative to that of `shift`."""
    cost: int = 1
    """Approximate microseconds per deal, for reporting progress."""

    @property
    def name(self) -> str:
        """The name of the rules, with what differs from them."""
        played = self.rules.name if self.shifts else STANDARD.name
        return f"{played}, face-up ends" if self.removed else played

    def sample_size(self, deals: int) -> int:
        """Return the number of deals of this reading for `deals` deals under `shift`."""
        return max(1, int(deals * self.part))

    def __str__(self) -> str:
        return self.name


FLAT = Reading(SHIFT, shifts=False, part=Fraction(10), cost=300)
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
"""The readings that are compared deal by deal."""


@dataclass(frozen=True)
class Outcomes:
    """Deals by length under one reading, of all deals or of a sample."""

    reading: Reading
    lengths: tuple[tuple[int, int], ...]
    """Pairs of plies and number of deals, shortest first. Red wins deals of odd length."""
    is_sample: bool = True

    @property
    def deals(self) -> int:
        """The number of deals."""
        return sum(deals for _, deals in self.lengths)

    @property
    def red(self) -> Rate:
        """The share of deals that red wins."""
        return Rate(sum(deals for plies, deals in self.lengths if plies % 2), self.deals, self.is_sample)

    @property
    def mean_plies(self) -> float:
        """The mean length of a deal."""
        return sum(plies * deals for plies, deals in self.lengths) / self.deals

    def rate(self, plies: int) -> Rate:
        """Return the share of deals that last `plies` plies."""
        return Rate(dict(self.lengths).get(plies, 0), self.deals, self.is_sample)

    def to_json(self) -> json_types.ShiftingOutcomes:
        """Return the outcomes as JSON."""
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
    """How often the winner differs."""
    length: Rate
    """How often winner or length differ."""

    def to_json(self) -> json_types.ShiftingDifference:
        """Return the difference as JSON."""
        return {
            "first": self.first.name,
            "second": self.second.name,
            "winner_differs": self.winner.to_json(),
            "length_differs": self.length.to_json(),
        }


@dataclass(frozen=True)
class ReadingSample:
    """The values of the first deals of a seed under every reading."""

    seed: int
    values: Mapping[Reading, tuple[int, ...]]
    """Cards left face up after perfect play, negative if blue wins; deal by deal."""

    def outcomes(self, reading: Reading) -> Outcomes:
        """Return the deals by length."""
        lengths = Counter(CARDS - abs(value) for value in self.values[reading])
        return Outcomes(reading, tuple(sorted(lengths.items())))

    def difference(self, first: Reading, second: Reading) -> Difference:
        """Compare two readings on their common deals."""
        both = list(zip(self.values[first], self.values[second], strict=False))
        return Difference(
            first,
            second,
            Rate(sum((left > 0) != (right > 0) for left, right in both), len(both)),
            Rate(sum(left != right for left, right in both), len(both)),
        )


def without_shift(dealt: Shifting) -> Position:
    """Return the same cards under standard rules."""
    return Position(dealt.cards, dealt.pawns, dealt.to_move, STANDARD)


def take_sample(
    deals: int,
    seed: int,
    *,
    readings: Sequence[Reading] = READINGS,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _cost: None,
) -> ReadingSample:
    """Solve the deals of a seed under every reading; `progress(text, cost)` is called before each deal."""
    values: dict[Reading, tuple[int, ...]] = {}
    for reading in readings:
        size = reading.sample_size(deals)
        dealt = [nth_deal(seed, number, reading.rules) for number in range(size)]
        answers = values_of(dealt, reading, jobs=jobs)
        found = []
        for _ in dealt:
            progress(f"deals, {reading}", reading.cost)
            found.append(next(answers))
        values[reading] = tuple(found)
    return ReadingSample(seed, values)


def values_of(deals: Sequence[Shifting], reading: Reading, *, jobs: int | None = None) -> Iterator[int]:
    """Return the value of each deal for red."""
    if reading.shifts:
        return shift_search.value_many(deals, jobs=jobs, removed=reading.removed)
    solutions = search.solve_many([without_shift(dealt) for dealt in deals], jobs=jobs)
    return (max(value for value in solution.values if value) for solution in solutions)


def sample_cost(deals: int) -> int:
    """Return the sum of the costs that `take_sample` reports."""
    return sum(reading.sample_size(deals) * reading.cost for reading in READINGS)
