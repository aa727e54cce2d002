"""The squares of a board: what lies and stands there, and the move to each of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from collapsi.core.players import Player
from collapsi.draw.svg import strokes
from collapsi.games.analysis import colour
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.api import models
    from collapsi.core.board import Grid
    from collapsi.core.state import State


@lru_cache(maxsize=256)  # bounded: there are many boards with gaps
def board_json(board: Grid) -> models.BoardShown:
    """The names on a board."""
    return {
        "rows": [board.square(row * board.columns)[1:] for row in range(board.rows)],
        "columns": [board.square(column)[0] for column in range(board.columns)],
        "squares": [board.square(cell) for cell in range(board.size)],
    }


def way(state: State, path: Sequence[int]) -> list[str]:
    """The names of the squares of a path."""
    return [state.board.square(cell) for cell in path]


def laid_json(state: State) -> list[models.SquareLaid]:
    """Every square in reading order with what lies and stands there."""
    pawns = {cell: colour(Player(index)) for index, cell in enumerate(state.pawns)}
    found: list[models.SquareLaid] = []
    for cell, card in enumerate(state.cards):
        square: models.SquareLaid = {
            "square": state.board.square(cell),
            "card": None if card is None else state.cell_text(cell)[0],
            "pawn": pawns.get(cell),
        }
        if state.board.is_gap(cell):
            square["gap"] = True
        found.append(square)
    return found


def walk_json(state: State, cell: int) -> models.WalkShown:
    """The move to a cell, or why there is none; where a shift follows, the walk is only half a move."""
    shifts = kind_of(state).shifts
    move = 4 * cell if shifts else cell
    refusal = state.refusal(move)
    path = None if refusal else state.path(move)
    return {
        "move": None if refusal or shifts else state.move_text(move),
        "path": None if path is None else way(state, path),
        "strokes": None if path is None else strokes(state.board, path),
        "refusal": {"kind": refusal[0], "text": refusal[1]} if refusal else None,
    }
