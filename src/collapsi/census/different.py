"""Truly different deals: those that no symmetry of the board turns into each other."""

from __future__ import annotations

from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.deals import cards_of, digit, numbered_cells
from collapsi.made_up import deck_of
from collapsi.rules import STANDARD, Card
from collapsi.solve.layers import JACKS, NUMBERED, codes_of, distance, least_numberings
from collapsi.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.made_up import Deck
    from collapsi.position import Position
    from collapsi.rules import Rules

SYMMETRIES = symmetries(STANDARD.board)
"""Each as where it sends every cell."""


@cache
def stabiliser(blue: int) -> list[tuple[int, ...]]:
    """The symmetries that leave both jacks where they are, as renamings of the other cells in their order."""
    cells = numbered_cells(blue)
    return [
        tuple(cells.index(symmetry[cell]) for cell in cells)
        for symmetry in SYMMETRIES
        if symmetry[0] == 0 and symmetry[blue] == blue
    ]


def representatives(blue: int, rules: Rules = STANDARD) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each truly different deal with these jacks the least numbering, by rank, and its weight.

    The weight is over all cells where blue's jack may be: 24 symmetries keep red's jack on a1, and a deal
    that s of them leave unchanged has 24 / s images.
    """
    return _representatives(blue, deck_of(rules))


@lru_cache(maxsize=2 * len(JACKS))
def _representatives(blue: int, deck: Deck) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ranks, unchanged = least_numberings(stabiliser(blue), (deck,))
    return ranks, 24 // unchanged.astype(np.int64)


def different_deals(
    blue: int, rules: Rules, size: int = 1 << 15
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
    """All truly different deals with these jacks, some at a time: ranks and cards."""
    ranks, _ = representatives(blue, rules)
    codes = codes_of(NUMBERED, (deck_of(rules),))
    for start in range(0, len(ranks), size):
        some = ranks[start : start + size]
        yield some, cards_of(blue, codes[some])


def class_of(deal: Position) -> tuple[int, int]:
    """The truly different deal that stands for this one, however turned: blue's cell and the least code."""
    red, blue = deal.pawns
    target = JACKS[distance(red, blue) - 1].blue
    shift = {cell: digit(place) for place, cell in enumerate(numbered_cells(target))}
    numbers = [(cell, int(card) - 1) for cell, card in enumerate(deal.cards) if card and card != Card.JACK]
    return target, min(
        reduce(lambda code, item: code | item[1] << shift[way[item[0]]], numbers, 0)
        for way in SYMMETRIES
        if way[red] == 0 and way[blue] == target
    )


def count_different(rules: Rules = STANDARD) -> int:
    """The number of truly different deals, by finding them all."""
    return sum(len(representatives(jacks.blue, rules)[0]) for jacks in JACKS)


def count_by_burnside(rules: Rules = STANDARD) -> int:
    """The number of truly different deals by Burnside's lemma: independent of any enumeration.

    A symmetry leaves a deal unchanged if both jacks stay and every other cycle of cells has one number; the
    deals that do are counted by spreading the deck over the cycles.
    """
    total = 0
    for symmetry in SYMMETRIES:
        fixed = [cell for cell in range(16) if symmetry[cell] == cell]
        for red in fixed:
            for blue in fixed:
                if red != blue:
                    total += spread(cycle_lengths(symmetry, {red, blue}), deck_of(rules))
    return total // len(SYMMETRIES)


def cycle_lengths(symmetry: Sequence[int], without: set[int]) -> tuple[int, ...]:
    """How long the cycles are in which a symmetry moves the other cells."""
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
def spread(lengths: tuple[int, ...], left: tuple[int, ...]) -> int:
    """The ways to give each cycle one number so that the deck is used up."""
    if not lengths:
        return 1
    return sum(
        spread(lengths[1:], (*left[:number], count - lengths[0], *left[number + 1 :]))
        for number, count in enumerate(left)
        if count >= lengths[0]
    )
