"""Plans for computing the rows of a layer: which rows of the layer below to read, in which order of cells.

An *order* maps the numbers of a shape's cells, in reading order, to their places in another shape: digit i
becomes digit `order[i]`, as in `numberings`. Orders dominate the cost, because each needs a table over all
numberings. So wherever several symmetries are possible, one is chosen whose table is needed anyway.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.census.layers.numberings import NUMBERED
from collapsi.census.rotate.shapes import (
    Shape,
    after_shift,
    after_walk,
    choices,
    ends,
    form,
    numbered,
    shifted,
)
from collapsi.core.board import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi.census.rotate.shapes import Layer

Order = tuple[int, ...]


def order_of(cells: Iterable[int], there: Shape, way: NDArray[np.int64]) -> Order:
    """Return the places of the numbers of these cells in the shape to which a symmetry maps them."""
    place = {cell: number for number, cell in enumerate(numbered(there))}
    return tuple(place[way[cell]] for cell in cells)


class WalkRow(NamedTuple):
    """One row of a layer before a walk."""

    row: int
    sets: tuple[tuple[int, ...], ...]
    """For each number of steps the children, as rows of the layer below; `~n` is the n-th of `moved`."""
    moved: tuple[tuple[int, Order], ...]
    """Children with another order of cells than the rest: their row, and the order to read it in."""


@dataclass
class WalkPlan:
    """Rows that read the layer below in the same order: one cell of the mover, one order of the rest."""

    order: Order
    """The order, with the mover's number, if it has one, moved to the front."""
    rows: list[WalkRow] = field(default_factory=list)


def plan_walks(layer: Layer, below: Layer) -> list[WalkPlan]:
    """Plan the computation of a layer before a walk from the one before a shift with one card less."""
    plans: dict[tuple[int, int, Order], WalkPlan] = {}
    known: dict[tuple[int, int], list[NDArray[np.int64]]] = defaultdict(list)
    for shape, row in layer.index.items():
        children = dict(after_walk(shape))
        tried = known[shape.face_up, shape.mover]
        way = _common_way(shape, children, tried)
        rest = [cell for cell in numbered(shape) if cell != shape.mover]
        order: Order = ()
        rows: dict[int, int] = {}
        moved: list[tuple[int, Order]] = []
        for end, child in children.items():
            if not order:
                order = order_of(rest, child, way)
            if way[end] == child.other:
                rows[end] = below.index[child]
            else:
                rows[end] = ~len(moved)
                own = form(shape.face_up & ~(1 << shape.mover)).ways_to(child, shape.other, end)[0]
                theirs = order_of(rest, child, own)
                # From the place of a cell in the common order to its place in this child.
                moved.append(
                    (below.index[child], tuple(place for _, place in sorted(zip(order, theirs, strict=True))))
                )
        sets = tuple(
            tuple(rows[end] for end in cells_of(ends(shape, steps))) for steps in choices(layer.cards)
        )
        whole = _with_mover(shape, order) if order else ()
        plan = plans.setdefault((shape.face_up, shape.mover, whole), WalkPlan(whole))
        plan.rows.append(WalkRow(row, sets, tuple(moved)))
    return list(plans.values())


def _common_way(
    shape: Shape, children: dict[int, Shape], tried: list[NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Return a symmetry that makes all children canonical except for the end cell; one in use if possible."""
    ways = form(shape.face_up & ~(1 << shape.mover)).ways
    least = ways[:, shape.other].min()
    for used in tried:
        if used[shape.other] == least:
            return used
    fitting = ways[ways[:, shape.other] == least]
    direct = sum((fitting[:, end] == child.other).astype(np.int64) for end, child in children.items())
    way: NDArray[np.int64] = fitting[int(np.argmax(direct))] if children else fitting[0]
    tried.append(way)
    return way


def _with_mover(shape: Shape, order: Order) -> Order:
    """Return an order of the other cells preceded by the mover's own number, if it has one."""
    if shape.face_up.bit_count() > NUMBERED:
        return order
    rest = iter(order)
    return tuple(0 if cell == shape.mover else 1 + next(rest) for cell in numbered(shape))


@dataclass
class ShiftPlan:
    """The rows of a layer before a shift with the same face-up cells."""

    orders: list[Order] = field(default_factory=list)
    """The orders of the tables that they need."""
    groups: dict[tuple[int, int, int, int], list[tuple[int, int, int, int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By four tables: the row to compute, and the row of the layer before a walk to read through each."""


def plan_shifts(layer: Layer, walks: Layer) -> list[ShiftPlan]:
    """Plan the computation of a layer before a shift from the one before a walk with as many cards."""
    plans: dict[int, ShiftPlan] = defaultdict(ShiftPlan)
    tables: dict[tuple[int, Order], int] = {}
    for shape, row in layer.index.items():
        plan = plans[shape.face_up]
        cells = numbered(shape)
        reads = []
        for shift, child in after_shift(shape):
            there = [shift[cell] for cell in cells]
            ways = form(shifted(shape.face_up, shift)).ways_to(child, shift[shape.mover], shift[shape.other])
            orders = [order_of(there, child, way) for way in ways]
            order = next((order for order in orders if (shape.face_up, order) in tables), orders[0])
            number = tables.setdefault((shape.face_up, order), len(plan.orders))
            if number == len(plan.orders):
                plan.orders.append(order)
            reads.append((number, walks.index[child]))
        first, second, third, last = sorted(reads)
        plan.groups[first[0], second[0], third[0], last[0]].append(
            (row, first[1], second[1], third[1], last[1])
        )
    return list(plans.values())
