"""The command line: reads arguments and standard input, shows what the library says. No game logic here.

`positions`, `play`, `serve`, `census` and `atlas` hold the commands, `common` what they share.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from collapsi.cli.common import app, complain
from collapsi.errors import CollapsiError

# The order of the help text:
# isort: off
from collapsi.cli import positions, play, serve, census, atlas, solo
# isort: on

__all__ = ["app", "atlas", "census", "main", "play", "positions", "serve", "solo"]


def main() -> None:
    """Run the command; what the user gave wrong becomes one line and exit code 2."""
    if sys.stdout is None:
        complain("standard output is closed")
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a letter shows a question mark
    try:
        try:
            stopped = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _say_no_more()
    except CollapsiError as error:
        complain(str(error))
        sys.exit(2)
    except OSError as error:
        complain(
            f"cannot write: {error.strerror}" if error.strerror and error.filename is None else str(error)
        )
        _say_no_more()
        sys.exit(2)
    except SystemExit as stop:
        if not isinstance(
            stop.__context__, BrokenPipeError
        ):  # Typer's own answer to a closed pipe: exit code 1
            raise
        _say_no_more()
    except Exception as error:
        if not hasattr(
            error, "format_message"
        ):  # what Typer's usage errors have in common; their class is private
            raise
        complain(f"{error.format_message()} (see collapsi --help)")
        sys.exit(2)
    else:
        sys.exit(stopped)


def _say_no_more() -> None:
    """Nobody reads on (`head` has enough, a disk is full): let what is left go nowhere, also what Python flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
