"""Cached machine code: reused, rejected if damaged, outdated or writable by others, and optional."""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import logging
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.solving import jit
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SOURCE = """
from collapsi.solving.jit import machine_code

@machine_code
def double(number):
    return number + number
"""


@pytest.fixture(autouse=True)
def _warnings_anew() -> Iterator[None]:
    jit.warn_once.cache_clear()
    yield
    jit.warn_once.cache_clear()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A module with a kernel, in a folder where its machine code can be kept."""
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE, encoding="ascii")
    return path


def fresh(source: Path) -> Any:
    """The kernel as another process would have it: nothing compiled or loaded yet."""
    spec = importlib.util.spec_from_file_location("doubling", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.double


def kept(source: Path) -> Path:
    """The one file with machine code."""
    (path,) = (source.parent / "__pycache__").glob(f"*{jit.SUFFIX}")
    return path


def hits(kernel: Any) -> int:
    """How often machine code was taken from a file."""
    return sum(kernel.stats.cache_hits.values())


def test_what_was_compiled_once_is_loaded_the_next_time(source: Path) -> None:
    kernel = fresh(source)
    assert not jit.is_cached(kernel)
    assert (kernel(21), hits(kernel)) == (42, 0)
    again = fresh(source)
    assert jit.is_cached(again)
    assert (again(21), hits(again)) == (42, 1)


@pytest.mark.parametrize("damage", ["empty", "garbage", "cut", "flip"])
def test_a_damaged_file_is_named_and_made_anew(
    source: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    fresh(source)(21)
    path = kept(source)
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[random.Random(1).randrange(len(content))] ^= 4
    wrong = {"empty": b"", "garbage": b"\x80\x04garbage" * 99, "cut": content[:-1], "flip": bytes(flipped)}
    path.write_bytes(wrong[damage])
    kernel = fresh(source)
    with caplog.at_level(logging.WARNING):
        assert not jit.is_cached(kernel)
        assert (kernel(21), hits(kernel)) == (42, 0)
    assert [record.getMessage() for record in caplog.records] == [
        "collapsi: warning: the cached machine code is damaged: compiling again"
    ]
    again = fresh(source)
    assert (again(21), hits(again)) == (42, 1)


def test_every_flipped_bit_is_noticed(source: Path) -> None:
    fresh(source)(21)
    path = kept(source)
    content = path.read_bytes()
    files = jit.CacheFiles(path.parent, path.name.split(".")[0])
    rng = random.Random(2)
    for _ in range(300):
        flipped = bytearray(content)
        flipped[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        assert files._content(path) is None


def test_code_of_other_sources_is_not_used(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(source)(21)
    monkeypatch.setattr(jit, "stamp", lambda: b"another version")
    kernel = fresh(source)
    assert not jit.is_cached(kernel)
    assert (kernel(21), hits(kernel)) == (42, 0)


def test_the_stamp_covers_every_compiled_function_and_what_it_uses() -> None:
    package = pathlib.Path(jit.__file__).parent.parent
    sources = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    uses = {path for path, text in sources.items() if re.search(r"import .*\bmachine_code\b", text)}
    assert package / "census" / "layers" / "sweep.py" in uses
    for path in uses:
        imported = re.findall(r"^from collapsi\.(\w+)", sources[path], flags=re.MULTILINE)
        folders = {path.relative_to(package).parts[0], *imported}
        assert folders <= set(jit.KERNEL_FOLDERS), path


def test_a_full_disk_stops_nothing(
    source: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pathlib.Path, "write_bytes", full)
    with caplog.at_level(logging.WARNING):
        assert fresh(source)(21) == 42
    (record,) = caplog.records
    assert "No space left on device" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_folder_that_cannot_be_read_stops_nothing(
    source: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fresh(source)(21)

    ordinary = pathlib.Path.open

    def denied(self: Path, mode: str = "r", **options: Any) -> Any:
        if mode == "rb":
            raise PermissionError(errno.EACCES, "Permission denied")
        return ordinary(self, mode, **options)

    monkeypatch.setattr(pathlib.Path, "open", denied)
    with caplog.at_level(logging.WARNING):
        assert fresh(source)(21) == 42
    assert [record.getMessage() for record in caplog.records] == [
        ("collapsi: warning: the cached machine code cannot be read (Permission denied): compiling again")
    ]


class Unloadable:
    """Pickles well; loading it raises."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


class Trap:
    """Loading it makes a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.folder),)


def sealed(content: bytes) -> bytes:
    """A file as the program writes it."""
    rest = jit.stamp() + b"\n" + content
    return hashlib.sha256(rest).digest() + rest


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"no pickle", "UnpicklingError"),
        (b"", "EOFError"),
        (pickle.dumps(5), "TypeError"),
        (pickle.dumps(Unloadable()), "ValueError"),
        (b"cno_such_module\nname\n.", "ModuleNotFoundError"),
    ],
)
def test_a_sealed_file_that_cannot_be_loaded_is_made_anew(
    source: Path, content: bytes, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    fresh(source)(21)
    kept(source).write_bytes(sealed(content))
    kernel = fresh(source)
    with caplog.at_level(logging.WARNING):
        assert (kernel(21), hits(kernel)) == (42, 0)
    assert [record.getMessage() for record in caplog.records] == [
        f"collapsi: warning: the cached machine code cannot be loaded ({error}): compiling again"
    ]
    again = fresh(source)
    assert (again(21), hits(again)) == (42, 1)


def writable_by_others(path: Path, _: pytest.MonkeyPatch) -> str:
    path.chmod(path.stat().st_mode | 0o002)
    return "can be written by others"


def writable_by_the_group(path: Path, _: pytest.MonkeyPatch) -> str:
    path.chmod(path.stat().st_mode | 0o020)
    return "can be written by others"


def of_another_user(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if os.getuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    return "belongs to another user"


@pytest.mark.skipif(sys.platform == "win32", reason="files have other owners and modes there")
@pytest.mark.parametrize("whose", [writable_by_others, writable_by_the_group, of_another_user])
@pytest.mark.parametrize("which", ["file", "folder"])
def test_code_that_others_can_have_written_is_not_loaded(
    source: Path,
    whose: Callable[[Path, pytest.MonkeyPatch], str],
    which: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fresh(source)(21)
    trap = source.parent / "trap"
    content = sealed(pickle.dumps(Trap(trap)))
    code = kept(source)
    code.write_bytes(content)
    fresh(source)(21)
    assert trap.exists()  # loading runs what is in the file
    trap.rmdir()
    code.write_bytes(content)
    jit.warn_once.cache_clear()
    caplog.clear()
    path = code if which == "file" else code.parent
    why = whose(path, monkeypatch)
    kernel = fresh(source)
    with caplog.at_level(logging.WARNING):
        assert not jit.is_cached(kernel)
        assert (kernel(21), hits(kernel)) == (42, 0)
    assert not trap.exists()
    first, *others = [record.getMessage() for record in caplog.records]
    assert first.startswith(f"collapsi: warning: {path} {why}, so its machine code is not used")
    assert "\n" not in first
    if whose is not of_another_user or os.getuid() == 0:
        assert others == []
        assert (code.read_bytes() == content) == (which == "folder")  # a refused folder is not written to


@pytest.mark.skipif(sys.platform == "win32", reason="files have other modes there")
def test_what_is_kept_is_used_again_with_a_loose_umask(source: Path) -> None:
    (source.parent / "__pycache__").mkdir()
    before = os.umask(0)
    try:
        fresh(source)(21)
    finally:
        os.umask(before)
    again = fresh(source)
    assert (again(21), hits(again)) == (42, 1)


def without_folder_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "FunctionCache", object)


def without_the_dispatchers_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    njit = jit.numba.njit

    class Renamed:
        def __init__(self, function: Any) -> None:
            self.compiled = njit(nogil=True)(function)

        def __call__(self, number: int) -> Any:
            return self.compiled(number)

    monkeypatch.setattr(jit.numba, "njit", lambda **_: Renamed)


def without_the_impl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.caching.FunctionCache.__init__", lambda *_: None)


@pytest.mark.parametrize("change", [without_folder_classes, without_the_dispatchers_cache, without_the_impl])
def test_a_numba_with_other_private_names_compiles_without_a_cache(
    source: Path,
    change: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    change(monkeypatch)
    with caplog.at_level(logging.WARNING):
        assert fresh(source)(21) == 42
    (record,) = caplog.records
    assert "the solver is compiled in every run" in record.getMessage()
    assert list((source.parent).rglob(f"*{jit.SUFFIX}")) == []


@pytest.mark.slow
def test_a_batch_goes_through_with_a_damaged_file(tmp_path: Path) -> None:
    """The real kernel, in processes of its own: compiled, damaged, compiled again with a line of warning."""
    code = "import sys; from collapsi.cli import main; main()"
    command = [sys.executable, "-c", code, "solve", "--json", *[EXAMPLE] * 60]
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    first = run()
    (path,) = tmp_path.rglob(f"*{jit.SUFFIX}")
    path.write_bytes(path.read_bytes()[:-100])
    second = run()
    assert second.stdout == first.stdout
    assert first.stderr == ""
    assert second.stderr == ("collapsi: warning: the cached machine code is damaged: compiling again\n")
