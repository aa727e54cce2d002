"""The worker: a process that answers the hard questions, one at a time, while the server answers the others.

A process and not a thread, because threads of Python take turns: one that thinks keeps the event loop waiting
again and again. It runs at low priority. The server writes a question a line to its standard input and reads
an answer a line; it ends when the input does. `Worker` is the server's end: a queue for each kind of
question, and each kind in turn.

A question that may think for long is stopped when its asker has gone: the process is ended, and the next
question gets a new one, which has its solver at hand before it is asked. Answers that come one after the
other, each better than the last: `streams`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from collapsi.errors import CollapsiError
from collapsi.notation import format_game, parse_game
from collapsi.solve import answers
from collapsi.web.lanes import MOST_WAITING, TooMuchError, full, unless_gone
from collapsi.web.questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request

    from collapsi.game import Game

LONGEST_ANSWER = 1 << 20
LONGEST_SECONDS = 120
"""No question takes longer, on the busiest machine: what does hangs, and is stopped."""
LOAD, LOAD_SHIFTING = "load", "load shifting"
LOADERS = {LOAD: answers.load, LOAD_SHIFTING: answers.load_shifting}
"""Not questions: have a compiled solver at hand."""


class Newest:
    """The newest of answers that come one after the other; what nobody took in time is dropped."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._there = asyncio.Event()

    def put(self, text: str) -> None:
        """There is a newer one."""
        self._text = text
        self._there.set()

    async def take(self) -> str:
        """The newest, when there is one that was not taken."""
        while self._text is None:
            self._there.clear()
            await self._there.wait()
        text, self._text = self._text, None
        return text

    @property
    def waits(self) -> bool:
        """Whether there is one that was not taken."""
        return self._text is not None


class Task(NamedTuple):
    """A question that waits, and who for."""

    line: bytes
    answer: asyncio.Future[str]
    parts: Newest | None = None
    """What is told before the answer."""
    number: int = 0
    """By which it can be stopped."""


class Worker:
    """The server's end. Started when first asked, and again if it was killed.

    With `loads` every new process begins by loading that solver. With `patience` a question whose asker has
    gone is stopped after so many seconds: about as many as a new process takes to be ready, so that who
    hangs up again and again gains nothing.
    """

    module = "collapsi.web.worker"
    """What the process runs."""
    longest_seconds: float | None = None
    """No question takes longer; if None, `LONGEST_SECONDS`."""

    def __init__(self, *kinds: str, loads: str | None = None, patience: float | None = None) -> None:
        self._loads = loads
        self._patience = patience
        self._waiting: dict[str, deque[Task]] = {kind: deque() for kind in kinds}
        self._somebody_waits = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._serving = asyncio.create_task(self._serve())

    async def ask(
        self, request: Request, kind: str, question: Callable[..., str], game: Game | None, **options: Any
    ) -> str:
        """Have a question answered in its turn, unless too many of its kind wait or the asker goes."""
        queue = self._waiting[kind]
        if len(queue) >= MOST_WAITING:
            raise full(kind)
        task = self._put(queue, question.__name__, game, options)
        try:
            return await unless_gone(request, task.answer)
        finally:
            with suppress(ValueError):  # it had its turn
                queue.remove(task)

    def load_solver(self) -> None:
        """Have the compiled solver at hand there too."""
        self._put(next(iter(self._waiting.values())), self._loads or LOAD, None, {})

    def _put(self, queue: deque[Task], question: str, game: Game | None, options: dict[str, Any]) -> Task:
        task = Task(_written(question, game, options), asyncio.get_running_loop().create_future())
        queue.append(task)
        self._somebody_waits.set()
        return task

    async def _serve(self) -> None:
        """Give the worker a question of each kind in turn."""
        while True:
            await self._somebody_waits.wait()
            for queue in self._waiting.values():
                if queue:
                    await self._answer(queue.popleft())
            if not any(self._waiting.values()):
                self._somebody_waits.clear()

    async def _answer(self, task: Task) -> None:
        try:
            async with asyncio.timeout(self.longest_seconds or LONGEST_SECONDS) as limit:
                await self._make_ready()
                with self._stopped_when_gone(task, limit):
                    said = json.loads(await self._work_on(task))
        except (
            OSError,
            ValueError,
        ):  # too slow, killed in the middle, or could not be started: next time anew
            self._kill()
            self._process = None
            said = {"busy": "the process that answers hard questions was stopped: ask again"}
        if task.answer.done():  # nobody waits any more
            return
        if "body" in said:
            task.answer.set_result(said["body"])
        else:
            task.answer.set_exception(
                TooMuchError(said["busy"]) if "busy" in said else CollapsiError(said["refused"])
            )

    async def _work_on(self, task: Task) -> bytes:
        """Have a question answered by the process that is ready."""
        return await self._exchange(task.line)

    def _ask_to_stop(self, task: Task) -> None:
        """Nobody waits for it any more: the process may be able to stop by itself."""

    @contextmanager
    def _stopped_when_gone(self, task: Task, limit: asyncio.Timeout) -> Iterator[None]:
        """While a question is being answered: once nobody waits for it, it goes on for a moment only."""

        def hurry(_: object) -> None:
            self._ask_to_stop(task)
            if self._patience is not None:
                end = asyncio.get_running_loop().time() + self._patience
                with suppress(RuntimeError):  # it has been answered at this moment
                    limit.reschedule(min(end, limit.when() or end))

        task.answer.add_done_callback(hurry)
        try:
            yield
        finally:
            task.answer.remove_done_callback(hurry)

    async def _make_ready(self) -> None:
        """A process that runs, with the solver at hand that it is for."""
        if self._process is None or self._process.returncode is not None:
            await self._start()
            if self._loads:
                await self._exchange(_written(self._loads, None, {}))

    async def _start(self) -> None:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", self.module),
            stdin=pipe,
            stdout=pipe,
            limit=LONGEST_ANSWER,
            start_new_session=True,  # Ctrl-C in the terminal is for the server
        )

    async def _exchange(self, line: bytes) -> bytes:
        """One question and its answer."""
        self._tell(line)
        assert self._process is not None  # made ready before
        assert self._process.stdin is not None
        await self._process.stdin.drain()
        return await self._hear()

    def _tell(self, line: bytes) -> None:
        """Say something to the process."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(line)

    async def _hear(self) -> bytes:
        """The next line that it says."""
        assert self._process is not None
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    async def close(self) -> None:
        """Stop it, whatever it does."""
        self._serving.cancel()
        with suppress(asyncio.CancelledError):
            await self._serving
        if self._process is not None:
            self._kill()
            await self._process.wait()

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()


def _written(question: str, game: Game | None, options: dict[str, Any]) -> bytes:
    """A question as a line."""
    asked = {"question": question, "game": game and format_game(game), "options": options}
    return json.dumps(asked).encode() + b"\n"


def answer(line: bytes) -> dict[str, str]:
    """What to say to one question."""
    asked = json.loads(line)
    if asked["question"] in LOADERS:
        LOADERS[asked["question"]]()
        return {"body": ""}
    try:
        game = parse_game(asked["game"]) if asked["game"] else None
        return {"body": QUESTIONS[asked["question"]](game, **asked["options"])}
    except CollapsiError as error:
        return {"refused": str(error)}


def main() -> None:
    """Answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
