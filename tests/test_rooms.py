"""Rooms through the real server: who may move, what is refused, and what holds under attack."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from collapsi import deal, parse_game
from collapsi.api.questions import QUESTIONS
from collapsi.service import live
from collapsi.service.rooms import NEW_BURST
from collapsi.service.server import BODY_BYTES
from collapsi.site import answering
from tests.service import HANG_SECONDS, apart, running_server, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service import Server

API = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


class Seat:
    """One page: a token, and the last answer."""

    def __init__(self, server: Server, room: str, token: str) -> None:
        self.server = server
        self.room = room
        self.token = token
        self.last: Any = {}

    def look(self, *, wait: bool = False) -> Any:
        """Ask, or wait for a change; restore the room if the service has forgotten it."""
        seen = self.last.get("tag") if wait else None
        answer = self.server.get(f"{API}/rooms/state", room=self.room, token=self.token, seen=seen)
        if answer.status == 404:
            return self.restore()
        assert answer.status == 200, answer.body
        self.last = json.loads(answer.body)
        return self.last

    def restore(self) -> Any:
        """Bring back what the page has."""
        body = {"token": self.token, "sealed": self.last["sealed"]}
        self.last = self.server.post_json(f"{API}/rooms/restore", **body)
        return self.last

    def move(self, move: str, version: int | None = None) -> int:
        """Send a move; the status."""
        chosen = self.last["version"] if version is None else version
        answer = self.server.post(
            f"{API}/rooms/move", room=self.room, token=self.token, version=chosen, move=move
        )
        if answer.status == 200:
            self.last = json.loads(answer.body)
        return answer.status

    def any_move(self, rng: random.Random) -> int:
        """A random legal move."""
        position = parse_game(self.look()["game"]).position
        return self.move(position.move_text(rng.choice(position.moves)))


def make_room(server: Server, **query: object) -> tuple[Any, list[Seat]]:
    """A room and the pages of its people, each of which has looked once."""
    made = server.post_json(f"{API}/rooms/new", **{"game": EXAMPLE, **query})
    seats = [Seat(server, made["room"], token) for token in made["tokens"] if token]
    for seat in seats:
        seat.look()
    return made, seats


def test_a_move_is_seen_at_once_by_who_waits(server: Server) -> None:
    _, (red, blue) = make_room(server)
    blue.look()
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(blue.look, wait=True)
        assert red.move("a2") == 200
        while waiting.result()["version"] == 0:  # it may hear first that red is there
            waiting = thread.submit(blue.look, wait=True)
    assert blue.last["game"] == f"{EXAMPLE} a2"
    assert blue.last["to_move"] == blue.last["you"] == 2


def test_nobody_moves_who_may_not(server: Server) -> None:
    made, (red, blue) = make_room(server)
    _, (stranger, _) = make_room(server)
    watch = Seat(server, made["room"], made["watch"])
    assert watch.look()["you"] is None
    assert watch.move("a2") == 403
    assert blue.move("a2") == 409
    rng = random.Random(1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    guesses = ["".join(rng.choices(letters, k=22)) for _ in range(50)]
    guesses += [stranger.token, red.token[:-1], red.token.swapcase(), "", "x" * 40, "é"]
    for token in guesses:
        assert Seat(server, made["room"], token).move("a2", 0) == 403
    assert Seat(server, "nowhere", red.token).move("a2", 0) == 404
    assert Seat(server, made["room"], "x" * 41).move("a2", 0) == 422
    assert red.look()["version"] == 0
    assert red.move("a3") == 422  # not by the rules
    assert red.move("a2") == 200


def test_repeated_and_reordered_moves_do_nothing(server: Server) -> None:
    _, (red, blue) = make_room(server)
    assert red.move("a2") == 200
    assert [red.move("a2", 0), red.move("d1", 0), red.move("a2", 1), red.move("a2", 7)] == [
        200,
        409,
        409,
        409,
    ]
    assert blue.look()["game"] == f"{EXAMPLE} a2"
    assert blue.move("b4") == 200
    sent = [(seat, version, move) for seat in (red, blue) for version in range(4) for move in ("a2", "b4")]
    random.Random(2).shuffle(sent)
    accepted = {
        (seat is red, version, move) for seat, version, move in sent if seat.move(move, version) == 200
    }
    assert accepted == {(True, 0, "a2"), (False, 1, "b4")}
    assert red.look()["game"] == f"{EXAMPLE} a2 b4"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": ""}, 415),
        ({"Content-Type": "application/json", "Origin": "http://example.org"}, 403),
        ({"Content-Type": "application/json", "Origin": "null"}, 403),
        ({"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "application/json", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "application/json", "Referer": "http://example.org/x"}, 403),
        ({"Content-Type": "application/json", "Host": "example.org"}, 421),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
    ],
)
def test_foreign_pages_and_forms_change_nothing(headers: dict[str, str], status: int, server: Server) -> None:
    with server.connection() as connection:
        connection.request("POST", f"{API}/rooms/new", json.dumps({"game": EXAMPLE}), headers)
        assert connection.getresponse().status == status


def test_the_own_page_may(server: Server) -> None:
    origin = server.address.rstrip("/")
    headers = {"Content-Type": "application/json", "Origin": origin, "Sec-Fetch-Site": "same-origin"}
    with server.connection() as connection:
        connection.request("POST", f"{API}/rooms/new", json.dumps({"game": EXAMPLE}), headers)
        assert connection.getresponse().status == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"[]", 422),
        (b"3", 422),
        (b"{", 422),
        (b'{"game": ["x"]}', 422),
        (b'{"game": {"x": 1}}', 422),
        (b'{"game": NaN}', 422),
        (b'{"game": "\\ud800"}', 422),
        (b"\xff\xfe", 422),
        (b"[" * 2000, 422),
        (b'{"game": "x"}', 422),
        (b'{"game": "A2X/3Jr2/A2A"}', 422),
        (b" " * (BODY_BYTES + 1), 413),
    ],
)
def test_bodies_that_are_no_request(body: bytes, status: int, server: Server) -> None:
    with server.connection() as connection:
        connection.request("POST", f"{API}/rooms/new", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == status
        assert json.loads(response.read())["detail"]


def test_methods_and_chunks(server: Server) -> None:
    answer = server.get(f"{API}/rooms/new")
    assert answer.status == 405
    assert b"use POST" in answer.body
    assert server.post(f"{API}/analysis", position=EXAMPLE).status == 413
    head = f"POST {API}/rooms/new HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: application/json\r\n"
    with server.socket() as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"game": "A2X/3Jr2/A2A"}, "a game for one"),
        ({"seats": "person"}, "are not the players"),
        ({"seats": "perfect.perfect"}, "are not the players"),
        ({"seats": "person.genius"}, "are not the players"),
        ({"match": "99-99"}, "is no score"),
        ({"game": deal(random.Random(1), "big").text, "match": "4-1-4/3/13+1"}, "play-off among some"),
        ({"game": deal(random.Random(1), "big").text, "match": "1-4-4/3/23+0"}, "play-off among some"),
        ({"game": "x" * 1001}, "at most 1000 characters"),
        (
            {"game": deal(random.Random(1), "big3").text, "seats": "person.card.person"},
            "knows the small board only",
        ),
    ],
)
def test_rooms_that_cannot_be_made(query: dict[str, str], words: str, server: Server) -> None:
    answer = server.post(f"{API}/rooms/new", **{"game": EXAMPLE, **query})
    assert answer.status == 422
    assert words in json.loads(answer.body)["detail"]


def test_only_the_service_has_rooms(server: Server) -> None:
    assert server.get_json(f"{API}/about")["rooms"] == {"address": None}  # it listens to this machine only
    assert json.loads(answering.answer("about", "")[2])["rooms"] is None
    ours = [path for path, question in QUESTIONS.items() if not question.on_site]
    assert len(ours) == 5
    for path in ours:
        status, _, text = answering.answer(path, f"game={EXAMPLE}")
        assert status == 422
        assert "there is nothing at" in text


def test_a_match_and_its_rounds(server: Server) -> None:
    _, (red, blue) = make_room(server, match="9-4")
    rng = random.Random(3)
    order = [red, blue]
    assert server.post(f"{API}/rooms/round", room=red.room, token=red.token, version=0).status == 200
    version = 1
    while red.look()["to_move"] is not None:
        assert order[red.last["to_move"] - 1].any_move(rng) == 200
        version += 1
    ended = parse_game(red.last["game"]).position
    body = {"room": red.room, "token": blue.look() and blue.token, "version": version}
    after = server.post_json(f"{API}/rooms/round", **body)
    assert server.post(f"{API}/rooms/round", **body).status == 409  # pressed twice
    points = [9 + ended.result[0], 4 + ended.result[1]]
    over = max(points) >= 16
    assert after["match"] == ("0-0" if over else f"{points[1]}-{points[0]}")
    assert [seat["colour"] for seat in after["seats"]] == ["blue", "red"]
    assert after["to_move"] == 2
    moved = server.post_json(
        f"{API}/rooms/move",
        room=red.room,
        token=blue.token,
        version=after["version"],
        move=parse_game(after["game"]).position.move_text(parse_game(after["game"]).position.moves[0]),
    )
    answer = server.post(f"{API}/rooms/round", room=red.room, token=red.token, version=moved["version"])
    assert answer.status == 409  # in the middle of a round


def test_spectators_hold_nobody_up(server: Server) -> None:
    """Their requests beyond the limit are answered at once, and a move passes by all of them."""

    @apart
    async def crowd() -> None:
        made, (red, blue) = await asyncio.to_thread(make_room, server)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx.AsyncClient(base_url=server.address, limits=limits, timeout=HANG_SECONDS) as client:
            seen = (await asyncio.to_thread(red.look))["tag"]

            async def look(token: str) -> Any:
                query = {"room": made["room"], "token": token, "seen": seen}
                return (await client.get(f"{API}/rooms/state", params=query)).json()

            count = 5 * live.MOST_WATCHING
            watching = [asyncio.create_task(look(made["watch"])) for _ in range(count)]
            while sum(task.done() for task in watching) < count - live.MOST_WATCHING:
                await asyncio.sleep(0.01)
            refused = [task.result() for task in watching if task.done()]
            assert {each["wait"] for each in refused} == {live.BUSY_SECONDS}
            waiting = asyncio.create_task(look(blue.token))
            await asyncio.sleep(0)
            assert await asyncio.to_thread(red.move, "a2") == 200
            assert (await waiting)["version"] == 1
            assert {each["version"] for each in await asyncio.gather(*watching)} == {0, 1}
            places = [asyncio.create_task(look(made["watch"])) for _ in range(count)]  # all see the move
            assert {each["wait"] for each in await asyncio.gather(*places)} == {0}

    crowd()


def test_a_flood_of_new_rooms_and_a_game_beside_it(tmp_path: Path) -> None:
    with running_server(tmp_path, loaded=False) as server:
        _, (red, blue) = make_room(server)
        assert red.move("a2") == 200
        with ThreadPoolExecutor(4) as threads:
            flood = [
                threads.submit(server.post, f"{API}/rooms/new", game=EXAMPLE) for _ in range(3 * NEW_BURST)
            ]
            answers = [each.result() for each in flood]
        assert {answer.status for answer in answers} == {200, 503}
        assert all(answer.headers["Retry-After"] for answer in answers if answer.status == 503)
        assert blue.any_move(random.Random(1)) == 200
        assert red.look()["version"] == 2
        assert "Traceback" not in server.complaints()


def test_a_killed_server_goes_on_from_either_page(tmp_path: Path) -> None:
    rng = random.Random(5)
    with running_server(tmp_path, loaded=False) as server:
        port = server.port
        _, (red, blue) = make_room(server)
        assert red.any_move(rng) == 200
        assert blue.any_move(rng) == 200
        assert red.any_move(rng) == 200  # blue has not seen it
        key = tmp_path / "collapsi" / "rooms.key"
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        with ThreadPoolExecutor(1) as thread:  # killed while a request waits
            thread.submit(
                server.get, f"{API}/rooms/state", room=red.room, token=red.token, seen=red.last["tag"]
            )
            server.stop(signal.SIGKILL)
    game = red.last["game"]
    for first, second in ((red, blue), (blue, red)):
        with running_server(tmp_path, "--port", str(port), loaded=False) as again:
            for seat in (red, blue):
                seat.server = again
            assert (
                again.post(f"{API}/rooms/move", room=red.room, token=blue.token, version=3, move="a1").status
                == 404
            )
            first.look()
            second.restore()
            first.look()
            second.look()
            assert red.last["game"] == blue.last["game"] == game
            mover = (red, blue)[red.last["to_move"] - 1]
            assert mover.any_move(rng) == 200
            game = mover.last["game"]
            again.stop(signal.SIGKILL)


def test_a_computer_moves_and_survives_the_death_of_its_worker(tmp_path: Path) -> None:
    rng = random.Random(7)
    with running_server(tmp_path) as server:
        _, (red,) = make_room(server, seats="person.tempting")  # which a worker process chooses
        wait_until(server.workers)
        assert red.any_move(rng) == 200
        for pid in server.workers():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: red.look()["version"] == 2)
        assert red.any_move(rng) == 200
        wait_until(lambda: red.look()["to_move"] in (1, None))


def test_stopping_the_server_answers_who_waits(tmp_path: Path) -> None:
    with running_server(tmp_path, loaded=False) as server:
        _, (red, _) = make_room(server)
        red.look()
        query = f"room={red.room}&token={red.token}&seen={red.last['tag']}"
        with server.socket() as connection:
            head = f"GET {API}/rooms/state?{query} HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
            connection.sendall(head.encode())
            for _ in range(5):
                server.get(f"{API}/about")  # it has read the request meanwhile
            assert server.stop() == 130
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
        assert server.complaints() == ""
