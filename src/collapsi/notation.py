"""Text for positions, games and rule sets. Every form is a pair `parse_x` / `format_x`, exact inverses.

A position is written row by row from the top, then the side to move, then the rule set unless it is
`standard`::

    A223/4A2Jr/3A23/Jb3A4 r            A 2 3 4 J   a face-up card
    │    │   └ red's pawn  │            .           a collapsed card
    │    └ second row      └ red moves  r b         after the card that the pawn stands on
    └ first row

A game is a position and the end squares of the moves played, all separated by spaces. In a URL the spaces may
be written `_`, `+` or `%20`. Capitals and small letters are read alike; what we write is always as above.

The *published* form is the one that the solver of Young's paper reads: `1223/4121r/3123/1b314/0`. Digits, `0`
for a collapsed card, both jacks written `1` (or `0`, under a pawn that has not moved), and last the plies
played.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from collapsi.errors import IllegalMoveError, IllegalPositionError, MalformedError
from collapsi.game import Game
from collapsi.made_up import find_rules
from collapsi.position import Position
from collapsi.rows import format_cells, parse_rows, shorten
from collapsi.rules import (
    CROWD_RULES,
    PAIR,
    RULE_SETS,
    SOLO,
    STANDARD,
    Card,
    Player,
    Rules,
)

if TYPE_CHECKING:
    from collapsi.board import Board
    from collapsi.games.shifting import Shifting
    from collapsi.state import Kind

LONGEST = 1000
"""Characters in the longest text that is looked at; a whole game needs about 90."""

_CARDS = {card.letter: card for card in Card}
_PAWNS = {player.letter.upper(): f"{player} pawn" for player in PAIR}
_SIDES = {name.upper(): player for player in PAIR for name in (player.letter, str(player))}
_OTHER_KINDS = {SOLO.name, *CROWD_RULES}
"""Rules of games that are written and read elsewhere."""


def parse_rules(name: str | Rules) -> Rules:
    """The rule set of that name, or one made up: first moves written out, red's and then blue's, and after an
    `@` a deck or a board (`collapsi.made_up`).

    >>> parse_rules("joker") is parse_rules("1-4|1-4")
    True
    >>> parse_rules("1,3|2").first_steps
    ((1, 3), (2,))
    >>> parse_rules("joker@3x4").board, parse_rules("standard@5,4,3,2").name
    (Board(rows=3, columns=4), 'standard@5,4,3,2')
    """
    if isinstance(name, Rules):
        return name
    found = find_rules(name)
    if found is None and name.lower() in CROWD_RULES:
        msg = (
            f"{name.lower()} is the big board, which is not to be had here: "
            "deal, show, solve, line, play and bench of the command line take it"
        )
        raise MalformedError(msg)
    if found is None and name.lower() == SOLO.name:
        msg = f"{SOLO.name} is a game for one, with commands of its own: see `collapsi solo --help`"
        raise MalformedError(msg)
    if found is None:
        msg = (
            f"unknown rules {shorten(name)}: choose one of {', '.join(RULE_SETS)}, "
            "or write the first moves' steps, red's and blue's, such as 1,3|2; a deck after @, as in "
            "standard@5,4,3,2"
        )
        raise MalformedError(msg)
    return found


def _names_rules(word: str) -> bool:
    """Whether a word is meant as rules of the games for two, possible ones or not."""
    return "@" in word or find_rules(word) is not None


def is_of_crowd(text: str | None, rules: str) -> bool:
    """Whether a position or game is one of the big board, where `rules` is assumed if it does not say.

    >>> is_of_crowd("A223/4A2Jr/3A23/Jb3A4 r", "standard"), is_of_crowd(None, "big3")
    (False, True)
    """
    words = unquote((text or "")[:LONGEST]).split()[1:3]
    if any(word.lower() in CROWD_RULES for word in words):
        return True
    named = any(_names_rules(word) or word.lower() == SOLO.name for word in words)
    return rules.lower() in CROWD_RULES and not named


def format_rules(rules: Rules) -> str:
    """The name that `parse_rules` reads."""
    return rules.name


def parse_position(text: str, *, rules: Rules | str | None = None) -> Position:
    """Read a position, or the last position of a game, in our form or the published one.

    `rules` is what to assume where the text does not say; `standard` unless told otherwise. A text of the
    shifting board gives a position of that kind (`collapsi.games.shifting`), which offers the same.

    >>> parse_position("A223/4A2Jr/3A23/Jb3A4 r") == parse_position("1223/4121r/3123/1b314/0")
    True
    >>> parse_position("A223/4A2Jr/3A23/Jb3X4 r")
    Traceback (most recent call last):
    collapsi.errors.MalformedError: 'X' in row 4, column 3 is no card: write A, 2, 3, 4, J, or . for collapsed
    """
    return parse_game(text, rules=rules).position


def format_position(position: Position | Shifting) -> str:
    """The canonical text of a position."""
    return f"{format_cells(position)} {position.to_move.letter}{_rules_suffix(position.rules)}"


def parse_game(text: str, *, rules: Rules | str | None = None) -> Game:
    """Read a game: a position, then the end square of every move.

    >>> parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 b4").position.to_move
    <Player.RED: 0>
    """
    words = words_of(text)
    named = next((word for word in words[1:3] if _names_rules(word) or word.lower() in _OTHER_KINDS), None)
    agreed = parse_rules(named or rules or STANDARD)
    rows, rest = words[0].split("/"), words[1:]
    position: Position
    if agreed.shift is None and _is_published(rows, agreed.board):
        position = _from_published(rows, agreed)
    else:
        position = _from_rows(rows, rest[0] if rest else "", agreed)
        rest = rest[1:]
    if rest and rest[0] == named:
        rest = rest[1:]
    elif rest and not _looks_like_a_move(rest[0], agreed):
        moves = "such as c2r" if agreed.shift else f"a1 to {agreed.board.square(agreed.board.size - 1)}"
        msg = f"{shorten(rest[0])} is neither rules ({', '.join(RULE_SETS)}) nor a move ({moves})"
        raise MalformedError(msg)
    return play_words(Game.start(position), rest)


def _looks_like_a_move(word: str, rules: Rules) -> bool:
    """Whether a word is meant as a move, possible or not; a board that shifts may have any square."""
    if rules.shift:
        return re.fullmatch(r"[a-z]\d{1,2}[a-z]?", word, re.IGNORECASE) is not None
    return rules.board.cell(word.lower()) is not None


def words_of(text: str) -> list[str]:
    """The words of a position or game, at least one."""
    if len(text) > LONGEST:
        msg = f"{len(text):,} characters are too many for a position or game (at most {LONGEST:,})"
        raise MalformedError(msg)
    words = unquote(text).split()
    if not words:
        msg = "no position: the text is empty"
        raise MalformedError(msg)
    return words


def play_words(game: Game[Kind], words: list[str]) -> Game[Kind]:
    """The game after the moves written so; one that cannot be played is named by its number."""
    for number, square in enumerate(words, start=1):
        try:
            game = game.play(square.lower())
        except IllegalMoveError as error:
            msg = f"move {number}, {shorten(square)}: {error}"
            raise IllegalMoveError(msg) from None
    return game


def format_game(game: Game[Any]) -> str:
    """The canonical text of a game: its first position and its moves."""
    return game.text


def parse_published(text: str, *, rules: Rules | str | None = None) -> Position:
    """Read a position in the published form only.

    >>> parse_published("1223/4121r/3123/1b314/0").to_move
    <Player.RED: 0>
    """
    rows = text.split(" ", maxsplit=1)[0].split("/")
    if not _is_published(rows, parse_rules(rules or STANDARD).board):
        msg = (
            f"{shorten(text)} is not in the published form: rows of digits, then the plies played, as in …/0"
        )
        raise MalformedError(msg)
    return parse_position(text, rules=rules)


def format_published(position: Position) -> str:
    """A position in the published form, for positions that it can express.

    >>> format_published(parse_position("A223/4A2Jr/3A23/Jb3A4 r"))
    '1223/4121r/3123/1b314/0'
    """
    if position.rules.shift is not None:
        msg = f"the published form cannot write it: it is of the classic game, not of {position.rules}"
        raise IllegalPositionError(msg)
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
    rows = format_position(position).split()[0].translate(str.maketrans("AJ.", "110"))
    return f"{rows}/{plies}{_rules_suffix(position.rules)}"


def _rules_suffix(rules: Rules) -> str:
    return "" if rules == STANDARD else f" {format_rules(rules)}"


def unquote(text: str) -> str:
    """A text as it was meant before it went through a URL."""
    for written, meant in (
        ("\ufeff", ""),
        ("%20", " "),
        ("%7C", "|"),
        ("%7c", "|"),
        ("%2F", "/"),
        ("%2f", "/"),
        ("%2C", ","),
        ("%2c", ","),
        ("%40", "@"),
        ("_", " "),
        ("+", " "),
    ):
        text = text.replace(written, meant)
    return text


def _is_published(rows: list[str], board: Board) -> bool:
    """Whether a number of plies follows the rows, or the rows are digits as in the published form."""
    if len(rows) != board.rows + 1:
        return False
    return _is_number(rows[-1]) or all(set(row.upper()) <= {*"01234", *_PAWNS} for row in rows[:-1])


def _is_number(text: str) -> bool:
    return len(text) <= 2 and text.isascii() and text.isdigit()


def _no_card(character: str, row: int, column: int) -> str:
    hint = " (0 and 1 are of the published form, which ends in the plies played: …/0)" * (character in "01")
    where = f"{shorten(character)} in row {row}, column {column} is no card"
    return f"{where}: write A, 2, 3, 4, J, or . for collapsed{hint}"


def _no_published_card(character: str, row: int, column: int) -> str:
    where = f"{shorten(character)} in row {row}, column {column} is no card of the published form"
    return f"{where}: write 1, 2, 3, 4, or 0 for collapsed"


def _side(side: str) -> Player:
    to_move = _SIDES.get(side.upper())
    if to_move is None:
        found = f"{shorten(side)} is no side to move" if side else "the side to move is missing"
        msg = f"{found}: add r (red) or b (blue) after a space"
        raise MalformedError(msg)
    return to_move


def _from_rows(rows: list[str], side: str, rules: Rules) -> Position:
    """A position; what is wrong with its rows is said before what is wrong with the side to move."""
    if rules.shift is not None:
        from collapsi.games.shifting_notation import from_rows

        return cast("Position", from_rows(rows, lambda: _side(side), rules))
    texts, pawns = parse_rows(rows, rules.board, "A234J.", _PAWNS, _no_card)
    cards = tuple(_CARDS.get(text) for text in texts)
    return Position(cards, (pawns["R"], pawns["B"]), _side(side), rules)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _unmoved(plies: int) -> list[Player]:
    """The players who have not moved yet."""
    return [player for player in PAIR if plies <= player]


def _from_published(rows: list[str], rules: Rules) -> Position:
    if not _is_number(rows[-1]):
        msg = f"{shorten(rows[-1])} is no number of plies: the last field counts the plies played"
        raise MalformedError(msg)
    plies = int(rows[-1])
    texts, found = parse_rows(rows[:-1], rules.board, "01234", _PAWNS, _no_published_card)
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
