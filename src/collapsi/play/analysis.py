"""Solve positions of any kind, given as states, games or text."""

from __future__ import annotations

from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.core.game import Game
from collapsi.core.state import is_state
from collapsi.games.analysis import Analysis
from collapsi.games.kind import Can
from collapsi.games.registry import DEFAULT, kind_named, kind_of, parse_game, parse_rules, require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.games.kind import Answer


CHUNK = 1024
"""Positions that `iter_analyses` reads at a time: with the compiled solver about 0.2 seconds of work."""


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
    return analyse_last(as_game(position, rules))


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
    _check_types(positions, jobs)
    return list(solve_states(_as_states(positions, rules), jobs=jobs))


def iter_analyses(
    positions: Iterable[Any],
    *,
    rules: RuleSet | str | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[Any]:
    """Solve many positions like `analyse_many`, but yield the answers as they are found, in order.

    Reads `CHUNK` positions at a time, so the input may be longer than the memory allows. `progress(done)` is
    called after each chunk with the number of positions solved so far.

    >>> next(iter_analyses(iter(["A223/4A2Jr/3A23/Jb3A4 r"]))).plies
    13
    """
    _check_types(positions, jobs)
    if rules is not None:
        rules = parse_rules(rules)
    if not callable(progress):
        raise wrong_type(progress, "a function of the number of solved positions")

    def answers() -> Iterator[Any]:
        rest, done = iter(positions), 0
        while chunk := list(islice(rest, CHUNK)):
            yield from solve_states(_as_states(chunk, rules, first=done + 1), jobs=jobs)
            done += len(chunk)
            progress(done)

    return answers()


def warm_up(rules: RuleSet | str = DEFAULT) -> None:
    """Load the compiled solver of these rules now, or compile it if this is the first time on this machine.

    Without this call, that happens after about a second of solving positions one by one. Answers do not
    depend on it.
    """
    found = parse_rules(rules)
    kind_of(found).solver.warm_up(found)


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
    _check_types(positions, jobs)
    states = _as_states(positions, rules)
    for state in states:
        require(state.rules, Can.COUNT_GAMES)
    counts: list[int] = []
    for name, run in groupby(states, key=lambda state: state.rules.kind):
        counts += kind_named(name).solver.count_games(list(run), jobs=jobs)
    return counts


def expected_seconds(state: Any) -> float:
    """Estimate the time to solve a state with the backends that are loaded, in seconds."""
    return kind_of(state).solver.seconds(state)


def as_game(position: Any, rules: RuleSet | str | None) -> Game[Any]:
    if isinstance(position, str):
        return parse_game(position, rules=rules)
    if isinstance(position, Game):
        return position
    if not is_state(position):
        raise wrong_type(position, "a position, a game or a text")
    return Game.start(position)


def _check_types(positions: Iterable[Any], jobs: int | None) -> None:
    if isinstance(positions, str) or not hasattr(positions, "__iter__"):
        raise wrong_type(positions, "a sequence of positions or texts")
    if not isinstance(jobs, int | None):
        raise wrong_type(jobs, "a number of threads or None")


def _as_states(positions: Iterable[Any], rules: RuleSet | str | None, first: int = 1) -> list[Any]:
    """Read positions; an error names the number of the position, counted from `first`."""
    found = []
    for number, position in enumerate(positions, start=first):
        try:
            found.append(as_game(position, rules).position)
        except CollapsiError as error:
            msg = f"position {number}: {error}"
            raise type(error)(msg) from None
    return found
