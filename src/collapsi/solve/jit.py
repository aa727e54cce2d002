"""How we use Numba: one way to compile, for all kernels, and to keep the machine code for the next run.

Numba's own cache believes what it reads: a damaged file ends in a traceback at every start until somebody
deletes it, or in machine code with a bit changed, and a full disk stops the work. Here every file carries its
SHA-256 and says what it was made from. What is damaged or out of date is compiled anew; where nothing can be
kept, the work goes on without.
"""

from __future__ import annotations

import hashlib
import json
import logging
import pickle
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from collapsi.errors import CollapsiError

try:
    import llvmlite
    import numba
    from numba.core.caching import FunctionCache
    from numba.core.serialize import dumps
    from numba.extending import register_jitable
except ImportError:  # not installed, or not for this Python or NumPy: the kernels run as they stand
    numba, FunctionCache = None, object

    def register_jitable(function: Any) -> Any:
        """Nobody is taught anything."""
        return function


__all__ = [
    "check_compiles",
    "is_cached",
    "machine_code",
    "may_compile",
    "numba",
    "register_jitable",
    "warn_once",
]

log = logging.getLogger("collapsi")

SUFFIX = ".code"
DIGEST_BYTES = hashlib.sha256().digest_size


def machine_code(function: Any) -> Any:
    """A function compiled when first called, for threads to run side by side.

    The machine code is kept beside the source or in the user's cache folder; where neither can be written, it
    is compiled in every process. With `NUMBA_DISABLE_JIT` set, or without Numba, it is the function itself.
    """
    if numba is None:
        return function
    dispatcher = numba.njit(nogil=True)(function)
    if dispatcher is not function:
        with suppress(RuntimeError):  # Numba's word for "no folder to cache in"
            dispatcher._cache = Kept(function)  # noqa: SLF001 - what `cache=True` does, with files of our own
    return dispatcher


def may_compile() -> bool:
    """Whether Numba is there and may compile; if not, the interpreted kernels do it all."""
    if numba is None:
        warn_once("Numba is not installed or does not fit: all is solved, some hundred times as slowly")
        return False
    return not numba.config.DISABLE_JIT


def check_compiles() -> None:
    """Refuse what would take weeks without machine code, such as all deals."""
    if not may_compile():
        why = "is missing" if numba is None else "may not compile (NUMBA_DISABLE_JIT is set)"
        msg = f"Numba {why}, and without it all deals would take weeks"
        raise CollapsiError(msg)


def is_cached(function: Any) -> bool:
    """Whether a compiled function was compiled before and its machine code is at hand."""
    kept = getattr(function, "_cache", None)
    return not hasattr(function, "py_func") or (isinstance(kept, Kept) and kept.has_any())


class Kept(FunctionCache):  # type: ignore[misc]
    """The machine code of one function, in files that are checked before they are believed."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = Files(Path(self._cache_path), self._impl.filename_base)

    def has_any(self) -> bool:
        """Whether something is kept that fits what is installed now."""
        return self._cache_file.has_any()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, if that can be done."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_once(f"the compiled solver cannot be kept ({error.strerror}): it is compiled in every run")


class Files:
    """One file for each form of a function: SHA-256, a line that says what it was made from, machine code."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def path(self, key: Any) -> Path:
        """The file for one form: argument types, processor, and the function's own byte code."""
        return self.folder / f"{self.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}{SUFFIX}"

    def load(self, key: Any) -> Any:
        """What was kept, or None where there is nothing that can be believed."""
        content = self._content(self.path(key))
        return None if content is None else pickle.loads(content)

    def has_any(self) -> bool:
        """Whether any form of the function is kept."""
        return any(self._content(path) for path in self.folder.glob(f"{self.name}.*{SUFFIX}"))

    def _content(self, path: Path) -> bytes | None:
        try:
            stored = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            warn_once(f"the compiled solver that was kept cannot be read ({error.strerror}): compiling anew")
            return None
        digest, rest = stored[:DIGEST_BYTES], stored[DIGEST_BYTES:]
        if hashlib.sha256(rest).digest() != digest:
            warn_once("the compiled solver that was kept is damaged: compiling anew")
            return None
        made_from, _, content = rest.partition(b"\n")
        return content if made_from == stamp() else None

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code: a whole file or none."""
        rest = stamp() + b"\n" + dumps(data)
        partial = self.folder / f".{uuid.uuid4().hex}{SUFFIX}"
        try:
            partial.write_bytes(hashlib.sha256(rest).digest() + rest)
            partial.replace(self.path(key))
        finally:
            partial.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget what was kept."""
        for path in self.folder.glob(f"{self.name}.*{SUFFIX}"):
            path.unlink(missing_ok=True)


@cache
def stamp() -> bytes:
    """What machine code is made from: the compilers, and every source file of the solvers."""
    folder = Path(__file__).parent
    files = {str(path.relative_to(folder)): path.stat() for path in sorted(folder.rglob("*.py"))}
    sources = {name: [found.st_mtime_ns, found.st_size] for name, found in files.items()}
    return json.dumps([numba.__version__, llvmlite.__version__, sources], sort_keys=True).encode()


@cache
def warn_once(text: str) -> None:
    """One line on standard error, however many kernels it is true of."""
    log.warning("collapsi: warning: %s", text)
