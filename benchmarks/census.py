"""Measure the census, the count of games and the comparison of opening rules: `make bench-census`.

Each command runs in its own process, so that CPU time and peak memory include start-up and nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

COMMANDS = {
    "census, 2 jobs": ["census", "--jobs", "2"],
    "census, 1 job": ["census", "--jobs", "1"],
    "census --rules joker": ["census", "--rules", "joker"],
    "census --games": ["census", "--games"],
    "census --openings": ["census", "--openings"],
    "census, shift-rotate": ["census", "--rules", "shift-rotate"],
}


def main() -> None:
    subprocess.run(
        [sys.executable, "-m", "collapsi", "census"], check=True, capture_output=True
    )  # fills the cache of machine code
    for name, arguments in COMMANDS.items():
        start = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "collapsi", *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        assert status == 0
        cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e9
        print(f"{name:<24}{cpu:7.1f} s CPU {wall:7.1f} s wall {peak:6.2f} GB", flush=True)


if __name__ == "__main__":
    main()
