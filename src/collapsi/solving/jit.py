"""Compilation of kernels by Numba, with our own cache of the machine code.

Numba's own cache trusts its files: a damaged one raises at every start until it is deleted, or is run with a
flipped bit, and a full disk is an error. Here every file carries its SHA-256 and a description of its
sources. A damaged or outdated file is compiled again; where nothing can be written, there is no cache.

Loading a file executes it (it is a pickle), and a hash does not authenticate its writer. So only files and
folders that belong to the user or to root, and that are not writable by others, are used.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import pickle
import stat
import uuid
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from collapsi.core.errors import CollapsiError

try:
    import llvmlite
    import numba
    from numba.extending import register_jitable
except ImportError:  # not installed, or not for this Python or NumPy: the kernels are interpreted
    numba = None

    def register_jitable(function: Any) -> Any:
        """Do nothing: there is no Numba to register a function with."""
        return function


def inlined(function: Any) -> Any:
    """Register a helper of compiled functions whose machine code is copied to every call.

    A call passes seven words for each array. That is a tenth of the time of a search, for helpers that are
    called several times at each node.
    """
    return function if numba is None else register_jitable(forceinline=True)(function)


if numba is not None:
    from collapsi.solving import bits  # noqa: F401 - adds `bit_count` and `bit_length` of ints to Numba

try:  # internal to Numba: the versions in pyproject.toml have these names
    from numba.core.caching import FunctionCache
    from numba.core.serialize import dumps
except ImportError:
    FunctionCache = object


__all__ = [
    "check_compiles",
    "inlined",
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
KERNEL_FOLDERS = ("core", "system", "solving", "games", "census")
"""The packages with compiled functions, and those below them: an edit elsewhere compiles nothing again."""


def machine_code(function: Any) -> Any:
    """Return a function that is compiled at its first call and releases the GIL.

    The machine code is cached next to the source or in the user's cache folder; where neither is writable,
    every process compiles. With `NUMBA_DISABLE_JIT` set, or without Numba, this returns the function itself.
    """
    if numba is None:
        return function
    dispatcher = numba.njit(nogil=True)(function)
    if dispatcher is not function:
        _attach_cache(dispatcher, function)
    return dispatcher


def _attach_cache(dispatcher: Any, function: Any) -> None:
    """Do what `cache=True` does, with our own cache; without a cache if Numba's internals have changed."""
    with suppress(RuntimeError):  # raised by Numba if no folder is writable
        if FunctionCache is not object and hasattr(dispatcher, "_cache"):
            with suppress(AttributeError, TypeError):
                dispatcher._cache = MachineCodeCache(function)  # noqa: SLF001
                return
        warn_once(
            f"Numba {numba.__version__} has another machine-code cache than this program expects: "
            "the solver is compiled in every run"
        )


def may_compile() -> bool:
    """Return whether Numba is installed and enabled; if not, the interpreted kernels are used."""
    if numba is None:
        warn_once("Numba is not installed, or not for this Python: solving is about a hundred times slower")
        return False
    return not numba.config.DISABLE_JIT


def check_compiles(consequence: str = "all deals would take weeks") -> None:
    """Raise without a compiler: for work that would take far too long without machine code."""
    if not may_compile():
        why = "is missing" if numba is None else "is disabled (NUMBA_DISABLE_JIT is set)"
        msg = f"Numba {why}, and without it {consequence}"
        raise CollapsiError(msg)


def is_cached(function: Any) -> bool:
    """Return whether the machine code of a compiled function is in the cache."""
    cache = getattr(function, "_cache", None)
    return not hasattr(function, "py_func") or (isinstance(cache, MachineCodeCache) and cache.has_any())


class MachineCodeCache(FunctionCache):  # type: ignore[misc]
    """The cached machine code of one function; Numba calls its methods."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = CacheFiles(Path(self._cache_path), self._impl.filename_base)

    def has_any(self) -> bool:
        """Return whether there is machine code for the installed versions and sources."""
        return self._cache_file.has_any()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached machine code, or None if there is none or it cannot be loaded."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:  # noqa: BLE001 - a pickle can raise anything
            warn_once(f"the cached machine code cannot be loaded ({type(error).__name__}): compiling again")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache machine code; a failure is only a warning."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_once(f"the machine code cannot be cached ({error.strerror}): it is compiled in every run")


class CacheFiles:
    """One file for each signature of a function: SHA-256, stamp of its sources, machine code."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def path(self, key: Any) -> Path:
        """Return the file for one key: argument types, processor, and the bytecode of the function."""
        return self.folder / f"{self.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}{SUFFIX}"

    def load(self, key: Any) -> Any:
        """Return the content for a key, or None if there is no valid file."""
        content = self._content(self.path(key))
        return None if content is None else pickle.loads(content)

    def has_any(self) -> bool:
        """Return whether any signature of the function has a valid file."""
        return any(self._content(path) for path in self.folder.glob(f"{self.name}.*{SUFFIX}"))

    def _content(self, path: Path) -> bytes | None:
        try:
            if not _is_trusted(self.folder, self.folder.stat()):
                return None
            with path.open("rb") as file:
                if not _is_trusted(path, os.fstat(file.fileno())):
                    return None
                stored = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            warn_once(f"the cached machine code cannot be read ({error.strerror}): compiling again")
            return None
        digest, rest = stored[:DIGEST_BYTES], stored[DIGEST_BYTES:]
        if hashlib.sha256(rest).digest() != digest:
            warn_once("the cached machine code is damaged: compiling again")
            return None
        made_from, _, content = rest.partition(b"\n")
        return content if made_from == stamp() else None

    def save(self, key: Any, data: Any) -> None:
        """Write machine code atomically."""
        if not _is_trusted(self.folder, self.folder.stat()):
            return
        rest = stamp() + b"\n" + dumps(data)
        partial = self.folder / f".{uuid.uuid4().hex}{SUFFIX}"
        try:
            partial.touch(mode=0o644)  # not writable by the group, whatever the umask
            partial.write_bytes(hashlib.sha256(rest).digest() + rest)
            partial.replace(self.path(key))
        finally:
            partial.unlink(missing_ok=True)

    def flush(self) -> None:
        """Delete all files of the function."""
        for path in self.folder.glob(f"{self.name}.*{SUFFIX}"):
            path.unlink(missing_ok=True)


def _is_trusted(path: Path, found: os.stat_result) -> bool:
    """Return whether only the user and root can have written a file or folder; warn once if not.

    Windows has no such owners and modes: there the result is always true.
    """
    why = advice = ""
    if hasattr(os, "getuid"):
        if found.st_uid not in (0, os.getuid()):
            why, advice = "belongs to another user", "set NUMBA_CACHE_DIR to a folder of your own"
        elif found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            why, advice = "can be written by others", f"chmod go-w {path}"
    if why:
        warn_once(f"{path} {why}, so its machine code is not used: compiling again ({advice})")
    return not why


@cache
def stamp() -> bytes:
    """Return what machine code depends on: the compilers, and the source files of `KERNEL_FOLDERS`."""
    package = Path(__file__).parent.parent
    paths = [path for folder in KERNEL_FOLDERS for path in sorted((package / folder).rglob("*.py"))]
    files = {str(path.relative_to(package)): path.stat() for path in paths}
    sources = {name: [found.st_mtime_ns, found.st_size] for name, found in files.items()}
    return json.dumps([numba.__version__, llvmlite.__version__, sources], sort_keys=True).encode()


@lru_cache(maxsize=256)
def warn_once(text: str) -> None:
    """Log a warning once, even if it applies to many kernels."""
    log.warning("collapsi: warning: %s", text)
