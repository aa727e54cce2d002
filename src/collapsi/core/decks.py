"""Decks and boards as options of a rule set, and their notation: `standard@5,4,3,2`, `joker@3x4`.

Options follow the name of a rule set, each after an `@`, in any order: a deck (the numbers of aces, twos,
threes and fours) or a board (rows and columns).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from collapsi.core.board import Board
from collapsi.core.cards import DECK, Card
from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collapsi.core.rules import RuleSet

RulesT = TypeVar("RulesT", bound="RuleSet")

MOST_CELLS = 16
"""The largest board that an option can describe, in cells."""

FEWEST_LINES = 2
"""The minimum number of rows and columns."""

NUMBERS = (Card.ACE, Card.TWO, Card.THREE, Card.FOUR)
"""The numbered cards, in the order of a `Deck`."""

JACKS = 2

Deck = tuple[int, int, int, int]
"""The numbers of aces, twos, threes and fours; every deck also has two jacks."""


def split_options(text: str) -> tuple[str, Board | None, Deck | None]:
    """Split the text of rules into the part before the first `@`, the board and the deck.

    >>> split_options("joker@3x4@4,3,2,1")
    ('joker', Board(rows=3, columns=4), (4, 3, 2, 1))
    """
    base, *options = text.lower().split("@")
    board: Board | None = None
    deck: str | None = None
    for option in options:
        is_board = "," not in option
        if (board if is_board else deck) is not None:
            what = "board" if is_board else "deck"
            msg = f"{shorten(text)} names two {what}s: one is enough"
            raise MalformedError(msg)
        if is_board:
            board = parse_board(option)
        else:
            deck = option
    return base, board, None if deck is None else parse_deck(deck)


def refuse_wrong_size(deck: Deck, board: Board) -> None:
    """Raise if a deck does not fill a board."""
    numbered = board.size - JACKS
    if sum(deck) != numbered:
        shown = f"{board.rows}×{board.columns} board"
        msg = (
            f"the deck {format_deck(deck)} has {sum(deck)} cards with a number, and the {shown} has room for "
            f"{numbered} besides the two jacks, such as {format_deck(proportional(board))}"
        )
        raise MalformedError(msg)


def deck_of(rules: RuleSet) -> Deck:
    """Return the deck of a rule set.

    >>> import collapsi
    >>> deck_of(collapsi.STANDARD)
    (4, 4, 4, 2)
    """
    aces, twos, threes, fours = (rules.deck.get(card, 0) for card in NUMBERS)
    return aces, twos, threes, fours


def cards_of_deck(deck: Deck) -> tuple[tuple[Card, int], ...]:
    """Return a deck in the format of `RuleSet.cards`: the jacks first."""
    return ((Card.JACK, JACKS), *zip(NUMBERS, deck, strict=True))


@lru_cache(maxsize=32)
def proportional(board: Board) -> Deck:
    """Return the deck for a board in the proportions of the official deck, rounded to whole cards.

    Remaining cards go to the numbers with the largest remainders; ties go to the smaller number.

    >>> proportional(Board(3, 4)), proportional(Board(3, 5)), proportional(Board(3, 3))
    ((3, 3, 3, 1), (4, 4, 3, 2), (2, 2, 2, 1))
    """
    official = [count for card, count in DECK if card in NUMBERS]
    numbered = board.size - JACKS
    shares = [divmod(count * numbered, sum(official)) for count in official]
    over = numbered - sum(whole for whole, _ in shares)
    rounded_up = sorted(range(len(shares)), key=lambda place: -shares[place][1])[:over]
    aces, twos, threes, fours = (whole + (place in rounded_up) for place, (whole, _) in enumerate(shares))
    return aces, twos, threes, fours


def with_deck(rules: RulesT, board: Board, deck: Deck) -> RulesT:
    """Return named rules with another board or deck; name and texts say what differs."""
    name, title, layout = rules.name, rules.title, "the deck: "
    if board != rules.board:
        name, title = f"{name}@{format_board(board)}", f"{title}, {board.rows}×{board.columns}"
        layout = f"{board.rows} rows of {board.columns} cards: "
    if board == rules.board or deck != proportional(board):
        name, title = f"{name}@{format_deck(deck)}", f"{title}, deck {format_deck(deck)}"
    description = f"{layout}{describe_deck(deck)}"
    return replace(
        rules,
        name=name,
        summary=f"{rules.summary}; {description}",
        board=board,
        cards=cards_of_deck(deck),
        title=title,
        text=f"{rules.text} {description[0].upper()}{description[1:]}.",
    )


def parse_deck(text: str) -> Deck:
    """Read a deck: the numbers of aces, twos, threes and fours, separated by commas.

    >>> parse_deck("5,4,3,2")
    (5, 4, 3, 2)
    """
    counts = text.split(",")
    if len(counts) != len(NUMBERS) or not all(_is_count(count) for count in counts):
        msg = f"{shorten(text)} is no deck: write how many aces, twos, threes and fours, such as 5,4,3,2"
        raise MalformedError(msg)
    aces, twos, threes, fours = map(int, counts)
    return aces, twos, threes, fours


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2


def format_deck(deck: Deck) -> str:
    """Write a deck as `parse_deck` reads it: `5,4,3,2`."""
    return ",".join(map(str, deck))


def describe_deck(deck: Deck) -> str:
    """Describe a deck in words, including the jacks.

    >>> describe_deck((5, 4, 3, 2))
    '2 jacks, 5 aces, 4 twos, 3 threes and 2 fours'
    """
    parts = [
        f"{count or 'no'} {card.plural if count != 1 else card.plural[:-1]}"
        for card, count in cards_of_deck(deck)
    ]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def parse_board(text: str) -> Board:
    """Read a board: rows, `x` and columns.

    >>> parse_board("3x4")
    Board(rows=3, columns=4)
    """
    rows, cross, columns = text.lower().replace("×", "x").partition("x")
    if not (cross and _is_count(rows) and _is_count(columns)):
        msg = (
            f"{shorten(text)} is neither a board (rows and columns, such as 3x4) "
            "nor a deck (aces, twos, threes and fours, such as 5,4,3,2)"
        )
        raise MalformedError(msg)
    if min(int(rows), int(columns)) < FEWEST_LINES or int(rows) * int(columns) > MOST_CELLS:
        msg = (
            f"a board of {int(rows)}×{int(columns)} is not supported: "
            f"at least {FEWEST_LINES} rows and columns, and at most {MOST_CELLS} cards"
        )
        raise MalformedError(msg)
    return Board(int(rows), int(columns))


def format_board(board: Board) -> str:
    """Write a board as `parse_board` reads it: `3x4`."""
    return f"{board.rows}x{board.columns}"
