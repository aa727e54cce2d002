"""Which symmetries the shifting board has, found and not assumed.

To keep the game a renaming of the cards must keep every walk of a deal, and each shift must again be a shift.
A walk of one step already asks for neighbours, so on the square only the 384 symmetries of the hypercube
(`collapsi.symmetry`) come into question. Of those, `symmetries` keeps the ones after which the shifts still
fit: for every end card, the four boards that its shifts lead to are, renamed, boards that the shifts of the
renamed card lead to. That what is left keeps all that is played from a deal is for the tests to show.

It is little. Cards that leave the square have no torus to come back on: in `shift` and `shift-box` the eight
turns and reflections of the square are left; where lines turn, the shifts of the torus too, 128 in all.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from collapsi.board import Board, mask_of
from collapsi.games.shifting import Shifting, Way
from collapsi.patch import WAYS, Patch
from collapsi.rules import Wrap
from collapsi.symmetry import symmetries as of_the_square

if TYPE_CHECKING:
    from collapsi.board import Grid
    from collapsi.games.shifting import Place
    from collapsi.rules import Rules
    from collapsi.symmetry import Symmetry

Laid = tuple[tuple[int, int], ...]
"""The place of each card."""
SQUARE: Laid = tuple(divmod(card, 4) for card in range(16))


@cache
def symmetries(rules: Rules) -> tuple[Symmetry, ...]:
    """Every renaming of a deal's sixteen cells that keeps the game.

    >>> from collapsi.rules import RULE_SETS
    >>> {name: len(symmetries(rules)) for name, rules in RULE_SETS.items() if rules.shift}
    {'shift': 8, 'shift-box': 8, 'shift-rotate': 128}
    """
    wrap = _wrap(rules)
    return tuple(symmetry for symmetry in of_the_square(Board(4, 4)) if _keeps_shifts(symmetry, wrap))


def _wrap(rules: Rules) -> Wrap:
    assert rules.shift is not None  # only asked of the shifting board
    return rules.shift


def _keeps_shifts(symmetry: Symmetry, wrap: Wrap) -> bool:
    """Whether the cards of a deal, renamed, touch alike after each shift and one of the renamed card."""
    return all(
        any(
            _touch_alike(_shifted(card, way, wrap), _shifted(symmetry[card], other, wrap), symmetry, wrap)
            for other in Way
        )
        for card in range(len(SQUARE))
        for way in Way
    )


def _touch_alike(laid: Laid, image: Laid, symmetry: Symmetry, wrap: Wrap) -> bool:
    here, there = _touching(laid, wrap), _touching(image, wrap)
    return all({symmetry[near] for near in here[card]} == there[symmetry[card]] for card in range(len(laid)))


@cache
def _touching(laid: Laid, wrap: Wrap) -> tuple[frozenset[int], ...]:
    """For each card those it touches."""
    top, left = min(row for row, _ in laid), min(column for _, column in laid)
    rows, columns = (max(place[axis] for place in laid) - (top, left)[axis] + 1 for axis in range(2))
    cells = [(row - top) * columns + column - left for row, column in laid]
    card = {cell: number for number, cell in enumerate(cells)}
    board: Grid = Board(4, 4) if wrap is Wrap.ROTATE else Patch(rows, columns, mask_of(cells), wrap)
    return tuple(frozenset(card[near] for near in board.neighbours(cell)) for cell in cells)


@cache
def _shifted(card: int, way: Way, wrap: Wrap) -> Laid:
    """The places of a deal's cards after the shift of a card's line."""
    axis = 0 if way.is_row else 1
    down, right = WAYS[way]
    places = [
        (row + down, column + right) if (row, column)[axis] == SQUARE[card][axis] else (row, column)
        for row, column in SQUARE
    ]
    return tuple((row % 4, column % 4) if wrap is Wrap.ROTATE else (row, column) for row, column in places)


def transform(position: Shifting, symmetry: Symmetry) -> Shifting:
    """The position renamed by a symmetry of its rules, also after cards have left the square.

    The symmetries found are all turns, reflections and (where lines turn) shifts, so they are known by where
    three cells of the square go.

    >>> import collapsi
    >>> from collapsi.rules import SHIFT
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


def moved(symmetry: Symmetry, place: Place, rules: Rules) -> Place:
    """Where a symmetry of the square takes any place of the plane."""
    (row, column), (down, right) = divmod(symmetry[0], 4), place
    by_row, by_column = (_difference(symmetry[0], symmetry[cell]) for cell in (4, 1))
    row += down * by_row[0] + right * by_column[0]
    column += down * by_row[1] + right * by_column[1]
    return (row % 4, column % 4) if rules.shift is Wrap.ROTATE else (row, column)


def moved_way(symmetry: Symmetry, way: Way) -> Way:
    """The way of a shift after a symmetry."""
    down, right = WAYS[way]
    by_row, by_column = (_difference(symmetry[0], symmetry[cell]) for cell in (4, 1))
    there = (down * by_row[0] + right * by_column[0], down * by_row[1] + right * by_column[1])
    return Way(WAYS.index(there))


def _difference(one: int, two: int) -> Place:
    """Which way the step from a cell of the torus to its neighbour goes."""
    down, right = two // 4 - one // 4, two % 4 - one % 4
    return (down + 1) % 4 - 1, (right + 1) % 4 - 1
