"""The ways to lay numbers on *m* cells (*numberings*), and the image of each when the cells are renamed.

The code of a numbering has two bits for each cell, the number minus one, first cell in the highest bits. The
deck limits how often each number occurs, so not every code is a numbering. The *rank* of a numbering is its
index in the sorted codes of all numberings of m cells, and its index in every array over them::

    cells      c0 c1 c2          numbers 2, 1, 4
    code       01 00 11          rank: how many codes of numberings of 3 cells are below 010011

With the mover's cell first, an array consists of four blocks by the number under the mover, and inside a
block the codes of the other cells are again sorted.

To rank a code quickly it is split into two halves. Codes with the same first half are adjacent, starting at
`base[first]`. Which second halves may follow depends only on how many of each number the first half uses, its
*class*; `within[class, second]` is the index among those. Renaming cells permutes digits, which also takes
two table look-ups, one for each half. All tables are unsigned: a compiled look-up with an index that cannot
be negative needs no test for that, which made the renaming 1.7 times as fast.

Several decks may be combined: then a numbering is one that any of them allows. Decks that differ by a card or
two have most numberings of few cells in common, which are then solved once for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.decks import Deck, deck_of
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Decks = tuple[Deck, ...]
"""Decks whose numberings are combined."""

OFFICIAL: Decks = (deck_of(STANDARD),)
"""The deck of the rule sheet alone."""

NUMBERED = sum(OFFICIAL[0])
"""The cards with a number: all but the jacks."""

CACHE_SIZE = 2 * NUMBERED
"""Cached tables: one for each number of cells, for the decks in use and the previous ones."""


@dataclass(frozen=True)
class Numberings:
    """All numberings of `cells` cells."""

    cells: int
    codes: NDArray[np.uint32]
    """Sorted: the rank of a numbering is its index here."""
    first: NDArray[np.int64]
    """Ranks of the first numberings with number 1, 2, 3, 4 on the first cell; then the number of all."""
    low_bits: int
    """Bits of the second half of a code."""
    base: NDArray[np.uint32]
    """By first half: the rank of the first code with that half."""
    class_of: NDArray[np.uint32]
    """By first half: the start of the row of its class in `within`, which is flat."""
    within: NDArray[np.uint16]
    """By class and second half: the index among the codes with the same first half."""

    def __len__(self) -> int:
        return len(self.codes)


@lru_cache(maxsize=CACHE_SIZE)
def numberings(cells: int, decks: Decks = OFFICIAL) -> Numberings:
    """Return the tables for all numberings of `cells` cells.

    >>> [len(numberings(cells)) for cells in (1, 2, 3, 4)]
    [4, 16, 63, 243]
    >>> [len(numberings(cells, ((13, 1, 0, 0),))) for cells in (1, 2, 3, 4)]
    [2, 3, 4, 5]
    """
    codes, _ = _codes(cells, decks)
    first = np.searchsorted(codes, [number << 2 * (cells - 1) for number in range(5)]).astype(np.int64)
    low = cells // 2
    high_codes, high_counts = _codes(cells - low, decks)
    low_codes, low_counts = _codes(low, decks)
    base = np.zeros(1 << 2 * (cells - low), np.uint32)
    base[high_codes] = np.searchsorted(codes, high_codes << np.uint32(2 * low))
    classes, numbers = np.unique(high_counts, return_inverse=True)
    class_of = np.zeros_like(base)
    class_of[high_codes] = numbers << 2 * low
    within = np.zeros((len(classes), 1 << 2 * low), np.uint16)
    fitting = _fitting(decks)
    for row, used in zip(within, classes, strict=True):
        fits = fitting[low_counts + used]
        row[low_codes[fits]] = np.arange(np.count_nonzero(fits))
    return Numberings(cells, codes, first, 2 * low, base, class_of, within.reshape(-1))


def codes_of(cells: int, decks: Decks = OFFICIAL) -> NDArray[np.uint32]:
    """Return the codes of all numberings of `cells` cells, by rank."""
    return numberings(cells, decks).codes


def counts_of(cells: int, decks: Decks = OFFICIAL) -> NDArray[np.uint16]:
    """Return the packed counts of numbers of each of these numberings: see `packed`."""
    return _codes(cells, decks)[1]


def packed(counts: Sequence[int]) -> int:
    """Pack the counts of the numbers into one word, four bits each; no count exceeds 14.

    >>> hex(packed((5, 4, 3, 2)))
    '0x2345'
    """
    return sum(count << 4 * number for number, count in enumerate(counts))


def count_numberings(cells: int, decks: Decks = OFFICIAL) -> int:
    """Count the numberings of `cells` cells without listing them.

    >>> count_numberings(14), count_numberings(14, ((4, 4, 3, 3),))
    (3153150, 4204200)
    """
    return _numbers_of_numberings(decks)[cells]


@lru_cache(maxsize=CACHE_SIZE)
def _numbers_of_numberings(decks: Decks) -> tuple[int, ...]:
    found = [0] * (NUMBERED + 1)
    for counts in _parts_of(decks):
        found[sum(counts)] += factorial(sum(counts)) // prod(map(factorial, counts))
    return tuple(found)


def _parts_of(decks: Decks) -> set[tuple[int, ...]]:
    """Return all sub-multisets of the decks, as numbers of 1s, 2s, 3s and 4s."""
    return {counts for deck in decks for counts in product(*(range(count + 1) for count in deck))}


@lru_cache(maxsize=CACHE_SIZE)
def _fitting(decks: Decks) -> NDArray[np.bool_]:
    """By packed counts: whether one of the decks has at least as many."""
    fitting = np.zeros(1 << 16, np.bool_)
    fitting[[packed(counts) for counts in _parts_of(decks)]] = True
    return fitting


@lru_cache(maxsize=CACHE_SIZE)
def _codes(cells: int, decks: Decks) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return the sorted codes of all numberings, and the packed counts of each: see `packed`."""
    if cells == 0:
        return np.zeros(1, np.uint32), np.zeros(1, np.uint16)
    rest, counts = _codes(cells - 1, decks)
    fitting = _fitting(decks)
    codes, used = [], []
    for number in range(4):
        more = counts + np.uint16(1 << 4 * number)
        fits = fitting[more]
        codes.append(rest[fits] | np.uint32(number << 2 * (cells - 1)))
        used.append(more[fits])
    return np.concatenate(codes), np.concatenate(used)


def renaming(to: Sequence[int]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return tables that permute the digits of a code: digit i (from the highest) becomes digit `to[i]`.

    One is for the first half and one for the second half; the result is `first[high] | second[low]`.
    """
    cells = len(to)
    low = cells // 2
    return _half_renaming(to[: cells - low], cells), _half_renaming(to[cells - low :], cells)


def _half_renaming(to: Sequence[int], cells: int) -> NDArray[np.uint32]:
    table: NDArray[Any] = np.zeros(1, np.uint32)
    for place in to:  # one more digit: each entry becomes four, with 0, 1, 2, 3 in that place
        digits = np.arange(4, dtype=np.uint32) << np.uint32(2 * (cells - 1 - place))
        table = (table[:, None] | digits[None, :]).reshape(-1)
    return table
