"""Benchmark of the solvers: their speed, and a node total that identifies the search."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError
from collapsi.games.classic import search
from collapsi.games.kind import Can
from collapsi.games.registry import deal, kind_of, require
from collapsi.games.shifting import search as shift_search
from collapsi.solving.machine_code import may_compile
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.rules import RuleSet

SEED = 2025

DEALS = {"shift": 10, "shift-box": 200, "shift-rotate": 4}
"""Number of deals that take about a second, where that is not `MANY`."""

MANY = 1000

FEW = 20
"""Number of positions solved interpreted: whole deals, or endgames of the shifting board."""

ENDGAME = 10
"""Cards face up in such an endgame."""

MIDDLE, MIDDLES = 22, 1000
"""Cards face up in a position of the big board, and the number of positions that take about a second."""


def measure(count: int | None, rules: RuleSet, *, jobs: int | None = None) -> Iterator[tuple[str, str]]:
    """Solve `count` fixed deals, interpreted and compiled; yield the name and the value of each measurement.

    Where a deal takes seconds, as on the big board, positions in the middle of a game are solved instead.

    The node total depends only on the deals and the search, not on the machine: it changes only if the search
    changes. Without a compiler it is the total of the positions solved interpreted.
    """
    require(rules, Can.BENCH)
    if not kind_of(rules).solver.lengths_are_cheap:
        yield from _measure_middles(count, rules)
        return
    rng = random.Random(SEED)
    count = count or DEALS.get(rules.name.partition("@")[0], MANY)
    shifts = kind_of(rules).shifts
    deals: list[Any] = [deal(rng, rules) for _ in range(count)]
    solver: Any = shift_search if shifts else search
    few = [_unfinished(rng, rules, ENDGAME) for _ in range(FEW)] if shifts else deals[:FEW]
    what, unit, second = ("an endgame", "ms", 1e3) if shifts else ("a deal", "µs", 1e6)
    nodes = [0]
    start = time.process_time()
    for position in few:
        solver.solve(position, nodes)
    yield f"interpreted, CPU ms {what}", f"{(time.process_time() - start) / len(few) * 1e3:.1f}"
    if not may_compile():
        yield "solved", f"{len(few)} times {what} of {rules.name}, seed {SEED}"
        yield "nodes", str(nodes[0])
        return
    compiled_nodes = [0]
    list(solver.solve_many(few, jobs=1, nodes=compiled_nodes))  # loads or compiles the kernel
    if compiled_nodes != nodes:
        msg = f"the interpreted and the compiled kernel differ: {nodes[0]} and {compiled_nodes[0]} nodes"
        raise AssertionError(msg)
    nodes = [0]
    wall, start = time.perf_counter(), time.process_time()
    list(solver.solve_many(deals, jobs=jobs, nodes=nodes))
    wall, cpu = time.perf_counter() - wall, time.process_time() - start
    yield f"compiled, CPU {unit} a deal", f"{cpu / count * second:.0f}"
    yield "compiled, deals a second", f"{count / wall:,.0f} on {jobs or cores()} threads"
    yield "deals", f"{count} {rules.name}, seed {SEED}"
    yield "nodes", str(nodes[0])


def _measure_middles(count: int | None, rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Solve `count` fixed middle-game positions of the big board; yield the measurements as `measure` does.

    The table is new, so the node total depends only on the positions and the search.
    """
    from collapsi.games.big import search as big_search

    if not may_compile():
        msg = "the benchmark of the big board needs Numba, which is missing or disabled"
        raise CollapsiError(msg)
    count = count or MIDDLES
    rng = random.Random(SEED)
    positions = [_unfinished(rng, rules, MIDDLE) for _ in range(count)]
    # Load or compile the kernel.
    big_search.solve(positions[0], compiled=True, table=big_search.TranspositionTable())
    table = big_search.TranspositionTable()
    start = time.process_time()
    nodes = sum(big_search.solve(position, compiled=True, table=table).nodes for position in positions)
    cpu = time.process_time() - start
    yield "compiled, CPU ms a position", f"{cpu / count * 1e3:.1f}"
    yield "compiled, nodes a second", f"{nodes / max(cpu, 1e-9):,.0f} on one core"
    yield "positions", f"{count} of {rules}, {MIDDLE} cards face up, seed {SEED}"
    yield "nodes", str(nodes)


def _unfinished(rng: random.Random, rules: RuleSet, cards: int) -> Any:
    """Return an unfinished position with this number of cards face up, after random moves."""
    while True:
        position: Any = deal(rng, rules)
        while position.moves and position.cards_left > cards:
            position = position.play(rng.choice(position.moves))
        if position.moves:
            return position
