"""What the opening rule does to the game: all 15 × 15 ways to let each player choose the steps of the first move.

The layers of fourteen and fewer cards do not know how the first moves were made. So they are solved once, for every shape that
any opening leads to, and each opening rule adds two small layers.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.board import cells_of
from collapsi.census import representatives
from collapsi.rules import format_steps
from collapsi.solve.layers import shapes
from collapsi.solve.layers.sweep import VALUES, first_moves, group, solve_layer, sweep
from collapsi.solve.layers.tally import histogram
from collapsi.solve.search import cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

STEP_SETS = [steps for size in (1, 2, 3, 4) for steps in combinations(shapes.NUMBERS, size)]
"""The non-empty sets of steps that a first move may be chosen from."""


@dataclass(frozen=True)
class OpeningRule:
    """What happens under one opening rule."""

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
        """Fairest first, and of rules that come to the same the simplest."""
        choices = len(self.red_first) + len(self.blue_first)
        return self.unfairness, choices, self.red_first, self.blue_first

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "red_first": list(self.red_first),
            "blue_first": list(self.blue_first),
            "deals": self.deals,
            "red_wins": self.red_wins,
            "red_share": self.red_share,
            "mean_plies": self.mean_plies,
        }


def compare_openings(
    *, jobs: int | None = None, progress: Callable[[str], None] = lambda _: None
) -> list[OpeningRule]:
    """Every opening rule, fairest first."""
    every = shapes.layers(shapes.NUMBERS, shapes.NUMBERS)
    below = {cards: layer for cards, layer in every.items() if cards <= 14}
    for _, values in sweep(below, VALUES, jobs=jobs, progress=lambda layer: progress(f"{layer.cards} cards")):
        answers = values
    rules = []
    known: dict[Any, list[dict[int, NDArray[np.int64]]]] = {}
    room = np.empty((len(every[15].index), answers.shape[1]), answers.dtype)
    with ThreadPoolExecutor(jobs or cores()) as pool:
        for blue_first in STEP_SETS:
            progress(f"blue's first move {format_steps(blue_first)}")
            second = shapes.layers(shapes.NUMBERS, blue_first)[15]
            same = tuple(
                (family.rest, family.other, tuple(map(tuple, family.ends))) for family in second.families
            )
            if same not in known:  # some step sets lead to the same cells
                values = solve_layer(15, group(second, every[14]), answers, VALUES, pool, room)
                known[same] = _tallies(every[16], second, values, jobs)
            for red_first in STEP_SETS:
                counts = sum(
                    tallies[_ends(red_first, blue)]
                    for tallies, blue in zip(known[same], shapes.OPENINGS, strict=True)
                )
                rules.append(_rule(red_first, blue_first, np.asarray(counts)))
    return sorted(rules, key=OpeningRule.order)


def _ends(red_first: tuple[int, ...], blue: int) -> int:
    """Where red's first move may end."""
    reached = 0
    for steps in red_first:
        reached |= shapes.BOARD.reach(0, steps, shapes.EVERYTHING)
    return reached & ~(1 << blue)


def _tallies(
    openings: shapes.Layer, second: shapes.Layer, values: NDArray[Any], jobs: int | None
) -> list[dict[int, NDArray[np.int64]]]:
    """For each opening, by the cells where red's first move may end: how many deals have each value."""
    found = []
    for shape, moves in first_moves(openings, second, values, VALUES, jobs=jobs):
        ranks, weights = representatives(shape.other)
        few = {end: answers[ranks] for end, answers in moves.items()}
        everywhere = np.arange(len(ranks))
        found.append(
            {
                ends: histogram(np.maximum.reduce([few[end] for end in cells_of(ends)]), everywhere, weights)
                for ends in {_ends(steps, shape.other) for steps in STEP_SETS}
            }
        )
    return found


def _rule(red_first: tuple[int, ...], blue_first: tuple[int, ...], counts: NDArray[np.int64]) -> OpeningRule:
    """A rule from how many deals have each value from -16 to 16."""
    deals = int(counts.sum())
    plies = 16 - np.abs(np.arange(-16, 17))
    return OpeningRule(
        red_first, blue_first, deals, int(counts[17:].sum()), float((counts * plies).sum() / deals)
    )
