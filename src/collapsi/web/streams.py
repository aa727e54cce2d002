"""Answers that get better while one waits: a worker whose process says so much, so soon, and can be stopped.

The process works on one question at a time and tells what it knows again and again; what nobody has read in
time is dropped for what is newer. When the asker goes, or has had a turn and somebody else waits, the process
is asked to stop. It does so within a tenth of a second and keeps what it has learned; if not, it is ended.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from collapsi.web.lanes import full, unless_gone
from collapsi.web.worker import Newest, Task, Worker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

MOST_STREAMS = 6
"""How many of a kind wait for their turn; there is no place for more."""

TURN_SECONDS = 10.0
"""How long an answer gets better while somebody else waits."""


class StreamWorker(Worker):
    """The server's end. Questions with one answer are asked as of any worker."""

    def __init__(self, *kinds: str, **options: Any) -> None:
        super().__init__(*kinds, **options)
        self._numbers = count(1)

    async def stream(self, request: Request, kind: str, question: str, **options: Any) -> AsyncIterator[str]:
        """Answers as they come, each better than the last, until there is nothing better or the asker goes.

        A refusal comes in place of the first; what is said at the very end is the last.
        """
        queue = self._waiting[kind]
        if len(queue) >= MOST_STREAMS:
            raise full(kind)
        number = next(self._numbers)
        asked = {"question": question, "options": options, "number": number}
        line = json.dumps(asked).encode() + b"\n"
        task = Task(line, asyncio.get_running_loop().create_future(), Newest(), number)
        queue.append(task)
        self._somebody_waits.set()
        try:
            while (text := await unless_gone(request, asyncio.ensure_future(_next(task)))) is not None:
                yield text
            yield task.answer.result()
        finally:
            task.answer.cancel()  # no effect on what is answered; otherwise it is stopped
            with suppress(ValueError):  # it had its turn
                queue.remove(task)

    async def _work_on(self, task: Task) -> bytes:
        loop = asyncio.get_running_loop()
        began, told = loop.time(), False
        said = await self._exchange(task.line)
        while task.parts is not None and "part" in (heard := json.loads(said)):
            task.parts.put(heard["part"])
            if not told and any(self._waiting.values()) and loop.time() - began > TURN_SECONDS:
                self._ask_to_stop(task)
                told = True
            said = await self._hear()
        return said

    def _ask_to_stop(self, task: Task) -> None:
        if task.number and self._process is not None and self._process.returncode is None:
            self._tell(json.dumps({"stop": task.number}).encode() + b"\n")


async def _next(task: Task) -> str | None:
    """The next answer; None when nothing better comes."""
    assert task.parts is not None
    newer = asyncio.ensure_future(task.parts.take())
    try:
        await asyncio.wait({newer, task.answer}, return_when=asyncio.FIRST_COMPLETED)
        if newer.done():
            return newer.result()
        if task.parts.waits:
            return await task.parts.take()
        task.answer.result()  # or what went wrong
        return None
    finally:
        newer.cancel()
