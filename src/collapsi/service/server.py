"""The socket of the service, its limits and its guards.

Only the few requests that change something (POST) have a body, a short JSON object; any other request with a
body is refused unread, and so is one with a long head. Requests for other hosts and from foreign pages are
refused. This is a server for one's own machine: a public host puts a proxy in front of it, which handles slow
and greedy clients.
"""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import logging
import socket
import sys
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from collapsi.api.question import JSON
from collapsi.api.questions import QUESTIONS
from collapsi.core.errors import OutputError
from collapsi.service.app import make_app, problem
from collapsi.service.routes import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD_BYTES = 16_384
BODY_BYTES = 4_096
"""The longest body is a signed game."""
CHANGING = {f"{PREFIX}/{path}" for path, question in QUESTIONS.items() if question.method == "POST"}
IDLE_SECONDS = 30
MOST_CONNECTIONS = 800
"""With more connections, requests are refused."""
SWITCH_SECONDS = 0.0005
"""How long a thread may delay the event loop: Python's default of 5 ms is many answers' worth."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}
"""Sent with every response."""


class Connection(HttpToolsProtocol):
    """A connection with limits that uvicorn lacks: on silence at its start, and on the size of heads."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Close the connection if nothing is sent."""
        super().connection_made(transport)
        self._head_bytes = 0  # of a head that is not complete yet
        self._heads = 0
        self.timeout_keep_alive_task = self.loop.call_later(IDLE_SECONDS, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Close the connection if the head of a request grows too long."""
        heads = self._heads
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if heads == self._heads else 0
        if self._head_bytes > HEAD_BYTES:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """Count the heads."""
        self._heads += 1
        super().on_headers_complete()


class Server(uvicorn.Server):
    """A server that calls `on_ready` once it listens, and `on_stop` before it waits for open requests."""

    def __init__(
        self, config: uvicorn.Config, on_ready: Callable[[], None], on_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.on_ready = on_ready
        self.on_stop = on_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets=sockets)
        if self.started:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; requests that wait for a change in a room are answered at once."""
        self.on_stop()
        await super().shutdown(sockets=sockets)


def open_socket(host: str, port: int) -> socket.socket:
    """Bind a socket; port 0 is any free one."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(address)
            bound.listen()  # of two servers that come at once only one gets past this
        except OSError:
            bound.close()
            raise
    except UnicodeError:  # what Python calls names that no host can have
        msg = f"cannot listen on {host:.60}, port {port}: no host can have that name"
        raise OutputError(msg) from None
    except (OSError, OverflowError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"cannot listen on {host:.60}, port {port}: {reason} (another --port may be free)"
        raise OutputError(msg) from None
    return bound


def address_of(bound: socket.socket) -> str:
    """The URL of the page."""
    host, port = bound.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # all addresses: also this one
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def refusal(status: HTTPStatus, detail: str) -> Any:
    """An application that refuses every request and closes the connection."""

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await problem(status, detail, {"connection": "close"})(scope, receive, send)

    return refuse


TOO_LONG = refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of the request is too long")
HAS_BODY = refusal(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a request has no body here: everything is in its address"
)
LONG_BODY = refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {BODY_BYTES} bytes here")
NOT_JSON = refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the body of a request is JSON: send it as {JSON}")
FOREIGN_PAGE = refusal(HTTPStatus.FORBIDDEN, "this service answers its own page, not those of others")
FOREIGN_HOST = refusal(HTTPStatus.MISDIRECTED_REQUEST, "this service answers only to the name it listens on")


def guarded(app: Any, hosts: set[str] | None) -> Any:
    """The application behind the guards; `hosts` are the names it answers to, or None for any.

    A foreign page can have its own host name resolve to this machine, and so read our answers as its own; the
    Host header reveals it. Whatever a foreign page embeds (a picture, a script, a frame, a form) is requested
    by its reader's browser, from the reader's machine, and could start work here; only links to our page are
    followed. A form cannot send JSON, and a script of a foreign page may not without asking first (CORS), so
    what changes something must be JSON.
    """

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        chosen = app
        if scope["type"] == "http":
            sent = dict(scope["headers"])
            if len(scope["raw_path"]) + len(scope["query_string"]) + _size(scope["headers"]) > HEAD_BYTES:
                chosen = TOO_LONG
            elif refused := _refused_body(scope, sent):
                chosen = refused
            elif hosts is not None and _host(scope["headers"]) not in hosts:
                chosen = FOREIGN_HOST
            elif is_foreign(sent) and not (scope["path"] in ("/", "/index.html") and is_visit(sent)):
                chosen = FOREIGN_PAGE
        await chosen(scope, receive, send)

    return guard


def _refused_body(scope: Any, sent: dict[bytes, bytes]) -> Any:
    """The refusal of a request's body, or None."""
    length = sent.get(b"content-length", b"0")
    if scope["method"] != "POST" or scope["path"] not in CHANGING:
        return HAS_BODY if length != b"0" or b"transfer-encoding" in sent else None
    if sent.get(b"content-type", b"").split(b";")[0].strip().lower() != JSON.encode():
        return NOT_JSON
    fits = length.isdigit() and int(length) <= BODY_BYTES and b"transfer-encoding" not in sent
    return None if fits else LONG_BODY


def _size(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) for name, value in headers)


def _host(headers: list[tuple[bytes, bytes]]) -> str | None:
    """The host that a request names, without the port; None unless it names exactly one."""
    named = [value.decode("latin-1").lower() for name, value in headers if name == b"host"]
    if len(named) != 1:
        return None
    name, _, port = named[0].rpartition(":")
    return (name if port.isdigit() else named[0]).strip("[]")


def is_foreign(sent: dict[bytes, bytes]) -> bool:
    """Whether a browser states that a page of another site, or another port, caused the request."""
    # "http://host:port/…" has the host behind its second slash; the origin of a page that hides it is "null".
    named = [sent[name].lower().split(b"/")[2:3] for name in (b"origin", b"referer") if name in sent]
    return sent.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin") or any(
        name != [sent.get(b"host", b"").lower()] for name in named
    )


def is_visit(sent: dict[bytes, bytes]) -> bool:
    """Whether a browser opens the page itself, not in a frame."""
    return (
        sent.get(b"sec-fetch-mode", b"navigate") == b"navigate"
        and sent.get(b"sec-fetch-dest", b"document") == b"document"
    )


class OnlyOurFaults(logging.Filter):
    """Pass exceptions of the service, but not what clients send nor that they disconnect."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log a record."""
        if not self.server.started:
            return record.levelno >= logging.ERROR
        error = record.exc_info[1] if record.exc_info else None
        # Work that a shutdown cancels is no fault either.
        ours = error is not None and not isinstance(error, asyncio.CancelledError)
        return ours and "the handler is closed" not in str(error)


def is_loopback(bound: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ipaddress.ip_address(bound.getsockname()[0]).is_loopback


def serve(
    bound: socket.socket,
    host: str,
    *,
    on_ready: Callable[[], None],
    cache: Path,
    network_address: str | None = None,
) -> None:
    """Serve until interrupted. `cache` is the folder for atlases and the secret of rooms."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # These libraries load in large steps that block all threads, so they are loaded before any request.
    for library in ("numpy", "llvmlite.binding"):
        with suppress(ModuleNotFoundError):  # without a compiler they are not needed
            importlib.import_module(library)
    hosts = {"localhost", "127.0.0.1", "::1", host.lower()} if is_loopback(bound) else None
    app = make_app(cache / "atlas", secret_file=cache / "rooms.key", address=network_address)
    config = uvicorn.Config(
        guarded(app, hosts),
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        headers=list(HEADERS.items()),
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=3,
    )

    def stop() -> None:
        app.state.rooms.close()  # the app has made them when it started

    server = Server(config, on_ready, stop)
    handler = logging.StreamHandler()
    handler.addFilter(OnlyOurFaults(server))
    logging.getLogger("uvicorn.error").addHandler(handler)
    server.run(sockets=[bound])
    if not server.started:
        msg = "the service could not be started"
        raise OutputError(msg)
