"""How fast the engine of the big board is, and exact endgames: `python benchmarks/crowd_engine.py`.

CPU time, not wall time: machines are shared. Positions come from seeds, out of rounds that the careful level
plays with slips, with three left at the least.
"""

from __future__ import annotations

import random
import sys
import time
from statistics import median

from collapsi.big_facts.calibration import position_with
from collapsi.games.crowd import deal_crowd
from collapsi.games.crowd_endgame import judging
from collapsi.rules import BIG3, BIG4
from collapsi.solve.crowd_many import Tree

POSITIONS = 20
NODES = 1_000_000
CARDS = (20, 22, 24, 26)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS
    for rules in (BIG3, BIG4):
        Tree(deal_crowd(random.Random(1), rules), seed=1).grow(1)  # compile
        list(judging(position_with(rules, 20, random.Random(1)), compiled=True))
        tree = Tree(deal_crowd(random.Random(2), rules), seed=1)
        began = time.process_time()
        tree.grow(NODES)
        seconds = time.process_time() - began
        print(
            f"{rules}: a tree of a deal, {tree.nodes / seconds / 1e6:.1f} million nodes a second, "
            f"{tree.visits / seconds:,.0f} rounds played out a second",
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
                f"{rules}: {cards} cards, points of all moves and what is secured, {count} positions: "
                f"{median(taken):.1f} ms at the median, {max(taken):.0f} ms at the most",
                flush=True,
            )


if __name__ == "__main__":
    main()
