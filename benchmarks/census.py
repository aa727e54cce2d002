"""What the census, the count of games and the comparison of opening rules cost; run by `make bench-census`.

Each is a process of its own, so that CPU time and peak memory are its alone, start-up included.
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
    "fairness": ["fairness"],
    "census, shift-rotate": ["census", "--rules", "shift-rotate"],
}


def main() -> None:
    subprocess.run(
        [sys.executable, "-m", "collapsi", "census"], check=True, capture_output=True
    )  # warms the cache
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
