"""Notation of the classic game: `parse_game` reads three forms.

In the game's own form, which `text` of a position writes, a position has its rows from the top, then the
side to move, then the rule set unless it is `standard`::

    A223/4A2Jr/3A23/Jb3A4 r            A 2 3 4 J   a face-up card
    │    │   └ red's pawn  │            .           a collapsed card
    │    └ second row      └ red moves  r b         after the card that the pawn stands on
    └ first row

A game is a position and the end squares of the moves played, all separated by spaces. In a URL the spaces may
be written `_`, `+` or `%20`. Case is ignored when reading; the output is always as above.

The *published* form is the input format of the solver of Young's paper: `1223/4121r/3123/1b314/0`. It has
digits for cards, `0` for a collapsed card, `1` for both jacks (or `0` under a pawn that has not moved), and
ends in the number of plies played. `format_published` writes it.

The *mask* form of another public solver (huynd2210) is only read: `52a1,0446,2908,8010,0080,1000,0000,0`. Its
fields are sets of cells as hexadecimal numbers, bit 0 being the first cell: aces and jacks, twos, threes,
fours, the cell of red, that of blue, the collapsed cells; then 0 if red is to move, 1 if blue is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collapsi.core.cards import STEPS, Card
from collapsi.core.errors import IllegalPositionError, MalformedError, wrong_type
from collapsi.core.game import Game
from collapsi.core.players import PAIR, Player
from collapsi.core.rows import CARDS, format_cells, parse_rows, parse_side, pawn_names, shorten
from collapsi.core.rules import RuleSet
from collapsi.core.words import play_words, words_of
from collapsi.games.classic.made_up import find_rules
from collapsi.games.classic.position import Position
from collapsi.games.classic.rules import CLASSIC_RULE_SETS, STANDARD, Rules

if TYPE_CHECKING:
    from collapsi.core.board import Board

CELLS = range(16)
_MASKS = re.compile(r"[0-9a-fA-F]{1,4}(,[0-9a-fA-F]{1,4}){6},[01]")
_PAWNS = pawn_names(PAIR)
_CARD = "card: write A, 2, 3, 4, J, or . for collapsed"
_PUBLISHED_CARD = "card of the published form: write 1, 2, 3, 4, or 0 for collapsed"
_HINTS = dict.fromkeys("01", " (0 and 1 are of the published form, which ends in the plies played: …/0)")


def parse_game(words: list[str], rules: Rules | None, named: str | None) -> Game[Position]:
    """Read a game from its words: a position, then the end square of every move.

    `rules` are the rules to apply; `named` is the word that names them, or None.

    >>> parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 b4".split(), None, None).position.to_move
    <Player.RED: 0>
    """
    rules = rules or STANDARD
    rows, rest = words[0].split("/"), words[1:]
    if _MASKS.fullmatch(words[0]):
        position = _from_masks(words[0], rules)
    elif _is_published(rows, rules.board):
        position = _from_published(rows, rules)
    else:
        position = _from_rows(rows, rest[0] if rest else "", rules)
        rest = rest[1:]
    if rest and rest[0] == named:
        rest = rest[1:]
    elif rest and rules.board.cell(rest[0].lower()) is None:
        last = rules.board.square(rules.board.size - 1)
        names = ", ".join(CLASSIC_RULE_SETS)
        msg = f"{shorten(rest[0])} is neither rules ({names}) nor a move (a1 to {last})"
        raise MalformedError(msg)
    return play_words(Game.start(position), rest)


def parse_published(text: str, *, rules: Rules | str | None = None) -> Position:
    """Read a position in the published form only.

    >>> parse_published("1223/4121r/3123/1b314/0").to_move
    <Player.RED: 0>
    """
    words = words_of(text)
    if not isinstance(rules, RuleSet | str | None):
        raise wrong_type(rules, "rules or their name, such as 'joker'")
    rows = words[0].split("/")
    named = next((word for word in words[1:2] if find_rules(word)), None)
    found = find_rules(named or str(rules or STANDARD))
    if found is None or not _is_published(rows, found.board):
        msg = (
            f"{shorten(text)} is not in the published form: rows of digits, then the plies played, as in …/0"
        )
        raise MalformedError(msg)
    return parse_game(words, found, named).position


def format_published(position: Position) -> str:
    """Write a position in the published form; raise if that form cannot express it.

    >>> import collapsi
    >>> format_published(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"))
    '1223/4121r/3123/1b314/0'
    """
    if not isinstance(position, Position):
        raise wrong_type(position, "a position of the classic game")
    plies = position.board.size - position.cards_left
    if plies % 2 != position.to_move:
        msg = (
            f"the published form cannot write it: after {plies} plies it is {Player(plies % 2)}'s turn there"
        )
        raise IllegalPositionError(msg)
    unmoved = _unmoved(plies)
    on_jacks = {cell for cell, card in enumerate(position.cards) if card is Card.JACK}
    if on_jacks != {position.pawns[player] for player in unmoved}:
        msg = "the published form cannot write it: a jack face up there is one whose pawn has not moved"
        raise IllegalPositionError(msg)
    rows = format_cells(position).translate(str.maketrans("AJ.", "110"))
    suffix = "" if position.rules == STANDARD else f" {position.rules}"
    return f"{rows}/{plies}{suffix}"


def _is_published(rows: list[str], board: Board) -> bool:
    """Return whether the last row is a number of plies, or all rows are in the published form."""
    if len(rows) != board.rows + 1:
        return False
    return _is_number(rows[-1]) or all(set(row.upper()) <= {*"01234", *_PAWNS} for row in rows[:-1])


def _is_number(text: str) -> bool:
    return len(text) <= 2 and text.isascii() and text.isdigit()


def _from_rows(rows: list[str], side: str, rules: Rules) -> Position:
    """Read a position; an error in its rows is reported before one in the side to move."""
    texts, pawns = parse_rows(rows, rules.board, "A234J.", _PAWNS, _CARD, _HINTS)
    cards = tuple(CARDS.get(text) for text in texts)
    return Position(cards, (pawns["R"], pawns["B"]), parse_side(side, PAIR), rules)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _unmoved(plies: int) -> list[Player]:
    """Return the players who have not moved yet."""
    return [player for player in PAIR if plies <= player]


def _from_masks(word: str, rules: Rules) -> Position:
    """Read a position in the mask form. A card that its pawn has not left yet is a jack.

    >>> print(_from_masks("52a1,0446,2908,8010,0080,1000,0000,0", STANDARD).text)
    A223/4A2Jr/3A23/Jb3A4 r
    """
    *masks, turn = (int(field, 16) for field in word.split(","))
    numbers, pawns, collapsed = masks[:4], masks[4:6], masks[6]
    if rules.board.size != len(CELLS) or any(pawn.bit_count() != 1 for pawn in pawns):
        msg = f"{shorten(word)} is no position of {rules}: it needs sixteen cards and a cell for each pawn"
        raise MalformedError(msg)
    cards: list[Card | None] = []
    for cell in CELLS:
        found = [card for card, mask in zip(STEPS, numbers, strict=True) if mask >> cell & 1]
        if len(found) != 1:
            msg = f"{shorten(word)} has {len(found)} cards on {rules.board.square(cell)} instead of one"
            raise MalformedError(msg)
        cards.append(None if collapsed >> cell & 1 else Card(found[0]))
    red, blue = (pawn.bit_length() - 1 for pawn in pawns)
    for cell in (red, blue)[collapsed.bit_count() :]:  # of the players that have not moved
        cards[cell] = Card.JACK
    return Position(tuple(cards), (red, blue), Player(turn), rules)


def _from_published(rows: list[str], rules: Rules) -> Position:
    if not _is_number(rows[-1]):
        msg = f"{shorten(rows[-1])} is no number of plies: the last field counts the plies played"
        raise MalformedError(msg)
    plies = int(rows[-1])
    texts, found = parse_rows(rows[:-1], rules.board, "01234", _PAWNS, _PUBLISHED_CARD)
    pawns = found["R"], found["B"]
    cards = [Card(int(text)) if text != "0" else None for text in texts]
    for player in _unmoved(plies):
        cell = pawns[player]
        if texts[cell] not in "01":
            square = rules.board.square(cell)
            played = _count(plies, "ply", "plies")
            msg = f"{player} has not moved after {played}, so its card on {square} must be a jack, 1 or 0"
            raise MalformedError(msg)
        cards[cell] = Card.JACK
    collapsed = sum(card is None for card in cards)
    on_collapsed = [player for player in PAIR if cards[pawns[player]] is None]
    if collapsed != plies and not on_collapsed:
        played, gone = _count(plies, "ply", "plies"), _count(collapsed, "collapsed card", "collapsed cards")
        msg = f"{played} played and {gone} do not agree: each ply collapses one card"
        raise MalformedError(msg)
    return Position(tuple(cards), pawns, Player(plies % 2), rules)
