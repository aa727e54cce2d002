"""From the layers to whole deals: the answers for every deal, by end cell of red's first move.

The layers of fourteen and fewer cards do not depend on the rule for first moves: they are solved once for all
such rules, and each rule adds two small layers.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.layers.numberings import NUMBERED, OFFICIAL, Decks, numberings
from collapsi.census.layers.shapes import NUMBERS, Jacks, Layer, layers, layers_of
from collapsi.census.layers.sweep import group, order_in, places_of, solve_layer, sweep, take
from collapsi.core.board import cells_of
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from collapsi.census.layers.shapes import Child
    from collapsi.census.layers.sweep import Question
    from collapsi.games.classic.rules import Rules

Moves = dict[int, "NDArray[Any]"]
"""By end cell of red's first move: the answers over all numberings."""


@dataclass(frozen=True)
class DealAnswers:
    """The answers for all deals with the jacks at one distance, as arrays indexed by rank of numbering."""

    jacks: Jacks
    moves: Moves
    answers: NDArray[Any]
    """The answers for the deals: those of all first moves combined."""


def solve_deals(
    rules: Rules,
    question: Question,
    *,
    decks: Decks = (),
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
    on_layer: Callable[[Layer, NDArray[Any]], None] = lambda *_: None,
) -> tuple[DealAnswers, ...]:
    """Answer one question for every deal, nearest jacks first; for several decks if they are given.

    `progress(layer)` is called before each layer is solved, `on_layer(layer, answers)` afterwards.
    """
    every = layers_of(rules, decks)
    answers: NDArray[Any] = np.empty(0)
    for layer, answers in sweep(every, question, jobs=jobs, progress=progress):
        on_layer(layer, answers)
    return tuple(
        DealAnswers(jacks, moves, question.together(list(moves.values())))
        for jacks, moves in first_moves(every[16], every[15], answers, question, jobs=jobs)
    )


def solve_by_blue_first(
    step_sets: Iterable[tuple[int, ...]],
    question: Question,
    *,
    decks: Decks = OFFICIAL,
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
) -> Iterator[tuple[list[tuple[int, ...]], Iterator[tuple[Jacks, Moves]]]]:
    """Yield the answers by red's first move, of any length, for each set of steps that blue may choose from.

    Sets that lead to the same cells are grouped. Each group comes with one lazy iterator over the jacks,
    nearest first, which must be exhausted before the next group.
    """
    every = layers(NUMBERS, NUMBERS, decks)
    below: NDArray[Any] = np.empty(0)
    shared = {cards: layer for cards, layer in every.items() if cards <= NUMBERED}
    for _, answers in sweep(shared, question, jobs=jobs, progress=progress):
        below = answers
    by_ends: dict[Any, list[tuple[int, ...]]] = {}
    for steps in step_sets:
        families = layers(NUMBERS, steps)[15].families
        ends = tuple((family.rest, family.other, tuple(map(tuple, family.ends))) for family in families)
        by_ends.setdefault(ends, []).append(steps)
    buffer = np.empty((len(every[15].index), below.shape[1]), question.dtype(15))

    def moves(second: Layer, pool: ThreadPoolExecutor) -> Iterator[tuple[Jacks, Moves]]:
        answers = solve_layer(second, group(second, every[14]), below, question, pool, buffer)
        yield from first_moves(every[16], second, answers, question, jobs=jobs)

    with ThreadPoolExecutor(jobs or cores()) as pool:
        for sets in by_ends.values():
            yield sets, moves(layers(NUMBERS, sets[0], decks)[15], pool)


def first_moves(
    deals: Layer, layer_below: Layer, below: NDArray[Any], question: Question, *, jobs: int | None = None
) -> Iterator[tuple[Jacks, Moves]]:
    """Yield the answers over all deals, by distance of the jacks and end cell of red's first move."""
    codes = numberings(NUMBERED, deals.decks).codes

    def answers(rest: list[int], child: Child) -> NDArray[Any]:
        reordered = np.empty(len(codes), below.dtype)
        take(
            below[layer_below.index[child.shape]],
            places_of(codes, order_in(child, rest), decks=deals.decks),
            reordered,
        )
        return question.first_move(reordered)

    with ThreadPoolExecutor(jobs or cores()) as pool:
        for family in deals.families:
            rest = list(cells_of(family.rest))
            found = pool.map(lambda child, rest=rest: answers(rest, child), family.children.values())
            yield Jacks.with_blue_on(family.other), dict(zip(family.children, found, strict=True))
