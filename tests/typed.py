"""Run commands in this process and return their output and exit code.

A process takes a quarter of a second to start, a command some milliseconds. What depends on the process, on
real streams, signals or what is loaded, is tested with the forms of the same names in `tests/test_cli.py`.
"""

from __future__ import annotations

import io
import sys
import tempfile
from subprocess import CompletedProcess

from collapsi import cli


def run(*arguments: str, stdin: bytes = b"") -> CompletedProcess[bytes]:
    """Run a command; its exit code and what it wrote."""
    written = io.BytesIO(), io.BytesIO()
    out, errors = (io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in written)
    kept = sys.stdin, sys.stdout, sys.stderr
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:  # the system is asked whether there is more
        given.buffer.write(stdin)
        given.seek(0)
        sys.stdin, sys.stdout, sys.stderr = given, out, errors
        try:
            code = cli.run(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        finally:
            sys.stdin, sys.stdout, sys.stderr = kept
    return CompletedProcess(list(arguments), code, *(stream.getvalue() for stream in written))


def ok(*arguments: str, stdin: bytes = b"") -> str:
    """What a command writes that must end well."""
    return answered(run(*arguments, stdin=stdin))


def refused(*arguments: str, stdin: bytes = b"") -> str:
    """What a command says that must end with exit code 2 and one line."""
    return complaint(run(*arguments, stdin=stdin))


def answered(done: CompletedProcess[bytes]) -> str:
    """What was written by a command that has ended well."""
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def complaint(done: CompletedProcess[bytes]) -> str:
    """The one line of a command that has ended with exit code 2."""
    assert done.returncode == 2
    message = done.stderr.decode()
    assert "Traceback" not in message
    assert message.count("\n") == 1
    assert message.startswith("collapsi: ")
    return message
