"""What parts, files and Dask cost beside the solving itself; run by `make bench-study`.

The same deals, dealt and solved by `analyse_many` on so many threads, and as a study: by threads and by local
workers, kept in a folder. CPU time of all processes, so it may be measured beside others, but Dask looks
around while it waits: some 1 % of a core for every second that passes, which is much where little comes of a
second. Start-up (Python, machine code, Dask) is measured by a study of one deal for each worker, and taken
off. Then one worker and two, by the clock, which says something on a quiet machine only: beside it stands how
many parts were at work at a time, by their CPU seconds.

    python benchmarks/study.py [deals] [rule set] [workers]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANALYSE = """
import sys
from collapsi import analyse_many, parse_rules
from collapsi.dealing import nth_deal
rules = parse_rules(sys.argv[1])
analyse_many([nth_deal(1, number, rules) for number in range(int(sys.argv[2]))], jobs=int(sys.argv[3]))
"""


FEW = 100
"""Deals for which the machine code is loaded, and little more is done."""


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
    plain = analysed(rules, deals, workers)[0] - analysed(rules, FEW, workers)[0]
    print(f"{rules}, {deals:,} deals, CPU seconds without start-up         beside analyse_many")
    print(f"analyse_many, {workers} threads          {plain:8.1f}", flush=True)
    ways = (("threads", ("--jobs", str(workers))), ("local workers", ("--workers", str(workers))))
    for name, options in ways:
        start = study(rules, workers, "--part", "1", *options)[0]
        cpu, passed, parts = study(rules, deals, *options)
        found = cpu - start
        print(
            f"study, {workers} {name:<22}{found:8.1f}{100 * (found / plain - 1):22.1f} %"
            f"   (the parts themselves {parts:.1f}; start-up {start:.1f}; {passed:.0f} seconds passed)",
            flush=True,
        )
    print("\nby the clock                       seconds   CPU seconds of the parts   parts at a time")
    speeds = []
    for count in (1, workers):
        start = study(rules, count, "--part", "1", "--workers", str(count))[1]
        _, passed, parts = study(rules, deals, "--workers", str(count))
        speeds.append(passed - start)
        print(
            f"{count} local worker{'s' if count > 1 else ' '}                  {speeds[-1]:8.1f}"
            f"{parts:20.1f}{parts / speeds[-1]:24.2f}",
            flush=True,
        )
    print(f"{workers} workers are {speeds[0] / speeds[1]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
