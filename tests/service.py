"""The real server as a process of its own, for tests that ask it over a socket."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine, Iterator
    from email.message import Message
    from typing import IO

NEEDS_COMPILED = "JrJ../JJb../..../.... r joker"
"""Quick to solve, but estimated as so hard that it is refused until the compiled solver is loaded."""

HANG_SECONDS = 900
"""Whatever takes longer hangs, also on a machine that is busy with other work: no test waits any further."""


class Answer(NamedTuple):
    """What came back for a request."""

    status: int
    headers: Message
    body: bytes


class Server:
    """A server that is up, until `stop`."""

    def __init__(self, process: subprocess.Popen[str], address: str, errors: IO[bytes]) -> None:
        self.process = process
        self.address = address
        """With the slash at its end."""
        self.pid = process.pid
        self.host = str(urlsplit(address).hostname)
        self.port = int(urlsplit(address).port or 0)
        self._errors = errors

    @contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        """A connection that stays open from request to request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=HANG_SECONDS)
        try:
            yield connection
        finally:
            connection.close()

    def get(self, path: str, **query: object) -> Answer:
        """Ask once, on a connection of its own."""
        with self.connection() as connection:
            return ask(connection, path, **query)

    def get_json(self, path: str, **query: object) -> Any:
        """The data of an answer that must be a good one."""
        answer = self.get(path, **query)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    def post(self, path: str, **body: object) -> Answer:
        """Send a JSON object, on a connection of its own."""
        with self.connection() as connection:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

    def post_json(self, path: str, **body: object) -> Any:
        """The data of an answer to a POST that must be a good one."""
        answer = self.post(path, **body)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    @contextmanager
    def socket(self, timeout: float = HANG_SECONDS) -> Iterator[socket.socket]:
        """A bare connection, for what no proper client would send."""
        import socket

        with socket.create_connection((self.host, self.port), timeout=timeout) as connection:
            yield connection

    def complaints(self) -> str:
        """All it has written on standard error so far."""
        return os.pread(self._errors.fileno(), 1 << 24, 0).decode(errors="replace")

    def memory(self) -> int:
        """Bytes of memory it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) * 1024

    def children(self) -> list[int]:
        """The processes it has started that still run."""
        return children_of(self.pid)

    def census_jobs(self) -> list[int]:
        """Those of them that take a census."""
        return children_of(self.pid, b"collapsi.service.census_job")

    def workers(self) -> list[int]:
        """Those of them that answer requests."""
        return children_of(self.pid, b"collapsi.service.worker")

    def stop(self, number: int = signal.SIGINT) -> int:
        """Stop it as Ctrl-C does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(HANG_SECONDS)


def ask(connection: http.client.HTTPConnection, path: str, **query: object) -> Answer:
    """Ask on a connection that may be used again. Parameters that are None are left out."""
    given = {name: value for name, value in query.items() if value is not None}
    connection.request("GET", f"{path}?{urlencode(given)}" if given else path)
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


@contextmanager
def running_server(cache: Path, *arguments: str, loaded: bool = True) -> Iterator[Server]:
    """A server on a free port that keeps its census in `cache`, stopped at the end whatever happens.

    Unless `loaded` is false, its solver is loaded: no test depends on an earlier one having waited for that.
    """
    command = [sys.executable, "-m", "collapsi", "serve", "--port", "0", *arguments]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    with (
        tempfile.TemporaryFile() as errors,  # not a pipe: that would fill up and stop the server
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env=environment, text=True
        ) as process,
    ):
        assert process.stdout is not None  # asked for above
        too_late = threading.Timer(HANG_SECONDS, process.kill)
        too_late.start()
        try:
            said = process.stdout.readline()
            too_late.cancel()
            if not said.startswith("ready: http"):
                process.kill()
                process.wait()
                complaint = os.pread(errors.fileno(), 1 << 24, 0).decode(errors="replace")
                message = f"the server did not start: {said}{complaint}"
                raise RuntimeError(message)
            server = Server(process, said.split()[1], errors)
            if loaded:
                wait_for_solver(server)
            yield server
        finally:
            too_late.cancel()
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
            if process.poll() is None:  # it hangs: tests of stopping find that out, others go on
                process.kill()


def wait_for_solver(server: Server) -> None:
    """Wait until the compiled solver is loaded."""
    wait_until(lambda: server.get("/api/v1/analysis", position=NEEDS_COMPILED).status != 503)


def wait_until(is_so: Callable[[], Any]) -> None:
    """Wait for a state; that it never comes is an error."""
    patience = time.monotonic() + HANG_SECONDS
    while not is_so():
        assert time.monotonic() < patience, "it never comes"
        time.sleep(0.02)


def children_of(pid: int, command: bytes = b"") -> list[int]:
    """The running children of a process whose command line contains a text.

    A thread or process may end after it was listed.
    """
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, task.read_text().split()):
                with suppress(FileNotFoundError, ProcessLookupError):
                    if command in Path(f"/proc/{child}/cmdline").read_bytes():
                        found.append(child)
    return found


def is_running(pid: int) -> bool:
    """Whether a process exists and has not ended (an ended one may wait to be collected)."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own: that of the tests may have a loop already, which drives the browser."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def apart(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of a coroutine, run as `run_apart` does."""

    @wraps(test)
    def run(*arguments: Any, **fixtures: Any) -> None:
        run_apart(test(*arguments, **fixtures))

    return run
