"""The command `serve`: the page and its API."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.output import complain
from collapsi.system.extras import needs


@app.command(epilog=examples("serve", "serve --open", "serve --port 9000"))
def serve(
    *,
    host: Annotated[
        str, typer.Option(help="Address to listen on; the default is reachable from this machine only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 selects any free one.")] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page to play and analyse on, and its API."""
    from collapsi.system.files import cache_folder

    with needs("serve"):
        from collapsi.service import server

    bound = server.open_socket(host, port)
    address = server.address_of(bound)

    def ready() -> None:
        sys.stdout.write(f"ready: {address} (Ctrl-C stops)\n")
        sys.stdout.flush()
        if open_page:
            import threading
            import webbrowser

            # Some browsers return only when they are closed; the page must be served meanwhile.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if not server.is_loopback(bound):
        complain("warning: every machine that can reach this one can use the page")
    server.serve(bound, host, on_ready=ready, atlas_folder=cache_folder() / "atlas")
