"""Two commits side by side in one run: `python benchmarks/compare.py OLD [NEW]`, run by `make bench-compare`.

Each commit is checked out into a folder of its own (without NEW, the second is the working tree), and both
are measured in turns, each time in a new process with that folder's sources first on the path. Machines are
shared and change their speed; what is run in turns is slowed down alike. CPU time is compared, of the fastest
run of each: nothing makes a program faster than it is.

Turns are taken until the fastest time was met a second time on both sides, within a third of the 3 % that are
to be told, or until there were `--most` of them. The last column says how well it was met: a ratio nearer to
1 than that means nothing. The node total of `collapsi bench` must be the same unless the search was changed
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
TOLD = 0.03
"""The difference that is to be told from chance."""

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
# All that the command takes: what it says itself leaves out what it does before.
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
        quiet = 0  # the solver is loaded beside the first answers: wait until nothing goes on any more
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
}
"""What is timed: scripts that print seconds of CPU time. The service is timed where there is `/proc`."""


class Tree(NamedTuple):
    """One side of the comparison."""

    name: str
    folder: Path

    def run(self, script: str) -> float:
        """The number that a script prints which uses this tree's sources."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "src"), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr.strip() or 'failed'}")
        return float(done.stdout)


def git(*arguments: str) -> str:
    """What Git says, or the end."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return done.stdout.strip()


@contextmanager
def checked_out(revision: str) -> Iterator[Tree]:
    """A commit in a folder of its own, which goes when it is no longer needed."""
    commit = git("rev-parse", "--short", "--verify", f"{revision}^{{commit}}")
    with tempfile.TemporaryDirectory(prefix="collapsi-compare-") as folder:
        place = Path(folder) / commit
        git("worktree", "add", "--quiet", "--detach", str(place), commit)
        try:
            yield Tree(commit, place)
        finally:
            git("worktree", "remove", "--force", str(place))


def spread(times: list[float]) -> float:
    """How much longer the second fastest run took than the fastest: how well the fastest was met."""
    fastest, second = sorted(times)[:2]
    return second / fastest - 1


def in_turns(trees: list[Tree], script: str, most: int) -> list[list[float]]:
    """The times of each tree, measured one after the other until they can be told apart."""
    times: list[list[float]] = [[] for _ in trees]
    for turn in range(most):
        order = list(zip(trees, times, strict=True))
        for tree, found in order if turn % 2 == 0 else order[::-1]:
            found.append(tree.run(script))
        if turn >= 2 and all(spread(found) < TOLD / 3 for found in times):
            break
    return times


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description="Measure two commits side by side.")
    parser.add_argument("old", help="a commit")
    parser.add_argument("new", nargs="?", help="another; the working tree if left out")
    parser.add_argument("--most", type=int, default=12, help="turns at the most (default: 12)")
    parser.add_argument("--only", choices=list(MEASURED), help="measure this only")
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
        print(f"{'':<28}{names}{'ratio':>8}{'turns':>7}{'met within':>12}", flush=True)
        nodes = [int(tree.run(NODES)) for tree in trees]  # this compiles, too
        same = "same" if nodes[0] == nodes[1] else "OTHER"
        print(f"{'node total of bench':<28}{nodes[0]:>16,}{nodes[1]:>16,}{same:>8}", flush=True)
        for name, script in MEASURED.items():
            if options.only in (None, name):
                for tree in trees:
                    tree.run(script)  # compiles what it needs
                old, new_times = in_turns(trees, script, options.most)
                seconds = "".join(f"{min(times):>13.3f} s " for times in (old, new_times))
                ratio, met = min(new_times) / min(old), max(spread(old), spread(new_times))
                print(f"{name:<27}{seconds} {ratio:>8.3f}{len(old):>7}{met:>11.1%}", flush=True)


if __name__ == "__main__":
    main()
