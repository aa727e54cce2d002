"""The rule sets, as data: what differs between two ways to play is written here and nowhere else.

To add a rule set of the same kind (another board, deck or first move): add a `Rules` to `RULE_SETS`.
Tests, notation and command line pick it up from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from collapsi.board import Board


class Card(IntEnum):
    """A face-up card; the value is the number of steps it asks for. A jack's steps are up to the rules."""

    JACK = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4

    @property
    def letter(self) -> str:
        """How the card is written: J, A, 2, 3 or 4."""
        return "JA234"[self]

    @property
    def plural(self) -> str:
        """How several of them are called, as in "four aces"."""
        return ("jacks", "aces", "twos", "threes", "fours")[self]


class Player(IntEnum):
    """Red moves first."""

    RED = 0
    BLUE = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.BLUE if self is Player.RED else Player.RED

    @property
    def letter(self) -> str:
        """How the player is written in a position: r or b."""
        return "rb"[self]

    def __str__(self) -> str:
        return ("red", "blue")[self]


@dataclass(frozen=True)
class Rules:
    """One way to play: the board, the deck, and how far each player's first move may go.

    A pawn that stands on a jack makes its first move; every later move is the number it stands on.

    >>> STANDARD.first_steps[Player.RED], sum(STANDARD.deck.values())
    ((1,), 16)
    """

    name: str
    summary: str
    board: Board
    cards: tuple[tuple[Card, int], ...]
    first_steps: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def deck(self) -> dict[Card, int]:
        """How many there are of each card."""
        return dict(self.cards)

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """The numbers of steps that a player standing on this card may choose from."""
        return self.first_steps[player] if card == Card.JACK else (int(card),)

    def __str__(self) -> str:
        return self.name


_DECK = ((Card.JACK, 2), (Card.ACE, 4), (Card.TWO, 4), (Card.THREE, 4), (Card.FOUR, 2))

STANDARD = Rules(
    name="standard",
    summary="the rule sheet since v1.2: from its jack a pawn goes one step",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=((1,), (1,)),
)
JOKER = Rules(
    name="joker",
    summary="the rules before v1.2: the first move of each player goes 1, 2, 3 or 4 steps by choice",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=((1, 2, 3, 4), (1, 2, 3, 4)),
)
RULE_SETS = {rules.name: rules for rules in (STANDARD, JOKER)}
