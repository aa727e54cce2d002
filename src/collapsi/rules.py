"""The rule sets, as data: what differs between two ways to play is written here and nowhere else.

To add a rule set of the same kind (another board, deck or first move): add a `Rules` to `RULE_SETS`, or for
the solo game a `SoloRules` to `SOLO_RULES`. Notation, commands, census, API, page and tests pick it up from
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

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


ANYWHERE = 0
"""In place of a number of steps: to any face-up card where no pawn stands, without walking there."""

STEPS = (1, 2, 3, 4)
"""What a card can ask for."""


@dataclass(frozen=True)
class Rules:
    """One way to play: the board, the deck, and how far each player's first move may go.

    A pawn that stands on a jack makes its first move; every later move is the number it stands on.

    >>> STANDARD.first_steps[Player.RED], sum(STANDARD.deck.values())
    ((1,), 16)
    """

    name: str
    """What `parse_rules` reads."""
    summary: str
    """What is special, for a list of the rule sets."""
    board: Board
    cards: tuple[tuple[Card, int], ...]
    first_steps: tuple[tuple[int, ...], tuple[int, ...]]
    uncounted: int = 0
    """How many moves at the start are no plies: the two by which the players choose where to start."""
    title: str = ""
    """What players call it."""
    text: str = ""
    """What a player who knows the standard rules has to know, in sentences."""

    @property
    def deck(self) -> dict[Card, int]:
        """How many there are of each card."""
        return dict(self.cards)

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """The numbers of steps that a player standing on this card may choose from."""
        return self.first_steps[player] if card == Card.JACK else (int(card),)

    @property
    def first_walks(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first moves as walks. On a whole board 1 to 4 steps lead everywhere: `ANYWHERE` is all."""
        red, blue = (STEPS if ANYWHERE in steps else steps for steps in self.first_steps)
        return red, blue

    def __str__(self) -> str:
        return self.name


_DECK = ((Card.JACK, 2), (Card.ACE, 4), (Card.TWO, 4), (Card.THREE, 4), (Card.FOUR, 2))

STANDARD = Rules(
    name="standard",
    summary="the rule sheet since v1.2: from its jack a pawn goes one step",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=((1,), (1,)),
    title="Standard",
    text="From its jack a pawn goes exactly one step.",
)
JOKER = Rules(
    name="joker",
    summary="the rules before v1.2: the first move of each player goes 1, 2, 3 or 4 steps by choice",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=(STEPS, STEPS),
    title="Joker",
    text="The old rules: the first move of each player goes 1, 2, 3 or 4 steps, as they like.",
)
CHOICE = Rules(
    name="choice",
    summary="Player's Choice: both jacks collapse, and each player picks a card to start on",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=((ANYWHERE,), (ANYWHERE,)),
    uncounted=2,
    title="Player’s Choice",
    text="First red, then blue picks any card to start on, and the jacks collapse. Then red moves. "
    "Picking a card is no ply, so this is Joker two plies shorter.",
)
RULE_SETS = {rules.name: rules for rules in (STANDARD, JOKER, CHOICE)}


class Exit(StrEnum):
    """The two readings of solo's exit while other cards are face up: to be passed over, or not even that."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class SoloRules:
    """One way to play alone: the board and the reading of the exit. Decks are in `collapsi.games.solo_deals`.

    >>> SOLO.board.size, SOLO.exit, SOLO.first_steps
    (9, <Exit.OPEN: 'open'>, 1)
    """

    board: Board
    exit: Exit = Exit.OPEN
    first_steps: int = 1
    name: str = "solo"

    def steps(self, card: Card) -> int:
        """The number of steps that a pawn on this card goes."""
        return self.first_steps if card is Card.JACK else int(card)

    @property
    def title(self) -> str:
        """What players call it."""
        return "Solo" if self.exit is Exit.OPEN else "Solo, exit closed"

    @property
    def text(self) -> str:
        """What this reading of the exit means, for a player who knows `HOW_TO_PLAY_SOLO`, in a sentence."""
        if self.exit is Exit.OPEN:
            return "Until then you may pass over the exit, but not end on it."
        return "Until then you may neither end on the exit nor pass over it."

    def __str__(self) -> str:
        return self.name


HOW_TO_PLAY_SOLO = (
    "A game for one. Your pawn starts on a jack; the other jack, X, is the exit. Collapse every other card, "
    "then leave by the exit from a card next to it, whatever its number."
)
SOLO_BOARDS = (Board(3, 3), Board(4, 4))
SOLO_RULES = {(board, exit): SoloRules(board, exit) for board in SOLO_BOARDS for exit in Exit}
SOLO = SOLO_RULES[Board(3, 3), Exit.OPEN]


def opening_rules(red: tuple[int, ...], blue: tuple[int, ...]) -> Rules:
    """The rules with these numbers of steps for the first moves: one of the registry, or made up.

    >>> opening_rules((1, 3), (1,)).name, opening_rules((1, 2, 3, 4), (1, 2, 3, 4)).name
    ('1,3|1', 'joker')
    """
    for rules in RULE_SETS.values():
        if (rules.board, rules.cards, rules.first_steps) == (STANDARD.board, STANDARD.cards, (red, blue)):
            return rules
    name = f"{format_steps(red)}|{format_steps(blue)}"
    summary = f"first move: red {describe_steps(red)}, blue {describe_steps(blue)}"
    return Rules(
        name,
        summary,
        STANDARD.board,
        STANDARD.cards,
        (red, blue),
        title=f"First moves {name}",
        text=f"{summary[0].upper()}{summary[1:]}.",
    )


def format_steps(steps: tuple[int, ...]) -> str:
    """A set of steps as it is typed: `1,3`."""
    return ",".join(map(str, steps))


def parse_steps(text: str) -> tuple[int, ...] | None:
    """The set of steps written so, with commas between or as a range; None for anything else.

    >>> parse_steps("1,3"), parse_steps("1-4"), parse_steps("5")
    ((1, 3), (1, 2, 3, 4), None)
    """
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        ends = [first, last if dash else first]
        if not all(end in ("1", "2", "3", "4") for end in ends) or ends[0] > ends[1]:
            return None
        found.update(range(int(ends[0]), int(ends[1]) + 1))
    return tuple(sorted(found))


def describe_steps(steps: tuple[int, ...]) -> str:
    """A set of steps in words: `1 or 3`."""
    return " or ".join(map(str, steps))
