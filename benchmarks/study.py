"""What parts, files and Dask cost beside the solving itself; run by `make bench-study`.

The same deals, dealt and solved by `analyse_many` on so many threads, and as a study: by threads and by local
workers, kept in a folder. CPU time of all processes, so it may be measured beside others, but Dask looks
around while it waits: some 1 % of a core for every second that passes, which is much where little comes of a
second. Start-up (Python, machine code, Dask) is measured by a study of one deal for each worker, and taken
off. The same work takes up to a third more CPU from one minute to the next on a shared machine, so the ways
are taken in turns and the least of each is compared: nothing makes a program faster than it is.
Then one worker and two, by the clock, which says something on a quiet machine only: beside it stands how many
parts were at work at a time, by their CPU seconds.

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
from collapsi.dealing import nth_deal
rules = parse_rules(sys.argv[1])
analyse_many([nth_deal(1, number, rules) for number in range(int(sys.argv[2]))], jobs=int(sys.argv[3]))
"""


FEW = 100
"""Deals for which `analyse_many` loads the machine code, and does little more."""
TURNS = 4


def spent(command: list[str]) -> tuple[float, float]:
    """CPU seconds of a command and all that it started, and the seconds that passed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, passed


def study(rules: str, deals: int, *options: str) -> tuple[float, float, float]:
    """CPU seconds of a study, the seconds that passed, and the CPU seconds of its parts as they say."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "study")
        command = [sys.executable, "-m", "collapsi", "study", rules, "--deals", str(deals), "--out", out]
        cpu, passed = spent([*command, *options])
        lines = (Path(out) / "costs.jsonl").read_text(encoding="utf-8").splitlines()
    return cpu, passed, sum(json.loads(line)["cpu_seconds"] for line in lines)


def analysed(rules: str, deals: int, jobs: int) -> tuple[float, float]:
    """The same for `analyse_many`, with no folder."""
    return spent([sys.executable, "-c", ANALYSE, rules, str(deals), str(jobs)])


def main() -> None:
    """Print a table."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rules = sys.argv[2] if len(sys.argv) > 2 else "standard"
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    analysed(rules, 1, 1)  # machine code is compiled
    few = ("--part", "1")  # one deal for each worker: all load the machine code, and little more is done
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
    print(f"{rules}, {deals:,} deals, least of {TURNS}   CPU seconds without start-up   beside analyse_many")
    first = next(iter(ways))
    for way in ways:
        found, plain = least[way] - starts[way], least[first] - starts[first]
        print(f"{way:<32}{found:20.1f}{100 * (found / plain - 1):+32.1f} %   (start-up {starts[way]:.1f})")
    print("\nby the clock                       seconds   CPU seconds of the parts   parts at a time")
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
