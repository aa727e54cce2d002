"""The command `serve`: the page and the API. What it needs is loaded when it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from collapsi.cli.common import app, complain, example
from collapsi.extras import needs


@app.command(epilog=example("serve", "serve --open", "serve --port 9000"))
def serve(
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on; by default only this machine can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any free one.")] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page to play and analyse on, and the API behind it."""
    from collapsi.files import cache_folder

    with needs("serve"):
        from collapsi.web import server

    folder = cache_folder() / "atlas"

    bound = server.open_socket(host, port)
    address = server.address_of(bound)

    def ready() -> None:
        sys.stdout.write(f"ready: {address} (Ctrl-C stops)\n")
        sys.stdout.flush()
        if open_page:
            import threading
            import webbrowser

            # Some browsers only return when they are closed: the page shall be served meanwhile.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if not server.is_loopback(bound):
        complain("warning: everybody who can reach this machine can use this page")
    server.serve(bound, host, on_ready=ready, atlas_folder=folder)
