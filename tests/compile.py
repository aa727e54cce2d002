"""Compile the kernels before the tests: `python -m tests.compile`, run by `make test`.

Processes that find no machine code compile it, each for itself. So it is made once before several test
workers start, a kernel per core at a time.
"""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from collapsi import count_games_many, deal
from collapsi.census import rotate
from collapsi.census.games import count_all_games
from collapsi.census.lab.facts import find_facts
from collapsi.census.lengths import take_census
from collapsi.games.big import search as big_search
from collapsi.games.big.endgame import judging
from collapsi.games.big.engine import estimate
from collapsi.games.big.levels import choose
from collapsi.games.big.rules import BIG, BIG3
from collapsi.games.classic import search
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import STANDARD
from collapsi.games.levels import Level
from collapsi.games.registry import kind_named
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT
from collapsi.report.strategy_tables import find_strategy
from tests.big_positions import endgames
from tests.shifting_positions import endgame

DECK = "standard@13,0,0,1"


def classic() -> None:
    """The search of the classic game."""
    kind_named("classic").solver.warm_up()
    deals = [deal(random.Random(1)) for _ in range(50)]
    search.value_batch(deals)
    list(count_games_many(deals))


def shifting() -> None:
    """The search of the shifting board."""
    kind_named("shifting").solver.warm_up()


def shifting_values() -> None:
    """The same, without lines."""
    shift_search.value_batch([endgame(random.Random(1), SHIFT, 8)])


def big() -> None:
    """The exact search of the big board and its lookahead."""
    big_search.solve(endgames(BIG, 12, 1)[0], compiled=True)
    choose(endgames(BIG3, 12, 1)[0], Level.TWO, random.Random(1))


def big_engine() -> None:
    """The tree of the big board and its judge."""
    estimate(endgames(BIG3, 12, 1)[0], nodes=10, compiled=True)
    list(judging(endgames(BIG3, 12, 1)[0], compiled=True))


def layers() -> None:
    """The layers of the census: values, games, single lines."""
    take_census(classic_rules(DECK))
    count_all_games(classic_rules(DECK))
    find_facts(STANDARD, ((13, 0, 0, 1),))


def rotated() -> None:
    """The layers of `shift-rotate`."""
    list(rotate.sweep(most=4))


def strategy() -> None:
    """What rules of strategy count."""
    find_strategy(1, 1, 1)


def main() -> None:
    """Run a little of everything, side by side."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        jobs = (layers, shifting, big_engine, classic, big, shifting_values, rotated, strategy)
        for job in [pool.submit(each) for each in jobs]:
            job.result()


if __name__ == "__main__":
    main()
