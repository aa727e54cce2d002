"""Opening rules compared: the sets of steps that the two first moves may be chosen from.

There are 15 × 15 such rules. Sets of steps that lead to the same cards are the same rule: three steps also
reach every neighbour, and four every card that two reach. So 64 different games remain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.different import representatives
from collapsi.census.layers import JACKS, ONE_LINE, VALUES, histogram, solve_by_blue_first
from collapsi.core.board import cells_of
from collapsi.core.cards import STEPS
from collapsi.core.decks import deck_of
from collapsi.games.classic.made_up import format_steps, with_options
from collapsi.games.classic.rules import JOKER, STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import Jacks, Question
    from collapsi.core.decks import Deck
    from collapsi.core.intervals import Rate
    from collapsi.games.classic.rules import Rules
    from collapsi.games.levels import Level

    StepSet = tuple[int, ...]

STEP_SETS = [steps for size in (1, 2, 3, 4) for steps in combinations(STEPS, size)]
"""The non-empty sets of steps that a first move may be chosen from, smallest first."""


@dataclass(frozen=True)
class OpeningRule:
    """The results of all deals under one opening rule."""

    red_sets: tuple[StepSet, ...]
    """The sets of steps for red's first move that lead to the same cards, smallest first."""
    blue_sets: tuple[StepSet, ...]
    rules: Rules
    """The published rules with this opening, else those with the smallest sets."""
    deals: int
    red_wins: int
    mean_plies: float
    first_move_decides: int
    """Deals in which some of red's first moves win and others lose."""
    one_line: int
    """Deals that only one line wins, as in `DeckFacts.one_line`."""
    played: Rate | None = None
    """Red's wins in games between players of one level, if they were played."""

    @property
    def red_first(self) -> StepSet:
        """The smallest set of steps for red's first move."""
        return self.red_sets[0]

    @property
    def blue_first(self) -> StepSet:
        """The smallest set of steps for blue's first move."""
        return self.blue_sets[0]

    @property
    def red_share(self) -> float:
        """The share of deals that red wins."""
        return self.red_wins / self.deals

    @property
    def decisive_share(self) -> float:
        """The share of deals in which the first move decides."""
        return self.first_move_decides / self.deals

    @property
    def one_line_share(self) -> float:
        """The share of deals that only one line wins."""
        return self.one_line / self.deals

    @property
    def unfairness(self) -> float:
        """How far red's share is from one half: in the games that were played, else under perfect play."""
        return abs((self.red_share if self.played is None else self.played.share) - 0.5)

    def is_for(self, rules: Rules) -> bool:
        """Return whether these rules have this opening."""
        red, blue = rules.first_walks
        return red in self.red_sets and blue in self.blue_sets

    def order(self) -> tuple[float, int, StepSet, StepSet]:
        """Return the sort key: fairest first, then the fewest choices."""
        choices = len(self.red_first) + len(self.blue_first)
        return self.unfairness, choices, self.red_first, self.blue_first

    def to_json(self) -> json_types.OpeningRule:
        """Return the rule as JSON."""
        found: json_types.OpeningRule = {
            "rules": self.rules.name,
            "red_first": list(self.red_first),
            "blue_first": list(self.blue_first),
            "red_same": [list(steps) for steps in self.red_sets[1:]],
            "blue_same": [list(steps) for steps in self.blue_sets[1:]],
            "deals": self.deals,
            "red_wins": self.red_wins,
            "red_share": self.red_share,
            "mean_plies": self.mean_plies,
            "first_move_decides": self.first_move_decides,
            "decisive_share": self.decisive_share,
            "one_line": self.one_line,
            "one_line_share": self.one_line_share,
        }
        if self.played is not None:
            found["played"] = self.played.to_json()
        return found


def compare_opening_rules(
    deck: Deck | None = None,
    *,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[OpeningRule]:
    """Return every different opening rule, fairest first, with the deck of the rule sheet or another."""
    played = with_options(STANDARD, deck=deck)
    counts = _sums(VALUES, played, _results, jobs, progress)
    lines = _sums(ONE_LINE, played, _one_line, jobs, progress)
    rules = [_rule(*sets, played, counted, int(lines[sets])) for sets, counted in counts.items()]
    return sorted(rules, key=OpeningRule.order)


def play_opening_rules(
    rules: Sequence[OpeningRule],
    level: Level,
    *,
    deals: int,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[OpeningRule]:
    """Let players of one level play the same deals by every rule; return the rules, fairest first."""
    from collapsi.study import sample

    found = []
    for rule in rules:
        progress(f"games, {rule.rules}")
        wins = sample(rule.rules.name, deals=deals, seed=seed, level=level, jobs=jobs).wins
        found.append(replace(rule, played=next(iter(wins.values()))))
    return sorted(found, key=OpeningRule.order)


Sets = tuple[tuple["StepSet", ...], tuple["StepSet", ...]]
"""The sets of steps for red's and for blue's first move."""


def _sums(
    question: Question,
    rules: Rules,
    count: Callable[[Sequence[NDArray[Any]], NDArray[Any]], NDArray[np.int64]],
    jobs: int | None,
    progress: Callable[[str], None],
) -> dict[Sets, NDArray[np.int64]]:
    """Sum `count(answers by first move, weights)` over all deals, for every opening rule."""
    sums: dict[Sets, NDArray[np.int64]] = {}
    for blue_sets, solved in solve_by_blue_first(
        STEP_SETS,
        question,
        decks=(deck_of(rules),),
        jobs=jobs,
        progress=lambda layer: progress(f"{layer.cards} cards"),
    ):
        for blue_first in blue_sets:
            progress(f"blue's first move {format_steps(blue_first)}")
        for jacks, moves in solved:
            ranks, weights = representatives(jacks.blue, rules)
            answers = {end: found[ranks] for end, found in moves.items()}
            for red_sets, ends in _red_sets(jacks):
                counted = count([answers[end] for end in ends], weights)
                sets = red_sets, tuple(blue_sets)
                sums[sets] = sums.get(sets, 0) + counted
    return sums


def _red_sets(jacks: Jacks) -> Iterator[tuple[tuple[StepSet, ...], list[int]]]:
    """Yield the groups of sets of steps that lead red to the same cards, and the cells of those cards."""
    groups: dict[tuple[int, ...], list[StepSet]] = {}
    for steps in STEP_SETS:
        groups.setdefault(tuple(_ends(steps, each.blue) for each in JACKS), []).append(steps)
    for steps_sets in groups.values():
        yield tuple(steps_sets), list(cells_of(_ends(steps_sets[0], jacks.blue)))


def _ends(red_first: StepSet, blue: int) -> int:
    """Return the cells where red's first move may end, as a bit mask."""
    reached = 0
    for steps in red_first:
        reached |= STANDARD.board.reach(0, steps, 0xFFFF)
    return reached & ~(1 << blue)


def _results(moves: Sequence[NDArray[Any]], weights: NDArray[Any]) -> NDArray[np.int64]:
    """Count deals by value, -16 to 16, and finally those in which the first move decides."""
    best, worst = np.maximum.reduce(moves), np.minimum.reduce(moves)
    decides = weights[(best > 0) & (worst < 0)].sum(dtype=np.int64)
    return np.append(histogram(best, np.arange(len(best)), weights), decides)


def _one_line(moves: Sequence[NDArray[Any]], weights: NDArray[Any]) -> NDArray[np.int64]:
    """Count the deals that only one line wins: red's or blue's."""
    is_one = np.isin(ONE_LINE.together(moves), (1, 2))
    return np.asarray(weights[is_one].sum(dtype=np.int64))


def _rule(
    red_sets: tuple[StepSet, ...],
    blue_sets: tuple[StepSet, ...],
    played: Rules,
    counted: NDArray[np.int64],
    one_line: int,
) -> OpeningRule:
    """Make a rule from the counts of `_results`."""
    counts = counted[:-1]
    deals = int(counts.sum())
    plies = 16 - np.abs(np.arange(-16, 17))
    first_steps = red_sets[0], blue_sets[0]
    if JOKER.first_steps[0] in red_sets and JOKER.first_steps[1] in blue_sets:
        first_steps = JOKER.first_steps
    return OpeningRule(
        red_sets,
        blue_sets,
        with_options(played, first_steps=first_steps),
        deals,
        int(counts[17:].sum()),
        float((counts * plies).sum() / deals),
        int(counted[-1]),
        one_line,
    )
