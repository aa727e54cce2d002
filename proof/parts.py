"""The sums that the proof has to compute, from our own census.

The proof adds up a weight for every deal that red wins (`weigh` in `Symmetry.v`), in parts: one for each
choice of the cards on cells 1, 2 and 3. Under the joker rules the weight is multiplied by a share (`share` in
`Joker.v`). Nothing here has to be believed: if a sum is wrong, Coq refuses the part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census.deals import cards_of
from collapsi.census.different import SYMMETRIES
from collapsi.census.layers import NUMBERED, codes_of
from collapsi.census.lengths import take_census
from collapsi.core.cards import Card
from collapsi.games.classic.made_up import classic_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMES = ("RedJack", "BlueJack", "Ace", "Two", "Three", "Four")
"""The cards as Coq names them, by `rank` in `Symmetry.v`."""
RED, BLUE = 0, 1
REST = {1: 1, 2: 4, 3: 4, 4: 4, 5: 2}
"""How many of each card lie on the cells after red's jack: `rest` in `Count.v`."""
DIRECTIONS = (1, 3, 4, 12)
"""The neighbours of the corner, by `bits` in `Symmetry.v`."""
BLUES = {1: 12, 2: 8, 3: 11, 4: 10}
"""By distance of the jacks: the one cell of blue's jack where a deal can have a weight."""
REPEATS = {(0, 0, 0): 24, (1, 0, 0): 12, (0, 1, 0): 12, (0, 0, 1): 12} | {
    (1, 0, 1): 6,
    (1, 1, 0): 4,
    (0, 1, 1): 4,
    (1, 1, 1): 1,
}
"""The weight of a deal whose four directions are in order, by whether each equals the next one."""
POINTS = np.array([0, 0, 1, 5, 25, 125])
"""What a card next to a jack counts: `points` in `Joker.v`."""

Prefix = tuple[int, int, int]


@dataclass(frozen=True)
class Part:
    """One part: the cards on cells 1, 2 and 3, and what its deals add up to."""

    cards: Prefix
    by_length: tuple[int, ...]
    """The weights of the deals that last 0, 1, 2 … 14 plies, added up."""
    solved: int
    """The number of deals with a weight (and a share): these have to be solved."""

    @property
    def name(self) -> str:
        """The cards as the part of a file name, such as `Ace_Two_BlueJack`."""
        return "_".join(NAMES[card] for card in self.cards)

    @property
    def red_wins(self) -> int:
        """The weights of the deals that red wins, added up: those with an odd number of plies."""
        return sum(self.by_length[1::2])

    @property
    def left(self) -> dict[int, int]:
        """How many of each card lie on the other cells."""
        return {card: count - self.cards.count(card) for card, count in REST.items()}


def prefixes() -> list[Prefix]:
    """Return every choice of the cards on cells 1, 2 and 3, in the order of `picks` in `Count.v`."""
    found = ((a, b, c) for a, b, c in product(REST, repeat=3))
    return [cards for cards in found if all(cards.count(card) <= REST[card] for card in cards)]


def take_parts(rules: str, *, jobs: int | None = None) -> list[Part]:
    """Solve every deal by the layers, and add up the parts."""
    by_length, solved = np.zeros(6**3 * 15, np.int64), np.zeros(6**3, np.int64)
    codes = codes_of(NUMBERED)
    for part in take_census(classic_rules(rules), jobs=jobs).parts:
        cards = _with_blue_on(BLUES[part.jacks.distance], part.jacks.blue, cards_of(part.jacks.blue, codes))
        weights = weigh(cards) * (share(cards) if rules == "joker" else 1)
        plies = 16 - np.abs(part.answers.astype(np.int64))
        prefix = (cards[:, 1].astype(np.int64) * 6 + cards[:, 2]) * 6 + cards[:, 3]
        by_length += np.bincount(prefix * 15 + plies, weights, len(by_length)).astype(np.int64)
        solved += np.bincount(prefix, weights > 0, len(solved)).astype(np.int64)
    table = by_length.reshape(-1, 15)
    numbers = {cards: (cards[0] * 6 + cards[1]) * 6 + cards[2] for cards in prefixes()}
    return [
        Part(cards, tuple(table[number].tolist()), int(solved[number])) for cards, number in numbers.items()
    ]


def _with_blue_on(target: int, blue: int, cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rename the cells of some deals so that red's jack stays and blue's comes to `target`; cards by rank."""
    symmetry = next(one for one in SYMMETRIES if one[0] == 0 and one[blue] == target)
    ranks = np.zeros(len(Card), np.uint8)
    for card in (Card.ACE, Card.TWO, Card.THREE, Card.FOUR):
        ranks[int(card)] = NAMES.index(card.name.title())
    moved = np.empty_like(cards)
    moved[:, list(symmetry)] = ranks[cards]
    moved[:, 0], moved[:, target] = RED, BLUE
    return moved


def weigh(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the weight of each deal, as `weigh` in `Symmetry.v` does; all have blue's jack on one cell."""
    row, column = divmod(int(np.flatnonzero(cards[0] == BLUE)[0]), 4)
    bits = (column in (1, 2), column in (2, 3), row in (1, 2), row in (2, 3))
    code = [cards[:, cell] + 8 * bit for cell, bit in zip(DIRECTIONS, bits, strict=True)]
    steps = list(pairwise(code))
    in_order = np.logical_and.reduce([low <= high for low, high in steps])
    table = np.zeros((2, 2, 2), np.int64)
    for repeats, weight in REPEATS.items():
        table[repeats] = weight
    equal = [(low == high).astype(np.intp) for low, high in steps]
    return np.asarray(np.where(in_order, table[equal[0], equal[1], equal[2]], 0))


def share(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the share of each deal, as `share` in `Joker.v` does; all have blue's jack on one cell."""
    blue = int(np.flatnonzero(cards[0] == BLUE)[0])
    red_side, blue_side = (POINTS[cards[:, neighbours(cell)]].sum(axis=1) for cell in (0, blue))
    return np.asarray(1 + np.sign(blue_side - red_side))


def neighbours(cell: int) -> list[int]:
    """Return the four cells next to a cell."""
    row, column = divmod(cell, 4)
    steps = ((1, 0), (3, 0), (0, 1), (0, 3))
    return [4 * ((row + down) % 4) + (column + right) % 4 for down, right in steps]
