"""Which search plays the big board best: `python benchmarks/crowd_tournament.py [rounds]`.

One seat for a search that deepens ply by ply and counts next moves at the horizon, max^n or paranoid; all
others for the tree. Each has so many nodes a move that both take about as much CPU time.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from collapsi.big_facts.rounds import play_round
from collapsi.games.crowd_engine import estimate
from collapsi.intervals import Mean
from collapsi.report.pieces import mean_text
from collapsi.rules import BIG3, BIG4, CrowdRules
from collapsi.solve.crowd_many import deepening

if TYPE_CHECKING:
    from collapsi.games.crowd import Crowd

ROUNDS = 200
TREE_NODES = 10_000
OTHER_NODES = 12_000
SEED = 1


def measure(rules: CrowdRules, rounds: int, *, wary: bool) -> None:
    """One line: points of the one, and CPU time for a move on both sides."""
    rng = random.Random(f"{SEED} {rules} {wary}")
    points: Counter[int] = Counter()
    seconds, moves = Counter[bool](), Counter[bool]()
    for number in range(rounds):
        seat = rules.seats[number % rules.players]

        def choose(state: Crowd, seat: int = seat) -> int:
            began, mine = time.process_time(), state.to_move == seat
            if mine:
                move = rng.choice(deepening(state, OTHER_NODES, wary=wary))
            else:
                move = estimate(state, seed=rng.getrandbits(32), nodes=TREE_NODES).moves[0][0]
            seconds[mine] += time.process_time() - began  # type: ignore[assignment]  # a Counter of floats
            moves[mine] += 1
            return move

        end = play_round(rules, choose, rng)
        assert end.points is not None
        points[end.points[seat]] += 1
    name = "paranoid" if wary else "max^n"
    cpu = [1000 * seconds[mine] / moves[mine] for mine in (True, False)]
    print(
        f"{rules}: {name} among trees, {rounds} rounds: {mean_text(Mean.of(points))} points, "
        f"fair {(rules.players - 1) / 2}; CPU a move {cpu[0]:.1f} ms and {cpu[1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for rules in (BIG3, BIG4):
        for wary in (False, True):
            measure(rules, rounds, wary=wary)


if __name__ == "__main__":
    main()
