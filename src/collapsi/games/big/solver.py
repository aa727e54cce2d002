"""Solve positions of the big board: an estimate, then bounds of the exact search, then perfect play."""

from __future__ import annotations

import time
from dataclasses import replace
from threading import local
from typing import TYPE_CHECKING, Any, cast

from collapsi.core.errors import CollapsiError
from collapsi.games.big import backends, engine, search
from collapsi.games.big.analysis import BigAnalysis, finding_line
from collapsi.games.big.levels import affordable
from collapsi.games.big.multiplayer import UNLIMITED
from collapsi.games.big.search import TABLE, TranspositionTable
from collapsi.games.kind import NO_LIMITS, Ending, Limits, Solver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

WINNER_SECONDS = 8.0
"""Typical time to find the winner of a deal for two."""

TABLE_MEGABYTES = 16
"""The largest transposition table of a thread that solves whole deals."""

THREE = "A.432A/....22/.234.Ab/.A443g4r/A332.2/A32443 g big3"
TWO = "A.432A/....22/.234.Ab/.A4434r/A332.2/A32443 r big"


class BigSolver(Solver):
    """Uses the exact search with two players left, and the engine and exact endgames with more."""

    improves = True

    def answers(self, state: BigState, limits: Limits = NO_LIMITS) -> Iterator[engine.BigAnswer]:
        """Yield answers, none worse than the one before; the last of a solved position has the line."""
        if limits.winner_only and len(state.left) > 2:
            msg = f"finding only the winner is for two players left, and here {len(state.left)} are"
            raise CollapsiError(msg)
        until = None if limits.seconds is None else time.monotonic() + limits.seconds
        for answer in self._steps(state, limits):
            yield answer
            if until is not None and time.monotonic() >= until:
                return

    def _steps(self, state: BigState, limits: Limits) -> Iterator[engine.BigAnswer]:
        """Yield after every step of the engine, the exact search and the search for the line.

        The lock is held for one step at a time: between two answers other searches may use the table, whose
        stamps keep the entries of different deals apart.
        """
        steps = engine.answers(
            state,
            seed=limits.seed,
            nodes=limits.nodes or self._default_nodes(state, limits),
            table=TABLE,
            estimate_first=limits.estimate_first,
            winner_only=limits.winner_only,
        )
        answer: engine.BigAnswer | None = None
        while (better := _next(steps)) is not None:
            answer = better
            yield answer
        if isinstance(answer, BigAnalysis) and answer.found is not None and answer.found.exact:
            for line in finding_line(state, answer.found):
                yield replace(answer, line_moves=line)

    def _default_nodes(self, state: BigState, limits: Limits) -> int:
        """Return no limit with two players left; with more the engine would never stop."""
        if len(state.left) == 2 or limits.seconds is not None:
            return UNLIMITED
        return affordable(engine.NODES)

    def endings(
        self, states: Sequence[BigState], *, lengths: bool = True, nodes: list[int] | None = None
    ) -> Iterator[Ending]:
        """Yield the winner of each game for two; finding its length takes several times as long."""
        for state in states:
            if state.over:  # the first player could not move in the deal
                yield Ending(state.to_move, 0 if lengths else None)
                continue
            found = search.solve(state, winner_only=not lengths, table=_own_table())
            if nodes is not None:
                nodes[0] += found.nodes
            bounds = found.bounds
            if bounds.exact is None or not lengths:
                wins = bounds.win is search.Win.WINS
                yield Ending(state.to_move if wins else state.to_move.other, None)
            else:
                outcome = state.outcome(bounds.exact)
                yield Ending(outcome.winner, outcome.plies)

    lengths_are_cheap = False

    def solves(self, rules: BigRules) -> bool:
        """Return whether there are two players: perfect play of three or four is unknown."""
        return rules.players == 2

    def deal_seconds(self, rules: BigRules) -> float:
        """Return the typical time to find the winner of a deal for two."""
        return WINNER_SECONDS

    def seconds(self, state: BigState) -> float:
        """Few cards are solved at once; more take seconds to minutes."""
        return 0.0 if state.cards_left <= search.FEW_CARDS else WINNER_SECONDS

    def warm_up(self, rules: BigRules | None = None) -> None:
        """Load the compiled engine and search, or compile them."""
        from collapsi.games.big.notation import parse_big

        for position in (THREE, TWO):
            next(engine.answers(parse_big(position), nodes=1))
        search.solve(parse_big(TWO), nodes=1)

    def use_backend(self, backend: Any) -> None:
        """Use the big board's part of another backend; None restores the interpreted and compiled kernels."""
        backends.use_backend(backend.big if backend else None)
        TABLE.clear()  # its arrays belong to the previous backend

    def is_warm(self) -> bool:
        """Return whether the compiled search, or another backend, is loaded."""
        return backends.is_loaded()


_own = local()
"""The transposition table of each thread."""


def _own_table() -> TranspositionTable:
    """Return the transposition table of this thread, for solving many deals."""
    if not hasattr(_own, "table"):
        _own.table = TranspositionTable(megabytes=TABLE_MEGABYTES)
    return cast("TranspositionTable", _own.table)


def _next(answers: Iterator[engine.BigAnswer]) -> engine.BigAnswer | None:
    """The next answer, found while no other search uses the shared table; None after the last."""
    with TABLE.lock:
        return next(answers, None)
