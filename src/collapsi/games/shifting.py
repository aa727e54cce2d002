"""The shifting board: a walk as in the classic game, then a shift of the row or column it ended on.

Every card of that line moves one space, collapsed ones too, and pawns ride on their cards, the opponent's as
well. In the official game the card pushed out stays in play outside the square, and a gap opens at the other
end; `collapsi.rules.Wrap` has the readings of how such lines wrap. The shift is part of the move: who can
complete no walk has lost, before any shift, and there is no limit to drift.

Only places relative to each other matter, so a position is written, and its cells are numbered, in the
smallest rectangle that holds all cards, collapsed ones too::

    A223r-/-4A2./-3A23/-Jb3A4 b shift        -   a gap      .   a collapsed card

A move is its end square, in the rectangle before the shift, and `r`, `l` (its row one to the right or left),
`d` or `u` (its column one down or up): `c2r`. As an int it is four times the end cell and the number of the
way. That a card keeps its number for ever is for the solver (`solve.shift_kernel`): here cells are numbered
anew after each shift, so that one position is one object, whichever way it came about.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from collapsi.board import mask_of
from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.lazy import lazy
from collapsi.patch import WAYS, Patch
from collapsi.rules import PAIR, Player, Rules, Wrap
from collapsi.walking import Walkers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from collapsi.board import Grid
    from collapsi.faults import Reason
    from collapsi.rules import Card
    from collapsi.state import Refusal

Place = tuple[int, int]
"""A row and a column of the plane; only their differences matter."""

LONGEST_SIDE = 26
"""Rows or columns of the largest patch: columns are named by letters. Each ply may widen it by one, so while
more than two cards are face up it must be that much smaller; what can arise in play is smaller still."""


class Way(IntEnum):
    """Where a line is shifted: a row to the right or left, a column down or up."""

    RIGHT = 0
    LEFT = 1
    DOWN = 2
    UP = 3

    @property
    def letter(self) -> str:
        """How it is written after the end square."""
        return "rldu"[self]

    @property
    def is_row(self) -> bool:
        """Whether the row is shifted, not the column."""
        return self < Way.DOWN

    @property
    def back(self) -> Way:
        """The way that undoes it."""
        return Way(self ^ 1)

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, repr=False)
class Shifting(Walkers):
    """Cards by cell of the patch (None: collapsed, or a gap), the pawns' cells, the side to move, the rules.

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
    rules: Rules

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
        rules: Rules,
    ) -> Shifting:
        """The position with cards at these places of the plane (None has collapsed)."""
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
        board: Grid
        if rules.shift is Wrap.ROTATE:
            board = rules.board
        else:
            assert rules.shift is not None  # only positions of this kind are built here
            board = Patch(rows, columns, mask_of(by_cell), rules.shift)
        return cls(
            board,
            tuple(by_cell.get(cell) for cell in range(rows * columns)),
            (cell(pawns[0]), cell(pawns[1])),
            to_move,
            rules,
        )

    @property
    def moves(self) -> tuple[int, ...]:
        """Every end cell with each of the four ways to shift its lines."""
        return tuple(4 * end + way for end in self.ends for way in range(4))

    def end(self, move: int) -> int:
        """The cell where a move ends, before the shift."""
        return move // 4

    def way(self, move: int) -> Way:
        """Where a move shifts the row or column of its end cell."""
        return Way(move % 4)

    def shift(self, move: int) -> str:
        """Where a move shifts its line, as it is written."""
        return self.way(move).letter

    def move_text(self, move: int) -> str:
        """How a move is written: its end square and the way of the shift."""
        return self.board.square(self.end(move)) + self.way(move).letter

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """How moves are written that are played one after the other from here."""
        texts = []
        position = self
        for move in moves:
            texts.append(position.move_text(move))
            position = position.play(move)
        return tuple(texts)

    def parse_move(self, text: str) -> int:
        """The move that is written so, legal or not."""
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

    def _move(self, move: int | str) -> int:
        if isinstance(move, str):
            return self.parse_move(move)
        self.cell_named(move // 4)
        return move

    def refusal(self, move: int | str) -> tuple[Refusal, str] | None:
        """Why a move may not be played, as a kind and a sentence; None for a legal one."""
        return self.walk_refusal(self.end(self._move(move)))

    def path(self, move: int | str) -> tuple[int, ...]:
        """The cells that a move walks over before the shift, start and end included."""
        return self.walk(self.end(self._move(move)))

    def slides(self, move: int) -> dict[int, Place]:
        """Where each card lies after the shift of a move: its cell before, its place in the same frame.

        A line that is pushed out of the rectangle lies at row or column −1, or one past the last.
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
                    if self.rules.shift is Wrap.ROTATE:
                        y, x = y % self.board.rows, x % columns
                places[cell] = y, x
        return places

    def play(self, move: int | str) -> Shifting:
        """The position after a move, given as such or as it is written."""
        chosen = self._move(move)
        end = self.end(chosen)
        refusal = self.walk_refusal(end)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])
        start = self.pawns[self.to_move]
        places = self.slides(chosen)
        cards = {place: None if cell == start else self.cards[cell] for cell, place in places.items()}
        other = self.pawns[self.to_move.other]
        pawns = (end, other) if self.to_move is Player.RED else (other, end)
        return Shifting.at(cards, (places[pawns[0]], places[pawns[1]]), self.to_move.other, self.rules)

    @lazy
    def dealt(self) -> bool:
        """Whether it is a deal as it comes from the pack; then whatever is played from it can arise too."""
        from collapsi.faults import is_deal

        return is_deal(self)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Reasons why it cannot arise in play, as `collapsi.faults` names them."""
        from collapsi.faults import shifting_status

        return shifting_status(self)

    @property
    def text(self) -> str:
        """The position in our notation, as `collapsi.notation` writes it."""
        from collapsi.notation import format_position

        return format_position(self)

    def __repr__(self) -> str:
        return f"Shifting({self.text!r})"
