"""A seeded attack on the service: odd requests, broken bytes, clients that disconnect, all at once.

The quick form always does the same; the slow one takes its seed from ATTACK_SEED, or a new one that a failure
prints.
"""

from __future__ import annotations

import os
import random
import re
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from collapsi import Game, deal, format_game, format_position
from tests.rule_sets import FOR_TWO
from tests.service import running_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service import Server

API = "/api/v1"
CLIENTS = 8
PATHS = [
    *("analysis", "moves", "why", "computer-move", "deal", "game", "review", "drawing", "census"),
    *("census/deal", "puzzle", "puzzle/try", "daily", "nothing"),
]
NAMES = [
    *("position", "game", "rules", "level", "seed", "winner", "plies", "winning_moves", "ply", "match"),
    *("values", "move", "kind", "date", "moves"),
]
ODD = [
    *("", " ", "-1", "0", "1e9", "9" * 40, "null", "true", "\x00", "é", "\ud800", "%", "%zz", "[]", "{}"),
    *("../../etc", "<script>", "x" * 3000),
]
GOOD = [
    *("standard", "joker", "perfect", "random", "2", "red", "blue", "7", "9-4", "d1", "a2", "hard"),
    "2026-10-02",
]
ODD_HEADERS = [
    "Content-Length: 5",
    "Transfer-Encoding: chunked",
    "Sec-Fetch-Site: cross-site",
    "Expect: 100-continue",
    "Upgrade: h2c",
]
BOARDS = [
    "JrJJJ/JJJJ/JJJJ/JJJJb r joker",
    "..../4r.../.2.A/2b... r",
    ".4b../...3/2.../.3r.2 b",
    "A223/4A2Jr/3A23/Jb3A4 r a2 b4",
    "1223/4121r/3123/1b314/0",
    "A2r23/4Ab2./3A23/.3A4 b joker",
]


def position(rng: random.Random) -> str:
    """A deal, a game, a known hard board, or one of these with some letters changed."""
    rules = rng.choice(list(FOR_TWO.values()))
    game = Game.start(deal(rng, rules))
    for _ in range(rng.randrange(8)):
        if game.position.moves:
            game = game.play(rng.choice(game.position.moves))
    text = rng.choice([format_game(game), format_position(game.position), rng.choice(BOARDS)])
    letters = list(text)
    for _ in range(rng.choice([0, 0, 1, 3])):
        letters[rng.randrange(len(letters))] = rng.choice("AJ234.rb/ x0_+%")
    return "".join(letters)


def value(rng: random.Random) -> str:
    """What a parameter is given."""
    return position(rng) if rng.random() < 0.5 else rng.choice([*ODD, *GOOD])


def request(rng: random.Random) -> bytes:
    """A request, mostly well formed."""
    names = rng.sample(NAMES, rng.randrange(4)) + rng.choice([["position"], ["game"], []])
    query = "&".join(f"{name}={quote(value(rng), safe='', errors='surrogatepass')}" for name in names)
    method = rng.choice(["GET"] * 8 + ["HEAD", "POST", "OPTIONS", "BREW"])
    head = [f"{method} {API}/{rng.choice(PATHS)}?{query} HTTP/1.1", "Host: localhost"]
    if rng.random() < 0.1:
        head.append(rng.choice(ODD_HEADERS))
    said = "\r\n".join([*head, "", ""]).encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:  # broken bytes
        broken = bytearray(said)
        for _ in range(rng.randrange(1, 6)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        said = bytes(broken)
    return said


def attack(server: Server, seed: int, count: int, statuses: list[bytes]) -> None:
    """One client: sends requests in pieces or several at once, reads or does not, comes back."""
    rng = random.Random(seed)
    done = 0
    while done < count:
        batch = [request(rng) for _ in range(rng.choice([1, 1, 1, 3]))]
        done += len(batch)
        with suppress(OSError), server.socket() as client:
            said = b"".join(batch)
            if rng.random() < 0.2:
                cut = rng.randrange(len(said))
                client.sendall(said[:cut])
                time.sleep(0.01)
                said = said[cut:]
            client.sendall(said)
            if rng.random() < 0.2:
                continue  # hangs up at once
            heard = b""
            if rng.random() < 0.5 and said.endswith(b"\r\n\r\n"):  # whole: there will be an answer
                heard = client.recv(1 << 16)
            client.settimeout(0.05)
            with suppress(TimeoutError):
                while part := client.recv(1 << 16):
                    heard += part
            statuses += re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)


def run(tmp_path: Path, seed: int, count: int) -> None:
    (tmp_path / "collapsi").write_text("a file where the folder would be: no census is taken here")
    with running_server(tmp_path) as server:
        statuses: list[bytes] = []
        clients = [
            threading.Thread(target=attack, args=(server, seed + number, count, statuses))
            for number in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        position = server.get_json(f"{API}/deal", seed=7)["position"]
        assert position == format_position(deal(random.Random(7)))
        assert server.stop() in (0, 130)
        said = server.complaints().splitlines()
        assert all(re.match(r"collapsi: the census of \S+ could not be taken: ", line) for line in said), seed
    assert len(statuses) > count
    assert {status for status in statuses if status >= b"500"} <= {b"503"}, seed


def test_a_quick_attack(tmp_path: Path) -> None:
    run(tmp_path, 1, 30)


@pytest.mark.slow
def test_a_long_attack(tmp_path: Path) -> None:
    run(tmp_path, int(os.environ.get("ATTACK_SEED") or random.randrange(2**32)), 600)
