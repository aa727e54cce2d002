"""Layouts for the solo game: the decks, dealing, and layouts that can be solved and are as hard as one likes.

How hard a layout is, is measured by the *share of random play that succeeds*: somebody who takes any legal
move, each as likely as any other, solves it with exactly this chance. It is worked out, not tried out. A
deck's scale says where easy ends and hard begins; the numbers are near the thirds of its layouts that can be
solved (of all of them on nine cells, of a sample of some hundred on sixteen), so each kind is about as
frequent as the others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING

from collapsi.board import Board
from collapsi.errors import CollapsiError, MalformedError
from collapsi.games.solo import Solo
from collapsi.rows import shorten
from collapsi.rules import SOLO_RULES, Card, Exit
from collapsi.solve.solo import Table, is_solvable

if TYPE_CHECKING:
    import random

MOST_DEALS = 20_000
"""Deals before the search for a layout is given up. The rarest kind of our decks is one in some sixty."""


class Difficulty(StrEnum):
    """How hard a layout is among those of its deck that can be solved: about a third of them each."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True)
class Scale:
    """Where easy ends and hard begins.

    >>> print(Scale(easy=6, hard=9))
    easy: at least one random game in 6 succeeds; hard: fewer than one in 9; medium: between
    """

    easy: int
    hard: int

    def difficulty(self, share: Fraction) -> Difficulty:
        """How hard a layout is of which this share of random play succeeds."""
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
    """The cards of a solo game: the numbers beside start and exit, and how hard layouts of them are.

    >>> OFFICIAL.layouts
    1120
    """

    name: str
    board: Board
    cards: tuple[tuple[Card, int], ...]
    """How many there are of each card; the two jacks are start and exit."""
    scales: tuple[Scale | None, Scale | None]
    """With an open and with a closed exit; None where no layout can be solved."""

    def __repr__(self) -> str:
        return f"Deck({self.name!r})"

    @property
    def numbers(self) -> str:
        """The numbers beside start and exit, smallest first.

        >>> OFFICIAL.numbers
        '1112223'
        """
        return "".join(str(int(card)) * count for card, count in self.cards if card is not Card.JACK)

    @property
    def pack(self) -> list[Card]:
        """Every card once, in order."""
        return [card for card, count in self.cards for _ in range(count)]

    @property
    def layouts(self) -> int:
        """The number of different layouts with the start in one place."""
        counts = [count for card, count in self.cards if card is not Card.JACK]
        return factorial(self.board.size - 1) // prod(map(factorial, counts))

    def scale(self, reading: Exit) -> Scale:
        """Where easy ends and hard begins with this reading of the exit."""
        scale = self.scales[list(Exit).index(reading)]
        if scale is None:
            msg = f"no layout of deck {self.name} can be solved with the exit {reading}"
            raise CollapsiError(msg)
        return scale

    def difficulty(self, share: Fraction, reading: Exit) -> Difficulty:
        """How hard a layout is of which this share of random play succeeds."""
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
        # Harder ones that people use. Not every layout of them can be solved.
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
    """The deck of that name; the official one also goes by its numbers.

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
    """The deck of which the position is a whole layout, the pawn on its jack; None if we know none such."""
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
    """Deal until a layout can be solved and is as hard as is wanted.

    >>> import random
    >>> deal_solvable(random.Random(1), difficulty=Difficulty.HARD)
    Solo('A2Jr/A2X/3A2')
    """
    scale = deck.scale(reading)
    for _ in range(MOST_DEALS):
        dealt = deal_solo(rng, deck, reading)
        if is_solvable(dealt) and difficulty in (None, scale.difficulty(Table(dealt).share(dealt))):
            return dealt
    kind = f"solvable {difficulty}" if difficulty else "solvable"
    msg = f"none of {MOST_DEALS:,} deals of deck {deck} is a {kind} layout with the exit {reading}"
    raise CollapsiError(msg)
