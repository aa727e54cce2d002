"""The census: the number of deals of each length under perfect play, and so of each winner."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.deals import PAPER_PLACES, count_numberings
from collapsi.census.different import (
    SYMMETRIES,
    count_different,
    different_deals,
    representatives,
    stabiliser,
)
from collapsi.census.layers import JACKS, VALUES, DealAnswers, Jacks, histogram, solve_deals
from collapsi.games.classic import search
from collapsi.games.classic.made_up import refuse_other_kinds
from collapsi.system.machine import cores
from collapsi.system.memory import peak_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import Layer
    from collapsi.core.rules import RuleSet
    from collapsi.games.classic.rules import Rules


@dataclass(frozen=True, repr=False)
class ByLength:
    """The values of every deal under some rules, and their totals."""

    rules: RuleSet
    parts: tuple[DealAnswers, ...]
    """The values of every deal, one part for each place of blue's jack up to symmetry."""
    lengths: Mapping[int, int]
    """Deals by plies."""
    classes: Mapping[int, int]
    """Truly different deals by plies."""
    seconds: float
    cpu_seconds: float
    peak_bytes: int | None
    """Peak memory of the process, if the system reports it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.rules)!r}, {self.different:,} deals)"

    @property
    def deals(self) -> int:
        """All deals, weighted."""
        return sum(self.lengths.values())

    @property
    def red_wins(self) -> int:
        """Deals that red wins: those with an odd number of plies."""
        return sum(deals for plies, deals in self.lengths.items() if plies % 2 == 1)

    @property
    def different(self) -> int:
        """Truly different deals."""
        return sum(self.classes.values())

    def to_json(self) -> json_types.AllRotateDeals:
        """Return the tables as JSON."""
        return {
            "rules": self.rules.name,
            "lengths": [
                {
                    "plies": plies,
                    "winner": "red" if plies % 2 else "blue",
                    "deals": deals,
                    "different": self.classes[plies],
                }
                for plies, deals in self.lengths.items()
            ],
            "deals": self.deals,
            "different_deals": self.different,
            "red_wins": self.red_wins,
            "blue_wins": self.deals - self.red_wins,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "peak_bytes": self.peak_bytes,
        }


@dataclass(frozen=True, repr=False)
class Census(ByLength):
    """The values of every deal of the classic game, and their totals."""

    rules: Rules

    def to_json(self) -> json_types.AllDeals:
        """Return the tables as JSON."""
        common = super().to_json()
        red_first, blue_first = map(list, self.rules.first_walks)
        return {
            "rules": common["rules"],
            "red_first": red_first,
            "blue_first": blue_first,
            "lengths": common["lengths"],
            "deals": common["deals"],
            "listed_deals": PAPER_PLACES * count_numberings(self.rules),
            **common,  # type: ignore[typeddict-item]  # it does not hold possible_games
        }


def take_census(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[Layer], None] = lambda _: None
) -> Census:
    """Solve every deal by the layers."""
    return census_from(rules, lambda: solve_deals(rules, VALUES, jobs=jobs, progress=progress), jobs=jobs)


def take_census_by_search(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[int, int, int], None] = lambda *_: None
) -> Census:
    """Solve every truly different deal one by one, with the solver for single positions.

    `progress(done, total, next)` is called before each chunk of `next` deals, and at the end.
    """
    refuse_other_kinds(rules, "this census is")

    def solve() -> tuple[DealAnswers, ...]:
        total, done = count_different(rules), 0

        def solved(jacks: Jacks) -> DealAnswers:
            nonlocal done
            ends = (cell for cell in range(1, 16) if cell != jacks.blue)
            moves = {cell: np.zeros(count_numberings(rules), np.int8) for cell in ends}
            for ranks, cards in different_deals(jacks.blue, rules):
                progress(done, total, len(ranks))
                values = search.solve_deals(cards, (0, jacks.blue), rules, jobs=jobs)
                for cell, answers in moves.items():
                    answers[ranks] = values[:, cell]
                done += len(ranks)
            used = {cell: answers for cell, answers in moves.items() if answers.any()}
            together = np.maximum.reduce([np.where(answers, answers, -99) for answers in used.values()])
            together[together == -99] = 0  # deals that are not representatives
            return DealAnswers(jacks, used, together.astype(np.int8))

        parts = tuple(map(solved, JACKS))
        progress(done, total, 0)
        return parts

    return census_from(rules, solve, jobs=jobs)


def census_from(
    rules: Rules, solve: Callable[[], tuple[DealAnswers, ...]], *, jobs: int | None = None
) -> Census:
    """Call `solve`, tally the answers, and measure the time of both."""
    wall, cpu = time.perf_counter(), time.process_time()
    parts = solve()
    lengths, classes = _tally(rules, parts, jobs)
    return Census(
        rules,
        parts,
        lengths,
        classes,
        seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
        peak_bytes=peak_bytes(),
    )


def _tally(
    rules: Rules, parts: Sequence[DealAnswers], jobs: int | None
) -> tuple[dict[int, int], dict[int, int]]:
    """Count deals and truly different deals by plies."""
    # Fill the cache of `representatives` in parallel, longest work first.
    blues = sorted(
        (part.jacks.blue for part in parts), key=lambda blue: -len(stabiliser((0, blue), SYMMETRIES))
    )
    with ThreadPoolExecutor(jobs or cores()) as pool:
        list(pool.map(lambda blue: representatives(blue, rules), blues))
    return count_by_length(parts, lambda blue: representatives(blue, rules), uncounted=rules.uncounted)


def count_by_length(
    parts: Iterable[DealAnswers],
    representatives: Callable[[int], tuple[NDArray[np.int64], NDArray[np.int64]]],
    *,
    uncounted: int = 0,
) -> tuple[dict[int, int], dict[int, int]]:
    """Count deals and truly different deals by plies.

    `representatives(blue)` returns the ranks and weights of the truly different deals with blue's jack on a
    cell; `uncounted` plies are not counted.
    """
    deals: Counter[int] = Counter()
    classes: Counter[int] = Counter()
    for part in parts:
        ranks, weights = representatives(part.jacks.blue)
        for counter, counts in (
            (deals, histogram(part.answers, ranks, weights)),
            (classes, histogram(part.answers, ranks, np.ones_like(weights))),
        ):
            for value in np.flatnonzero(counts).tolist():
                counter[16 - abs(value - 16) - uncounted] += int(counts[value])
    return dict(sorted(deals.items())), dict(sorted(classes.items()))
