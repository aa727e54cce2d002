"""The search for a good card: which words to count, in which stages, with which points for the numbers.

A card starts with the words that are proven to win or to lose. Then lines are added greedily: each time the
line that keeps most wins of the validation deals, with points fitted to the training deals, among those
within the limit of effort and the budget of words and numbers. Points are small integers, fitted by
coordinate ascent: change one number by one or two while that keeps more wins. Under a budget of words or
numbers, a stage tries all points that can be said briefly instead. The search is deterministic: the same
samples give the same card.
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from collapsi.games.classic.counting import share_kept
from collapsi.play.strategy.budget import BUDGETS, MOST_EFFORT, Budget, CardKind, count_words
from collapsi.play.strategy.measure import WORD_INDEX, effort, score, shares_kept
from collapsi.play.strategy.rulecard import (
    NAMED_WORTHS,
    Filter,
    Line,
    NumberValues,
    Points,
    RuleCard,
    Stage,
    negated,
)
from collapsi.play.strategy.vocabulary import COUNTABLE, SURE, WORD
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.play.strategy.samples import Sample

MOST_POINTS = 5
"""Largest absolute points of a card, so that people can add them mentally."""

BORDERS = (15, 13, 12, 11, 10)
"""Numbers of face-up cards at which a new stage of a line may begin."""

GAIN = 0.0005
"""Least gain in the share of wins kept for which another word or stage is added."""

QUICK_GAMES = 6000
"""Games of the sample on which lines are tried first; the best are then fitted to all games."""

FINALISTS = 4

MOST_WORDS = 2
"""Words of a line."""

MOST_STAGES = 3
"""Stages of a line."""

COMBINED_WORDS = 6
"""Number of the best words that are tried in combination with every other."""

PERTURBATIONS = 8
"""Random perturbations of the points in each of two runs."""

COUNTED = tuple(word.name for word in COUNTABLE)
"""The words that lines may count."""

SHORT_WORTHS: tuple[NumberValues, ...] = (
    *((points, points, points, points) for points in range(1, MOST_POINTS + 1)),
    *NAMED_WORTHS,
)
"""Points that can be said in a few words; their negatives too."""

EXPERT_BUDGET = BUDGETS[CardKind.EXPERT]


@dataclass(frozen=True)
class FittingData:
    """A sample in a memory layout for fitting: the counts of one word and number are contiguous."""

    sample: Sample
    columns: NDArray[np.int8]
    """By word, number and move."""

    @classmethod
    def of(cls, sample: Sample) -> FittingData:
        """Convert a sample."""
        return cls(sample, np.ascontiguousarray(sample.moves.counts.transpose(1, 2, 0)))

    def stretch(self, least: int, below: int) -> tuple[slice, slice]:
        """Return slices of the positions with `least` to `below` − 1 face-up cards, and of their moves.

        Both are contiguous because samples are sorted by face-up cards.
        """
        falling = -self.sample.states.face_up
        first, last = np.searchsorted(falling, [-below + 1, -least + 1])
        begins = self.sample.moves.begins
        return slice(first, last), slice(begins[first], begins[last])

    def kept(self, points: NDArray[np.int32], positions: slice) -> float:
        """Return the number of wins kept in a stretch of positions, given the points of their moves."""
        begins = self.sample.moves.begins[positions.start : positions.stop + 1]
        moves = slice(begins[0], begins[-1])
        kept = np.empty(len(begins) - 1)
        share_kept(points, begins - begins[0], self.sample.wins[moves], kept)
        return float(kept.sum())

    def column(self, line: Points, number: int, moves: slice) -> NDArray[np.int32]:
        """Return how often a line counts a number, for a stretch of moves."""
        total = np.zeros(moves.stop - moves.start, np.int32)
        for word in line.added:
            total += self.columns[WORD_INDEX[word], number, moves]
        for word in line.taken_off:
            total -= self.columns[WORD_INDEX[word], number, moves]
        return total


def learn(
    train: Sample,
    validation: Sample,
    *,
    budget: Budget = EXPERT_BUDGET,
    most_effort: float = MOST_EFFORT,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[RuleCard, ...]:
    """Search for the best card of one line, of two and so on; the last is the best.

    `most_effort` limits the number of cards to look at.
    """
    card = RuleCard(())
    found: list[RuleCard] = []
    for word, proof in SURE.items():
        longer = RuleCard((*card.lines, Filter(word, wanted=proof)))
        if budget.allows(longer.sentences) and effort(longer, validation) <= most_effort:
            card = longer
            found.append(card)
    with ThreadPoolExecutor(jobs or cores()) as pool:
        search = _Search(
            FittingData.of(train),
            FittingData.of(train.first_games(QUICK_GAMES)),
            validation,
            most_effort,
            budget,
            pool,
        )
        while len(found) < budget.lines:
            progress(f"looking for line {len(found) + 1}")
            place = len(card.lines)
            single = search.ranked(_with_another_line(card))
            joined = search.ranked(
                change for _, tried in single[:COMBINED_WORDS] for change in _with_another_word(tried, place)
            )
            longer = search.best_of(card, [*joined[:FINALISTS], *single[:FINALISTS]])
            if longer == card:
                break
            while True:
                progress(f"improving {len(found) + 1} lines: {100 * worth(longer, validation):.1f} % kept")
                better = search.best_of(longer, search.ranked(_changed(longer))[:FINALISTS])
                if better == longer:
                    break
                longer = better
            card = simplified(search.polished(longer))
            found.append(card)
    return tuple(found)


@dataclass(frozen=True)
class _Search:
    """Data and limits for choosing between cards."""

    bench: FittingData
    quick: FittingData
    validation: Sample
    most_effort: float
    budget: Budget
    pool: ThreadPoolExecutor

    def ranked(self, changes: Iterable[tuple[int, RuleCard]]) -> list[tuple[float, RuleCard]]:
        """Fit the new line of each card on the small sample; return the cards by wins kept, best first.

        If cards have to be short, the shorter of two equally good ones comes first.
        """

        def tried(change: tuple[int, RuleCard]) -> tuple[float, RuleCard]:
            line, changed = change
            if effort(changed, self.quick.sample) > self.most_effort:
                return 0.0, changed
            fitted = fit(changed, self.quick, only=line, budget=self.budget)
            if not self.budget.allows(fitted.sentences):
                return 0.0, changed
            return worth(fitted, self.quick.sample), fitted

        def rank(pair: tuple[float, RuleCard]) -> tuple[float, int]:
            value, card = pair
            return -value, count_words(str(card)) if self.budget.is_tight else 0

        return sorted(self.pool.map(tried, changes), key=rank)

    def best_of(self, card: RuleCard, others: Iterable[tuple[float, RuleCard]]) -> RuleCard:
        """Return the best of other cards after fitting, or the card itself if none gains enough."""

        def finished(candidate: tuple[float, RuleCard]) -> tuple[float, RuleCard]:
            fitted = fit(candidate[1], self.bench, budget=self.budget)
            too_much = effort(fitted, self.validation) > self.most_effort or not self.budget.allows(
                fitted.sentences
            )
            return 0.0 if too_much else worth(fitted, self.validation), fitted

        finalists = self.pool.map(finished, others)
        value, best = max(finalists, key=lambda pair: pair[0], default=(0.0, card))
        return best if value > worth(card, self.validation) + GAIN else card

    def polished(self, card: RuleCard) -> RuleCard:
        """Return the card with its points improved by random perturbations, the best of two runs."""
        found = self.pool.map(
            lambda seed: polish(card, self.bench, PERTURBATIONS, random.Random(seed), self.budget), range(2)
        )
        return max((card, *found), key=lambda polished: worth(polished, self.validation))


NOTHING = (0, 0, 0, 0)


def _with_another_line(card: RuleCard) -> Iterator[tuple[int, RuleCard]]:
    """Yield the card with another line that counts one word: always, in two stages, or only late."""
    place = len(card.lines)
    for word in COUNTED:
        every: list[tuple[Stage, ...]] = [(Stage(0, NOTHING),)]
        for border in BORDERS:
            every.append((Stage(border, NOTHING), Stage(0, NOTHING)))
            every.append((Stage(border, None), Stage(0, NOTHING)))
        for stages in every:
            yield place, RuleCard((*card.lines, Points((word,), stages)))


def _with_another_word(card: RuleCard, place: int) -> Iterator[tuple[int, RuleCard]]:
    """Yield the card with another word in that line, added or taken off."""
    line = card.lines[place]
    if isinstance(line, Points) and len(line.words) < MOST_WORDS:
        for word in COUNTED:
            if word not in line.words:
                yield place, _with_line(card, place, replace(line, added=(*line.added, word)))
                yield place, _with_line(card, place, replace(line, taken_off=(*line.taken_off, word)))


def _changed(card: RuleCard) -> Iterator[tuple[int, RuleCard]]:
    """Yield the card with another word in one of its lines, or with other stages."""
    for place, line in enumerate(card.lines):
        if not isinstance(line, Points):
            continue
        yield from _with_another_word(card, place)
        for border in BORDERS:
            for stages in _other_stages(line, border):
                if stages != line.stages:
                    yield place, _with_line(card, place, replace(line, stages=stages))


def _other_stages(line: Points, border: int) -> Iterator[tuple[Stage, ...]]:
    """Yield stages with this border: as the only one, as an additional one, or with nothing before it."""
    early, late = line.stages[0].worth, line.stages[-1].worth
    yield Stage(border, early), Stage(0, late)
    if late is not None:
        yield Stage(border, None), Stage(0, late)
    if len(line.stages) < MOST_STAGES and border not in [stage.least for stage in line.stages]:
        split = Stage(border, line.stage(border).worth)
        yield tuple(sorted((*line.stages, split), key=lambda stage: -stage.least))


def _with_line(card: RuleCard, place: int, line: Line) -> RuleCard:
    return RuleCard((*card.lines[:place], line, *card.lines[place + 1 :]))


def simplified(card: RuleCard) -> RuleCard:
    """Return an equivalent card with simpler texts: minus points for A less B become points for B less A."""
    lines: list[Line] = [*card.filters]
    for line in card.points:
        if line.taken_off and line.costs:
            stages = tuple(Stage(stage.least, negated(stage.worth)) for stage in line.stages)
            lines.append(Points(line.taken_off, stages, line.added))
        else:
            lines.append(line)
    return RuleCard(tuple(lines))


def worth(card: RuleCard, sample: Sample) -> float:
    """Return the share of wins kept."""
    return float(shares_kept(score(card, sample.moves, sample.states.face_up), sample).mean())


def fit(
    card: RuleCard, bench: FittingData, only: int | None = None, *, budget: Budget = EXPERT_BUDGET
) -> RuleCard:
    """Fit the points of the lines by coordinate ascent on the wins kept; of line `only`, or of all."""
    total = score(card, bench.sample.moves, bench.sample.states.face_up)
    places = [place for place, line in enumerate(card.lines) if only in (None, place)]
    going = True
    while going:
        going = False
        for place in places:
            line = card.lines[place]
            if not isinstance(line, Points):
                continue
            below = 17
            for number, stage in enumerate(line.stages):
                positions, moves = bench.stretch(stage.least, below)
                below = stage.least
                if stage.worth is None or positions.start == positions.stop:
                    continue
                fitted = StageFit(line, stage.worth, bench, total[moves], positions, moves)
                if budget.is_tight:
                    changed = {
                        worth: _with_worth(card, place, number, worth) for worth in fitted.short_worths
                    }
                    short = [worth for worth, each in changed.items() if budget.allows(each.sentences)]
                    better = fitted.best_of(short)
                else:
                    better = fitted.better_worth()
                if better is not None:
                    card = _with_worth(card, place, number, better)
                    going = True
    return card


def _with_worth(card: RuleCard, place: int, number: int, worth: NumberValues) -> RuleCard:
    """Return the card with other points in a stage of a line."""
    line = card.lines[place]
    assert isinstance(line, Points)
    stages = list(line.stages)
    stages[number] = Stage(stages[number].least, worth)
    return _with_line(card, place, replace(line, stages=tuple(stages)))


@dataclass(frozen=True)
class StageFit:
    """The fit of one stage's points; `total`, the points of its moves, is updated."""

    line: Points
    worth: NumberValues
    bench: FittingData
    total: NDArray[np.int32]
    positions: slice
    moves: slice

    @property
    def by_number(self) -> bool:
        """Whether numbers may have different points."""
        return all(WORD[word].by_number for word in self.line.words)

    @property
    def least_gain(self) -> float:
        """The least gain in wins kept for which points are changed."""
        return GAIN / 10 * float(self.positions.stop - self.positions.start)

    def columns(self) -> list[NDArray[np.int32]]:
        """Return how often the line counts each number."""
        return [self.bench.column(self.line, number, self.moves) for number in range(4)]

    def better_worth(self) -> NumberValues | None:
        """Improve the points number by number; None if nothing helps."""
        columns = self.columns()
        groups: Sequence[tuple[int, ...]] = (
            (0, 1, 2, 3),
            *(((0,), (1,), (2,), (3,)) if self.by_number else ()),
        )
        worth = list(self.worth)
        most = self.bench.kept(self.total, self.positions)
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
                    (
                        (self.bench.kept(self.total + np.int32(step) * column, self.positions), step)
                        for step in steps
                    ),
                    default=(most, 0),
                )
                if value <= most + self.least_gain:
                    break
                most, found = value, True
                self.total[:] += np.int32(step) * column
                for number in group:
                    worth[number] += step
        return (worth[0], worth[1], worth[2], worth[3]) if found else None

    @property
    def short_worths(self) -> list[NumberValues]:
        """The points that can be said in a few words."""
        short = [worth for worth in SHORT_WORTHS if self.by_number or len(set(worth)) == 1]
        return [*short, *((-ace, -two, -three, -four) for ace, two, three, four in short)]

    def best_of(self, worths: Iterable[NumberValues]) -> NumberValues | None:
        """Return the best of these points; None if none is better."""
        columns = self.columns()

        def points(worth: NumberValues) -> NDArray[np.int32]:
            every = [np.int32(each) * column for each, column in zip(worth, columns, strict=True)]
            return np.asarray(np.add.reduce(every), np.int32)

        without = self.total - points(self.worth)
        most = self.bench.kept(self.total, self.positions)
        value, best = max(
            ((self.bench.kept(without + points(worth), self.positions), worth) for worth in worths),
            key=lambda pair: pair[0],
            default=(most, self.worth),
        )
        if value <= most + self.least_gain:
            return None
        self.total[:] = without + points(best)
        return best


def polish(
    card: RuleCard, bench: FittingData, tries: int, rng: random.Random, budget: Budget = EXPERT_BUDGET
) -> RuleCard:
    """Fit repeatedly from randomly perturbed points, and keep what keeps more wins.

    Perturbations leave local maxima in which no single number can be improved.
    """
    card = fit(card, bench, budget=budget)
    most = worth(card, bench.sample)
    for _ in range(0 if budget.is_tight else tries):  # all short points were tried
        perturbed = fit(_perturbed(card, rng), bench)
        if (value := worth(perturbed, bench.sample)) > most:
            card, most = perturbed, value
    return card


def _perturbed(card: RuleCard, rng: random.Random) -> RuleCard:
    """Return the card with the points of one stage changed, or all doubled for a finer scale."""
    double = rng.random() < 0.3
    border = rng.choice([stage.least for line in card.points for stage in line.stages])

    def perturbed(stage: Stage, *, by_number: bool) -> Stage:
        if stage.worth is None or not (double or stage.least == border):
            return stage
        same = rng.choice((-1, 0, 1))
        numbers = [
            2 * points if double else points + (rng.choice((-1, 0, 0, 1)) if by_number else same)
            for points in stage.worth
        ]
        ace, two, three, four = (max(-MOST_POINTS, min(MOST_POINTS, points)) for points in numbers)
        return Stage(stage.least, (ace, two, three, four))

    lines: list[Line] = [*card.filters]
    for line in card.points:
        by_number = all(WORD[word].by_number for word in line.words)
        stages = tuple(perturbed(stage, by_number=by_number) for stage in line.stages)
        lines.append(replace(line, stages=stages))
    return RuleCard(tuple(lines))
