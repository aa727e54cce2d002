"""Solve positions of the solo game: count all solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.games.kind import NO_LIMITS, Limits, Solver
from collapsi.games.solo.analysis import SoloAnalysis, analyse_solo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.solo.state import Solo


class SoloSolver(Solver):
    """Counts the solutions of a position and after every move."""

    def answers(self, state: Solo, limits: Limits = NO_LIMITS) -> Iterator[SoloAnalysis]:
        """Yield the one exact answer."""
        yield analyse_solo(state)
