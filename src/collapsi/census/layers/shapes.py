"""The different shapes of all layers, and the shapes that follow from each.

A shape is (rest, mover, other): the face-up cells *without* the mover's, the mover's cell, the other pawn's.
(Only cells with numbers matter, so in the layer of sixteen cards `rest` excludes the other's jack too.) Of
all shapes that symmetries map to each other only the canonical one is stored: `rest` is mapped to its least
image, then, by the symmetries that fix it, the mover's cell, then the other's. Two consequences make the
sweep fast:

- the array of a shape lists the mover's number first and then those of `rest` in reading order; so shapes
  with the same `rest` use the same order;
- all moves from a shape leave `rest` face up with `other` as the next mover, whatever the number and the end
  cell. So *all* shapes with the same `rest` and `other` (a *family*) read the layer below through one
  renaming of cells, except where the shape below has symmetries of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.census.layers.numberings import OFFICIAL, Decks
from collapsi.core.board import cells_of
from collapsi.core.decks import deck_of
from collapsi.core.reach import ROW_BITS, LazyReach, row
from collapsi.core.symmetry import symmetries
from collapsi.games.classic.made_up import refuse_other_boards, refuse_other_kinds
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi.games.classic.rules import Rules

BOARD = STANDARD.board
EVERYTHING = 0xFFFF
NUMBERS = (1, 2, 3, 4)
GROUP: NDArray[np.int64] = np.array(symmetries(BOARD), np.int64)
"""Row g, column c: the image of cell c under symmetry g."""


class Shape(NamedTuple):
    """A position without its numbers, in canonical form."""

    rest: int
    mover: int
    other: int


class Child(NamedTuple):
    """The shape after a move, and the symmetry that makes it canonical."""

    shape: Shape
    cells: tuple[int, ...]
    """The image of each cell of the board."""


def images_of(group: NDArray[np.int64]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Return tables of the images of a set under every symmetry, for its low and its high byte."""
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


@lru_cache(maxsize=8192)
def _canonical_set(cells: int) -> tuple[int, NDArray[np.int64]]:
    """Return the least image of a set, and every symmetry that leads to it, one per row."""
    low, high = _images()
    images = low[:, cells & 255] | high[:, cells >> 8]
    least = images.min()
    return int(least), GROUP[images == least]


@lru_cache(maxsize=8192)
def _ways_to_canonical(rest: int, mover: int) -> tuple[int, int, NDArray[np.int64]]:
    """Return the canonical rest and mover, and every symmetry that leads to them, one per row."""
    canonical, ways = _canonical_set(rest)
    movers = ways[:, mover]
    return canonical, int(movers.min()), ways[movers == movers.min()]


def canonical(rest: int, mover: int, other: int) -> Child:
    """Return the canonical form of a shape, and the symmetry that leads to it."""
    least, least_mover, ways = _ways_to_canonical(rest, mover)
    best = int(ways[:, other].argmin())
    return Child(Shape(least, least_mover, int(ways[best, other])), tuple(ways[best].tolist()))


@dataclass
class Family:
    """The shapes of one layer with the same `rest` and `other`: they have the same children and renaming."""

    rest: int
    other: int
    movers: list[int] = field(default_factory=list)
    ends: list[list[int]] = field(default_factory=list)
    """For each mover, the end cells: a set for each block of its array (a number, or the first move)."""
    children: dict[int, Child] = field(default_factory=dict)
    """By end cell."""


@dataclass
class Layer:
    """All shapes with one number of face-up cards."""

    cards: int
    index: dict[Shape, int]
    """The row of each shape in the layer's array."""
    families: list[Family]
    decks: Decks = OFFICIAL
    """The arrays are over the numberings of these decks; shapes do not depend on them."""


def distance(one: int, two: int) -> int:
    """Return the number of steps from one cell to another."""
    return next(steps for steps in range(16) if BOARD.reach(one, steps, EVERYTHING) >> two & 1)


class Jacks(NamedTuple):
    """The places of the jacks of a deal, up to symmetry: red's on cell 0, blue's `distance` steps away."""

    blue: int
    distance: int
    places: int
    """The number of cells at that distance: the places of blue's jack that this one represents."""

    @classmethod
    def with_blue_on(cls, blue: int) -> Jacks:
        """Return the jacks with blue's on a cell that represents all at its distance."""
        steps = distance(0, blue)
        return cls(blue, steps, sum(distance(0, cell) == steps for cell in range(1, 16)))

    @property
    def shape(self) -> Shape:
        """The shape of the deals: both pawns on their jacks, red to move."""
        return Shape(EVERYTHING & ~(1 | 1 << self.blue), 0, self.blue)


JACKS = tuple(map(Jacks.with_blue_on, (1, 5, 6, 10)))
"""Nearest first: blue's on b1, b2, c2, c3. Symmetries map all other places to one of these."""


def layers(red_first: Iterable[int], blue_first: Iterable[int], decks: Decks = OFFICIAL) -> dict[int, Layer]:
    """Return every layer from 16 cards to 2: the shapes reachable from deals with any numbers and any play.

    `red_first` and `blue_first` are the steps that the players may choose from for their first moves.

    >>> [len(layer.index) for layer in layers([1], [1]).values()]
    [4, 6, 14, 58, 150, 833, 1838, 2334, 2134, 1476, 784, 313, 94, 22, 4]
    """
    found = _layers(tuple(red_first), tuple(blue_first))
    return {cards: replace(layer, decks=decks) for cards, layer in found.items()}


def layers_of(rules: Rules, decks: Decks = ()) -> dict[int, Layer]:
    """Return the layers of all deals under some rules, by face-up cards; with other decks if given."""
    refuse_other_kinds(rules, "these layers are")
    refuse_other_boards(rules)
    return layers(*rules.first_walks, decks or (deck_of(rules),))


@lru_cache(maxsize=4)
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
    """Return the families of a layer with their children, in which `other` moves next."""
    families: dict[tuple[int, int], Family] = {}
    for shape in shapes:
        family = families.setdefault((shape.rest, shape.other), Family(shape.rest, shape.other))
        face_up = shape.rest | 1 << shape.other
        ends = []
        for steps in choices:
            reached = 0
            for number in steps:
                reached |= reach[face_up << ROW_BITS | row(number, shape.mover)]
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
