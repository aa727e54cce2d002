"""Damaged atlases are detected, and writers, even killed ones, leave either the old atlas or the new one."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import Atlas, parse_position
from collapsi.api import census_views as kinds
from collapsi.census.atlas_files import (
    FIELDS,
    FORMAT,
    MANIFEST,
    open_writer,
    read_manifest,
    remove_atlas,
    seal,
)
from collapsi.core.errors import AtlasError, BusyError, CollapsiError, DamagedAtlasError, OutputError
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.service import atlases, census_job
from collapsi.service.atlases import Atlases, NotReadyError
from collapsi.solving import jit
from collapsi.system import files
from collapsi.system.files import LOCK, FolderLock
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS, apart, run_apart
from tests.small_atlas import facts_of, plain_rows, rows_of, write_rows
from tests.test_kept_censuses import Kept
from tests.typed import refused, run

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from collapsi.games.classic.rules import Rules


ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return rows_of(1)


@pytest.fixture
def atlas(tmp_path: Path, rows: pl.DataFrame) -> Atlas:
    return write_rows(tmp_path / "atlas", rows)


def questions(rows: pl.DataFrame) -> dict[str, Callable[[Atlas], Any]]:
    """Every way to ask an atlas, as answers that can be compared."""
    deal = rows["deal"][3]
    return {
        "find": lambda atlas: atlas.find(deal),
        "filter": lambda atlas: atlas.filter(winner="red").rows(),
        "draw": lambda atlas: atlas.draw(random.Random(1), winner="red"),
        "kinds": lambda atlas: atlas.kinds().rows(),
        "frame": lambda atlas: atlas.frame.rows(),
        "scan": lambda atlas: atlas.scan().collect().rows(),
        "sql": lambda atlas: atlas.sql("select sum(score * weight), min(deal) from deals").rows(),
        "check_intact": lambda atlas: atlas.check_intact(),
    }


def flip(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("flips", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_flipped_bit_of_the_data_is_noticed_by_every_question(
    atlas: Atlas, rows: pl.DataFrame, flips: int
) -> None:
    content = atlas.path.read_bytes()
    asked = questions(rows)
    right = {name: question(atlas) for name, question in asked.items()}
    rng = random.Random(26)
    for bit in rng.sample(range(8 * len(content)), flips):
        atlas.path.write_bytes(flip(content, bit))
        opened = Atlas(atlas.folder)
        (fault,) = opened.faults()
        assert "is damaged: its SHA-256 is not the manifest's" in fault
        for question in asked.values():
            with pytest.raises(DamagedAtlasError, match="is damaged"):
                question(opened)
    atlas.path.write_bytes(content)
    assert {name: question(Atlas(atlas.folder)) for name, question in asked.items()} == right


@pytest.mark.parametrize("every", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_every_flipped_bit_of_the_manifest_is_noticed(atlas: Atlas, every: int) -> None:
    path = atlas.folder / MANIFEST
    content = path.read_bytes()
    for bit in range(0, 8 * len(content), every):
        path.write_bytes(flip(content, bit))
        with pytest.raises(AtlasError, match=r"is damaged|(older|newer) format") as caught:
            Atlas(atlas.folder)
        assert "\n" not in str(caught.value)
    path.write_bytes(content)
    assert Atlas(atlas.folder).manifest == atlas.manifest


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_the_manifest_that_says_something_else(atlas: Atlas, name: str) -> None:
    """Without the seal, and with the seal made again by somebody who knows how: another value, or none."""
    path = atlas.folder / MANIFEST
    assert list(atlas.manifest) == list(FIELDS)
    for value in (None, True, -1, 2.5, "", "x", "joker", [], [0], [5], [[1]], {}, {"7": "1"}, 10**30):
        changed = {**atlas.manifest, name: value}
        path.write_text(json.dumps(changed, indent=2) + "\n", encoding="utf-8")
        with pytest.raises(AtlasError, match=r"is damaged|(older|newer) format"):
            read_manifest(atlas.folder)
        path.write_bytes(seal(changed))
        try:
            opened = Atlas(atlas.folder)
        except AtlasError:
            continue
        if name in ("version", "seal") or (name == "rules" and value not in FOR_TWO):
            continue  # says nothing of the rows, was made again, or is anybody's name for an opening rule
        assert [fault for fault in opened.faults() if not fault.startswith("the weights add up")], value
    without = {other: value for other, value in atlas.manifest.items() if other != name}
    path.write_bytes(_unsealed(without))
    with pytest.raises(AtlasError, match=f"fields are missing: {name}|older format"):
        Atlas(atlas.folder)


def _unsealed(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts, indent=2).encode() + b"\n"


def test_space_that_changes_no_meaning_is_noticed_too(atlas: Atlas) -> None:
    path = atlas.folder / MANIFEST
    content = path.read_text(encoding="utf-8")
    for changed in (content + "\n", content.replace("  ", "\t"), content.replace('"rows"', '"\\u0072ows"')):
        assert json.loads(changed) == atlas.manifest
        path.write_text(changed, encoding="utf-8")
        with pytest.raises(DamagedAtlasError, match="it has changed since it was written"):
            Atlas(atlas.folder)


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b"{}x", b"\xff\xfe", b"[" * 60_000, b"1" * 5000, b"{" + b" " * 200_000 + b"}"],
)
def test_a_manifest_that_is_none(atlas: Atlas, content: bytes) -> None:
    (atlas.folder / MANIFEST).write_bytes(content)
    with pytest.raises(DamagedAtlasError, match="it is no manifest"):
        Atlas(atlas.folder)


def test_the_commands_say_so_in_one_line(atlas: Atlas, rows: pl.DataFrame, tmp_path: Path) -> None:
    content = atlas.path.read_bytes()
    atlas.path.write_bytes(flip(content, 4000))
    folder = str(atlas.folder)
    done = run("atlas", "verify", "--atlas", folder)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"is damaged: its SHA-256 is not the manifest's" in done.stderr
    for command in (
        ["atlas", "find", "--plies", "11"],
        ["atlas", "show", rows["deal"][0]],
        ["atlas", "sql", "select count(*) from deals"],
        ["report", "--out", str(tmp_path / "report")],
    ):
        assert "is damaged" in refused(*command, "--atlas", folder)
    (atlas.folder / MANIFEST).write_bytes(flip((atlas.folder / MANIFEST).read_bytes(), 1000))
    assert "is damaged" in refused("atlas", "verify", "--atlas", folder)


def test_an_atlas_without_its_data_can_be_removed(atlas: Atlas) -> None:
    folder = atlas.path.parent
    atlas.path.unlink()
    remove_atlas(folder)
    assert not folder.exists()


def test_damage_done_while_it_is_open(atlas: Atlas, rows: pl.DataFrame) -> None:
    content = atlas.path.read_bytes()
    right = atlas.find(rows["deal"][0])
    assert atlas.is_unchanged()
    atlas.path.write_bytes(content[:-100])
    assert not atlas.is_unchanged()
    with pytest.raises(DamagedAtlasError, match="its size is not"):
        atlas.find(rows["deal"][0])
    atlas.path.write_bytes(content)
    assert atlas.find(rows["deal"][0]) == right
    before = atlas.path.stat()
    atlas.path.write_bytes(flip(content, 4000))
    os.utime(
        atlas.path, ns=(before.st_atime_ns, before.st_mtime_ns)
    )  # as a failing disk would: no date tells
    assert atlas.find(rows["deal"][0]) == right, "from what was found whole"
    atlas.path.unlink()
    with pytest.raises(DamagedAtlasError, match="is missing"):
        atlas.find(rows["deal"][0])


# Formats


def old_manifest(atlas: Atlas) -> bytes:
    """As it was written before there were formats."""
    return _unsealed(
        {name: atlas.manifest[name] for name in FIELDS if name not in ("format", "bytes", "seal")}
    )


def test_other_formats_are_told_apart(atlas: Atlas) -> None:
    path = atlas.folder / MANIFEST
    path.write_bytes(old_manifest(atlas))
    said = refused("atlas", "verify", "--atlas", str(atlas.folder))
    assert f"holds an atlas of an older format (1, and this program reads {FORMAT})" in said
    assert f"make it again with collapsi census --games --out {atlas.folder} --force" in said
    path.write_bytes(seal({**atlas.manifest, "format": FORMAT + 1, "rules": "joker"}))
    with pytest.raises(
        AtlasError, match=f"a newer format .*census --rules joker --games --out {atlas.folder} --force"
    ):
        Atlas(atlas.folder)


@pytest.mark.parametrize("rules", [*CLASSIC_RULE_SETS, "1,3|2", "standard@5,4,3,2"])
def test_the_command_in_the_advice_makes_an_atlas_of_the_same_rules(
    atlas: Atlas, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is typed as it is written, up to the census itself."""

    def stop(taken: Rules, _: object) -> None:
        msg = f"a census of {taken}"
        raise CollapsiError(msg)

    monkeypatch.setattr("collapsi.cli.census.possible_games", stop)
    (atlas.folder / MANIFEST).write_bytes(seal({**atlas.manifest, "rules": rules, "bytes": 1}))
    said = refused("atlas", "find", "--atlas", str(atlas.folder))
    program, *arguments = shlex.split(said.partition("make it again with ")[2])
    assert program == "collapsi"
    assert refused(*arguments) == f"collapsi: a census of {rules}\n"


# Writers


def test_a_second_writer_is_refused_before_the_work(atlas: Atlas) -> None:
    before = (atlas.folder / MANIFEST).read_bytes()
    with open_writer(atlas.folder, force=True):
        with (
            pytest.raises(BusyError, match="another process is writing to"),
            open_writer(atlas.folder, force=True),
        ):
            pass
        assert "another process is writing to" in refused("census", "--out", str(atlas.folder), "--force")
    assert (atlas.folder / MANIFEST).read_bytes() == before
    assert not (atlas.folder / LOCK).exists()
    with open_writer(atlas.folder, force=True):
        pass


def test_a_folder_that_is_removed_under_a_writer_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "atlas"
    rows = plain_rows(1)
    with open_writer(folder) as place:
        shutil.rmtree(folder)
        place.write(rows, facts_of(rows))
        with pytest.raises(BusyError), FolderLock(folder):
            pass
    assert len(Atlas(folder).frame) == len(rows)
    assert not (folder / LOCK).exists()


def test_what_killed_writers_left_goes_and_nothing_else(atlas: Atlas) -> None:
    folder = atlas.folder
    stray = write_rows(folder.parent / "other", plain_rows(3)).path
    shutil.copy(stray, folder)
    for name in (".partial-123.parquet", ".partial-9-manifest.json", ".probe-77", LOCK):
        (folder / name).write_text("left behind")
    others = {
        "deals-2024.parquet", "deals-0123456789abcdef.parquet", ".partial-mine", "notes.txt", "manifest.bak",
        ".partial-1.parquet.bak", "deals-0123456789abcdef.parquet.bak",
    }  # fmt: skip
    for name in others:
        (folder / name).write_text("somebody else's")
    with open_writer(folder, force=True):  # before the work, not only after it
        assert {path.name for path in folder.iterdir()} == {*others, MANIFEST, atlas.path.name, LOCK}
        assert list(Atlas(folder).faults()) == list(atlas.faults())
    written = write_rows(folder, plain_rows(4))
    assert {path.name for path in folder.iterdir()} == {*others, MANIFEST, written.path.name}
    assert all((folder / name).read_text() == "somebody else's" for name in others)


@pytest.mark.parametrize("damaged", ["data", "manifest", "both", "old format"])
def test_a_damaged_or_old_atlas_is_replaced_without_a_trace(atlas: Atlas, damaged: str) -> None:
    if damaged == "old format":
        (atlas.folder / MANIFEST).write_bytes(old_manifest(atlas))
    if damaged in ("data", "both"):
        atlas.path.write_bytes(flip(atlas.path.read_bytes(), 5000))
    if damaged in ("manifest", "both"):
        (atlas.folder / MANIFEST).write_bytes(flip((atlas.folder / MANIFEST).read_bytes(), 3))
    written = write_rows(atlas.folder, plain_rows(5))
    assert {path.name for path in atlas.folder.iterdir()} == {MANIFEST, written.path.name}


@pytest.fixture
def no_census(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that takes a census fails; it runs in this process, so it keeps its priority."""
    monkeypatch.setattr(census_job, "take_census", lambda *_, **__: pytest.fail("a census is taken"))
    monkeypatch.setattr(census_job, "step_back", lambda: None)


@pytest.mark.usefixtures("no_census")
def test_no_room_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))
    with pytest.raises(OutputError, match="it needs 40 MB, and 1 MB are free"), open_writer(tmp_path):
        pytest.fail("there is no room")
    with pytest.raises(OutputError, match="1 MB are free"):
        census_job.main("standard", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_census")
def test_a_census_without_machine_code_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "numba", None)
    with pytest.raises(CollapsiError, match="Numba is missing, and without it all deals would take weeks"):
        census_job.main("standard", tmp_path / "new")


@pytest.mark.usefixtures("no_census")
def test_a_job_takes_no_census_that_another_has_written(tmp_path: Path, rows: pl.DataFrame) -> None:
    write_rows(tmp_path, rows)
    census_job.main("standard", tmp_path)


def test_a_folder_in_the_place_of_the_manifest(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).mkdir()
    with pytest.raises(AtlasError, match="cannot be read: Is a directory"):
        Atlas(tmp_path)
    with (
        pytest.raises(OutputError, match=r"manifest\.json is a folder there"),
        open_writer(tmp_path, force=True),
    ):
        pytest.fail("it could not be written")


WRITER = """
import os, signal, sys, time
from pathlib import Path
from collapsi.core.errors import BusyError
from tests.small_atlas import plain_rows, write_rows
folder, number, fatal = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
seen = 0
def count(event, arguments):
    global seen
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "fcntl.flock", "os.listdir", "os.scandir"):
        seen += 1
        if seen == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
rows = [plain_rows(number), plain_rows(number + 1)]
write_rows(folder.parent / f"warm-{os.getpid()}", rows[0])  # whatever is loaded late is loaded
print("ready", flush=True)
if fatal:
    sys.addaudithook(count)
    write_rows(folder, rows[0])
    print("done", flush=True)
else:
    wrote = 0
    while wrote < 20:
        try:
            write_rows(folder, rows[wrote % 2])
            wrote += 1
            print("wrote", flush=True)
        except BusyError:
            pass
        time.sleep(0.002)  # lets the other have a turn
"""


def writer(folder: Path, number: int, fatal: int = 0) -> subprocess.Popen[str]:
    """A process that writes an atlas and kills itself at that use of a file; without one, writes twenty."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(number), str(fatal)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def check_whole(folder: Path, numbers: set[int]) -> None:
    """The folder holds one of these atlases, whole; and the next writer leaves only its own."""
    opened = Atlas(folder)
    assert [fault for fault in opened.faults() if not fault.startswith("the weights add up")] == []
    assert set(opened.frame["weight"].unique()) <= numbers
    written = write_rows(folder, plain_rows(1))
    assert {path.name for path in folder.iterdir()} == {MANIFEST, written.path.name}


@pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_at_every_use_of_a_file_it_holds_the_old_or_the_new(tmp_path: Path, every: int) -> None:
    folder = tmp_path / "atlas"
    write_rows(folder, plain_rows(1))
    fatal, done = 0, False
    found = set()
    while not done:
        fatal += every
        assert fatal < 100
        with writer(folder, 2, fatal) as process:
            said, _ = process.communicate(timeout=HANG_SECONDS)
        assert said.startswith("ready\n")
        done = "done" in said
        assert process.returncode == (0 if done else -signal.SIGKILL)
        found |= set(Atlas(folder).frame["weight"].unique())
        check_whole(folder, {1, 2})
    assert fatal > 8
    assert found == {1, 2}


@pytest.mark.slow
def test_killed_at_random_moments_it_holds_the_old_or_the_new(tmp_path: Path) -> None:
    folder = tmp_path / "atlas"
    write_rows(folder, plain_rows(1))
    rng = random.Random(27)
    for _ in range(5):
        with writer(folder, 2) as process:
            assert process.stdout is not None
            for _ in range(rng.randrange(1, 4)):
                assert process.stdout.readline()
            time.sleep(rng.uniform(0, 0.03))
            process.kill()
        check_whole(folder, {1, 2, 3})


def test_two_writers_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "atlas"
    write_rows(folder, plain_rows(1))
    with writer(folder, 2) as one, writer(folder, 4) as two:
        while one.poll() is None or two.poll() is None:
            try:
                assert set(Atlas(folder).frame["weight"].unique()) < {1, 2, 3, 4, 5}
            except (
                DamagedAtlasError
            ) as error:  # replaced between the look at the manifest and the look at the data
                assert "is missing" in str(error)  # noqa: PT017
        for process in (one, two):
            assert process.communicate()[0].count("wrote") == 20
            assert process.returncode == 0
    check_whole(folder, {2, 3, 4, 5})


HOLDER = """
import sys, time
from pathlib import Path
from collapsi.system.files import FolderLock
FolderLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(1000)
"""


def test_a_lock_goes_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(BusyError), FolderLock(tmp_path):
            pass
        process.kill()
    assert (tmp_path / LOCK).exists()
    with FolderLock(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


# Where POSIX is not


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """No POSIX locks, no niceness, and folders that cannot be opened."""
    real_lock, real_open, real_fcntl = files.fcntl, os.open, files.fcntl.flock

    def locking(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (2, 1)
        try:
            real_fcntl(descriptor, real_lock.LOCK_EX | real_lock.LOCK_NB)
        except OSError:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES)) from None

    def no_folders(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real_open(path, flags, *more, **named)

    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(files, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(os, "open", no_folders)
    monkeypatch.delattr(os, "nice")


@pytest.mark.usefixtures("windows")
def test_it_is_written_without_posix(tmp_path: Path) -> None:
    census_job.step_back()
    written = write_rows(tmp_path, plain_rows(1))
    with FolderLock(tmp_path), pytest.raises(BusyError), open_writer(tmp_path, force=True):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {MANIFEST, written.path.name}
    assert len(Atlas(tmp_path).frame) == 5000


def test_without_any_locks_it_is_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "fcntl", None)
    monkeypatch.setattr(files, "msvcrt", None)
    write_rows(tmp_path, plain_rows(1))
    assert not (tmp_path / LOCK).exists()


# The service's cache


@apart
async def test_the_service_makes_a_damaged_atlas_again(tmp_path: Path, rows: pl.DataFrame) -> None:
    folder = tmp_path / "cache" / "atlas"
    deal = parse_position(rows["deal"][0])
    kept = Kept(folder, rows)
    with pytest.raises(NotReadyError, match="is being taken"):
        kept.ready("standard")
    right = await kept.settled()
    assert (right["state"], len(kept.taken)) == ("ready", 1)
    atlas = kept.ready("standard").check()
    path, manifest = atlas.path, atlas.folder / MANIFEST
    known = kinds.deal_class_json(kept.ready("standard"), deal)

    async def found_while_answering(damage: Callable[[], object]) -> None:
        work = kept.ready("standard")
        damage()
        with pytest.raises(NotReadyError, match="was damaged, and is being taken again") as caught:
            await asyncio.to_thread(kinds.deal_class_json, work, deal)
        assert str(tmp_path) not in str(caught.value)
        await asyncio.sleep(0)
        assert work.task is not None
        assert not work.task.done(), "it is, without being asked once more"

    async def found_by_looking(damage: Callable[[], object]) -> None:
        work = kept.ready("standard")
        damage()
        assert kept.status("standard")["state"] == "working"
        with pytest.raises(NotReadyError, match="is being taken"):
            kept.ready("standard")
        with pytest.raises(NotReadyError, match="is being taken"):
            work.draw(random.Random(1), winner="red")

    of_data: list[Callable[[], object]] = [
        lambda: path.write_bytes(flip(path.read_bytes(), 4000)),
        lambda: path.write_bytes(path.read_bytes()[:1000]),
        path.unlink,
        lambda: shutil.rmtree(folder / "standard"),
        lambda: shutil.rmtree(folder.parent),
    ]
    of_manifest: list[Callable[[], object]] = [
        lambda: manifest.write_bytes(flip(manifest.read_bytes(), 999)),
        lambda: manifest.write_text('{"rules": "standard"}'),
        manifest.unlink,
    ]
    cases = [(found_while_answering, damage) for damage in of_data]
    cases += [(found_by_looking, damage) for damage in of_data + of_manifest]
    for number, (found, damage) in enumerate(cases, start=2):
        await found(damage)
        assert await kept.settled() == right
        assert len(kept.taken) == number
        assert kinds.deal_class_json(kept.ready("standard"), deal) == known
    os.utime(path)  # touched, and whole
    assert kept.status("standard")["state"] == "working"
    assert await kept.settled() == right
    assert len(kept.taken) == len(cases) + 1
    await kept.close()


@apart
async def test_the_service_makes_an_old_atlas_again(tmp_path: Path, rows: pl.DataFrame) -> None:
    old = write_rows(tmp_path / "standard", rows)
    (old.folder / MANIFEST).write_bytes(old_manifest(old))
    kept = Kept(tmp_path, rows)
    assert (await kept.settled())["state"] == "ready"
    assert kept.taken == ["standard"]
    await kept.close()
    assert Atlas(old.folder).manifest["format"] == FORMAT


@pytest.mark.parametrize("refusal", ["a file in its place", "no room", "a broken disk"])
@apart
async def test_the_service_does_without(
    tmp_path: Path, rows: pl.DataFrame, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    if refusal == "a file in its place":
        folder.write_text("not a folder")
    elif refusal == "no room":
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    else:
        monkeypatch.setattr("collapsi.census.atlas_files.read_data", _unreadable)
    kept = Kept(folder, rows)
    status = await kept.settled()
    assert (status["state"], status["rules"]) == ("failed", "standard")
    reason = status["reason"]
    assert reason is not None
    assert str(tmp_path) not in reason
    assert "\n" not in reason
    assert kept.status("standard") == status, "not tried again at once"
    assert kept.taken == ["standard"]
    with pytest.raises(NotReadyError, match="could not be taken") as caught:
        kept.ready("standard")
    assert str(tmp_path) not in str(caught.value)
    await kept.close()


def _unreadable(folder: Path, facts: dict[str, Any]) -> bytes:
    msg = f"{folder / facts['file']} cannot be read: Input/output error"
    raise DamagedAtlasError(msg)


def test_one_census_is_taken_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for many starts one: each takes a gigabyte or two."""
    under_way, most = 0, []

    async def taken(_: atlases.Work) -> None:
        nonlocal under_way
        under_way += 1
        most.append(under_way)
        await asyncio.sleep(0.05)  # nothing is written: the service says so
        under_way -= 1

    async def use() -> None:
        kept = Atlases(tmp_path)
        names = ["standard", "joker", "choice"]
        while "working" in [kept.status(name)["state"] for name in names]:
            await asyncio.sleep(0.01)
        assert [kept.status(name)["state"] for name in names] == ["failed"] * 3
        await kept.close()

    monkeypatch.setattr(Atlases, "_take_census", staticmethod(taken))
    run_apart(use())
    assert most == [1, 1, 1]
