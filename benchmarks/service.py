"""How fast the service is: analyses over HTTP, the first board; with --soak memory after 100,000 requests.

Wall time as a client sees it, so a busy machine makes it worse: the CPU times beside it do not depend on who
else works there. The clients are a process of their own that sends prepared bytes over connections that stay
open and does nothing with an answer but find its end. Every request is a new random deal, so nothing can have
been remembered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

import collapsi

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
TICKS = os.sysconf("SC_CLK_TCK")


class Server(NamedTuple):
    """Where it is, and when it said so."""

    pid: int
    host: str
    port: int
    ready: float


@contextmanager
def running_server(cache: str) -> Iterator[Server]:
    """The real server on a free port."""
    command = [sys.executable, "-m", "collapsi", "serve", "--port", "0"]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            address = urlsplit(process.stdout.readline().split()[1])
            yield Server(process.pid, str(address.hostname), int(address.port or 0), time.perf_counter())
        finally:
            process.send_signal(signal.SIGINT)


def get(connection: HTTPConnection, path: str) -> bytes:
    """An answer that must be a good one."""
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    assert response.status == 200, body
    return body


def cpu_seconds(pid: int) -> float:
    """The CPU time a process has used, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> float:
    """Megabytes of memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


class Client(asyncio.Protocol):
    """One connection that asks, waits for the whole answer, and asks again."""

    def __init__(self, requests: list[bytes], latencies: list[float]) -> None:
        self.requests = requests
        self.latencies = latencies
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask the first."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._ask()

    def _ask(self) -> None:
        if not self.requests:
            self.transport.close()
            self.done.set_result(None)
            return
        self.start = time.perf_counter()
        self.transport.write(self.requests.pop())

    def data_received(self, data: bytes) -> None:
        """Look for the end of the answer."""
        self.heard += data
        head, found, body = self.heard.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head) if found else None
        if length is None or len(body) < int(length[1]):
            return
        self.latencies.append(time.perf_counter() - self.start)
        assert head.startswith(b"HTTP/1.1 200"), head
        self.heard = b""
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        """Before the last answer that is a failure."""
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server hung up"))


async def load(host: str, port: int, clients: int, count: int) -> dict[str, Any]:
    """So many analyses by so many clients at once: what they saw, and what it cost them."""
    rng = random.Random()
    requests = [
        f"GET {API}/analysis?position={quote(collapsi.format_position(collapsi.deal(rng)))} HTTP/1.1\r\n"
        f"Host: {host}\r\n\r\n".encode()
        for _ in range(count)
    ]
    latencies: list[float] = []
    loop = asyncio.get_running_loop()
    start, cpu = time.perf_counter(), time.process_time()
    made = [
        await loop.create_connection(lambda part=requests[one::clients]: Client(part, latencies), host, port)  # type: ignore[misc]
        for one in range(clients)
    ]
    await asyncio.gather(*(client.done for _, client in made))
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    return {"latencies": latencies, "wall": wall, "cpu": cpu}


def measure(server: Server, clients: int, count: int) -> dict[str, float]:
    """The load from a process of its own, and what it cost the server."""
    before = cpu_seconds(server.pid)
    command = [sys.executable, __file__, "--load", server.host, str(server.port), str(clients), str(count)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    used = cpu_seconds(server.pid) - before
    seen = json.loads(done.stdout)
    latencies = sorted(seen["latencies"])
    return {
        "median": statistics.median(latencies) * 1e3,
        "p99": latencies[int(len(latencies) * 0.99)] * 1e3,
        "rate": count / seen["wall"],
        "cpu": used / count * 1e3,
        "share": seen["cpu"] / seen["wall"],
    }


class Files(HTMLParser):
    """The files that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        name = dict(attrs).get("src" if tag in ("script", "img") else "href")
        if tag in ("script", "img", "link") and name:
            self.names.append(name)


def first_board(server: Server) -> tuple[float, int]:
    """Milliseconds from "ready" until page, files and first board are there; and how many files."""
    connection = HTTPConnection(server.host, server.port)
    page = Files()
    page.feed(get(connection, "/").decode())
    todo, fetched = [urljoin("/", name) for name in page.names], {"/"}
    while todo:
        path = todo.pop()
        if path in fetched or not path.startswith("/"):
            continue
        fetched.add(path)
        text = get(connection, path)
        if path.endswith(".js"):  # modules name further ones
            imports = re.findall(rb"""(?:from|import)\s*\(?["'](\.{0,2}/[^"']+)["']""", text)
            todo += [urljoin(path, name.decode()) for name in imports]
    get(connection, f"{API}/game?game={quote(EXAMPLE)}")
    passed = (time.perf_counter() - server.ready) * 1e3
    connection.close()
    return passed, len(fetched)


def row(what: str, value: float, unit: str, asked: str = "") -> None:
    """One line of the table."""
    print(f"{what:<44}{value:9.2f} {unit:<18}{asked}")


def main(*, soak: bool, count: int) -> None:
    """Measure and print."""
    print(f"{'':<44}{'measured':>9} {'':<18}asked for")
    with tempfile.TemporaryDirectory() as cache:
        with running_server(cache) as server:  # fills Numba's cache, if it was empty
            measure(server, 1, 2000)
        boards = []
        for _ in range(5):
            with running_server(cache) as server:
                boards.append(first_board(server))
        row(
            f"first board, {boards[0][1]} files",
            statistics.median(board for board, _ in boards),
            "ms",
            "< 1000",
        )
        with running_server(cache) as server:
            measure(server, 4, 3000)
            one, many = measure(server, 1, count), measure(server, 16, 4 * count)
            row("one client, median", one["median"], "ms", "< 10")
            row("one client, 99 of 100 within", one["p99"], "ms")
            row("one client, server's CPU", one["cpu"], "ms a request")
            row("16 clients, median", many["median"], "ms", "< 10")
            row("16 clients, 99 of 100 within", many["p99"], "ms", "< 50")
            row("16 clients", many["rate"], "analyses a second", ">= 500")
            row("16 clients, server's CPU", many["cpu"], "ms a request")
            row("16 clients, the clients' own CPU", many["share"] * 100, "% of a core")
            if soak:
                before = memory(server.pid)
                measure(server, 16, 100_000)
                row("memory before 100,000 more requests", before, "MB")
                row("memory after them", memory(server.pid), "MB", "no more")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--soak", action="store_true", help="memory before and after 100,000 requests")
    parser.add_argument("--count", type=int, default=3000, help="requests of one client")
    parser.add_argument(
        "--load", nargs=4, metavar=("HOST", "PORT", "CLIENTS", "COUNT"), help=argparse.SUPPRESS
    )
    given = parser.parse_args()
    if given.load:
        host, *numbers = given.load
        print(json.dumps(asyncio.run(load(host, *map(int, numbers)))))
    else:
        main(soak=given.soak, count=given.count)
