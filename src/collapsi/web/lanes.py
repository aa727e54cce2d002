"""Who waits for what: a lane for each kind of longer work, short queues, refusals that cost others nothing.

A plain question is answered on the event loop in a fraction of a millisecond. What may take longer goes into
the lane of its kind. A lane that is full refuses, so nobody's question waits long, and questions of one kind
never wait for many of another. Whoever hangs up while waiting has nothing done for them. Where refusals come
thick and fast, they are held back for a moment: to ask in a loop gains nothing.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

Result = TypeVar("Result")

MOST_WAITING = 16
RETRY_SECONDS = 2
"""When to ask again."""
AT_ONCE = 20
"""Refusals a second that are sent at once; further ones are held back for as long as one should wait."""


class TooMuchError(CollapsiError):
    """Too much of this kind is under way already."""


class GoneError(CollapsiError):
    """Nobody waits for the answer any more."""


def full(what: str) -> TooMuchError:
    """What to say where too many wait already."""
    return TooMuchError(f"too many {what} are being worked on: ask again in {RETRY_SECONDS} seconds")


class ThreadLane:
    """One thread, and those who wait for it: for work done outside Python, such as reading the census."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=what)
        self._under_way = 0

    async def do(self, request: Request, work: Callable[[], Result]) -> Result:
        """Have it done by the thread, unless too many wait already or the asker goes."""
        if self._under_way > MOST_WAITING:
            raise full(self.what)
        self._under_way += 1
        done = asyncio.get_running_loop().run_in_executor(self._thread, work)
        done.add_done_callback(self._count)
        return await unless_gone(request, done)

    def _count(self, _: object) -> None:
        self._under_way -= 1

    def close(self) -> None:
        """Begin nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


async def unless_gone(request: Request, done: asyncio.Future[Result]) -> Result:
    """What the work comes to; if the asker hangs up first, it is cancelled."""
    gone = asyncio.create_task(has_gone(request))
    either: set[asyncio.Future[Any]] = {done, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            raise GoneError
        return done.result()
    finally:
        gone.cancel()
        done.cancel()  # no effect on what is done; what has not begun is never begun


async def has_gone(request: Request) -> None:
    """Returns when the asker hangs up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Refusals:
    """How many were refused of late."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=AT_ONCE)

    def many(self) -> bool:
        """Note one more; whether there were too many within a second to answer it at once."""
        now = time.monotonic()
        too_many = len(self._recent) == AT_ONCE and now - self._recent[0] < 1
        self._recent.append(now)
        return too_many


async def hold_back(request: Request) -> None:
    """Let a refused asker wait, if they have not gone; their place is the first to be given away."""
    connection = request.scope.get("extensions", {}).get("collapsi")
    if connection:  # the tests' client has none
        connection["held"]()
    gone = asyncio.create_task(has_gone(request))
    # Not all for the same time: those who came together would come together again and again.
    await asyncio.wait({gone}, timeout=RETRY_SECONDS * random.uniform(0.5, 1.5))
    gone.cancel()
