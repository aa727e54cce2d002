"""The newest finished layer on disk, so that an interrupted sweep can continue.

Each layer is one file: a header line of JSON, the values, and the SHA-256 of both. Files are written
atomically, and used only if the hash is right and the header is the one that this program would write. When a
layer is written, the previous one is removed; so there are two for a moment and one otherwise.
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

from collapsi.census.rotate.shapes import CARDS, layers
from collapsi.core.errors import OutputError
from collapsi.system.files import (
    FolderLock,
    cache_folder,
    check_writable,
    open_regular,
    parse_json_text,
    replace_atomically,
)

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from collapsi.census.rotate.shapes import Layer

log = logging.getLogger("collapsi")

FORMAT = 1
PIECE = 1 << 24
"""Bytes that are hashed and written or read at a time."""
LAYER_NAME = re.compile(r"layer-(\d{2})\.values")
LEFTOVER_NAME = re.compile(r"\.partial-\d+-layer-\d{2}\.values")


def layer_store_folder() -> Path:
    """Return the default folder of the store."""
    return cache_folder() / "shift-rotate-layers"


@dataclass
class ElapsedTime:
    """Time of a sweep, over all its runs."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0


class LayerStore:
    """A folder with the newest finished layer, locked for one sweep at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FolderLock(folder)
        self._before = ElapsedTime()
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def __enter__(self) -> Self:
        check_writable(self.folder)
        self._lock.acquire()
        for path in self._files(LEFTOVER_NAME):  # of a process that was killed while writing
            path.unlink(missing_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
        with suppress(OSError):  # stays if it holds a layer
            self.folder.rmdir()

    @property
    def elapsed(self) -> ElapsedTime:
        """The time so far, earlier runs included."""
        return ElapsedTime(
            self._before.seconds + time.perf_counter() - self._wall,
            self._before.cpu_seconds + time.process_time() - self._cpu,
        )

    def newest(self) -> int | None:
        """Return the number of cards of the newest layer, or None."""
        found = [int(path.name[6:8]) for path in self._files(LAYER_NAME)]
        return max((cards for cards in found if cards in CARDS), default=None)

    def size(self) -> int:
        """Return the bytes in use."""
        return sum(path.stat().st_size for path in self._files(LAYER_NAME))

    def check_disk_space(self) -> int:
        """Return the bytes that the store may still need; raise `OutputError` if they are not free."""
        needed = max_disk_bytes() - self.size()
        try:
            free = shutil.disk_usage(self.folder).free
        except OSError:  # not reported by the system
            return needed
        if free < needed:
            msg = (
                f"finished layers need {needed / 1e9:.1f} GB in {self.folder}, but only {free / 1e9:.1f} GB "
                "are free: free some space, or do not store them (--no-keep)"
            )
            raise OutputError(msg)
        return needed

    def write(self, layer: Layer, values: Any) -> None:
        """Write a layer atomically, and then remove the previous ones."""
        path = self._path(layer.cards)
        partial = path.with_name(f".partial-{os.getpid()}-{path.name}")
        elapsed = self.elapsed
        line = _header(layer, elapsed)
        digest = hashlib.sha256(line)
        try:
            with partial.open("wb") as file:
                file.write(line)
                for piece in _pieces(values):
                    digest.update(piece)
                    file.write(piece)
                file.write(digest.digest())
            replace_atomically(partial, path)
        except OSError as error:
            log.warning(
                "collapsi: warning: the layer of %d cards cannot be stored (%s)", layer.cards, error.strerror
            )
            return
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
        for old in self._files(LAYER_NAME):
            if old != path:
                old.unlink(missing_ok=True)

    def read(self, layer: Layer, values: Any) -> bool:
        """Read a layer into `values`. A damaged or foreign file is removed; then the result is False."""
        path = self._path(layer.cards)
        elapsed = self._read(path, layer, values)
        if elapsed is None:
            log.warning(
                "collapsi: warning: the stored layer of %d cards is damaged or of another version: "
                "starting from the beginning",
                layer.cards,
            )
            with suppress(OSError):  # a folder of that name stays
                path.unlink()
            return False
        self._before = elapsed
        return True

    def _read(self, path: Path, layer: Layer, values: Any) -> ElapsedTime | None:
        try:
            with open_regular(path) as file:
                line = file.readline(4096)
                digest = hashlib.sha256(line)
                for piece in _pieces(values):
                    if file.readinto(piece) != len(piece):
                        return None
                    digest.update(piece)
                if file.read() != digest.digest():
                    return None
            header = parse_json_text(line)
            elapsed = ElapsedTime(header["seconds"], header["cpu_seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return elapsed if line == _header(layer, elapsed) else None

    def clear(self) -> int:
        """Remove all layers; return their size in bytes."""
        size = self.size()
        for path in self._files(LAYER_NAME):
            path.unlink(missing_ok=True)
        return size

    def _path(self, cards: int) -> Path:
        return self.folder / f"layer-{cards:02}.values"

    def _files(self, name: re.Pattern[str]) -> list[Path]:
        """Return the files with matching names; other files in the folder are not ours."""
        try:
            return [path for path in self.folder.iterdir() if name.fullmatch(path.name)]
        except OSError:
            return []


def max_disk_bytes() -> int:
    """Return the greatest size on disk: two consecutive layers."""
    sizes = [layer.positions for _, layer in sorted(layers().walks.items())]
    return max(first + second for first, second in pairwise(sizes)) + (1 << 20)


def _header(layer: Layer, elapsed: ElapsedTime) -> bytes:
    """Return the header line of a file, which identifies the format and the shapes of the layer."""
    shapes = hashlib.sha256(np.array(list(layer.index), np.uint32).tobytes()).hexdigest()
    header = {
        "collapsi": "shift-rotate, values before a walk",
        "format": FORMAT,
        "cards": layer.cards,
        "shapes": shapes,
        "positions": layer.positions,
        "seconds": elapsed.seconds,
        "cpu_seconds": elapsed.cpu_seconds,
    }
    return json.dumps(header).encode() + b"\n"


def _pieces(values: Any) -> list[memoryview]:
    """Return views of an array of bytes, `PIECE` bytes each."""
    whole = memoryview(values.reshape(-1)).cast("B")
    return [whole[start : start + PIECE] for start in range(0, len(whole), PIECE)]
