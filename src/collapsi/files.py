"""Files written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from collapsi.errors import OutputError


def cache_folder() -> Path:
    """Where this user's programs keep what they can make again: ours is a folder there. It may not exist yet."""
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named) / "collapsi"
    try:
        home = Path.home()
    except RuntimeError:
        msg = "cannot tell where your home folder is: name a folder in XDG_CACHE_HOME"
        raise OutputError(msg) from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "collapsi"


def check_writable(folder: Path) -> None:
    """Make a folder if need be, and refuse one where no file can be written: before long work, not after it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        msg = f"cannot write to {folder}: {error.strerror}"
        raise OutputError(msg) from None


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
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
