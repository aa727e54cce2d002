"""The ways to lay numbers on *m* cells, and where each goes when the cells are renamed.

A numbering is written in two bits a cell, the number less one, first cell in the highest bits; as the deck
has so many of each number and no more, not every such code is one. The codes of all numberings of m cells in
rising order give each a *rank*, its place in every array over them::

    cells      c0 c1 c2          numbers 2, 1, 4
    code       01 00 11          rank: how many codes of numberings of 3 cells are below 010011

With the mover's cell first, an array falls into four blocks by the number under the mover, and inside a block
the other cells' numbers are again in rising order.

To rank a code fast it is cut in two halves. Codes with the same first half stand together, beginning at
`base[first]`; which second halves may follow depends only on how many of each number the first half has used,
its *class*; and `within[class, second]` is the place among those. Renaming cells moves digits, so it is done
by two look-ups as well, one for each half. All tables are unsigned: a compiled look-up by an index that
cannot be negative needs no test for that, which made the renaming 1.7 times as fast.

Several decks may be taken together: then a numbering is one that some of them allows. Decks that differ by a
card or two have most numberings of few cells in common, which are then solved once for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.made_up import Deck, deck_of
from collapsi.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Decks = tuple[Deck, ...]
"""Decks whose numberings are taken together."""

OFFICIAL: Decks = (deck_of(STANDARD),)
"""The deck of the rule sheet alone."""

NUMBERED = sum(OFFICIAL[0])
"""The cards with a number: all but the jacks."""

KEPT = 2 * NUMBERED
"""Tables are kept for so many numbers of cells: for the decks in use, and those before them."""


@dataclass(frozen=True)
class Numberings:
    """All numberings of `cells` cells."""

    cells: int
    codes: NDArray[np.uint32]
    """In rising order: the rank of a numbering is its place here."""
    first: NDArray[np.int64]
    """Where the numberings begin whose first cell has number 1, 2, 3, 4; and the number of all."""
    low_bits: int
    """Bits of the second half of a code."""
    base: NDArray[np.uint32]
    """By first half: the rank of the first code that begins so."""
    class_of: NDArray[np.uint32]
    """By first half: where the row of its class begins in `within`; rows are one after the other."""
    within: NDArray[np.uint16]
    """By class and second half: the rank among the codes that begin alike."""

    def __len__(self) -> int:
        return len(self.codes)


@lru_cache(maxsize=KEPT)
def numberings(cells: int, decks: Decks = OFFICIAL) -> Numberings:
    """Tables for all numberings of that many cells.

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
    """The codes of all numberings of that many cells; the rank of each is its place."""
    return numberings(cells, decks).codes


def counts_of(cells: int, decks: Decks = OFFICIAL) -> NDArray[np.uint16]:
    """How often each of these numberings uses each number: see `packed`."""
    return _codes(cells, decks)[1]


def packed(counts: Sequence[int]) -> int:
    """How many there are of each number as one word: four bits a number, as none is there more than 14 times.

    >>> hex(packed((5, 4, 3, 2)))
    '0x2345'
    """
    return sum(count << 4 * number for number, count in enumerate(counts))


def count_numberings(cells: int, decks: Decks = OFFICIAL) -> int:
    """How many numberings of that many cells there are, without listing them.

    >>> count_numberings(14), count_numberings(14, ((4, 4, 3, 3),))
    (3153150, 4204200)
    """
    return _how_many(decks)[cells]


@lru_cache(maxsize=KEPT)
def _how_many(decks: Decks) -> tuple[int, ...]:
    found = [0] * (NUMBERED + 1)
    for counts in _parts_of(decks):
        found[sum(counts)] += factorial(sum(counts)) // prod(map(factorial, counts))
    return tuple(found)


def _parts_of(decks: Decks) -> set[tuple[int, ...]]:
    """What may be taken out of some of the decks, as numbers of 1s, 2s, 3s and 4s."""
    return {counts for deck in decks for counts in product(*(range(count + 1) for count in deck))}


@lru_cache(maxsize=KEPT)
def _fitting(decks: Decks) -> NDArray[np.bool_]:
    """By packed counts: whether some of the decks has as many."""
    fitting = np.zeros(1 << 16, np.bool_)
    fitting[[packed(counts) for counts in _parts_of(decks)]] = True
    return fitting


@lru_cache(maxsize=KEPT)
def _codes(cells: int, decks: Decks) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """The codes of all numberings, rising, and how often each uses each number: see `packed`."""
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
    """Tables that move the digits of a code: digit i (from the highest) becomes digit `to[i]`.

    One for the first half and one for the second half; the moved code is `first[high] | second[low]`.
    """
    cells = len(to)
    low = cells // 2
    return _half_renaming(to[: cells - low], cells), _half_renaming(to[cells - low :], cells)


def _half_renaming(to: Sequence[int], cells: int) -> NDArray[np.uint32]:
    table: NDArray[Any] = np.zeros(1, np.uint32)
    for place in to:  # one digit more: four copies of the table for each entry, with 0, 1, 2, 3 in that place
        digits = np.arange(4, dtype=np.uint32) << np.uint32(2 * (cells - 1 - place))
        table = (table[:, None] | digits[None, :]).reshape(-1)
    return table
