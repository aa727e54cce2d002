"""Notation of solo positions and games. Parsing is the exact inverse of their `text`.

A position is written row by row from the top; the rows give the size of the board::

    A2X/3Jr2/A2A               A 2 3 4     a face-up card
      │   └ the pawn's card    X           the exit
      └ the exit               .           a collapsed card
                               Jr Ar 2r …  the card that the pawn stands on; Xr once it has left

Then follow `closed`, if a walk may not pass over the exit (the default, `open`, is not written), and the end
squares of the moves played. In a URL a space may be written `_`, `+` or `%20`. Parsing ignores case; the
canonical text is as above.
"""

from __future__ import annotations

from collapsi.core.cards import Card
from collapsi.core.errors import MalformedError
from collapsi.core.movetext import split_movetext
from collapsi.core.rows import CARDS, parse_rows, shorten
from collapsi.core.words import play_words
from collapsi.games.solo.rules import SOLO_BOARDS, SOLO_RULES, Exit
from collapsi.games.solo.state import Solo, SoloGame

_CARDS = {**CARDS, "X": Card.JACK}
_CARD = "card: write A, 2, 3, 4, X (the exit), J (under the pawn, Jr), or . for collapsed"
_SIZES = " or ".join(f"{board.rows} rows of {board.columns}" for board in SOLO_BOARDS)


def parse_solo(text: str, *, reading: Exit | None = None) -> Solo:
    """Read a solo position, or the last position of a solo game.

    `reading` applies if the text does not name a reading of the exit; the default is open.

    >>> parse_solo("A2X/3Jr2/A2A closed").rules.exit
    <Exit.CLOSED: 'closed'>
    >>> parse_solo("A2X/3Jr2/A2")
    Traceback (most recent call last):
    collapsi.core.errors.MalformedError: row 3 has 2 cards instead of 3: 'A2'
    """
    return parse_solo_game(text, reading=reading).position


def parse_solo_game(text: str, *, reading: Exit | None = None) -> SoloGame:
    """Read a solo game: a position, then the end square of every move.

    >>> parse_solo_game("A2X/3Jr2/A2A b1 a3").position
    Solo('A.X/3.2/Ar2A')
    """
    split = split_movetext(text)
    return split.grow(parse_game(list(split.words), reading))


def parse_game(words: list[str], reading: Exit | None = None) -> SoloGame:
    """Read a game from its words."""
    rows, moves = words[0].split("/"), words[1:]
    if moves and moves[0].lower() == "solo":
        moves.pop(0)
    if moves and moves[0].lower() in set(Exit):
        reading = Exit(moves.pop(0).lower())
    position = _from_rows(rows, reading or Exit.OPEN)
    if moves and position.board.cell(moves[0].lower()) is None:
        squares = f"a1 to {position.board.square(position.board.size - 1)}"
        msg = f"{shorten(moves[0])} is neither a reading of the exit (open, closed) nor a move ({squares})"
        raise MalformedError(msg)
    return play_words(SoloGame.start(position), moves)


def _from_rows(rows: list[str], reading: Exit) -> Solo:
    board = next((board for board in SOLO_BOARDS if board.rows == len(rows)), None)
    if board is None:
        count = f"{len(rows)} row{'s' * (len(rows) != 1)}"
        msg = f"{count} instead of {_SIZES} cards: {shorten('/'.join(rows))}"
        raise MalformedError(msg)
    letters, pawns = parse_rows(rows, board, "A234JX.", {"R": "pawn"}, _CARD)
    pawn = pawns["R"]
    exits = [cell for cell, letter in enumerate(letters) if letter == "X"]
    if not exits:
        msg = "no exit: write X for the card that the pawn leaves by"
        raise MalformedError(msg)
    if len(exits) > 1:
        first, second = map(board.square, exits[:2])
        msg = f"a second exit X on {second}: the first is on {first}"
        raise MalformedError(msg)
    for cell, letter in enumerate(letters):
        if letter == "J" and cell != pawn:
            msg = f"the jack on {board.square(cell)} has no pawn: the exit is written X, the start jack Jr"
            raise MalformedError(msg)
    others = sum(letter != "." for letter in letters) - 1
    if pawn in exits and others:
        cards = f"{others} other card{'s are' if others > 1 else ' is'} face up"
        msg = f"the pawn stands on the exit on {board.square(pawn)}, but {cards}: the exit comes last"
        raise MalformedError(msg)
    return Solo(tuple(_CARDS.get(letter) for letter in letters), (pawn,), SOLO_RULES[board, reading])
