"""A page without a service, written as a folder of plain files that any web host can show."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import collapsi
from collapsi.errors import CollapsiError, OutputError
from collapsi.extras import MissingExtraError
from collapsi.files import check_writable
from collapsi.site import pyodide, wasm
from collapsi.web import asked

PACKAGE = Path(collapsi.__file__).parent
OWN = Path(__file__).parent / "page"
FIRST_DEALS = 12
"""How many deals the page keeps, to show one before there is Python."""
LEFT_OUT = ("cli/", "report/", "solve/layers/", "web/page/", "site/page/")
"""Folders of the package that nothing in the browser asks for."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
HEAD = f"""<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="theme-color" content="#24594a">
<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">"""
CHANGES = {
    '<html lang="en">': '<html lang="en" data-alone>',
    '<meta charset="utf-8">': HEAD,
    '; programs may ask <a href="api/v1/openapi.json">the API</a>.': ".",
    "to ask the service for moves and values": "to work out moves and values",
}
"""How the page differs from that of the service."""
MANIFEST = {
    "name": "Collapsi, solved",
    "short_name": "Collapsi",
    "description": "Play Collapsi against opponents from beginner to perfect, see what every move is worth.",
    "start_url": ".",
    "scope": ".",
    "display": "standalone",
    "background_color": "#f4f1ea",
    "theme_color": "#24594a",
    "icons": [
        {"src": "icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
    ],
}
OFFLINE = "offline.js"
MARK = "collapsi.zip"
"""A folder that has this is one of ours, and may be replaced."""


class Site(NamedTuple):
    """A folder that was written."""

    folder: Path
    files: int
    size: int
    compiled: bool
    """Whether it has the compiled solver."""


def build(folder: Path, *, pyodide_folder: Path | None = None, compiled: bool = True) -> Site:
    """Write a page to a folder, which is new or holds one already; all of it or nothing."""
    _refuse_foreign(folder)
    files = {f"pyodide/{name}": content for name, content in pyodide.contents(pyodide_folder).items()}
    files |= _page()
    files[MARK] = library()
    if compiled:
        try:
            files["kernels.wasm"] = wasm.module()
        except MissingExtraError:
            compiled = False
    files[OFFLINE] = _offline(files)
    _write(folder, files)
    return Site(folder, len(files), sum(map(len, files.values())), compiled)


def _refuse_foreign(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        msg = f"{folder} is a file: name a folder"
        raise OutputError(msg)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).exists():
        msg = f"{folder} has other files: name a new folder, or an empty one"
        raise OutputError(msg)


def _page() -> dict[str, bytes]:
    """The service's page, and what it needs where there is no service."""
    page = PACKAGE / "web" / "page"
    files = {path.relative_to(page).as_posix(): path.read_bytes() for path in _files(page)}
    text = files["index.html"].decode()
    for old, new in CHANGES.items():
        if text.count(old) != 1:
            msg = f"the page has changed: it should have once {old}"
            raise CollapsiError(msg)
        text = text.replace(old, new)
    files["index.html"] = text.encode()
    files |= {path.name: path.read_bytes() for path in _files(OWN) if path.name != OFFLINE}
    files["js/alone.js"] = files.pop("alone.js")
    files["js/first.js"] = f"export const kept = {json.dumps(first_answers())};\n".encode()
    files["manifest.webmanifest"] = json.dumps(MANIFEST, indent=1).encode()
    return files


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def first_answers() -> dict[str, object]:
    """What the page is told before there is Python: what there is to choose from, and some deals."""
    rng = random.Random(FIRST_DEALS)
    deals = [_answer("deal", seed=rng.randrange(asked.MOST_SEEDS)) for _ in range(FIRST_DEALS)]
    games = {str(deal["position"]): _answer("game", game=deal["position"]) for deal in deals}
    return {"about": _answer("about"), "deals": deals, "games": games}


def _answer(path: str, **query: object) -> dict[str, object]:
    question = asked.PATHS[path](**query)
    assert isinstance(question, asked.Asked)
    found: dict[str, object] = json.loads(question.text())
    return found


def library() -> bytes:
    """The package as the browser's Python loads it; the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(PACKAGE):
            name = path.relative_to(PACKAGE).as_posix()
            if path.suffix in (".py", ".json") and not name.startswith(LEFT_OUT):
                entry = zipfile.ZipInfo(f"collapsi/{name}")
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()


def _offline(files: dict[str, bytes]) -> bytes:
    """The service worker, with the names of all files and a version made from what is in them."""
    names = sorted(files)
    own = (OWN / OFFLINE).read_text(encoding="utf-8")
    everything = sha256(own.encode())
    for name in names:
        everything.update(name.encode() + sha256(files[name]).digest())
    version = f"{collapsi.__version__}-{everything.hexdigest()[:12]}"
    return own.replace("@VERSION@", version).replace("@FILES@", " ".join(["./", *names])).encode()


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """All files, beside the folder first, then in its place."""
    folder = folder.absolute()
    partial = folder.with_name(f".partial-{os.getpid()}-{folder.name}")
    old = folder.with_name(f".old-{os.getpid()}-{folder.name}")
    try:
        check_writable(partial)
        for name, content in files.items():
            path = partial / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
    except OSError as error:
        msg = f"cannot write to {folder}: {error.strerror}"
        raise OutputError(msg) from None
    finally:
        for left in (partial, old):
            shutil.rmtree(left, ignore_errors=True)
