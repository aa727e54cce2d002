"""One study: learn a card, measure it on fresh deals; what lines, effort and other rules are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.strategy.learn import MOST_EFFORT, QUICK_GAMES, learn
from collapsi.strategy.measure import Worth, measure
from collapsi.strategy.numbers import NumbersAt, worth_of_numbers
from collapsi.strategy.players import sure_rules
from collapsi.strategy.rulecard import Filter, Line, Points, RuleCard, Stage
from collapsi.strategy.samples import Part, Sample, draw
from collapsi.strategy.vocabulary import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.rules import Rules
    from collapsi.strategy import shapes
    from collapsi.strategy.measure import Share

GAMES = 30_000
"""Games to learn from, if nothing else is said."""

SHARES = {Part.TRAIN: 1.0, Part.VALIDATION: 2 / 3, Part.FRESH: 5 / 6}
"""For each game to learn from, how many others to choose by and to measure with."""

EFFORTS = (5.0, 15.0, 22.0, 24.5, 35.0, 60.0)
"""Cards looked at a decision, for the curve of worth against effort."""

NOTICED = 0.01
"""A rule that adds less than this to the sure rules is called worth nothing."""


@dataclass(frozen=True)
class Alone:
    """A rule by itself, after the sure rules."""

    text: str
    kept: Share
    gain: float
    """What it adds to the sure rules."""

    @property
    def works(self) -> bool:
        """Whether anybody would notice."""
        return self.gain >= NOTICED

    def to_json(self) -> shapes.Alone:
        """As plain data."""
        return {"rule": self.text, **self.kept.to_json(), "gain": self.gain, "works": self.works}


@dataclass(frozen=True)
class Study:
    """A card and what is known of it. Everything is measured on fresh deals."""

    rules: Rules
    seed: int
    games: int
    card: RuleCard
    worth: Worth
    chance: Worth
    by_lines: tuple[tuple[RuleCard, Worth], ...]
    by_effort: tuple[tuple[float, RuleCard, Worth], ...]
    alone: tuple[Alone, ...]
    numbers: tuple[NumbersAt, ...]

    def to_json(self) -> shapes.Study:
        """As plain data."""
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
            "alone": [rule.to_json() for rule in self.alone],
            "numbers": [at.to_json() for at in self.numbers],
        }


def games_of(part: Part, games: int) -> int:
    """How many games are drawn for a part of a study of so many games."""
    return max(1, round(SHARES[part] * games))


def sample_of(
    part: Part,
    games: int,
    seed: int,
    rules: Rules,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Sample:
    """A part's sample, from the seed: each part has its own chance."""
    rng = np.random.default_rng([seed, list(Part).index(part)])
    return draw(
        part,
        games_of(part, games),
        rng,
        rules,
        jobs=jobs,
        progress=lambda done: progress(f"solving games: {part}", done),
    )


def study(
    rules: Rules,
    seed: int,
    *,
    games: int = GAMES,
    lines: int = 5,
    most_effort: float = MOST_EFFORT,
    curves: bool = True,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Study:
    """Learn a card and measure it; `progress` is told what is done next, and how many games were solved
    since.
    """
    train, validation, fresh = (
        sample_of(part, games, seed, rules, jobs=jobs, progress=progress) for part in Part
    )
    learned = learn(
        train,
        validation,
        lines=lines,
        most_effort=most_effort,
        jobs=jobs,
        progress=lambda text: progress(text, 0),
    )
    by_effort = []
    few, some = train.first_games(QUICK_GAMES), validation.first_games(QUICK_GAMES)
    for limit in EFFORTS if curves else ():
        progress(f"cards for an effort of {limit:g}", 0)
        card = learn(few, some, lines=lines, most_effort=limit, jobs=jobs).card
        by_effort.append((limit, card, measure(card, fresh)))
    return Study(
        rules,
        seed,
        games,
        learned.card,
        measure(learned.card, fresh),
        measure(RuleCard(()), fresh),
        tuple((card, measure(card, fresh)) for card in learned.cards),
        tuple(by_effort),
        tuple(alone(fresh)),
        worth_of_numbers(fresh),
    )


def measured(
    card: RuleCard,
    rules: Rules,
    seed: int,
    *,
    games: int = GAMES,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _done: None,
) -> Study:
    """A study of a given card: nothing is learned."""
    fresh = sample_of(Part.FRESH, games, seed, rules, jobs=jobs, progress=progress)
    shorter = [card.first(count) for count in range(1, len(card.lines) + 1)]
    return Study(
        rules,
        seed,
        games,
        card,
        measure(card, fresh),
        measure(RuleCard(()), fresh),
        tuple((some, measure(some, fresh)) for some in shorter),
        (),
        tuple(alone(fresh)),
        worth_of_numbers(fresh),
    )


def alone(sample: Sample) -> list[Alone]:
    """Every rule that one might think of, by itself after the sure rules, the best first.

    Of a rule that works, the opposite is left out: that it does harm is no news.
    """
    sure = sure_rules()
    base = measure(sure, sample).kept.value
    found = []
    for opposites in _single_rules():
        pair = []
        for line, text in opposites:
            kept = measure(RuleCard((*sure.lines, line)), sample).kept
            pair.append(Alone(text, kept, kept.value - base))
        found += [rule for rule in pair if rule.works] or pair
    return sorted(found, key=lambda rule: -rule.gain)


def _single_rules() -> Iterator[list[tuple[Line, str]]]:
    """One rule a word, and its opposite."""
    for word in WORDS:
        if word.proof is not None or word.name in ("landing", "free"):  # below; and the opposite of "taken"
            continue
        if word.is_yes_or_no:
            yield [
                (Filter(word.name, wanted=True), word.wish),
                (Filter(word.name, wanted=False), word.warning),
            ]
        else:
            yield [
                (_points(word.name, (1, 1, 1, 1)), f"Most of {word.phrase}"),
                (_points(word.name, (-1, -1, -1, -1)), f"Fewest of {word.phrase}"),
            ]
    yield [
        (_points("landing", (1, 2, 3, 4)), "Land on the highest number"),
        (_points("landing", (4, 3, 2, 1)), "Land on the lowest number"),
    ]


def _points(word: str, worth: tuple[int, int, int, int]) -> Points:
    return Points((word,), (Stage(0, worth),))
