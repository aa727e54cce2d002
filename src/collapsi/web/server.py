"""The socket and its limits: what a connection may cost is decided here, before any request is looked at.

All questions are GETs without a body, so a request with a body is refused unread. A request's head must be complete
within seconds and a few kilobytes, and there are only so many connections: a slow or greedy client takes nothing from the others.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from collapsi.errors import OutputError
from collapsi.web.app import make_app

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable
    from pathlib import Path

HEAD_SECONDS = 10
HEAD_BYTES = 16_384
IDLE_SECONDS = 30
MOST_CONNECTIONS = 500

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}
"""Sent with every answer, the refusals of this module included."""


class Connection(HttpToolsProtocol):
    """A connection that gives up on clients who do not finish what they say."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and start the clock."""
        super().connection_made(transport)
        self._head_bytes = 0
        self._refused = False
        self._clock: asyncio.TimerHandle | None = None
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._start_clock()

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._clock:
            self._clock.cancel()
            self._clock = None

    def data_received(self, data: bytes) -> None:
        """Take what came, unless the head of the request grows too long."""
        if self._refused:
            return
        if self._clock is None:
            self._start_clock()
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self._refuse(b"431 Request Header Fields Too Large")
            return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """The head is there: the clock stops, and a body is not waited for."""
        self._stop_clock()
        self._head_bytes = 0
        names = dict(self.headers)
        if names.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in names:
            self._refuse(b"413 Content Too Large")
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Never kept."""

    def on_message_complete(self) -> None:
        """Pass it on, unless the request was refused and there is nothing to complete."""
        if not self._refused:
            super().on_message_complete()

    def _refuse(self, status: bytes) -> None:
        self._refused = True
        self._stop_clock()
        lines = [b"HTTP/1.1 " + status, b"connection: close", b"content-length: 0"]
        lines += [name + b": " + value for name, value in self.server_state.default_headers]
        self.transport.write(b"\r\n".join([*lines, b"", b""]))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_clock()
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
        bound.bind(address)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"cannot listen on {host}, port {port}: {reason} (another --port may be free)"
        raise OutputError(msg) from None
    return bound


def address_of(bound: socket.socket) -> str:
    """Where the page is found."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def only_for(hosts: set[str], app: Any) -> Callable[..., Awaitable[None]]:
    """The app for requests that were meant for these hosts.

    A foreign page can have its own host name resolved to this machine, and so read our answers as if they were its own; the name
    it must then send gives it away.
    """

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
            name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
            if name.strip("[]") not in hosts:
                await send(
                    {"type": "http.response.start", "status": 421, "headers": [(b"content-length", b"0")]}
                )
                await send({"type": "http.response.body", "body": b""})
                return
        await app(scope, receive, send)

    return guarded


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    bound: socket.socket, host: str, *, on_ready: Callable[[], None], atlas_folder: Path | None = None
) -> None:
    """Serve until interrupted."""
    app: Any = make_app(atlas_folder)
    if is_loopback(host):
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
    Server(config, on_ready).run(sockets=[bound])
