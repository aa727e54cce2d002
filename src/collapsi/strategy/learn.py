"""The search for a good card: which words to count, when, and what the numbers are worth.

A card begins with the words that are proven to win or to lose. Then line after line is added, each time the one that keeps most
wins of the validation deals, with points that were fitted to the training deals; what would take too much looking is not
tried. Points are small whole numbers, found one at a time: change one number by one or two, keep what keeps more wins, until
nothing helps any more. There is no luck in it: the same samples give the same card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from collapsi.solve.counting import share_kept
from collapsi.strategy.measure import WORD_NUMBER, effort, measure, score
from collapsi.strategy.rulecard import Filter, Line, Points, RuleCard, Stage, Worth
from collapsi.strategy.vocabulary import WORD, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.strategy.samples import Sample

MOST_POINTS = 5
"""No number of a card is larger: people add them in their heads."""

BORDERS = (14, 13, 12, 11, 10, 9)
"""Face-up cards from which on a line may count differently."""

GAIN = 0.0005
"""What another word, another stage or other points must add to the share of wins kept, to be worth remembering."""

QUICK_GAMES = 6000
"""Games of the sample on which lines are first tried; the best of them are then fitted to all."""

FINALISTS = 3


@dataclass(frozen=True)
class Learned:
    """A card, and those with fewer lines on the way to it."""

    cards: tuple[RuleCard, ...]
    """The card of each number of lines, from one."""

    @property
    def card(self) -> RuleCard:
        """The last and best."""
        return self.cards[-1]


@dataclass(frozen=True)
class Bench:
    """A sample laid out for fitting: numbers of one word side by side."""

    sample: Sample
    columns: NDArray[np.int8]
    """By word, number and move."""

    @classmethod
    def of(cls, sample: Sample) -> Bench:
        """Lay a sample out."""
        return cls(sample, np.ascontiguousarray(sample.moves.counts.transpose(1, 2, 0)))

    def stretch(self, least: int, below: int) -> tuple[slice, slice]:
        """The positions with at least so many and below so many face-up cards, and their moves: samples are in that order."""
        falling = -self.sample.states.face_up
        first, last = np.searchsorted(falling, [-below + 1, -least + 1])
        begins = self.sample.moves.begins
        return slice(first, last), slice(begins[first], begins[last])

    def kept(self, points: NDArray[np.int32], positions: slice) -> float:
        """How many wins are kept in a stretch of positions, given the points of their moves."""
        begins = self.sample.moves.begins[positions.start : positions.stop + 1]
        moves = slice(begins[0], begins[-1])
        kept = np.empty(len(begins) - 1)
        share_kept(points, begins - begins[0], self.sample.wins[moves], kept)
        return float(kept.sum())

    def column(self, line: Points, number: int, moves: slice) -> NDArray[np.int32]:
        """How often a line counts a number, for a stretch of moves."""
        total = np.zeros(moves.stop - moves.start, np.int32)
        for word in line.added:
            total += self.columns[WORD_NUMBER[word], number, moves]
        for word in line.taken_off:
            total -= self.columns[WORD_NUMBER[word], number, moves]
        return total


def learn(
    train: Sample,
    validation: Sample,
    *,
    lines: int = 5,
    most_effort: float = 25.0,
    progress: Callable[[str], None] = lambda _: None,
) -> Learned:
    """The best card that was found with so many lines, for at most so many cards looked at a decision."""
    bench, quick = Bench.of(train), Bench.of(train.first_games(QUICK_GAMES))
    found: list[RuleCard] = []
    card = RuleCard(())
    for word in (word for word in WORDS if word.proof is not None):
        longer = RuleCard((*card.lines, Filter(word.name, wanted=bool(word.proof))))
        if len(found) < lines and effort(longer, validation) <= most_effort:
            card = longer
            found.append(card)
    while len(found) < lines:
        progress(f"line {len(found) + 1}")
        longer = _with_another_line(card, bench, quick, validation, most_effort, progress)
        if longer is None:
            break
        card = longer
        found.append(card)
    return Learned(tuple(found))


def _with_another_line(
    card: RuleCard,
    bench: Bench,
    quick: Bench,
    validation: Sample,
    most_effort: float,
    progress: Callable[[str], None],
) -> RuleCard | None:
    """The card with one line more, or None where nothing helps within the effort."""
    tried = []
    for line in _new_lines():
        longer = RuleCard((*card.lines, line))
        if effort(longer, validation) <= most_effort:
            fitted = fit(longer, quick, only=len(card.lines))
            tried.append((worth(fitted, quick.sample), fitted))
        progress("")
    tried.sort(key=lambda pair: -pair[0])
    best, most = None, worth(card, validation) + GAIN
    for _, candidate in tried[:FINALISTS]:
        fitted = _improved(fit(candidate, bench), bench, quick, validation, most_effort)
        progress("")
        if (value := worth(fitted, validation)) > most:
            best, most = fitted, value
    return best


def _new_lines() -> Iterator[Points]:
    """Every line that counts one word, at all times, or only before or after some number of cards."""
    nothing = (0, 0, 0, 0)
    for word in WORDS:
        if word.proof is None:
            yield Points((word.name,), (Stage(0, nothing),))
            for border in BORDERS[1::2]:
                yield Points((word.name,), (Stage(border, nothing), Stage(0, nothing)))


def _improved(
    card: RuleCard, bench: Bench, quick: Bench, validation: Sample, most_effort: float
) -> RuleCard:
    """The card with words joined to its lines and borders moved, as long as that helps."""
    value = worth(card, validation)
    while True:
        changes = [
            changed for changed in _changes(card) if effort(changed, validation) <= most_effort + 1e-9
        ]
        tried = sorted(
            ((worth(fitted := fit(changed, quick), quick.sample), number, fitted) for number, changed in enumerate(changes)),
            reverse=True, key=lambda entry: (entry[0], -entry[1]),
        )
        for _, _, candidate in tried[:1]:
            fitted = fit(candidate, bench)
            better = worth(fitted, validation)
            if better > value + GAIN:
                card, value = fitted, better
                break
        else:
            return card


def _changes(card: RuleCard) -> Iterator[RuleCard]:
    """Cards with one word more in the last line of points, or another border in it."""
    place = len(card.lines) - 1
    line = card.lines[place]
    if not isinstance(line, Points):
        return

    def changed(**parts: object) -> RuleCard:
        lines = list(card.lines)
        lines[place] = replace(line, **parts)  # type: ignore[arg-type]
        return RuleCard(tuple(lines))

    for word in WORDS:
        if word.proof is None and word.name not in line.words:
            if len(line.added) < 2:
                yield changed(added=(*line.added, word.name))
            if len(line.taken_off) < 1:
                yield changed(taken_off=(*line.taken_off, word.name))
    for border in BORDERS:
        early = line.stage(border)
        yield changed(stages=(Stage(border, early.worth), Stage(0, line.stages[-1].worth)))


def worth(card: RuleCard, sample: Sample) -> float:
    """The share of wins kept."""
    kept = np.empty(len(sample))
    share_kept(score(card, sample.moves, sample.states.face_up), sample.moves.begins, sample.wins, kept)
    return float(kept.mean())


def fit(card: RuleCard, bench: Bench, only: int | None = None) -> RuleCard:
    """The same lines with the points that keep most wins, as far as changing one number at a time leads."""
    lines = list(card.lines)
    total = score(card, bench.sample.moves, bench.sample.states.face_up)
    places = [
        place for place, line in enumerate(lines) if isinstance(line, Points) and only in (None, place)
    ]
    going = True
    while going:
        going = False
        for place in places:
            line = lines[place]
            assert isinstance(line, Points)
            below = 17
            for number, stage in enumerate(line.stages):
                positions, moves = bench.stretch(stage.least, below)
                below = stage.least
                better = _better_worth(line, stage, bench, total[moves], positions, moves)
                if better is not None:
                    stages = list(line.stages)
                    stages[number] = Stage(stage.least, better)
                    line = replace(line, stages=tuple(stages))
                    lines[place] = line
                    going = True
    return RuleCard(tuple(lines))


def _better_worth(
    line: Points, stage: Stage, bench: Bench, total: NDArray[np.int32], positions: slice, moves: slice
) -> Worth | None:
    """One stage's points improved number by number, and `total` with them; None where nothing helps."""
    if stage.worth is None or positions.start == positions.stop:
        return None
    columns = [bench.column(line, number, moves) for number in range(4)]
    by_number = all(WORD[word].by_number for word in line.words)
    groups: Sequence[tuple[int, ...]] = ((0, 1, 2, 3), *(((0,), (1,), (2,), (3,)) if by_number else ()))
    worth = list(stage.worth)
    most = bench.kept(total, positions)
    least_gain = GAIN / 10 * (positions.stop - positions.start)
    found = False
    for group in groups:
        column = np.add.reduce([columns[number] for number in group])
        while True:
            steps = [
                step
                for step in (1, -1, 2, -2)
                if all(abs(worth[number] + step) <= MOST_POINTS for number in group)
            ]
            value, step = max(
                ((bench.kept(total + np.int32(step) * column, positions), step) for step in steps),
                default=(most, 0),
            )
            if value <= most + least_gain:
                break
            most, found = value, True
            total += np.int32(step) * column
            for number in group:
                worth[number] += step
    return (worth[0], worth[1], worth[2], worth[3]) if found else None


__all__ = ["Learned", "Line", "fit", "learn", "measure", "worth"]
