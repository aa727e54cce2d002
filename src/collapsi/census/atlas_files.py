"""The files of an atlas: writing them atomically and verifying them.

An atlas is a folder with two files. `manifest.json` describes the atlas and names the other file,
`deals-….parquet`, by its hash. The manifest is written last and replaced atomically, so at any moment the
folder holds one complete atlas: the old one or the new one. It contains the hash of the data and a hash of
itself (`seal`), so that every change of either file is detected.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import AtlasError, CollapsiError, DamagedAtlasError, OutputError
from collapsi.games.classic.made_up import find_rules
from collapsi.games.classic.rules import STANDARD
from collapsi.system.extras import needs
from collapsi.system.files import (
    FolderLock,
    check_disk_space,
    check_writable,
    open_regular,
    parse_json_text,
    replace_atomically,
    write_atomically,
)

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    Signature = tuple[int, int, int]

FORMAT = 2
"""Incremented when a column or a field of the manifest changes its meaning; format 1 did not store it.

A new column does not change the format: it is missing in older atlases, which can still be read."""
MANIFEST = "manifest.json"
MOST_MANIFEST_BYTES = 1 << 16
ROW_GROUP = 1 << 16
REQUIRED_FREE_BYTES = 40_000_000
"""Free disk space for a new atlas while the old one exists."""
DATA_NAME = re.compile(r"deals-([0-9a-f]{16})\.parquet")
LEFTOVER_NAME = re.compile(r"\.partial-\d+\.parquet|\.partial-\d+-manifest\.json|\.probe-\d+")
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What Polars raises for files: its own errors for a full disk, and panics, which are no `Exception`."""


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
    "file": lambda value: isinstance(value, str) and DATA_NAME.fullmatch(value) is not None,
    "bytes": _is_count,
    "sha256": _is_hash(64),
    "content_hash": _is_hash(16),
    "seal": _is_hash(64),
}
"""The fields of a manifest in their order, each with a check of its value."""


def seal(facts: Mapping[str, Any]) -> bytes:
    """Return the text of a manifest; its last field is the SHA-256 of the others."""
    bare = {name: value for name, value in facts.items() if name != "seal"}
    digest = hashlib.sha256(_to_json_bytes(bare)).hexdigest()
    return _to_json_bytes({**bare, "seal": digest})


def _to_json_bytes(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, indent=2).encode() + b"\n"


def rebuild_hint(folder: Path, facts: Mapping[str, Any] | None = None) -> str:
    """Return the command that makes an unusable atlas again, with its rules as far as they can be read."""
    facts = facts or {}
    columns = facts.get("columns")
    games = " --games" if isinstance(columns, list) and "games" in columns else ""
    rules = _rules_option(facts.get("rules"))
    return f"make it again with collapsi census{rules}{games} --out {folder} --force"


def _rules_option(name: Any) -> str:
    """Return the option of `collapsi census` for the rules of an atlas; none for the default or no rules."""
    try:
        rules = find_rules(name) if isinstance(name, str) else None
    except CollapsiError:
        rules = None
    return "" if rules in (None, STANDARD) else f" --rules {shlex.quote(str(rules))}"


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder; raise an error if it is missing, changed or of another format."""
    path = folder / MANIFEST
    try:
        with open_regular(path) as file:
            content = file.read(MOST_MANIFEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        msg = f"there is no atlas in {folder}: make one with collapsi census --out {folder}"
        raise AtlasError(msg) from None
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise AtlasError(msg) from None
    try:
        facts = parse_json_text(content[:MOST_MANIFEST_BYTES])
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        msg = f"{path} is damaged: it is no manifest; {rebuild_hint(folder)}"
        raise DamagedAtlasError(msg)
    written = facts.get("format", None if "seal" in facts else 1)
    if type(written) is int and written != FORMAT:
        age = "an older" if written < FORMAT else "a newer"
        formats = f"{age} format ({written}, and this program reads {FORMAT})"
        msg = f"{folder} holds an atlas of {formats}: {rebuild_hint(folder, facts)}"
        raise AtlasError(msg)
    _check_manifest(path, facts, content)
    return facts


def _check_manifest(path: Path, facts: dict[str, Any], content: bytes) -> None:
    if missing := [name for name in FIELDS if name not in facts]:
        fault = f"fields are missing: {', '.join(missing)}"
    elif wrong := [name for name, fits in FIELDS.items() if not fits(facts[name])]:
        fault = f"fields have impossible values: {', '.join(wrong)}"
    elif content != seal(facts):
        fault = "it has changed since it was written"
    elif facts["file"] != f"deals-{facts['sha256'][:16]}.parquet":
        fault = "the file that it names is not the one that it describes"
    else:
        return
    msg = f"{path} is damaged: {fault}; {rebuild_hint(path.parent, facts)}"
    raise DamagedAtlasError(msg)


def signature(path: Path) -> Signature | None:
    """Return a value that changes when a file is written or replaced; None for a missing file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


def read_data(folder: Path, facts: Mapping[str, Any]) -> bytes:
    """Return the content of the data file, verified by its hash.

    The whole file is read before any of it is used, so that later damage cannot affect an answer.
    """
    path = folder / str(facts["file"])
    fault = "is damaged: its SHA-256 is not the manifest's"
    try:
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_size != facts["bytes"]:
                fault = "is damaged: its size is not the manifest's"
            elif hashlib.sha256(content := file.read()).hexdigest() == facts["sha256"]:
                return content
    except FileNotFoundError:
        fault = "is missing"
    except OSError as error:
        fault = f"cannot be read: {error.strerror}"
    msg = f"{path} {fault}; {rebuild_hint(folder, facts)}"
    raise DamagedAtlasError(msg)


@contextmanager
def open_writer(folder: Path, *, force: bool = False) -> Iterator[AtlasWriter]:
    """Lock a folder for writing an atlas, from before the long computation until the file is written.

    Fails early if the folder has an atlas already (without `force`), another process writes to it, or the
    disk has too little space.
    """
    _check_free(folder, force=force)
    check_writable(folder)
    with FolderLock(folder) as lock:
        _check_free(folder, force=force)  # another process may have written one before we got the lock
        _remove_leftovers(folder)
        check_disk_space(folder, REQUIRED_FREE_BYTES)
        yield AtlasWriter(folder, lock)


def _check_free(folder: Path, *, force: bool) -> None:
    manifest = folder / MANIFEST
    if manifest.is_dir():
        msg = f"cannot write to {folder}: {MANIFEST} is a folder there"
        raise OutputError(msg)
    if not force and os.path.lexists(manifest):
        msg = f"{folder} holds an atlas already: add --force to replace it"
        raise AtlasError(msg)


class AtlasWriter:
    """Writes an atlas to a folder that this process has locked."""

    def __init__(self, folder: Path, lock: FolderLock) -> None:
        self.folder = folder
        self._lock = lock

    def write(self, frame: pl.DataFrame, facts: Mapping[str, Any]) -> None:
        """Write the rows and their manifest atomically, and remove the old atlas."""
        folder = self.folder
        check_writable(folder)
        self._lock.acquire()  # again, in case the folder has been removed
        old = _data_files_in_manifest(folder)
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
            replace_atomically(partial, data)
            try:
                write_atomically(folder / MANIFEST, manifest)
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
            with suppress(OSError):  # still open in another process: the next writer removes it
                (folder / name).unlink()


def remove_atlas(folder: Path) -> None:
    """Remove the files of an atlas, and the folder if it holds nothing else."""
    with FolderLock(folder):
        data = _data_files_in_manifest(folder)
        (folder / MANIFEST).unlink()  # first: from now on the folder holds no atlas
        for name in data:
            (folder / name).unlink(missing_ok=True)
        _remove_leftovers(folder)
    with suppress(OSError):  # the folder has other files
        folder.rmdir()


def _data_files_in_manifest(folder: Path) -> set[str]:
    """Return the data files that a manifest names, even if it is damaged or of another format."""
    try:
        with open_regular(folder / MANIFEST) as file:
            text = file.read(MOST_MANIFEST_BYTES).decode(errors="replace")
    except OSError:
        return set()
    return {found.group() for found in DATA_NAME.finditer(text)}


def _remove_leftovers(folder: Path) -> None:
    """Remove partial files of killed writers, and data files of ours that no manifest names; nothing else."""
    named = _data_files_in_manifest(folder)
    with suppress(OSError):
        for path in folder.iterdir():
            known = DATA_NAME.fullmatch(path.name)
            if LEFTOVER_NAME.fullmatch(path.name) or (
                known and path.name not in named and _is_ours(path, known[1])
            ):
                with suppress(OSError):
                    path.unlink()


def _is_ours(path: Path, digits: str) -> bool:
    """Whether a file has the hash in its name; a foreign file may have such a name by chance."""
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest().startswith(digits)
    except OSError:
        return False
