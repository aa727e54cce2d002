"""Positions of the classic game under the symmetries of their board."""

from __future__ import annotations

from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.core.symmetry import Symmetry, grid_symmetries, symmetries
from collapsi.games.classic.position import Position


def transform(position: Position, symmetry: Symmetry) -> Position:
    """Return the position with every cell moved; it has the same value, and its moves move alike."""
    if not isinstance(position, Position):
        raise wrong_type(position, "a position of the classic game")
    if not isinstance(symmetry, tuple):
        raise wrong_type(symmetry, "one of collapsi.symmetries(position.board)")
    if len(symmetry) != len(position.cards):
        msg = f"a symmetry of this board has {len(position.cards)} cells, not {len(symmetry)}"
        raise CollapsiError(msg)
    cards = list(position.cards)
    for cell, card in enumerate(position.cards):
        cards[symmetry[cell]] = card
    red, blue = position.pawns
    return Position(tuple(cards), (symmetry[red], symmetry[blue]), position.to_move, position.rules)


def twins(position: Position) -> tuple[Position, ...]:
    """Return the equivalent positions that no shift, rotation or reflection transforms into each other.

    The position itself comes first. On the 4×4 board there are at most three: 384 symmetries, of which 128
    are visible.

    >>> import collapsi
    >>> len(twins(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")))
    3
    """
    found = [position]
    seen = {transform(position, symmetry) for symmetry in grid_symmetries(position.board)}
    for symmetry in symmetries(position.board):
        image = transform(position, symmetry)
        if image not in seen:
            found.append(image)
            seen |= {transform(image, visible) for visible in grid_symmetries(position.board)}
    return tuple(found)


def weight(deal: Position) -> int:
    """Return the size of a deal's symmetry class, counting deals with red's jack on a1."""
    first = deal.pawns[0]
    return len({transform(deal, way) for way in symmetries(deal.board) if way[first] == 0})
