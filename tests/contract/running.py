"""Run what `commands`, `requests` and `links` list, and write what came of it as text."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlencode

from tests.contract import commands, entry
from tests.contract.requests import PREFIX, REQUESTS, Request
from tests.contract.substitutions import fill_in, plain, secrets_of, unmeasured, unsigned
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.contract.commands import Sample

HERE = Path(__file__).parent
CLI, API, LINKS, OPENAPI = HERE / "cli", HERE / "api", HERE / "links.txt", HERE / "api" / "openapi.json"
WIDTH = 240
"""Of recorded JSON: a square of a board is one line."""
ENVIRONMENT = {"COLUMNS": "80", "LINES": "25", "TERM": "dumb", "NO_COLOR": "1"}
JSON, STREAM, PROBLEM = "application/json", "application/x-ndjson", "application/problem+json"


# Commands


@contextmanager
def empty_folder() -> Iterator[str]:
    """Work in a folder that holds nothing but the small atlas, with an empty cache, as on any machine."""
    kept, before = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = str(Path(name).resolve())
        shutil.copytree(HERE / commands.ATLAS, Path(folder) / commands.ATLAS)
        os.environ.update(ENVIRONMENT, XDG_CACHE_HOME=f"{folder}/cache")
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(kept)


def transcript(name: str) -> str:
    """All commands of a file with what they wrote and how they ended."""
    with empty_folder() as folder:
        version = entry.run_command("--version").stdout.decode().split()[-1] if name == "collapsi" else ""
        return "\n".join(_ran(sample, folder, version) for sample in commands.samples(name))


def _ran(sample: Sample, folder: str, version: str) -> str:
    done = entry.run_command(*sample.arguments, stdin=sample.stdin)
    big = any(map(_is_big, (*sample.arguments, sample.stdin)))
    parts = [f"$ {shlex.join(('collapsi', *sample.arguments))}\n"]
    parts += [f"< {line}\n" for line in sample.stdin.splitlines()]
    for sign, written in (("", done.stdout), ("! ", done.stderr)):
        shown = plain(written.decode(), folder, version, big=big)
        parts += [f"{sign}{line}".rstrip() + "\n" for line in shown.splitlines()]
    for file in sample.files:
        shown = plain((Path(folder) / file).read_text(encoding="utf-8"), folder, version, big=big)
        parts += [f"> {file}\n", *(f"> {line}\n" for line in shown.splitlines())]
    return "".join([*parts, f"[exit {done.returncode}]\n"])


def _is_big(text: str) -> bool:
    """Whether an argument names rules of the big board."""
    return any(word in commands.BIG for word in text.split())


# The service and the static page


class Answer(NamedTuple):
    """What came back for a request."""

    status: int
    media: str
    body: bytes


class Service:
    """The service in this process, asked through ASGI as a server would."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self._life = asyncio.ensure_future(self._app({"type": "lifespan"}, self._sent.get, self._said.put))
        await self._pass("startup")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pass("shutdown")
        await self._life

    async def _pass(self, stage: str) -> None:
        await self._sent.put({"type": f"lifespan.{stage}"})
        said = await self._said.get()
        assert said["type"] == f"lifespan.{stage}.complete", said

    async def ask(self, path: str, query: dict[str, str], method: str = "GET") -> Answer:
        """Ask until the service is no longer busy with starting its solvers."""
        async with asyncio.timeout(HANG_SECONDS):
            while (answer := await self._ask(path, query, method)).status == 503:
                await asyncio.sleep(0.2)
        return answer

    async def _ask(self, path: str, query: dict[str, str], method: str) -> Answer:
        body = b"" if method == "GET" else json.dumps(query).encode()
        waiting: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]
        said: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return waiting.pop() if waiting else await asyncio.Future()

        async def send(message: dict[str, Any]) -> None:
            said.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": urlencode(query).encode() if method == "GET" else b"",
            "headers": [(b"host", b"service")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        await self._app(scope, receive, send)
        start, *bodies = said
        media = dict(start["headers"]).get(b"content-type", b"").decode()
        return Answer(start["status"], media, b"".join(body.get("body", b"") for body in bodies))


class Asked(NamedTuple):
    """The description of the service, and its answers by path and request."""

    openapi: str
    answers: dict[tuple[str, Request], Answer]


def asked(*, slow: bool = False) -> Asked:
    """Ask the service everything: what is quick, or what is slow."""

    async def ask() -> Asked:
        answers: dict[tuple[str, Request], Answer] = {}
        room: dict[str, str] = {}
        with tempfile.TemporaryDirectory() as folder:
            async with Service(entry.make_app(Path(folder))) as service:
                described = json.loads((await service.ask(f"{PREFIX}/openapi.json", {})).body)
                described["info"]["version"] = "<version>"
                for path, requests in REQUESTS.items():
                    for request in requests:
                        if request.slow == slow and request.service:
                            answer = await _answered(service, path, fill_in(dict(request.query), room))
                            answers[path, request] = answer
                            if path == "rooms/new" and answer.status == 200:
                                made = json.loads(answer.body)
                                room = {**secrets_of(made), **room, **secrets_of(made, "last ")}
        ordered = json.loads(json.dumps(described, sort_keys=True))
        return Asked(pretty(ordered) + "\n", answers)

    return asyncio.run(ask())


async def _answered(service: Service, path: str, query: dict[str, str]) -> Answer:
    """The answer; to the census, when it has been taken."""
    while True:
        answer = await service.ask(f"{PREFIX}/{path}", query, entry.METHODS[path])
        if path.startswith("rooms/"):
            return answer
        working = answer.status == 200 and path == "census" and b'"working"' in answer.body
        if not working and (answer.status != 409 or b"could not be taken" in answer.body):
            return answer
        await asyncio.sleep(0.5)


def comparison(path: str, answers: Asked, *, slow: bool = False) -> str:
    """All requests to a path, with the answers of the service and of the static page."""
    entries = []
    for request in REQUESTS[path]:
        if request.slow != slow:
            continue
        found: dict[str, Any] = {"query": dict(request.query)}
        served = None
        if request.service:
            served = unsigned(path, shown(*answers.answers[path, request]))
            found["service"] = served
        status, media, text = entry.ask_site(path, urlencode(request.query))
        alone = shown(status, media, text.encode())
        found["static page"] = "the same" if _same(served, alone) else _briefly(path, served, alone)
        entries.append(found)
    return pretty({"path": f"{PREFIX}/{path}", "requests": entries}) + "\n"


def _same(served: dict[str, Any] | None, alone: dict[str, Any]) -> bool:
    """Whether two answers say the same; a refusal of the static page is the detail alone."""
    if served is None or served["status"] != alone["status"]:
        return False
    if served["media"] == PROBLEM:
        return bool(alone["body"] == {"detail": served["body"]["detail"]})
    return served == alone


def _briefly(path: str, served: dict[str, Any] | None, alone: dict[str, Any]) -> dict[str, Any]:
    """An answer of the static page; of what it offers only the fields that differ."""
    if path != "about" or served is None:
        return alone
    differs = {name: value for name, value in alone["body"].items() if served["body"].get(name) != value}
    return {"the same but for": differs}


def shown(status: int, media: str, body: bytes) -> dict[str, Any]:
    """An answer as it is written into a file: JSON as JSON, of a stream the last answer and the end."""
    text = body.decode()
    media = media.partition(";")[0]
    content: Any = text.splitlines()
    if media == STREAM:
        content = [unmeasured(json.loads(line)) for line in content[-2:]]
    elif media in (JSON, PROBLEM):
        content = json.loads(text)
    return {"status": status, "media": media, "body": content}


def pretty(value: Any, indent: int = 0) -> str:
    """JSON with everything that fits on a line on one line, fields in their own order.

    >>> print(pretty({"status": 200, "body": {"moves": ["a1", "b2"]}}))
    {"status": 200, "body": {"moves": ["a1", "b2"]}}
    """
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(part, indent + 2)}" for name, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + pretty(part, indent + 2) for part in value) + "\n" + " " * indent + "]"


# Names of files


def command_file(name: str) -> Path:
    """Where the output of a command is kept."""
    return CLI / f"{name.replace(' ', '-')}.txt"


def request_file(path: str, *, slow: bool = False) -> Path:
    """Where the answers of a path are kept."""
    return API / f"{path.replace('/', '-')}{'-slow' if slow else ''}.json"
