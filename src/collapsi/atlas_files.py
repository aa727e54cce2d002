"""The atlas's files: how they are written, and how it is known that they are what was written.

A folder with two files. `manifest.json` says what the atlas is and names the other, `deals-….parquet`, by
its content. The manifest is written last and replaced in one step, so at any moment the folder holds one
whole atlas: the old one or the new one. It seals the data with their hash, and itself with one: no bit can
change unnoticed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.errors import AtlasError, DamagedAtlasError, OutputError
from collapsi.extras import needs
from collapsi.files import FolderLock, check_room, check_writable, put_in_place, write_whole

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    Signature = tuple[int, int, int]

FORMAT = 2
"""Raised whenever manifest or columns change their meaning. Atlases of format 1 did not say so."""
MANIFEST = "manifest.json"
MOST_MANIFEST_BYTES = 1 << 16
ROW_GROUP = 1 << 16
ROOM = 40_000_000
"""The bytes that must be free for a new atlas beside the old one."""
OWN_NAME = re.compile(r"deals-([0-9a-f]{16})\.parquet")
LEFT_BEHIND = re.compile(r"\.partial-\d+\.parquet|\.partial-\d+-manifest\.json|\.probe-\d+")
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What Polars raises over files: it has its own words for a full disk, and its panics are no `Exception`."""


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0  # True is no number


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_steps(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and value == [steps for steps in (1, 2, 3, 4) if steps in value]
    )


def _is_hash(digits: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


FIELDS: dict[str, Callable[[Any], bool]] = {
    "format": _is_count,
    "rules": _is_text,
    "red_first": _is_steps,
    "blue_first": _is_steps,
    "version": _is_text,
    "rows": _is_count,
    "deals": _is_count,
    "columns": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "lengths": lambda value: isinstance(value, dict) and all(map(_is_count, value.values())),
    "file": lambda value: isinstance(value, str) and OWN_NAME.fullmatch(value) is not None,
    "bytes": _is_count,
    "sha256": _is_hash(64),
    "content_hash": _is_hash(16),
    "seal": _is_hash(64),
}
"""What a manifest says, in this order, and how to tell that it can be so."""


def seal(facts: Mapping[str, Any]) -> bytes:
    """The manifest that says so, as it is written: the last thing it says is the SHA-256 of the rest."""
    bare = {name: value for name, value in facts.items() if name != "seal"}
    digest = hashlib.sha256(_written(bare)).hexdigest()
    return _written({**bare, "seal": digest})


def _written(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, indent=2).encode() + b"\n"


def again(folder: Path, facts: Mapping[str, Any] | None = None) -> str:
    """What to do about an atlas that cannot be used, by the rules that it still says it was of."""
    facts = facts or {}
    rules = f" --rules {facts['rules']}" if facts.get("rules") in ("joker", "choice") else ""
    columns = facts.get("columns")
    games = " --games" if isinstance(columns, list) and "games" in columns else ""
    return f"make it again with collapsi census{rules}{games} --out {folder} --force"


def read_manifest(folder: Path) -> dict[str, Any]:
    """What the manifest of a folder says, if there is one, unchanged and of our format."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(MOST_MANIFEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        msg = f"there is no atlas in {folder}: make one with collapsi census --out {folder}"
        raise AtlasError(msg) from None
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise AtlasError(msg) from None
    try:
        facts = json.loads(content[:MOST_MANIFEST_BYTES])
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict):
        msg = f"{path} is damaged: it is no manifest; {again(folder)}"
        raise DamagedAtlasError(msg)
    written = facts.get("format", None if "seal" in facts else 1)
    if type(written) is int and written != FORMAT:
        age = "an older" if written < FORMAT else "a newer"
        formats = f"{age} format ({written}, and this program reads {FORMAT})"
        msg = f"{folder} holds an atlas of {formats}: {again(folder, facts)}"
        raise AtlasError(msg)
    _check_manifest(path, facts, content)
    return facts


def _check_manifest(path: Path, facts: dict[str, Any], content: bytes) -> None:
    if missing := [name for name in FIELDS if name not in facts]:
        fault = f"it does not say {', '.join(missing)}"
    elif wrong := [name for name, fits in FIELDS.items() if not fits(facts[name])]:
        fault = f"what it says of {', '.join(wrong)} cannot be"
    elif content != seal(facts):
        fault = "it has changed since it was written"
    elif facts["file"] != f"deals-{facts['sha256'][:16]}.parquet":
        fault = "the file that it names is not the one that it describes"
    else:
        return
    msg = f"{path} is damaged: {fault}; {again(path.parent, facts)}"
    raise DamagedAtlasError(msg)


def signature(path: Path) -> Signature | None:
    """What changes when a file is written or replaced; None for a file that is not there."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def read_data(folder: Path, facts: Mapping[str, Any]) -> bytes:
    """What is in the data file, if that is what was written.

    All of it is read before any is used: whatever becomes of the file later, no answer comes from damage.
    """
    path = folder / str(facts["file"])
    fault = "is damaged: its SHA-256 is not the manifest's"
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != facts["bytes"]:
                fault = "is damaged: its size is not the manifest's"
            elif hashlib.sha256(content := file.read()).hexdigest() == facts["sha256"]:
                return content
    except FileNotFoundError:
        fault = "is missing"
    except OSError as error:
        fault = f"cannot be read: {error.strerror}"
    msg = f"{path} {fault}; {again(folder, facts)}"
    raise DamagedAtlasError(msg)


@contextmanager
def claim(folder: Path, *, force: bool = False) -> Iterator[Claim]:
    """A folder in which we alone may write an atlas: held from before the long work until its end.

    What could not be written late is refused early: over an atlas, beside another writer, without room.
    """
    _check_free(folder, force=force)
    check_writable(folder)
    with FolderLock(folder) as lock:
        _check_free(folder, force=force)  # another may have written one just before we had the lock
        _sweep_up(folder)
        check_room(folder, ROOM)
        yield Claim(folder, lock)


def _check_free(folder: Path, *, force: bool) -> None:
    manifest = folder / MANIFEST
    if manifest.is_dir():
        msg = f"cannot write to {folder}: {MANIFEST} is a folder there"
        raise OutputError(msg)
    if not force and os.path.lexists(manifest):
        msg = f"{folder} holds an atlas already: add --force to replace it"
        raise AtlasError(msg)


class Claim:
    """A folder whose lock is ours."""

    def __init__(self, folder: Path, lock: FolderLock) -> None:
        self.folder = folder
        self._lock = lock

    def write(self, frame: pl.DataFrame, facts: Mapping[str, Any]) -> None:
        """Write rows and what is said of them, whole or not at all; of what was there the old atlas goes."""
        folder = self.folder
        check_writable(folder)
        self._lock.hold()  # still, unless somebody has removed the folder
        old = _named(folder)
        partial = folder / f".partial-{os.getpid()}.parquet"
        try:
            frame.write_parquet(partial, compression="zstd", row_group_size=ROW_GROUP, statistics=True)
            with partial.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            data = folder / f"deals-{digest[:16]}.parquet"
            found = {
                "format": FORMAT,
                **facts,
                "file": data.name,
                "bytes": partial.stat().st_size,
                "sha256": digest,
            }
            manifest = seal({name: found[name] for name in FIELDS if name != "seal"})
            put_in_place(partial, data)
            try:
                write_whole(folder / MANIFEST, manifest)
            except OSError:
                if data.name not in old:
                    data.unlink()
                raise
        except POLARS_ERRORS as error:
            reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
            msg = f"cannot write the atlas to {folder}: {reason}"
            raise AtlasError(msg) from None
        finally:
            with suppress(OSError):
                partial.unlink()
        for name in old - {data.name}:
            with suppress(OSError):  # where others still read it, the next writer sweeps it up
                (folder / name).unlink()


def _named(folder: Path) -> set[str]:
    """The data files that the manifest of a folder names, be it damaged or of another format."""
    try:
        with (folder / MANIFEST).open("rb") as file:
            text = file.read(MOST_MANIFEST_BYTES).decode(errors="replace")
    except OSError:
        return set()
    return {found.group() for found in OWN_NAME.finditer(text)}


def _sweep_up(folder: Path) -> None:
    """Remove what killed writers left: half files, and data that no manifest names; nothing else is ours."""
    named = _named(folder)
    with suppress(OSError):
        for path in folder.iterdir():
            known = OWN_NAME.fullmatch(path.name)
            if LEFT_BEHIND.fullmatch(path.name) or (
                known and path.name not in named and _is_ours(path, known[1])
            ):
                with suppress(OSError):
                    path.unlink()


def _is_ours(path: Path, digits: str) -> bool:
    """Whether a file has the content that it is named by: others may name theirs as they like."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest().startswith(digits)
    except OSError:
        return False
