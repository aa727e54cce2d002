"""Rule sets made up from options: other first moves, another board, another deck; and the text they have.

The text is that of a rule set, or first moves, and then options, each after an `@` and in any order::

    standard@5,4,3,2        five aces, four twos, three threes and two fours, beside the two jacks
    1,3|2@5,4,3,2           the same, with first moves of 1 or 3 steps for red and 2 for blue
    joker@3x4               three rows of four cards, and a deck in proportion to the official one
    joker@3x4@4,3,2,1       the same with this deck

What is written is always first moves, board, deck, and only what is not as in the rule set.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from collapsi.board import Board
from collapsi.errors import CollapsiError, MalformedError
from collapsi.rows import shorten
from collapsi.rules import ANYWHERE, RULE_SETS, STANDARD, STEPS, Card, Rules

MOST_CELLS = 16
"""A board of the classic game has no more."""

FEWEST_LINES = 2
"""Nor fewer rows or columns."""

NUMBERS = (Card.ACE, Card.TWO, Card.THREE, Card.FOUR)
"""The cards of a deck that have a number, in the order in which they are counted."""

JACKS = 2

Deck = tuple[int, int, int, int]
"""How many aces, twos, threes and fours there are, beside two jacks."""

FirstSteps = tuple[tuple[int, ...], tuple[int, ...]]
"""The steps that red's and blue's first moves may be chosen from."""


def find_rules(text: str) -> Rules | None:
    """The rules of that text; None for what is none, and an error for options that cannot be had.

    >>> find_rules("1,3|1@5,4,3,2").name, find_rules("1|1@4,4,4,2").name, find_rules("b4")
    ('1,3|1@5,4,3,2', 'standard', None)
    """
    base, *options = text.lower().split("@")
    rules = RULE_SETS.get(base)
    if rules is None:
        red, bar, blue = base.partition("|")
        steps = parse_steps(red), parse_steps(blue)
        if not (bar and steps[0] and steps[1]):
            return None
        rules = opening_rules(steps[0], steps[1])
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
    return with_options(rules, board=board, deck=None if deck is None else parse_deck(deck))


def with_options(
    rules: Rules,
    *,
    first_steps: FirstSteps | None = None,
    board: Board | None = None,
    deck: Deck | None = None,
) -> Rules:
    """The rules with other first moves, another board or another deck: one of the registry, or made up.

    A board without a deck gets the one in proportion.

    >>> with_options(STANDARD, deck=(5, 4, 3, 2)).name, with_options(STANDARD, board=Board(3, 4)).name
    ('standard@5,4,3,2', 'standard@3x4')
    """
    first_steps = first_steps or rules.first_steps
    if deck is None:
        deck = deck_of(rules) if board in (None, rules.board) else proportional(board)
    board = board or rules.board
    return _made_up(rules, first_steps, board, deck)


def opening_rules(red: tuple[int, ...], blue: tuple[int, ...]) -> Rules:
    """The rules with these numbers of steps for the first moves: one of the registry, or made up.

    >>> opening_rules((1, 3), (1,)).name, opening_rules((1, 2, 3, 4), (1, 2, 3, 4)).name
    ('1,3|1', 'joker')
    """
    return with_options(STANDARD, first_steps=(red, blue))


def _made_up(rules: Rules, first_steps: FirstSteps, board: Board, deck: Deck) -> Rules:
    cards = cards_of_deck(deck)
    base = _of_first_moves(rules, first_steps)
    if (board, cards) == (base.board, base.cards):
        return base
    _refuse(base, board, deck)
    name, title = base.name, base.title
    if board != base.board:
        name, title = f"{name}@{format_board(board)}", f"{title}, {board.rows}×{board.columns}"
    if board == base.board or deck != proportional(board):
        name, title = f"{name}@{format_deck(deck)}", f"{title}, deck {format_deck(deck)}"
    laid = f"{board.rows} rows of {board.columns} cards: " if board != base.board else "the deck: "
    told = f"{laid}{describe_deck(deck)}"
    return replace(
        base,
        name=name,
        summary=f"{base.summary}; {told}",
        board=board,
        cards=cards,
        title=title,
        text=f"{base.text} {told[0].upper()}{told[1:]}.",
    )


def _of_first_moves(rules: Rules, first_steps: FirstSteps) -> Rules:
    """The rules of the same kind with these first moves, on the board and with the deck of the registry."""
    if first_steps == rules.first_steps and rules.name in RULE_SETS:
        return rules
    wanted = rules.shift, STANDARD.board, STANDARD.cards, first_steps
    for known in RULE_SETS.values():
        if (known.shift, known.board, known.cards, known.first_steps) == wanted:
            return known
    if rules.shift is not None:
        msg = f"{rules} has one first move, of one step: other first moves go with standard or joker"
        raise MalformedError(msg)
    red, blue = first_steps
    name = f"{format_steps(red)}|{format_steps(blue)}"
    summary = f"first move: red {describe_steps(red)}, blue {describe_steps(blue)}"
    return Rules(
        name,
        summary,
        STANDARD.board,
        STANDARD.cards,
        first_steps,
        title=f"First moves {name}",
        text=f"{summary[0].upper()}{summary[1:]}.",
    )


def _refuse(rules: Rules, board: Board, deck: Deck) -> None:
    """Refuse a board or a deck that these rules cannot have."""
    numbered = board.size - JACKS
    if sum(deck) != numbered:
        shown = f"{board.rows}×{board.columns} board"
        msg = (
            f"the deck {format_deck(deck)} has {sum(deck)} cards with a number, and the {shown} has room for "
            f"{numbered} beside the two jacks, such as {format_deck(proportional(board))}"
        )
        raise MalformedError(msg)
    if rules.shift is not None and board != rules.board:
        msg = f"{rules} is played on the 4×4 board only: other boards go with standard, joker or choice"
        raise MalformedError(msg)
    farthest = board.rows // 2 + board.columns // 2
    if any(ANYWHERE in steps for steps in rules.first_steps) and farthest > max(STEPS):
        size = f"{board.rows}×{board.columns}"
        msg = f"{rules} needs a board where four steps lead everywhere, and on {size} they do not"
        raise MalformedError(msg)


def refuse_other_boards(rules: Rules) -> None:
    """Refuse what is done with all deals at once, which is made for the board of the rule sheet.

    >>> refuse_other_boards(with_options(STANDARD, board=Board(3, 4)))
    Traceback (most recent call last):
    collapsi.errors.CollapsiError: all deals are counted on the 4×4 board only, not on 3×4
    """
    board = rules.board
    if board != STANDARD.board:
        msg = f"all deals are counted on the 4×4 board only, not on {board.rows}×{board.columns}"
        raise CollapsiError(msg)


def deck_of(rules: Rules) -> Deck:
    """How many aces, twos, threes and fours the rules have.

    >>> deck_of(STANDARD)
    (4, 4, 4, 2)
    """
    aces, twos, threes, fours = (rules.deck.get(card, 0) for card in NUMBERS)
    return aces, twos, threes, fours


def cards_of_deck(deck: Deck) -> tuple[tuple[Card, int], ...]:
    """A deck as rules have it: the jacks first."""
    return ((Card.JACK, JACKS), *zip(NUMBERS, deck, strict=True))


@cache
def proportional(board: Board) -> Deck:
    """The deck for a board that has the official deck's shares, as near as whole cards allow.

    Cards that are over go to the numbers that were rounded down most, and of equals to the smaller.

    >>> proportional(Board(3, 4)), proportional(Board(3, 5)), proportional(Board(3, 3))
    ((3, 3, 3, 1), (4, 4, 3, 2), (2, 2, 2, 1))
    """
    official = deck_of(STANDARD)
    numbered = board.size - JACKS
    shares = [divmod(count * numbered, sum(official)) for count in official]
    over = numbered - sum(whole for whole, _ in shares)
    rounded_up = sorted(range(len(shares)), key=lambda place: -shares[place][1])[:over]
    aces, twos, threes, fours = (whole + (place in rounded_up) for place, (whole, _) in enumerate(shares))
    return aces, twos, threes, fours


def parse_deck(text: str) -> Deck:
    """The deck that is written so: how many aces, twos, threes and fours, with commas between.

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
    """A deck as it is typed: `5,4,3,2`."""
    return ",".join(map(str, deck))


def describe_deck(deck: Deck) -> str:
    """A deck in words, jacks and all.

    >>> describe_deck((5, 4, 3, 2))
    '2 jacks, 5 aces, 4 twos, 3 threes and 2 fours'
    """
    parts = [
        f"{count or 'no'} {card.plural if count != 1 else card.plural[:-1]}"
        for card, count in cards_of_deck(deck)
    ]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def parse_board(text: str) -> Board:
    """The board that is written so: rows, x and columns.

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
            f"a board of {int(rows)}×{int(columns)} cannot be had: "
            f"at least {FEWEST_LINES} rows and columns, and at most {MOST_CELLS} cards"
        )
        raise MalformedError(msg)
    return Board(int(rows), int(columns))


def format_board(board: Board) -> str:
    """A board as it is typed: `3x4`."""
    return f"{board.rows}x{board.columns}"


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
