"""The torus: neighbours, squares, walks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi.core.board import Board, cells_of, mask_of
from collapsi.core.reach import ROW_BITS, LazyReach, full_reach, row

BOARDS = [Board(4, 4), Board(3, 3), Board(6, 6), Board(2, 5)]


@pytest.mark.parametrize("board", BOARDS)
def test_touching_is_mutual(board: Board) -> None:
    for cell in range(board.size):
        assert cell not in board.neighbours(cell)
        for there in board.neighbours(cell):
            assert cell in board.neighbours(there)


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 3), Board(6, 6)])
def test_every_cell_touches_four(board: Board) -> None:
    assert all(len(board.neighbours(cell)) == 4 for cell in range(board.size))


@pytest.mark.parametrize("board", BOARDS)
def test_squares_name_cells(board: Board) -> None:
    names = [board.square(cell) for cell in range(board.size)]
    assert [board.cell(name) for name in names] == list(range(board.size))
    assert len(set(names)) == board.size


@pytest.mark.parametrize(
    "square", ["", "a", "1", "a0", "a5", "e1", "A1", "a01", "a1x", "a²", "aa", "a-1", "a 1", "ä1"]
)
def test_other_texts_name_no_cell(square: str) -> None:
    assert Board(4, 4).cell(square) is None


def test_a_board_needs_cells() -> None:
    with pytest.raises(ValueError, match="0×4"):
        Board(0, 4)


def test_a_four_straight_along_a_row_comes_back_and_is_no_walk() -> None:
    board = Board(4, 4)
    row_only = mask_of(range(4))
    assert board.reach(0, 4, row_only) == 0
    assert board.reach(0, 3, row_only) == mask_of([1, 3])


def test_walks_from_a_corner_of_a_full_board() -> None:
    """Every number reaches the cells at its distance and, by detours, those an even number nearer."""
    board = Board(4, 4)
    assert [board.reach(0, steps, 0xFFFF).bit_count() for steps in (1, 2, 3, 4)] == [4, 6, 8, 7]
    assert [len(board.paths(0, steps)) for steps in (1, 2, 3, 4)] == [4, 12, 36, 96]


@given(st.integers(0, 15), st.integers(1, 4), st.integers(0, 0xFFFF))
def test_reach_is_the_ends_of_open_paths(cell: int, steps: int, face_up: int) -> None:
    board = Board(4, 4)
    ends = mask_of(path[-1] for path in board.paths(cell, steps) if mask_of(path[1:]) & ~face_up == 0)
    assert board.reach(cell, steps, face_up) == ends


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 3)])
def test_both_tables_hold_what_the_board_says(board: Board) -> None:
    lazy, full = LazyReach(board), full_reach(board)
    for steps in (1, 2, 3, 4):
        for cell in range(board.size):
            for face_up in range(cell, 1 << board.size, 997):
                index = face_up << ROW_BITS | row(steps, cell)
                assert lazy[index] == full[index] == board.reach(cell, steps, face_up)


@given(st.sets(st.integers(0, 35)))
def test_sets_of_cells(cells: set[int]) -> None:
    assert list(cells_of(mask_of(cells))) == sorted(cells)
