"""The solver of a game for two whose kernel runs interpreted, compiled, or with another backend."""

from __future__ import annotations

import time
from abc import abstractmethod
from math import inf
from typing import TYPE_CHECKING, Any

from collapsi.games.analysis import Analysis
from collapsi.games.kind import NO_LIMITS, Ending, Limits, Solver
from collapsi.solving.machine_code import may_compile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from collapsi.games.kind import Progress
    from collapsi.solving.solution import Solution

LOADING_SECONDS = 1.0
"""Typical time in seconds to load a compiled kernel: shorter tasks run interpreted."""

PATIENCE_SECONDS = 0.5
"""CPU time of solving positions one by one, interpreted, after which the compiled kernel is loaded. It is
about the CPU time of loading, so that at most twice the least possible time is spent."""

COMPILING_SECONDS = 10.0
"""Typical time in seconds to compile a kernel, which happens once on a machine."""


class KernelSolver(Solver):
    """Solves positions with the backend that is expected to finish first."""

    backend: Any = None
    """Replaces the interpreted and compiled kernels if set; each kind has its protocol `Backend`."""

    @abstractmethod
    def solutions(
        self, states: Sequence[Any], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Solution]:
        """Solve positions; return the raw results of the kernel."""

    @abstractmethod
    def values(self, states: Sequence[Any], nodes: list[int] | None) -> Iterable[int]:
        """Return the value of each position for the side to move, which is cheaper than all moves."""

    @abstractmethod
    def compiled_is_loaded(self) -> bool:
        """Return whether this process has loaded the machine code of the kernel."""

    @abstractmethod
    def machine_code_is_cached(self) -> bool:
        """Return whether loading the compiled kernel needs no compiling; imports the compiler."""

    patience = PATIENCE_SECONDS
    """CPU time that may be spent interpreting, before the compiled kernel is loaded."""

    def interpret(self, solve: Callable[[Any], Solution], states: Iterable[Any]) -> Iterator[Solution]:
        """Solve positions interpreted, until this process has spent as much time on that as loading takes.

        A program that solves one position after another thus pays at most twice: no single call tells that
        many will follow.
        """
        for state in states:
            if self.patience <= 0:
                self._load()
            if self.compiled_is_loaded():
                yield from self.solutions([state])
                continue
            began = time.thread_time()
            solution = solve(state)
            self.patience -= time.thread_time() - began
            yield solution

    def _load(self) -> None:
        """Load the compiled kernel; if it must be compiled first, only after a longer time."""
        if not may_compile():
            self.patience = inf
        elif self.machine_code_is_cached() or self.patience < PATIENCE_SECONDS - COMPILING_SECONDS:
            self.warm_up()

    def answers(self, state: Any, limits: Limits = NO_LIMITS) -> Iterator[Analysis[Any]]:
        """Yield the one exact answer."""
        yield from self.solve_many([state])

    def solve_many(
        self, states: Sequence[Any], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Analysis[Any]]:
        """Solve positions, in order, on every core or on `jobs` threads."""
        return map(Analysis, states, self.solutions(states, jobs=jobs, progress=progress))

    def endings(
        self, states: Sequence[Any], *, lengths: bool = True, nodes: list[int] | None = None
    ) -> Iterator[Ending]:
        """Find the value of each position only; the number of plies costs nothing."""
        for state, value in zip(states, self.values(states, nodes), strict=True):
            outcome = state.outcome(value)
            yield Ending(outcome.winner, outcome.plies)

    def use_backend(self, backend: Any) -> None:
        """Use another backend of the kernel; None restores the interpreted and compiled ones."""
        self.backend = backend

    def is_warm(self) -> bool:
        """Return whether the compiled kernel or another backend is loaded."""
        return self.backend is not None or self.compiled_is_loaded()
