"""Layouts of the solo game: decks, dealing, and solvable layouts of a given difficulty.

The difficulty of a layout is the *share of random play that succeeds*: the exact probability that uniformly
random legal moves solve it. The scale of a deck has the limits of easy and hard, which are near the terciles
of its solvable layouts (of all of them on nine cells, of a sample of some hundred on sixteen), so all three
difficulties are about equally frequent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING

from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.rows import shorten
from collapsi.games.solo.rules import SOLO_RULES, Exit
from collapsi.games.solo.search import SolutionTable, is_solvable
from collapsi.games.solo.state import Solo

if TYPE_CHECKING:
    import random

MOST_DEALS = 20_000
"""Most deals when looking for a layout. The rarest kind of our decks is about one in sixty."""


class Difficulty(StrEnum):
    """How hard a layout is among the solvable ones of its deck: about a third of them each."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True)
class Scale:
    """The limits of easy and hard: one in this many random games succeeds.

    >>> print(Scale(easy=6, hard=9))
    easy: at least one random game in 6 succeeds; hard: fewer than one in 9; medium: between
    """

    easy: int
    hard: int

    def difficulty(self, share: Fraction) -> Difficulty:
        """Return the difficulty of a layout from its share of random play that succeeds."""
        if share >= Fraction(1, self.easy):
            return Difficulty.EASY
        return Difficulty.HARD if share < Fraction(1, self.hard) else Difficulty.MEDIUM

    def __str__(self) -> str:
        return (
            f"easy: at least one random game in {self.easy:,} succeeds; "
            f"hard: fewer than one in {self.hard:,}; medium: between"
        )


@dataclass(frozen=True, repr=False)
class Deck:
    """The cards of a solo game: the numbers besides start and exit, and the scale of difficulty.

    >>> OFFICIAL.layouts
    1120
    """

    name: str
    board: Board
    cards: tuple[tuple[Card, int], ...]
    """The number of each card; the two jacks are start and exit."""
    scales: tuple[Scale | None, Scale | None]
    """With an open and with a closed exit; None if no layout can be solved."""

    def __repr__(self) -> str:
        return f"Deck({self.name!r})"

    @property
    def numbers(self) -> str:
        """The numbers besides start and exit, smallest first.

        >>> OFFICIAL.numbers
        '1112223'
        """
        return "".join(str(int(card)) * count for card, count in self.cards if card is not Card.JACK)

    @property
    def pack(self) -> list[Card]:
        """All cards, in order."""
        return [card for card, count in self.cards for _ in range(count)]

    @property
    def layouts(self) -> int:
        """The number of different layouts with the start in one place."""
        counts = [count for card, count in self.cards if card is not Card.JACK]
        return factorial(self.board.size - 1) // prod(map(factorial, counts))

    def scale(self, reading: Exit) -> Scale:
        """Return the scale for a reading of the exit."""
        scale = self.scales[list(Exit).index(reading)]
        if scale is None:
            msg = f"no layout of deck {self.name} can be solved with the exit {reading}"
            raise CollapsiError(msg)
        return scale

    def difficulty(self, share: Fraction, reading: Exit) -> Difficulty:
        """Return the difficulty of a layout from its share of random play that succeeds."""
        return self.scale(reading).difficulty(share)

    def __str__(self) -> str:
        return self.name


def _deck(numbers: str, board: Board, open_exit: Scale, closed_exit: Scale | None, name: str = "") -> Deck:
    counts = Counter(numbers)
    cards = [(Card.JACK, 2), *((Card(int(number)), counts[number]) for number in sorted(counts))]
    return Deck(name or numbers, board, tuple(cards), (open_exit, closed_exit))


_SMALL, _LARGE = Board(3, 3), Board(4, 4)
OFFICIAL = _deck("1112223", _SMALL, Scale(6, 9), Scale(20, 40), name="official")
DECKS = {
    deck.name: deck
    for deck in (
        OFFICIAL,
        # Harder decks that players use. Some of their layouts cannot be solved.
        _deck("1122334", _SMALL, Scale(10, 16), Scale(50, 100)),
        _deck("1233334", _SMALL, Scale(16, 40), Scale(170, 300)),
        _deck("1233444", _SMALL, Scale(25, 50), Scale(130, 350)),
        _deck("2233444", _SMALL, Scale(25, 45), None),
        _deck("2333444", _SMALL, Scale(30, 45), None),
        _deck("11112222333344", _LARGE, Scale(200, 450), Scale(1500, 4000)),
        _deck("11122233334444", _LARGE, Scale(400, 1000), Scale(3500, 10000)),
        _deck("11222233334444", _LARGE, Scale(600, 1600), Scale(8000, 25000)),
        _deck("11222333334444", _LARGE, Scale(500, 1200), Scale(5000, 16000)),
        _deck("12223333344444", _LARGE, Scale(900, 2400), Scale(8000, 25000)),
    )
}


def parse_deck(name: str | Deck) -> Deck:
    """Return the deck with a name; the official one can be named by its numbers too.

    >>> parse_deck("1112223") is parse_deck("official")
    True
    """
    if isinstance(name, Deck):
        return name
    for deck in DECKS.values():
        if name.lower() in (deck.name, deck.numbers):
            return deck
    msg = f"unknown deck {shorten(name)}: choose one of {', '.join(DECKS)}"
    raise MalformedError(msg)


def deck_of(position: Solo) -> Deck | None:
    """Return the deck of which the position is a complete layout, or None."""
    if position.cards[position.pawn] is not Card.JACK:
        return None
    counts = Counter(position.cards)
    for deck in DECKS.values():
        if deck.board == position.board and dict(deck.cards) == counts:
            return deck
    return None


def deal_solo(rng: random.Random, deck: Deck = OFFICIAL, reading: Exit = Exit.OPEN) -> Solo:
    """Shuffle and deal: cards in reading order, the pawn on the first jack, the second is the exit.

    >>> import random
    >>> deal_solo(random.Random(1))
    Solo('222/AAJr/3XA')
    """
    cards = deck.pack
    rng.shuffle(cards)
    return Solo(tuple(cards), (cards.index(Card.JACK),), SOLO_RULES[deck.board, reading])


def deal_solvable(
    rng: random.Random,
    deck: Deck = OFFICIAL,
    reading: Exit = Exit.OPEN,
    difficulty: Difficulty | None = None,
) -> Solo:
    """Deal until a layout is solvable and has the given difficulty.

    >>> import random
    >>> deal_solvable(random.Random(1), difficulty=Difficulty.HARD)
    Solo('A2Jr/A2X/3A2')
    """
    scale = deck.scale(reading)
    for _ in range(MOST_DEALS):
        dealt = deal_solo(rng, deck, reading)
        if is_solvable(dealt) and difficulty in (None, scale.difficulty(SolutionTable(dealt).share(dealt))):
            return dealt
    kind = f"solvable {difficulty}" if difficulty else "solvable"
    msg = f"none of {MOST_DEALS:,} deals of deck {deck} is a {kind} layout with the exit {reading}"
    raise CollapsiError(msg)
