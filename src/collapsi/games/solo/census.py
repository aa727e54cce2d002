"""Census of the layouts of a solo deck: how many can be solved, and in how many ways.

All cells have equivalent neighbourhoods, so the start is fixed on the first cell. For 3×3 boards every layout
is counted, and each symmetry class is solved once. The decks for 4×4 have tens of millions of layouts: there
the census is a sample with an interval.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.core.intervals import Rate
from collapsi.core.symmetry import symmetries
from collapsi.games.solo.rules import SOLO_RULES, Exit
from collapsi.games.solo.search import SolutionTable
from collapsi.games.solo.state import Solo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.solo import json_types
    from collapsi.games.solo.deals import Deck

START = 0
"""The cell where the pawn starts in every layout."""


@dataclass(frozen=True)
class SoloCensus:
    """The layouts of a deck by their number of solutions; of all of them, or of a sample."""

    deck: Deck
    reading: Exit
    solutions: tuple[tuple[int, int], ...]
    """Pairs of a number of solutions and the number of layouts that have it; fewest solutions first."""
    different: int | None
    """The number of symmetry classes; None for a sample."""
    seed: int | None = None
    """The seed of a sample."""

    @property
    def layouts(self) -> int:
        """The number of layouts counted."""
        return sum(layouts for _, layouts in self.solutions)

    @property
    def solvable(self) -> int:
        """The number of solvable layouts."""
        return sum(layouts for solutions, layouts in self.solutions if solutions)

    @property
    def is_sample(self) -> bool:
        """Whether this is a sample."""
        return self.different is None

    @property
    def rate(self) -> Rate:
        """The share of solvable layouts."""
        return Rate(self.solvable, self.layouts, self.is_sample)

    def median(self) -> int:
        """Return the median number of solutions of the solvable layouts; 0 if there are none."""
        counts = [(solutions, layouts) for solutions, layouts in self.solutions if solutions]
        before = 0
        for solutions, layouts in counts:
            before += layouts
            if 2 * before >= self.solvable:
                return solutions
        return 0

    def spread(self) -> Iterator[tuple[str, int]]:
        """Yield the number of layouts with 0, 1, 2 to 3, 4 to 7 … solutions, where there are any."""
        by_size: Counter[int] = Counter()
        for solutions, layouts in self.solutions:
            by_size[solutions.bit_length()] += layouts
        for size in range(max(by_size) + 1):
            low, high = (1 << size) >> 1, (1 << size) - 1
            if by_size[size] or not size:
                yield (f"{low:,}" if low == high else f"{low:,} to {high:,}"), by_size[size]

    def to_json(self) -> json_types.SoloCensus:
        """Return the census as plain data."""
        return {
            "deck": self.deck.name,
            "numbers": self.deck.numbers,
            "rows": self.deck.board.rows,
            "columns": self.deck.board.columns,
            "exit": self.reading,
            "all_layouts": self.deck.layouts,
            "sample": self.is_sample,
            "seed": self.seed,
            "layouts": self.layouts,
            "different": self.different,
            "solvable": self.solvable,
            "share": self.rate.share,
            "share_between": list(self.rate.interval),
            "median_solutions": self.median(),
            "by_solutions": [list(pair) for pair in self.solutions],
        }


def take_census(deck: Deck, reading: Exit = Exit.OPEN) -> SoloCensus:
    """Count the solutions of every layout of a deck. For the decks of nine cards: a second.

    >>> from collapsi.games.solo.deals import OFFICIAL
    >>> census = take_census(OFFICIAL)
    >>> census.layouts, census.solvable, census.different
    (1120, 1120, 140)
    """
    moved = [symmetry for symmetry in symmetries(deck.board) if symmetry[START] == START]
    alike: Counter[tuple[Card, ...]] = Counter()
    for cards in arrangements(deck):
        alike[min(tuple(cards[cell] for cell in symmetry) for symmetry in moved)] += 1
    solutions: Counter[int] = Counter()
    for cards, layouts in alike.items():
        solutions[_count(cards, deck, reading)] += layouts
    return SoloCensus(deck, reading, tuple(sorted(solutions.items())), len(alike))


def sample_census(deck: Deck, reading: Exit = Exit.OPEN, *, count: int, seed: int) -> SoloCensus:
    """Count the solutions of `count` uniformly random layouts."""
    rng = random.Random(seed)
    solutions: Counter[int] = Counter()
    cards = deck.pack[1:]
    for _ in range(count):
        rng.shuffle(cards)
        solutions[_count((Card.JACK, *cards), deck, reading)] += 1
    return SoloCensus(deck, reading, tuple(sorted(solutions.items())), None, seed)


def arrangements(deck: Deck) -> Iterator[tuple[Card, ...]]:
    """Yield every layout of a deck with the start on the first cell, as its cards in reading order."""

    def lay(laid: tuple[Card, ...], left: Counter[Card]) -> Iterator[tuple[Card, ...]]:
        if len(laid) == deck.board.size:
            yield laid
        for card in [card for card, count in left.items() if count]:
            yield from lay((*laid, card), left - Counter([card]))

    return lay((Card.JACK,), Counter(dict(deck.cards)) - Counter([Card.JACK]))


def _count(cards: tuple[Card, ...], deck: Deck, reading: Exit) -> int:
    layout = Solo(cards, (START,), SOLO_RULES[deck.board, reading])
    return SolutionTable(layout).count(layout)
