"""The cards and their numbers of steps."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Card(IntEnum):
    """A face-up card; its value is its number of steps. The steps of a jack depend on the rules."""

    JACK = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4

    @property
    def letter(self) -> str:
        """The card in notation: J, A, 2, 3 or 4."""
        return "JA234"[self]

    @property
    def plural(self) -> str:
        """The plural, as in "four aces"."""
        return ("jacks", "aces", "twos", "threes", "fours")[self]


ANYWHERE = 0
"""Special number of steps: the pawn goes to any free face-up card without walking."""

STEPS = (1, 2, 3, 4)
"""The possible numbers of steps."""

DECK = ((Card.JACK, 2), (Card.ACE, 4), (Card.TWO, 4), (Card.THREE, 4), (Card.FOUR, 2))
"""The deck of the rule sheet for the 4×4 board: each card and its count."""


def jacks_of(cards: Sequence[Card | None]) -> list[int]:
    """Return the cells where jacks lie, in reading order."""
    return [cell for cell, card in enumerate(cards) if card is Card.JACK]
