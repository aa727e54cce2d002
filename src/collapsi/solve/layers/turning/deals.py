"""From the layers to whole deals with turning lines: the value of every deal, by where red's walk ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.board import cells_of
from collapsi.solve.layers.deals import DealAnswers
from collapsi.solve.layers.shapes import Jacks, distance
from collapsi.solve.layers.sweep import take
from collapsi.solve.layers.turning.plans import plan_walks
from collapsi.solve.layers.turning.shapes import EVERYTHING, JACKS, Shape, ends, layers
from collapsi.solve.layers.turning.sweep import by_mover, child, see, sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.solve.layers.turning.kept import Kept
    from collapsi.solve.layers.turning.shapes import Layer
    from collapsi.solve.layers.turning.sweep import Piece, Solved


def solve_deals(
    *,
    jobs: int | None = None,
    kept: Kept | None = None,
    progress: Callable[[Piece], None] = lambda _: None,
    look: Callable[[Solved], None] = lambda _: None,
) -> tuple[DealAnswers, ...]:
    """The values of every deal, by the place of blue's jack.

    `progress` is told of every piece of work that is done, and `look` is shown every layer.
    """
    answers: tuple[DealAnswers, ...] = ()
    for solved in sweep(jobs=jobs, kept=kept, progress=progress):
        look(solved)
        if solved.cards == 15:
            answers = first_moves(*solved.shifts)
    return answers


def first_moves(below: Layer, source: Any) -> tuple[DealAnswers, ...]:
    """All deals out of the layer of fifteen cards before a shift: red's walk is from the jack, one step."""
    deals = layers().walks[16]
    found = {}
    for plan in plan_walks(deals, below):
        places = np.empty(deals.columns, np.uint32)
        by_mover(deals.cards, plan.order, places)
        for row in plan.rows:
            shape = next(shape for shape, number in deals.index.items() if number == row.row)
            own = SimpleNamespace(
                moved=np.empty((len(row.moved), below.columns), np.int8), table=np.empty_like(places)
            )
            _, members = see(row, below, source, own)
            moves = {}
            for end, member in zip(cells_of(ends(shape, 1)), members, strict=True):
                values = np.empty(deals.columns, np.int8)
                take(child(source, own.moved, member), places, values)
                moves[end] = -values
            jacks = Jacks(shape.other, distance(0, shape.other), JACKS[shape.other])
            found[shape] = DealAnswers(jacks, moves, np.maximum.reduce(list(moves.values())))
    return tuple(found[Shape(EVERYTHING, 0, blue)] for blue in JACKS)
