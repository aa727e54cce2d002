"""The solver of a game for two whose kernel runs interpreted, compiled, or with another backend."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from collapsi.games.analysis import Analysis
from collapsi.games.kind import NO_LIMITS, Ending, Limits, Solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.games.kind import Progress
    from collapsi.solving.backends import Solution

LOADING_SECONDS = 1.0
"""Typical time in seconds to load a compiled kernel: shorter tasks run interpreted."""


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
