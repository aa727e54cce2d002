"""Python for the browser: the files of Pyodide that a page needs, from its npm package.

They are fetched once, checked against the sums below, and kept in the cache folder: from then on a page is
made without a network.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from hashlib import sha256
from pathlib import Path

from collapsi.errors import CollapsiError
from collapsi.files import cache_folder, check_writable, write_whole

VERSION = "314.0.7"
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The SHA-256 sum of each."""
ADVICE = (
    "install npm, which comes with Node.js, or name a folder that has the package: "
    "--pyodide node_modules/pyodide"
)


def contents(folder: Path | None = None) -> dict[str, bytes]:
    """The files by name: from a folder that has them, from the cache, or fetched now."""
    if folder is not None:
        return _read(folder)
    kept = cache_folder() / "site" / f"pyodide-{VERSION}"
    try:
        return _read(kept)
    except CollapsiError:
        found = _fetch()
    check_writable(kept)
    for name, content in found.items():
        write_whole(kept / name, content)
    return found


def _read(folder: Path) -> dict[str, bytes]:
    """The files in a folder, if all are there and as they should be."""
    found = {}
    for name, wanted in FILES.items():
        try:
            found[name] = (folder / name).read_bytes()
        except OSError as error:
            msg = f"cannot read {folder / name}: {error.strerror}"
            raise CollapsiError(msg) from None
        if sha256(found[name]).hexdigest() != wanted:
            msg = f"{folder / name} is not that of Pyodide {VERSION}: npm pack pyodide@{VERSION} has it"
            raise CollapsiError(msg)
    return found


def _fetch() -> dict[str, bytes]:
    """The files from the package registry that npm is set up for."""
    npm = shutil.which("npm")
    if npm is None:
        msg = f"the page needs Pyodide {VERSION}, and there is no npm to fetch it: {ADVICE}"
        raise CollapsiError(msg)
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, f"pyodide@{VERSION}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        packed = next(Path(folder).glob("*.tgz"), None)
        if done.returncode or packed is None:
            said = (done.stderr.strip() or "npm gave no reason").splitlines()[0]
            msg = f"Pyodide {VERSION} could not be fetched: {said} ({ADVICE})"
            raise CollapsiError(msg)
        with tarfile.open(packed) as package:
            package.extractall(folder, filter="data")
        return _read(Path(folder) / "package")
