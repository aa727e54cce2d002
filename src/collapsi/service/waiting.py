"""Wait for an answer while the client waits for it too, and refuse when too many do."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from collapsi.api.question import INTERNAL_ERROR
from collapsi.core.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Receive = Callable[[], Awaitable[Any]]
    """How an ASGI application receives the messages of its client."""

Result = TypeVar("Result")

RETRY_SECONDS = 2
"""What a refusal names as the time to wait before the next try."""
CENSUS_LIMIT = 16


class OverloadedError(CollapsiError):
    """The service cannot answer this request now; the client may retry."""


class QueueFullError(OverloadedError):
    """Too many requests wait already."""

    def __init__(self, what: str) -> None:
        super().__init__(f"too many requests for {what} are waiting: try again in {RETRY_SECONDS} seconds")


class InternalError(CollapsiError):
    """A worker process raised an error that no code expects; the pool has logged it."""

    def __init__(self) -> None:
        super().__init__(INTERNAL_ERROR)


class ClientGoneError(CollapsiError):
    """The client has closed its connection."""


async def unless_gone(receive: Receive, result: asyncio.Future[Result]) -> Result:
    """Wait for a result; if the client closes its connection first, cancel it."""
    gone = asyncio.create_task(_disconnect(receive))
    either: set[asyncio.Future[Any]] = {result, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not result.done():
            raise ClientGoneError
        return result.result()
    finally:
        gone.cancel()
        result.cancel()  # no effect if it is done


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class CensusThread:
    """A thread that reads the census, with a bounded queue. Polars does its work outside the interpreter."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="census")
        self._jobs = 0

    async def run(self, receive: Receive, work: Callable[[], Result]) -> Result:
        """Do some work on the thread, unless the queue is full or the client goes."""
        if self._jobs > CENSUS_LIMIT:
            what = "the census"
            raise QueueFullError(what)
        self._jobs += 1
        result = asyncio.get_running_loop().run_in_executor(self._thread, work)
        result.add_done_callback(self._count)
        return await unless_gone(receive, result)

    def _count(self, _: object) -> None:
        self._jobs -= 1

    def close(self) -> None:
        """Start no further work."""
        self._thread.shutdown(wait=False, cancel_futures=True)
