"""Rooms under load: 100 rooms with a move every second, both pages of each waiting for the other's move.

Checks that no move is lost or doubled and that the memory of the server returns to where it was; prints the
latency from the moment a move is sent until the other page has it. `make bench-rooms` takes ten minutes,
`python -m benchmarks.rooms --seconds 60` one. The clients run in this process, on the same machine, so their
own work is part of the latency.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from collapsi import deal, parse_game
from tests.service import Server, running_server

API = "/api/v1"
RULES = ("standard", "joker", "shift", "big")
SETTLE_SECONDS = 3.0
MOST_GROWTH = 5_000_000
"""Of memory, in bytes, after the first tenth of the time: by then all rooms and connections are there.

The rooms stay for an hour, and take 15 to 50 kB each.
"""


class Client:
    """A connection that stays open, one request at a time: much cheaper than a client library."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, query: dict[str, Any]) -> tuple[int, Any]:
        """Send a request; the status and the data."""
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        body = json.dumps(query).encode() if method == "POST" else b""
        target = path if body else f"{path}?{urlencode(query)}"
        head = f"{method} {API}/{target} HTTP/1.1\r\nHost: {self.host}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}\r\n".encode() + body)
        status = int((await reader.readline()).split()[1])
        length = 0
        while (line := await reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(await reader.readexactly(length))

    def close(self) -> None:
        """Close the connection."""
        if self.streams is not None:
            self.streams[1].close()


class Page:
    """A page of one seat: it waits for changes, and notes when it has each version."""

    def __init__(self, address: str, room: str, token: str) -> None:
        self.room, self.token = room, token
        self.moves, self.waits = Client(address), Client(address)
        self.state: Any = None
        self.versions: list[int] = []
        self.changed = asyncio.Event()
        self.seen_at: dict[int, float] = {}

    def note(self, state: Any) -> None:
        """Take an answer."""
        self.seen_at.setdefault(state["version"], time.perf_counter())
        if self.state is None or state["version"] > self.state["version"]:
            self.versions.append(state["version"])
        if self.state is None or state["version"] >= self.state["version"]:
            self.state = state
            self.changed.set()

    async def follow(self) -> None:
        """Ask again and again."""
        while True:
            seen = "" if self.state is None else self.state["tag"]
            query = {"room": self.room, "token": self.token, "seen": seen}
            status, state = await self.waits.ask("GET", "rooms/state", query)
            assert status == 200, state
            self.note(state)

    async def until(self, version: int) -> None:
        """Wait until the page has a version."""
        while self.state is None or self.state["version"] < version:
            self.changed.clear()
            await self.changed.wait()

    async def send(self, path: str, **query: Any) -> None:
        """Change something."""
        body = {"room": self.room, "token": self.token, "version": self.state["version"], **query}
        status, state = await self.moves.ask("POST", path, body)
        assert status == 200, state
        self.note(state)


async def play_room(address: str, number: int, until: float, latencies: list[float]) -> int:
    """Play in one room, a move every second; the number of moves."""
    rng = random.Random(number)
    start = deal(rng, RULES[number % len(RULES)])
    maker = Client(address)
    status, made = await maker.ask("POST", "rooms/new", {"game": start.text})
    maker.close()
    assert status == 200, made
    pages = [Page(address, made["room"], token) for token in made["tokens"]]
    tasks = [asyncio.create_task(page.follow()) for page in pages]
    try:
        for page in pages:
            await page.until(0)
        game, version, count = parse_game(start.text), 0, 0
        next_move = time.perf_counter() + rng.random()  # the rooms do not move in step
        while next_move < until:
            await asyncio.sleep(max(0.0, next_move - time.perf_counter()))
            next_move += 1.0
            if game.position.result is not None:
                await pages[0].send("rooms/round")
            else:
                mover = pages[0].state["to_move"] - 1
                move = game.position.move_text(rng.choice(game.position.moves))
                sent = time.perf_counter()
                await pages[mover].send("rooms/move", move=move)
                game, count = game.play(move), count + 1
                other = pages[1 - mover]
                await other.until(version + 1)
                latencies.append(other.seen_at[version + 1] - sent)
            version += 1
            for page in pages:
                await page.until(version)
                assert page.state["version"] == version, "a move is doubled"
            if not pages[0].state["game"].startswith(game.positions[0].text):
                game = parse_game(pages[0].state["game"])
            assert pages[0].state["game"] == pages[1].state["game"] == game.text, "a move is lost"
        for page in pages:
            assert page.versions == list(range(version + 1)), "a page has missed a move"
        return count
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for page in pages:
            page.moves.close()
            page.waits.close()


async def load(server: Server, rooms: int, seconds: float) -> tuple[int, list[float], int]:
    """Play in all rooms at once; the number of moves, their latencies, and the memory after a tenth."""
    latencies: list[float] = []
    until = time.perf_counter() + seconds

    async def memory() -> int:
        await asyncio.sleep(seconds / 10)
        return server.memory()

    early = asyncio.create_task(memory())
    playing = (play_room(server.address, each, until, latencies) for each in range(rooms))
    counts = await asyncio.gather(*playing)
    return sum(counts), latencies, await early


def cpu_seconds(server: Server) -> float:
    """The CPU time of the server so far."""
    user, system = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / 100


def main() -> None:
    """Run the load, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=600.0)
    given = parser.parse_args()
    gc.freeze()
    with tempfile.TemporaryDirectory() as cache, running_server(Path(cache)) as server:
        asyncio.run(load(server, 10, 5.0))  # everything that is loaded once is loaded now
        time.sleep(SETTLE_SECONDS)
        before, worked = server.memory(), cpu_seconds(server)
        count, latencies, early = asyncio.run(load(server, given.rooms, given.seconds))
        time.sleep(SETTLE_SECONDS)
        after = server.memory()
        worked = cpu_seconds(server) - worked
        if "Traceback" in server.complaints():
            sys.exit(server.complaints())
    percentiles = statistics.quantiles(latencies, n=100)
    print(f"{given.rooms} rooms, {given.seconds:.0f} s: {count:,} moves, none lost, none doubled")
    print(
        f"a move is seen by the other page after {1000 * percentiles[49]:.1f} ms (median), "
        f"{1000 * percentiles[98]:.1f} ms (99th percentile), {1000 * max(latencies):.1f} ms (most)"
    )
    print(f"CPU time of the server: {worked:.1f} s, {1000 * worked / count:.2f} ms for each move")
    print(
        f"memory of the server: {before / 1e6:.1f} MB before, {early / 1e6:.1f} MB with all rooms, "
        f"{after / 1e6:.1f} MB after"
    )
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if after - early > MOST_GROWTH:
        sys.exit(f"the server has grown by more than {MOST_GROWTH / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
