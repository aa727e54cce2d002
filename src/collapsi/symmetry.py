"""The symmetries of the board, seen and unseen.

Moves depend only on which cells touch, so every way to rename the cells that keeps neighbours neighbours
keeps the game. The 4×4 torus has more of them than the eye sees (128: shifts, turns and reflections): it is
the hypercube in four dimensions. Send row and column each through the Gray code 0, 1, 3, 2::

    row or column   0   1   2   3        neighbours differ in one bit,
    code           00  01  11  10        also around the edge: 10 ~ 00

and write the two codes side by side: cells become the 16 corners of a hypercube, and touching cells differ in
one bit. Its symmetries permute the four bits (24 ways) and flip any of them (16 ways): 384 in all.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import TYPE_CHECKING

from collapsi.position import Position

if TYPE_CHECKING:
    from collapsi.board import Board

Symmetry = tuple[int, ...]
"""Where each cell goes: cell *c* becomes cell `symmetry[c]`."""

NEAREST = (1, 5, 6, 10)
"""Cells of the 4×4 board, one for each distance from the first."""

_GRAY = (0b00, 0b01, 0b11, 0b10)


@cache
def symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Every symmetry we know of the board: all 384 of the 4×4 board, those of the grid for the others.

    >>> from collapsi.board import Board
    >>> len(symmetries(Board(4, 4))), len(symmetries(Board(3, 3)))
    (384, 72)
    """
    return _hypercube_symmetries() if (board.rows, board.columns) == (4, 4) else _grid_symmetries(board)


def transform(position: Position, symmetry: Symmetry) -> Position:
    """The position with every cell moved; it has the same value, and its moves are moved alike."""
    cards = list(position.cards)
    for cell, card in enumerate(position.cards):
        cards[symmetry[cell]] = card
    red, blue = position.pawns
    return Position(tuple(cards), (symmetry[red], symmetry[blue]), position.to_move, position.rules)


def twins(position: Position) -> tuple[Position, ...]:
    """The same game in other guises: a hidden symmetry joins them, but no shift, turn or reflection.

    The position itself comes first. On the 4×4 board there are at most three: 384 symmetries, of which the
    eye sees 128.

    >>> import collapsi
    >>> len(twins(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")))
    3
    """
    found = [position]
    seen = {transform(position, symmetry) for symmetry in _grid_symmetries(position.board)}
    for symmetry in symmetries(position.board):
        image = transform(position, symmetry)
        if image not in seen:
            found.append(image)
            seen |= {transform(image, visible) for visible in _grid_symmetries(position.board)}
    return tuple(found)


def standing_for(deal: Position) -> Position:
    """Of all deals that are this one, however turned, the one that the atlas lists.

    Red's jack is on a1, blue's on b1, b2, c2 or c3, and then the numbers are the least in reading order.

    >>> import collapsi
    >>> print(standing_for(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")).text)
    Jr3A4/34Jb3/2A3A/222A r
    """
    red, blue = deal.pawns
    ways = [way for way in symmetries(deal.board) if way[red] == 0 and way[blue] in NEAREST]
    return min((transform(deal, way) for way in ways), key=lambda image: image.cards)


def weight(deal: Position) -> int:
    """How many of all deals, counted with red's jack on a1, are this one."""
    first = deal.pawns[0]
    return len({transform(deal, way) for way in symmetries(deal.board) if way[first] == 0})


def corner(cell: int) -> int:
    """The corner of the hypercube that a cell of the 4×4 board is.

    >>> [corner(cell) for cell in range(4)]
    [0, 1, 3, 2]
    """
    return _GRAY[cell // 4] << 2 | _GRAY[cell % 4]


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


@cache
def _grid_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """Shifts and reflections, and where rows and columns are as many also the exchange of the two."""
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
