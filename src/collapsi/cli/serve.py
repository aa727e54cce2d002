"""The command `serve`: the page and its API."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.output import complain
from collapsi.system.extras import needs

EXPOSED = (
    "warning: every machine that can reach this one can use the page, and make rooms to play in. Nothing of "
    "yours can be read or changed through it, but it has no password and no encryption: use it in a network "
    "that you trust"
)


@app.command(epilog=examples("serve", "serve --open", "serve --host 0.0.0.0", "serve --port 9000"))
def serve(
    *,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on. The default is reachable from this machine only; 0.0.0.0 also from "
            "phones and computers in the same network."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 selects any free one.")] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page to play and analyse on, and its API."""
    from collapsi.system.files import cache_folder

    with needs("serve"):
        from collapsi.service import server
        from collapsi.service.network import network_address

    bound = server.open_socket(host, port)
    address = server.address_of(bound)
    network = network_address(bound)

    def ready() -> None:
        sys.stdout.write(f"ready: {address} (Ctrl-C stops)\n")
        if network is not None:
            sys.stdout.write(f"for phones and computers in the same network: {network}\n")
            if sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
                sys.stdout.write(qr_code(network))
        sys.stdout.flush()
        if open_page:
            import threading
            import webbrowser

            # Some browsers return only when they are closed; the page must be served meanwhile.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if not server.is_loopback(bound):
        complain(EXPOSED)
    server.serve(bound, host, on_ready=ready, cache=cache_folder(), network_address=network)


def qr_code(text: str) -> str:
    r"""A QR code for the terminal, two rows of modules in each line, white on black whatever its colours are.

    >>> qr_code("http://192.0.2.7:8000/").splitlines()[1]
    '\x1b[97;40m██ ▄▄▄▄▄ █▀▄▀   █ ▄█ ▄▄▄▄▄ ██\x1b[0m'
    """
    with needs("serve"):
        import segno
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=2)
    return "".join(f"\x1b[97;40m{line}\x1b[0m\n" for line in out.getvalue().splitlines() if line)
