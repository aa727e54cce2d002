"""The command `site`: the page without a service. What it needs is loaded when it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from collapsi.cli.common import app, complain, example

WITHOUT = (
    "warning: the compiler for WebAssembly is not installed, so the page has the interpreted solver, which "
    'is slow: pip install "collapsi[site]" brings it, then make the page again'
)


OutOption = Annotated[Path, typer.Option(help="The folder to write: new, empty, or with an earlier page.")]
PyodideOption = Annotated[
    Path | None,
    typer.Option(help="A folder that has the npm package pyodide; otherwise it is fetched once and kept."),
]


@app.command(epilog=example("site --out page", "site --out page --pyodide node_modules/pyodide"))
def site(*, out: OutOption, pyodide: PyodideOption = None) -> None:
    """Write the page as a folder of files for any web host: it plays and solves in the browser."""
    from collapsi.site.build import build

    made = build(out, pyodide_folder=pyodide)
    if not made.compiled:
        complain(WITHOUT)
    sys.stdout.write(f"{made.folder}: {made.files} files, {made.size / 1e6:.1f} MB\n")
    sys.stdout.write(f"to look at it: python -m http.server --directory {made.folder}\n")
