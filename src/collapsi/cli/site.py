"""The command `site`: the page without a service."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import out_option
from collapsi.cli.output import complain

NOT_COMPILED = (
    "warning: the compiler for WebAssembly is not installed, so the page uses the slow interpreted solver; "
    'run pip install "collapsi[site]" and make the page again'
)


@app.command(epilog=examples("site --out page", "site --out page --pyodide node_modules/pyodide"))
def site(
    *,
    out: Annotated[Path, out_option("the page")],
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The npm package pyodide; by default it is downloaded once and cached.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write the page as files for any web host; it solves in the browser.

    An earlier page in the folder is replaced; other files stay.
    """
    from collapsi.site.build import build

    made = build(out, pyodide_folder=pyodide)
    if not made.compiled:
        complain(NOT_COMPILED)
    sys.stdout.write(f"{made.folder}: {made.files} files, {made.size / 1e6:.1f} MB\n")
    sys.stdout.write(f"to view it: python -m http.server --directory {made.folder}\n")
