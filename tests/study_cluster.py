"""A Dask cluster on this machine, whose scheduler and workers are processes that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tests.service import HANG_SECONDS, children_of, wait_until
from tests.test_cli import COLLAPSI

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "ignore"}
"""What Dask and its libraries warn of is theirs."""


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler: subprocess.Popen[bytes] | None = None

    def start_scheduler(self) -> None:
        """Start it, and wait until it can be found."""
        self.file.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file)]
        self.scheduler = self._start("scheduler", *options)
        wait_until(self._is_written)

    def _is_written(self) -> bool:
        with suppress(OSError, ValueError):
            return bool(json.loads(self.file.read_bytes())["address"])
        return False

    def start_worker(self, *options: str) -> None:
        """Start one, without anybody that would start it again."""
        self.workers.append(
            self._start(
                "worker",
                "--scheduler-file",
                str(self.file),
                *("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"),
                *("--local-directory", str(self.folder / "scratch"), *options),
            )
        )

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # type: ignore[call-overload]
            [sys.executable, "-m", "dask", *arguments], env=ENVIRONMENT, **QUIET
        )  # streams by name

    def kill_worker(self, rng: random.Random) -> None:
        """Kill one, and start another."""
        kill(self.workers.pop(rng.randrange(len(self.workers))))
        self.start_worker()

    def kill_scheduler(self) -> None:
        """Kill it; its workers leave."""
        assert self.scheduler is not None
        kill(self.scheduler)

    def restart(self) -> None:
        """Start a scheduler again, and as many workers as there were."""
        count = len(self.workers)
        self.close()
        self.start_scheduler()
        for _ in range(count):
            self.start_worker()

    def close(self) -> None:
        """Kill all of it."""
        for process in (self.scheduler, *self.workers):
            if process is not None:
                kill(process)
        self.scheduler, self.workers = None, []


@contextmanager
def cluster(folder: Path, workers: int = 2, *options: str) -> Iterator[Cluster]:
    """A cluster that is running, until the end."""
    found = Cluster(folder)
    try:
        found.start_scheduler()
        for _ in range(workers):
            found.start_worker(*options)
        yield found
    finally:
        found.close()


def kill(process: subprocess.Popen[bytes]) -> None:
    """As `kill -9` does."""
    process.kill()
    process.wait(HANG_SECONDS)


def start_study(*arguments: str) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own."""
    return subprocess.Popen(
        [*COLLAPSI, "study", *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def parts_in(folder: Path) -> list[str]:
    """The parts that are kept."""
    return sorted(path.name for path in (folder / "parts").glob("part-*"))


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a study but the costs, which have times in them."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "costs.jsonl"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def workers_of(study: subprocess.Popen[bytes]) -> list[int]:
    """The local workers that a study has started, as process ids."""
    return children_of(study.pid, b"spawn_main")


def kill_all(study: subprocess.Popen[bytes]) -> None:
    """End a study and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(study.pid, signal.SIGKILL)
    study.communicate(timeout=HANG_SECONDS)
