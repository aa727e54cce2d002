"""The static page, built once for many tests, and a plain file server."""

from __future__ import annotations

import functools
import http.server
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from collapsi.site import build
from tests import node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def made(folder: Path) -> build.Site:
    """The page, with the compiled solver; Pyodide comes from the cache folder, or is fetched."""
    node.required()
    site = build.build(folder)
    assert site.compiled
    return site


class StaticServer:
    """A plain file server, which can hold an answer back and leave files out."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.gates: dict[str, threading.Event] = {}
        """By the end of a path: what is only sent when its gate is open."""
        self.missing: set[str] = set()
        """Ends of paths that are not there."""


@contextmanager
def served(folder: Path) -> Iterator[StaticServer]:
    """A folder served as any web host would, without a thought."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            for end, gate in static.gates.items():
                if self.path.endswith(end):
                    gate.wait()
            if self.path.endswith(tuple(static.missing)):
                self.send_error(404)
            else:
                super().do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        static = StaticServer(f"http://127.0.0.1:{server.server_port}/")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield static
        server.shutdown()
        thread.join()
