"""Publishing the page: after any failure the old or the new page is there, and foreign files remain."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.core.errors import BusyError, OutputError
from collapsi.site import publish
from collapsi.system.files import FolderLock

if TYPE_CHECKING:
    from collections.abc import Iterator

FOREIGN = {
    "CNAME": b"collapsi.example\n",
    ".git/HEAD": b"ref: refs/heads/main\n",
    "js/mine.js": b"mine",
}
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def page(number: int) -> dict[str, bytes]:
    """A page whose index names all it loads, with the hashes."""
    loaded = {name: f"{name} of page {number}".encode() for name in ("style.css", "js/main.js")}
    loaded["icon.svg"] = b"the same in every page"
    folder = publish.asset_folder(loaded)
    files = {f"{folder}/{name}": content for name, content in loaded.items()}
    index = {"page": number, "loads": {name: sha256(files[name]).hexdigest() for name in files}}
    return {"index.html": json.dumps(index).encode(), "offline.js": b"// %d" % number, **files}


def content(folder: Path) -> dict[str, bytes]:
    """All files in a folder, of whomever."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() or path.is_symlink()
    }


def shown(folder: Path) -> int | None:
    """The number of the page that a visitor gets, if there is one: all that it loads is there."""
    if not (folder / "index.html").exists():
        return None
    index = json.loads((folder / "index.html").read_bytes())
    for name, wanted in index["loads"].items():
        assert sha256((folder / name).read_bytes()).hexdigest() == wanted
    return int(index["page"])


def check_only(folder: Path, number: int) -> None:
    """The folder has one page and what was there before, and nothing else."""
    found = content(folder)
    del found[publish.MANIFEST]
    assert found == page(number) | FOREIGN
    folders = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}
    assert folders == {parent.as_posix() for name in found for parent in parents(name)}


def parents(name: str) -> list[PurePosixPath]:
    return list(PurePosixPath(name).parents)[:-1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files of somebody else."""
    made = tmp_path / "page"
    for name, text in FOREIGN.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(text)
    return made


class Fault:
    """Counts what changes a folder, and raises at one step of it."""

    def __init__(self) -> None:
        self.folder = ""
        self.at = 0
        self.steps = 0
        self.error: BaseException = OSError()

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.folder or not str(arguments[:1]).count(self.folder):
            return
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_ACCMODE
        if event in CHANGES or writes:
            self.steps += 1
            if self.steps == self.at:
                self.fail()

    def fail(self) -> None:
        raise self.error

    @contextmanager
    def watching(self, folder: Path, at: int, error: BaseException) -> Iterator[None]:
        self.folder, self.at, self.steps, self.error = str(folder), at, 0, error
        try:
            yield
        finally:
            self.folder = ""


@pytest.fixture(scope="module")
def fault() -> Fault:
    """A hook for all that Python does to files; it stays, and is silent when nothing is watched."""
    made = Fault()
    sys.addaudithook(made.hear)
    return made


def test_pages_follow_each_other(folder: Path) -> None:
    for number in (1, 2, 2, 3, 1):
        publish.publish(folder, page(number))
        assert shown(folder) == number
        check_only(folder, number)


@pytest.mark.parametrize("first", [None, 1])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_an_error_at_every_step(
    folder: Path,
    fault: Fault,
    first: int | None,
    error: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # slow, and no part of what is tested
    if first:
        publish.publish(folder, page(first))
    start = tmp_path / "start"
    shutil.copytree(folder, start)
    seen = []
    for at in range(1, 200):
        shutil.rmtree(folder)
        shutil.copytree(start, folder)
        with fault.watching(folder, at, error):
            try:
                publish.publish(folder, page(2))
            except (OutputError, KeyboardInterrupt) as stop:
                seen.append(shown(folder))
                if isinstance(error, OSError):
                    assert str(stop) == f"cannot write to {folder}: No space left on device"  # noqa: PT017
            else:  # a step whose failure does no harm, or there were not so many
                assert shown(folder) == 2
            reached = fault.steps >= at
        assert content(folder).items() >= FOREIGN.items()
        publish.publish(folder, page(3))  # from what was left
        check_only(folder, 3)
        if not reached:
            break
    assert len(seen) > 10
    before = seen.index(2) if 2 in seen else len(seen)
    assert seen == [first] * before + [2] * (len(seen) - before)  # the switch is one step
    assert {first, 2} == set(seen)


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.test_site_publish import Fault, page
from collapsi.site import publish
fault = Fault()
fault.folder, fault.at = sys.argv[1], int(sys.argv[2])
os.fsync = lambda _: None
fault.fail = lambda: os.kill(os.getpid(), 9)
sys.addaudithook(fault.hear)
publish.publish(Path(sys.argv[1]), page(2))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_kill_at_every_step(folder: Path, every: int) -> None:
    """Each run is killed some steps later than the one before it, and finds what that one left."""
    publish.publish(folder, page(1))
    root = str(Path(__file__).parents[1])
    seen: list[int | None] = []
    for at in range(1, 200, every):
        if seen and seen[-1] == 2:
            publish.publish(folder, page(1))
            check_only(folder, 1)
        command = [sys.executable, "-c", KILLED.format(root=root), str(folder), str(at)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        seen.append(shown(folder))
        assert seen[-1] in (1, 2)
        assert content(folder).items() >= FOREIGN.items()
        if done.returncode == 0:
            break
    assert len(seen) > 10 / every
    check_only(folder, 2)


def test_a_link_is_followed_and_stays(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    for number in (1, 2):
        publish.publish(link, page(number))
        assert link.is_symlink()
        check_only(folder, number)


@pytest.mark.parametrize("name", ["index.html", "offline.js"])
@pytest.mark.parametrize("earlier", [False, True])
def test_what_is_in_the_way_is_named_and_stays(folder: Path, name: str, earlier: bool) -> None:
    """A file of somebody else, or one of ours that somebody changed."""
    if earlier:
        publish.publish(folder, page(1))
    (folder / name).write_bytes(b"mine")
    before = content(folder)
    refusal = (
        f"{folder / name} is in the way and not from an earlier run: move it away, or name another folder"
    )
    with pytest.raises(OutputError, match=f"^{re.escape(refusal)}$"):
        publish.check_free(folder, ["index.html", "offline.js"])
    with pytest.raises(OutputError, match=f"^{re.escape(refusal)}$"):
        publish.publish(folder, page(2))
    assert content(folder) == before


def test_links_and_folders_in_the_way_stay(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "file").write_bytes(b"secret")
    for name in sorted({name.partition("/")[0] for name in page(1)}):
        for make in ("folder", "link to a folder", "dangling link", "link to a file"):
            path = folder / name
            if make == "folder" and "." not in name:
                continue
            if make == "folder":
                path.mkdir()
            else:
                targets = {"link to a folder": secret, "link to a file": secret / "file"}
                path.symlink_to(targets.get(make, tmp_path / "nowhere"))
            with pytest.raises(OutputError, match="is in the way"):
                publish.publish(folder, page(1))
            assert content(secret) == {"file": b"secret"}
            assert not (tmp_path / "nowhere").exists()
            if make == "folder":
                path.rmdir()
            else:
                path.unlink()
    publish.publish(folder, page(1))
    check_only(folder, 1)


def test_changed_or_added_files_among_old_assets_stay(folder: Path) -> None:
    publish.publish(folder, page(1))
    (assets,) = folder.glob("collapsi-*")
    (assets / "style.css").write_bytes(b"my own colours")
    (assets / "mine.txt").write_bytes(b"mine")
    publish.publish(folder, page(2))
    assert content(assets) == {"style.css": b"my own colours", "mine.txt": b"mine"}
    assert shown(folder) == 2


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{", b"[" * 200_000, b'{"format": 2, "files": {}}', b'{"format": 1, "files": {"a": 1}}']
    + [b'{"format": 1, "files": {"%s": []}}' % name for name in (b"../x", b"/x", b"a/../../x", b"")],
)
def test_a_damaged_manifest_is_one_line(folder: Path, text: bytes) -> None:
    publish.publish(folder, page(1))
    (folder / publish.MANIFEST).write_bytes(text)
    before = content(folder)
    with pytest.raises(OutputError, match=r"^[^\n]+ is damaged or from another version: [^\n]+\Z"):
        publish.publish(folder, page(2))
    assert content(folder) == before


def test_one_writer_at_a_time(folder: Path) -> None:
    with FolderLock(folder), pytest.raises(BusyError, match="another process is writing to"):
        publish.publish(folder, page(1))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_a_pipe_in_place_of_the_manifest_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / publish.MANIFEST)
    with pytest.raises(OutputError, match="not a regular file"):
        publish.publish(tmp_path, page(1))
