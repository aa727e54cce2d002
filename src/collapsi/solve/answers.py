"""Who answers: which form of which solver, and how long that will take, about. It is decided here alone.

What is asked here is asked of any state; each kind of game for two has its own solver.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Protocol, cast

from collapsi.errors import CollapsiError
from collapsi.position import Position
from collapsi.rules import PAIR, Card, CrowdRules, Wrap
from collapsi.solve import definition, search
from collapsi.walking import shifts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.games.crowd import Crowd
    from collapsi.games.shifting import Shifting
    from collapsi.solve import crowd_forms, shift_search
    from collapsi.state import State

INTERPRETED_SECONDS = {"solve": 0.025, "games": 0.25}
"""What a whole deal takes interpreted, about."""

COMPILED_SECONDS = 0.0002
"""What a whole deal takes compiled, about."""

SHIFT_SECONDS = {Wrap.LINE: 0.2, Wrap.BOX: 0.01, Wrap.ROTATE: 2.0}
"""What a whole deal of the shifting board takes compiled, about, by its reading."""

SHIFT_SLOWER = 60
"""How many times as long it takes interpreted, about."""

MOST_COUNTED = 8
"""Games of the shifting board are counted with so many cards face up: beyond there are too many."""

LOADING_SECONDS = 1.0
"""What it takes to load the compiled kernel, about: work that is done by then is done interpreted."""


class Form(Protocol):
    """Another form of the solvers, that does it all: the page without a service brings its own."""

    @property
    def slower(self) -> float:
        """How many times as long as the compiled search it takes, about."""

    @property
    def slower_shifting(self) -> float:
        """The same on the shifting board."""

    @property
    def big(self) -> crowd_forms.Form:
        """The kernels of the big board."""

    def solve(self, position: Position) -> search.Solution:
        """Solve a position of the classic game."""

    def count_games(self, position: Position) -> int:
        """Count the ways to play a position of the classic game to its end."""

    def solve_shifting(self, position: Shifting) -> search.Solution:
        """Solve a position of the shifting board."""


_taken: list[Form] = []
"""The form that was taken last, if any."""


def take(form: Form | None) -> None:
    """Have all that is asked here answered by this form from now on; None is as before."""
    from collapsi.solve import crowd_forms, crowd_search  # those who take no form do not wait for it

    _taken[:] = [form] if form else []
    crowd_forms.take(form.big if form else None)
    crowd_search.ROOM.forget()  # its table is one of the form before


def solutions(
    states: Sequence[State], *, jobs: int | None = None, told: shift_search.Told | None = None
) -> Iterable[search.Solution]:
    """Solve states, of one kind or mixed, by whichever form of their kernel is ready sooner.

    `told` hears of what takes long how many moves are settled, and of how many.
    """
    if any(isinstance(state.rules, CrowdRules) for state in states):
        return map(_solution, states)
    kinds = {_is_shifting(state) for state in states}
    if _taken:
        return map(_solution_taken, states)
    if kinds == {True}:
        return _shifting_solutions(cast("Sequence[Shifting]", states), jobs, told)
    if len(kinds) > 1:
        return _mixed(states, jobs, told)
    positions = cast("Sequence[Position]", states)
    if len(positions) == 1 and search.compiled_is_loaded():
        return search.solve_batch(positions)
    if _worth_compiling(positions, "solve"):
        return search.solve_many(positions, jobs=jobs)
    return map(search.solve, positions)


def _solution(state: State) -> search.Solution:
    """The solution of a state of any kind, those of the big board among them."""
    if not isinstance(state.rules, CrowdRules):
        return next(iter(solutions([state])))
    from collapsi.solve import crowd_search  # loaded when it is asked for

    return crowd_search.solution(cast("Crowd", state))


def _solution_taken(state: State) -> search.Solution:
    """The solution by the form that was taken."""
    if shifts(state):
        return _taken[0].solve_shifting(state)
    return _taken[0].solve(cast("Position", state))


def _mixed(
    states: Sequence[State], jobs: int | None, told: shift_search.Told | None
) -> Iterable[search.Solution]:
    """Solutions of states of several kinds, in order: each run of one kind by its own solver."""
    for _, run in groupby(states, key=_is_shifting):
        yield from solutions(list(run), jobs=jobs, told=told)


def _shifting_solutions(
    states: Sequence[Shifting], jobs: int | None, told: shift_search.Told | None
) -> Iterable[search.Solution]:
    from collapsi.solve import shift_search  # nobody loads it who does not play it

    expected = sum(SHIFT_SECONDS[_wrap(state)] * _share(state) for state in states) * SHIFT_SLOWER
    if shift_search.compiled_is_loaded() or expected > LOADING_SECONDS:
        return shift_search.solve_many(states, jobs=jobs, told=told)
    return map(shift_search.solve, states)


def count_games(states: Sequence[State], *, jobs: int | None = None) -> Iterable[int]:
    """Count the ways to play states to their ends, by whichever form of the kernel is ready sooner."""
    if True in {_is_shifting(state) for state in states}:
        return [_count_shifting(state) for state in states]
    positions = cast("Sequence[Position]", states)
    if _taken:
        return map(_taken[0].count_games, positions)
    if _worth_compiling(positions, "games"):
        return search.count_games_many(positions, jobs=jobs)
    return map(search.count_games, positions)


def _count_shifting(state: State) -> int:
    """The plain definition counts them, as long as they can be counted."""
    refuse_uncounted(state)
    return definition.count_games(state)


def refuse_uncounted(state: State) -> None:
    """An error for a state whose possible games are too many to count."""
    if shifts(state) and state.cards_left > MOST_COUNTED:
        msg = (
            f"with {state.cards_left} cards face up, games of {state.rules} are too many to count: "
            f"they are counted with up to {MOST_COUNTED}"
        )
        raise CollapsiError(msg)


def _is_shifting(state: State) -> bool:
    """Whether a state is of the shifting board or of the classic game; an error that names any other."""
    if isinstance(state, Position):
        return False
    if shifts(state):
        return True
    msg = f"no solver here answers for {state!r}: the game `{state.rules}` is not one for two"
    raise CollapsiError(msg)


def expected_seconds(state: State) -> float:
    """About how long it takes to solve a position with what is loaded now."""
    if shifts(state):
        from collapsi.solve import shift_search

        slower = 1.0 if shift_search.compiled_is_loaded() else SHIFT_SLOWER
        if _taken:
            slower = _taken[0].slower_shifting
        return SHIFT_SECONDS[_wrap(state)] * _share(state) * slower
    seconds = COMPILED_SECONDS if search.compiled_is_loaded() else INTERPRETED_SECONDS["solve"]
    if _taken:
        seconds = COMPILED_SECONDS * _taken[0].slower
    return _hardness(cast("Position", state)) * seconds


def _wrap(state: Shifting) -> Wrap:
    return state.rules.shift or Wrap.LINE


def _share(state: Shifting) -> float:
    """What part of a whole deal's work a position of the shifting board is: a third for each card less."""
    return 3.0 ** (state.cards_left - state.rules.board.size)


def load() -> None:
    """Have the compiled kernel of the classic game at hand, from what was kept or compiled now."""
    from collapsi.notation import parse_position

    search.solve_batch([parse_position("A223/4A2Jr/3A23/Jb3A4 r")])


def load_shifting() -> None:
    """Have the compiled kernel of the shifting board at hand, likewise."""
    from collapsi.notation import parse_position
    from collapsi.solve import shift_search

    endgame = parse_position("..../.2r../.Ab../.2.. r shift")
    list(shift_search.solve_many([cast("Shifting", endgame)]))


def is_loaded() -> bool:
    """Whether the compiled kernel is at hand, or a form that does without."""
    return bool(_taken) or search.compiled_is_loaded()


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
    return 7 * 3.0 ** max(jacks - len(PAIR), 0)
