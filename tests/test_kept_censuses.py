"""The service keeps a bounded number of censuses, in memory and on disk."""

from __future__ import annotations

import asyncio
import os
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from collapsi.census.atlas import Atlas
from collapsi.census.atlas_files import MANIFEST
from collapsi.census.lengths import take_census
from collapsi.core.errors import CollapsiError
from collapsi.games.classic.made_up import classic_rules, format_steps
from collapsi.service import census_job
from collapsi.service.atlases import MOST_KEPT, Atlases, NotReadyError, folder_name
from collapsi.service.waiting import OverloadedError
from tests.service import apart, run_apart
from tests.small_atlas import rows_of, write_rows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import polars as pl

    from collapsi.api import models
    from collapsi.service.atlases import Work

RULES = [
    f"{format_steps(red)}|{format_steps(blue)}"
    for red in ((1, 2), (1, 3), (2, 4), (3,))
    for blue in ((1,), (2,), (1, 4))
]
FORBIDDEN = '<>:"/\\|?*'
"""Characters that Windows does not allow in a name."""


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return rows_of(1, 20)


class Kept(Atlases):
    """Atlases whose census is taken in no time, when it is let."""

    def __init__(self, folder: Path, rows: pl.DataFrame) -> None:
        super().__init__(folder)
        self.rows = rows
        self.taken: list[str] = []
        self.let = asyncio.Event()
        self.let.set()

    async def _take_census(self, work: Work) -> None:  # type: ignore[override]
        await self.let.wait()
        self.taken.append(work.rules)
        await asyncio.to_thread(write_rows, work.folder, self.rows, work.rules)

    async def settled(self, rules: str = "standard") -> models.Census:
        """The status once nothing is under way."""
        while (status := self.status(rules))["state"] == "working":
            await asyncio.sleep(0.001)
        for work in self._work.values():
            assert work.task is not None
            await work.task
        return status

    async def settle(self, rules: str) -> None:
        """Ask until the census is there."""
        assert (await self.settled(rules))["state"] == "ready"


def on_disk(folder: Path) -> set[str]:
    """The rules of the atlases that are there."""
    found = set()
    for path in folder.iterdir():
        try:
            found.add(Atlas(path).rules)
        except CollapsiError:
            continue
    return found


@apart
async def test_the_least_recently_used_gives_way(tmp_path: Path, rows: pl.DataFrame) -> None:
    kept = Kept(tmp_path, rows)
    for rules in RULES:
        await kept.settle("standard")  # all the time
        await kept.settle(rules)
        assert len(kept._work) <= MOST_KEPT
        assert len(on_disk(tmp_path)) <= MOST_KEPT
    assert on_disk(tmp_path) == {"standard", *RULES[1 - MOST_KEPT :]}
    assert kept.taken == ["standard", *RULES]  # those that are kept were taken once
    await kept.settle(RULES[0])
    assert kept.taken[-1] == RULES[0]
    await kept.close()


@apart
async def test_the_next_server_keeps_the_limit_too(tmp_path: Path, rows: pl.DataFrame) -> None:
    """Of atlases on disk that it was not asked for, those that were used last stay."""
    for number, rules in enumerate(RULES):
        folder = tmp_path / folder_name(rules)
        write_rows(folder, rows, rules)
        os.utime(folder, (number, number))
    kept = Kept(tmp_path, rows)
    await kept.settle(RULES[0])
    assert kept.taken == []
    assert on_disk(tmp_path) == {RULES[0], *RULES[1 - MOST_KEPT :]}
    await kept.close()


@apart
async def test_only_own_files_are_removed(tmp_path: Path, rows: pl.DataFrame) -> None:
    for rules in RULES:
        write_rows(tmp_path / folder_name(rules), rows, rules)
    (tmp_path / folder_name(RULES[0]) / "notes.txt").write_text("mine")
    write_rows(tmp_path / "my own census", rows, "joker")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / MANIFEST).write_text("{}")
    (tmp_path / "a file").write_text("mine")
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))
    kept = Kept(tmp_path, rows)
    await kept.settle("standard")
    await kept.close()
    notes = tmp_path / folder_name(RULES[0]) / "notes.txt"
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]
    assert Atlas(tmp_path / "my own census").rules == "joker"
    assert (tmp_path / "letters" / MANIFEST).read_text() == "{}"
    assert (tmp_path / "a file").read_text() == "mine"
    assert len([path for path in tmp_path.iterdir() if (path / MANIFEST).exists()]) == MOST_KEPT + 2


@apart
async def test_no_more_are_taken_at_once_than_are_kept(tmp_path: Path, rows: pl.DataFrame) -> None:
    kept = Kept(tmp_path, rows)
    kept.let.clear()
    for rules in RULES[:MOST_KEPT]:
        assert kept.status(rules)["state"] == "working"
    with pytest.raises(OverloadedError, match="5 censuses are being taken already"):
        kept.status("standard")
    with pytest.raises(NotReadyError, match="is being taken"):
        kept.ready(RULES[0])
    kept.let.set()
    for rules in RULES[:MOST_KEPT]:
        await kept.settle(rules)
    await kept.settle("standard")
    await kept.close()


def test_after_a_failure_it_waits_longer_each_time(
    tmp_path: Path, rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to eight minutes; after a success the first wait is short again."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("collapsi.service.atlases.time", SimpleNamespace(monotonic=lambda: clock.now))

    class Failing(Kept):
        async def _take_census(self, work: Work) -> None:  # type: ignore[override]
            if not self.let.is_set():
                msg = "the disk is full"
                raise NotReadyError(msg)
            await super()._take_census(work)

    async def waits(kept: Failing, failures: int) -> AsyncIterator[float]:
        for _ in range(failures):
            status = await kept.settled()
            assert (status["state"], status["reason"]) == ("failed", "the disk is full")
            yield kept._work["standard"].retry_at - clock.now
            clock.now = kept._work["standard"].retry_at

    async def run() -> None:
        kept = Failing(tmp_path, rows)
        kept.let.clear()
        assert [wait async for wait in waits(kept, 6)] == [30, 60, 120, 240, 480, 480]
        kept.let.set()
        await kept.settle("standard")
        kept.let.clear()
        shutil.rmtree(tmp_path / folder_name("standard"))
        assert [wait async for wait in waits(kept, 2)] == [30, 60]
        await kept.close()

    run_apart(run())


@apart
async def test_a_folder_has_a_name_that_every_system_allows(tmp_path: Path, rows: pl.DataFrame) -> None:
    names = [folder_name(rules) for rules in RULES]
    assert len(set(names)) == len(RULES)
    assert not any(set(name) & set(FORBIDDEN) for name in names)
    kept = Kept(tmp_path, rows)
    await kept.settle(RULES[0])
    await kept.close()
    assert [path.name for path in tmp_path.iterdir()] == [names[0]]


SMALL = "standard@11,1,1,1"


def test_a_job_says_how_far_it_is_and_writes_the_census(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(census_job, "step_back", lambda: None)  # it runs in this process
    census_job.main(SMALL, tmp_path)
    shares = [float(line) for line in capsys.readouterr().out.splitlines()]
    assert shares == sorted(shares)
    assert len(set(shares)) > 10
    assert (shares[0], shares[-1]) == (0, 1)
    counted = take_census(classic_rules(SMALL))
    assert counted.deals == 32_760
    lengths = {str(plies): deals for plies, deals in counted.lengths.items()}
    assert Atlas(tmp_path).manifest["lengths"] == lengths


@apart
async def test_the_census_of_a_small_deck_is_taken_by_a_process(tmp_path: Path) -> None:
    """Of the official deck in `tests/test_api.py`, in the slow run."""
    kept = Atlases(tmp_path)
    while (status := kept.status(SMALL))["state"] == "working":
        assert 0 <= status["progress"] < 1
        await asyncio.sleep(0.01)
    assert (status["state"], status["progress"], status["deals"]) == ("ready", 1, 32_760)
    await kept.close()
    assert on_disk(tmp_path) == {SMALL}
