"""Truly different deals: those that no symmetry of the board maps to each other."""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.deals import cards_of, digit, numbered_cells
from collapsi.census.layers import JACKS, NUMBERED, codes_of, distance, least_numberings
from collapsi.core.cards import Card
from collapsi.core.decks import deck_of
from collapsi.core.symmetry import canonical_ways, symmetries
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from collapsi.core.decks import Deck
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules

SYMMETRIES = symmetries(STANDARD.board)
"""Each symmetry as the image of every cell."""

CHUNK = 1 << 15
"""Deals that `different_deals` yields at a time."""

Jacks = tuple[int, int]
"""The cells of red's and of blue's jack."""


def stabiliser(jacks: Jacks, symmetries: Iterable[Symmetry]) -> tuple[Symmetry, ...]:
    """Return the symmetries that fix both jacks, as permutations of the other cells in their order."""
    cells = [cell for cell in range(16) if cell not in jacks]
    return tuple(
        tuple(cells.index(symmetry[cell]) for cell in cells)
        for symmetry in symmetries
        if all(symmetry[jack] == jack for jack in jacks)
    )


def representatives(blue: int, rules: Rules = STANDARD) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the least numbering (by rank) and the weight of each truly different deal with these jacks.

    The weight includes all cells where blue's jack may be: 24 symmetries keep red's jack on a1, and a deal
    that s of them leave unchanged has 24 / s images.
    """
    return _representatives(blue, deck_of(rules))


@lru_cache(maxsize=2 * len(JACKS))
def _representatives(blue: int, deck: Deck) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ranks, unchanged = least_numberings(stabiliser((0, blue), SYMMETRIES), (deck,))
    return ranks, 24 // unchanged.astype(np.int64)


def different_deals(blue: int, rules: Rules) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
    """Yield all truly different deals with these jacks in chunks: ranks and cards."""
    ranks, _ = representatives(blue, rules)
    codes = codes_of(NUMBERED, (deck_of(rules),))
    for start in range(0, len(ranks), CHUNK):
        chunk = ranks[start : start + CHUNK]
        yield chunk, cards_of(blue, codes[chunk])


def class_of(deal: Position) -> tuple[int, int]:
    """Return the representative of a deal in any orientation: blue's cell and the least code."""
    red, blue = deal.pawns
    target = JACKS[distance(red, blue) - 1].blue
    shift = {cell: digit(place) for place, cell in enumerate(numbered_cells(target))}
    numbers = [(cell, int(card) - 1) for cell, card in enumerate(deal.cards) if card and card != Card.JACK]
    return target, min(
        reduce(lambda code, item: code | item[1] << shift[symmetry[item[0]]], numbers, 0)
        for symmetry in SYMMETRIES
        if symmetry[red] == 0 and symmetry[blue] == target
    )


PAIRS = 16 * 16
"""Numbers of a pair of cells: 16 times the first, plus the second."""


@lru_cache(maxsize=1)
def _sources() -> NDArray[np.uint8]:
    """By pair of jacks, symmetry and place of a numbering: the cell whose number gets there.

    Pairs of jacks have 4, 6 or 24 symmetries that take them to their canonical cells; rows that are left are
    repetitions.
    """
    found = np.zeros((PAIRS, 24, NUMBERED), np.uint8)
    for red, blue in permutations(range(16), 2):
        ways = canonical_ways(STANDARD.board, red, blue)
        cells = numbered_cells(ways[0][blue])
        images = [[way.index(cell) for cell in cells] for way in ways]
        found[16 * red + blue] = [images[number % len(images)] for number in range(24)]
    return found


def classes_of(
    cards: NDArray[np.uint8], pawns: NDArray[np.int64], *, chunk: int = 1 << 14
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distance of the jacks and the least code of many deals: `class_of`, vectorised.

    `cards` has a row of sixteen numbers of `Card` for each deal, `pawns` the cells of red and blue.
    """
    shifts = np.array([digit(place) for place in range(NUMBERED)], np.int64)
    pairs = 16 * pawns[:, 0] + pawns[:, 1]
    codes = np.empty(len(cards), np.int64)
    for start in range(0, len(cards), chunk):
        some = slice(start, start + chunk)
        sources = _sources()[pairs[some]]
        numbers = cards[some][np.arange(len(sources))[:, None, None], sources].astype(np.int64) - 1
        codes[some] = (numbers << shifts).sum(axis=2).min(axis=1)
    steps = np.array([distance(*divmod(pair, 16)) for pair in range(PAIRS)], np.int64)
    return steps[pairs], codes


def count_different(rules: Rules = STANDARD) -> int:
    """Count the truly different deals by finding them all; `burnside` counts them by a formula."""
    return sum(len(representatives(jacks.blue, rules)[0]) for jacks in JACKS)
