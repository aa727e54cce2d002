"""Rule sets with options (other first moves, another board, another deck), and their notation.

The text is the name of a rule set, or first moves, then options, each after an `@` and in any order::

    standard@5,4,3,2        five aces, four twos, three threes and two fours, plus two jacks
    1,3|2@5,4,3,2           the same, with first moves of 1 or 3 steps for red and 2 for blue
    joker@3x4               three rows of four cards, and a deck in proportion to the official one
    joker@3x4@4,3,2,1       the same with this deck

The canonical text has first moves, board and deck in this order, and only what differs from the rule set.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from collapsi.core.cards import ANYWHERE, STEPS
from collapsi.core.decks import (
    Deck,
    deck_of,
    proportional,
    refuse_wrong_size,
    split_options,
    with_deck,
)
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.rows import shorten
from collapsi.games.classic.rules import CLASSIC_RULE_SETS, STANDARD, Rules

if TYPE_CHECKING:
    from collapsi.core.board import Board
    from collapsi.core.rules import RuleSet

FirstSteps = tuple[tuple[int, ...], tuple[int, ...]]
"""The steps that red's and blue's first moves may be chosen from."""


@lru_cache(maxsize=256)  # called for the first words of every position
def find_rules(text: str) -> Rules | None:
    """Return the rules with this text, None if it names no rules; raise for invalid options.

    >>> find_rules("1,3|1@5,4,3,2").name, find_rules("1|1@4,4,4,2").name, find_rules("b4")
    ('1,3|1@5,4,3,2', 'standard', None)
    """
    known = text.lower().partition("@")[0]
    rules = CLASSIC_RULE_SETS.get(known)
    if rules is None:
        red, bar, blue = known.partition("|")
        steps = parse_steps(red), parse_steps(blue)
        if not (bar and steps[0] and steps[1]):
            return None
        rules = with_options(STANDARD, first_steps=(steps[0], steps[1]))
    _, board, deck = split_options(text)
    return with_options(rules, board=board, deck=deck)


def classic_rules(text: str | RuleSet) -> Rules:
    """Read rules of the classic game; raise for other rules."""
    found = find_rules(str(text))
    if found is None:
        msg = f"{shorten(str(text))} is not a rule set of the classic game ({', '.join(CLASSIC_RULE_SETS)})"
        raise MalformedError(msg)
    return found


def with_options(
    rules: Rules,
    *,
    first_steps: FirstSteps | None = None,
    board: Board | None = None,
    deck: Deck | None = None,
) -> Rules:
    """Return the rules with other first moves, another board or another deck; named rules where they exist.

    A board without a deck gets a proportional deck.

    >>> from collapsi import Board
    >>> with_options(STANDARD, deck=(5, 4, 3, 2)).name, with_options(STANDARD, board=Board(3, 4)).name
    ('standard@5,4,3,2', 'standard@3x4')
    >>> with_options(STANDARD, first_steps=((1, 3), (1,))).name
    '1,3|1'
    """
    first_steps = first_steps or rules.first_steps
    if deck is None:
        deck = deck_of(rules) if board in (None, rules.board) else proportional(board)
    board = board or rules.board
    base = _of_first_moves(rules, first_steps)
    if (board, deck) == (base.board, deck_of(base)):
        return base
    _refuse(base, board, deck)
    return with_deck(base, board, deck)


def _of_first_moves(rules: Rules, first_steps: FirstSteps) -> Rules:
    """Return rules with these first moves on the official board with the official deck."""
    if first_steps == rules.first_steps and rules.name in CLASSIC_RULE_SETS:
        return rules
    for known in CLASSIC_RULE_SETS.values():
        if (known.board, known.cards, known.first_steps) == (STANDARD.board, STANDARD.cards, first_steps):
            return known
    red, blue = first_steps
    name = f"{format_steps(red)}|{format_steps(blue)}"
    summary = f"first move: red {describe_steps(red)}, blue {describe_steps(blue)}"
    return Rules(
        name=name,
        summary=summary,
        board=STANDARD.board,
        cards=STANDARD.cards,
        first_steps=first_steps,
        title=f"First moves {name}",
        text=f"{summary[0].upper()}{summary[1:]}.",
    )


def _refuse(rules: Rules, board: Board, deck: Deck) -> None:
    """Raise if these rules do not support the board or the deck."""
    refuse_wrong_size(deck, board)
    farthest = board.rows // 2 + board.columns // 2
    if any(ANYWHERE in steps for steps in rules.first_steps) and farthest > max(STEPS):
        size = f"{board.rows}×{board.columns}"
        msg = f"{rules} needs a board where four steps lead everywhere, and on {size} they do not"
        raise MalformedError(msg)


def refuse_other_kinds(rules: RuleSet, what: str) -> None:
    """Raise for rules of other kinds if only the classic game is supported.

    >>> from collapsi.games.registry import parse_rules
    >>> refuse_other_kinds(parse_rules("shift"), "these layers are")
    Traceback (most recent call last):
    collapsi.core.errors.CollapsiError: these layers are for the classic game, not for shift
    """
    if not isinstance(rules, Rules):
        msg = f"{what} for the classic game, not for {rules}"
        raise CollapsiError(msg)


def refuse_other_boards(rules: Rules, what: str = "all deals are counted") -> None:
    """Raise for boards other than that of the rule sheet, which counting all deals requires.

    >>> from collapsi import Board
    >>> refuse_other_boards(with_options(STANDARD, board=Board(3, 4)))
    Traceback (most recent call last):
    collapsi.core.errors.CollapsiError: all deals are counted on the 4×4 board only, not on 3×4
    """
    board = rules.board
    if board != STANDARD.board:
        msg = f"{what} on the 4×4 board only, not on {board.rows}×{board.columns}"
        raise CollapsiError(msg)


def format_steps(steps: tuple[int, ...]) -> str:
    """Write a set of steps as `parse_steps` reads it: `1,3`."""
    return ",".join(map(str, steps))


def parse_steps(text: str) -> tuple[int, ...] | None:
    """Read a set of steps, separated by commas or as a range; None for any other text.

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
    """Describe a set of steps in words: `1 or 3`."""
    return " or ".join(map(str, steps))
