"""Solve one part of a study on the current thread: the work that every engine distributes."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from collapsi.core.errors import CollapsiError
from collapsi.core.players import Player
from collapsi.games.kind import Can
from collapsi.games.levels import Level
from collapsi.games.registry import can, kind_of
from collapsi.play.dealing import nth_deal
from collapsi.play.levels import choose_move
from collapsi.study.plan import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.study.plan import Part, Plan


class Ending(NamedTuple):
    """How a deal ends, as far as the study counts it."""

    winner: Player
    plies: int | None
    """None if lengths are not studied."""
    first_out: Player | None
    """The player without points if there are three or four players."""


Row = tuple[str, Ending]
"""A deal of a study as text, and its ending."""


class Cost(NamedTuple):
    """The cost of a part."""

    deals: int
    cpu_seconds: float
    nodes: int
    """Positions that the solver entered, or moves that the players made."""


class SolvedPart(NamedTuple):
    """A part with its rows."""

    part: Part
    rows: list[Row]
    cost: Cost


class FailedPart(NamedTuple):
    """A part that could not be solved."""

    part: Part
    reason: str
    fatal: bool = False
    """Whether workers died of it repeatedly: then it is not tried again."""

    def __str__(self) -> str:
        return f"{self.part} failed: {self.reason}"


def try_part(plan: Plan, part: Part, form: int = FORMAT) -> SolvedPart | FailedPart:
    """Solve the deals of a part; errors are returned as text, because not every exception can be pickled."""
    try:
        return solve_part(plan, part, form)
    except Exception as error:  # noqa: BLE001 - any error of one part leaves the others running
        return FailedPart(part, reason(error))


def solve_part(plan: Plan, part: Part, form: int = FORMAT) -> SolvedPart:
    """Solve the deals of a part.

    >>> from collapsi.study.plan import Part, make_plan
    >>> found = solve_part(make_plan("standard", seed=7), Part(0, 0, 2))
    >>> [(position, ending.plies) for position, ending in found.rows]
    [('AA2A/4323/324Jr/2AJb3 r', 11), ('JrA3A/2423/4AA3/322Jb r', 11)]
    """
    if form != FORMAT:
        msg = f"this worker has another version of collapsi (its studies are of format {FORMAT}, not {form})"
        raise CollapsiError(msg)
    warm_up(plan)  # loading or compiling the solver is not part of the cost
    began = time.thread_time()
    nodes = [0]
    # Deals with the same ending share one object, which makes pickling and counting a part fast.
    known: dict[Ending, Ending] = {}
    rows = [(position, known.setdefault(ending, ending)) for position, ending in _rows(plan, part, nodes)]
    return SolvedPart(part, rows, Cost(part.deals, time.thread_time() - began, nodes[0]))


def warm_up(plan: Plan) -> None:
    """Load the machine code of the solver, or compile it."""
    kind = kind_of(plan.rule_set)
    if plan.level is None or kind.opponents is None:
        kind.solver.warm_up(plan.rule_set)
    if plan.level is not None and kind.shifts:
        from collapsi.games.shifting.search import survey

        survey(nth_deal(plan.seed, 0, plan.rule_set), 0)


def _rows(plan: Plan, part: Part, nodes: list[int]) -> Iterator[Row]:
    rules = plan.rule_set
    numbers = range(part.first, part.stop)
    deals = [nth_deal(plan.seed, number, rules) for number in numbers]
    if plan.level is not None:
        rngs = [random.Random(f"{plan.seed} {number} play") for number in numbers]
        kind = kind_of(rules)
        is_fast = kind.shifts or (kind.opponents is None and can(rules, Can.LADDER))
        play = play_fast if is_fast else play_one_by_one
        for dealt, ending in zip(deals, play(deals, Level(plan.level), rngs), strict=True):
            nodes[0] += ending.plies or 0
            yield dealt.text, ending
        return
    endings = kind_of(rules).solver.endings(deals, lengths=plan.lengths, nodes=nodes)
    for dealt, (winner, plies) in zip(deals, endings, strict=True):
        yield dealt.text, Ending(winner, plies, None)


def play_fast(deals: Sequence[Any], level: Level, rngs: Sequence[random.Random]) -> Iterator[Ending]:
    """Play the games of `play_one_by_one` faster: classic ones all at once, others by a short look-ahead."""
    from collapsi.batch.positions import PositionBatch
    from collapsi.play.strategy import ladder, shifting
    from collapsi.play.strategy.players import character

    player = character(level.value)
    if kind_of(deals[0]).shifts:
        lengths = shifting.lengths_played(player, deals, rngs)
    else:
        lengths = ladder.lengths_played(player, PositionBatch.of(deals), rngs, jobs=1).tolist()
    for plies in lengths:
        yield Ending(Player.RED if plies % 2 else Player.BLUE, plies, None)


def play_one_by_one(deals: Sequence[Any], level: Level, rngs: Sequence[random.Random]) -> Iterator[Ending]:
    """Play deals of any kind between players of one level."""
    for dealt, rng in zip(deals, rngs, strict=True):
        yield _play_out(dealt, level, rng)


def _play_out(state: Any, level: Level, rng: random.Random) -> Ending:
    """Play a game between players of one level, and return its ending."""
    plies = 0
    while state.moves:
        state = state.play(choose_move(state, level, rng))
        plies += 1
    assert state.winner is not None
    first_out = state.out[0] if state.rules.players > 2 else None
    return Ending(state.winner, plies, first_out)


def reason(error: BaseException) -> str:
    """Return the type and the first line of an error."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
