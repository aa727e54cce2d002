"""Measure how often the coach has a concrete reason: `python benchmarks/coach.py 20000 --seed 1`.

Counts the wins given away in random games by the kind of reason. Then measures the counts behind the reason
"next cards": for pairs of a winning and a losing move, how often the winning one has the larger count.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from math import sqrt
from typing import TYPE_CHECKING

import collapsi
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.registry import kind_named
from collapsi.play.coach import WhyKind
from collapsi.play.coach.find import FAR_MOVES, next_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.play.review import JudgedMove


def thrown(rng: random.Random, rules: collapsi.Rules) -> Iterator[JudgedMove]:
    """Yield moves of random games that gave a win away, without end."""
    while True:
        game = collapsi.Game.start(collapsi.deal(rng, rules))
        while game.position.moves:
            game = game.play(rng.choice(game.position.moves))
        yield from collapsi.review(game).turning_points


def compare(move: JudgedMove, more: Counter[tuple[str, int, bool]]) -> None:
    """Pair the played move with each winning move and count which one has more of each quantity."""
    position = move.before.position

    def counted(end: int) -> dict[str, int]:
        after = position.play(end)
        return {"cards to go to next": len(next_cards(position, end)), "fewer replies": -len(after.moves)}

    mine = counted(move.played.move)
    for other in move.before.moves:
        if other.wins:
            for name, number in counted(other.move).items():
                if number != mine[name]:
                    more[name, min(abs(number - mine[name]), 4), number > mine[name]] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=20_000, help="number of wins given away")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", choices=list(CLASSIC_RULE_SETS), default="standard")
    options = parser.parse_args()
    kind_named("classic").solver.warm_up()
    kinds: Counter[WhyKind] = Counter()
    by_ply: defaultdict[int, Counter[bool]] = defaultdict(Counter)
    more: Counter[tuple[str, int, bool]] = Counter()
    moves = thrown(random.Random(options.seed), classic_rules(options.rules))
    for _, move in zip(range(options.count), moves, strict=False):
        assert move.why is not None
        kinds[move.why.kind] += 1
        by_ply[move.number][move.why.kind.is_concrete] += 1
        if move.plies > FAR_MOVES and kinds.total() % 4 == 0:
            compare(move, more)
    concrete = sum(count for kind, count in kinds.items() if kind.is_concrete) / options.count
    margin = 1.96 * sqrt(concrete * (1 - concrete) / options.count)
    print(f"{options.count:,} wins given away in random games, {options.rules}, seed {options.seed}")
    for kind in WhyKind:
        if kinds[kind]:
            print(f"  {kind:<16}{kinds[kind] / options.count:7.1%}")
    print(f"a concrete reason: {concrete:.1%} ± {margin:.1%}")
    print(
        "by ply: "
        + ", ".join(f"{ply}: {by_ply[ply][True] / by_ply[ply].total():.0%}" for ply in sorted(by_ply))
    )
    print(f"\nmoves that lose in more than {FAR_MOVES} plies, compared with each winning move:")
    for name, difference in sorted({(name, difference) for name, difference, _ in more}):
        right, wrong = more[name, difference, True], more[name, difference, False]
        by = f"{difference}{' or more' * (difference == 4)}"
        print(
            f"  {name}, by {by}: the winning move has more in {right / (right + wrong):.0%} "
            f"of {right + wrong:,} pairs"
        )


if __name__ == "__main__":
    main()
