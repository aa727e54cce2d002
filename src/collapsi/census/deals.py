"""The deals of the census: red's jack on a1, blue's on some cell, and a numbering of the other cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collapsi.made_up import deck_of
from collapsi.position import Position
from collapsi.rules import STANDARD, Card, Player
from collapsi.solve import layers
from collapsi.solve.layers import JACKS, NUMBERED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.rules import Rules

PAPER_PLACES = 5
"""The places of blue's jack that the paper lists: it counts (0, 2) and (1, 1) apart, which a hidden symmetry
exchanges."""


def numbered_cells(blue: int) -> list[int]:
    """The cells without a jack, in the order in which a numbering numbers them."""
    return [cell for cell in range(16) if cell not in (0, blue)]


def count_numberings(rules: Rules = STANDARD) -> int:
    """The ways to lay the deck on fourteen cells."""
    return layers.count_numberings(NUMBERED, (deck_of(rules),))


def count_deals(rules: Rules = STANDARD) -> int:
    """All deals: every place of blue's jack, every numbering."""
    return sum(jacks.places for jacks in JACKS) * count_numberings(rules)


def cards_of(blue: int, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The deals with those numberings: a row of sixteen cards each, as numbers of `Card`."""
    cards = np.full((len(codes), 16), int(Card.JACK), np.uint8)
    for place, cell in enumerate(numbered_cells(blue)):
        cards[:, cell] = (codes >> np.uint32(digit(place)) & np.uint32(3)) + 1
    return cards


def digit(place: int) -> int:
    """Where in a code a cell's number stands: so many bits from the right. The first cell's is leftmost."""
    return 2 * (NUMBERED - 1 - place)


def deal_at(blue: int, code: int, rules: Rules) -> Position:
    """The deal with this numbering."""
    cards = cards_of(blue, np.array([code], np.uint32))[0]
    return Position(tuple(Card(int(card)) for card in cards), (0, blue), Player.RED, rules)
