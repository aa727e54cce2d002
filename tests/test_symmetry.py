"""The 384 symmetries of the 4×4 board preserve moves and values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import Board, Position, analyse, analyse_many, deal, symmetries, transform
from collapsi.core.symmetry import corner
from collapsi.games.classic.rules import CLASSIC_RULE_SETS, Rules
from collapsi.games.classic.symmetry import twins
from tests.strategies import played, set_up

BOARDS = [Board(4, 4), Board(3, 3), Board(6, 6), Board(3, 5)]


@pytest.mark.parametrize(("board", "count"), list(zip(BOARDS, [384, 72, 288, 60], strict=True)))
def test_symmetries_are_different_and_keep_neighbours(board: Board, count: int) -> None:
    group = symmetries(board)
    assert len(set(group)) == len(group) == count
    for symmetry in group:
        assert sorted(symmetry) == list(range(board.size))
        for cell in range(board.size):
            assert {symmetry[there] for there in board.neighbours(cell)} == set(
                board.neighbours(symmetry[cell])
            )


def test_touching_cells_are_corners_one_bit_apart() -> None:
    board = Board(4, 4)
    for one in range(16):
        for two in range(16):
            assert (two in board.neighbours(one)) == ((corner(one) ^ corner(two)).bit_count() == 1)


@pytest.mark.parametrize("rules", CLASSIC_RULE_SETS.values(), ids=str)
def test_all_symmetries_leave_a_deals_values_unchanged(rules: Rules) -> None:
    position = deal(random.Random(11), rules)
    group = symmetries(position.board)
    values = analyse(position).solution.values
    for symmetry, moved in zip(group, analyse_many([transform(position, s) for s in group]), strict=True):
        assert [moved.solution.values[symmetry[cell]] for cell in range(16)] == list(values)


@given(set_up(), st.integers(0, 383))
def test_moves_are_moved_alike(position: Position, index: int) -> None:
    symmetry = symmetries(position.board)[index]
    assert transform(position, symmetry).moves == tuple(sorted(symmetry[cell] for cell in position.moves))


def images(position: Position) -> set[Position]:
    """Every position that is this one in another place."""
    return {transform(position, symmetry) for symmetry in symmetries(position.board)}


def seen_alike(position: Position) -> set[Position]:
    """The images of a position by shifts, turns and reflections, in coordinates."""
    found = set()
    for down in range(4):
        for right in range(4):
            for flip, mirror in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                for swap in (False, True):
                    cells = []
                    for cell in range(16):
                        row, column = (flip * (cell // 4) + down) % 4, (mirror * (cell % 4) + right) % 4
                        cells.append(column * 4 + row if swap else row * 4 + column)
                    found.add(transform(position, tuple(cells)))
    return found


@settings(max_examples=10)
@given(played(fewest=0))
def test_twins_are_all_guises_and_no_two_look_alike(position: Position) -> None:
    found = twins(position)
    assert found[0] == position
    assert 1 <= len(found) <= 3
    families = [seen_alike(twin) for twin in found]
    assert set().union(*families) == images(position)
    assert sum(map(len, families)) == len(images(position))
