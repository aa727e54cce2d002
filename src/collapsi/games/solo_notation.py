"""Text for solo positions and games. Both forms are a pair `parse_x` / `format_x`, exact inverses.

A position is written row by row from the top, and the rows say how large the board is::

    A2X/3Jr2/A2A               A 2 3 4     a face-up card
      │   └ the pawn's card    X           the exit
      └ the exit               .           a collapsed card
                               Jr Ar 2r …  the card that the pawn stands on; Xr once it has left

After a space may come `closed`, if the exit may not be passed over (`open` is what is meant otherwise and is
not written), and then the end squares of the moves played. In a URL the spaces may be written `_`, `+` or
`%20`. Capitals and small letters are read alike; what we write is always as above.
"""

from __future__ import annotations

from collapsi.errors import MalformedError
from collapsi.games.solo import Solo, SoloGame
from collapsi.notation import play_words, words_of
from collapsi.rows import format_cells, parse_rows, shorten
from collapsi.rules import SOLO_BOARDS, SOLO_RULES, Card, Exit

_CARDS = {"X": Card.JACK, **{card.letter: card for card in Card}}
_SIZES = " or ".join(f"{board.rows} rows of {board.columns}" for board in SOLO_BOARDS)


def parse_solo(text: str, *, reading: Exit | None = None) -> Solo:
    """Read a solo position, or the last position of a solo game.

    `reading` is what to assume of the exit where the text does not say; open unless told otherwise.

    >>> parse_solo("A2X/3Jr2/A2A closed").rules.exit
    <Exit.CLOSED: 'closed'>
    >>> parse_solo("A2X/3Jr2/A2")
    Traceback (most recent call last):
    collapsi.errors.MalformedError: row 3 has 2 cards instead of 3: 'A2'
    """
    return parse_solo_game(text, reading=reading).position


def format_solo(position: Solo) -> str:
    """The canonical text of a solo position."""
    return format_cells(position) + (" closed" if position.rules.exit is Exit.CLOSED else "")


def parse_solo_game(text: str, *, reading: Exit | None = None) -> SoloGame:
    """Read a solo game: a position, then the end square of every move.

    >>> parse_solo_game("A2X/3Jr2/A2A b1 a3").position
    Solo('A.X/3.2/Ar2A')
    """
    words = words_of(text)
    rows, moves = words[0].split("/"), words[1:]
    if moves and moves[0].lower() in set(Exit):
        reading = Exit(moves.pop(0).lower())
    position = _from_rows(rows, reading or Exit.OPEN)
    if moves and position.board.cell(moves[0].lower()) is None:
        squares = f"a1 to {position.board.square(position.board.size - 1)}"
        msg = f"{shorten(moves[0])} is neither a reading of the exit (open, closed) nor a move ({squares})"
        raise MalformedError(msg)
    return play_words(SoloGame.start(position), moves)


def format_solo_game(game: SoloGame) -> str:
    """The canonical text of a solo game: its first position and its moves."""
    return game.text


def _from_rows(rows: list[str], reading: Exit) -> Solo:
    board = next((board for board in SOLO_BOARDS if board.rows == len(rows)), None)
    if board is None:
        count = f"{len(rows)} row{'s' * (len(rows) != 1)}"
        msg = f"{count} instead of {_SIZES} cards: {shorten('/'.join(rows))}"
        raise MalformedError(msg)
    letters, pawns = parse_rows(rows, board, "A234JX.", {"R": "pawn"}, _no_card)
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


def _no_card(character: str, row: int, column: int) -> str:
    where = f"{shorten(character)} in row {row}, column {column} is no card"
    return f"{where}: write A, 2, 3, 4, X (the exit), J (under the pawn, Jr), or . for collapsed"
