"""Compare the speed of two commits: `python benchmarks/compare.py OLD [NEW]`, or `make bench-compare`.

Each commit is checked out into its own folder (without NEW, the second is the working tree). The two are
measured in turns, each time in a new process that imports from that folder. Shared machines change their
speed, and alternating runs slow both sides down equally. The minimum CPU time of each side is compared,
because interference only ever adds time.

Runs continue until the second fastest time of both sides is within a third of the difference to detect (3 %)
of the fastest, or until there are `--most` turns. The last column shows that spread: a ratio closer to 1 than
the spread is not significant. The node total of `collapsi bench` must be equal unless the search was changed
on purpose.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
DETECTED = 0.03
"""The relative difference that a run should detect."""

ANALYSE = """
import random, time, collapsi
rng = random.Random(2025)
deals = [collapsi.deal(rng) for _ in range(4000)]
list(collapsi.analyse_many(deals[:300], jobs=1))  # loads or compiles the kernel
start = time.process_time()
list(collapsi.analyse_many(deals, jobs=1))
print(time.process_time() - start)
"""
CENSUS = """
import resource, subprocess, sys
# The CPU time of the whole process; the time that the command prints excludes start-up.
subprocess.run([sys.executable, "-m", "collapsi", "census", "--json", "--jobs", "1"],
               check=True, capture_output=True)
taken = resource.getrusage(resource.RUSAGE_CHILDREN)
print(taken.ru_utime + taken.ru_stime)
"""
SERVICE = """
import json, os, random, signal, subprocess, sys, tempfile, time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit
import collapsi

def cpu(pid):  # seconds so far, threads included
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

rng = random.Random(2025)
deals = [collapsi.format_position(collapsi.deal(rng)) for _ in range(4000)]
paths = ["/api/v1/analysis?position=" + quote(deal) for deal in deals]
with tempfile.TemporaryDirectory() as cache:
    command = [sys.executable, "-m", "collapsi", "serve", "--port", "0"]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as server:
        address = urlsplit(server.stdout.readline().split()[1])
        connection = HTTPConnection(address.hostname, address.port)
        def get(path):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        quiet = 0  # wait until the service has loaded the solver in the background
        while quiet < 3:
            before = cpu(server.pid)
            time.sleep(0.3)
            quiet = quiet + 1 if cpu(server.pid) - before < 0.02 else 0
        assert all(get(path) == 200 for path in paths[:300])
        start = cpu(server.pid)
        assert all(get(path) == 200 for path in paths)
        print(cpu(server.pid) - start)
        server.send_signal(signal.SIGINT)
"""
SOLVE = """
import os, resource, subprocess, sys
command = [sys.executable, "-m", "collapsi"]
# Both sides solve the deals of the working tree; an older commit may deal others, or none of this kind.
here = {{**os.environ, "PYTHONPATH": {source!r}}}
deals = subprocess.run([*command, "deal", "--rules", "{rules}", "--count", "{count}", "--seed", "2025"],
                       env=here, check=True, capture_output=True).stdout
before = resource.getrusage(resource.RUSAGE_CHILDREN)
solve = [*command, "solve", "--json", "--jobs", "1", "-"]
subprocess.run(solve, input=deals, check=True, capture_output=True)
after = resource.getrusage(resource.RUSAGE_CHILDREN)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""
NODES = """
import subprocess, sys
done = subprocess.run([sys.executable, "-m", "collapsi", "bench", "--count", "200"],
                      check=True, capture_output=True, text=True)
print(next(line.split()[-1] for line in done.stdout.splitlines() if line.startswith("nodes")))
"""
MEASURED = {
    "analyse_many, 4,000 deals": ANALYSE,
    "census": CENSUS,
    "service, 4,000 analyses": SERVICE,
    "shift, 20 deals": SOLVE.format(rules="shift", count=20, source=str(ROOT / "src")),
    "shift-box, 100 deals": SOLVE.format(rules="shift-box", count=100, source=str(ROOT / "src")),
    "big, 1 deal": SOLVE.format(rules="big", count=1, source=str(ROOT / "src")),
}
"""Scripts that print their CPU seconds, by name. That of the service needs `/proc`."""


class Tree(NamedTuple):
    """One side of the comparison."""

    name: str
    folder: Path

    def run(self, script: str) -> float:
        """Run a script with the sources of this tree and return the number it prints."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "src"), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr.strip() or 'failed'}")
        return float(done.stdout)


def git(*arguments: str) -> str:
    """Run Git and return its output; exit if it fails."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return done.stdout.strip()


@contextmanager
def checked_out(revision: str) -> Iterator[Tree]:
    """Check out a commit into a temporary folder."""
    commit = git("rev-parse", "--short", "--verify", f"{revision}^{{commit}}")
    with tempfile.TemporaryDirectory(prefix="collapsi-compare-") as folder:
        place = Path(folder) / commit
        git("worktree", "add", "--quiet", "--detach", str(place), commit)
        try:
            yield Tree(commit, place)
        finally:
            git("worktree", "remove", "--force", str(place))


def spread(times: list[float]) -> float:
    """Return the relative difference between the second fastest and the fastest run."""
    fastest, second = sorted(times)[:2]
    return second / fastest - 1


def in_turns(trees: list[Tree], script: str, most: int) -> list[list[float]]:
    """Measure the trees in turns until their minima are stable, and return all times of each."""
    times: list[list[float]] = [[] for _ in trees]
    for turn in range(most):
        order = list(zip(trees, times, strict=True))
        for tree, found in order if turn % 2 == 0 else order[::-1]:
            found.append(tree.run(script))
        if turn >= 2 and all(spread(found) < DETECTED / 3 for found in times):
            break
    return times


def main() -> None:
    """Compare two commits and print a table."""
    parser = argparse.ArgumentParser(description="Measure two commits side by side.")
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", help="another commit (default: the working tree)")
    parser.add_argument("--most", type=int, default=12, help="maximum number of turns (default: 12)")
    parser.add_argument("--only", choices=list(MEASURED), help="measure only this")
    options = parser.parse_args()
    if options.most < 2:
        parser.error("--most: at least 2 turns are needed")
    with ExitStack() as stack:
        new = Tree("working tree", ROOT) if options.new is None else None
        trees = [
            stack.enter_context(checked_out(options.old)),
            new or stack.enter_context(checked_out(options.new)),
        ]
        names = "".join(f"{tree.name:>16}" for tree in trees)
        print(f"{'':<28}{names}{'ratio':>8}{'turns':>7}{'spread':>12}", flush=True)
        nodes = [int(tree.run(NODES)) for tree in trees]  # also compiles the kernels
        same = "same" if nodes[0] == nodes[1] else "DIFFERENT"
        print(f"{'node total of bench':<28}{nodes[0]:>16,}{nodes[1]:>16,}{same:>10}", flush=True)
        for name, script in MEASURED.items():
            if options.only in (None, name):
                for tree in trees:
                    tree.run(script)  # compiles the kernels
                old, new_times = in_turns(trees, script, options.most)
                seconds = "".join(f"{min(times):>13.3f} s " for times in (old, new_times))
                ratio, difference = min(new_times) / min(old), max(spread(old), spread(new_times))
                print(f"{name:<27}{seconds} {ratio:>8.3f}{len(old):>7}{difference:>11.1%}", flush=True)


if __name__ == "__main__":
    main()
