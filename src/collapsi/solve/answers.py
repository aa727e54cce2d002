"""Who answers: which form of which solver, and how long that will take, about. It is decided here alone.

A kind of game whose states are solved by another solver gets its line in `_classic`'s place: what is asked
here is asked of any state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from collapsi.errors import CollapsiError
from collapsi.position import Position
from collapsi.rules import Card, Player
from collapsi.solve import search

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.state import State

INTERPRETED_SECONDS = {"solve": 0.025, "games": 0.25}
"""What a whole deal takes interpreted, about."""

COMPILED_SECONDS = 0.0002
"""What a whole deal takes compiled, about."""

LOADING_SECONDS = 1.0
"""What it takes to load the compiled kernel, about: work that is done by then is done interpreted."""


def solutions(states: Sequence[State], *, jobs: int | None = None) -> Iterable[search.Solution]:
    """Solve states by whichever form of the kernel is ready sooner."""
    positions = _classic(states)
    if len(positions) == 1 and search.compiled_is_loaded():
        return search.solve_batch(positions)
    if _worth_compiling(positions, "solve"):
        return search.solve_many(positions, jobs=jobs)
    return map(search.solve, positions)


def count_games(states: Sequence[State], *, jobs: int | None = None) -> Iterable[int]:
    """Count the ways to play states to their ends, by whichever form of the kernel is ready sooner."""
    positions = _classic(states)
    if _worth_compiling(positions, "games"):
        return search.count_games_many(positions, jobs=jobs)
    return map(search.count_games, positions)


def _classic(states: Sequence[State]) -> Sequence[Position]:
    """The states as positions of the classic kind, or an error that names the first of another kind."""
    for state in states:
        if not isinstance(state, Position):
            msg = f"no solver here answers for {state!r}: the game `{state.rules}` is not one for two"
            raise CollapsiError(msg)
    return cast("Sequence[Position]", states)


def expected_seconds(position: Position) -> float:
    """About how long it takes to solve a position with what is loaded now."""
    return _hardness(position) * (
        COMPILED_SECONDS if search.compiled_is_loaded() else INTERPRETED_SECONDS["solve"]
    )


def load() -> None:
    """Have the compiled kernel at hand, from what was kept or compiled now."""
    from collapsi.notation import parse_position

    search.solve_batch([parse_position("A223/4A2Jr/3A23/Jb3A4 r")])


def is_loaded() -> bool:
    """Whether the compiled kernel is at hand."""
    return search.compiled_is_loaded()


def _worth_compiling(positions: Sequence[Position], task: str) -> bool:
    """Whether so much work is waiting that the compiled kernel pays, or it is loaded already."""
    if search.compiled_is_loaded():
        return len(positions) > 1
    return INTERPRETED_SECONDS[task] * sum(map(_hardness, positions)) > LOADING_SECONDS


def _hardness(position: Position) -> float:
    """How many `standard` deals it is worth: more where a first move is free, far more with stray jacks."""
    jacks = position.cards.count(Card.JACK)
    if not jacks or max(map(len, position.rules.first_walks)) == 1:
        return 1
    return 7 * 3.0 ** max(jacks - len(Player), 0)
