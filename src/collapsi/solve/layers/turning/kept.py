"""The newest finished layer on disk, so that a sweep that was broken off goes on from there.

One file a layer: a line that says what it is, the values, and the SHA-256 of both. A file has its name only
when all of it is on the disk, and is believed only if the hash is right and the line is what this program
would write. When a layer is written, the one before it goes; so there are two for a moment and one otherwise.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from collapsi.errors import OutputError
from collapsi.files import FolderLock, cache_folder, check_writable, put_in_place
from collapsi.solve.layers.turning.shapes import CARDS, layers

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from collapsi.solve.layers.turning.shapes import Layer

log = logging.getLogger("collapsi")

FORMAT = 1
PIECE = 1 << 24
"""Bytes that are hashed and written, or read, at a time."""
OWN_NAME = re.compile(r"layer-(\d{2})\.values")
LEFT_BEHIND = re.compile(r"\.partial-\d+-layer-\d{2}\.values")


def kept_folder() -> Path:
    """Where finished layers are kept unless somebody says otherwise."""
    return cache_folder() / "shift-rotate-layers"


@dataclass
class Spent:
    """The time that a sweep has taken, over all its runs."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Kept:
    """A folder with the newest finished layer, for one sweep at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FolderLock(folder)
        self._before = Spent()
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __enter__(self) -> Self:
        check_writable(self.folder)
        self._lock.hold()
        for path in self._own(LEFT_BEHIND):  # by a process that was killed while it wrote
            path.unlink(missing_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.free()
        with suppress(OSError):  # with a layer in it, it stays
            self.folder.rmdir()

    @property
    def spent(self) -> Spent:
        """The time so far, that of the runs before included."""
        return Spent(
            self._before.seconds + time.perf_counter() - self._wall,
            self._before.cpu_seconds + time.process_time() - self._cpu,
        )

    def newest(self) -> int | None:
        """The cards of the newest layer that is there, or None."""
        found = [int(path.name[6:8]) for path in self._own(OWN_NAME)]
        return max((cards for cards in found if cards in CARDS), default=None)

    def size(self) -> int:
        """The bytes that it takes now."""
        return sum(path.stat().st_size for path in self._own(OWN_NAME))

    def check_room(self) -> int:
        """The bytes that it may still take on disk; refuse a disk that is too full."""
        needed = most_bytes() - self.size()
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError:  # a system that does not say
            return needed
        if free < needed:
            msg = (
                f"finished layers need {needed / 1e9:.1f} GB in {self.folder}, and {free / 1e9:.1f} GB are "
                "free: make room, or keep none with --no-keep"
            )
            raise OutputError(msg)
        return needed

    def write(self, layer: Layer, values: Any) -> None:
        """Keep a layer, whole or not at all, and then forget the ones before it."""
        path = self._path(layer.cards)
        partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
        spent = self.spent
        line = _line(layer, spent)
        digest = hashlib.sha256(line)
        try:
            with partial.open("wb") as file:
                file.write(line)
                for piece in _pieces(values):
                    digest.update(piece)
                    file.write(piece)
                file.write(digest.digest())
            put_in_place(partial, path)
        except OSError as error:
            log.warning(
                "collapsi: warning: the layer of %d cards cannot be kept (%s)", layer.cards, error.strerror
            )
            return
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
        for old in self._own(OWN_NAME):
            if old != path:
                old.unlink(missing_ok=True)

    def read(self, layer: Layer, values: Any) -> bool:
        """Read a layer into its place. What is not as it was written is removed, and the answer is no."""
        path = self._path(layer.cards)
        spent = self._read(path, layer, values)
        if spent is None:
            log.warning(
                "collapsi: warning: the layer of %d cards that was kept is damaged or of another version: "
                "starting anew",
                layer.cards,
            )
            path.unlink(missing_ok=True)
            return False
        self._before = spent
        return True

    def _read(self, path: Path, layer: Layer, values: Any) -> Spent | None:
        try:
            with path.open("rb") as file:
                line = file.readline(4096)
                digest = hashlib.sha256(line)
                for piece in _pieces(values):
                    if file.readinto(piece) != len(piece):
                        return None
                    digest.update(piece)
                if file.read() != digest.digest():
                    return None
            said = json.loads(line)
            spent = Spent(said["seconds"], said["cpu_seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return spent if line == _line(layer, spent) else None

    def forget(self) -> int:
        """Remove all that is kept; how many bytes that was."""
        size = self.size()
        for path in self._own(OWN_NAME):
            path.unlink(missing_ok=True)
        return size

    def _path(self, cards: int) -> Path:
        return self.folder / f"layer-{cards:02}.values"

    def _own(self, name: re.Pattern[str]) -> list[Path]:
        """The files with such names: nothing else in the folder is ours."""
        try:
            return [path for path in self.folder.iterdir() if name.fullmatch(path.name)]
        except OSError:
            return []


def most_bytes() -> int:
    """The most that is on disk at a time: two layers that follow each other."""
    sizes = [layer.positions for _, layer in sorted(layers().walks.items())]
    return max(one + two for one, two in pairwise(sizes)) + (1 << 20)


def _line(layer: Layer, spent: Spent) -> bytes:
    """What a file says of itself: of another version, with other shapes, it would say something else."""
    shapes = hashlib.sha256(np.array(list(layer.index), np.uint32).tobytes()).hexdigest()
    said = {
        "collapsi": "shift-rotate, values before a walk",
        "format": FORMAT,
        "cards": layer.cards,
        "shapes": shapes,
        "positions": layer.positions,
        "seconds": spent.seconds,
        "cpu_seconds": spent.cpu_seconds,
    }
    return json.dumps(said).encode() + b"\n"


def _pieces(values: Any) -> list[memoryview]:
    """An array of bytes as views of some at a time."""
    whole = memoryview(values.reshape(-1)).cast("B")
    return [whole[start : start + PIECE] for start in range(0, len(whole), PIECE)]
