"""Dispatch positions of the classic game to a backend of the search kernel, and estimate the cost."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

from collapsi.core.cards import Card
from collapsi.core.players import PAIR
from collapsi.games.classic import search
from collapsi.games.classic.position import deal
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.kernel_solver import LOADING_SECONDS, KernelSolver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.games.classic.position import Position
    from collapsi.games.kind import Progress
    from collapsi.solving.solution import Solution

INTERPRETED_SECONDS = {"solve": 0.025, "games": 0.25}
"""Typical time in seconds for a whole deal, interpreted."""

COMPILED_SECONDS = 0.0002
"""Typical time in seconds for a whole deal, compiled."""

BATCH = 256
"""The number of positions per call of the compiled kernel."""


class Backend(Protocol):
    """Another backend of the kernel, such as WebAssembly."""

    @property
    def slower(self) -> float:
        """The time it takes, as a multiple of the compiled search."""

    def solve(self, position: Position) -> Solution:
        """Solve a position."""

    def count_games(self, position: Position) -> int:
        """Count the ways to play a position to its end."""


class ClassicSolver(KernelSolver):
    """Solves positions of the classic game."""

    backend: Backend | None = None

    def solutions(
        self, states: Sequence[Position], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Solution]:
        if self.backend is not None:
            return map(self.backend.solve, states)
        if len(states) == 1 and self.compiled_is_loaded():
            return search.solve_batch(states)
        if _is_worth_compiling(states, "solve"):
            return search.solve_many(states, jobs=jobs)
        return self.interpret(search.solve, states)

    def values(self, states: Sequence[Position], nodes: list[int] | None) -> Iterator[int]:
        for first in range(0, len(states), BATCH):
            yield from search.value_batch(states[first : first + BATCH], nodes)

    def compiled_is_loaded(self) -> bool:
        return search.compiled_is_loaded()

    def machine_code_is_cached(self) -> bool:
        return search.machine_code_is_cached()

    def count_games(self, states: Sequence[Position], *, jobs: int | None = None) -> Iterable[int]:
        if self.backend is not None:
            return map(self.backend.count_games, states)
        if _is_worth_compiling(states, "games"):
            return search.count_games_many(states, jobs=jobs)
        return map(search.count_games, states)

    def deal_seconds(self, rules: Rules) -> float:
        """Estimate the time for a deal; free first moves multiply it by about seven."""
        return COMPILED_SECONDS * (7 if max(map(len, rules.first_walks)) > 1 else 1)

    def seconds(self, state: Position) -> float:
        """Estimate the time to solve a position with the backends that are loaded, in seconds."""
        if self.backend is not None:
            return COMPILED_SECONDS * self.backend.slower * _hardness(state)
        seconds = COMPILED_SECONDS if search.compiled_is_loaded() else INTERPRETED_SECONDS["solve"]
        return seconds * _hardness(state)

    def warm_up(self, rules: Rules = STANDARD) -> None:
        """Load or compile the kernel, and build the tables for the board of the rules."""
        search.solve_batch([deal(random.Random(1), rules)])


def _is_worth_compiling(positions: Sequence[Position], task: str) -> bool:
    """Return whether the compiled kernel is faster, including the time to load it."""
    if search.compiled_is_loaded():
        return len(positions) > 1
    return INTERPRETED_SECONDS[task] * sum(map(_hardness, positions)) > LOADING_SECONDS


def _hardness(position: Position) -> float:
    """Return the cost relative to a `standard` deal: more with a free first move or stray jacks."""
    jacks = position.cards.count(Card.JACK)
    if not jacks or max(map(len, position.rules.first_walks)) == 1:
        return 1
    return 7 * 3.0 ** max(jacks - len(PAIR), 0)
