"""The rule sets, as data: what differs between two ways to play is written here and nowhere else.

To add a rule set of the same kind (another board, deck or first move): add a `Rules` to `RULE_SETS`, or for
the solo game a `SoloRules` to `SOLO_RULES`. Notation, commands, census, API, page and tests pick it up from
there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from collapsi.board import Board
from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    """Red moves first. Games for two have red and blue only: `PAIR`."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3

    @property
    def other(self) -> Player:
        """The opponent, in a game for two."""
        return Player.BLUE if self is Player.RED else Player.RED

    @property
    def letter(self) -> str:
        """How the player is written in a position: r, b, g or y."""
        return "rbgy"[self]

    def __str__(self) -> str:
        return ("red", "blue", "green", "yellow")[self]


PAIR = (Player.RED, Player.BLUE)
"""The players of a game for two."""


class Wrap(StrEnum):
    """The readings of the shifting board: where a line goes on that has been shifted out of the square.

    The rule sheet does not say. In all of them collapsed cards count like the others.
    """

    LINE = "line"
    """Each line goes on at the first card of its other end."""
    BOX = "box"
    """A line goes on at the other side of the rectangle around all cards; a gap there blocks the way."""
    ROTATE = "rotate"
    """The card that is pushed out comes in again at the other end: the board stays a square."""


ANYWHERE = 0
"""In place of a number of steps: to any face-up card where no pawn stands, without walking there."""

STEPS = (1, 2, 3, 4)
"""What a card can ask for."""


@dataclass(frozen=True, repr=False)
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
    shift: Wrap | None = None
    """On the shifting board, how a shifted line wraps; None on a board that stays as it is."""
    uncounted: int = 0
    """How many moves at the start are no plies: the two by which the players choose where to start."""
    title: str = ""
    """What players call it."""
    text: str = ""
    """What a player who knows the standard rules has to know, in sentences."""

    @property
    def leaves_square(self) -> bool:
        """Whether cards may be pushed out of the square, so that gaps open."""
        return self.shift in (Wrap.LINE, Wrap.BOX)

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

    def allows_jacks(self, cells: Sequence[int]) -> bool:
        """Whether a deal may have its jacks on these cells: where lines shift, not in one row or column.

        >>> SHIFT.allows_jacks((0, 3)), SHIFT.allows_jacks((0, 5)), STANDARD.allows_jacks((0, 3))
        (False, True, True)
        """
        rows, columns = zip(*(divmod(cell, self.board.columns) for cell in cells), strict=True)
        return self.shift is None or len(set(rows)) == len(set(columns)) == len(cells)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Rules({self.name!r})"


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
_SHIFT_TEXT = (
    "After your walk, shift the row or the column you ended on by one space, either way: every card of it, "
    "collapsed ones too, and the pawns that stand on it, both of them. "
)
_GAPS_TEXT = (
    "Cards may leave the square, as far as they are pushed, and gaps open: nobody can enter or cross a gap. "
)
SHIFT = Rules(
    name="shift",
    summary="the Shifting Board: each move also shifts a row or column; a line wraps from end to end",
    board=Board(4, 4),
    cards=_DECK,
    first_steps=((1,), (1,)),
    shift=Wrap.LINE,
    title="Shifting Board",
    text=f"{_SHIFT_TEXT}{_GAPS_TEXT}A line goes on at the first card of its other end; if that one has "
    "collapsed, the way round is blocked. The jacks start in different rows and columns.",
)
SHIFT_BOX = replace(
    SHIFT,
    name="shift-box",
    summary="the Shifting Board where lines wrap at the rectangle around all cards: gaps at its edge block",
    shift=Wrap.BOX,
    title="Shifting Board, wrapping at the box",
    text=f"{_SHIFT_TEXT}{_GAPS_TEXT}The board wraps at the rectangle around all cards, collapsed ones too, "
    "so a gap at its edge blocks the way round. "
    "The jacks start in different rows and columns.",
)
SHIFT_ROTATE = replace(
    SHIFT,
    name="shift-rotate",
    summary="the Shifting Board where lines turn: the card pushed out comes in at the other end",
    shift=Wrap.ROTATE,
    title="Shifting Board, turning lines",
    text=f"{_SHIFT_TEXT}The card that is pushed out comes in again at the other end, so the board stays a "
    "square. The jacks start in different rows and columns.",
)
RULE_SETS = {rules.name: rules for rules in (STANDARD, JOKER, CHOICE, SHIFT, SHIFT_BOX, SHIFT_ROTATE)}
CLASSIC = {name: rules for name, rules in RULE_SETS.items() if rules.shift is None}
"""Those of the classic kind, where a move is a walk and nothing else: `collapsi.position`."""


def refuse_shifting(rules: Rules, what: str) -> None:
    """Refuse what is made for the classic game, where a board stays as it is.

    >>> refuse_shifting(SHIFT, "puzzles are")
    Traceback (most recent call last):
    collapsi.errors.CollapsiError: puzzles are for the classic game (standard, joker, choice), not for shift
    """
    if rules.shift is not None:
        msg = f"{what} for the classic game ({', '.join(CLASSIC)}), not for {rules}"
        raise CollapsiError(msg)


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


@dataclass(frozen=True, repr=False)
class CrowdRules:
    """One way to play with two to four pawns on a larger board: `collapsi.games.crowd`.

    Player *n* starts on the *n*-th jack dealt; jacks without a player are collapsed before play.

    >>> BIG3.players, BIG3.unused_jacks, sum(BIG3.deck.values())
    (3, 1, 36)
    """

    name: str
    """What `parse_crowd_rules` reads."""
    summary: str
    """What is special, for a list of the rule sets."""
    board: Board
    cards: tuple[tuple[Card, int], ...]
    players: int
    first_steps: int = 1
    official: bool = True
    """Whether the designer's rule sheet has it."""
    title: str = ""
    """What players call it."""
    text: str = ""
    """What a player who knows the standard rules has to know, in sentences."""

    @property
    def deck(self) -> dict[Card, int]:
        """How many there are of each card."""
        return dict(self.cards)

    @property
    def unused_jacks(self) -> int:
        """How many jacks have no player, and are collapsed before play."""
        return self.deck[Card.JACK] - self.players

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players, in the order in which they move."""
        return tuple(Player)[: self.players]

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:  # noqa: ARG002 - the same for everybody
        """The numbers of steps that a player standing on this card may choose from: one only."""
        return (self.first_steps if card is Card.JACK else int(card),)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"CrowdRules({self.name!r})"


_BIG_DECK = ((Card.JACK, 4), (Card.ACE, 8), (Card.TWO, 8), (Card.THREE, 8), (Card.FOUR, 8))
_BIG_TEXT = (
    "Six rows of six cards: four jacks and eight of each number. From its jack a pawn goes exactly one step. "
)
_OUT_TEXT = (
    "Who cannot move on their turn is out: the pawn leaves, its card stays face up, and the others play on. "
    "The last one left wins; the first to go out gets no point, the next one, and so on."
)
BIG = CrowdRules(
    name="big",
    summary="the big board for two: thirty-six cards",
    board=Board(6, 6),
    cards=_BIG_DECK,
    players=2,
    title="Big board, two players",
    text=f"{_BIG_TEXT}Two of the jacks are collapsed before play.",
)
BIG3 = replace(
    BIG,
    name="big3",
    summary="the big board for three: who cannot move is out, and the others play on",
    players=3,
    title="Big board, three players",
    text=f"{_BIG_TEXT}One of the jacks is collapsed before play. {_OUT_TEXT}",
)
BIG4 = replace(
    BIG,
    name="big4",
    summary="the big board for four: who cannot move is out, and the others play on",
    players=4,
    title="Big board, four players",
    text=f"{_BIG_TEXT}{_OUT_TEXT}",
)
FIVE3 = CrowdRules(
    name="five3",
    summary="five rows of five for three; unofficial, and the deck is our reading",
    board=Board(5, 5),
    # The small board's share of each card, 4 4 4 2, for the 22 cards that are no jacks.
    cards=((Card.JACK, 3), (Card.ACE, 6), (Card.TWO, 6), (Card.THREE, 6), (Card.FOUR, 4)),
    players=3,
    official=False,
    title="Five by five, three players",
    text="Not on the rule sheet; the deck is our reading: three jacks, six aces, six twos, six threes and "
    f"four fours. From its jack a pawn goes exactly one step. {_OUT_TEXT}",
)
CROWD_RULES = {rules.name: rules for rules in (BIG, BIG3, BIG4, FIVE3)}
"""The rule sets with two to four pawns that may go out one after the other."""
