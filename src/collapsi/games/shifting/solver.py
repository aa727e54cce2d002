"""Dispatch positions of the shifting board to a backend of the search kernel, and estimate the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from collapsi.core.errors import CollapsiError
from collapsi.core.patch import Wrap
from collapsi.games.kernel_solver import LOADING_SECONDS, KernelSolver
from collapsi.games.shifting import search
from collapsi.solving import reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.games.kind import Progress
    from collapsi.games.shifting.rules import ShiftingRules
    from collapsi.games.shifting.state import Shifting
    from collapsi.solving.solution import Solution

COMPILED_SECONDS = {Wrap.LINE: 0.2, Wrap.BOX: 0.01, Wrap.ROTATE: 2.0}
"""Typical time in seconds for a whole deal, compiled, by reading."""

VALUE_SECONDS = {Wrap.LINE: 0.06, Wrap.BOX: 0.0015, Wrap.ROTATE: 0.6}
"""Typical time in seconds for winner and plies of a whole deal, compiled, by reading."""

INTERPRETED_SLOWER = 60
"""The time of the interpreted kernel as a multiple of the compiled one."""

MOST_COUNTED = 8
"""The maximum number of face-up cards for counting games: with more there are too many games."""

ENDGAME = "..../.2r../.Ab../.2.. r shift"


class Backend(Protocol):
    """Another backend of the kernel, such as WebAssembly."""

    @property
    def slower_shifting(self) -> float:
        """The time it takes, as a multiple of the compiled search."""

    def solve_shifting(self, position: Shifting) -> Solution:
        """Solve a position."""


class ShiftingSolver(KernelSolver):
    """Solves positions of the shifting board."""

    backend: Backend | None = None

    def solutions(
        self, states: Sequence[Shifting], *, jobs: int | None = None, progress: Progress | None = None
    ) -> Iterable[Solution]:
        if self.backend is not None:
            return map(self.backend.solve_shifting, states)
        expected = sum(_compiled_seconds(state) for state in states) * INTERPRETED_SLOWER
        if self.compiled_is_loaded() or expected > LOADING_SECONDS:
            return search.solve_many(states, jobs=jobs, progress=progress)
        return self.interpret(search.solve, states)

    def values(self, states: Sequence[Shifting], nodes: list[int] | None) -> Iterator[int]:
        for state in states:
            yield from search.value_batch([state], nodes)

    def compiled_is_loaded(self) -> bool:
        return search.compiled_is_loaded()

    def machine_code_is_cached(self) -> bool:
        return search.machine_code_is_cached()

    def count_games(self, states: Sequence[Shifting], *, jobs: int | None = None) -> Iterable[int]:
        """Count the ways to play each position to its end; raise if too many cards are face up."""
        for state in states:
            if state.cards_left > MOST_COUNTED:
                msg = (
                    f"with {state.cards_left} cards face up, games of {state.rules} are too many to count: "
                    f"they are counted with up to {MOST_COUNTED}"
                )
                raise CollapsiError(msg)
        return map(reference.count_games, states)

    def deal_seconds(self, rules: ShiftingRules) -> float:
        """Return the measured time for winner and plies of a deal."""
        return VALUE_SECONDS[rules.wrap]

    def seconds(self, state: Shifting) -> float:
        """Estimate the time to solve a position with the backends that are loaded, in seconds."""
        slower = 1.0 if search.compiled_is_loaded() else INTERPRETED_SLOWER
        if self.backend is not None:
            slower = self.backend.slower_shifting
        return _compiled_seconds(state) * slower

    def warm_up(self, rules: ShiftingRules | None = None) -> None:
        """Load or compile the kernel."""
        from collapsi.games.registry import parse_position

        list(search.solve_many([parse_position(ENDGAME)]))


def _compiled_seconds(state: Shifting) -> float:
    """Estimate the time to solve a position; each collapsed card divides it by three."""
    share = 3.0 ** (state.cards_left - state.rules.board.size)
    return COMPILED_SECONDS[state.rules.wrap] * share
