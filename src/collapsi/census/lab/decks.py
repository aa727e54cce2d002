"""The decks of the laboratory, and how many of them are solved together."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from collapsi.census.layers import ONE_LINE, VALUES, bytes_needed, layers_of
from collapsi.core.decks import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collapsi.census.layers import Decks
    from collapsi.core.decks import Deck
    from collapsi.games.classic.rules import Rules

QUESTIONS = (VALUES, ONE_LINE)
"""The layers' questions that are answered for all deals of a deck."""


def decks_near(deck: Deck, cards: int) -> list[Deck]:
    """Return all decks that result from exchanging up to `cards` cards of a deck for others.

    >>> len(decks_near((4, 4, 4, 2), 1)), len(decks_near((4, 4, 4, 2), 2))
    (13, 55)
    """
    changes = product(range(-cards, cards + 1), repeat=len(NUMBERS))
    found: list[Deck] = []
    for change in changes:
        aces, twos, threes, fours = (count + more for count, more in zip(deck, change, strict=True))
        near = aces, twos, threes, fours
        if min(near) >= 0 and sum(near) == sum(deck) and exchanged(deck, near) <= cards:
            found.append(near)
    return sorted(found)


def exchanged(one: Deck, other: Deck) -> int:
    """Return the number of cards to exchange to turn one deck into the other.

    >>> exchanged((4, 4, 4, 2), (5, 4, 3, 2)), exchanged((4, 4, 4, 2), (6, 4, 4, 0))
    (1, 2)
    """
    return sum(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True)) // 2


def batches(decks: Iterable[Deck], rules: Rules, memory: int) -> Iterator[Decks]:
    """Yield groups of decks to solve together, each as large as `memory` bytes allow.

    Similar decks have most numberings of few cards in common, which are solved once for all of them. Decks
    with the same number of fours are grouped.
    """
    batch: Decks = ()
    for deck in sorted(decks, key=lambda deck: (deck[3], deck)):
        if batch and memory_for(rules, (*batch, deck)) > memory:
            yield batch
            batch = ()
        batch = (*batch, deck)
    if batch:
        yield batch


def memory_for(rules: Rules, decks: Decks) -> int:
    """Estimate the bytes of memory needed to solve these decks together."""
    return max(bytes_needed(layers_of(rules, decks), question) for question in QUESTIONS)
