"""Engines that solve the parts of a study: threads of this process, or the workers of a Dask cluster.

An engine takes the next part when a thread is free and yields results as they arrive, in any order. While it
waits it yields `None` about once a second, so that the caller can show its progress.
"""

from __future__ import annotations

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
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, TypeVar, cast

from collapsi.core.errors import CollapsiError
from collapsi.core.players import Player
from collapsi.core.rows import shorten
from collapsi.study.plan import FORMAT
from collapsi.study.solving import Cost, Ending, FailedPart, SolvedPart, reason, try_part
from collapsi.system.extras import needs
from collapsi.system.files import read_json_file
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.study.plan import Part, Plan

ATTEMPTS = 3
"""Attempts for a part that fails with an error."""

STARTS = 3
"""Attempts to start the local workers, all of them again if one dies while they start."""

MOST_PLIES = 256
"""Every game is shorter: its length is stored in a byte."""

TICK_SECONDS = 1.0
"""Longest time between two values that an engine yields."""

TIMEOUT_SECONDS = 30
"""Timeout for an answer of the scheduler."""

RESULT_SECONDS = 600
"""Timeout for fetching a part that is solved."""

REFRESH_SECONDS = 5
"""Time after which the number of workers is requested again."""

PARTS_PER_THREAD = 2
"""Parts submitted for each thread of the cluster, so that none is ever idle."""

LOCAL_CONFIG = {
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.work-stealing-interval": "1s",
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
}
"""Dask settings for local workers: monitoring, profiling and the dashboard cost time and are not used."""

Done = SolvedPart | FailedPart
Task = TypeVar("Task")
Solved = TypeVar("Solved")


class Engine(Protocol):
    """Solves parts of a study."""

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Yield finished parts; the next of `parts` is taken when a thread is free."""


class ClusterError(CollapsiError):
    """A cluster that does not answer, or whose workers run another version."""


class Threads:
    """Threads of this process, by default one for each core."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Solve one part at a time on each thread."""
        return in_threads(lambda part: self._solve(plan, part), parts, self.jobs)

    def _solve(self, plan: Plan, part: Part) -> Done:
        for _ in range(ATTEMPTS - 1):
            if isinstance(found := try_part(plan, part), SolvedPart):
                return found
        return try_part(plan, part)


def in_threads(solve: Callable[[Task], Solved], parts: Iterator[Task], jobs: int) -> Iterator[Solved | None]:
    """Yield the results of `solve`, which must not raise; the next part is taken when a thread is free.

    The threads are daemons: the program can end while they run. A deal may take minutes, and an unfinished
    part is not stored.
    """
    todo: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[Solved] = queue.SimpleQueue()

    def solve_parts() -> None:
        while (part := todo.get()) is not None:
            done.put(solve(part))

    threads = 0
    waiting = 0
    try:
        for part in islice(parts, jobs):
            threading.Thread(target=solve_parts, daemon=True).start()
            threads += 1
            waiting += 1
            todo.put(part)
        while waiting:
            try:
                found = done.get(timeout=TICK_SECONDS)
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


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any, name: str) -> None:
        self.client = client
        self.name = name
        self._threads = 0
        self._refreshed = 0.0

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Done | None]:
        """Keep `PARTS_PER_THREAD` parts submitted; Dask reassigns the parts of a worker that dies."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        waiting: dict[Any, tuple[Part, int]] = {}

        def submit(part: Part, attempt: int) -> None:
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
                for part in islice(parts, max(PARTS_PER_THREAD * self._thread_count() + 1 - len(waiting), 0)):
                    submit(part, 1)
                if not waiting:
                    return
                try:
                    future = done.get(timeout=TICK_SECONDS)
                except queue.Empty:
                    self._thread_count()
                    yield None
                    continue
                part, attempt = waiting.pop(future)
                found = self._outcome(future, part)
                future.release()
                if isinstance(found, FailedPart) and not found.fatal and attempt < ATTEMPTS:
                    submit(part, attempt + 1)
                else:
                    yield found
        finally:
            with suppress(Exception):
                self.client.cancel(list(waiting))

    def _outcome(self, future: Any, part: Part) -> Done:
        """Return the result of a part, or why it failed."""
        if future.status not in ("finished", "error"):
            self._lost()
        try:
            found = future.result(timeout=RESULT_SECONDS)
        except (Exception, CancelledError) as error:  # noqa: BLE001 - any error of one part leaves the others running
            if future.status not in ("finished", "error") or self.client.status != "running":
                self._lost()
            if type(error).__name__ == "KilledWorker":
                return FailedPart(part, "every worker that tried it died", fatal=True)
            return FailedPart(part, reason(error))
        if not _answers(found, part):
            msg = (
                f"a worker of {self.name} answered {part} with {type(found).__name__}, "
                "not with its solved deals: use only workers that run this version of collapsi"
            )
            raise ClusterError(msg)
        return found

    def _thread_count(self) -> int:
        """Return the current number of worker threads, at least one: workers come and go."""
        if self.client.status != "running":
            self._lost()
        if not self._threads or time.monotonic() - self._refreshed > REFRESH_SECONDS:
            try:
                self._threads = sum(self.client.nthreads().values())
            except (OSError, TimeoutError, ValueError):
                self._lost()
            except (AttributeError, TypeError):
                msg = f"the scheduler at {self.name} does not report how many threads its workers have"
                raise ClusterError(msg) from None
            self._refreshed = time.monotonic()
        return max(self._threads, 1)

    def _lost(self) -> None:
        msg = f"the scheduler at {self.name} does not answer any more"
        raise ClusterError(msg)


def _answers(found: object, part: Part) -> TypeGuard[Done]:
    """Return whether the answer of a worker belongs to a part and has the right types throughout."""
    if not isinstance(found, FailedPart | SolvedPart) or found.part != part:
        return False
    _, *fields = cast("tuple[Any, Any, Any]", found)  # a worker may have sent anything
    if isinstance(found, FailedPart):
        return [type(value) for value in fields] == [str, bool]
    rows, cost = fields
    return (
        isinstance(rows, list)
        and len(rows) == part.deals
        and all(map(_is_row, rows))
        and isinstance(cost, Cost)
        and all(map(_is_number, cost))
    )


def _is_row(row: object) -> bool:
    if not (isinstance(row, tuple) and [type(value) for value in row] == [str, Ending]):
        return False
    winner, plies, first_out = row[1]
    return (
        isinstance(winner, Player)
        and isinstance(first_out, Player | None)
        and (plies is None or (type(plies) is int and 0 <= plies < MOST_PLIES))
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


@contextmanager
def open_cluster(address: str) -> Iterator[Cluster]:
    """Connect to a running scheduler, by its address or by its scheduler file."""
    if address.endswith(".json"):
        address = _address_in(Path(address))
    _check_reachable(address)
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, ImportError) as error:
        raise _no_scheduler(address, reason(error)) from None
    with _closing(client):
        try:
            _check_workers(client)
        except (OSError, TimeoutError, CancelledError) as error:
            raise _no_scheduler(address, reason(error)) from None
        yield Cluster(client, address)


def _check_reachable(address: str) -> None:
    """Refuse an address where nothing listens; Dask would retry for half a minute and log much."""
    found = re.fullmatch(r"(?:(?:tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5})/?", address)
    if found is None:
        msg = (
            f"{shorten(address)} is no address of a scheduler: write tcp://host:8786, or the path of its file"
        )
        raise ClusterError(msg)
    try:
        socket.create_connection((found[1].strip("[]"), int(found[2])), TIMEOUT_SECONDS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_scheduler(address, getattr(error, "strerror", None) or str(error)) from None


def _no_scheduler(address: str, why: str) -> ClusterError:
    msg = f"no scheduler answers at {address} ({why}): start one with `dask scheduler`, and workers for it"
    return ClusterError(msg)


def _address_in(path: Path) -> str:
    """Return the address in a file that `dask scheduler --scheduler-file` wrote."""
    try:
        return str(read_json_file(path)["address"])
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
    except (ValueError, TypeError, KeyError):
        msg = f"{path} has no address of a scheduler: `dask scheduler --scheduler-file` writes such a file"
    raise ClusterError(msg)


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """Start local workers, each a process with one thread; Dask restarts one that dies.

    If one dies while they start, all of them are started again, up to `STARTS` times in all.
    """
    distributed = _distributed()
    import dask

    def start() -> Any:
        with dask.config.set(LOCAL_CONFIG), _without_ctrl_c():
            return distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its HTTP server, which has no routes
                memory_limit=0,  # the big board's solver may need more than the limit that Dask would set
                silence_logs=logging.CRITICAL,
                security=True,  # a client that connects can run code: TLS with our own certificates
            )

    for attempt in range(1, STARTS + 1):
        try:
            cluster = start()
            break
        except RuntimeError as error:  # a worker died before it was ready; Dask has ended the others
            if attempt == STARTS:
                msg = f"cannot start {workers} workers, tried {STARTS} times: {reason(error)}"
                raise ClusterError(msg) from None
        except (OSError, TimeoutError, ImportError) as error:
            msg = f"cannot start {workers} workers: {reason(error)}"
            raise ClusterError(msg) from None
    with _closing(cluster), _closing(distributed.Client(cluster, set_as_default=False)) as client:
        yield Cluster(client, "this machine")


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Start threads and processes with SIGINT blocked: only this thread handles Ctrl-C, and ends them.

    What starts inside inherits the blocked signal for good; here it is delivered afterwards.
    """
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # or the first process starts it, with the signal unblocked
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:  # Windows
        yield


def _distributed() -> Any:
    """Import Dask with its loggers disabled."""
    with needs("cluster"):
        import distributed
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).disabled = True
    return distributed


@contextmanager
def _closing(open_: Any) -> Iterator[Any]:
    """Close a client or cluster in the end, and ignore errors if the other side is gone."""
    try:
        yield open_
    finally:
        with suppress(Exception):
            open_.close(timeout=TIMEOUT_SECONDS)


def _check_workers(client: Any) -> None:
    """Refuse workers of another version before they get a part."""
    for worker, found in client.run(_format_here, on_error="return").items():
        if isinstance(found, OSError | TimeoutError):  # the worker is gone already
            continue
        if type(found) is not int or found != FORMAT:
            why = reason(found) if isinstance(found, BaseException) else f"its format is {found}"
            msg = f"the worker at {worker} does not run this version of collapsi ({why})"
            raise ClusterError(msg)


def _format_here() -> int:
    return FORMAT
