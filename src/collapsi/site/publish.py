"""Write a page to a folder that may have other files; at every moment the old or the new page is complete.

The assets go into a folder named after their content, so a new page never overwrites files of the old one.
Replacing `index.html` atomically then switches to the new page, and the old assets are removed.

`MANIFEST` lists the files of the page with their SHA-256. It is written before the first file, with the old
and the new files, and at the end with the new ones alone. So after an interrupted run the next one knows
which files it may replace or remove. It never touches other files.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import OutputError
from collapsi.system.files import FolderLock, read_json_file, replace_atomically, sync

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MANIFEST = ".collapsi-site.json"
STAGING = ".collapsi-partial"
"""A folder inside the page's folder for the file that is being written."""
FORMAT = 1
INDEX = "index.html"

Owned = dict[str, set[str]]
"""For each path the hashes of its possible contents: two after an interrupted run."""


def asset_folder(assets: Mapping[str, bytes]) -> str:
    """Return the name of the folder for assets, derived from their names and content."""
    whole = sha256()
    for name in sorted(assets):
        whole.update(name.encode() + b"\0" + sha256(assets[name]).digest())
    return f"collapsi-{whole.hexdigest()[:16]}"


def check_free(folder: Path, names: Iterable[str]) -> None:
    """Raise if one of the files to be written exists and is not from an earlier run."""
    if folder.exists() and not folder.is_dir():
        msg = f"{folder} is a file: name a folder"
        raise OutputError(msg)
    owned = _read_manifest(folder)
    for name in names:
        _check_free(folder, name, owned.get(name, set()))


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a page, replacing an earlier one.

    The order is: files in folders, then `INDEX`, then the other files at the top, such as the service worker,
    which must match the new `INDEX`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FolderLock(folder):
            _publish(folder, files)
    except OSError as error:
        msg = f"cannot write to {folder}: {error.strerror}"
        raise OutputError(msg) from None


def _publish(folder: Path, files: Mapping[str, bytes]) -> None:
    new: Owned = {name: {_hash(content)} for name, content in files.items()}
    owned = _read_manifest(folder)
    for name, hashes in new.items():
        _check_free(folder, name, owned.get(name, set()) | hashes)
    staging = folder / STAGING
    staging.mkdir(exist_ok=True)
    try:
        _write_manifest(folder, {name: owned.get(name, set()) | new.get(name, set()) for name in owned | new})
        for name in sorted(files, key=lambda name: ("/" not in name, name != INDEX, name)):
            if _hash_of(folder / name) not in new[name]:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                _replace(folder, name, files[name])
        for name, hashes in owned.items():
            if name not in new:
                _remove(folder, name, hashes)
        _write_manifest(folder, new)
    finally:
        with suppress(OSError):
            (staging / "file").unlink(missing_ok=True)
            staging.rmdir()
    sync(folder)


def _check_free(folder: Path, name: str, hashes: set[str]) -> None:
    path = folder / name
    foreign = _foreign_parent(folder, name)
    if foreign is None and (path.is_symlink() or path.exists()) and _hash_of(path) not in hashes:
        foreign = path
    if foreign is not None:
        msg = f"{foreign} is in the way and not from an earlier run: move it away, or name another folder"
        raise OutputError(msg)


def _foreign_parent(folder: Path, name: str) -> Path | None:
    """Return a link or file that takes the place of a folder inside `folder`, or None."""
    for parent in (folder / name).parents:
        if parent == folder:
            break
        if parent.is_symlink() or (parent.exists() and not parent.is_dir()):
            return parent
    return None


def _remove(folder: Path, name: str, hashes: set[str]) -> None:
    """Remove a file of an earlier run unless it was changed, and folders that become empty."""
    if _foreign_parent(folder, name):
        return
    if _hash_of(folder / name) in hashes:
        (folder / name).unlink()
    for parent in (folder / name).parents:
        if parent == folder:
            break
        if parent.is_dir() and not any(parent.iterdir()):
            parent.rmdir()


def _replace(folder: Path, name: str, content: bytes) -> None:
    """Write a file atomically."""
    partial = folder / STAGING / "file"
    partial.write_bytes(content)
    replace_atomically(partial, folder / name)


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()


def _hash_of(path: Path) -> str | None:
    """Return the hash of a regular file, or None for anything else."""
    return _hash(path.read_bytes()) if path.is_file() and not path.is_symlink() else None


def _read_manifest(folder: Path) -> Owned:
    path = folder / MANIFEST
    try:
        data: Any = read_json_file(path)
        if data["format"] == FORMAT:
            return {_inside(name): set(map(str, hashes)) for name, hashes in data["files"].items()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        msg = f"cannot read {path}: {error.strerror}"
        raise OutputError(msg) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    msg = f"{path} is damaged or from another version: name a new folder, or delete the page and this file"
    raise OutputError(msg)


def _inside(name: str) -> str:
    """Return a path from the manifest; raise if it leads out of the folder."""
    if not name or name.startswith("/") or "\\" in name or {"", ".", ".."} & set(name.split("/")):
        raise ValueError(name)
    return name


def _write_manifest(folder: Path, owned: Owned) -> None:
    listed = {name: sorted(owned[name]) for name in sorted(owned)}
    _replace(folder, MANIFEST, json.dumps({"format": FORMAT, "files": listed}, indent=1).encode() + b"\n")
