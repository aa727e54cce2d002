"""The lookup table of the kernels: end cells of walks for every cell, length and set of face-up cards.

An entry is the set of cells where a walk may end. Its index combines a *row* (number of steps *n* and start
cell) with the face-up cards, here for the 4×4 board::

    21 20 │ 19 18 17 16 │ 15 … 0            the bits of the start cell and of cards
    n − 1 │ cell        │ face-up cards     out of reach make no difference
    └────── row ──────┘

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


def row(steps: int, cell: int) -> int:
    """Return the part of an index for steps and start cell: `row(n, cell) | face_up` is the index."""
    return ((steps - 1) << CELL_BITS | cell) << MASK_BITS


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
    >>> (row(2, 0) | 0b110, 0b100) in marks(Board(4, 4))
    True
    """
    check_fits(board)
    for steps in STEPS:
        for cell in range(board.size):
            for needed, end in _ways(board, cell, steps):
                yield row(steps, cell) | needed, end


class LazyReach(dict[int, int]):
    """The table as a dict that computes an entry on first access.

    >>> from collapsi.core.board import Board
    >>> reach = LazyReach(Board(4, 4))
    >>> reach[row(1, 0) | 0b10], len(reach)
    (2, 1)
    """

    def __init__(self, board: Board) -> None:
        super().__init__()
        check_fits(board)
        self.board = board

    def __missing__(self, index: int) -> int:
        face_up = index & (1 << MASK_BITS) - 1
        cell = index >> MASK_BITS & MOST_CELLS - 1
        steps = (index >> MASK_BITS >> CELL_BITS) + 1
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

    check_fits(board)
    masks = np.arange(1 << MASK_BITS, dtype=np.uint16)
    table: NDArray[Any] = np.zeros((len(STEPS), MOST_CELLS, 1 << MASK_BITS), np.uint16)
    for steps in STEPS:
        for cell in range(board.size):
            for needed, end in _ways(board, cell, steps):
                table[steps - 1, cell][masks & needed == needed] |= np.uint16(end)
    return table.reshape(-1)
