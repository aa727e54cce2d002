"""One part of a study, solved here and now, on this thread: what every engine does, on whatever machine."""

from __future__ import annotations

import random
import time
from threading import local
from typing import TYPE_CHECKING, NamedTuple, cast

from collapsi.dealing import nth_deal
from collapsi.errors import CollapsiError
from collapsi.games.crowd_notation import parse_crowd
from collapsi.games.crowd_players import choose
from collapsi.notation import parse_position
from collapsi.opponent import Level
from collapsi.rules import CrowdRules, Player
from collapsi.solve import crowd_search, search, shift_search
from collapsi.study.plan import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.crowd import Crowd
    from collapsi.games.shifting import Shifting
    from collapsi.rules import Rules
    from collapsi.study.plan import Part, Plan

BATCH = 256
"""Deals given to the solver of the classic game at a time."""

ROOM_MEGABYTES = 1024
"""The table of the big board's solver, for each thread that solves, at the most."""

ENDGAMES = {
    "shift": "..../.2r../.Ab../.2.. r shift",
    "big": "..A.../..3.../..A.../.2rA.../..2b.../...... r big",
}
"""A position of each kind that is soon solved."""

_own = local()
"""What each thread keeps from one part to the next."""


class Ending(NamedTuple):
    """How a deal ends: what is counted of it."""

    winner: Player
    plies: int | None
    """None if it was not asked for."""
    first_out: Player | None
    """With three or four players, who has no point."""


Row = tuple[str, Ending]
"""A deal of a study, as text, and how it ends."""


class Cost(NamedTuple):
    """What a part took."""

    deals: int
    cpu_seconds: float
    nodes: int
    """Positions that the solver looked at, or moves that the players made."""


class Solved(NamedTuple):
    """A part that is done."""

    part: Part
    rows: list[Row]
    cost: Cost


class Failed(NamedTuple):
    """A part that failed every time."""

    part: Part
    reason: str
    fatal: bool = False
    """Whether it took workers with it, time and again: then it is not tried any more."""

    def __str__(self) -> str:
        return f"{self.part} failed: {self.reason}"


def try_part(plan: Plan, part: Part, form: int = FORMAT) -> Solved | Failed:
    """Solve the deals of a part, or say why it failed, in words: an error itself may not travel well."""
    try:
        return solve_part(plan, part, form)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other parts go on
        return Failed(part, reason(error))


def solve_part(plan: Plan, part: Part, form: int = FORMAT) -> Solved:
    """Solve the deals of a part.

    >>> from collapsi.study.plan import Part, make_plan
    >>> found = solve_part(make_plan("standard", seed=7), Part(0, 0, 2))
    >>> [(position, ending.plies) for position, ending in found.rows]
    [('AA2A/4323/324Jr/2AJb3 r', 11), ('JrA3A/2423/4AA3/322Jb r', 11)]
    """
    if form != FORMAT:
        msg = f"this worker has another version of collapsi (its studies are of format {FORMAT}, not {form})"
        raise CollapsiError(msg)
    get_ready(plan)  # to load a solver, or to compile it, is no cost of the part
    began = time.thread_time()
    nodes = [0]
    # Deals that end alike share their ending: so a part is sent, and counted, in no time.
    known: dict[Ending, Ending] = {}
    rows = [(position, known.setdefault(ending, ending)) for position, ending in _rows(plan, part, nodes)]
    return Solved(part, rows, Cost(part.deals, time.thread_time() - began, nodes[0]))


def get_ready(plan: Plan) -> None:
    """Have the machine code of the solver at hand, from what was kept or compiled now."""
    rules = plan.played_by
    if isinstance(rules, CrowdRules):
        if plan.level is None:
            crowd_search.solve(parse_crowd(ENDGAMES["big"]), room=_room(), compiled=True)
    elif rules.shift is not None:
        shift_search.value_batch([cast("Shifting", parse_position(ENDGAMES["shift"]))])
    else:
        search.value_batch([nth_deal(plan.seed, 0, rules)])  # of this very board, which has its tables


def _rows(plan: Plan, part: Part, nodes: list[int]) -> Iterator[Row]:
    rules = plan.played_by
    if isinstance(rules, CrowdRules):
        for number in range(part.first, part.stop):
            dealt = nth_deal(plan.seed, number, rules)
            yield dealt.text, _crowd_ending(plan, number, dealt, nodes)
    elif rules.shift is not None:
        yield from _shifting_rows(plan, part, rules, nodes)
    else:
        yield from _classic_rows(plan, part, rules, nodes)


def _classic_rows(plan: Plan, part: Part, rules: Rules, nodes: list[int]) -> Iterator[Row]:
    for first in range(part.first, part.stop, BATCH):
        numbers = range(first, min(first + BATCH, part.stop))
        deals = [nth_deal(plan.seed, number, rules) for number in numbers]
        for dealt, value in zip(deals, search.value_batch(deals, nodes), strict=True):
            found = dealt.outcome(value)
            yield dealt.text, Ending(found.winner, found.plies, None)


def _shifting_rows(plan: Plan, part: Part, rules: Rules, nodes: list[int]) -> Iterator[Row]:
    for number in range(part.first, part.stop):
        dealt = cast("Shifting", nth_deal(plan.seed, number, rules))
        found = dealt.outcome(shift_search.value_batch([dealt], nodes)[0])
        yield dealt.text, Ending(found.winner, found.plies, None)


def _crowd_ending(plan: Plan, number: int, dealt: Crowd, nodes: list[int]) -> Ending:
    if plan.level is not None:
        rng = random.Random(f"{plan.seed} {number} play")
        return _played(dealt, Level(plan.level), rng, nodes)
    if dealt.over:  # red was dealt in
        return Ending(dealt.to_move, 0 if plan.lengths else None, None)
    answer = crowd_search.solve(dealt, winner_only=not plan.lengths, room=_room())
    nodes[0] += answer.nodes
    bounds = answer.bounds
    if bounds.exact is None or not plan.lengths:
        wins = bounds.win is crowd_search.Win.WINS
        return Ending(dealt.to_move if wins else dealt.to_move.other, None, None)
    found = dealt.outcome(bounds.exact)
    return Ending(found.winner, found.plies, None)


def _room() -> crowd_search.Room:
    """The room of this thread."""
    if not hasattr(_own, "room"):
        _own.room = crowd_search.Room(megabytes=ROOM_MEGABYTES)
    return cast("crowd_search.Room", _own.room)


def _played(state: Crowd, level: Level, rng: random.Random, nodes: list[int]) -> Ending:
    """How a game ends between players of one level."""
    plies = 0
    while state.moves:
        state = state.play(choose(state, level, rng).move)
        plies += 1
    nodes[0] += plies
    assert state.winner is not None
    first_out = state.out[0] if state.rules.players > 2 else None
    return Ending(state.winner, plies, first_out)


def reason(error: BaseException) -> str:
    """An error in a line."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
