"""The different shapes of the game with turning lines, and what follows from each.

A move is a walk and then a shift, so there are two kinds of positions, and of layers:

- before a *walk*: the side to move has yet to walk;
- before a *shift*: a walk has ended, the card it left has collapsed, and the one who walked has yet to turn
  a line of the end card. (Nothing is asked here that the next walk depends on: each value before a shift is
  the least of four values before a walk.)

In both a shape is (face-up cells, cell of the pawn that walks next, cell of the other), up to the symmetries
of this game: of the 384 of the board those that make turns of lines into turns of lines. Only shapes that can
follow from a deal are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.board import cells_of, mask_of
from collapsi.games.shifting_symmetry import symmetries
from collapsi.patch import WAYS
from collapsi.reach import LazyReach, row
from collapsi.rules import SHIFT_ROTATE
from collapsi.solve.layers.numberings import NUMBERED, numberings
from collapsi.solve.layers.shapes import images_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BOARD = SHIFT_ROTATE.board
EVERYTHING = 0xFFFF
CARDS = range(2, 17)


def turns(cell: int) -> tuple[tuple[int, ...], ...]:
    """The four shifts after a walk to a cell, right, left, down and up: where each sends every cell.

    >>> turns(5)[0]
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


TURNS = tuple(map(turns, range(16)))
"""By the cell where the walk ended."""


@cache
def group() -> NDArray[np.int64]:
    """The symmetries of the game: row g, column c is where symmetry g sends cell c."""
    return np.array(symmetries(SHIFT_ROTATE), np.int64)


class Shape(NamedTuple):
    """A position without its numbers, in canonical form."""

    face_up: int
    mover: int
    """Where the pawn stands that walks next."""
    other: int


class Form(NamedTuple):
    """The canonical form of a set of cells, and of every pair of pawns on it."""

    face_up: int
    ways: NDArray[np.int64]
    """Every symmetry that leads to it, one a row."""
    pairs: list[list[int]]
    """By the pawns' cells: 16 × mover + other after the best of the ways. The mover's cell comes first."""

    def shape(self, mover: int, other: int) -> Shape:
        """The shape that pawns on these cells have."""
        return Shape(self.face_up, *divmod(self.pairs[mover][other], 16))

    def ways_to(self, shape: Shape, mover: int, other: int) -> NDArray[np.int64]:
        """All symmetries that make these pawns' shape canonical."""
        leads = (self.ways[:, mover] == shape.mover) & (self.ways[:, other] == shape.other)
        found: NDArray[np.int64] = self.ways[leads]
        return found


@cache
def _images() -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    return images_of(group())


@cache
def form(face_up: int) -> Form:
    """The canonical form of a set: its least image, and for each pair of pawns the least of what is left."""
    low, high = _images()
    images = low[:, face_up & 255] | high[:, face_up >> 8]
    ways = group()[images == images.min()]
    pairs = (16 * ways[:, :, None] + ways[:, None, :]).min(axis=0)
    return Form(int(images.min()), ways, pairs.tolist())


def canonical(face_up: int, mover: int, other: int) -> Shape:
    """The shape that stands for this one."""
    return form(face_up).shape(mover, other)


def turned(face_up: int, turn: tuple[int, ...]) -> int:
    """A set of cells after a shift."""
    return mask_of(turn[cell] for cell in cells_of(face_up))


def numbered(shape: Shape) -> tuple[int, ...]:
    """The cells whose numbers matter, in reading order: all that are face up but the jacks.

    With sixteen cards both pawns stand on their jacks, with fifteen the one that walks next does.
    """
    jacks = {16: {shape.mover, shape.other}, 15: {shape.mover}}.get(shape.face_up.bit_count(), set())
    return tuple(cell for cell in cells_of(shape.face_up) if cell not in jacks)


def choices(cards: int) -> tuple[int, ...]:
    """The steps that a walk may have with so many cards face up: from a jack one, else by the number."""
    return (1,) if cards > NUMBERED else (1, 2, 3, 4)


@dataclass(frozen=True)
class Layer:
    """All shapes of one kind and one number of face-up cards."""

    cards: int
    index: dict[Shape, int]
    """Which row of the layer's array is whose; shapes with the same face-up cells are neighbours."""

    @property
    def columns(self) -> int:
        """The numberings of each shape."""
        return len(numberings(min(self.cards, NUMBERED)))

    @property
    def positions(self) -> int:
        """All positions: every numbering of every shape."""
        return len(self.index) * self.columns


@dataclass(frozen=True)
class Layers:
    """Every layer by its number of cards."""

    walks: dict[int, Layer]
    """Before a walk: from 16 cards to 2."""
    shifts: dict[int, Layer]
    """Before a shift: from 15 cards to 2."""


JACKS = {5: 4, 6: 4, 10: 1}
"""Blue's jack where red's is on a1 and they share no line, up to symmetry (b2, c2, c3), and how many places
each stands for."""

_reach = LazyReach(BOARD)


def ends(shape: Shape, steps: int) -> int:
    """The cells where a walk of so many steps may end."""
    left = shape.face_up & ~(1 << shape.mover)
    return _reach[row(steps, shape.mover) | left] & ~(1 << shape.other)


def after_walk(shape: Shape) -> Iterator[tuple[int, Shape]]:
    """Every end cell of a walk by any number, and the shape before the shift that it leads to."""
    reached = 0
    for steps in choices(shape.face_up.bit_count()):
        reached |= ends(shape, steps)
    left = form(shape.face_up & ~(1 << shape.mover))
    for end in cells_of(reached):
        yield end, left.shape(shape.other, end)


def after_shift(shape: Shape) -> Iterator[tuple[tuple[int, ...], Shape]]:
    """The four shifts, and the shapes before the next walk that they lead to."""
    for turn in TURNS[shape.other]:
        yield turn, canonical(turned(shape.face_up, turn), turn[shape.mover], turn[shape.other])


@cache
def layers() -> Layers:
    """Every layer: the shapes that can follow from deals by any numbers and any play.

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
