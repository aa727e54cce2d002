"""The program of a worker process: requests in, answers out, a line of JSON each.

A process and not a thread, because a thread that computes holds the interpreter's lock and delays the event
loop. It runs at low priority, answers one request after another, and ends when its input ends. A thread reads
the input, so that a stream can be stopped while it is being worked on. What a solver learns of a deal stays
in its table for the next request.

For each request the process writes `began` once the solver is loaded, then `part` for each answer of a stream
but the last, and at the end `body`, `refused` or `failed`: the traceback of an error that no code expects.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import traceback
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from collapsi.api import big
from collapsi.api.question import StreamWork, Work, as_text
from collapsi.api.questions import QUESTIONS
from collapsi.core.errors import CollapsiError
from collapsi.games.big import search as big_search
from collapsi.games.registry import kind_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@lru_cache(maxsize=16)
def load(solver: str) -> None:
    """Load a compiled solver, once in this process."""
    kind_named(solver).solver.warm_up()


class Requests:
    """The requests of the server, in order, and which of them it has stopped."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._queue: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._stopped = 0
        """The number of the request that was stopped last; `sys.maxsize` stops all."""
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            message = json.loads(line)
            if "stop" in message:
                self._stopped = message["stop"]
            else:
                self._queue.put(message)
        self._stopped = sys.maxsize
        self._queue.put(None)

    def is_stopped(self, number: int) -> bool:
        """Whether the request that is worked on, with this number, is to stop. Numbers come in any order."""
        return self._stopped in (number, sys.maxsize)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield requests until the input ends."""
        return iter(self._queue.get, None)


def replies(request: dict[str, Any], is_stopped: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Answer a request; without a path it only loads a solver."""
    try:
        try:
            if request["load"] is not None:
                load(request["load"])
        finally:
            yield {"began": request["number"]}
        if request["path"] is None:
            yield {"body": ""}
            return
        question = QUESTIONS[request["path"]]
        work = question.read(request["texts"])
        if isinstance(work, StreamWork):
            for answer in work.make(is_stopped):
                yield {"body" if answer["kind"] == "end" else "part": as_text(answer)}
        else:
            assert isinstance(work, Work)  # the census is no work for a process
            yield {"body": question.text(work.make())}
    except CollapsiError as error:
        yield {"refused": str(error)}
    except MemoryError:
        raise  # the process ends: its successor has more memory
    except Exception:  # noqa: BLE001 - whatever it was, this process can answer other requests
        yield {"failed": traceback.format_exc()}


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    big_search.TABLE.limit(megabytes=big.MEGABYTES)
    requests = Requests(sys.stdin.buffer)
    for request in requests:
        number = request["number"]
        for reply in replies(request, partial(requests.is_stopped, number)):
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
