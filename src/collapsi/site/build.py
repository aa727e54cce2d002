"""Write the static page as a folder of plain files for any web host."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import collapsi
from collapsi.api.questions.parameters import SEED_LIMIT
from collapsi.core.errors import CollapsiError
from collapsi.play import similar
from collapsi.site import answering, publish, pyodide, wasm
from collapsi.site.modules import PACKAGE, modules
from collapsi.system.extras import MissingExtraError

OWN = Path(__file__).parent / "page"
FIRST_DEALS = 12
"""Number of deals stored in the page, to show one before Python is loaded."""

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
PRELOAD = '<link rel="modulepreload" href="js/board.js">\n'
"""In its place all scripts are named: found one import after the other, they take a round trip each."""
CHANGES = {
    '<html lang="en">': '<html lang="en" data-alone>',
    '<meta charset="utf-8">': HEAD,
    '<a href="api/v1/openapi.json">The description of the API</a> (OpenAPI)': "The description of the API",
}
"""Replacements that turn the page of the service into the static page."""
MANIFEST = {
    "name": "Collapsi, solved",
    "short_name": "Collapsi",
    "description": "Play Collapsi against opponents from beginner to perfect, see what every move is worth.",
    "start_url": "..",
    "scope": "..",
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
LIBRARY = "collapsi.zip"
WORKER = "worker.js"
FIRST = "first.json" + pyodide.SUFFIX
LOADED_LATER = f"pyodide/{pyodide.STDLIB}"
"""What the worker loads after its first answer, and `TABLES`."""
TABLES = "tables.zip"
LARGE_TABLES = {similar.FILE}
"""Files that one question needs: `worker.js` names it."""


class Site(NamedTuple):
    """A static page that was written."""

    folder: Path
    files: int
    size: int
    compiled: bool
    """Whether it has the compiled solver."""


def build(folder: Path, *, pyodide_folder: Path | None = None) -> Site:
    """Write the page to a folder, replacing an earlier one; other files in the folder are not touched."""
    publish.check_free(folder, (publish.INDEX, OFFLINE))  # checked again when the files are written
    assets = {f"pyodide/{name}": content for name, content in pyodide.assets(pyodide_folder).items()}
    assets |= _page()
    assets |= {LIBRARY: library(), TABLES: archive(LARGE_TABLES)}
    with suppress(MissingExtraError):
        assets["kernels.wasm"] = wasm.module()
    assets[WORKER] = _worker(assets)
    compiled = "kernels.wasm" in assets
    files = _final_paths(assets)
    files[OFFLINE] = _offline(files)
    publish.publish(folder, files)
    return Site(folder, len(files), sum(map(len, files.values())), compiled)


def _final_paths(assets: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files by their final paths: all but the page in a folder named after their content."""
    page = assets.pop(publish.INDEX).decode()
    folder = publish.asset_folder(assets)
    page = re.sub(
        r'\b(src|href)="([^"]+)"',
        lambda found: f'{found[1]}="{folder}/{found[2]}"' if found[2] in assets else found[0],
        page,
    )
    return {f"{folder}/{name}": content for name, content in assets.items()} | {publish.INDEX: page.encode()}


def _page() -> dict[str, bytes]:
    """Return the files of the page: those of the service, changed, and those of the static page."""
    page = PACKAGE / "page"
    files = {path.relative_to(page).as_posix(): path.read_bytes() for path in _files(page)}
    text = files["index.html"].decode()
    for old, new in CHANGES.items():
        if text.count(old) != 1:
            msg = f"the page has changed: it should contain once {old}"
            raise CollapsiError(msg)
        text = text.replace(old, new)
    files |= {path.name: path.read_bytes() for path in _files(OWN) if path.name != OFFLINE}
    files["js/alone.js"] = files.pop("alone.js")
    scripts = sorted(name for name in files if name.startswith("js/"))
    preloaded = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in scripts)
    files["index.html"] = text.replace(PRELOAD, preloaded).encode()
    files[FIRST] = pyodide.pack(first_answers(FIRST_DEALS))
    files["manifest.webmanifest"] = json.dumps(MANIFEST, indent=1).encode()
    return files


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


@lru_cache(maxsize=2)
def first_answers(count: int) -> bytes:
    """Return what the page answers before Python is loaded: the choices, some deals, and their first moves.

    After each first move of a person, every level of the computer has one reply; later games vary.
    """
    rng = random.Random(count)
    answers: dict[str, dict[str, Any]] = {}

    def keep(path: str, **query: object) -> dict[str, Any]:
        found = answers[f"{path}?{urlencode(query)}"] = _answer(path, **query)
        return found

    levels = [level["value"] for level in keep("about")["levels"]]
    deals = [_answer("deal", seed=rng.randrange(SEED_LIMIT)) for _ in range(count)]
    for deal in deals:
        keep("walk", position=deal["position"])
        dealt = keep("game", game=deal["position"])
        for square in dealt["squares"]:
            if not square["path"]:
                continue
            moved = keep("game", game=f"{dealt['game']} {square['move']}")
            for level in levels:
                seed = rng.randrange(SEED_LIMIT)
                query = {"position": moved["position"], "level": level}
                reply = _answer("computer-move", **query, seed=seed)
                answers[f"computer-move?{urlencode(query)}"] = reply
                keep("game", game=f"{moved['game']} {reply['move']}")
    return json.dumps({"deals": deals, "answers": answers}, separators=(",", ":")).encode()


def _answer(path: str, **query: object) -> dict[str, Any]:
    status, _, text = answering.answer(path, urlencode(query))
    assert status == HTTPStatus.OK
    found: dict[str, Any] = json.loads(text)
    return found


def _worker(assets: dict[str, bytes]) -> bytes:
    """Return the worker with the number of bytes that it loads before its first answer."""
    loaded = [LIBRARY, "kernels.wasm", *(name for name in assets if name.startswith("pyodide/"))]
    total = sum(len(assets.get(name, b"")) for name in loaded if name != LOADED_LATER)
    return assets[WORKER].replace(b"@BYTES@", str(total).encode())


def library() -> bytes:
    """Return the archive that the browser's Python loads; the same files give the same bytes.

    It has the modules that the page imports, and the JSON files next to them.
    """
    files = set(modules().values())
    folders = {path.parent for path in files} - {PACKAGE}
    files |= {path for path in PACKAGE.rglob("*.json") if folders & {path.parent, path.parent.parent}}
    return archive(files - LARGE_TABLES)


def archive(files: set[Path]) -> bytes:
    """Return an archive of files of this package."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as written:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"collapsi/{path.relative_to(PACKAGE).as_posix()}")
            entry.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(entry, path.read_bytes())
    return packed.getvalue()


def _offline(files: dict[str, bytes]) -> bytes:
    """Return the service worker, with the names of all files and a version derived from their content."""
    names = sorted(files)
    own = (OWN / OFFLINE).read_text(encoding="utf-8")
    everything = sha256(own.encode())
    for name in names:
        everything.update(name.encode() + sha256(files[name]).digest())
    version = f"{collapsi.__version__}-{everything.hexdigest()[:12]}"
    return own.replace("@VERSION@", version).replace("@FILES@", " ".join(["./", *names])).encode()
