"""Measure `analyse_many`, batches of games, the start of the command line and the import: `make bench`.

CPU time, not wall time, because machines are shared. The published Rust solver needs about 9.3 ms of one core
for the exact length of a whole deal on a similar machine; that figure is quoted, not measured here.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

import collapsi
from collapsi import batch
from collapsi.ecosystem.gymnasium import vector_env

PUBLISHED_MS = 9.3
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


LOOP = """
import random, collapsi
rng = random.Random(1)
deals = [collapsi.deal(rng) for _ in range(300)]
{}
"""
EACH, TOGETHER = "for deal in deals: collapsi.analyse(deal)", "collapsi.analyse_many(deals, jobs=1)"


def many(rules: collapsi.Rules, count: int, rounds: int = 5) -> float:
    """Return the minimum CPU milliseconds per deal of `analyse_many`, from text to all move values."""
    rng = random.Random(1)
    deals = [collapsi.format_position(collapsi.deal(rng, rules)) for _ in range(count)]
    collapsi.analyse_many(deals[:100])
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for analysis in collapsi.analyse_many(deals):
            assert analysis.plies
        times.append(time.process_time() - start)
    return min(times) / count * 1e3


GAMES, STEPS = 4096, 300


def batches(*, planes: bool) -> float:
    """Return millions of moves per CPU second: masks, random choice and new deals included."""
    rng = np.random.default_rng(1)
    games = batch.Games(GAMES, rng)
    rates = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(STEPS):
            games.step(batch.choose(games.legal, rng))
            if planes:
                games.positions.planes()
            games.reset(games.over)
        rates.append(GAMES * STEPS / (time.process_time() - start))
    return max(rates) / 1e6


def environment() -> float:
    """Return the same of the Gymnasium environment, whose observations are planes and masks."""
    env = vector_env(GAMES)
    rng = np.random.default_rng(1)
    observation, _ = env.reset(seed=1)
    rates = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(STEPS):
            observation, *_ = env.step(batch.choose(observation["action_mask"].view(np.bool_), rng))
        rates.append(GAMES * STEPS / (time.process_time() - start))
    return max(rates) / 1e6


def command(*arguments: str, rounds: int = 9) -> float:
    """Return the median CPU milliseconds of a process, start-up included."""
    times = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times) * 1e3


def main() -> None:
    standard = many(collapsi.STANDARD, 5000)
    print(
        f"analyse_many, standard deals     {standard:7.3f} ms CPU per deal, "
        f"{PUBLISHED_MS / standard:.0f}× the published rate"
    )
    print(f"analyse_many, joker deals        {many(collapsi.JOKER, 500):7.3f} ms CPU per deal")
    for name, rate in (
        ("masks", batches(planes=False)),
        ("planes", batches(planes=True)),
        ("Gymnasium", environment()),
    ):
        print(f"batches, {name:<9}               {rate:7.2f} million moves per CPU second, one core")
    each, together = (command("-c", LOOP.format(solve)) for solve in (EACH, TOGETHER))
    print(f"300 calls of analyse             {each:7.0f} ms CPU, loading included")
    print(f"the same by analyse_many         {together:7.0f} ms CPU, loading included")
    print(f"python -c pass                   {command('-c', 'pass'):7.0f} ms CPU")
    print(f"import collapsi                  {command('-c', 'import collapsi'):7.0f} ms CPU")
    print(f"collapsi --help                  {command('-m', 'collapsi', '--help'):7.0f} ms CPU")
    print(f"collapsi solve, a standard deal  {command('-m', 'collapsi', 'solve', EXAMPLE):7.0f} ms CPU")
    print(
        f"collapsi solve, a joker deal     {command('-m', 'collapsi', 'solve', EXAMPLE + ' joker'):7.0f} ms "
        "CPU"
    )


if __name__ == "__main__":
    main()
