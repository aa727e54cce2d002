"""Measure the engine of the big board and its exact endgames: `python benchmarks/big_engine.py`.

CPU time, not wall time, because machines are shared. Positions come from seeded rounds that the careful level
plays with random mistakes; at least three players are left.
"""

from __future__ import annotations

import random
import sys
import time
from statistics import median

from collapsi import deal
from collapsi.facts.big.calibration import position_with
from collapsi.games.big.endgame import judging
from collapsi.games.big.multiplayer import Tree
from collapsi.games.big.rules import BIG3, BIG4

POSITIONS = 20
NODES = 1_000_000
CARDS = (20, 22, 24, 26)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS
    for rules in (BIG3, BIG4):
        Tree(deal(random.Random(1), rules), seed=1).grow(1)  # compile
        list(judging(position_with(rules, 20, random.Random(1)), compiled=True))
        tree = Tree(deal(random.Random(2), rules), seed=1)
        began = time.process_time()
        tree.grow(NODES)
        seconds = time.process_time() - began
        print(
            f"{rules}: tree of a deal, {tree.nodes / seconds / 1e6:.1f} million nodes per second, "
            f"{tree.visits / seconds:,.0f} playouts per second",
            flush=True,
        )
        for cards in CARDS:
            rng, taken = random.Random(cards), []
            for _ in range(count):
                state = position_with(rules, cards, rng)
                began = time.process_time()
                list(judging(state, compiled=True))
                taken.append(1000 * (time.process_time() - began))
            print(
                f"{rules}: {cards} cards, points of all moves and secured points, {count} positions: "
                f"{median(taken):.1f} ms median, {max(taken):.0f} ms maximum",
                flush=True,
            )


if __name__ == "__main__":
    main()
