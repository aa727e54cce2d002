"""Positions of the shifting board as text: rows of the smallest rectangle around all cards, `-` for a gap.

`collapsi.notation` reads and writes them among all others; here is what is different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.board import Board
from collapsi.errors import MalformedError
from collapsi.games.shifting import LONGEST_SIDE, Shifting
from collapsi.rows import parse_rows, shorten
from collapsi.rules import PAIR, Card, Player, Wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.rules import Rules

GAP = "-"
_CARDS = {card.letter: card for card in Card}
_PAWNS = {player.letter.upper(): f"{player} pawn" for player in PAIR}


def from_rows(rows: list[str], side: Callable[[], Player], rules: Rules) -> Shifting:
    """The position that these rows show; `side` says who is to move when the rows are in order.

    >>> from collapsi.rules import SHIFT
    >>> from_rows("A223r-/-4A2./-3A23/-Jb3A4".split("/"), lambda: Player.BLUE, SHIFT).board.columns
    5
    """
    wide = max((sum(letter.upper() not in _PAWNS for letter in row) for row in rows), default=0)
    if max(len(rows), wide) > LONGEST_SIDE:
        msg = f"{len(rows)} rows by {wide} columns are too many: a board has at most {LONGEST_SIDE} of each"
        raise MalformedError(msg)
    turning = rules.shift is Wrap.ROTATE
    frame = rules.board if turning else Board(len(rows), max(wide, 1))
    texts, pawns = parse_rows(rows, frame, "A234J." + GAP * (not turning), _PAWNS, _no_card)
    _refuse_empty_edges(texts, frame)
    cards = {divmod(cell, frame.columns): _CARDS.get(text) for cell, text in enumerate(texts) if text != GAP}
    for letter, cell in pawns.items():
        if texts[cell] == GAP:
            msg = f"the {_PAWNS[letter]} stands in a gap at {frame.square(cell)}"
            raise MalformedError(msg)
    red, blue = (divmod(pawns[player.letter.upper()], frame.columns) for player in PAIR)
    return Shifting.at(cards, (red, blue), side(), rules)


def _refuse_empty_edges(texts: list[str], frame: Board) -> None:
    """Squares have their names in the smallest rectangle, so it must be written."""
    columns = frame.columns
    edges = {
        "first row": texts[:columns],
        "last row": texts[-columns:],
        "first column": texts[::columns],
        "last column": texts[columns - 1 :: columns],
    }
    for name, line in edges.items():
        if set(line) == {GAP}:
            msg = f"the {name} has gaps only: leave it out, so that squares have their right names"
            raise MalformedError(msg)


def _no_card(character: str, row: int, column: int) -> str:
    where = f"{shorten(character)} in row {row}, column {column} is no card"
    return f"{where}: write A, 2, 3, 4, J, . for collapsed, or {GAP} for a gap"
