"""How fast the solver is here, and a fingerprint of what it does."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from collapsi.errors import CollapsiError
from collapsi.machine import cores
from collapsi.position import deal
from collapsi.rules import PAIR, Rules, Wrap
from collapsi.solve import search, shift_search

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 2025

DEALS = {None: 1000, Wrap.LINE: 10, Wrap.BOX: 200, Wrap.ROTATE: 4}
"""How many deals take a second or two, by how the board shifts."""

FEW = 20
"""How many positions are solved interpreted: whole deals, or endgames of the shifting board."""

ENDGAME = 10
"""Cards face up in such an endgame."""


MIDDLE, MIDDLES = 22, 1000
"""Cards face up in a position of the big board, and how many of those take a second or two."""


def measure(count: int | None, rules: Rules, *, jobs: int | None = None) -> Iterator[tuple[str, str]]:
    """Solve `count` fixed deals with both forms of the kernel; yield what was measured, by name.

    The node total depends on the deals and the search alone, never on the machine: if it changes, so did the
    search. Where nothing can be compiled, it is that of the few positions solved interpreted.
    """
    rng = random.Random(SEED)
    count = count or DEALS[rules.shift]
    deals: list[Any] = [deal(rng, rules) for _ in range(count)]
    solver: Any = shift_search if rules.shift else search
    few = [_endgame(rng, rules) for _ in range(FEW)] if rules.shift else deals[:FEW]
    what, unit, second = ("an endgame", "ms", 1e3) if rules.shift else ("a deal", "µs", 1e6)
    nodes = [0]
    start = time.process_time()
    for position in few:
        solver.solve(position, nodes)
    yield f"interpreted, CPU ms {what}", f"{(time.process_time() - start) / len(few) * 1e3:.1f}"
    if not search.may_compile():
        yield "solved", f"{len(few)} times {what} of {rules.name}, seed {SEED}"
        yield "nodes", str(nodes[0])
        return
    compiled_nodes = [0]
    list(solver.solve_many(few, jobs=1, nodes=compiled_nodes))  # loads or compiles the kernel
    if compiled_nodes != nodes:
        msg = f"the two forms of the kernel differ: {nodes[0]} and {compiled_nodes[0]} nodes"
        raise AssertionError(msg)
    nodes = [0]
    wall, start = time.perf_counter(), time.process_time()
    list(solver.solve_many(deals, jobs=jobs, nodes=nodes))
    wall, cpu = time.perf_counter() - wall, time.process_time() - start
    yield f"compiled, CPU {unit} a deal", f"{cpu / count * second:.0f}"
    yield "compiled, deals a second", f"{count / wall:,.0f} on {jobs or cores()} threads"
    yield "deals", f"{count} {rules.name}, seed {SEED}"
    yield "nodes", str(nodes[0])


def measure_crowd(count: int | None, rules: str) -> Iterator[tuple[str, str]]:
    """Solve `count` fixed positions of the big board in the middle of a game; yield what was measured.

    The room is new, so the node total depends on the positions and the search alone.
    """
    from collapsi.games.crowd import Crowd, deal_crowd
    from collapsi.games.crowd_notation import parse_crowd_rules
    from collapsi.solve import crowd_search

    agreed = parse_crowd_rules(rules)
    if agreed.players != len(PAIR):
        msg = f"the solver of the big board is for two players, and {agreed} has {agreed.players}: take big"
        raise CollapsiError(msg)
    if not search.may_compile():
        msg = "the big board's solver is measured compiled, and Numba is missing or may not compile"
        raise CollapsiError(msg)
    count = count or MIDDLES
    rng = random.Random(SEED)
    positions: list[Crowd] = []
    while len(positions) < count:
        position = deal_crowd(rng, agreed)
        while position.moves and position.cards_left > MIDDLE:
            position = position.play(rng.choice(position.moves))
        if position.moves:
            positions.append(position)
    crowd_search.solve(positions[0], compiled=True, room=crowd_search.Room())  # loads or compiles the kernel
    room = crowd_search.Room()
    start = time.process_time()
    nodes = sum(crowd_search.solve(position, compiled=True, room=room).nodes for position in positions)
    cpu = time.process_time() - start
    yield "compiled, CPU ms a position", f"{cpu / count * 1e3:.1f}"
    yield "compiled, nodes a second", f"{nodes / max(cpu, 1e-9):,.0f} on one core"
    yield "positions", f"{count} of {agreed}, {MIDDLE} cards face up, seed {SEED}"
    yield "nodes", str(nodes)


def _endgame(rng: random.Random, rules: Rules) -> Any:
    """A position after random moves with `ENDGAME` cards face up, and not over yet."""
    while True:
        position: Any = deal(rng, rules)
        while position.moves and position.cards_left > ENDGAME:
            position = position.play(rng.choice(position.moves))
        if position.moves:
            return position
