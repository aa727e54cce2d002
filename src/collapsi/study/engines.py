"""Who solves the parts of a study: the threads of this machine, or the workers of a Dask cluster.

An engine takes parts as fast as it can work at them and gives them back as they are done, in any order. What
takes long gives `None` now and then, so that whoever waits can say how far it is.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import signal
import socket
import threading
import time
from asyncio import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from collapsi.errors import CollapsiError
from collapsi.extras import needs
from collapsi.machine import cores
from collapsi.rows import shorten
from collapsi.study.plan import FORMAT
from collapsi.study.solving import Failed, Solved, reason, try_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.study.plan import Part, Plan

ATTEMPTS = 3
"""How often a part is tried that fails with an error."""

TICK = 1.0
"""Seconds between two signs of life."""

PATIENCE = 30
"""Seconds in which a scheduler must answer."""

FETCHING = 600
"""Seconds in which a part that is done must arrive."""

LOOKING = 5
"""Seconds until it is looked again how many workers there are."""

AHEAD = 2
"""Parts handed out for each thread of the cluster, so that none waits for the next."""


CALM = {
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.work-stealing-interval": "1s",
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
}
"""Settings of Dask for local workers: nobody looks at how they are, so it is hardly measured, nor shown."""


Done = Solved | Failed


class Engine(Protocol):
    """Whoever solves parts."""

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Parts, done; `parts` is asked for the next when there is somebody to work at it."""


class ClusterError(CollapsiError):
    """A cluster that does not answer, or whose workers cannot work for us."""


class Threads:
    """So many threads of this process; every core's if not said."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Each thread takes a part at a time.

        The threads are left alone when the program ends: what they are at is not kept, and a deal may take
        minutes.
        """
        todo: queue.SimpleQueue[Part | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[Done] = queue.SimpleQueue()

        def toil() -> None:
            while (part := todo.get()) is not None:
                done.put(self._tried(plan, part))

        threads = 0
        waiting = 0
        try:
            for part in islice(parts, self.jobs):
                threading.Thread(target=toil, daemon=True).start()
                threads += 1
                waiting += 1
                todo.put(part)
            while waiting:
                try:
                    found = done.get(timeout=TICK)
                except queue.Empty:
                    yield None
                    continue
                waiting -= 1
                yield found
                for part in islice(parts, 1):
                    waiting += 1
                    todo.put(part)
        finally:
            for _ in range(threads):
                todo.put(None)

    def _tried(self, plan: Plan, part: Part) -> Done:
        for _ in range(ATTEMPTS - 1):
            if isinstance(found := try_part(plan, part), Solved):
                return found
        return try_part(plan, part)


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, name: str) -> None:
        self.client = client
        self.name = name
        self._threads = 0
        self._asked = 0.0

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Every worker has a part or two ahead; those of a worker that dies go to another."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        waiting: dict[Any, tuple[Part, int]] = {}

        def hand_out(part: Part, attempt: int) -> None:
            try:
                future = self.client.submit(try_part, plan, part, FORMAT, pure=False)
            except Exception:
                if self.client.status != "running":
                    self._lost()
                raise
            waiting[future] = part, attempt
            future.add_done_callback(done.put)

        try:
            while True:
                for part in islice(parts, max(AHEAD * self._room() + 1 - len(waiting), 0)):
                    hand_out(part, 1)
                if not waiting:
                    return
                try:
                    future = done.get(timeout=TICK)
                except queue.Empty:
                    self._room()
                    yield None
                    continue
                part, attempt = waiting.pop(future)
                found = self._outcome(future, part)
                future.release()
                if isinstance(found, Failed) and not found.fatal and attempt < ATTEMPTS:
                    hand_out(part, attempt + 1)
                else:
                    yield found
        finally:
            with suppress(Exception):
                self.client.cancel(list(waiting))

    def _outcome(self, future: Any, part: Part) -> Done:
        """What became of a part."""
        if future.status not in ("finished", "error"):
            self._lost()
        try:
            found: Done = future.result(timeout=FETCHING)
        except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever it is, the other parts go on
            if future.status not in ("finished", "error") or self.client.status != "running":
                self._lost()
            if type(error).__name__ == "KilledWorker":
                return Failed(part, "every worker that was at it died", fatal=True)
            return Failed(part, reason(error))
        return found

    def _room(self) -> int:
        """How many threads the workers have just now, at least one: they come and go."""
        if self.client.status != "running":
            self._lost()
        if not self._threads or time.monotonic() - self._asked > LOOKING:
            try:
                self._threads = sum(self.client.nthreads().values())
            except (OSError, TimeoutError, ValueError):
                self._lost()
            self._asked = time.monotonic()
        return max(self._threads, 1)

    def _lost(self) -> None:
        msg = f"the scheduler at {self.name} does not answer any more"
        raise ClusterError(msg)


@contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    """The workers of a scheduler that is running somewhere, by its address or by the file it wrote."""
    if address.endswith(".json"):
        address = _address_in(Path(address))
    _knock(address)
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, ImportError) as error:
        raise _nobody_at(address, reason(error)) from None
    with _closing(client):
        try:
            _check_workers(client)
        except (OSError, TimeoutError, CancelledError) as error:
            raise _nobody_at(address, reason(error)) from None
        yield Cluster(client, address)


def _knock(address: str) -> None:
    """Whether there is anybody at an address: Dask would ask for half a minute, and say much about it."""
    found = re.fullmatch(r"(?:(?:tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5})/?", address)
    if found is None:
        msg = f"{shorten(address)} is no address of a scheduler: write tcp://host:8786, or name its file"
        raise ClusterError(msg)
    try:
        socket.create_connection((found[1].strip("[]"), int(found[2])), PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _nobody_at(address, getattr(error, "strerror", None) or str(error)) from None


def _nobody_at(address: str, why: str) -> ClusterError:
    msg = f"no scheduler answers at {address} ({why}): start one with `dask scheduler`, and workers for it"
    return ClusterError(msg)


def _address_in(path: Path) -> str:
    """The address in what `dask scheduler --scheduler-file` wrote."""
    try:
        return str(json.loads(path.read_bytes())["address"])
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
    except (ValueError, TypeError, KeyError):
        msg = (
            f"{path} does not say where a scheduler is: `dask scheduler --scheduler-file` writes such a file"
        )
    raise ClusterError(msg)


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """So many workers of our own, each a process with one thread; one that dies is started again."""
    distributed = _distributed()
    import dask

    try:
        with dask.config.set(CALM), _without_ctrl_c():
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its server of pages, without any
                memory_limit=0,  # a table of the big board's solver may be larger than Dask would like
                silence_logs=logging.CRITICAL,
                security=True,  # who may connect may run programs: nobody but we
            )
    except (OSError, TimeoutError, RuntimeError, ImportError) as error:
        msg = f"cannot start {workers} workers: {reason(error)}"
        raise ClusterError(msg) from None
    with _closing(cluster), _closing(distributed.Client(cluster, set_as_default=False)) as client:
        yield Cluster(client, "this machine")


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Start threads, and processes by them, that never hear Ctrl-C: this thread does, and ends them.

    What is started has the signal blocked for good; here it only comes a little later.
    """
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # or the first process starts it, which lets the signal through
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:  # Windows
        yield


def _distributed() -> Any:
    """Dask, which says nothing by itself."""
    with needs("cluster"):
        import distributed
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).disabled = True
    return distributed


@contextmanager
def _closing(open_: Any) -> Iterator[Any]:
    """Close it in the end, and say nothing if the other side is gone."""
    try:
        yield open_
    finally:
        with suppress(Exception):
            open_.close(timeout=PATIENCE)


def _check_workers(client: Any) -> None:
    """Refuse workers that cannot work for us, before they are given anything."""
    for worker, found in client.run(_format_here, on_error="return").items():
        if found != FORMAT and not isinstance(found, OSError | TimeoutError):  # those are gone already
            why = reason(found) if isinstance(found, BaseException) else f"its format is {found}"
            msg = f"the worker at {worker} cannot solve for this version of collapsi ({why})"
            raise ClusterError(msg)


def _format_here() -> int:
    return FORMAT
