"""The symmetries of a board: every renaming of the cells under which neighbours stay neighbours.

Moves of the classic game depend only on which cells touch, so each symmetry preserves the game. The 4×4 torus
has more symmetries than the 128 visible ones (shifts, rotations and reflections), because it is the
four-dimensional hypercube. Map row and column through the Gray code 0, 1, 3, 2::

    row or column   0   1   2   3        neighbours differ in one bit,
    code           00  01  11  10        also around the edge: 10 ~ 00

and concatenate the two codes: cells become the 16 corners of a hypercube, and touching cells differ in one
bit. Its symmetries permute the four bits (24 ways) and flip any of them (16 ways): 384 in all.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product

from collapsi.core.board import Board
from collapsi.core.errors import wrong_type

Symmetry = tuple[int, ...]
"""Where each cell goes: cell *c* becomes cell `symmetry[c]`."""

_GRAY = (0b00, 0b01, 0b11, 0b10)


def symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return every known symmetry of a board: all 384 of the 4×4 board, those of the grid for other boards.

    >>> from collapsi.core.board import Board
    >>> len(symmetries(Board(4, 4))), len(symmetries(Board(3, 3)))
    (384, 72)
    """
    if not isinstance(board, Board):
        raise wrong_type(board, "a board, such as position.board")
    return _hypercube_symmetries() if (board.rows, board.columns) == (4, 4) else grid_symmetries(board)


def corner(cell: int) -> int:
    """Return the corner of the hypercube that a cell of the 4×4 board corresponds to.

    >>> [corner(cell) for cell in range(4)]
    [0, 1, 3, 2]
    """
    return _GRAY[cell // 4] << 2 | _GRAY[cell % 4]


NEAREST = (1, 5, 6, 10)
"""Cells of the 4×4 board, one for each distance from the first: b1, b2, c2, c3."""


@lru_cache(maxsize=1024)
def canonical_ways(board: Board, first: int, second: int) -> tuple[Symmetry, ...]:
    """Return the symmetries that take two cells to their canonical places.

    That is the first cell of the board and, on the 4×4 board, one of `NEAREST`; otherwise the first cell that
    is possible.
    """

    def place(way: Symmetry) -> tuple[int, bool, int]:
        return way[first], way[second] not in NEAREST, way[second]

    best = min(map(place, symmetries(board)))
    return tuple(way for way in symmetries(board) if place(way) == best)


@lru_cache(maxsize=1)
def _hypercube_symmetries() -> tuple[Symmetry, ...]:
    corners = [corner(cell) for cell in range(16)]
    cell_at = {code: cell for cell, code in enumerate(corners)}
    return tuple(
        tuple(cell_at[_permute_bits(code, order) ^ flips] for code in corners)
        for order in permutations(range(4))
        for flips in range(16)
    )


def _permute_bits(code: int, order: tuple[int, ...]) -> int:
    return sum((code >> bit & 1) << place for bit, place in enumerate(order))


@lru_cache(maxsize=32)
def grid_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Return the visible symmetries: shifts, reflections and, on a square board, the transposition."""
    rows, columns = board.rows, board.columns
    found: dict[Symmetry, None] = {}
    for down, right, flip, mirror, swap in product(
        range(rows), range(columns), (1, -1), (1, -1), (False, True)
    ):
        if swap and rows != columns:
            continue
        cells = []
        for cell in range(board.size):
            row, column = divmod(cell, columns)
            row, column = (flip * row + down) % rows, (mirror * column + right) % columns
            cells.append(column * columns + row if swap else row * columns + column)
        found[tuple(cells)] = None
    return tuple(found)
