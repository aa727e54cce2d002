"""From the layers of `shift-rotate` to whole deals: the value of every deal, by end cell of red's walk."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.layers.deals import DealAnswers
from collapsi.census.layers.shapes import Jacks, distance
from collapsi.census.layers.sweep import take
from collapsi.census.rotate.plans import plan_walks
from collapsi.census.rotate.shapes import EVERYTHING, JACKS, Shape, ends, layers
from collapsi.census.rotate.sweep import child, places_by_mover, read_children, sweep
from collapsi.core.board import cells_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.census.rotate.shapes import Layer
    from collapsi.census.rotate.storage import LayerStore
    from collapsi.census.rotate.sweep import SolvedLayers, WorkDone


def solve_deals(
    *,
    jobs: int | None = None,
    store: LayerStore | None = None,
    progress: Callable[[WorkDone], None] = lambda _: None,
    on_layer: Callable[[SolvedLayers], None] = lambda _: None,
) -> tuple[DealAnswers, ...]:
    """Return the values of every deal, by the place of blue's jack.

    `progress(work)` is called for every piece of work that is done, `on_layer(solved)` for every layer.
    """
    answers: tuple[DealAnswers, ...] = ()
    for solved in sweep(jobs=jobs, store=store, progress=progress):
        on_layer(solved)
        if solved.cards == 15:
            answers = first_moves(*solved.shifts)
    return answers


def first_moves(below: Layer, source: Any) -> tuple[DealAnswers, ...]:
    """Compute all deals from the layer of fifteen cards before a shift: red walks one step from the jack."""
    deals = layers().walks[16]
    found = {}
    for plan in plan_walks(deals, below):
        places = np.empty(deals.columns, np.uint32)
        places_by_mover(deals.cards, plan.order, places)
        for row in plan.rows:
            shape = next(shape for shape, number in deals.index.items() if number == row.row)
            buffers = SimpleNamespace(
                moved=np.empty((len(row.moved), below.columns), np.int8), table=np.empty_like(places)
            )
            _, members = read_children(row, below, source, buffers)
            moves = {}
            for end, member in zip(cells_of(ends(shape, 1)), members, strict=True):
                values = np.empty(deals.columns, np.int8)
                take(child(source, buffers.moved, member), places, values)
                moves[end] = -values
            jacks = Jacks(shape.other, distance(0, shape.other), JACKS[shape.other])
            found[shape] = DealAnswers(jacks, moves, np.maximum.reduce(list(moves.values())))
    return tuple(found[Shape(EVERYTHING, 0, blue)] for blue in JACKS)
