"""Measure plain analyses alone, beside 500 clients with hard requests, and two seconds after those have gone.

Plain clients, hostile clients and the server are a process each and share the cores of the machine, so part
of the slowdown is the hostile clients' own work. Every hostile client sends its next request as soon as it is
answered, refused or disconnected. Half of them ask for boards that take a thousand times as long to solve as
a deal, the others for made-up boards in the middle of a game; every fourth disconnects within half a second,
answered or not. With `--shift` all of them ask for deals of the shifting board, which take tenths of a second
or seconds each.

The service may become slower, but every answer must be right, and afterwards it must be as fast as before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from http.client import HTTPConnection
from urllib.parse import quote

from service import API, EXAMPLE, Server, get, measure, running_server

from collapsi import analyse, deal, parse_game, review

HARD = "JrJJJ/JJJJ/JJJJ/JJJJb r joker"
CLIENTS = 500
PLAIN = 4
MOST_RATIO_AFTER = 1.5
SETTLE_SECONDS = 2.0


def made_up(rng: random.Random) -> str:
    """Numbers, pawns and collapsed cards anywhere."""
    cards = [rng.choice("A234") if rng.random() < 0.5 else "." for _ in range(16)]
    red, blue = rng.sample(range(16), 2)
    cards[red], cards[blue] = rng.choice("A234") + "r", rng.choice("A234") + "b"
    rows = "/".join("".join(cards[start : start + 4]) for start in range(0, 16, 4))
    return f"{rows} {'rb'[cards.count('.') % 2]}"


def shifting_deal(rng: random.Random) -> str:
    """A whole deal, in any reading."""
    return str(deal(rng, rng.choice(("shift", "shift-box", "shift-rotate"))).text)


async def hostile(host: str, port: int, number: int, seen: Counter[str], *, shift: bool) -> None:
    """One client that never rests."""
    rng = random.Random(number)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    while True:
        try:
            if writer is None or reader is None:
                reader, writer = await asyncio.open_connection(host, port)
            board = shifting_deal(rng) if shift else HARD if number % 2 else made_up(rng)
            asked = f"GET {API}/analysis?position={quote(board)} HTTP/1.1\r\nHost: {host}\r\n\r\n"
            writer.write(asked.encode())
            if number % 4 == 0:
                await asyncio.sleep(rng.uniform(0.1, 0.5))
                writer.close()
                reader = writer = None
                seen["hung up"] += 1
                continue
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
            seen[head.split()[1].decode()] += 1
        except (OSError, asyncio.IncompleteReadError):
            seen["dropped"] += 1
            reader = writer = None
            await asyncio.sleep(0.05)


async def attack(host: str, port: int, clients: int, *, shift: bool) -> None:
    """All hostile clients, until stopped."""
    seen: Counter[str] = Counter()
    tasks = [asyncio.create_task(hostile(host, port, number, seen, shift=shift)) for number in range(clients)]
    print("attacking", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(dict(seen), flush=True)


def measured(server: Server, count: int) -> dict[str, float]:
    """The median of three measurements, as the machine is shared."""
    runs = [measure(server, PLAIN, count) for _ in range(3)]
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def is_right(server: Server) -> bool:
    """Whether plain, short and long requests get the answers of the library."""
    game = f"{EXAMPLE} a2 b4"
    endgame = "..../.2r../.Ab../.2.. r shift"
    wanted: dict[str, object] = {
        f"{API}/analysis?position={quote(EXAMPLE)}": analyse(EXAMPLE).to_json(),
        f"{API}/review?game={quote(game)}": review(parse_game(game)).to_json(),
        f"{API}/analysis?position={quote(endgame)}": analyse(endgame).to_json(),
    }
    connection = HTTPConnection(server.host, server.port)
    try:
        return all(json.loads(get(connection, path)) == answer for path, answer in wanted.items())
    finally:
        connection.close()


def wait_for_compiled_solver(server: Server) -> None:
    """Wait until the service answers hard boards: it refuses them while the solver is loaded or compiled."""
    connection = HTTPConnection(server.host, server.port)
    status = 503
    while status == 503:
        time.sleep(1)
        connection.request("GET", f"{API}/analysis?position={quote(HARD)}")
        response = connection.getresponse()
        response.read()
        status = response.status
    connection.close()


def main(count: int, clients: int, *, shift: bool) -> bool:
    """Measure and print; return whether the service recovers."""
    with tempfile.TemporaryDirectory() as cache, running_server(cache) as server:
        wait_for_compiled_solver(server)
        measure(server, 1, 2000)
        alone = measured(server, count)
        command = [sys.executable, __file__, "--attack", server.host, str(server.port)]
        command += ["--clients", str(clients), *["--shift"] * shift]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attackers:
            assert attackers.stdout is not None
            attackers.stdout.readline()
            time.sleep(2)
            try:
                beside = measured(server, count)
            except subprocess.CalledProcessError:
                print("a plain request was refused during the attack: the machine may be too busy")
                return False
            finally:
                said, _ = attackers.communicate("")
        time.sleep(SETTLE_SECONDS)
        right = is_right(server)
        after = measured(server, count)
        print(f"{PLAIN} plain clients; {clients} hostile ones saw {said.strip()}")
        print(
            f"{'':<34}{'alone':>9} {'attacked':>9} {'after':>9}   after / alone, at most {MOST_RATIO_AFTER}"
        )
        good = right
        for name, text in (
            ("median", "median, ms"),
            ("p99", "99th percentile, ms"),
            ("cpu", "server's CPU, ms"),
        ):
            ratio = after[name] / alone[name]
            print(f"{text:<34}{alone[name]:9.2f} {beside[name]:9.2f} {after[name]:9.2f}   {ratio:.2f}")
            good = good and (name != "median" or ratio <= MOST_RATIO_AFTER)
        print(f"answers are {'right' if right else 'WRONG'}")
    return good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="plain requests of a measurement")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="hostile clients")
    parser.add_argument("--attack", nargs=2, metavar=("HOST", "PORT"), help=argparse.SUPPRESS)
    parser.add_argument("--shift", action="store_true", help="hostile clients ask for shifting deals")
    given = parser.parse_args()
    if given.attack:
        asyncio.run(attack(given.attack[0], int(given.attack[1]), given.clients, shift=given.shift))
    else:
        sys.exit(not main(given.count, given.clients, shift=given.shift))
