"""Compare searches for the big board: `python benchmarks/big_tournament.py [rounds]`.

One seat is played by a search with iterative deepening that counts next moves at its horizon (max^n or
paranoid); the tree search plays all others. The node limits are chosen so that both take about the same CPU
time per move.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean
from collapsi.facts.big.rounds import play_round
from collapsi.games.big.engine import estimate
from collapsi.games.big.multiplayer import LookAhead, best_for
from collapsi.games.big.rules import BIG3, BIG4, BigRules

if TYPE_CHECKING:
    from collapsi.games.big.state import BigState

ROUNDS = 200
TREE_NODES = 10_000
OTHER_NODES = 12_000
SEED = 1


def deepening(state: BigState, nodes: int, *, wary: bool) -> tuple[int, ...]:
    """Return the best moves by iterative deepening within `nodes` nodes: max^n, or paranoid if `wary`."""
    ahead = LookAhead(state)
    mover = state.to_move
    after = {move: state.play(move) for move in state.moves}
    best = state.moves
    for plies in range(state.cards_left):
        guesses: dict[int, tuple[int, ...]] = {}
        for move, then in after.items():
            found = ahead.guess(then, plies, wary=mover if wary else None, limit=nodes)
            if found is None:
                return best
            guesses[move] = found
        best = best_for(mover, guesses)
    return best


def measure(rules: BigRules, rounds: int, *, wary: bool) -> None:
    """Print one line: points of the deepening search, and CPU time per move of both searches."""
    rng = random.Random(f"{SEED} {rules} {wary}")
    points: Counter[int] = Counter()
    seconds, moves = Counter[bool](), Counter[bool]()
    for number in range(rounds):
        seat = rules.seats[number % rules.players]

        def choose(state: BigState, seat: int = seat) -> int:
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
        f"{rules}: {name} among trees, {rounds} rounds: {Mean.of(points)} points, "
        f"fair {(rules.players - 1) / 2}; CPU per move {cpu[0]:.1f} ms and {cpu[1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for rules in (BIG3, BIG4):
        for wary in (False, True):
            measure(rules, rounds, wary=wary)


if __name__ == "__main__":
    main()
