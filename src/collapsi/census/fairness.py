"""Opening rules compared: all 15 × 15 sets of steps that the two first moves may be chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.different import representatives
from collapsi.census.layers import JACKS, VALUES, histogram, solve_by_blue_first
from collapsi.core.board import cells_of
from collapsi.core.cards import STEPS
from collapsi.core.decks import deck_of
from collapsi.games.classic.made_up import format_steps, with_options
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import Jacks
    from collapsi.core.decks import Deck
    from collapsi.games.classic.rules import Rules

STEP_SETS = [steps for size in (1, 2, 3, 4) for steps in combinations(STEPS, size)]
"""The non-empty sets of steps that a first move may be chosen from."""


@dataclass(frozen=True)
class OpeningRule:
    """The results of all deals under one opening rule."""

    red_first: tuple[int, ...]
    blue_first: tuple[int, ...]
    deals: int
    red_wins: int
    mean_plies: float

    @property
    def red_share(self) -> float:
        """The share of deals that red wins."""
        return self.red_wins / self.deals

    @property
    def unfairness(self) -> float:
        """How far red's share is from one half."""
        return abs(self.red_share - 0.5)

    def order(self) -> tuple[float, int, tuple[int, ...], tuple[int, ...]]:
        """Return the sort key: fairest first, then the fewest choices."""
        choices = len(self.red_first) + len(self.blue_first)
        return self.unfairness, choices, self.red_first, self.blue_first

    def to_json(self) -> json_types.OpeningRule:
        """Return the rule as JSON."""
        return {
            "red_first": list(self.red_first),
            "blue_first": list(self.blue_first),
            "deals": self.deals,
            "red_wins": self.red_wins,
            "red_share": self.red_share,
            "mean_plies": self.mean_plies,
        }


def compare_opening_rules(
    deck: Deck | None = None,
    *,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[OpeningRule]:
    """Return every opening rule, fairest first, with the deck of the rule sheet or another."""
    played = with_options(STANDARD, deck=deck)
    rules = []
    for sets, solved in solve_by_blue_first(
        STEP_SETS,
        VALUES,
        decks=(deck_of(played),),
        jobs=jobs,
        progress=lambda layer: progress(f"{layer.cards} cards"),
    ):
        for blue_first in sets:
            progress(f"blue's first move {format_steps(blue_first)}")
        tallies = [_tallies(jacks, moves, played) for jacks, moves in solved]
        for red_first in STEP_SETS:
            counts = sum(
                counted[_ends(red_first, jacks.blue)] for counted, jacks in zip(tallies, JACKS, strict=True)
            )
            rules += [_rule(red_first, blue_first, np.asarray(counts)) for blue_first in sets]
    return sorted(rules, key=OpeningRule.order)


def _ends(red_first: tuple[int, ...], blue: int) -> int:
    """Return the cells where red's first move may end, as a bit mask."""
    reached = 0
    for steps in red_first:
        reached |= STANDARD.board.reach(0, steps, 0xFFFF)
    return reached & ~(1 << blue)


def _tallies(jacks: Jacks, moves: dict[int, NDArray[Any]], rules: Rules) -> dict[int, NDArray[np.int64]]:
    """Count the deals with these jacks by value, for each set of cells where red's first move may end."""
    ranks, weights = representatives(jacks.blue, rules)
    values = {end: answers[ranks] for end, answers in moves.items()}
    everywhere = np.arange(len(ranks))
    return {
        ends: histogram(np.maximum.reduce([values[end] for end in cells_of(ends)]), everywhere, weights)
        for ends in {_ends(steps, jacks.blue) for steps in STEP_SETS}
    }


def _rule(red_first: tuple[int, ...], blue_first: tuple[int, ...], counts: NDArray[np.int64]) -> OpeningRule:
    """Make a rule from the numbers of deals by value, -16 to 16."""
    deals = int(counts.sum())
    plies = 16 - np.abs(np.arange(-16, 17))
    return OpeningRule(
        red_first, blue_first, deals, int(counts[17:].sum()), float((counts * plies).sum() / deals)
    )
