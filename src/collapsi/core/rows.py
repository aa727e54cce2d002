"""A board in notation, `A223/4A2Jr/3A23/Jb3A4`: the part that all kinds of games share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.core.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from collapsi.core.board import Board, Grid
    from collapsi.core.players import Player
    from collapsi.core.state import State

CARDS = {card.letter: card for card in Card}
"""The cards by their letters."""


def format_rows(texts: Sequence[str], board: Grid) -> str:
    """Join the texts of all cells, row by row from the top, with a slash between rows."""
    starts = range(0, board.size, board.columns)
    return "/".join("".join(texts[start : start + board.columns]) for start in starts)


def format_cells(state: State) -> str:
    """Write the cards and pawns of a state."""
    return format_rows([state.cell_text(cell) for cell in range(state.board.size)], state.board)


def parse_rows(
    rows: Sequence[str],
    board: Board,
    cards: str,
    pawns: Mapping[str, str],
    expected: str,
    hints: Mapping[str, str] | None = None,
) -> tuple[list[str], dict[str, int]]:
    """Read rows; return the letters of the cards, and the cell of each pawn by its letter.

    `cards` are the valid letters of cards; `pawns` maps the letter of each pawn to its name in errors;
    `expected` completes the error text for an invalid character, and `hints` adds to it for some. Case is
    ignored.

    >>> from collapsi.core.board import Board
    >>> parse_rows(["A2r", "b3"], Board(2, 2), "A23", {"R": "pawn"}, "card")
    Traceback (most recent call last):
    collapsi.core.errors.MalformedError: 'b' in row 2, column 1 is no card
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
            if letter not in pawns:
                column += 1
                if letter not in cards:
                    hint = (hints or {}).get(typed, "")
                    msg = f"{shorten(typed)} in row {number}, column {column} is no {expected}{hint}"
                    raise MalformedError(msg)
                texts.append(letter)
                continue
            where = f"in row {number}, column {max(column, 1)}"
            if letter in found:
                msg = f"a second {pawns[letter]} {where}: the first is on {board.square(found[letter])}"
                raise MalformedError(msg)
            if index == 0 or row[index - 1].upper() in pawns:
                before = "no card before it" if index == 0 else "another pawn before it"
                msg = f"pawn {letter.lower()!r} {where} has {before}: it is written after its card"
                raise MalformedError(msg)
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
    """Quote a text for an error message: printable, on one line, truncated.

    >>> shorten("4A2J")
    "'4A2J'"
    >>> shorten("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"
    >>> shorten("\\U000e0001" * 30)
    "'\\\\U000e0001\\\\U000e0001\\\\U000e0001\\\\U000e0001\\\\U000e0001…'"
    """
    kept = length
    cut = text
    while len(cut) > length or len(repr(cut)) > 2 * length:  # escapes make a text longer
        kept -= 1
        cut = text[:kept] + "…"
    return repr(cut)


def pawn_names(seats: Iterable[Player]) -> dict[str, str]:
    """Return the argument `pawns` of `parse_rows` for these players."""
    return {player.letter.upper(): f"{player} pawn" for player in seats}


def parse_side(text: str, seats: Sequence[Player]) -> Player:
    """Read the side to move, by letter or name.

    >>> from collapsi.core.players import PAIR
    >>> parse_side("blue", PAIR)
    <Player.BLUE: 1>
    """
    for player in seats:
        if text.lower() in (player.letter, str(player)):
            return player
    found = f"{shorten(text)} is no side to move" if text else "the side to move is missing"
    choice = [f"{player.letter} ({player})" for player in seats]
    listed = " or ".join(choice) if len(choice) == 2 else f"one of {', '.join(choice)}"
    msg = f"{found}: add {listed} after a space"
    raise MalformedError(msg)
