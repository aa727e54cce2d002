"""The command line: reads arguments and standard input, shows what the library says. No game logic here.

`positions`, `play`, `puzzles`, `daily`, `strategy`, `drills`, `serve`, `census`, `lab`, `shifting`, `big`,
`atlas`, `study`, `solo` and `site` hold the commands, `common` what they share, `progress` the bar for long
work, `stopping` how the program ends.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

from collapsi.cli.common import app, complain
from collapsi.cli.stopping import INTERRUPTED, fill_closed_streams, say_no_more, until_ctrl_c
from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer import Typer

FIRST = "positions"
"""Whoever types one of its commands waits for the answer: it is loaded alone, and a quarter sooner."""
OTHERS = (
    "play",
    "puzzles",
    "daily",
    "strategy",
    "drills",
    "serve",
    "census",
    "lab",
    "shifting",
    "big",
    "atlas",
    "study",
    "solo",
    "site",
)
"""In the order of the help text."""


def load(arguments: Sequence[str] = ()) -> Typer:
    """The app with the commands that such arguments may mean: those for positions, or all there are."""
    import_module(f"collapsi.cli.{FIRST}")
    known = {command.callback.__name__ for command in app.registered_commands if command.callback}
    if not arguments or arguments[0] not in known:
        for name in OTHERS:
            import_module(f"collapsi.cli.{name}")
    return app


def main() -> None:
    """Run the command that was typed and end the program.

    The exit code is 0, or 2 for what was given wrong, or 130 after Ctrl-C.
    """
    fill_closed_streams()
    sys.exit(until_ctrl_c(lambda: run(sys.argv[1:])))


def run(arguments: list[str]) -> int:
    """The exit code of a command, when all that it wrote is written."""
    if sys.stdout is None:
        complain("standard output is closed")
        return 2
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a letter shows a question mark
    streams = sys.stdout, sys.stderr
    code = 0
    try:
        code = _command(arguments)
        if code != INTERRUPTED:
            sys.stdout.flush()
    except BrokenPipeError:
        say_no_more(sys.stdout)
    except SystemExit as stop:
        # Typer's own answer to a closed pipe: other streams, and exit code 1
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        sys.stdout, sys.stderr = streams
        say_no_more(sys.stdout)
    except OSError as error:
        complain(
            f"cannot write: {error.strerror}" if error.strerror and error.filename is None else str(error)
        )
        say_no_more(sys.stdout)
        code = 2
    return code


def _spaced(argument: str) -> str:
    """A position that begins with a gap, with a space before it: it would be taken for an option."""
    return f" {argument}" if re.match(r"-[-A234J.rb]*/", argument, re.IGNORECASE) else argument


def _command(arguments: list[str]) -> int:
    """The exit code of a command; what the user gave wrong becomes one line and exit code 2."""
    try:
        return load(arguments)(list(map(_spaced, arguments)) or ["--help"], standalone_mode=False) or 0
    except CollapsiError as error:
        complain(str(error))
    except MemoryError:
        complain("there is not enough memory")
    except Exception as error:
        if not hasattr(
            error, "format_message"
        ):  # what Typer's usage errors have in common; their class is private
            raise
        complain(f"{error.format_message()} (see collapsi --help)")
    return 2
