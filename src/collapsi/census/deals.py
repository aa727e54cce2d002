"""The deals of the census: red's jack on a1, blue's on another cell, and a numbering of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collapsi.census import layers
from collapsi.census.layers import JACKS, NUMBERED
from collapsi.core.cards import Card
from collapsi.core.decks import deck_of
from collapsi.core.players import Player
from collapsi.games.classic.position import Position
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.games.classic.rules import Rules

PAPER_PLACES = 5
"""Places of blue's jack in the paper's list. It lists (0, 2) and (1, 1) separately, although a hidden
symmetry exchanges them."""


def numbered_cells(blue: int) -> list[int]:
    """Return the cells without a jack, in the order of a numbering."""
    return [cell for cell in range(16) if cell not in (0, blue)]


def count_numberings(rules: Rules = STANDARD) -> int:
    """Count the ways to lay the deck on fourteen cells."""
    return layers.count_numberings(NUMBERED, (deck_of(rules),))


def count_deals(rules: Rules = STANDARD) -> int:
    """Count all deals: every place of blue's jack times every numbering."""
    return sum(jacks.places for jacks in JACKS) * count_numberings(rules)


def cards_of(blue: int, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the deals with these numberings: a row of sixteen cards each, as numbers of `Card`."""
    cards = np.full((len(codes), 16), int(Card.JACK), np.uint8)
    for place, cell in enumerate(numbered_cells(blue)):
        cards[:, cell] = (codes >> np.uint32(digit(place)) & np.uint32(3)) + 1
    return cards


def digit(place: int) -> int:
    """Return the bit offset of a cell's number in a code, from the right. The first cell is leftmost."""
    return 2 * (NUMBERED - 1 - place)


def deal_at(blue: int, code: int, rules: Rules) -> Position:
    """Return the deal with this numbering."""
    cards = cards_of(blue, np.array([code], np.uint32))[0]
    return Position(tuple(Card(int(card)) for card in cards), (0, blue), Player.RED, rules)
