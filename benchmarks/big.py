"""Measure the exact solver of the big board for two players: `python benchmarks/big.py [deals]`.

CPU time, not wall time, because machines are shared. Positions are reached by random moves from seeded deals.
The transposition table holds nothing about a position before it is solved.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from collapsi import deal
from collapsi.games.big import search as big_search
from collapsi.games.big.rules import BIG
from collapsi.games.big.search import TranspositionTable, Win

if TYPE_CHECKING:
    from collapsi.games.big.state import BigState

DEALS = 40


def middle(rng: random.Random, cards: int) -> BigState:
    """Return a random position with this number of face-up cards in which a move is possible."""
    while True:
        state: BigState = deal(rng, BIG)
        while state.moves and state.cards_left > cards:
            state = state.play(rng.choice(state.moves))
        if state.moves:
            return state


def measure(name: str, states: list[BigState], table: TranspositionTable, *, winner_only: bool) -> None:
    """Print one line: CPU seconds (median, 95th percentile, maximum), nodes, and wins of red."""
    seconds, nodes, red = [], [], 0
    for state in states:
        began = time.process_time()
        answer = big_search.solve(state, winner_only=winner_only, table=table)
        seconds.append(time.process_time() - began)
        nodes.append(answer.nodes)
        red += (answer.bounds.win is Win.WINS) == (state.to_move == 0)
    count = len(states)
    seconds.sort()
    median, most = seconds[count // 2], seconds[(count * 95 - 1) // 100]
    rate = sum(seconds) / sum(nodes) * 1e9
    print(
        f"{name:28} {count:4}   {median:8.4f} s   {most:8.4f} s   {seconds[-1]:8.4f} s   "
        f"{sorted(nodes)[count // 2]:12,} nodes   {rate:5.0f} ns per node   red wins {red}",
        flush=True,
    )


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    table = TranspositionTable()
    big_search.solve(middle(random.Random(0), 20), table=table, compiled=True)  # compile
    print(f"{'':28} count   median       95 %         maximum")
    for cards, count in ((20, 200), (24, 200), (28, 60)):
        states = [middle(random.Random(seed), cards) for seed in range(count)]
        measure(f"all moves, {cards} cards", states, table, winner_only=False)
    states = [deal(random.Random(seed), BIG) for seed in range(deals)]
    measure("winner of a whole deal", states, table, winner_only=True)
    measure("all moves of a whole deal", states[: deals // 8], table, winner_only=False)
    print(f"table {table.bytes / 2**20:,.0f} MB")


if __name__ == "__main__":
    main()
