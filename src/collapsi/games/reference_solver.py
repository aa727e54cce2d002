"""A minimax solver for any game for two: slow, but sufficient for a new kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.core.players import Player
from collapsi.games.analysis import Analysis
from collapsi.games.kind import NO_LIMITS, Limits, Solver
from collapsi.solving import reference
from collapsi.solving.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.state import Duel


class ReferenceSolver(Solver):
    """Minimax by `collapsi.solving.reference`, with a separate table for each position."""

    def answers(self, state: Any, limits: Limits = NO_LIMITS) -> Iterator[Analysis[Any]]:
        """Yield the one exact answer."""
        known: reference.Values = {}
        values = [0] * (max(state.moves, default=0) + 1)
        for move in state.moves:
            values[move] = _value(state, move, known)
        yield Analysis(state, Solution(tuple(values), tuple(_line(state, known))))


def _value(state: Duel, move: int, known: reference.Values) -> int:
    """Return the value of a move: the points of the side to move minus those of the opponent."""
    score = reference.score(state.play(move), known)
    return score if state.to_move is Player.RED else -score


def _line(state: Duel, known: reference.Values) -> Iterator[int]:
    """Yield perfect play; ties are broken in the order of moves."""
    while state.moves:
        values = {move: _value(state, move, known) for move in state.moves}
        best = next(move for move, value in values.items() if value == max(values.values()))
        yield best
        state = state.play(best)
