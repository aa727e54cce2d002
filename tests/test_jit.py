"""The machine code that is kept: used again, thrown away if damaged or old, done without where need be."""

from __future__ import annotations

import errno
import importlib.util
import logging
import pathlib
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.solve import jit
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = """
from collapsi.solve.jit import machine_code

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
        "collapsi: warning: the compiled solver that was kept is damaged: compiling anew"
    ]
    again = fresh(source)
    assert (again(21), hits(again)) == (42, 1)


def test_every_flipped_bit_is_noticed(source: Path) -> None:
    fresh(source)(21)
    path = kept(source)
    content = path.read_bytes()
    files = jit.Files(path.parent, path.name.split(".")[0])
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

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(pathlib.Path, "read_bytes", denied)
    with caplog.at_level(logging.WARNING):
        assert fresh(source)(21) == 42
    assert [record.getMessage() for record in caplog.records] == [
        (
            "collapsi: warning: the compiled solver that was kept cannot be read (Permission denied): "
            "compiling anew"
        )
    ]


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
    assert second.stderr == (
        "collapsi: warning: the compiled solver that was kept is damaged: compiling anew\n"
    )
