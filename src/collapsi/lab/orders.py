"""Decks in order: the fairest, those with the longest games, those that the first move decides most often."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.made_up import deck_of
from collapsi.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.lab.facts import DeckFacts

OFFICIAL = deck_of(STANDARD)
"""The deck of the rule sheet."""


class Order(StrEnum):
    """What decks are ordered by."""

    FAIREST = "fairest"
    LONGEST = "longest"
    DECISIVE = "decisive"

    @property
    def text(self) -> str:
        """What comes first, in words."""
        return {
            Order.FAIREST: "red's share nearest to one half first",
            Order.LONGEST: "longest games first",
            Order.DECISIVE: "decided by the first move most often first",
        }[self]

    @property
    def what(self) -> str:
        """What is compared, in a word."""
        return {
            Order.FAIREST: "fairness",
            Order.LONGEST: "length",
            Order.DECISIVE: "weight of the first move",
        }[self]

    def key(self, facts: DeckFacts) -> float:
        """The less, the earlier."""
        return {
            Order.FAIREST: facts.unfairness,
            Order.LONGEST: -facts.mean_plies,
            Order.DECISIVE: -facts.decisive_share,
        }[self]

    def sort(self, facts: Iterable[DeckFacts]) -> list[DeckFacts]:
        """In this order; of equals the smaller deck first."""
        return sorted(facts, key=lambda found: (self.key(found), found.deck))

    def place(self, facts: DeckFacts, among: Sequence[DeckFacts]) -> int:
        """Which it is among them, from 1 on."""
        return 1 + sum(self.key(other) < self.key(facts) for other in among)


def official_among(facts: Iterable[DeckFacts]) -> DeckFacts | None:
    """Those of the deck of the rule sheet, if they are there."""
    return next((found for found in facts if found.deck == OFFICIAL), None)


def ordinal(place: int) -> str:
    """A place in words.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st', '112th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if 10 < place % 100 < 14 else ending}"
