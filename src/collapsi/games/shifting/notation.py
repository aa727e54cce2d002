"""Notation of the shifting board: rows of the bounding rectangle, `-` for a gap; moves such as `c2r`.

Otherwise as in the classic game. The text always names the rules.
"""

from __future__ import annotations

import re

from collapsi.core.board import Board
from collapsi.core.errors import MalformedError
from collapsi.core.game import Game
from collapsi.core.players import PAIR
from collapsi.core.rows import CARDS, parse_rows, parse_side, pawn_names, shorten
from collapsi.core.words import play_words
from collapsi.games.shifting.rules import SHIFT, SHIFTING_RULE_SETS, ShiftingRules
from collapsi.games.shifting.state import LONGEST_SIDE, Shifting

GAP = "-"
_PAWNS = pawn_names(PAIR)
_CARD = f"card: write A, 2, 3, 4, J, . for collapsed, or {GAP} for a gap"


def parse_game(words: list[str], rules: ShiftingRules | None, named: str | None) -> Game[Shifting]:
    """Read a game from its words: a position, then the moves.

    `rules` are the rules to apply; `named` is the word that names them, or None.

    >>> parse_game("A223r-/-4A2./-3A23/-Jb3A4 b shift".split(), None, "shift").position.board.columns
    5
    """
    rest = words[1:]
    position = _from_rows(words[0].split("/"), rest[0] if rest else "", rules or SHIFT)
    rest = rest[1:]
    if rest and rest[0] == named:
        rest = rest[1:]
    elif rest and not re.fullmatch(r"[a-z]\d{1,2}[a-z]?", rest[0], re.IGNORECASE):
        names = ", ".join(SHIFTING_RULE_SETS)
        msg = f"{shorten(rest[0])} is neither rules ({names}) nor a move (such as c2r)"
        raise MalformedError(msg)
    return play_words(Game.start(position), rest)


def _from_rows(rows: list[str], side: str, rules: ShiftingRules) -> Shifting:
    """Read a position; an error in its rows is reported before one in the side to move."""
    wide = max((sum(letter.upper() not in _PAWNS for letter in row) for row in rows), default=0)
    if max(len(rows), wide) > LONGEST_SIDE:
        msg = f"{len(rows)} rows by {wide} columns are too many: a board has at most {LONGEST_SIDE} of each"
        raise MalformedError(msg)
    gaps = GAP if rules.leaves_square else ""
    frame = Board(len(rows), max(wide, 1)) if rules.leaves_square else rules.board
    texts, pawns = parse_rows(rows, frame, f"A234J.{gaps}", _PAWNS, _CARD)
    _refuse_empty_edges(texts, frame)
    cards = {divmod(cell, frame.columns): CARDS.get(text) for cell, text in enumerate(texts) if text != GAP}
    for letter, cell in pawns.items():
        if texts[cell] == GAP:
            msg = f"the {_PAWNS[letter]} stands in a gap at {frame.square(cell)}"
            raise MalformedError(msg)
    red, blue = (divmod(pawns[letter], frame.columns) for letter in _PAWNS)
    return Shifting.at(cards, (red, blue), parse_side(side, PAIR), rules)


def _refuse_empty_edges(texts: list[str], frame: Board) -> None:
    """Raise if an edge has gaps only: squares are named in the bounding rectangle."""
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
