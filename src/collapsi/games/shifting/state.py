"""Positions of the shifting board: a move is a walk, then a shift of the row or column of its end cell.

A shift moves every card of that line by one space, including collapsed cards; pawns on the line, of either
player, move with their cards. In the official game the card pushed out stays in play outside the square, and
a gap opens at the opposite end; `core.patch.Wrap` lists the readings of how such lines wrap. The shift is
part of the move: a player without a legal walk has lost, before any shift. Cards may drift without limit.

Only relative places matter, so notation and cell numbers refer to the bounding rectangle of all cards,
including collapsed ones::

    A223r-/-4A2./-3A23/-Jb3A4 b shift        -   a gap      .   a collapsed card

In notation a move is its end square, in the rectangle before the shift, and `r` or `l` (shift the row right
or left), `d` or `u` (shift the column down or up): `c2r`. As an int it is four times the end cell plus the
`Way`. Cells are renumbered after each shift, so that equal positions are equal objects whatever moves led to
them; in the solver (`kernel`) cards keep their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from collapsi.core.board import mask_of
from collapsi.core.cards import jacks_of
from collapsi.core.errors import IllegalMoveError, IllegalPositionError
from collapsi.core.patch import WAYS, Wrap
from collapsi.core.players import PAIR, Player
from collapsi.core.rows import format_cells
from collapsi.core.walking import Walkers
from collapsi.games.registry import kind_of
from collapsi.games.shifting.rules import SHIFT, ShiftingRules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from collapsi.core.board import Grid
    from collapsi.core.cards import Card
    from collapsi.core.reasons import Reason
    from collapsi.core.state import AnyMove

Place = tuple[int, int]
"""A row and a column of the plane; only their differences matter."""

LONGEST_SIDE = 26
"""The maximum number of rows and columns: columns are named by letters. Each ply may add one, so positions
with more than two face-up cards have a lower limit. Positions that can arise in play are smaller."""


class Way(IntEnum):
    """The direction of a shift: a row to the right or left, a column down or up."""

    RIGHT = 0
    LEFT = 1
    DOWN = 2
    UP = 3

    @property
    def letter(self) -> str:
        """The direction in notation."""
        return "rldu"[self]

    @property
    def is_row(self) -> bool:
        """Whether it shifts a row, not a column."""
        return self < Way.DOWN

    @property
    def back(self) -> Way:
        """The opposite direction."""
        return Way(self ^ 1)

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, repr=False)
class Shifting(Walkers):
    """Cards by cell (None: collapsed, or a gap), the cells of the pawns, the side to move and the rules.

    >>> import collapsi
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r shift")
    >>> print(position.play("d1l"))
       a  b  c  d  e
    1  A  2  2  3r -
    2  -  4  A  2  .
    3  -  3  A  2  3
    4  -  Jb 3  A  4
    blue to move
    """

    board: Grid
    cards: tuple[Card | None, ...]
    pawns: tuple[int, int]
    to_move: Player
    rules: ShiftingRules

    def __post_init__(self) -> None:
        if self.board.size != len(self.cards):
            msg = f"a board of {self.board.size} cells needs as many cards and gaps, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        lying = sum(not self.board.is_gap(cell) for cell in range(self.board.size))
        if lying != self.rules.board.size:
            cards = f"{self.rules.board.size} cards, face up or collapsed"
            msg = f"{self.rules} is played with {cards}, not {lying}"
            raise IllegalPositionError(msg)
        self.check()

    @classmethod
    def at(
        cls,
        cards: Mapping[Place, Card | None],
        pawns: tuple[Place, Place],
        to_move: Player,
        rules: ShiftingRules,
    ) -> Shifting:
        """Return the position with cards at these places of the plane (None: collapsed)."""
        top, left = min(row for row, _ in cards), min(column for _, column in cards)
        rows = max(row for row, _ in cards) - top + 1
        columns = max(column for _, column in cards) - left + 1
        face_up = sum(card is not None for card in cards.values())
        most = LONGEST_SIDE - max(face_up - len(PAIR), 0)
        if max(rows, columns) > most:
            apart = f"the cards lie {rows} rows by {columns} columns apart"
            msg = f"{apart}: with {face_up} face up, at most {most} of each can be played on"
            raise IllegalPositionError(msg)

        def cell(place: Place) -> int:
            return (place[0] - top) * columns + place[1] - left

        by_cell = {cell(place): card for place, card in cards.items()}
        return cls(
            rules.grid(rows, columns, mask_of(by_cell)),
            tuple(by_cell.get(cell) for cell in range(rows * columns)),
            (cell(pawns[0]), cell(pawns[1])),
            to_move,
            rules,
        )

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves: every end cell with each of the four shifts."""
        return tuple(4 * end + way for end in self.ends for way in range(4))

    def end(self, move: int) -> int:
        """Return the end cell of a move, before the shift."""
        return move // 4

    def way(self, move: int) -> Way:
        """Return the direction of the shift of a move."""
        return Way(move % 4)

    def shift(self, move: int) -> str:
        """Return the shift of a move in notation."""
        return self.way(move).letter

    def move_text(self, move: int) -> str:
        """Return a move in notation: its end square and its shift."""
        return self.board.square(self.end(move)) + self.way(move).letter

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """Return successive moves from this position in notation."""
        texts = []
        position = self
        for move in moves:
            texts.append(position.move_text(move))
            position = position.play(move)
        return tuple(texts)

    def parse_move(self, text: str) -> int:
        """Read a move in notation; it may be illegal."""
        square, letter = text[:-1], text[-1:]
        ways = [way for way in Way if way.letter == letter]
        if not ways and self.board.cell(text) is not None:
            shifts = f"{text}r or {text}l (its row), {text}d or {text}u (its column)"
            msg = f"{text} is half a move: add the shift, {shifts}"
            raise IllegalMoveError(msg)
        if not ways:
            msg = f"{text!r:.40} is no move: write the end square and the shift (r, l, d or u), such as c2r"
            raise IllegalMoveError(msg)
        return 4 * self.cell_named(square) + ways[0]

    def slides(self, move: int) -> dict[int, Place]:
        """Map the cell of each card to its place after the shift of a move, in the same coordinates.

        A card that is pushed out of the rectangle is at row or column −1, or one past the last.
        """
        end, way = self.end(move), self.way(move)
        columns = self.board.columns
        (row, column), (down, right) = divmod(end, columns), WAYS[way]
        places = {}
        for cell in range(self.board.size):
            if not self.board.is_gap(cell):
                y, x = divmod(cell, columns)
                if (y == row) if way.is_row else (x == column):
                    y, x = y + down, x + right
                    if self.rules.wrap is Wrap.ROTATE:
                        y, x = y % self.board.rows, x % columns
                places[cell] = y, x
        return places

    def play(self, move: AnyMove) -> Shifting:
        """Return the position after a move, given as its number, its notation or a `MoveValue`."""
        chosen = self.legal(move)
        end = self.end(chosen)
        start = self.pawns[self.to_move]
        places = self.slides(chosen)
        cards = {place: None if cell == start else self.cards[cell] for cell, place in places.items()}
        other = self.pawns[self.to_move.other]
        pawns = (end, other) if self.to_move is Player.RED else (other, end)
        return Shifting.at(cards, (places[pawns[0]], places[pawns[1]]), self.to_move.other, self.rules)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """The reasons why it cannot arise in play."""
        return kind_of(self).find_faults(self)

    @property
    def text(self) -> str:
        """The position in notation (see `collapsi.games.shifting.notation`)."""
        return f"{format_cells(self)} {self.to_move.letter} {self.rules}"

    def __repr__(self) -> str:
        return f"Shifting({self.text!r})"


def lay(cards: Sequence[Card], rules: ShiftingRules = SHIFT) -> Shifting:
    """Return the deal of these cards, laid in reading order: red on the first jack, blue on the second."""
    columns = rules.board.columns
    laid = {divmod(cell, columns): card for cell, card in enumerate(cards)}
    red, blue = (divmod(cell, columns) for cell in jacks_of(cards))
    return Shifting.at(laid, (red, blue), Player.RED, rules)
