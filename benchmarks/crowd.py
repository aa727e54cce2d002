"""How fast the big board is solved for two: `python benchmarks/crowd.py [deals]`.

CPU time, not wall time: machines are shared. Positions come from seeds, played on at random from a deal. Each
is solved with a table that knows nothing of it.
"""

from __future__ import annotations

import random
import sys
import time

from collapsi.games.crowd import Crowd, deal_crowd
from collapsi.solve import crowd_search
from collapsi.solve.crowd_search import Room, Win

DEALS = 40


def middle(rng: random.Random, cards: int) -> Crowd:
    """A position with so many cards face up that is not over."""
    while True:
        state = deal_crowd(rng)
        while state.moves and state.cards_left > cards:
            state = state.play(rng.choice(state.moves))
        if state.moves:
            return state


def measure(name: str, states: list[Crowd], room: Room, *, winner_only: bool) -> None:
    """One line: CPU seconds at the median, in 95 of 100 and at the most; nodes; how many red wins."""
    seconds, nodes, red = [], [], 0
    for state in states:
        began = time.process_time()
        answer = crowd_search.solve(state, winner_only=winner_only, room=room)
        seconds.append(time.process_time() - began)
        nodes.append(answer.nodes)
        red += (answer.bounds.win is Win.WINS) == (state.to_move == 0)
    count = len(states)
    seconds.sort()
    median, most = seconds[count // 2], seconds[(count * 95 - 1) // 100]
    rate = sum(seconds) / sum(nodes) * 1e9
    print(
        f"{name:28} {count:4}   {median:8.4f} s   {most:8.4f} s   {seconds[-1]:8.4f} s   "
        f"{sorted(nodes)[count // 2]:12,} nodes   {rate:5.0f} ns a node   red wins {red}",
        flush=True,
    )


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    room = Room()
    crowd_search.solve(middle(random.Random(0), 20), room=room, compiled=True)  # compile
    print(f"{'':28} count   median       95 of 100    at most")
    for cards, count in ((20, 200), (24, 200), (28, 60)):
        states = [middle(random.Random(seed), cards) for seed in range(count)]
        measure(f"all moves, {cards} cards", states, room, winner_only=False)
    states = [deal_crowd(random.Random(seed)) for seed in range(deals)]
    measure("winner of a whole deal", states, room, winner_only=True)
    measure("all moves of a whole deal", states[: deals // 8], room, winner_only=False)
    print(f"table {room.bytes / 2**20:,.0f} MB")


if __name__ == "__main__":
    main()
