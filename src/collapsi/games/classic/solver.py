"""Dispatch positions of the classic game to a backend of the search kernel, and estimate the cost."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Protocol

from collapsi.core.cards import Card
from collapsi.core.players import PAIR
from collapsi.games.analysis import Analysis
from collapsi.games.classic import search
from collapsi.games.classic.position import deal
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.kind import NO_LIMITS, Ending, Limits, Solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.games.classic.position import Position
    from collapsi.games.kind import Progress
    from collapsi.solving.backends import Solution

INTERPRETED_SECONDS = {"solve": 0.025, "games": 0.25}
"""Typical time in seconds for a whole deal, interpreted."""

COMPILED_SECONDS = 0.0002
"""Typical time in seconds for a whole deal, compiled."""

LOADING_SECONDS = 1.0
"""Typical time in seconds to load the compiled kernel: shorter tasks run interpreted."""

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


class ClassicSolver(Solver):
    """Solves positions with the backend that is expected to finish first."""

    backend: Backend | None = None
    """Replaces the interpreted and compiled kernels if set."""

    def answers(self, state: Position, limits: Limits = NO_LIMITS) -> Iterator[Analysis[Position]]:
        """Yield the one exact answer."""
        del limits
        yield from self.solve_many([state])

    def solve_many(
        self, states: Sequence[Position], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Analysis[Position]]:
        """Solve positions, in order, on every core or on `jobs` threads."""
        del progress  # a position takes a fraction of a millisecond
        return map(Analysis, states, self.solutions(states, jobs=jobs))

    def solutions(self, states: Sequence[Position], *, jobs: int | None = None) -> Iterable[Solution]:
        """Solve positions; return the raw results of the kernel."""
        if self.backend is not None:
            return map(self.backend.solve, states)
        if len(states) == 1 and search.compiled_is_loaded():
            return search.solve_batch(states)
        if _is_worth_compiling(states, "solve"):
            return search.solve_many(states, jobs=jobs)
        return map(search.solve, states)

    def count_games(self, states: Sequence[Position], *, jobs: int | None = None) -> Iterable[int]:
        """Count the ways to play each position to its end."""
        if self.backend is not None:
            return map(self.backend.count_games, states)
        if _is_worth_compiling(states, "games"):
            return search.count_games_many(states, jobs=jobs)
        return map(search.count_games, states)

    def endings(
        self, states: Sequence[Position], *, lengths: bool = True, nodes: list[int] | None = None
    ) -> Iterator[Ending]:
        """Find the value of each position only, which takes half the nodes of solving all moves."""
        del lengths  # they cost nothing
        for first in range(0, len(states), BATCH):
            batch = states[first : first + BATCH]
            for state, value in zip(batch, search.value_batch(batch, nodes), strict=True):
                outcome = state.outcome(value)
                yield Ending(outcome.winner, outcome.plies)

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

    def use_backend(self, backend: Backend | None) -> None:
        """Use another backend of the kernel; None restores the interpreted and compiled ones."""
        self.backend = backend

    def is_warm(self) -> bool:
        """Return whether the compiled kernel or another backend is loaded."""
        return self.backend is not None or search.compiled_is_loaded()


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
