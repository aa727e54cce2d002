"""The shifting board as the page shows it: a move has two halves, the card and then the shift of a line.

For every card that the pawn may walk to: the board after the walk, and the four shifts with where their
arrows stand. For the move that led here: the board between its halves, and where each card went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.api.squares import board_json, laid_json
from collapsi.core.patch import WAYS
from collapsi.games.analysis import colour
from collapsi.games.shifting.state import Shifting, Way

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.draw.svg import Stroke
    from collapsi.games.shifting.state import Place

OUT = 0.6
"""How far a card is seen to go out on one side, and to come in on the other, of its way to the next place."""
BEYOND = 0.58
"""How far beyond its line the trace of a shift begins and ends, of the way to the next place."""


def after_walk(position: Shifting, end: int) -> models.AfterWalk:
    """The second half of the moves that end on a card; nothing where none does."""
    if end not in position.ends:
        return {}
    return {
        "walked": walked_json(position, end),
        "then": then(position, end),
        "shifts": [shift_json(position, 4 * end + way) for way in Way],
    }


def walked_json(position: Shifting, end: int) -> list[models.SquareLaid]:
    """The squares that a walk changes: the card it leaves has collapsed, and the pawn stands on another."""
    card = position.cards[end]
    assert card is not None  # a walk ends on a face-up card
    square = position.board.square
    start = position.pawns[position.to_move]
    return [
        {"square": square(start), "card": None, "pawn": None},
        {"square": square(end), "card": card.letter, "pawn": colour(position.to_move)},
    ]


def then(position: Shifting, end: int) -> str:
    """What is to be done after the walk, in words.

    >>> from collapsi import parse_position
    >>> then(parse_position("A223/4A2Jr/3A23/Jb3A4 r shift"), 3)
    'shift row 1 or column d by one space'
    """
    square = position.board.square(end)
    return f"shift row {square[1:]} or column {square[0]} by one space"


def shift_json(position: Shifting, move: int) -> models.ShiftShown:
    """One of the four shifts, and where its arrow stands: beyond the last card of its line."""
    way, board = position.way(move), position.board
    down, right = WAYS[way]
    row, column = divmod(position.end(move), board.columns)
    if way.is_row:
        line = range(row * board.columns, (row + 1) * board.columns)
    else:
        line = range(column, board.size, board.columns)
    cards = [cell for cell in line if not board.is_gap(cell)]
    return {
        "move": position.move_text(move),
        "shift": way.letter,
        "by": (right, down),
        "beyond": board.square(cards[-1] if right + down > 0 else cards[0]),
        "text": f"shift {line_text(position, move)}",
    }


def line_text(position: Shifting, move: int) -> str:
    """Which line a move shifts, and which way.

    >>> from collapsi import parse_position
    >>> position = parse_position("A223/4A2Jr/3A23/Jb3A4 r shift")
    >>> line_text(position, position.parse_move("d1l")), line_text(position, position.parse_move("d1d"))
    ('row 1 to the left', 'column d down')
    """
    way = position.way(move)
    square = position.board.square(position.end(move))
    return f"row {square[1:]} to the {way}" if way.is_row else f"column {square[0]} {way}"


def shifted_json(before: Shifting, move: int) -> models.Shifted:
    """The second half of a move: the board before it, and where each card goes."""
    changed = {square["square"]: square for square in walked_json(before, before.end(move))}
    board, after = before.board, before.play(move)
    names = board_json(board)
    places = before.slides(move)
    top, left = (min(place[axis] for place in places.values()) for axis in (0, 1))
    return {
        "rows": names["rows"],
        "columns": names["columns"],
        "squares": [changed.get(square["square"], square) for square in laid_json(before)],
        "slides": [
            {
                "before": board.square(cell),
                "after": after.board.square((row - top) * after.board.columns + column - left),
                "strokes": _slide(before, move, cell, (row, column)),
            }
            for cell, (row, column) in places.items()
        ],
        "trace": _trace(before, move, [(row - top, column - left) for row, column in places.values()]),
    }


def _trace(before: Shifting, move: int, after: list[Place]) -> Stroke:
    """The line that was shifted, as it lies then: from before its first card to beyond its last."""
    way = before.way(move)
    y, x = after[list(before.slides(move)).index(before.end(move))]
    line = [place[way.is_row] for place in after if place[not way.is_row] == (y if way.is_row else x)]
    ends = min(line) - BEYOND, max(line) + BEYOND
    first, last = ends if sum(WAYS[way]) > 0 else ends[::-1]
    return (first, y, last, y) if way.is_row else (x, first, x, last)


def _slide(before: Shifting, move: int, cell: int, place: tuple[int, int]) -> list[Stroke]:
    """How a card moves: not at all, one place on, or out on one side and in on the other."""
    y0, x0 = divmod(cell, before.board.columns)
    y1, x1 = place
    down, right = WAYS[before.way(move)]
    if (y0, x0) == (y1, x1):
        return []
    if (y0 + down, x0 + right) == (y1, x1):
        return [(x0, y0, x1, y1)]
    return [
        (x0, y0, x0 + OUT * right, y0 + OUT * down),
        (x1 - OUT * right, y1 - OUT * down, x1, y1),
    ]
