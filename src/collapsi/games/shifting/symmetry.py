"""The symmetries of the shifting board, computed from its rules.

A renaming of the cards preserves the game if it preserves every walk of a deal and maps each shift to a
shift. Walks of one step already require that neighbours stay neighbours, so on the square only the 384
symmetries of the hypercube (`core.symmetry`) are candidates. Of those, `symmetries` selects the ones that are
compatible with the shifts: for every end card, the renamed boards after its four shifts are boards after
shifts of the renamed card. The tests show that these preserve everything that follows from a deal.

Cards that leave the square do not wrap around a torus: `shift` and `shift-box` keep only the
eight rotations and reflections of the square; with rotating lines there are the translations of the torus
too, 128 in all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from collapsi.core.board import Board, mask_of
from collapsi.core.patch import WAYS, Patch, Wrap
from collapsi.core.symmetry import symmetries as square_symmetries
from collapsi.games.shifting.state import Shifting, Way

if TYPE_CHECKING:
    from collapsi.core.board import Grid
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.shifting.rules import ShiftingRules
    from collapsi.games.shifting.state import Place

Layout = tuple[tuple[int, int], ...]
"""The place of each card."""
SQUARE: Layout = tuple(divmod(card, 4) for card in range(16))


@lru_cache(maxsize=8)
def symmetries(rules: ShiftingRules) -> tuple[Symmetry, ...]:
    """Return every renaming of a deal's sixteen cells that preserves the game.

    >>> from collapsi.games.shifting.rules import SHIFTING_RULE_SETS
    >>> {name: len(symmetries(rules)) for name, rules in SHIFTING_RULE_SETS.items()}
    {'shift': 8, 'shift-box': 8, 'shift-rotate': 128}
    """
    candidates = square_symmetries(Board(4, 4))
    return tuple(symmetry for symmetry in candidates if _keeps_shifts(symmetry, rules.wrap))


def _keeps_shifts(symmetry: Symmetry, wrap: Wrap) -> bool:
    """Return whether each shift has a shift of the renamed card after which the same cards touch."""
    return all(
        any(
            _touch_alike(_shifted(card, way, wrap), _shifted(symmetry[card], other, wrap), symmetry, wrap)
            for other in Way
        )
        for card in range(len(SQUARE))
        for way in Way
    )


def _touch_alike(layout: Layout, image: Layout, symmetry: Symmetry, wrap: Wrap) -> bool:
    here, there = _touching(layout, wrap), _touching(image, wrap)
    return all(
        {symmetry[near] for near in here[card]} == there[symmetry[card]] for card in range(len(layout))
    )


@lru_cache(maxsize=1024)
def _touching(layout: Layout, wrap: Wrap) -> tuple[frozenset[int], ...]:
    """Return the cards that each card touches."""
    top, left = min(row for row, _ in layout), min(column for _, column in layout)
    rows, columns = (max(place[axis] for place in layout) - (top, left)[axis] + 1 for axis in range(2))
    cells = [(row - top) * columns + column - left for row, column in layout]
    card = {cell: number for number, cell in enumerate(cells)}
    board: Grid = Board(4, 4) if wrap is Wrap.ROTATE else Patch(rows, columns, mask_of(cells), wrap)
    return tuple(frozenset(card[near] for near in board.neighbours(cell)) for cell in cells)


@lru_cache(maxsize=256)
def _shifted(card: int, way: Way, wrap: Wrap) -> Layout:
    """Return the places of a deal's cards after a shift of a card's line."""
    axis = 0 if way.is_row else 1
    down, right = WAYS[way]
    places = [
        (row + down, column + right) if (row, column)[axis] == SQUARE[card][axis] else (row, column)
        for row, column in SQUARE
    ]
    return tuple((row % 4, column % 4) if wrap is Wrap.ROTATE else (row, column) for row, column in places)


def transform(position: Shifting, symmetry: Symmetry) -> Shifting:
    """Apply a symmetry of the rules to a position, also after cards have left the square.

    All symmetries are rotations, reflections and (with rotating lines) translations, so the images of three
    cells determine them.

    >>> import collapsi
    >>> from collapsi.games.shifting.rules import SHIFT
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/A3Jb4 r shift")
    >>> [transform(position, symmetry).text[:4] for symmetry in symmetries(SHIFT)[:2]]
    ['A223', '322A']
    """
    columns = position.board.columns
    cards = {
        moved(symmetry, divmod(cell, columns), position.rules): card
        for cell, card in enumerate(position.cards)
        if not position.board.is_gap(cell)
    }
    red, blue = (moved(symmetry, divmod(cell, columns), position.rules) for cell in position.pawns)
    return Shifting.at(cards, (red, blue), position.to_move, position.rules)


def moved(symmetry: Symmetry, place: Place, rules: ShiftingRules) -> Place:
    """Return the image of any place of the plane under a symmetry of the square."""
    (row, column), (down, right) = divmod(symmetry[0], 4), place
    by_row, by_column = (_difference(symmetry[0], symmetry[cell]) for cell in (4, 1))
    row += down * by_row[0] + right * by_column[0]
    column += down * by_row[1] + right * by_column[1]
    return (row % 4, column % 4) if rules.wrap is Wrap.ROTATE else (row, column)


def _difference(one: int, two: int) -> Place:
    """Return the direction of the step from a cell of the torus to its neighbour."""
    down, right = two // 4 - one // 4, two % 4 - one % 4
    return (down + 1) % 4 - 1, (right + 1) % 4 - 1
