"""Solve positions of any kind, given as states, games or text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.core.game import Game
from collapsi.core.state import is_state
from collapsi.games.analysis import Analysis
from collapsi.games.kind import Can
from collapsi.games.registry import kind_named, kind_of, parse_game, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.games.kind import Answer


def analyse(position: Any, *, rules: RuleSet | str | None = None) -> Any:
    """Solve one position: given as a state, as text, or as the last position of a game.

    Returns the best answer of the kind's solver: for two players on a small board an `Analysis`. `rules`
    apply if a text does not name any.

    >>> analyse("..../.2r../.Ab../.2.. r").line
    ('b4',)
    >>> analyse("..A.../..3.../..A.../.2rA.../..2b.../...... r big").line
    ('c3',)
    >>> analyse("A2X/3Jr2/A2A").solutions
    92
    """
    return analyse_last(_as_game(position, rules))


def analyse_last(game: Game[Any]) -> Any:
    """Solve the last position of a game; skip the search for faults if the game starts with a deal."""
    answer = kind_of(game.position).solver.solve(game.position)
    if isinstance(answer, Analysis):
        return Analysis(answer.position, answer.solution, from_deal=game.positions[0].dealt)
    return answer


def analyse_many(
    positions: Iterable[Any], *, rules: RuleSet | str | None = None, jobs: int | None = None
) -> list[Any]:
    """Solve many positions on all cores, or on `jobs` threads; answers are in the order of positions.

    Accepts the same types of positions as `analyse`.

    >>> [analysis.plies for analysis in analyse_many(["A223/4A2Jr/3A23/Jb3A4 r", "..../.2r../.Ab../.2.. r"])]
    [13, 1]
    """
    return list(solve_states(_as_states(positions, rules, jobs), jobs=jobs))


def solve_states(states: Sequence[Any], *, jobs: int | None = None) -> Iterator[Answer]:
    """Solve states of any kinds in order; successive states of one kind are solved together."""
    for name, run in groupby(states, key=lambda state: state.rules.kind):
        yield from kind_named(name).solver.solve_many(list(run), jobs=jobs)


def count_games_many(
    positions: Iterable[Any], *, rules: RuleSet | str | None = None, jobs: int | None = None
) -> list[int]:
    """Count the possible games of many positions, like `analyse_many`.

    >>> count_games_many(["..../.2r../.Ab../.2.. r"])
    [1]
    """
    states = _as_states(positions, rules, jobs)
    for state in states:
        require(state.rules, Can.COUNT_GAMES)
    counts: list[int] = []
    for name, run in groupby(states, key=lambda state: state.rules.kind):
        counts += kind_named(name).solver.count_games(list(run), jobs=jobs)
    return counts


def expected_seconds(state: Any) -> float:
    """Estimate the time to solve a state with the backends that are loaded, in seconds."""
    return kind_of(state).solver.seconds(state)


def _as_game(position: Any, rules: RuleSet | str | None) -> Game[Any]:
    if isinstance(position, str):
        return parse_game(position, rules=rules)
    if isinstance(position, Game):
        return position
    if not is_state(position):
        raise wrong_type(position, "a position, a game or a text")
    return Game.start(position)


def _as_states(positions: Iterable[Any], rules: RuleSet | str | None, jobs: int | None) -> list[Any]:
    """Read positions; an error names the number of the position."""
    if isinstance(positions, str) or not hasattr(positions, "__iter__"):
        raise wrong_type(positions, "a sequence of positions or texts")
    if not isinstance(jobs, int | None):
        raise wrong_type(jobs, "a number of threads or None")
    found = []
    for number, position in enumerate(positions, start=1):
        try:
            found.append(_as_game(position, rules).position)
        except CollapsiError as error:
            msg = f"position {number}: {error}"
            raise type(error)(msg) from None
    return found
