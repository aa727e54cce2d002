"""The different shapes of all layers, and what follows from each.

A shape is (rest, mover, other): the face-up cells *without* the mover's, the mover's cell, the other's. (Only
cells with numbers are of interest, so in the layer of sixteen cards `rest` is without the other's jack too.)
Of all shapes that a symmetry makes equal one is kept: `rest` is brought to its least image, then, by the
symmetries that keep it, the mover's cell, then the other's. Two things follow that make the sweep fast:

- the array of a shape lists the mover's number first and then those of `rest` in reading order; so shapes
  with the same `rest` use the same order;
- all moves from a shape leave `rest` face up with `other` as the next mover, whatever the number and wherever
  the move ends. So *all* shapes with the same `rest` and `other` (a *family*) see the layer below through one
  renaming of cells, except where the shape below has symmetries of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.board import cells_of
from collapsi.made_up import deck_of, refuse_other_boards
from collapsi.reach import LazyReach, row
from collapsi.rules import STANDARD, refuse_shifting
from collapsi.solve.layers.numberings import OFFICIAL, Decks
from collapsi.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi.rules import Rules

BOARD = STANDARD.board
EVERYTHING = 0xFFFF
NUMBERS = (1, 2, 3, 4)
GROUP: NDArray[np.int64] = np.array(symmetries(BOARD), np.int64)
"""Row g, column c: where symmetry g sends cell c."""


class Shape(NamedTuple):
    """A position without its numbers, in canonical form."""

    rest: int
    mover: int
    other: int


class Child(NamedTuple):
    """What a move to some cell leads to, as a family sees it."""

    shape: Shape
    cells: tuple[int, ...]
    """Where each cell of the board goes to make that shape canonical."""


def images_of(group: NDArray[np.int64]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """The image of a set under every symmetry of a group, as tables for its low and its high byte."""
    low: NDArray[np.uint16] = np.zeros((len(group), 256), np.uint16)
    high = np.zeros_like(low)
    for bit in range(8):
        chosen = np.arange(256) >> bit & 1 == 1
        low[:, chosen] |= (1 << group[:, bit]).astype(np.uint16)[:, None]
        high[:, chosen] |= (1 << group[:, bit + 8]).astype(np.uint16)[:, None]
    return low, high


@cache
def _images() -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    return images_of(GROUP)


@cache
def _canonical_set(cells: int) -> tuple[int, NDArray[np.int64]]:
    """The least image of a set, and every symmetry that leads to it, one a row."""
    low, high = _images()
    images = low[:, cells & 255] | high[:, cells >> 8]
    least = images.min()
    return int(least), GROUP[images == least]


@cache
def _ways_to_canonical(rest: int, mover: int) -> tuple[int, int, NDArray[np.int64]]:
    """The canonical rest and mover, and every symmetry that leads to them, one a row."""
    canonical, ways = _canonical_set(rest)
    movers = ways[:, mover]
    return canonical, int(movers.min()), ways[movers == movers.min()]


def canonical(rest: int, mover: int, other: int) -> Child:
    """The shape that stands for this one, and the symmetry that leads to it."""
    least, least_mover, ways = _ways_to_canonical(rest, mover)
    best = int(ways[:, other].argmin())
    return Child(Shape(least, least_mover, int(ways[best, other])), tuple(ways[best].tolist()))


@dataclass
class Family:
    """The shapes of one layer that share `rest` and `other`: their children are the same, seen alike."""

    rest: int
    other: int
    movers: list[int] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)
    """For each mover, where it can end: a set for each block of its array (a number, or the first move)."""
    children: dict[int, Child] = field(default_factory=dict)
    """By end cell."""


@dataclass
class Layer:
    """All shapes of one number of face-up cards."""

    cards: int
    index: dict[Shape, int]
    """Which array is whose."""
    families: list[Family]
    decks: Decks = OFFICIAL
    """Whose numberings the arrays are over; shapes do not depend on it."""


def distance(one: int, two: int) -> int:
    """The number of steps from one cell to another."""
    return next(steps for steps in range(16) if BOARD.reach(one, steps, EVERYTHING) >> two & 1)


class Jacks(NamedTuple):
    """Where the jacks of a deal lie, up to symmetry: red's on cell 0, blue's so many steps from it."""

    blue: int
    distance: int
    places: int
    """The cells at that distance: so many places of blue's jack this one stands for."""

    @classmethod
    def with_blue_on(cls, blue: int) -> Jacks:
        """Blue's jack on a cell that stands for all at its distance."""
        steps = distance(0, blue)
        return cls(blue, steps, sum(distance(0, cell) == steps for cell in range(1, 16)))

    @property
    def shape(self) -> Shape:
        """Both pawns on their jacks, red to move; the other cells have the numbers."""
        return Shape(EVERYTHING & ~(1 | 1 << self.blue), 0, self.blue)


JACKS = tuple(map(Jacks.with_blue_on, (1, 5, 6, 10)))
"""Nearest first: blue's on b1, b2, c2, c3. By a symmetry all others are like one of these."""


def layers(red_first: Iterable[int], blue_first: Iterable[int], decks: Decks = OFFICIAL) -> dict[int, Layer]:
    """Every layer from 16 cards to 2: the shapes that can follow from deals by any numbers and any play.

    `red_first` and `blue_first` are the steps that each may choose from for the first move.

    >>> [len(layer.index) for layer in layers([1], [1]).values()]
    [4, 6, 14, 58, 150, 833, 1838, 2334, 2134, 1476, 784, 313, 94, 22, 4]
    """
    found = _layers(tuple(red_first), tuple(blue_first))
    return {cards: replace(layer, decks=decks) for cards, layer in found.items()}


def layers_of(rules: Rules, decks: Decks = ()) -> dict[int, Layer]:
    """The layers of all deals under some rules, by face-up cards; of other decks if there are any given."""
    refuse_shifting(rules, "these layers are")
    refuse_other_boards(rules)
    return layers(*rules.first_walks, decks or (deck_of(rules),))


@cache
def _layers(red_first: tuple[int, ...], blue_first: tuple[int, ...]) -> dict[int, Layer]:
    reach = LazyReach(BOARD)
    first_steps = {16: red_first, 15: blue_first}
    shapes = [jacks.shape for jacks in JACKS]
    found = {}
    for cards in range(16, 1, -1):
        each_number: list[tuple[int, ...]] = [(number,) for number in NUMBERS]
        choices = [first_steps[cards]] if cards in first_steps else each_number
        index = {shape: number for number, shape in enumerate(shapes)}
        found[cards] = Layer(cards, index, _families(shapes, choices, reach))
        below = {child.shape for family in found[cards].families for child in family.children.values()}
        shapes = sorted(below)
    return found


def _families(shapes: Iterable[Shape], choices: list[tuple[int, ...]], reach: LazyReach) -> list[Family]:
    """The families of a layer, and what follows: the mover's card collapses, and `other` moves next."""
    families: dict[tuple[int, int], Family] = {}
    for shape in shapes:
        family = families.setdefault((shape.rest, shape.other), Family(shape.rest, shape.other))
        face_up = shape.rest | 1 << shape.other
        ends = []
        for steps in choices:
            reached = 0
            for number in steps:
                reached |= reach[row(number, shape.mover) | face_up]
            ends.append(reached & ~(1 << shape.other))
        family.movers.append(shape.mover)
        family.ends.append(ends)
    for family in families.values():
        used = 0
        for ends in family.ends:
            for cells in ends:
                used |= cells
        rest = family.rest & ~(1 << family.other)
        family.children = {end: canonical(rest, family.other, end) for end in cells_of(used)}
    return list(families.values())
