"""Positions a line each, from arguments or a pipe: read as they come, named by number where they are bad."""

from __future__ import annotations

import os
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from collapsi.errors import MalformedError
from collapsi.notation import LONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_LINES = 4096
"""Lines of a batch at the most: a second's work."""

MOST_BYTES = 4 * LONGEST
"""Bytes kept of a line; the rest is counted only."""


@dataclass(frozen=True)
class Line:
    """A line of input: where it stands, its first bytes, and how long it was."""

    name: str
    content: bytes
    length: int

    def read(self) -> str:
        """The text of the line, or an error that says why there is none."""
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
    """The arguments of a command as lines; bytes that are not UTF-8 come back as they were typed."""
    contents = [argument.encode(errors="surrogateescape") for argument in arguments]
    return [
        Line(f"position {number}", content, len(content)) for number, content in enumerate(contents, start=1)
    ]


def read_line(stream: BinaryIO) -> Line | None:
    """The next line of a stream, for somebody who types; None at its end."""
    content, length = b"", 0
    while piece := _reading(lambda: stream.readline(MOST_BYTES)):
        content = (content + piece)[: MOST_BYTES + 1]
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return Line("line", content, length) if length else None


def _reading(read: Callable[[], bytes]) -> bytes:
    """What is read, or an error that says why nothing can be."""
    try:
        return read()
    except (OSError, ValueError) as error:  # a folder, a closed file
        msg = f"cannot read standard input: {getattr(error, 'strerror', None) or error}"
        raise MalformedError(msg) from None


def read_lines(stream: BinaryIO) -> Iterator[list[Line]]:
    """The lines of a stream in batches: each what has arrived by the time the one before is done.

    So a person who types gets every answer at once, and a file goes through in large batches.
    """
    # A file descriptor read with os.read: a thread that waits inside a buffered stream holds its lock, and
    # Python aborts at exit when it cannot get that lock (the reader of our answers may leave at any time).
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
    """Cut what `read` gives, piece by piece until it gives nothing, into lines."""
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
