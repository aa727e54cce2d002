"""From the layers to whole deals: the answers for every deal, by where red's first move ends.

The layers of fourteen and fewer cards do not know how the first moves were made: they are solved once,
whatever steps the first moves may be chosen from, and each such choice adds two small layers.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.board import cells_of
from collapsi.machine import cores
from collapsi.solve.layers.numberings import NUMBERED, OFFICIAL, Decks, numberings
from collapsi.solve.layers.shapes import NUMBERS, Jacks, Layer, layers, layers_of
from collapsi.solve.layers.sweep import group, order_in, places_of, solve_layer, sweep, take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from collapsi.rules import Rules
    from collapsi.solve.layers.shapes import Child
    from collapsi.solve.layers.sweep import Question

Moves = dict[int, "NDArray[Any]"]
"""For each end cell of red's first move, the answer over all numberings."""


@dataclass(frozen=True)
class DealAnswers:
    """The answers for all deals with the jacks at one distance; arrays are by the rank of the numbering."""

    jacks: Jacks
    moves: Moves
    answers: NDArray[Any]
    """Those of all first moves put together."""


def solve_deals(
    rules: Rules,
    question: Question,
    *,
    decks: Decks = (),
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
    look: Callable[[Layer, NDArray[Any]], None] = lambda *_: None,
) -> tuple[DealAnswers, ...]:
    """The answers to one question for every deal, nearest jacks first; of several decks if they are given.

    `progress` is told of every layer before it is solved, and `look` is shown it when it is done.
    """
    every = layers_of(rules, decks)
    answers: NDArray[Any] = np.empty(0)
    for layer, answers in sweep(every, question, jobs=jobs, progress=progress):
        look(layer, answers)
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
    """The answers by red's first move, however long, for each set of steps that blue may choose from.

    Sets that lead to the same cells come together, with one iterator over the jacks, nearest first. It works
    when it is asked, and is to be used up before the next is.
    """
    every = layers(NUMBERS, NUMBERS, decks)
    below: NDArray[Any] = np.empty(0)
    few = {cards: layer for cards, layer in every.items() if cards <= NUMBERED}
    for _, answers in sweep(few, question, jobs=jobs, progress=progress):
        below = answers
    same: dict[Any, list[tuple[int, ...]]] = {}
    for steps in step_sets:
        families = layers(NUMBERS, steps)[15].families
        ends = tuple((family.rest, family.other, tuple(map(tuple, family.ends))) for family in families)
        same.setdefault(ends, []).append(steps)
    room = np.empty((len(every[15].index), below.shape[1]), question.dtype(15))

    def moves(second: Layer, pool: ThreadPoolExecutor) -> Iterator[tuple[Jacks, Moves]]:
        answers = solve_layer(second, group(second, every[14]), below, question, pool, room)
        yield from first_moves(every[16], second, answers, question, jobs=jobs)

    with ThreadPoolExecutor(jobs or cores()) as pool:
        for sets in same.values():
            yield sets, moves(layers(NUMBERS, sets[0], decks)[15], pool)


def first_moves(
    deals: Layer, layer_below: Layer, below: NDArray[Any], question: Question, *, jobs: int | None = None
) -> Iterator[tuple[Jacks, Moves]]:
    """For each distance of the jacks, and each end cell of red's first move, the answers over all deals."""
    codes = numberings(NUMBERED, deals.decks).codes

    def answers(rest: list[int], child: Child) -> NDArray[Any]:
        seen = np.empty(len(codes), below.dtype)
        take(
            below[layer_below.index[child.shape]],
            places_of(codes, order_in(child, rest), decks=deals.decks),
            seen,
        )
        return question.first_move(seen)

    with ThreadPoolExecutor(jobs or cores()) as pool:
        for family in deals.families:
            rest = list(cells_of(family.rest))
            found = pool.map(lambda child, rest=rest: answers(rest, child), family.children.values())
            yield Jacks.with_blue_on(family.other), dict(zip(family.children, found, strict=True))
