"""Writing to the user: the console, tables, and messages on standard error."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console

from collapsi.cli.stopping import discard_output

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rich.table import Table

MAX_MESSAGE_CHARACTERS = 400
"""The middle of a longer message is left out."""


def new_console(pipe_width: int | None = None) -> Console:
    """Make a console for standard output; in a pipe lines are not wrapped, or at `pipe_width`."""
    console = Console(highlight=False, soft_wrap=True)
    if pipe_width is not None and not console.is_terminal:
        console.width = pipe_width
    return console


def say(console: Console, text: str) -> None:
    """Print plain text: square brackets are not markup."""
    console.print(text, markup=False)


def new_table(*columns: str, left: Collection[str] = (), no_wrap: bool = False) -> Table:
    """Make a table without lines; columns are aligned right, except those in `left`."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in columns:
        table.add_column(name, justify="left" if name in left else "right", no_wrap=no_wrap)
    return table


def print_table(console: Console, table: Table) -> None:
    """Print a table, in a pipe without trailing spaces."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as text:
        console.print(table)
    sys.stdout.write("\n".join(line.rstrip() for line in text.get().splitlines()) + "\n")


def print_json(data: Mapping[str, object]) -> None:
    """Print an object as one line of JSON."""
    sys.stdout.write(json.dumps(data) + "\n")


def complain(text: str) -> None:
    """Write one line to standard error; nothing happens if that is closed or full."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"collapsi: {one_line(text)}\n")
        sys.stderr.flush()
    except OSError:
        discard_output(sys.stderr)


def one_line(text: str) -> str:
    r"""Make a message that may quote user input printable, short, and free of line breaks.

    >>> print(one_line("no file \x1b[31m\n"), len(one_line("x" * 5000)))
    no file \x1b[31m\n 403
    """
    if len(text) > MAX_MESSAGE_CHARACTERS:
        half = MAX_MESSAGE_CHARACTERS // 2
        text = f"{text[:half]} … {text[-half:]}"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
