"""Measure the solver of the Shifting Board in its three readings: `make bench-shift`.

Prints the CPU time of one thread (compiled) and the nodes for seeded deals: median and 99th percentile. For
comparison, a prototype in C++ needed 48 ms and 75,000 nodes for winner and length of a deal in the default
reading (99th percentile 192 ms), and 0.7 ms in the `box` reading. Those figures are quoted, not measured.

    python benchmarks/shift.py [deals] [rule set …]
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING, Any, cast

import collapsi
from collapsi.games.registry import kind_named
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFTING_RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi.games.shifting.state import Shifting

SEED = 2025
PLIES = 4


def after(position: Any, plies: int, rng: random.Random) -> Shifting:
    """Return a position after some random plies in which a move is possible."""
    while True:
        found = position
        for _ in range(plies):
            if not found.moves:
                break
            found = found.play(rng.choice(found.moves))
        if found.moves:
            return cast("Shifting", found)


def measure(work: Callable[..., Any], positions: Sequence[Shifting]) -> tuple[list[float], list[int]]:
    """Return the CPU milliseconds and the nodes of the positions, both sorted."""
    times, nodes = [], []
    for position in positions:
        entered = [0]
        start = time.process_time()
        list(work([position], jobs=1, nodes=entered))
        times.append((time.process_time() - start) * 1e3)
        nodes.append(entered[0])
    return sorted(times), sorted(nodes)


def main() -> None:
    """Print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    names = sys.argv[2:] or list(SHIFTING_RULE_SETS)
    kind_named("shifting").solver.warm_up()
    print(f"{count} deals, seed {SEED}         CPU ms: median   99 %     nodes: median      99 %       total")
    for name in names:
        rng = random.Random(SEED)
        deals = cast("list[Shifting]", [collapsi.deal(rng, SHIFTING_RULE_SETS[name]) for _ in range(count)])
        later = [after(position, PLIES, rng) for position in deals]
        for what, work, positions in (
            ("winner and length", shift_search.value_many, deals),
            ("all moves", shift_search.solve_many, deals),
            (f"all moves after {PLIES} plies", shift_search.solve_many, later),
        ):
            measure(work, positions[:1])
            times, nodes = measure(work, positions)
            most = -(-99 * count // 100) - 1
            print(
                f"{name:<13}{what:<27}{times[count // 2]:7.2f}{times[most]:8.2f}"
                f"{nodes[count // 2]:17,}{nodes[most]:11,}{sum(nodes):14,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
