"""The HTTP server: start and stop, headers, guards, and foreign, broken, slow or hostile clients."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import os
import random
import re
import select
import signal
import socket
import struct
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from collapsi import Game, deal, format_game, format_position
from collapsi.api.questions import QUESTIONS
from collapsi.cli.serve import EXPOSED
from collapsi.core.errors import OutputError
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.service import app as web_app
from collapsi.service import server as web_server
from collapsi.service.server import HEAD_BYTES, MOST_CONNECTIONS
from tests import typed
from tests.rule_sets import FOR_TWO
from tests.service import (
    HANG_SECONDS,
    Answer,
    Server,
    apart,
    ask,
    children_of,
    running_server,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
JACKS = "JrJJJ/JJJJ/JJJJ/JJJJb r joker"
"""A first move everywhere and every time: a tenth of a second to solve, a thousand times that of a deal."""

WANTED_HEADERS = {
    "Content-Security-Policy": r".*\bdefault-src 'none'; .*",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ".+",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

MEGABYTE = 2**20
MOST_GROWTH = 8 * MEGABYTE
"""How much memory may grow after the warm-up. A request that leaves one kilobyte behind is found by ten
thousand of them, one that leaves a hundred bytes by a hundred thousand; less than this is what an allocator
that has settled may still take for its own order."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole module. It can keep no census, so that no test here takes one by chance."""
    cache = tmp_path_factory.mktemp("cache")
    (cache / "collapsi").write_text("a file where the folder would be")
    with running_server(cache) as server:
        yield server
        assert "Traceback" not in server.complaints()


def bytes_of(path: str, *lines: str, method: str = "GET", host: str | None = "localhost") -> bytes:
    """The bytes of a request, the connection closed after it unless the lines say otherwise."""
    head = [f"{method} {path} HTTP/1.1", *([f"Host: {host}"] if host is not None else []), *lines]
    return "\r\n".join([*head, *([] if lines else ["Connection: close"]), "", ""]).encode("latin-1")


def tell(server: Server, said: bytes) -> bytes:
    """All that comes back until the server closes the connection, perhaps in the middle of what we say."""
    heard = b""
    with server.socket() as connection, suppress(ConnectionError):
        connection.sendall(said)
        while part := connection.recv(1 << 16):
            heard += part
    return heard


def read_answer(heard: bytes) -> Answer:
    """The first answer in what was heard."""

    class Heard:
        def makefile(self, *_: object) -> Any:
            import io

            return io.BytesIO(heard)

    response = http.client.HTTPResponse(Heard())  # type: ignore[arg-type]
    response.begin()
    return Answer(response.status, response.headers, response.read())


def statuses(heard: bytes) -> list[int]:
    """The status of every answer in what was heard."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)]


def goes_on(server: Server) -> None:
    """A newcomer is answered."""
    data = server.get_json(f"{API}/deal", seed=7)
    assert data["position"] == format_position(deal(random.Random(7)))


# Headers

KINDS = {
    "the page": (200, bytes_of("/")),
    "an answer": (200, bytes_of(f"{API}/deal?seed=7")),
    "a picture": (200, bytes_of(f"{API}/drawing?position={EXAMPLE.replace(' ', '_')}")),
    "the description": (200, bytes_of(f"{API}/openapi.json")),
    "nothing there": (404, bytes_of("/nothing")),
    "no such question": (404, bytes_of(f"{API}/nothing")),
    "not to be posted to": (405, bytes_of(f"{API}/deal", method="POST")),
    "not to be deleted": (405, bytes_of("/", method="DELETE")),
    "a body": (413, bytes_of("/", "Content-Length: 5", method="POST") + b"hello"),
    "a foreign host": (421, bytes_of("/", host="collapsi.example")),
    "nonsense": (422, bytes_of(f"{API}/analysis?position=x")),
    "a long head": (431, bytes_of("/", "X-Long: " + "x" * HEAD_BYTES)),
    "garbage": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 garbage\r\n\r\n"),
    "letters beyond ASCII": (400, b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n"),
}


@pytest.mark.parametrize(("status", "said"), KINDS.values(), ids=list(KINDS))
def test_every_answer_has_the_security_headers(server: Server, status: int, said: bytes) -> None:
    answer = read_answer(tell(server, said))
    assert answer.status == status
    for name, value in WANTED_HEADERS.items():
        sent = answer.headers.get_all(name) or []
        assert len(sent) == 1, name
        assert re.fullmatch(value, sent[0]), name
    assert "server" not in answer.headers


def test_the_policy_allows_no_script_but_our_files(server: Server) -> None:
    policy = server.get("/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", maxsplit=1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert "unsafe" not in policy
    assert "*" not in policy


# Who is answered


def listening(port: int) -> set[str]:
    """The local addresses that listen on a port, as the kernel writes them."""
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            if address.endswith(f":{port:04X}") and state == "0A":
                found.add(address.partition(":")[0])
    return found


def test_only_this_machine_is_listened_to_by_default(server: Server) -> None:
    (address,) = listening(server.port)
    assert socket.inet_ntoa(struct.pack("=I", int(address, 16))) == "127.0.0.1"


def test_listening_on_all_addresses_comes_with_a_warning(tmp_path: Path) -> None:
    with running_server(tmp_path, "--host", "0.0.0.0", loaded=False) as server:
        said = bytes_of(f"{API}/deal?seed=7", host="collapsi.example")
        assert read_answer(tell(server, said)).status == 200
        assert server.complaints() == f"collapsi: {EXPOSED}\n"
        told = server.process.stdout
        assert told is not None
        line = told.readline()  # in a pipe there is no QR code
        assert re.fullmatch(r"for phones and computers in the same network: http://\S+:\d+/\n", line)
        own = urlsplit(line.split()[-1])
        assert own.port == server.port
        assert server.get_json(f"{API}/about")["rooms"] == {"address": line.split()[-1]}
        assert read_answer(tell(server, bytes_of(f"{API}/deal?seed=7", host=own.netloc))).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "collapsi.example",
        "collapsi.example:{port}",
        "localhost.collapsi.example",
        "127.0.0.1.collapsi.example:{port}",
        "127.0.0.2",
        "collapsi.example:localhost",
        "localhost@collapsi.example",
        "0.0.0.0:{port}",
        "",
        None,
    ],
)
def test_a_foreign_host_is_refused(server: Server, host: str | None) -> None:
    host = host.format(port=server.port) if host is not None else None
    for path in ("/", f"{API}/deal?seed=7"):
        answer = read_answer(tell(server, bytes_of(path, host=host)))
        assert answer.status == 421
        assert json.loads(answer.body)["detail"] == "this service answers only to the name it listens on"


def test_two_hosts_are_refused(server: Server) -> None:
    """Which of them is meant cannot be known: RFC 9112 asks for a refusal."""
    said = bytes_of("/", "Host: localhost", "Connection: close", host="collapsi.example")
    assert read_answer(tell(server, said)).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_our_own_host_is_answered(server: Server, host: str) -> None:
    said = bytes_of(f"{API}/deal?seed=7", host=host.format(port=server.port))
    assert read_answer(tell(server, said)).status == 200


# Files

OUTSIDE = ["app.py", "server.py", "pyproject.toml", "etc/passwd"]
UPWARDS = ["../", "%2e%2e/", "..%2f", "%2e%2e%2f", "%252e%252e%252f", "..\\", "%2e%2e%5c", "..%5c", "....//"]
UPWARDS += ["..;/", "..%00/", "%c0%ae%c0%ae/", "./../", "js/../../", "js/..%2f..%2f"]


def test_nothing_outside_the_page_is_served(server: Server) -> None:
    targets = [f"/{up * times}{name}" for up in UPWARDS for times in (1, 2, 8) for name in OUTSIDE]
    targets += ["//etc/passwd", "///etc/passwd", "/%2fetc/passwd", "/%2f%2fetc/passwd", "/etc/passwd%00.html"]
    targets += ["/%00", "/index.html%00", "/a%00b", "/C:\\Windows\\win.ini", "/file:///etc/passwd"]
    targets += ["file:///etc/passwd", "http://localhost/../app.py", "/" + "a" * 5000, "/" + "a/" * 2000, "*"]
    targets += [f"/{web_app.PAGE}/../app.py", f"/%2f{str(web_app.PAGE)[1:]}/../app.py", "/__pycache__/"]
    outside = [path.read_bytes() for path in (web_app.PAGE.parent).glob("*.py")] + [
        Path("/etc/passwd").read_bytes()
    ]
    for target in targets:
        heard = tell(server, bytes_of(target))
        answer = read_answer(heard)
        assert answer.status in (200, 307, 400, 404), target
        if answer.status == 200:  # a way out of the page and in again
            ours = [path.read_bytes() for path in web_app.PAGE.rglob("*") if path.is_file()]
            assert answer.body in ours, target
        assert not any(content in heard for content in outside), target
    goes_on(server)


def test_every_file_of_the_page_is_served(server: Server) -> None:
    files = [path for path in web_app.PAGE.rglob("*") if path.is_file()]
    assert web_app.PAGE / "index.html" in files
    for path in files:
        answer = server.get(f"/{path.relative_to(web_app.PAGE).as_posix()}")
        assert answer.status == 200
        assert answer.body == path.read_bytes()
    assert server.get("/").body == (web_app.PAGE / "index.html").read_bytes()


# Too much


@pytest.mark.parametrize(
    "lines",
    [["Content-Length: 10000000000"], ["Transfer-Encoding: chunked"], ["Content-Length: 1"]],
    ids=["ten gigabytes", "chunks", "one byte"],
)
@pytest.mark.parametrize("method", ["POST", "GET", "PUT"])
def test_a_body_is_refused_unread(server: Server, method: str, lines: list[str]) -> None:
    heard = tell(server, bytes_of(f"{API}/deal", *lines, method=method))
    assert statuses(heard) == [413]
    goes_on(server)


def test_a_refused_body_ends_the_connection(server: Server) -> None:
    """A request before it is answered first; what follows the body is not read as a request."""
    before, after = bytes_of("/", "Connection: keep-alive"), bytes_of(f"{API}/deal?seed=7")
    said = before + bytes_of("/", "Content-Length: 5", method="POST") + b"hello" + after
    assert statuses(tell(server, said)) == [200, 413]


def pour(server: Server, head: bytes, drop: bytes, most: int = 64 * MEGABYTE) -> tuple[int, bytes]:
    """Send a head and then drops until the server has had enough; how much it took, and what it said."""
    poured, heard = 0, b""
    with server.socket() as connection:
        with suppress(ConnectionError):
            connection.sendall(head)
            while poured < most:
                connection.sendall(drop)
                poured += len(drop)
        with suppress(ConnectionError):
            heard = connection.recv(1 << 16)
    return poured, heard


@pytest.mark.parametrize(
    ("head", "drop"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-More: and more\r\n" * 100),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x" * 4096),
        (b"GET /", b"a" * 4096),
        (b"", b"G" * 4096),
        (b"", b"\r\n" * 2048),
        (
            bytes_of("/", "Transfer-Encoding: chunked", method="POST"),
            b"1000\r\n" + b"x" * 4096 + b"\r\n",
        ),
    ],
    ids=["headers", "one header", "address", "method", "empty lines", "chunks"],
)
def test_endless_requests_are_not_swallowed(server: Server, head: bytes, drop: bytes) -> None:
    poured, heard = pour(server, head, drop)
    assert poured < 64 * MEGABYTE
    # The refusal may be lost while the client still sends.
    assert statuses(heard) in ([], [413] if b"chunked" in head else [431], [400])
    goes_on(server)


def test_a_head_that_is_just_not_too_long_is_read(server: Server) -> None:
    said = bytes_of("/", "X-Long: " + "x" * (HEAD_BYTES - 200), "Connection: close")
    assert len(said) < HEAD_BYTES
    assert statuses(tell(server, said)) == [200]


# Slow, many, gone


def test_slow_clients_hinder_nobody(server: Server) -> None:
    half = bytes_of(f"{API}/deal?seed=7")[:20]
    with ExitStack() as stack:
        slow = [stack.enter_context(server.socket()) for _ in range(60)]
        for connection in slow[:-10]:  # ten send nothing at all
            connection.sendall(half)
        for _ in range(20):
            goes_on(server)
        slow[0].sendall(bytes_of(f"{API}/deal?seed=7")[20:])  # who finishes is answered
        assert statuses(read_all(slow[0])) == [200]
    goes_on(server)


@apart
async def test_a_silent_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its first request as between two of them."""
    monkeypatch.setattr(web_server, "IDLE_SECONDS", 0.01)
    config = uvicorn.Config(lambda *_: None, http=web_server.Connection, ws="none")
    config.load()
    state = uvicorn.Server(config).server_state
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: web_server.Connection(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    assert await asyncio.wait_for(reader.read(), HANG_SECONDS) == b""
    writer.close()
    server.close()


def test_clients_that_hang_up_in_the_middle(server: Server) -> None:
    whole = bytes_of(f"{API}/computer-move?position={EXAMPLE.replace(' ', '_')}&level=4")
    for length in range(1, len(whole) + 1, 2):
        with server.socket() as connection:
            # No farewell: the connection is torn down at once.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(whole[:length])
    for _ in range(50):
        with server.socket() as connection:
            connection.sendall(whole)
            connection.shutdown(socket.SHUT_WR)
    goes_on(server)
    assert "Traceback" not in server.complaints()


@pytest.mark.parametrize("count", [20, 500])
def test_requests_may_be_sent_in_one_go(server: Server, count: int) -> None:
    """Each is small; that they come together makes none of them too long. Answers come in their order."""
    said = [bytes_of(f"{API}/deal?seed={seed}", "Connection: keep-alive") for seed in range(count - 1)]
    heard = tell(server, b"".join([*said, bytes_of(f"{API}/deal?seed={count - 1}")]))
    assert statuses(heard) == [200] * count
    assert [int(seed) for seed in re.findall(rb'"seed":(\d+)', heard)] == list(range(count))


def test_a_request_may_come_letter_by_letter(server: Server) -> None:
    with server.socket() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for letter in bytes_of(f"{API}/deal?seed=7"):
            connection.sendall(bytes([letter]))
        assert statuses(read_all(connection)) == [200]


def test_an_upgrade_is_not_followed(server: Server) -> None:
    """An offer not taken up changes nothing (RFC 9110): the next request of the connection is answered."""
    for protocol in ("websocket", "h2c"):
        offer = bytes_of("/", "Connection: upgrade", f"Upgrade: {protocol}", "Sec-WebSocket-Version: 13")
        with server.socket() as connection:
            connection.sendall(offer)
            first = connection.recv(1 << 20)
            assert statuses(first) == [200]
            connection.sendall(bytes_of(f"{API}/deal?seed=7"))
            assert statuses(read_all(connection))[-1:] == [200], protocol


def others_are_answered(server: Server) -> None:
    for path, name in (("analysis", "position"), ("computer-move", "position"), ("game", "game")):
        server.get_json(f"{API}/{path}", **{name: f"{EXAMPLE} a2 b4"})
    server.get_json(f"{API}/review", game=f"{EXAMPLE} a2 b4")
    goes_on(server)


def test_hard_questions_are_refused_when_there_are_too_many_and_delay_no_others(server: Server) -> None:
    """Each of these takes a tenth of a second to solve, and they are sent at once."""
    with ExitStack() as stack:
        hostile = [asking(server, stack, JACKS) for _ in range(100)]
        others_are_answered(server)
        answers = until_one_is_refused(server, stack, hostile, itertools.repeat(JACKS))
        answers += [read_answer(read_all(connection)) for connection in hostile]
    assert {answer.status for answer in answers} == {200, 503}
    refused = [answer for answer in answers if answer.status == 503]
    assert all(answer.headers["retry-after"].isdigit() for answer in refused)
    goes_on(server)


def test_deals_of_the_shifting_board_delay_no_others(server: Server) -> None:
    """Each takes tenths of a second; they are sent at once, and most clients go before they are answered."""
    dealt = (deal(random.Random(seed), FOR_TWO["shift"]).text for seed in itertools.count())
    with ExitStack() as stack:
        hostile = [asking(server, stack, position) for position in itertools.islice(dealt, 30)]
        others_are_answered(server)
        server.get_json(f"{API}/game", game=next(dealt))  # nor a look at a deal, or the review of an endgame
        server.get_json(f"{API}/review", game="..../.2r../.Ab../.2.. r shift b4r")
        refused = until_one_is_refused(server, stack, hostile, dealt)[-1]
    assert refused.status == 503
    assert refused.headers["retry-after"].isdigit()
    server.get_json(f"{API}/analysis", position="..../.2r../.Ab../.2.. r shift")
    goes_on(server)


def asking(server: Server, stack: ExitStack, position: str) -> socket.socket:
    """A connection on which an analysis was asked for, and nothing read so far."""
    connection = stack.enter_context(server.socket())
    connection.sendall(bytes_of(f"{API}/analysis?position={position.replace(' ', '_')}", "Connection: close"))
    return connection


def until_one_is_refused(
    server: Server, stack: ExitStack, askers: list[socket.socket], positions: Iterator[str]
) -> list[Answer]:
    """All answers, each of them good but the last; those who wait still are left in `askers`.

    For each who is answered somebody else asks: so many always wait that one is refused, however slow the
    machine is, and whichever of its processes has its turn first.
    """
    answers: list[Answer] = []
    while not answers or answers[-1].status == 200:
        ready, _, _ = select.select(askers, [], [], HANG_SECONDS)
        assert ready, "nobody is answered"
        askers.remove(ready[0])
        answers.append(read_answer(read_all(ready[0])))
        if answers[-1].status == 200:
            askers.append(asking(server, stack, next(positions)))
    return answers


def test_more_connections_than_allowed_are_refused(server: Server) -> None:
    """The service goes on when they have gone."""
    with ExitStack() as stack:
        for _ in range(MOST_CONNECTIONS):
            stack.enter_context(server.socket())
        assert read_answer(tell(server, bytes_of(f"{API}/deal?seed=7"))).status == 503
    wait_until(lambda: server.get(f"{API}/deal", seed=7).status != 503)
    goes_on(server)


def read_all(connection: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


# Starting and stopping


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "{port}"], r"cannot listen on 127\.0\.0\.1, port \d+: Address already in use .*--port.*"),
        (["--port", "0", "--host", "192.0.2.1"], r"cannot listen on 192\.0\.2\.1, port 0: .*"),
        (["--port", "0", "--host", "no such host"], r"cannot listen on no such host, port 0: .*"),
        *((["--port", "0", "--host", host], r"cannot listen on .*") for host in ("a..b", ".", "a" * 300, "")),
        (["--port", "0", "--host", os.fsdecode(b"\xff")], r"cannot listen on .*"),
        (["--port", "70000"], r".*70000.*"),
        (["--port", "high"], r".*'high'.*"),
    ],
)
def test_what_cannot_be_listened_on_is_one_line(server: Server, arguments: list[str], said: str) -> None:
    refusal = typed.refused("serve", *(argument.format(port=server.port) for argument in arguments))
    assert re.fullmatch(f"collapsi: {said}\n", refusal)
    goes_on(server)


def test_of_two_that_start_at_once_on_one_port_one_gives_up() -> None:
    """The port is taken as soon as one has it, not when it begins to listen: else both say they are ready."""
    first = web_server.open_socket("127.0.0.1", 0)
    try:
        with pytest.raises(OutputError, match="cannot listen on"):
            web_server.open_socket("127.0.0.1", first.getsockname()[1]).close()
    finally:
        first.close()


def test_a_server_on_a_name_of_this_machine(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens a browser, answers its own name only, logs nothing that clients send, and ends at Ctrl-C."""
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\nexec sleep 900\n", encoding="ascii")  # does not return by itself
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    with running_server(tmp_path, "--host", "Localhost", "--open") as other, ExitStack() as stack:
        wait_until(lambda: children_of(other.pid, b"sleep"))
        stack.callback(os.kill, children_of(other.pid, b"sleep")[0], signal.SIGKILL)
        assert 0 < other.port != server.port
        goes_on(other)
        goes_on(server)
        assert read_answer(tell(other, bytes_of("/", host="collapsi.example"))).status == 421
        assert read_answer(tell(other, bytes_of("/", host=f"Localhost:{other.port}"))).status == 200
        for _, said in KINDS.values():
            tell(other, said)
        tell(other, bytes_of("/", "Upgrade: websocket", "Connection: upgrade, close"))
        waiting = stack.enter_context(other.connection())
        assert ask(waiting, f"{API}/deal", seed=7).status == 200
        half = stack.enter_context(other.socket())
        half.sendall(b"GET / HT")
        stack.enter_context(other.socket())
        asking(other, stack, JACKS)
        assert other.stop() in (0, 130)
        assert other.complaints() == ""
        with pytest.raises(ConnectionRefusedError), other.socket():
            pass


@pytest.mark.slow
@pytest.mark.parametrize("host", ["localhost", "127.1"])
def test_other_names_of_this_machine(tmp_path: Path, host: str) -> None:
    with running_server(tmp_path, "--host", host) as server:
        assert server.complaints() == ""
        assert read_answer(tell(server, bytes_of("/", host="collapsi.example"))).status == 421
        assert read_answer(tell(server, bytes_of("/", host=f"{host}:{server.port}"))).status == 200


# Anything


def real_positions() -> tuple[list[str], list[str]]:
    """Positions and games that a fuzzer would hardly find."""
    rng = random.Random(13)
    games = []
    for rules in FOR_TWO.values():
        # Whole deals of the Shifting Board take long to solve.
        for plies in (9, 10, 16) if rules.kind == "shifting" else (0, 1, 2, 6, 16):
            game = Game.start(deal(rng, rules))
            while game.position.moves and len(game.moves) < plies:
                game = game.play(rng.choice(game.position.moves))
            games.append(game)
    return [format_position(game.position) for game in games], [format_game(game) for game in games]


@pytest.fixture
def described(server: Server) -> Any:
    """The description of the API, with real positions as examples, so that most questions have an answer.

    Streams get a hundredth of a second.
    """
    description = server.get_json(f"{API}/openapi.json")
    positions, games = real_positions()
    known = {
        "position": positions,
        "game": games,
        "rules": [*CLASSIC_RULE_SETS, "shift-box"],
        "match": ["0-0", "9-4"],
        "move": ["a1", "b2", "d4"],
    }
    solo_games = ["A2X/3Jr2/A2A", "A2X/3Jr2/A2A b1 a1", "2AJr/A22/3XA closed b1", "222/AAJr/3XA c1"]
    endgames = ["..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big", "..../.2r../.Ab../.2.. r", "x big3"]
    matches = ["start", "0-0/0", "1-1/2/12+0", "9-4"]
    solo = {**known, "game": solo_games}
    big = {**known, "position": endgames, "game": [*endgames, f"{endgames[0]} c3"], "match": matches}
    big["rules"] = [*BIG_RULE_SETS]
    for name, path in description["paths"].items():
        examples = solo if "/solo/" in name else big if "/big/" in name else known
        for parameter in path.get("get", {}).get("parameters", []):
            if parameter["name"] in examples:
                parameter["schema"] = {"type": "string", "enum": examples[parameter["name"]]}
            elif parameter["name"] == "seconds":
                parameter |= {"schema": {"type": "number", "enum": [0.01]}, "required": True}
    return schemathesis.openapi.from_dict(description)


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_as_described(server: Server, described: Any, mode: GenerationMode) -> None:
    """Whatever is asked, in the right form or not: the answer is one that the description names."""
    seen: Counter[int] = Counter()
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) == len(QUESTIONS)
    each = 100 if settings.get_current_profile_name() == "explore" else 2
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and operation.path in (f"{API}/about", f"{API}/lessons"):
            continue  # it takes no parameters, so none can be wrong

        @settings(max_examples=each, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Any) -> None:
            answer = case.call_and_validate(server.address, checks=CHECKS, timeout=HANG_SECONDS)
            seen[answer.status_code] += 1

        check()
    assert seen[422] > each
    assert mode is not GenerationMode.POSITIVE or seen[200] > 7 * each


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    for path in ("/", f"{API}/deal", f"{API}/big/analysis"):
        answer = read_answer(tell(server, bytes_of(path, method=method)))
        assert answer.status == 405
        assert "GET" in re.split(r",\s*", answer.headers.get("allow", "")), path  # RFC 9110 asks for it


@pytest.fixture(scope="module")
def questions(server: Server) -> dict[str, list[str]]:
    """Every question and the names of its parameters."""
    paths = server.get_json(f"{API}/openapi.json")["paths"]
    return {
        path: [parameter["name"] for parameter in methods["get"].get("parameters", [])]
        for path, methods in paths.items()
        if "get" in methods
    }


@settings(max_examples=150)
@given(st.data())
def test_no_text_breaks_a_question(
    server: Server, questions: dict[str, list[str]], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(questions)))
    real = {"position": EXAMPLE, "game": EXAMPLE, "rules": "joker", "level": "2", "seed": "1", "move": "d1"}
    anything = st.text(st.characters(exclude_categories=["Cs"])) | st.text("AJ234.rb/01 abcd+-_%\x00\n")
    query = {}
    for name in questions[path]:
        value = data.draw(st.none() | anything | st.just(real.get(name, "0")), label=name)
        if value is not None:
            query[name] = value
    answer = server.get(path, **query)
    assert answer.status in (200, 404, 409, 422), answer.body
    if answer.status != 200:
        detail = json.loads(answer.body)["detail"]
        assert len(detail.splitlines()) == 1
        assert len(detail) < 300


def test_a_census_that_cannot_be_kept_says_why(server: Server) -> None:
    wait_until(lambda: server.get_json(f"{API}/census")["state"] != "working")
    last = server.get_json(f"{API}/census")
    assert last["state"] == "failed"
    assert last["reason"].startswith("cannot write to ")
    for answer in (server.get(f"{API}/deal", plies=7), server.get(f"{API}/census/deal", position=EXAMPLE)):
        assert answer.status == 409
        detail = json.loads(answer.body)["detail"]
        assert detail == f"the census of standard could not be taken: {last['reason']}"
    goes_on(server)


# Memory


def ask_much(server: Server, count: int, seed: int) -> None:
    """Mixed questions, right and wrong ones, each on a new deal so that nothing can be remembered."""
    rng = random.Random(seed)
    with server.connection() as connection:
        for number in range(count):
            position = format_position(deal(rng))
            kind = number % 10
            if kind < 3:
                answer = ask(connection, f"{API}/analysis", position=position)
            elif kind == 3:
                answer = ask(connection, f"{API}/analysis", position=f"{position} joker")
            elif kind == 4:
                answer = ask(connection, f"{API}/game", game=position)
            elif kind == 5:
                answer = ask(connection, f"{API}/computer-move", position=position, level="perfect")
            elif kind == 6:
                answer = ask(connection, f"{API}/drawing", position=position, values="true")
            elif kind == 7:
                answer = ask(connection, f"{API}/deal", winner="blue")
            elif kind == 8:
                answer = ask(connection, f"/nothing/{number}")
            else:
                answer = ask(connection, f"{API}/review", game=f"{position} {number}")
            assert answer.status == {8: 404, 9: 422}.get(kind, 200)
            if number % 100 == 0:  # new connections, some of them torn down
                with server.socket() as broken:
                    broken.sendall(bytes_of("/")[: number % 40])


def grows_by(server: Server, count: int, warm_up: int = 2000) -> int:
    """By how many bytes memory has grown after so many questions, not counting those that fill its caches."""
    ask_much(server, warm_up, seed=1)
    before = server.memory()
    ask_much(server, count, seed=2)
    return server.memory() - before


@pytest.mark.slow
def test_memory_does_not_grow(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        growth = grows_by(server, 100_000)
        goes_on(server)
    assert growth < MOST_GROWTH


CROSS = "Sec-Fetch-Site: cross-site"
VISIT = ("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")


@pytest.mark.parametrize(
    ("path", "lines", "status"),
    [
        (f"{API}/census", (CROSS, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"), 403),
        (f"{API}/census", (CROSS, "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"), 403),
        (f"{API}/census", (CROSS, *VISIT), 403),
        (f"{API}/census", ("Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"), 403),
        (f"{API}/census", ("Origin: http://collapsi.example",), 403),
        (f"{API}/census", ("Origin: null",), 403),
        (f"{API}/census", ("Referer: http://collapsi.example/page",), 403),
        (f"{API}/census", ("Referer: http://[broken",), 403),
        ("/", (CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"), 403),
        ("/js/main.js", (CROSS, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"), 403),
        ("/js/main.js", (CROSS, *VISIT), 403),
        ("/", (CROSS, *VISIT, "Referer: http://collapsi.example/page"), 200),
        (f"{API}/deal", ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"), 200),
        (f"{API}/deal", ("Sec-Fetch-Site: none", *VISIT), 200),
    ],
)
def test_another_sites_page_may_only_lead_here(
    server: Server, path: str, lines: tuple[str, ...], status: int
) -> None:
    assert read_answer(tell(server, bytes_of(path, *lines, "Connection: close"))).status == status
