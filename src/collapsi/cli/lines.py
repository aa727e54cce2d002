"""Read positions from arguments, a pipe or a terminal, line by line."""

from __future__ import annotations

import os
import queue
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from collapsi.core.errors import MalformedError
from collapsi.core.words import LONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_LINES = 4096
"""The largest batch: about a second of work."""

MOST_BYTES = 4 * LONGEST
"""The first bytes of a line that are stored; the rest is only counted."""


@dataclass(frozen=True)
class Line:
    """A line of input: its name in messages, its first bytes, and its length."""

    name: str
    content: bytes
    length: int

    def read(self) -> str:
        """Return the text of the line; raise `MalformedError` if it is too long or not text."""
        if self.length > MOST_BYTES:
            msg = (
                f"{self.length:,} bytes are too many for a position or game (at most {LONGEST:,} characters)"
            )
            raise MalformedError(msg)
        try:
            return self.content.decode()
        except UnicodeDecodeError as error:
            msg = f"byte {error.start + 1} is not UTF-8 ({self.content[error.start]:#04x})"
            raise MalformedError(msg) from None


def read_arguments(arguments: list[str]) -> list[Line]:
    """Return the arguments of a command as lines, with bytes that are not UTF-8 as they were typed."""
    contents = [argument.encode(errors="surrogateescape") for argument in arguments]
    return [
        Line(f"position {number}", content, len(content)) for number, content in enumerate(contents, start=1)
    ]


def read_line(stream: BinaryIO) -> Line | None:
    """Read the next line of a stream; return None at its end."""
    content, length = b"", 0
    while piece := _reading(lambda: stream.readline(MOST_BYTES)):
        content = (content + piece)[: MOST_BYTES + 1]
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return Line("line", content, length) if length else None


def read_stream(most: int) -> bytes:
    """Read standard input to its end; raise `MalformedError` if it is closed or longer than `most` bytes."""
    if sys.stdin is None:
        msg = "standard input is closed"
        raise MalformedError(msg)
    content = _reading(lambda: sys.stdin.buffer.read(most + 1))
    if len(content) > most:
        msg = f"standard input is longer than {most:,} bytes"
        raise MalformedError(msg)
    return content


def _reading(read: Callable[[], bytes]) -> bytes:
    """Call `read`; raise `MalformedError` if the stream cannot be read."""
    try:
        return read()
    except (OSError, ValueError) as error:  # a folder, a closed file
        msg = f"cannot read standard input: {getattr(error, 'strerror', None) or error}"
        raise MalformedError(msg) from None


def read_lines(stream: BinaryIO) -> Iterator[list[Line]]:
    """Yield the lines of a stream in batches: all lines that have arrived since the batch before.

    A person who types gets every answer at once, and a file is read in large batches.
    """
    # os.read on the descriptor: a thread that waits inside a buffered stream holds its lock, and Python
    # aborts at exit if it cannot get that lock (the reader of our output may stop at any time).
    descriptor = stream.fileno()
    arrived: queue.Queue[Line | BaseException | None] = queue.Queue(2 * MOST_LINES)

    def listen() -> None:
        try:
            for line in _lines(lambda: _reading(lambda: os.read(descriptor, 1 << 16))):
                arrived.put(line)
            arrived.put(None)
        except BaseException as error:  # noqa: BLE001  (raised again where the lines are used)
            arrived.put(error)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        batch: list[Line] = []
        entry = arrived.get()
        while isinstance(entry, Line):
            batch.append(entry)
            if len(batch) == MOST_LINES or arrived.empty():
                break
            entry = arrived.get()
        if batch:
            yield batch
        if isinstance(entry, BaseException):
            raise entry
        if entry is None:
            return


def _lines(read: Callable[[], bytes]) -> Iterator[Line]:
    """Split the pieces that `read` returns, until it returns none, into lines."""
    number, kept, length = 0, b"", 0
    while piece := read():
        *ended, rest = piece.split(b"\n")
        for content in ended:
            number += 1
            whole = (kept + content)[: MOST_BYTES + 1]
            yield Line(f"line {number}", whole, length + len(content))
            kept, length = b"", 0
        kept, length = (kept + rest)[: MOST_BYTES + 1], length + len(rest)
    if length:
        yield Line(f"line {number + 1}", kept, length)
