"""Ctrl-C and streams that are closed or full: the program ends at once, with the right code, no traceback."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells give it."""


def until_ctrl_c(work: Callable[[], int]) -> int:
    """The exit code of some work, or `INTERRUPTED` if Ctrl-C came, whatever else the work then raises.

    While the work goes on, Ctrl-C raises `KeyboardInterrupt`, so that half a file is removed and a bar wiped
    off. Before and after, and when it comes a second time, it ends the program where it is.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for a job in the background
        return work()
    interrupted = False

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        if is_importing(frame):  # nothing to tidy up yet, and a library half loaded may say much
            os._exit(INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    def unraisable(fault: sys.UnraisableHookArgs) -> None:
        if issubclass(fault.exc_type, KeyboardInterrupt):  # it came where Python lets no exception through
            os._exit(INTERRUPTED)
        if not interrupted:
            sys.__unraisablehook__(fault)

    sys.unraisablehook = unraisable
    try:
        signal.signal(signal.SIGINT, interrupt)
        code = work()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    except BaseException:
        if not interrupted:
            raise
    if not interrupted:
        return code
    say_no_more(sys.stdout)  # what nobody has read yet must not hold up the end
    return INTERRUPTED


def is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded at this point of the program."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def say_no_more(stream: TextIO | None) -> None:
    """Nobody reads on (`head` has enough, a disk is full): let what follows go nowhere, Python's own too."""
    with suppress(AttributeError, OSError, ValueError):  # closed, or no file at all
        there = stream.fileno()  # type: ignore[union-attr]
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, there)
        os.close(nowhere)


def fill_closed_streams() -> None:
    """Open the null device for a closed standard stream: else the next file opened gets its messages."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
