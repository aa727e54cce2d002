"""Measure the overhead of parts, files and Dask in a study: `make bench-study`.

The same deals are solved by `analyse_many` on threads, and as a study in a folder by threads and by local
workers. CPU time of all processes is compared, so the machine need not be idle; but Dask polls while it
waits, which costs about 1 % of a core and counts most when a study progresses slowly. Start-up (Python,
machine code, Dask) is measured with a study of one deal per worker, and subtracted. On a shared machine the
same work can take up to a third more CPU time from one minute to the next, so the variants run in turns and
the minimum of each is compared. The comparison of one worker and two uses wall time and is meaningful on an
idle machine only; the number of parts in progress, computed from their CPU seconds, is printed next to it.

    python benchmarks/study.py [deals] [rule set] [workers]
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ANALYSE = """
import sys
from collapsi import analyse_many, parse_rules
from collapsi.play.dealing import nth_deal
rules = parse_rules(sys.argv[1])
analyse_many([nth_deal(1, number, rules) for number in range(int(sys.argv[2]))], jobs=int(sys.argv[3]))
"""


FEW = 100
"""Deals that make `analyse_many` load the machine code and do little else."""
TURNS = 4


def spent(command: list[str]) -> tuple[float, float]:
    """Return CPU seconds of a command with its child processes, and its wall time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, passed


def study(rules: str, deals: int, *options: str) -> tuple[float, float, float]:
    """Return CPU seconds and wall time of a study, and the sum of the CPU seconds its parts report."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "study")
        command = [sys.executable, "-m", "collapsi", "study", rules, "--deals", str(deals), "--out", out]
        cpu, passed = spent([*command, *options])
        lines = (Path(out) / "costs.jsonl").read_text(encoding="utf-8").splitlines()
    return cpu, passed, sum(json.loads(line)["cpu_seconds"] for line in lines)


def analysed(rules: str, deals: int, jobs: int) -> tuple[float, float]:
    """Return CPU seconds and wall time of `analyse_many`."""
    return spent([sys.executable, "-c", ANALYSE, rules, str(deals), str(jobs)])


def main() -> None:
    """Print a table."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rules = sys.argv[2] if len(sys.argv) > 2 else "standard"
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    analysed(rules, 1, 1)  # compiles the machine code
    few = ("--part", "1")  # one deal per worker: all load the machine code and do little else
    threads, local = ("--jobs", str(workers)), ("--workers", str(workers))
    ways: dict[str, tuple[Callable[[], float], Callable[[], float]]] = {
        f"analyse_many, {workers} threads": (
            lambda: analysed(rules, FEW, workers)[0],
            lambda: analysed(rules, deals, workers)[0],
        ),
        f"study, {workers} threads": (
            lambda: study(rules, workers, *few, *threads)[0],
            lambda: study(rules, deals, *threads)[0],
        ),
        f"study, {workers} local workers": (
            lambda: study(rules, workers, *few, *local)[0],
            lambda: study(rules, deals, *local)[0],
        ),
    }
    starts, least = dict.fromkeys(ways, math.inf), dict.fromkeys(ways, math.inf)
    for _ in range(TURNS):
        for way, (start, run) in ways.items():
            starts[way] = min(starts[way], start())
            least[way] = min(least[way], run())
    print(f"{rules}, {deals:,} deals, least of {TURNS}   CPU seconds without start-up   against analyse_many")
    first = next(iter(ways))
    for way in ways:
        found, plain = least[way] - starts[way], least[first] - starts[first]
        print(f"{way:<32}{found:20.1f}{100 * (found / plain - 1):+32.1f} %   (start-up {starts[way]:.1f})")
    print("\nwall time                          seconds   CPU seconds of the parts   parts in progress")
    speeds = []
    for count in (1, workers):
        begun = study(rules, count, *few, "--workers", str(count))[1]
        _, passed, parts = study(rules, deals, "--workers", str(count))
        speeds.append(passed - begun)
        print(
            f"{count} local worker{'s' if count > 1 else ' '}                  {speeds[-1]:8.1f}"
            f"{parts:20.1f}{parts / speeds[-1]:24.2f}",
            flush=True,
        )
    print(f"{workers} workers are {speeds[0] / speeds[1]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
