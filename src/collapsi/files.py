"""Files written whole or not at all, in a folder that one process writes to at a time."""

from __future__ import annotations

import errno
import importlib
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from collapsi.errors import BusyError, OutputError

if TYPE_CHECKING:
    from types import TracebackType


def _if_there(name: str) -> Any:
    """A module that some systems do not have, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl = _if_there("fcntl")  # POSIX
msvcrt = _if_there("msvcrt")  # Windows

LOCK = ".collapsi-lock"


def cache_folder() -> Path:
    """Our folder where this user's programs keep what they can make again. It may not exist yet."""
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "collapsi"
    try:
        home = Path.home()
    except RuntimeError:
        msg = "cannot tell where your home folder is: name a folder in XDG_CACHE_HOME"
        raise OutputError(msg) from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "collapsi"


def check_writable(folder: Path) -> None:
    """Make a folder if need be, and refuse one where no file can be written: before long work, not after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink(missing_ok=True)  # whoever holds the folder's lock may have swept it away
    except OSError as error:
        msg = f"cannot write to {folder}: {error.strerror}"
        raise OutputError(msg) from None


def check_room(folder: Path, needed: int) -> None:
    """Refuse a disk that is too full for what is to be written: before long work, not after it."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # a system that does not say
        return
    if free < needed:
        msg = f"cannot write to {folder}: it needs {needed / 1e6:.0f} MB, and {free / 1e6:.0f} MB are free"
        raise OutputError(msg)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, or replace it, in one step: whoever looks sees the old content or the new."""
    partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
    try:
        partial.write_bytes(content)
        put_in_place(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def put_in_place(partial: Path, path: Path) -> None:
    """Give a finished file its name, once all of it is on the disk."""
    sync(partial)
    partial.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file is on the disk, or a folder where the system can tell (Windows cannot)."""
    if path.is_dir():
        with suppress(
            OSError
        ):  # what is in it is on the disk already: after a crash it holds the old or the new
            _sync(path, os.O_RDONLY)
    else:
        _sync(path, os.O_RDWR)  # Windows syncs no file that is open for reading only


def _sync(path: Path, how: int) -> None:
    descriptor = os.open(path, how)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class FolderLock:
    """A folder for one writer at a time. The lock goes with its process, however that ends.

    It is the system's lock on a file in the folder, which is removed again; a file that a killed process left
    is no lock.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / LOCK
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        self.hold()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()

    def hold(self) -> None:
        """Have the lock: take it, or take it again if somebody removed the folder meanwhile."""
        try:
            while not self._is_held():  # its last owner may have removed the file just before we locked it
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

    def free(self) -> None:
        """Let go of it."""
        held = self._is_held()
        if held and fcntl:  # first, so that nobody locks a file that is then removed
            with suppress(OSError):
                self._path.unlink()
        self._close()
        if (
            held and not fcntl
        ):  # Windows removes no open file, so neither ours nor one that another has locked
            with suppress(OSError):
                self._path.unlink()

    def _is_held(self) -> bool:
        """Whether the file that we have locked is the one that others would lock."""
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
    """Lock an open file for this process alone, at once or not at all."""
    try:
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in (
            errno.EAGAIN,
            errno.EACCES,
            errno.EDEADLK,
        ):  # as the systems say that another has it
            return False
        raise
    return True
