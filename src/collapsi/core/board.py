"""Boards: cells, adjacency and reachable cells.

Cells are numbered in reading order. On the 4×4 board of the game, a torus::

        a   b   c   d
    1   0   1   2   3        the board wraps around:
    2   4   5   6   7        the right edge continues
    3   8   9  10  11        at the left one, so 0 touches
    4  12  13  14  15        1, 4, 3 and 12

A set of cells is an int with bit *c* set for cell *c*, so the whole board is ``0xFFFF``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def cells_of(mask: int) -> Iterator[int]:
    """Yield the cells of a set, in reading order.

    >>> list(cells_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(cells: Iterable[int]) -> int:
    """Return the set of the given cells.

    >>> mask_of([1, 3]) == 0b1010
    True
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


@lru_cache(maxsize=1024)
def _square(cell: int, columns: int) -> str:
    """Return the name of a cell. An answer of the service has about thirty, so they are cached."""
    row, column = divmod(cell, columns)
    return f"{ascii_lowercase[column]}{row + 1}"


class Grid:
    """Base class of boards: named cells in rows and columns, and walks between neighbours.

    Subclasses define which cells touch (`neighbours`) and the direction of a step (`heading`).
    """

    if TYPE_CHECKING:  # fields or properties of each subclass

        @property
        def rows(self) -> int:
            """The number of rows."""

        @property
        def columns(self) -> int:
            """The number of columns."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    def square(self, cell: int) -> str:
        """Return the name of a cell: column letter from the left, row number from the top."""
        return _square(cell, self.columns)

    def cell(self, square: str) -> int | None:
        """Return the cell with this name, or None if the board has no such cell.

        >>> Board(4, 4).cell("d2"), Board(4, 4).cell("e1")
        (7, None)
        """
        column = ascii_lowercase.find(square[:1]) if square[:1] else -1
        digits = square[1:]
        if not 0 <= column < self.columns or not (digits.isascii() and digits.isdigit()):
            return None
        if len(digits) > 2 or digits[0] == "0" or int(digits) > self.rows:
            return None
        return (int(digits) - 1) * self.columns + column

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the cells that touch a cell: right, left, below, above; never the cell itself."""
        raise NotImplementedError

    def heading(self, here: int, there: int) -> tuple[int, int]:
        """Return the direction of a step as (rows down, columns right); equal headings make no turn."""
        raise NotImplementedError

    def is_gap(self, cell: int) -> bool:
        """Return whether a cell has no card, not even a collapsed one."""
        return False

    def paths(self, cell: int, steps: int) -> tuple[tuple[int, ...], ...]:
        """Return every walk of exactly `steps` steps from a cell that visits no cell twice, start included.

        >>> len(Board(4, 4).paths(0, 2))
        12
        """
        if steps == 0:
            return ((cell,),)
        return tuple(
            (*path, there)
            for path in self.paths(cell, steps - 1)
            for there in self.neighbours(path[-1])
            if there not in path
        )

    def walks(self, start: int, steps: int, end: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the paths between two cells, each with the set of cards after the start that it needs.

        >>> Board(4, 4).walks(0, 2, 5)
        ((34, (0, 1, 5)), (48, (0, 4, 5)))
        """
        return tuple((mask_of(path[1:]), path) for path in self.paths(start, steps) if path[-1] == end)

    def turns(self, path: tuple[int, ...]) -> int:
        """Count the changes of direction in a walk.

        >>> Board(4, 4).turns((0, 1, 2, 6))
        1
        """
        headings = [self.heading(here, there) for here, there in pairwise(path)]
        return sum(one != next_one for one, next_one in pairwise(headings))

    def reach(self, cell: int, steps: int, face_up: int) -> int:
        """Return the cells where a walk of `steps` steps over face-up cards may end.

        Implements the movement rule literally: one step at a time, no card twice, no collapsed card.

        >>> board = Board(4, 4)
        >>> [board.square(cell) for cell in cells_of(board.reach(0, 1, 0xFFFF))]
        ['b1', 'd1', 'a2', 'a4']
        """
        ends = 0

        def walk(here: int, left: int, visited: int) -> None:
            nonlocal ends
            if left == 0:
                ends |= 1 << here
                return
            for there in self.neighbours(here):
                if face_up >> there & 1 and not visited >> there & 1:
                    walk(there, left - 1, visited | 1 << there)

        walk(cell, steps, 1 << cell)
        return ends

    def whole_reach(self, cell: int, steps: int) -> int:
        """Return the cells where a walk may end while no card has collapsed."""
        return self.reach(cell, steps, (1 << self.size) - 1)


@dataclass(frozen=True)
class Board(Grid):
    """A grid that wraps around in both directions.

    >>> board = Board(4, 4)
    >>> [board.square(cell) for cell in board.neighbours(0)]
    ['b1', 'd1', 'a2', 'a4']
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= 26 and 1 <= self.columns <= 26):
            msg = f"a board has 1 to 26 rows and columns, not {self.rows}×{self.columns}"
            raise ValueError(msg)

    def colour(self, cell: int) -> int:
        """Return the chessboard colour of a cell, 0 or 1; always 0 if a side of the board is odd."""
        row, column = divmod(cell, self.columns)
        return (row + column) % 2 if self._two_coloured else 0

    def changes_colour(self, steps: int) -> int:
        """Return 1 if a walk of `steps` steps ends on the other colour, otherwise 0."""
        return steps % 2 if self._two_coloured else 0

    @property
    def _two_coloured(self) -> bool:
        return self.rows % 2 == 0 and self.columns % 2 == 0

    # A process uses few boards and repeats the same queries, so the results are cached.

    def neighbours(self, cell: int) -> tuple[int, ...]:
        return _neighbours(self, cell)

    def heading(self, here: int, there: int) -> tuple[int, int]:
        return (there // self.columns - here // self.columns) % self.rows, (there - here) % self.columns

    def paths(self, cell: int, steps: int) -> tuple[tuple[int, ...], ...]:
        return _paths(self, cell, steps)

    def walks(self, start: int, steps: int, end: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return _walks(self, start, steps, end)

    def whole_reach(self, cell: int, steps: int) -> int:
        return _whole_reach(self, cell, steps)


@lru_cache(maxsize=2048)
def _whole_reach(board: Board, cell: int, steps: int) -> int:
    return board.reach(cell, steps, (1 << board.size) - 1)


@lru_cache(maxsize=1024)
def _neighbours(board: Board, cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, board.columns)
    around = (
        row * board.columns + (column + 1) % board.columns,
        row * board.columns + (column - 1) % board.columns,
        (row + 1) % board.rows * board.columns + column,
        (row - 1) % board.rows * board.columns + column,
    )
    return tuple(there for there in dict.fromkeys(around) if there != cell)


@lru_cache(maxsize=2048)
def _paths(board: Board, cell: int, steps: int) -> tuple[tuple[int, ...], ...]:
    return Grid.paths(board, cell, steps)


@lru_cache(maxsize=8192)
def _walks(board: Board, start: int, steps: int, end: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return Grid.walks(board, start, steps, end)
