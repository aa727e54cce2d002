"""The census: every deal of Collapsi, solved, weighted and tallied.

A deal is counted with red's jack on a1, as turning the board makes any deal one of those; blue's jack is then on one of 15
cells, and 14!/(4! 4! 4! 2!) = 3,153,150 numberings are left: 47,297,250 deals. By the symmetries of the board only the
distance of the jacks matters (1 to 4, with 4, 6, 4 and 1 cells), and among the deals of one distance those that a
symmetry turns into each other are one *truly different* deal, whose weight is the number of deals it stands for.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, reduce
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.board import cells_of
from collapsi.memory import peak_bytes
from collapsi.position import Position
from collapsi.rules import Card, Player, Rules
from collapsi.solve import search
from collapsi.solve.layers import shapes
from collapsi.solve.layers.numberings import LIMITS, NUMBERED, numberings
from collapsi.solve.layers.sweep import (
    GAMES,
    VALUES,
    Question,
    first_moves,
    places_of,
    sweep,
)
from collapsi.solve.layers.tally import histogram, mark_images

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

WEIGHTS = tuple(
    sum(shapes.distance(0, cell) == shapes.distance(0, blue) for cell in range(1, 16))
    for blue in shapes.OPENINGS
)
"""How many cells blue's jack may be on, by distance from red's: 4, 6, 4, 1."""

PAPER_CELLS = 5
"""The places of blue's jack that the paper lists: it counts (0, 2) and (1, 1) apart, which a hidden symmetry exchanges."""


@dataclass
class Opening:
    """All deals with the jacks at one distance, red's on a1; arrays are by the rank of the numbering of the other cells."""

    blue: int
    distance: int
    weight: int
    """Places of blue's jack that this one stands for."""
    moves: dict[int, NDArray[Any]]
    """For each end cell of red's first move, the answer over all numberings."""
    answers: NDArray[Any]


@dataclass
class Census:
    """The answers for every deal under one opening rule."""

    rules: Rules
    openings: list[Opening]
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int | None = None
    """The memory that the process held at the most, where the system says it."""
    lengths: dict[int, int] = field(default_factory=dict)
    """Deals by plies."""
    classes: dict[int, int] = field(default_factory=dict)
    """Truly different deals by plies."""

    def tally(self, *, jobs: int | None = None) -> None:
        """Count deals and truly different deals by length."""
        with ThreadPoolExecutor(
            jobs or search.cores()
        ) as pool:  # the answers are kept, so below they are at hand
            blues = sorted(
                (opening.blue for opening in self.openings), key=lambda blue: -len(_stabiliser(blue))
            )
            list(pool.map(representatives, blues))  # the longest work first
        deals: Counter[int] = Counter()
        classes: Counter[int] = Counter()
        for opening in self.openings:
            ranks, weights = representatives(opening.blue)
            for counter, counts in (
                (deals, histogram(opening.answers, ranks, weights)),
                (classes, histogram(opening.answers, ranks, np.ones_like(weights))),
            ):
                for value in np.flatnonzero(counts).tolist():
                    counter[16 - abs(value - 16) - self.rules.uncounted] += int(counts[value])
        self.lengths = dict(sorted(deals.items()))
        self.classes = dict(sorted(classes.items()))

    @property
    def deals(self) -> int:
        """All deals, weighted."""
        return sum(self.lengths.values())

    @property
    def red_wins(self) -> int:
        """Deals that red wins: those of an odd number of plies."""
        return sum(deals for plies, deals in self.lengths.items() if plies % 2 == 1)

    @property
    def different(self) -> int:
        """Truly different deals."""
        return sum(self.classes.values())

    def to_json(self) -> dict[str, Any]:
        """The tables as plain data."""
        return {
            "rules": self.rules.name,
            "red_first": list(self.rules.first_walks[Player.RED]),
            "blue_first": list(self.rules.first_walks[Player.BLUE]),
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
            "listed_deals": PAPER_CELLS * len(numberings(NUMBERED)),
            "different_deals": self.different,
            "red_wins": self.red_wins,
            "blue_wins": self.deals - self.red_wins,
            "shortest": min(self.lengths),
            "longest": max(self.lengths),
            "seconds": round(self.seconds, 3),
            "cpu_seconds": round(self.cpu_seconds, 3),
            "peak_bytes": self.peak_bytes,
        }


def take_census(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[shapes.Layer], None] = lambda _: None
) -> Census:
    """Solve every deal, by the layers."""
    return _timed(rules, lambda: solve_openings(rules, VALUES, jobs=jobs, progress=progress), jobs)


def take_census_by_search(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[int, int, int], None] = lambda *_: None
) -> Census:
    """Solve every truly different deal one by one, with the solver for single positions.

    `progress` is told how many are done, how many there are, and how many come next.
    """

    def solve() -> list[Opening]:
        total = sum(len(representatives(blue)[0]) for blue in shapes.OPENINGS)
        done = 0
        openings = []
        for number, blue in enumerate(shapes.OPENINGS):
            moves = {cell: np.zeros(count_numberings(), np.int8) for cell in range(1, 16) if cell != blue}
            for ranks, cards in different_deals(blue):
                progress(done, total, len(ranks))
                values = search.solve_deals(cards, (0, blue), rules, jobs=jobs)
                for cell, answers in moves.items():
                    answers[ranks] = values[:, cell]
                done += len(ranks)
            used = {cell: answers for cell, answers in moves.items() if answers.any()}
            together = np.maximum.reduce([np.where(answers, answers, -99) for answers in used.values()])
            together[together == -99] = 0  # deals that another stands for
            openings.append(Opening(blue, number + 1, WEIGHTS[number], used, together.astype(np.int8)))
        progress(done, total, 0)
        return openings

    return _timed(rules, solve, jobs)


def _timed(rules: Rules, solve: Callable[[], list[Opening]], jobs: int | None) -> Census:
    wall, cpu = time.perf_counter(), time.process_time()
    census = Census(rules, solve())
    census.tally(jobs=jobs)
    census.seconds, census.cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    census.peak_bytes = peak_bytes()
    return census


def solve_openings(
    rules: Rules,
    question: Question,
    *,
    jobs: int | None = None,
    progress: Callable[[shapes.Layer], None] = lambda _: None,
    look: Callable[[shapes.Layer, NDArray[Any]], None] = lambda *_: None,
) -> list[Opening]:
    """The answers to one question for every deal, by the layers. `look` is shown every layer when it is done."""
    layers = shapes.layers(*rules.first_walks)
    answers: NDArray[Any] = np.empty(0)
    for layer, answers in sweep(layers, question, jobs=jobs, progress=progress):
        look(layer, answers)
    openings = []
    for shape, moves in first_moves(layers[16], layers[15], answers, question, jobs=jobs):
        number = shapes.OPENINGS.index(shape.other)
        together = question.together(list(moves.values()))
        openings.append(Opening(shape.other, number + 1, WEIGHTS[number], moves, together))
    return openings


@cache
def _stabiliser(blue: int) -> list[tuple[int, ...]]:
    """The symmetries that leave both jacks where they are, as renamings of the other cells in their order."""
    cells = list(cells_of(shapes.opening(blue).rest))
    keep = shapes.GROUP[(shapes.GROUP[:, 0] == 0) & (shapes.GROUP[:, blue] == blue)]
    return [tuple(cells.index(symmetry[cell]) for cell in cells) for symmetry in keep.tolist()]


@cache
def representatives(blue: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each truly different deal with these jacks the least numbering, by rank, and its weight.

    The weight is over all cells where blue's jack may be: 24 symmetries keep red's jack on a1, and a deal that s of
    them leave unchanged has 24 / s images.
    """
    codes = numberings(NUMBERED).codes
    least = np.ones(len(codes), np.bool_)
    unchanged = np.zeros(len(codes), np.uint8)
    for to in _stabiliser(blue):
        mark_images(places_of(codes, to), least, unchanged)
    chosen = np.flatnonzero(least)
    return chosen, 24 // unchanged[chosen].astype(np.int64)


def count_by_burnside() -> int:
    """The number of truly different deals by Burnside's lemma: independent of any enumeration.

    A symmetry leaves a deal unchanged if both jacks stay and every other cycle of cells has one number; the deals that
    do are counted by spreading the deck over the cycles.
    """
    total = 0
    for symmetry in shapes.GROUP.tolist():
        fixed = [cell for cell in range(16) if symmetry[cell] == cell]
        for red in fixed:
            for blue in fixed:
                if red != blue:
                    total += _spread(_cycle_lengths(symmetry, {red, blue}), LIMITS)
    return total // len(shapes.GROUP)


def _cycle_lengths(symmetry: Sequence[int], without: set[int]) -> tuple[int, ...]:
    lengths = []
    left = set(range(16)) - without
    while left:
        cell, length = left.pop(), 1
        while (cell := symmetry[cell]) in left:
            left.remove(cell)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


@cache
def _spread(lengths: tuple[int, ...], left: tuple[int, ...]) -> int:
    """The ways to give each cycle one number so that the deck is used up."""
    if not lengths:
        return 1
    return sum(
        _spread(lengths[1:], (*left[:number], count - lengths[0], *left[number + 1 :]))
        for number, count in enumerate(left)
        if count >= lengths[0]
    )


def count_numberings() -> int:
    """The ways to lay the deck on fourteen cells."""
    return factorial(NUMBERED) // prod(map(factorial, LIMITS))


def cards_of(blue: int, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The deals with those numberings: a row of sixteen cards each, as numbers of `Card`."""
    cards = np.full((len(codes), 16), int(Card.JACK), np.uint8)
    cells = list(cells_of(shapes.opening(blue).rest))
    for place, cell in enumerate(cells):
        cards[:, cell] = (codes >> np.uint32(2 * (NUMBERED - 1 - place)) & np.uint32(3)) + 1
    return cards


def deal_at(blue: int, code: int, rules: Rules) -> Position:
    """The deal with this numbering."""
    cards = cards_of(blue, np.array([code], np.uint32))[0]
    return Position(tuple(Card(int(card)) for card in cards), (0, blue), Player.RED, rules)


def class_of(deal: Position) -> tuple[int, int]:
    """The truly different deal that stands for this one, in whatever orientation: blue's cell and the least code."""
    red, blue = deal.pawns
    distance = shapes.distance(red, blue)
    target = shapes.OPENINGS[distance - 1]
    ways = shapes.GROUP[(shapes.GROUP[:, red] == 0) & (shapes.GROUP[:, blue] == target)]
    cells = list(cells_of(shapes.opening(target).rest))
    shift = {cell: 2 * (NUMBERED - 1 - place) for place, cell in enumerate(cells)}
    numbers = [(cell, int(card) - 1) for cell, card in enumerate(deal.cards) if card and card != Card.JACK]
    return target, min(
        reduce(lambda code, item: code | item[1] << shift[way[item[0]]], numbers, 0) for way in ways.tolist()
    )


@dataclass(frozen=True)
class GameCount:
    """The number of possible games over all deals."""

    rules: Rules
    openings: list[Opening]
    total: int
    smallest: int
    largest: int

    @property
    def mean(self) -> float:
        """Possible games of a deal, on average."""
        return self.total / (sum(WEIGHTS) * count_numberings())

    def to_json(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {
            "rules": self.rules.name,
            "games": self.total,
            "mean": self.mean,
            "smallest": self.smallest,
            "largest": self.largest,
        }


def count_all_games(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[shapes.Layer], None] = lambda _: None
) -> GameCount:
    """Count the possible games of every deal."""
    openings = solve_openings(rules, GAMES, jobs=jobs, progress=progress)
    return GameCount(
        rules,
        openings,
        sum(int(opening.answers.sum()) * opening.weight for opening in openings),
        min(int(opening.answers.min()) for opening in openings),
        max(int(opening.answers.max()) for opening in openings),
    )


def different_deals(blue: int, size: int = 1 << 15) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
    """All truly different deals with these jacks, some at a time: ranks and cards."""
    ranks, _ = representatives(blue)
    codes = numberings(NUMBERED).codes
    for start in range(0, len(ranks), size):
        some = ranks[start : start + size]
        yield some, cards_of(blue, codes[some])
