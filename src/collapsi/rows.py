"""A board as rows of text, `A223/4A2Jr/3A23/Jb3A4`: what the notations of all kinds of game share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from collapsi.board import Board, Grid
    from collapsi.state import State


def format_rows(texts: Sequence[str], board: Grid) -> str:
    """The texts of all cells, row by row from the top, with a stroke between rows."""
    starts = range(0, board.size, board.columns)
    return "/".join("".join(texts[start : start + board.columns]) for start in starts)


def format_cells(state: State) -> str:
    """The cards and pawns of a state."""
    return format_rows([state.cell_text(cell) for cell in range(state.board.size)], state.board)


def parse_rows(
    rows: Sequence[str],
    board: Board,
    cards: str,
    pawns: Mapping[str, str],
    no_card: Callable[[str, int, int], str],
) -> tuple[list[str], dict[str, int]]:
    """The cards as they are written, and the cell of each pawn by its letter.

    `cards` are the letters of cards; `pawns` says what the pawn of each letter is called; `no_card` says what
    is wrong with a character in some row and column. Capitals and small letters are read alike.

    >>> from collapsi.board import Board
    >>> parse_rows(["A2r", "b3"], Board(2, 2), "A23", {"R": "pawn"}, "no card: {} in row {}, {}".format)
    Traceback (most recent call last):
    collapsi.errors.MalformedError: no card: b in row 2, 1
    """
    if len(rows) != board.rows:
        msg = f"{len(rows)} row{'s' * (len(rows) != 1)} instead of {board.rows}: {shorten('/'.join(rows))}"
        raise MalformedError(msg)
    texts: list[str] = []
    found: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        column = 0
        for index, typed in enumerate(row):
            letter = typed.upper() if typed.isascii() else typed
            where = f"in row {number}, column {max(column, 1)}"
            if letter not in pawns:
                column += 1
                if letter not in cards:
                    raise MalformedError(no_card(typed, number, column))
                texts.append(letter)
            elif letter in found:
                msg = f"a second {pawns[letter]} {where}: the first is on {board.square(found[letter])}"
                raise MalformedError(msg)
            elif index == 0 or row[index - 1].upper() in pawns:
                before = "no card before it" if index == 0 else "another pawn before it"
                msg = f"pawn {letter.lower()!r} {where} has {before}: it is written after its card"
                raise MalformedError(msg)
            else:
                found[letter] = min(len(texts), board.size) - 1
        if column != board.columns:
            cards_found = f"{column} card{'s' * (column != 1)}"
            msg = f"row {number} has {cards_found} instead of {board.columns}: {shorten(row)}"
            raise MalformedError(msg)
    for letter, name in pawns.items():
        if letter not in found:
            msg = f"no {name}: write {letter.lower()} after the card it stands on"
            raise MalformedError(msg)
    return texts, found


def shorten(text: str, length: int = 30) -> str:
    """A text quoted for an error message: printable, on one line, and never long.

    >>> shorten("4A2J")
    "'4A2J'"
    >>> shorten("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    """
    return repr(text if len(text) <= length else text[: length - 1] + "…")
