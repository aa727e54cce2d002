"""The worker: a process that answers the hard questions, one at a time, while the server answers the others.

A process and not a thread, because threads of Python take turns: one that thinks keeps the event loop waiting
again and again. It runs at low priority. The server writes a question a line to its standard input and reads
an answer a line; it ends when the input does. `Worker` is the server's end: a queue for each kind of
question, and each kind in turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from collapsi.errors import CollapsiError
from collapsi.notation import format_game, parse_game
from collapsi.solve import answers
from collapsi.web.lanes import MOST_WAITING, TooMuchError, full, unless_gone
from collapsi.web.questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from collapsi.game import Game

LONGEST_ANSWER = 1 << 20
LONGEST_SECONDS = 120
"""No question takes longer, on the busiest machine: what does hangs, and is stopped."""
LOAD = "load"
"""Not a question: have the compiled solver at hand."""


class Task(NamedTuple):
    """A question that waits, and who for."""

    line: bytes
    answer: asyncio.Future[str]


class Worker:
    """The server's end. Started when first asked, and again if it was killed."""

    def __init__(self, *kinds: str) -> None:
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
        self._put(next(iter(self._waiting.values())), LOAD, None, {})

    def _put(self, queue: deque[Task], question: str, game: Game | None, options: dict[str, Any]) -> Task:
        asked = {"question": question, "game": game and format_game(game), "options": options}
        task = Task(json.dumps(asked).encode() + b"\n", asyncio.get_running_loop().create_future())
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
            async with asyncio.timeout(LONGEST_SECONDS):
                said = json.loads(await self._exchange(task.line))
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

    async def _exchange(self, line: bytes) -> bytes:
        """One question and its answer."""
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "collapsi.web.worker"),
                stdin=pipe,
                stdout=pipe,
                limit=LONGEST_ANSWER,
                start_new_session=True,  # Ctrl-C in the terminal is for the server
            )
        assert self._process.stdin is not None  # asked for above
        assert self._process.stdout is not None
        self._process.stdin.write(line)
        await self._process.stdin.drain()
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


def answer(line: bytes) -> dict[str, str]:
    """What to say to one question."""
    asked = json.loads(line)
    if asked["question"] == LOAD:
        answers.load()
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
