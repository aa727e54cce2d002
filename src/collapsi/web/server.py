"""The socket and its limits: what a connection may cost is decided here, before any request is looked at.

All questions are GETs without a body, so a request with a body is refused unread. A request's head must be
complete within seconds and a few kilobytes, an answer must be taken within seconds, and there are only so
many connections: those who say nothing go first. So a slow or greedy client takes nothing from the others.
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
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from collapsi.errors import OutputError
from collapsi.web.app import make_app, problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE_SECONDS = 10
HEAD_BYTES = 16_384
IDLE_SECONDS = 30
MOST_CONNECTIONS = 500
SWITCH_SECONDS = 0.0005
"""How long a thread that thinks may hold up the event loop: Python's own 5 ms are many answers' worth."""

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
"""Sent with every answer, the refusals of this module included."""


class Clock:
    """Hangs up when it has run for too long."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Let it run, if it does not yet."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._transport.abort)

    def stop(self) -> None:
        """Set it back."""
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Connection(HttpToolsProtocol):
    """A connection that gives up on clients who do not finish their request or do not take their answer."""

    held: ClassVar[dict[Connection, None]] = {}
    """Connections whose question was refused, and who wait to be told: their places go first."""
    silent: ClassVar[dict[Connection, None]] = {}
    """Connections that have not asked anything yet, the oldest first."""
    resting: ClassVar[dict[Connection, None]] = {}
    """Connections between two requests, the longest at rest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and start the clock."""
        super().connection_made(transport)
        self._head_bytes = 0  # of a head that is not complete yet
        self._heads = 0
        self._asking = Clock(transport)  # runs while a head is not complete
        self._taking = Clock(transport)  # runs while an answer is not taken
        self._asking.start()
        if len(self.connections) > MOST_CONNECTIONS:
            oldest = next(iter(self.held or self.silent or self.resting), self)
            oldest.leave()
            oldest.transport.abort()
        self.silent[self] = None

    def leave(self) -> None:
        """No longer among those who have nothing under way."""
        self.held.pop(self, None)
        self.silent.pop(self, None)
        self.resting.pop(self, None)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless the head of a request grows too long."""
        heads = self._heads
        self._asking.start()
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if heads == self._heads else 0
        if self._head_bytes > HEAD_BYTES:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """The head is there: the clock stops. What is too long or has a body is refused, in its turn."""
        self._asking.stop()
        self._heads += 1
        self.leave()
        names = dict(self.headers)
        app = self.app
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES:
            self.app = refusal(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of the request is too long"
            )
        elif names.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in names:
            self.app = refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a request has no body here: all is in its address"
            )
        self.scope["extensions"] = {"collapsi": {"held": self.hold}}
        super().on_headers_complete()
        self.app = app

    def hold(self) -> None:
        """What it asked is refused, and it is told after a while."""
        self.held[self] = None

    def on_body(self, body: bytes) -> None:
        """Never kept."""

    def on_response_complete(self) -> None:
        """The next request, or silence."""
        super().on_response_complete()
        self.held.pop(self, None)
        if self.cycle.response_complete:
            self.resting[self] = None

    def pause_writing(self) -> None:
        """The client does not take its answer: not for long."""
        super().pause_writing()
        self._taking.start()

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._taking.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._asking.stop()
        self._taking.stop()
        self.leave()
        super().connection_lost(exc)


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets=sockets)
        if self.started:
            self.on_ready()


def open_socket(host: str, port: int) -> socket.socket:
    """A socket that is bound; port 0 is any free one."""
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
    """Where the page is found."""
    host, port = bound.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # all addresses: also this one
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def refusal(status: HTTPStatus, detail: str) -> Any:
    """An app that answers one thing and hangs up."""

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await problem(status, detail, {"connection": "close"})(scope, receive, send)

    return refuse


def only_for(hosts: set[str], app: Any) -> Any:
    """The app for requests that were meant for these hosts.

    A foreign page can have its own host name resolved to this machine, and so read our answers as if they
    were its own; the name it must then send gives it away.
    """
    stranger = refusal(HTTPStatus.MISDIRECTED_REQUEST, "this service answers only to the name it listens on")

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            named = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
            name, _, port = named[0].rpartition(":") if len(named) == 1 else ("", "", "")
            host = name if port.isdigit() else named[0] if named else ""
            if len(named) != 1 or host.strip("[]") not in hosts:
                await stranger(scope, receive, send)
                return
        await app(scope, receive, send)

    return guarded


def not_for_foreign_pages(app: Any) -> Any:
    """The app for everybody but other sites' pages, which may only lead here.

    A link to our page is followed; nothing else is answered.

    Whatever such a page has in it (a picture, a script, a frame, a form) is asked for by its reader's
    browser, from the reader's machine, and could start work here.
    """
    stranger = refusal(HTTPStatus.FORBIDDEN, "this service answers its own page, not those of others")

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            sent = dict(scope["headers"])
            if is_foreign(sent) and not (scope["path"] in ("/", "/index.html") and is_visit(sent)):
                await stranger(scope, receive, send)
                return
        await app(scope, receive, send)

    return guarded


def is_foreign(sent: dict[bytes, bytes]) -> bool:
    """Whether a browser says that another site's page, or another port's, has asked for this."""
    # "http://host:port/…" has the host behind its second slash; the origin of a page that hides it is "null".
    named = [sent[name].lower().split(b"/")[2:3] for name in (b"origin", b"referer") if name in sent]
    return sent.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin") or any(
        name != [sent.get(b"host", b"").lower()] for name in named
    )


def is_visit(sent: dict[bytes, bytes]) -> bool:
    """Whether somebody goes to a page, as a whole and not in a frame of another."""
    return (
        sent.get(b"sec-fetch-mode", b"navigate") == b"navigate"
        and sent.get(b"sec-fetch-dest", b"document") == b"document"
    )


class OnlyOurFaults(logging.Filter):
    """Lets exceptions of the service through, but not what strangers send, nor that they hung up."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write it."""
        if not self.server.started:
            return record.levelno >= logging.ERROR
        error = record.exc_info[1] if record.exc_info else None
        # Work that a shutdown cuts off is cancelled: no fault either.
        ours = error is not None and not isinstance(error, asyncio.CancelledError)
        return ours and "the handler is closed" not in str(error)


def is_loopback(bound: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ipaddress.ip_address(bound.getsockname()[0]).is_loopback


def serve(bound: socket.socket, host: str, *, on_ready: Callable[[], None], atlas_folder: Path) -> None:
    """Serve until interrupted."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # These are loaded in large pieces that no other thread can interrupt: before anybody waits for an answer.
    for library in ("numpy", "llvmlite.binding"):
        with suppress(ModuleNotFoundError):  # without a compiler there is nothing to be loaded
            importlib.import_module(library)
    app: Any = not_for_foreign_pages(make_app(atlas_folder))
    if is_loopback(bound):
        app = only_for({"localhost", "127.0.0.1", "::1", host.lower()}, app)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        headers=list(HEADERS.items()),
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=3,
    )
    server = Server(config, on_ready)
    handler = logging.StreamHandler()
    handler.addFilter(OnlyOurFaults(server))
    logging.getLogger("uvicorn.error").addHandler(handler)
    server.run(sockets=[bound])
    if not server.started:
        msg = "the service could not be started"
        raise OutputError(msg)
