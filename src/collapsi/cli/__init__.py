"""The command line: reads arguments and standard input, prints what the library returns. No game logic.

`app` lists the commands; each has a module of its own name, and those about positions share `positions`.
`options` holds shared options, `output` printing, `lines` reading of positions, `answers` their answers,
`progress` bars for long work, `stopping` how the program ends.
"""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper

from collapsi.cli.app import app, load
from collapsi.cli.output import complain
from collapsi.cli.stopping import INTERRUPTED, discard_output, fill_closed_streams, until_ctrl_c
from collapsi.core.errors import CollapsiError

__all__ = ["load", "main", "run"]


def main() -> None:
    """Run the command in `sys.argv` and end the program.

    The exit code is 0, 2 for wrong input, or 130 after Ctrl-C; some commands use 1 for "not as it should be".
    """
    fill_closed_streams()
    sys.exit(until_ctrl_c(lambda: run(sys.argv[1:])))


def run(arguments: list[str]) -> int:
    """Run a command, flush its output, and return its exit code."""
    if sys.stdout is None:
        complain("standard output is closed")
        return 2
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # letters that the terminal cannot show
    streams = sys.stdout, sys.stderr
    code = 0
    try:
        code = _command(arguments)
        if code != INTERRUPTED:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)
    except SystemExit as stop:
        # Typer replaces the streams and exits with code 1 after a closed pipe.
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        sys.stdout, sys.stderr = streams
        discard_output(sys.stdout)
    except OSError as error:
        complain(
            f"cannot write: {error.strerror}" if error.strerror and error.filename is None else str(error)
        )
        discard_output(sys.stdout)
        code = 2
    return code


def _command(arguments: list[str]) -> int:
    """Run a command and return its exit code; wrong input gives one line on standard error and code 2."""
    try:
        return app(list(map(_spaced, arguments)) or ["--help"], standalone_mode=False) or 0
    except CollapsiError as error:
        complain(str(error))
    except MemoryError:
        complain("there is not enough memory")
    except Exception as error:
        if not hasattr(error, "format_message"):  # the class of Typer's usage errors is private
            raise
        complain(f"{error.format_message()} (see collapsi --help)")
    return 2


def _spaced(argument: str) -> str:
    """Put a space before a position that begins with a gap (-): it would be parsed as an option."""
    return f" {argument}" if re.match(r"-[-A234J.rb]*/", argument, re.IGNORECASE) else argument
