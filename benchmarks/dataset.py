"""Measure what a dataset costs, and extrapolate to ten million positions: `make bench-dataset`.

CPU time of the whole command, with Python and the loading of machine code, is measured once for the given
number of positions and once for the smallest dataset; the difference is the cost of the positions.

    python benchmarks/dataset.py [positions] [rules]
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MANY = 10_000_000
FEWEST = 10


def spent(positions: int, rules: str) -> tuple[float, int]:
    """Return CPU seconds and the bytes of the data files."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "dataset"
        command = [sys.executable, "-m", "collapsi", "dataset", "--out", str(out), "--rules", rules]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "--positions", str(positions)], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(path.stat().st_size for path in out.glob("data/*/*.parquet"))
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, size


def main() -> None:
    """Print the cost of the positions, and of ten million."""
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    rules = sys.argv[2] if len(sys.argv) > 2 else "standard"
    spent(FEWEST, rules)  # compiles, the first time
    start, _ = spent(FEWEST, rules)
    cpu, size = spent(positions, rules)
    each = (cpu - start) / positions
    print(f"{rules}: {positions:,} positions in {cpu:.1f} s of CPU, {start:.1f} s of them to start")
    print(f"  a position    {1e6 * each:.1f} µs of CPU, {size / positions:.1f} bytes")
    minutes, megabytes = (MANY * each + start) / 60, MANY * size / positions / 1e6
    print(f"  ten million   {minutes:.1f} minutes of CPU, {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
