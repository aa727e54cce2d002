"""Atomic writes, folders with one writer at a time, and robust reads.

A file may be damaged or not a regular file: `read_file` and `read_json_file` do not block on a FIFO, have a
size limit, and raise only `OSError` (it cannot be read) or `ValueError` (its content is invalid).
"""

from __future__ import annotations

import errno
import importlib
import json
import math
import os
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from collapsi.core.errors import BusyError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedReader
    from types import TracebackType


def _optional_module(name: str) -> Any:
    """Import a module that some systems do not have, or return None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl = _optional_module("fcntl")  # POSIX
msvcrt = _optional_module("msvcrt")  # Windows

LOCK = ".collapsi-lock"

MOST_JSON_BYTES = 1 << 24
"""The size limit of a JSON file; our own files are far smaller."""

MOST_DIGITS = 300
"""The most digits of an integer in JSON, so that each of them fits a float."""


def cache_folder() -> Path:
    """Return the cache folder of this program for the current user. It may not exist yet."""
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "collapsi"
    try:
        home = Path.home()
    except RuntimeError:
        msg = "cannot find your home folder: set XDG_CACHE_HOME to a folder for the cache"
        raise OutputError(msg) from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "collapsi"


@contextmanager
def reporting_write_errors(place: Path | str) -> Iterator[None]:
    """Raise `OutputError` with the place in its message if a file inside cannot be written."""
    try:
        yield
    except OSError as error:
        msg = f"cannot write {place}: {error.strerror or os.strerror(error.errno or 0)}"
        raise OutputError(msg) from None


def check_writable(folder: Path) -> None:
    """Create a folder if needed, and raise if it is not writable: before long work, not after it."""
    with reporting_write_errors(f"to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink(missing_ok=True)  # the holder of the folder's lock may have removed it


def check_parent(path: Path) -> None:
    """Raise if the folder of a file does not exist: before long work, not after it."""
    if not path.absolute().parent.is_dir():
        msg = f"cannot write {path}: there is no such folder"
        raise OutputError(msg)


def check_replaceable(folder: Path, names: Iterable[str], what: str, *, force: bool) -> None:
    """Raise if a folder is not writable or, without `force`, has one of the files `names` already."""
    if not force and any((folder / name).exists() for name in names):
        msg = f"{folder} {what} already: add --force to replace it"
        raise OutputError(msg)
    check_writable(folder)


def check_disk_space(folder: Path, needed: int) -> None:
    """Raise if a disk has less than `needed` bytes free: before long work, not after it."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # not supported here
        return
    if free < needed:
        msg = f"cannot write to {folder}: it needs {needed / 1e6:.0f} MB, and {free / 1e6:.0f} MB are free"
        raise OutputError(msg)


def write_atomically(path: Path, content: bytes) -> None:
    """Write or replace a file in one step: readers see the old content or the new, never a part."""
    partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
    try:
        partial.write_bytes(content)
        replace_atomically(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def append(path: Path, content: bytes) -> None:
    """Append to a regular file, created if needed."""
    with os.fdopen(_open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as file:
        file.write(content)


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading. A FIFO, a device or a folder raises `OSError` at once."""
    return os.fdopen(_open_regular(path, os.O_RDONLY), "rb")


def _open_regular(path: Path, how: int) -> int:
    # Windows has no O_NONBLOCK, POSIX no O_BINARY.
    how |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, how, 0o666)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return descriptor


def read_file(path: Path, most: int = MOST_JSON_BYTES) -> bytes:
    """Read a regular file of at most `most` bytes; a larger one raises `ValueError`."""
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        msg = f"larger than {most:,} bytes"
        raise ValueError(msg)
    return content


def read_json_file(path: Path, most: int = MOST_JSON_BYTES) -> Any:
    """Read a JSON file that may be damaged."""
    return parse_json_text(read_file(path, most))


def parse_json_text(text: str | bytes) -> Any:
    """Parse JSON that may be damaged: every fault raises `ValueError`, and all numbers are finite.

    >>> parse_json_text('{"seconds": 1.5}')
    {'seconds': 1.5}
    >>> parse_json_text("[1e999]")
    Traceback (most recent call last):
    ValueError: 1e999 is too large a number
    """
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except RecursionError:
        msg = "nested too deeply"
    raise ValueError(msg)


def _no_number(name: str) -> NoReturn:
    msg = f"{name} is not a number"
    raise ValueError(msg)


def _float(text: str) -> float:
    if not math.isfinite(number := float(text)):
        msg = f"{text:.40} is too large a number"
        raise ValueError(msg)
    return number


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        msg = f"{text:.40} is too large a number"
        raise ValueError(msg)
    return int(text)


def replace_atomically(partial: Path, path: Path) -> None:
    """Rename a finished file to its final name after its content is on disk."""
    sync(partial)
    partial.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file is on disk, or a folder where the system supports that (Windows does not)."""
    if path.is_dir():
        with suppress(OSError):  # its files are on disk already: after a crash it has the old or the new one
            _sync(path, os.O_RDONLY)
    else:
        _sync(path, os.O_RDWR)  # Windows cannot sync a file opened for reading only


def _sync(path: Path, how: int) -> None:
    descriptor = os.open(path, how)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class FolderLock:
    """A lock on a folder for one writer at a time, released when its process ends for any reason.

    It is an operating-system lock on a file in the folder, which is removed on release; a file left behind by
    a killed process is not locked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / LOCK
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> None:
        """Acquire the lock, or renew it if the folder was removed meanwhile."""
        try:
            while not self._is_held():  # the last owner may have removed the file before we locked it
                self._close()
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
                if not _lock(self._descriptor):
                    self._close()
                    msg = f"another process is writing to {self.folder}: wait until it is done"
                    raise BusyError(msg)
        except OSError as error:
            self._close()
            msg = f"cannot write to {self.folder}: {error.strerror}"
            raise OutputError(msg) from None

    def release(self) -> None:
        """Release the lock and remove its file."""
        held = self._is_held()
        try:
            if held and fcntl:  # before unlocking, so that no other process locks a removed file
                with suppress(OSError):
                    self._path.unlink()
        finally:
            self._close()
        if held and not fcntl:  # Windows cannot remove an open file, so not one that another process locks
            with suppress(OSError):
                self._path.unlink()

    def _is_held(self) -> bool:
        """Return whether our locked file is still the one in the folder."""
        try:
            return self._descriptor is not None and os.path.samestat(
                os.fstat(self._descriptor), self._path.stat()
            )
        except OSError:
            return False

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int) -> bool:
    """Lock an open file exclusively without waiting; return whether that succeeded."""
    try:
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):  # locked by another process
            return False
        raise
    return True
