"""Ask a program the questions of the exam: a position a line on its standard input, a move a line back.

All positions are written at once and the input is closed, so a program may answer each line or read all of
them first. A program that hangs, ends early, or writes anything but one move for each position is an error;
it is killed in the end in any case, with the processes that it started. A line that begins with `!` is an
error message of the program.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from collapsi.core.errors import CollapsiError
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO

    from collapsi.games.classic.position import Position
    from collapsi.study.exam.marking import Answer

MOST_CHARACTERS = 1000
"""In a line of a program's output."""

READER = "reader of a program"

LAST_SECONDS = 5.0
"""Time for a program to end after its last answer; it may still write a line too many."""


class ProgramError(CollapsiError):
    """A program that does not answer as it should."""


def ask_program(
    command: Sequence[str],
    positions: Sequence[Position],
    *,
    name: str,
    seconds: float,
    progress: Callable[[], None] = lambda: None,
) -> list[Answer]:
    """Return the answers of a program, one for each position; `progress` is called after each.

    `name` is that of the program in error messages, `seconds` the longest time between two answers.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal is for this process, which ends the other one
        )
    except (OSError, ValueError) as error:
        msg = f"cannot start {name}: {getattr(error, 'strerror', None) or error}"
        raise ProgramError(msg) from None
    assert process.stdin is not None  # pipes, as requested above
    assert process.stdout is not None
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    text = "".join(f"{position.text}\n" for position in positions).encode()
    writer = threading.Thread(target=_write, args=(process.stdin, text), daemon=True)
    reading = process.stdout, lines, len(positions) + 1
    reader = threading.Thread(target=_read, args=reading, name=READER, daemon=True)
    try:
        writer.start()
        reader.start()
        return _answers(process, lines, positions, name, seconds, progress)
    finally:
        _kill(process)
        reader.join(LAST_SECONDS)  # longer only if a process has escaped and holds the other end of the pipe


def _answers(
    process: subprocess.Popen[bytes],
    lines: queue.SimpleQueue[bytes | None],
    positions: Sequence[Position],
    name: str,
    seconds: float,
    progress: Callable[[], None],
) -> list[Answer]:
    """Read one answer for each position, and make sure that no more follow."""
    answers = []
    for number, position in enumerate(positions, start=1):
        place = f"position {number:,} of {len(positions):,} ({position.text})"
        try:
            line = lines.get(timeout=seconds)
        except queue.Empty:
            msg = f"{name} did not answer {place} within {seconds:g} seconds: does it flush its output?"
            raise ProgramError(msg) from None
        if line is None:
            msg = f"{name} ended {_ending(process)} instead of answering {place}"
            raise ProgramError(msg)
        answers.append(_read_answer(line, position, f"{name} answered {place}", name))
        progress()
    try:
        extra = lines.get(timeout=min(seconds, LAST_SECONDS))
    except queue.Empty:
        extra = None
    if extra is not None and extra.strip():
        msg = f"{name} wrote more lines than the {len(positions):,} answers, such as {_quoted(extra)}"
        raise ProgramError(msg)
    return answers


def _read_answer(line: bytes, position: Position, what: str, name: str) -> Answer:
    """Return the move of an answer, None if it is illegal; raise if it is no square of the board."""
    if len(line) > MOST_CHARACTERS:
        msg = f"{what} with more than {MOST_CHARACTERS:,} characters, not with a square such as d1"
        raise ProgramError(msg)
    text = line.decode(errors="replace").strip()
    if text.startswith("!"):
        msg = f"{name} failed: {text[1:].strip()}"
        raise ProgramError(msg)
    cell = position.board.cell(text.lower())
    if cell is None:
        msg = f"{what} with {shorten(text)}, not with a square such as d1"
        raise ProgramError(msg)
    return cell if cell in position.moves else None


def _quoted(line: bytes) -> str:
    return shorten(line[:MOST_CHARACTERS].decode(errors="replace"))


def _ending(process: subprocess.Popen[bytes]) -> str:
    """Describe how a program ended that has closed its output."""
    try:
        code = process.wait(LAST_SECONDS)
    except subprocess.TimeoutExpired:
        return "its output"
    return f"with exit code {code}" if code >= 0 else f"by signal {-code}"


def _write(stream: IO[bytes], text: bytes) -> None:
    """Write all positions, and close the stream; the program may end before it has read them."""
    with suppress(OSError):
        stream.write(text)
    with suppress(OSError):
        stream.close()


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None], most: int) -> None:
    """Put the lines of a program into a queue, at most `most`, and None at the end of its output."""
    rest, count = b"", 0
    with stream:
        while count < most and len(rest) <= MOST_CHARACTERS:
            chunk = os.read(stream.fileno(), 1 << 16)
            *whole, rest = (rest + chunk).split(b"\n")
            if not chunk:
                if rest:
                    lines.put(rest)
                lines.put(None)
                return
            for line in whole[: most - count]:
                lines.put(line)
            count += len(whole)
    lines.put(rest)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and the processes that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows
            process.kill()
    process.wait()
