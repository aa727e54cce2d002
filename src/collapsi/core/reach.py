"""The lookup table of the kernels: end cells of walks for every cell, length and set of face-up cards.

An entry is the set of cells where a walk may end. Its index combines the face-up cards with a *row* (number
of steps *n* and start cell), here for the 4×4 board::

    21 … 6        │ 5 4   │ 3 2 1 0         the bits of the start cell and of cards
    face-up cards │ n − 1 │ cell            out of reach make no difference
                    └─── row ───┘

The 64 rows of one set of cards are adjacent in memory: two lines of the processor's cache. A search looks up
several rows of each set, and can prefetch both lines as soon as it knows the set.

The table has two forms with the same content: `LazyReach` computes entries on demand, without start-up cost;
`full_reach` is a complete NumPy array (8 MB), for the compiled kernels.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from collapsi.core.board import mask_of
from collapsi.core.cards import STEPS
from collapsi.core.errors import IllegalPositionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from collapsi.core.board import Board

CELL_BITS = 4
MOST_CELLS = 1 << CELL_BITS
MASK_BITS = 16
ROW_BITS = CELL_BITS + 2


def row(steps: int, cell: int) -> int:
    """Return the part of an index for steps and start cell.

    The index is `face_up << ROW_BITS | row(n, cell)`.
    """
    return (steps - 1) << CELL_BITS | cell


def check_fits(board: Board) -> None:
    """Raise if the cells of a board do not fit into an index."""
    if board.size > MOST_CELLS:
        msg = f"this solver handles boards of up to {MOST_CELLS} cards, and this one has {board.size}"
        raise IllegalPositionError(msg)


@lru_cache(maxsize=2048)
def _ways(board: Board, cell: int, steps: int) -> tuple[tuple[int, int], ...]:
    """Return the distinct pairs (cards that must be face up, end cell as a set) of walks from a cell."""
    return tuple({(mask_of(path[1:]), 1 << path[-1]): None for path in board.paths(cell, steps)})


def marks(board: Board) -> Iterator[tuple[int, int]]:
    """Yield, for every distinct walk, the index with only its cards face up, and its end cell as a set.

    >>> from collapsi.core.board import Board
    >>> (0b110 << ROW_BITS | row(2, 0), 0b100) in marks(Board(4, 4))
    True
    """
    check_fits(board)
    for steps in STEPS:
        for cell in range(board.size):
            for needed, end in _ways(board, cell, steps):
                yield needed << ROW_BITS | row(steps, cell), end


class LazyReach(dict[int, int]):
    """The table as a dict that computes an entry on first access.

    >>> from collapsi.core.board import Board
    >>> reach = LazyReach(Board(4, 4))
    >>> reach[0b10 << ROW_BITS | row(1, 0)], len(reach)
    (2, 1)
    """

    def __init__(self, board: Board) -> None:
        super().__init__()
        check_fits(board)
        self.board = board

    def __missing__(self, index: int) -> int:
        face_up = index >> ROW_BITS
        cell = index & MOST_CELLS - 1
        steps = (index >> CELL_BITS & len(STEPS) - 1) + 1
        ends = 0
        for needed, end in _ways(self.board, cell, steps):
            if needed & face_up == needed:
                ends |= end
        self[index] = ends
        return ends


@lru_cache(maxsize=4)  # 8 MB each
def full_reach(board: Board) -> NDArray[np.uint16]:
    """Return the whole table as a flat array."""
    import numpy as np

    table: NDArray[Any] = np.zeros((1 << MASK_BITS) << ROW_BITS, np.uint16)
    for index, end in marks(board):
        table[index] |= np.uint16(end)
    for card in range(MASK_BITS):  # ends of walks over some of the cards are ends with more of them too
        without, with_card = np.moveaxis(table.reshape(-1, 2, 1 << card << ROW_BITS), 1, 0)
        with_card |= without
    return table
