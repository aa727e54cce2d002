"""The different shapes of `shift-rotate`, and the shapes that follow from each.

A move is a walk and then a shift, so there are two kinds of positions, and of layers:

- before a *walk*: the player to move has yet to walk;
- before a *shift*: a walk has ended, the card it left has collapsed, and the player who walked has yet to
  shift a line of the end card. (Each value before a shift is the least of four values before a walk.)

In both a shape is (face-up cells, cell of the pawn that walks next, cell of the other), up to the symmetries
of this game: of the 384 of the board those that map shifts of lines to shifts of lines. Only shapes that can
follow from a deal are listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.census.layers.numberings import NUMBERED, numberings
from collapsi.census.layers.shapes import images_of
from collapsi.core.board import cells_of, mask_of
from collapsi.core.patch import WAYS
from collapsi.core.reach import ROW_BITS, LazyReach, row
from collapsi.games.shifting.rules import SHIFT_ROTATE
from collapsi.games.shifting.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BOARD = SHIFT_ROTATE.board
EVERYTHING = 0xFFFF
CARDS = range(2, 17)


def shift_maps(cell: int) -> tuple[tuple[int, ...], ...]:
    """Return the four shifts after a walk to a cell, right, left, down and up: the image of every cell.

    >>> shift_maps(5)[0]
    (0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11, 12, 13, 14, 15)
    """
    line = divmod(cell, 4)
    found = []
    for down, right in WAYS:
        cells = []
        for place in range(16):
            y, x = divmod(place, 4)
            if (y == line[0]) if right else (x == line[1]):
                y, x = (y + down) % 4, (x + right) % 4
            cells.append(4 * y + x)
        found.append(tuple(cells))
    return tuple(found)


SHIFT_MAPS = tuple(map(shift_maps, range(16)))
"""By the cell where the walk ended."""


@cache
def group() -> NDArray[np.int64]:
    """Return the symmetries of the game: row g, column c is the image of cell c under symmetry g."""
    return np.array(symmetries(SHIFT_ROTATE), np.int64)


class Shape(NamedTuple):
    """A position without its numbers, in canonical form."""

    face_up: int
    mover: int
    """The cell of the pawn that walks next."""
    other: int


class Form(NamedTuple):
    """The canonical form of a set of cells, and of every pair of pawns on it."""

    face_up: int
    ways: NDArray[np.int64]
    """Every symmetry that leads to it, one per row."""
    pairs: list[list[int]]
    """By the pawns' cells: the least 16 × mover + other over these symmetries."""

    def shape(self, mover: int, other: int) -> Shape:
        """Return the shape with pawns on these cells."""
        return Shape(self.face_up, *divmod(self.pairs[mover][other], 16))

    def ways_to(self, shape: Shape, mover: int, other: int) -> NDArray[np.int64]:
        """Return all symmetries that make the shape with these pawns canonical."""
        leads = (self.ways[:, mover] == shape.mover) & (self.ways[:, other] == shape.other)
        found: NDArray[np.int64] = self.ways[leads]
        return found


@cache
def _images() -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    return images_of(group())


@cache
def form(face_up: int) -> Form:
    """Return the canonical form of a set: its least image, and for each pair of pawns the least of theirs."""
    low, high = _images()
    images = low[:, face_up & 255] | high[:, face_up >> 8]
    ways = group()[images == images.min()]
    pairs = (16 * ways[:, :, None] + ways[:, None, :]).min(axis=0)
    return Form(int(images.min()), ways, pairs.tolist())


def canonical(face_up: int, mover: int, other: int) -> Shape:
    """Return the canonical form of a shape."""
    return form(face_up).shape(mover, other)


def shifted(face_up: int, shift: tuple[int, ...]) -> int:
    """Return a set of cells after a shift."""
    return mask_of(shift[cell] for cell in cells_of(face_up))


def numbered(shape: Shape) -> tuple[int, ...]:
    """Return the cells whose numbers matter, in reading order: all face-up cells except the jacks.

    With sixteen cards both pawns are on their jacks, with fifteen the one that walks next is.
    """
    jacks = {16: {shape.mover, shape.other}, 15: {shape.mover}}.get(shape.face_up.bit_count(), set())
    return tuple(cell for cell in cells_of(shape.face_up) if cell not in jacks)


def choices(cards: int) -> tuple[int, ...]:
    """Return the possible lengths of a walk with `cards` cards face up: from a jack one, else any number."""
    return (1,) if cards > NUMBERED else (1, 2, 3, 4)


@dataclass(frozen=True)
class Layer:
    """All shapes before a walk, or before a shift, with one number of face-up cards."""

    cards: int
    index: dict[Shape, int]
    """The row of each shape in the layer's array; shapes with the same face-up cells are adjacent."""

    @property
    def columns(self) -> int:
        """The number of numberings of each shape."""
        return len(numberings(min(self.cards, NUMBERED)))

    @property
    def positions(self) -> int:
        """The number of positions: every numbering of every shape."""
        return len(self.index) * self.columns


@dataclass(frozen=True)
class Layers:
    """All layers by number of cards."""

    walks: dict[int, Layer]
    """Before a walk: from 16 cards to 2."""
    shifts: dict[int, Layer]
    """Before a shift: from 15 cards to 2."""


JACKS = {5: 4, 6: 4, 10: 1}
"""Places of blue's jack, up to symmetry, with red's on a1 and no line in common (b2, c2, c3), and how many
places each represents."""

_reach = LazyReach(BOARD)


def ends(shape: Shape, steps: int) -> int:
    """Return the cells where a walk of `steps` steps may end."""
    left = shape.face_up & ~(1 << shape.mover)
    return _reach[left << ROW_BITS | row(steps, shape.mover)] & ~(1 << shape.other)


def after_walk(shape: Shape) -> Iterator[tuple[int, Shape]]:
    """Yield every end cell of a walk by any number, and the shape before the shift."""
    reached = 0
    for steps in choices(shape.face_up.bit_count()):
        reached |= ends(shape, steps)
    left = form(shape.face_up & ~(1 << shape.mover))
    for end in cells_of(reached):
        yield end, left.shape(shape.other, end)


def after_shift(shape: Shape) -> Iterator[tuple[tuple[int, ...], Shape]]:
    """Yield the four shifts, and the shapes before the next walk."""
    for shift in SHIFT_MAPS[shape.other]:
        yield shift, canonical(shifted(shape.face_up, shift), shift[shape.mover], shift[shape.other])


@cache
def layers() -> Layers:
    """Return every layer: the shapes reachable from deals with any numbers and any play.

    >>> [len(layer.index) for layer in layers().walks.values()]
    [3, 14, 95, 609, 1935, 3998, 5942, 6774, 5942, 4001, 2043, 773, 212, 39, 5]
    """
    walks, shifts = {}, {}
    shapes = {canonical(EVERYTHING, 0, blue) for blue in JACKS}
    for cards in reversed(CARDS):
        walks[cards] = _layer(cards, shapes)
        if cards > CARDS[0]:
            shapes = {found for shape in shapes for _, found in after_walk(shape)}
            shifts[cards - 1] = _layer(cards - 1, shapes)
            shapes = {found for shape in shapes for _, found in after_shift(shape)}
    return Layers(walks, shifts)


def _layer(cards: int, shapes: set[Shape]) -> Layer:
    return Layer(cards, {shape: number for number, shape in enumerate(sorted(shapes))})
