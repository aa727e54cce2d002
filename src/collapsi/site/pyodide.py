"""The files of Pyodide, Python for the browser, that a page needs, from its npm package.

They are downloaded once, verified against the hashes below, and cached: later builds need no network.
The page loads them packed, and of the standard library first the modules that its first answer needs.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
import zlib
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from collapsi.core.errors import CollapsiError
from collapsi.system.files import cache_folder, check_writable, write_atomically

VERSION = "314.0.7"
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""SHA-256 of each file."""
ADVICE = (
    "install npm, which comes with Node.js, or name a folder that has the package: "
    "--pyodide node_modules/pyodide"
)

STDLIB, FIRST_STDLIB, LOCK = "python_stdlib.zip", "python_first.zip", "pyodide-lock.json"
PACKED = ("pyodide.asm.mjs", "pyodide.asm.wasm")
"""Files that are shipped packed (gzip): most web hosts send them as they are."""
SUFFIX = ".packed"
"""Not `.gz`: some hosts send such files as compressed content, which the browser then unpacks itself."""
FIRST_MODULES = Path(__file__).with_name("first_modules.txt")
"""The modules of the standard library that are loaded when Python has answered a request, by file name."""


def assets(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files that the page ships, by name."""
    found = contents(folder)
    for name in PACKED:
        found[name + SUFFIX] = pack(found.pop(name))
    info = json.loads(found[LOCK])["info"]
    found[LOCK] = json.dumps({"info": info, "packages": {}}).encode()  # the page loads no other package
    found[FIRST_STDLIB] = first_stdlib(found[STDLIB])
    return found


@lru_cache(maxsize=4)
def pack(content: bytes) -> bytes:
    """Compress a file; the same file gives the same bytes."""
    return gzip.compress(content, compresslevel=9, mtime=0)


@lru_cache(maxsize=1)
def first_stdlib(stdlib: bytes) -> bytes:
    """Return the archive of the modules of the standard library that the first answer needs."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(stdlib)) as whole, zipfile.ZipFile(packed, "w") as part:
        for name in FIRST_MODULES.read_text(encoding="utf-8").split():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            part.writestr(entry, whole.read(name), compresslevel=9)
    return packed.getvalue()


def contents(folder: Path | None = None) -> dict[str, bytes]:
    """Return the files by name: from a given folder, from the cache, or downloaded."""
    if folder is not None:
        return _read(folder)
    cached = cache_folder() / "site" / f"pyodide-{VERSION}"
    try:
        return _read(cached)
    except CollapsiError:
        found = _download()
    check_writable(cached)
    for name, content in found.items():
        write_atomically(cached / name, content)
    return found


def _read(folder: Path) -> dict[str, bytes]:
    """Read the files from a folder; raise if one is missing or has another hash."""
    found = {}
    for name, wanted in FILES.items():
        try:
            found[name] = (folder / name).read_bytes()
        except OSError as error:
            msg = f"cannot read {folder / name}: {error.strerror}"
            raise CollapsiError(msg) from None
        if sha256(found[name]).hexdigest() != wanted:
            msg = f"{folder / name} is not that of Pyodide {VERSION}: npm pack pyodide@{VERSION} downloads it"
            raise CollapsiError(msg)
    return found


def _download() -> dict[str, bytes]:
    """Download the files from the package registry that npm is configured for."""
    npm = shutil.which("npm")
    if npm is None:
        msg = f"the page needs Pyodide {VERSION}, and there is no npm to download it: {ADVICE}"
        raise CollapsiError(msg)
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, f"pyodide@{VERSION}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        packed = next(Path(folder).glob("*.tgz"), None)
        if done.returncode or packed is None:
            said = (done.stderr.strip() or "npm gave no reason").splitlines()[0]
            msg = f"Pyodide {VERSION} could not be downloaded: {said} ({ADVICE})"
            raise CollapsiError(msg)
        return _unpacked(packed)


def _unpacked(packed: Path) -> dict[str, bytes]:
    """Read the files from an npm package and verify their hashes; nothing else is unpacked."""
    found = {}
    try:
        with tarfile.open(packed) as package:
            for name in FILES:
                member = package.extractfile(f"package/{name}")
                found[name] = member.read() if member else b""
    except (tarfile.TarError, OSError, EOFError, KeyError, ValueError, zlib.error, lzma.LZMAError):
        pass  # truncated, not an archive, or without the file: the hashes below do not match
    if any(sha256(found.get(name, b"")).hexdigest() != wanted for name, wanted in FILES.items()):
        msg = (
            f"the package that npm has for pyodide@{VERSION} is damaged: "
            "run npm cache clean --force, then try again"
        )
        raise CollapsiError(msg)
    return found
