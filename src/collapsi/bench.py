"""How fast the solver is here, and a fingerprint of what it does."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from collapsi.machine import cores
from collapsi.position import deal
from collapsi.solve import search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.rules import Rules

SEED = 2025


def measure(count: int, rules: Rules, *, jobs: int | None = None) -> Iterator[tuple[str, str]]:
    """Solve `count` fixed deals with both forms of the kernel; yield what was measured, by name.

    The node total depends on the deals and the search alone, never on the machine: if it changes, so did the
    search.
    """
    rng = random.Random(SEED)
    deals = [deal(rng, rules) for _ in range(count)]
    few = deals[:20]
    nodes = [0]
    start = time.process_time()
    for position in few:
        search.solve(position, nodes)
    yield "interpreted, CPU ms a deal", f"{(time.process_time() - start) / len(few) * 1e3:.1f}"
    compiled_nodes = [0]
    list(search.solve_many(few, jobs=1, nodes=compiled_nodes))  # loads or compiles the kernel
    if compiled_nodes != nodes:
        msg = f"the two forms of the kernel differ: {nodes[0]} and {compiled_nodes[0]} nodes"
        raise AssertionError(msg)
    nodes = [0]
    wall, start = time.perf_counter(), time.process_time()
    list(search.solve_many(deals, jobs=jobs, nodes=nodes))
    wall, cpu = time.perf_counter() - wall, time.process_time() - start
    yield "compiled, CPU µs a deal", f"{cpu / count * 1e6:.0f}"
    yield "compiled, deals a second", f"{count / wall:,.0f} on {jobs or cores()} threads"
    yield "deals", f"{count} {rules.name}, seed {SEED}"
    yield "nodes", str(nodes[0])
