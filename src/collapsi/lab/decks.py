"""Which decks the laboratory looks at, and how many of them are solved together."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from collapsi.made_up import NUMBERS
from collapsi.solve.layers import ONE_LINE, VALUES, bytes_needed, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collapsi.made_up import Deck
    from collapsi.rules import Rules
    from collapsi.solve.layers import Decks

QUESTIONS = (VALUES, ONE_LINE)
"""What is asked of all deals of a deck."""


def decks_near(deck: Deck, cards: int) -> list[Deck]:
    """All decks of as many cards that this one becomes if up to so many cards are exchanged for others.

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
    """How many cards have to be exchanged to make one deck the other.

    >>> exchanged((4, 4, 4, 2), (5, 4, 3, 2)), exchanged((4, 4, 4, 2), (6, 4, 4, 0))
    (1, 2)
    """
    return sum(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True)) // 2


def batches(decks: Iterable[Deck], rules: Rules, room: int) -> Iterator[Decks]:
    """The decks in groups that are solved together, each as large as so many bytes of memory allow.

    Decks that are alike have most numberings of few cards in common, which are solved once for all of them.
    Those with as many fours come together.
    """
    together: Decks = ()
    for deck in sorted(decks, key=lambda deck: (deck[3], deck)):
        if together and memory_for(rules, (*together, deck)) > room:
            yield together
            together = ()
        together = (*together, deck)
    if together:
        yield together


def memory_for(rules: Rules, decks: Decks) -> int:
    """About how many bytes it takes to solve these decks together."""
    return max(bytes_needed(layers_of(rules, decks), question) for question in QUESTIONS)
