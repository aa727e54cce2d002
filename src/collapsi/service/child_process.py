"""A child process of the service that reads and writes lines, and a watch over it.

A child may die at any moment (the OOM killer, a crash) or be suspended. `receive` raises `DiedError` at the
end of its output, so no caller waits for a process that is gone. A suspended process would keep its pipes
open: the watch kills it. Each unexpected death is logged.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Self

CHECK_SECONDS = 1.0
"""How often the watch looks. A process that is found suspended twice in a row is killed."""
LONGEST_LINE = 1 << 20

log = logging.getLogger(__name__)


class DiedError(Exception):
    """The process ended before it had written a whole line."""


def is_suspended(pid: int) -> bool:
    """Whether a child is stopped by a signal (SIGSTOP, SIGTSTP); False where the system cannot tell."""
    if sys.platform == "win32" or not hasattr(os, "waitid"):  # macOS has it since Python 3.13
        return False
    with suppress(ChildProcessError):  # it has ended and was collected
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    return False


async def wait_or_kill(process: asyncio.subprocess.Process) -> bool:
    """Wait until a process ends, and kill it if it is suspended; whether that was done.

    Twice in a row, because a process of the terminal's group may be continued a moment after the server.
    """
    ended = asyncio.ensure_future(process.wait())
    was_suspended = killed = False
    try:
        while not ended.done():
            await asyncio.wait({ended}, timeout=CHECK_SECONDS)
            suspended = not ended.done() and is_suspended(process.pid)
            if suspended and was_suspended:
                killed = True
                _kill(process)
            was_suspended = suspended
    finally:
        ended.cancel()
    return killed


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:  # `process.kill` of asyncio before 3.13 may collect the exit code, and lose it
            os.kill(process.pid, signal.SIGKILL)


class ChildProcess:
    """A running Python module that answers lines with lines."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self._process = process
        self._name = name
        self._died = self._killed = False  # by itself, by `kill`
        self.ended = asyncio.create_task(self._log_death())
        """Done when the process has ended."""

    @classmethod
    async def start(cls, module: str, name: str) -> Self:
        """Start a module; `name` is what the log calls it."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module),
            stdin=pipe,
            stdout=pipe,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C in the terminal is for the server
        )
        return cls(process, name)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it is not known to have ended."""
        return self._process.returncode is None

    def post(self, line: bytes) -> None:
        """Send a line. If the process has ended, nothing happens here: `receive` raises."""
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):  # of a closed pipe; RuntimeError is uvloop's
            self._process.stdin.write(line)

    async def receive(self) -> bytes:
        """Return the next line that the process writes."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            self._died = True
            raise DiedError
        return line

    async def request(self, line: bytes) -> bytes:
        """Send a line and return the next line that the process writes."""
        self.post(line)
        return await self.receive()

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self.is_running:
            self._killed = not self._died
            _kill(self._process)

    async def _log_death(self) -> None:
        suspended = await wait_or_kill(self._process)
        if suspended:
            reason = "was suspended and has been killed"
        elif self._killed:
            return
        else:
            reason = f"ended unexpectedly ({describe_exit(self._process.returncode or 0)})"
        log.warning(
            "collapsi: the process %d for %s %s: the next question starts a new one",
            *(self.pid, self._name, reason),
        )


def describe_exit(code: int) -> str:
    """An exit code in words.

    >>> describe_exit(1), describe_exit(-9)
    ('exit code 1', 'SIGKILL')
    """
    if code < 0:
        with suppress(ValueError):  # a signal that Python has no name for
            return signal.Signals(-code).name
    return f"exit code {code}"
