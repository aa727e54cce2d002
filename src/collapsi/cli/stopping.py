"""Ctrl-C and closed or full streams: the program ends at once, with the right code and no traceback."""

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
"""The exit code after Ctrl-C, as in shells."""


def until_ctrl_c(work: Callable[[], int]) -> int:
    """Run `work` and return its exit code, or `INTERRUPTED` after Ctrl-C, whatever the work then raises.

    During the work Ctrl-C raises `KeyboardInterrupt`, so that unfinished files and progress bars are removed.
    Before (see `collapsi.__main__`) and after it, and the second time, Ctrl-C ends the program.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for a job in the background
        return work()
    interrupted = False

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        if is_importing(frame):  # nothing to clean up yet, and a half loaded library may print errors
            os._exit(INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    def unraisable(fault: sys.UnraisableHookArgs) -> None:
        if issubclass(fault.exc_type, KeyboardInterrupt):  # raised where Python ignores exceptions
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
    discard_output(sys.stdout)  # unread output must not delay the exit
    return INTERRUPTED


def is_importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported in this frame."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def discard_output(stream: TextIO | None) -> None:
    """Redirect further output, Python's own too, to the null device after a closed pipe or a full disk."""
    with suppress(AttributeError, OSError, ValueError):  # closed, or not a file
        descriptor = stream.fileno()  # type: ignore[union-attr]
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)


def fill_closed_streams() -> None:
    """Open the null device for closed standard streams: otherwise messages go into the next opened file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
