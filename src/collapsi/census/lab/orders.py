"""Orders of decks: by fairness, by length of games, by how often the first move decides."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.core.decks import deck_of
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.census.lab.facts import DeckFacts

OFFICIAL = deck_of(STANDARD)
"""The deck of the rule sheet."""


class Order(StrEnum):
    """The criterion by which decks are sorted."""

    FAIREST = "fairest"
    LONGEST = "longest"
    DECISIVE = "decisive"

    @property
    def text(self) -> str:
        """A description of what comes first."""
        return {
            Order.FAIREST: "red's share nearest to one half first",
            Order.LONGEST: "longest games first",
            Order.DECISIVE: "decided by the first move most often first",
        }[self]

    @property
    def measure(self) -> str:
        """The name of the measure that is compared."""
        return {
            Order.FAIREST: "fairness",
            Order.LONGEST: "length",
            Order.DECISIVE: "weight of the first move",
        }[self]

    def key(self, facts: DeckFacts) -> float:
        """Return the sort key, ascending."""
        return {
            Order.FAIREST: facts.unfairness,
            Order.LONGEST: -facts.mean_plies,
            Order.DECISIVE: -facts.decisive_share,
        }[self]

    def sort(self, facts: Iterable[DeckFacts]) -> list[DeckFacts]:
        """Sort the facts, ties by deck."""
        return sorted(facts, key=lambda found: (self.key(found), found.deck))

    def place(self, facts: DeckFacts, among: Sequence[DeckFacts]) -> int:
        """Return the rank among others, from 1 on."""
        return 1 + sum(self.key(other) < self.key(facts) for other in among)


def official_among(facts: Iterable[DeckFacts]) -> DeckFacts | None:
    """Return the facts of the rule sheet's deck, if they are among these."""
    return next((found for found in facts if found.deck == OFFICIAL), None)


def ordinal(place: int) -> str:
    """Format a rank as an ordinal number.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st', '112th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if 10 < place % 100 < 14 else ending}"
