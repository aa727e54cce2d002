"""Measure `analyse_many`, the start of the command line and the import: `make bench`.

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

import collapsi

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
