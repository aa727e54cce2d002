"""The pool of worker processes: two for short requests and two for long ones, started when first needed.

Each cost class has a queue of its own, so a short request never waits for a long one. Requests for different
paths or games take turns in it, and a path whose queue is full refuses further requests. At most one stream
runs at a time, so a long request with a single answer does not wait for streams; a stream that has had its
turn ends when another long request waits.

If the client of a running request goes, the request is stopped: a stream stops by itself within a tenth of a
second, any other process is killed after `GONE_SECONDS`. Whatever happens to a process (killed, suspended,
hanging, at any moment), its request is refused with "try again", and the next request gets a new process. An
error that no code expects is logged and answered with status 500; the process goes on.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from collapsi.api.question import Cost, StreamWork
from collapsi.core.errors import CollapsiError
from collapsi.games.registry import kind_named
from collapsi.service.child_process import ChildProcess, DiedError
from collapsi.service.waiting import InternalError, OverloadedError, QueueFullError, unless_gone

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping

    from collapsi.api.question import Work
    from collapsi.service.waiting import Receive

PROCESSES = {Cost.SHORT: 2, Cost.LONG: 2}
QUEUE_LIMITS = {Cost.SHORT: 16, Cost.LONG: 6}
"""How many requests for a path may wait."""
LONGEST_SECONDS = 180
"""A request that takes longer hangs."""
GONE_SECONDS = 2.0
"""How long a request may go on without its client: about the time that a new process takes to start."""
TURN_SECONDS = 10.0
"""How long a stream goes on while another long request waits."""
HOLD_SECONDS = 1.0
"""How long a refusal is held back, on average, so that retrying in a loop gains nothing."""

log = logging.getLogger(__name__)


class Job:
    """A request to a worker process, and its answer. Of a stream only the latest unread part is kept."""

    def __init__(self, number: int, path: str | None, texts: Mapping[str, str], solver: str | None) -> None:
        self.number = number
        self.key = (path, solver)
        self.is_stream = False
        self.line = _line(number=number, path=path, texts=dict(texts), load=solver)
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._part: str | None = None
        self._changed = asyncio.Event()

    def put_part(self, text: str) -> None:
        """Replace the latest part."""
        self._part = text
        self._changed.set()

    async def parts(self) -> AsyncGenerator[str]:
        """Yield each part that is not replaced before it is read, then the answer."""
        self.answer.add_done_callback(lambda _: self._changed.set())
        while not (self.answer.done() and self._part is None):
            await self._changed.wait()
            self._changed.clear()
            if self._part is not None:
                part, self._part = self._part, None
                yield part
        yield self.answer.result()


class FairQueue:
    """Jobs that wait; those with different keys take turns."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: dict[Any, deque[Job]] = {}  # the next key first

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def is_full(self, key: Any) -> bool:
        """Whether too many jobs with this key wait."""
        return len(self._waiting.get(key, ())) >= self._limit

    def add(self, job: Job) -> None:
        """Let a job wait."""
        self._waiting.setdefault(job.key, deque()).append(job)

    def remove(self, job: Job) -> None:
        """Remove a job if it still waits."""
        with suppress(KeyError, ValueError):
            self._waiting[job.key].remove(job)

    def pop(self, *, streams: bool) -> Job | None:
        """Take the next job, if there is one; streams only if they are allowed."""
        for key, jobs in self._waiting.items():
            if jobs and (streams or not jobs[0].is_stream):
                job = jobs.popleft()
                del self._waiting[key]
                if jobs:
                    self._waiting[key] = jobs
                return job
        return None


@dataclass
class Slot:
    """A place for a process, and what it works on."""

    cost: Cost
    child: ChildProcess | None = None
    job: Job | None = None


class Pool:
    """The worker processes. `module` is their program."""

    def __init__(self, module: str = "collapsi.service.worker") -> None:
        self._module = module
        self._slots = [Slot(cost) for cost, number in PROCESSES.items() for _ in range(number)]
        self._queues = {cost: FairQueue(limit) for cost, limit in QUEUE_LIMITS.items()}
        self._numbers = count(1)
        self._running: set[asyncio.Task[None]] = set()
        self._ending: list[ChildProcess] = []

    async def answer(self, path: str, texts: Mapping[str, str], work: Work[Any], receive: Receive) -> str:
        """Have a request answered in its turn."""
        job = await self._add(path, texts, work)
        try:
            return await unless_gone(receive, job.answer)
        finally:
            self._queues[work.cost].remove(job)

    async def stream(self, path: str, texts: Mapping[str, str], work: StreamWork[Any]) -> AsyncGenerator[str]:
        """Yield the answers of a stream as they come; closing the generator stops it."""
        job = await self._add(path, texts, work)
        try:
            async for part in job.parts():
                yield part
        finally:
            job.answer.cancel()
            self._queues[work.cost].remove(job)

    def load(self, solver: str, cost: Cost = Cost.SHORT) -> None:
        """Have a process load a solver before a request needs it."""
        self._queues[cost].add(Job(next(self._numbers), None, {}, solver))
        self._dispatch()

    async def _add(self, path: str, texts: Mapping[str, str], work: Work[Any] | StreamWork[Any]) -> Job:
        # The interpreted solver of the classic game answers until the service has the compiled one.
        solver = work.solver if work.solver != "classic" or kind_named("classic").solver.is_warm() else None
        queue = self._queues[work.cost]
        job = Job(next(self._numbers), path, texts, solver)
        job.is_stream = isinstance(work, StreamWork)
        if queue.is_full(job.key):
            await asyncio.sleep(HOLD_SECONDS * random.uniform(0.5, 1.5))
            raise QueueFullError(path)
        queue.add(job)
        self._dispatch()
        return job

    def _dispatch(self) -> None:
        """Give waiting jobs to idle processes."""
        for slot in self._slots:
            if slot.job is None:
                streams = not any(other.job and other.job.is_stream for other in self._slots)
                slot.job = self._queues[slot.cost].pop(streams=streams)
                if slot.job is not None:
                    task = asyncio.create_task(self._run(slot, slot.job))
                    self._running.add(task)
                    task.add_done_callback(self._running.discard)

    async def _run(self, slot: Slot, job: Job) -> None:
        """Have the process of a slot answer a job."""
        outcome: str | CollapsiError
        try:
            async with asyncio.timeout(LONGEST_SECONDS) as limit:
                child = await self._child(slot)
                await child.request(job.line)  # `began`: a process is not killed while it loads a solver
                with self._stopped_when_gone(child, job, limit):
                    outcome = await self._outcome(child, job)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next request gets a new process
            self._kill(slot)
            outcome = OverloadedError("the process that worked on this request was stopped: try again")
            if isinstance(error, TimeoutError) and not job.answer.done():
                log.warning(
                    "collapsi: a %s request took more than %d seconds", slot.cost.value, LONGEST_SECONDS
                )
            elif not isinstance(error, DiedError | TimeoutError):  # a death is logged by the child's watch
                log.warning("collapsi: the process for %s failed: %r", _name(slot), error)
        if not job.answer.done():
            if isinstance(outcome, str):
                job.answer.set_result(outcome)
            else:
                job.answer.set_exception(outcome)
                job.answer.exception()  # counts as retrieved: the client may be gone
        slot.job = None
        self._dispatch()

    async def _outcome(self, child: ChildProcess, job: Job) -> str | CollapsiError:
        """Read the replies of a process to the end of a job."""
        loop = asyncio.get_running_loop()
        turn_ends = loop.time() + TURN_SECONDS
        while "part" in (reply := json.loads(await child.receive())):
            job.put_part(reply["part"])
            if loop.time() > turn_ends and len(self._queues[Cost.LONG]):
                child.post(_line(stop=job.number))
        if "failed" in reply:
            log.error("collapsi: an error in a request for %s\n%s", job.key[0] or "loading", reply["failed"])
            return InternalError()
        return reply["body"] if "body" in reply else CollapsiError(reply["refused"])

    @contextmanager
    def _stopped_when_gone(self, child: ChildProcess, job: Job, limit: asyncio.Timeout) -> Iterator[None]:
        """Stop a running job once its answer is cancelled."""

        def stop(_: object) -> None:
            child.post(_line(stop=job.number))
            end = asyncio.get_running_loop().time() + GONE_SECONDS
            with suppress(RuntimeError):  # it has been answered at this moment
                limit.reschedule(min(end, limit.when() or end))

        job.answer.add_done_callback(stop)
        try:
            yield
        finally:
            job.answer.remove_done_callback(stop)

    async def _child(self, slot: Slot) -> ChildProcess:
        """The process of a slot, started if there is none."""
        if slot.child is None or not slot.child.is_running:
            slot.child = await ChildProcess.start(self._module, _name(slot))
        return slot.child

    def _kill(self, slot: Slot) -> None:
        """End the process of a slot; the next job starts a new one."""
        if slot.child is not None:
            slot.child.kill()
            self._ending = [child for child in self._ending if not child.ended.done()] + [slot.child]
            slot.child = None

    async def close(self) -> None:
        """Stop all processes."""
        for task in [*self._running]:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for slot in self._slots:
            self._kill(slot)
        for child in self._ending:
            await child.ended


def _name(slot: Slot) -> str:
    """How the log names the process of a slot."""
    return f"{slot.cost.value} requests"


def _line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"
