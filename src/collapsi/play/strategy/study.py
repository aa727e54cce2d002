"""A study of a card: learn it, and measure it on fresh deals, by lines and effort and with single rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.play.strategy.budget import MOST_EFFORT
from collapsi.play.strategy.learn import EXPERT_BUDGET, QUICK_GAMES, learn
from collapsi.play.strategy.measure import Measurement, measure
from collapsi.play.strategy.numbers import NumbersAt, worth_of_numbers
from collapsi.play.strategy.players import sure_rules
from collapsi.play.strategy.rulecard import Filter, Line, Points, RuleCard, Stage
from collapsi.play.strategy.samples import Sample, Split, draw_sample
from collapsi.play.strategy.vocabulary import COUNTABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.games.classic.rules import Rules
    from collapsi.play.strategy import json_types
    from collapsi.play.strategy.budget import Budget
    from collapsi.play.strategy.measure import Share

GAMES = 30_000
"""Default number of training games."""

SHARES = {Split.TRAIN: 1.0, Split.VALIDATION: 2 / 3, Split.FRESH: 5 / 6}
"""Games of each split, relative to the training games."""

EFFORTS = (5.0, 15.0, 22.0, 24.5, 35.0, 60.0)
"""Limits of cards to look at per decision, for the curve of wins kept against effort."""

NOTICEABLE_GAIN = 0.01
"""Least gain over the sure rules for which a rule counts as useful."""


@dataclass(frozen=True)
class SingleRule:
    """The measurement of a single rule, applied after the sure rules."""

    text: str
    kept: Share
    gain: float
    """Gain over the sure rules alone."""

    @property
    def works(self) -> bool:
        """Whether the gain is noticeable."""
        return self.gain >= NOTICEABLE_GAIN

    def to_json(self) -> json_types.SingleRule:
        """Return the measurement as JSON."""
        return {"rule": self.text, **self.kept.to_json(), "gain": self.gain, "works": self.works}


@dataclass(frozen=True)
class CardStudy:
    """A card and its measurements, all on fresh deals."""

    rules: Rules
    seed: int
    games: int
    card: RuleCard
    worth: Measurement
    chance: Measurement
    by_lines: tuple[tuple[RuleCard, Measurement], ...]
    by_effort: tuple[tuple[float, RuleCard, Measurement], ...]
    single_rules: tuple[SingleRule, ...]
    numbers: tuple[NumbersAt, ...]

    def to_json(self) -> json_types.CardStudy:
        """Return the study as JSON."""
        return {
            "rules": self.rules.name,
            "seed": self.seed,
            "games": self.games,
            "card": self.card.to_json(),
            "worth": self.worth.to_json(),
            "chance": self.chance.to_json(),
            "by_lines": [
                {"lines": len(card.lines), "card": card.to_json(), **worth.to_json()}
                for card, worth in self.by_lines
            ],
            "by_effort": [
                {"most_effort": limit, "card": card.to_json(), **worth.to_json()}
                for limit, card, worth in self.by_effort
            ],
            "alone": [rule.to_json() for rule in self.single_rules],
            "numbers": [at.to_json() for at in self.numbers],
        }


def games_of(part: Split, games: int) -> int:
    """Return the number of games of a split for `games` training games."""
    return max(1, round(SHARES[part] * games))


def sample_of(
    part: Split,
    games: int,
    seed: int,
    rules: Rules,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Sample:
    """Draw the sample of a split; each split has its own random numbers from the seed."""
    rng = np.random.default_rng([seed, list(Split).index(part)])
    return draw_sample(
        part,
        games_of(part, games),
        rng,
        rules,
        jobs=jobs,
        progress=lambda done: progress(f"solving games: {part}", done),
    )


def learn_and_measure(
    rules: Rules,
    seed: int,
    *,
    games: int = GAMES,
    budget: Budget = EXPERT_BUDGET,
    most_effort: float = MOST_EFFORT,
    curves: bool = True,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> CardStudy:
    """Learn a card and measure it; `progress(text, games)` is called with the games solved since."""
    train, validation, fresh = (
        sample_of(part, games, seed, rules, jobs=jobs, progress=progress) for part in Split
    )
    learned = learn(
        train,
        validation,
        budget=budget,
        most_effort=most_effort,
        jobs=jobs,
        progress=lambda text: progress(text, 0),
    )
    by_effort = []
    quick_train, quick_validation = train.first_games(QUICK_GAMES), validation.first_games(QUICK_GAMES)
    for limit in EFFORTS if curves else ():
        progress(f"cards for an effort of {limit:g}", 0)
        card = learn(quick_train, quick_validation, budget=budget, most_effort=limit, jobs=jobs)[-1]
        by_effort.append((limit, card, measure(card, fresh)))
    return _measured(rules, seed, games, learned[-1], learned, by_effort, fresh)


def measure_card(
    card: RuleCard,
    rules: Rules,
    seed: int,
    *,
    games: int = GAMES,
    fresh: Sample | None = None,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> CardStudy:
    """Measure a given card without learning; `fresh` is the sample, if it is drawn already."""
    fresh = fresh or sample_of(Split.FRESH, games, seed, rules, jobs=jobs, progress=progress)
    shorter = [card.first(count) for count in range(1, len(card.lines) + 1)]
    return _measured(rules, seed, games, card, shorter, [], fresh)


def _measured(
    rules: Rules,
    seed: int,
    games: int,
    card: RuleCard,
    by_lines: Sequence[RuleCard],
    by_effort: Sequence[tuple[float, RuleCard, Measurement]],
    fresh: Sample,
) -> CardStudy:
    """Measure a card, and the cards with one line to all lines, on fresh deals."""
    return CardStudy(
        rules,
        seed,
        games,
        card,
        measure(card, fresh),
        measure(RuleCard(()), fresh),
        tuple((part, measure(part, fresh)) for part in by_lines),
        tuple(by_effort),
        tuple(measure_single_rules(fresh)),
        worth_of_numbers(fresh),
    )


def measure_single_rules(sample: Sample) -> list[SingleRule]:
    """Measure every single rule after the sure rules, best first.

    The opposite of a useful rule is omitted.
    """
    sure = sure_rules()
    base = measure(sure, sample).kept.value
    found = []
    for opposites in _single_rules():
        pair = []
        for line, text in opposites:
            kept = measure(RuleCard((*sure.lines, line)), sample).kept
            pair.append(SingleRule(text, kept, kept.value - base))
        found += [rule for rule in pair if rule.works] or pair
    return sorted(found, key=lambda rule: -rule.gain)


def _single_rules() -> Iterator[list[tuple[Line, str]]]:
    """Yield one rule per word, and its opposite."""
    for word in COUNTABLE:
        if word.name in ("landing", "free"):  # below; and the opposite of "taken"
            continue
        if word.is_yes_or_no:
            yield [
                (Filter(word.name, wanted=True), word.wish),
                (Filter(word.name, wanted=False), word.warning),
            ]
        else:
            yield [
                (_points(word.name, (1, 1, 1, 1)), f"Most {word.phrase}"),
                (_points(word.name, (-1, -1, -1, -1)), f"Fewest {word.phrase}"),
            ]
    yield [
        (_points("landing", (1, 2, 3, 4)), "Land on the highest number"),
        (_points("landing", (4, 3, 2, 1)), "Land on the lowest number"),
    ]


def _points(word: str, worth: tuple[int, int, int, int]) -> Points:
    return Points((word,), (Stage(0, worth),))
