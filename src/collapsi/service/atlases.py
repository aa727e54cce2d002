"""The census for the page: an atlas in the user's cache folder, made in the background on the first request.

An atlas that is missing or damaged is made again; answers come only from one that was verified. There are 225
opening rules, and each atlas takes 30 MB of memory and about 15 MB of disk: `MOST_KEPT` are kept, and the
least recently used one is removed for a new one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from collapsi.api.census_views import ready_json
from collapsi.core.errors import AtlasError, CollapsiError, DamagedAtlasError
from collapsi.service.child_process import wait_or_kill
from collapsi.service.waiting import OverloadedError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from collapsi.api import json_types, models
    from collapsi.census.atlas import Atlas
    from collapsi.games.classic.position import Position

RETRY_SECONDS = 30
"""How long a failed census is left alone before another try; twice as long after each further failure."""
MOST_DOUBLINGS = 4
MOST_KEPT = 5
"""How many atlases are kept, in memory and in the cache folder: the three rule sets, and two others."""
REFUSED = 2
"""The exit code of a job that says in one line why it cannot be done."""

log = logging.getLogger(__name__)


T = TypeVar("T")


class NotReadyError(CollapsiError):
    """The census is still being taken, or cannot be."""


@dataclass
class Work:
    """One rule set's atlas, or the work to make it."""

    rules: str
    folder: Path
    renew: Callable[[Atlas], None]
    """Told, by any thread, of an atlas that was found damaged."""
    atlas: Atlas | None = None
    kinds: list[models.DealKind] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    progress: float = 0.0
    reason: str | None = None
    failures: int = 0
    """In a row."""
    retry_at: float = 0.0

    def check(self) -> Atlas:
        """The atlas, or an error that says how far it is."""
        if self.atlas:
            return self.atlas
        msg = f"the census of {self.rules} could not be taken: {self.reason}"
        if not self.reason:
            done = f"{self.progress:.0%} done"
            msg = f"the census of {self.rules} is being taken ({done}): ask again in a few seconds"
        raise NotReadyError(msg)

    def find(self, deal: Position) -> json_types.DealRow:
        """What the atlas knows of a deal."""
        return self._answer(lambda atlas: atlas.find(deal).to_json())

    def draw(self, rng: random.Random, **wanted: Any) -> Position:
        """A random deal of a kind."""
        return self._answer(lambda atlas: atlas.draw(rng, **wanted))

    def _answer(self, ask: Callable[[Atlas], T]) -> T:
        """An answer by the atlas; if it is found damaged meanwhile, it is made again."""
        atlas = self.check()
        try:
            return ask(atlas)
        except DamagedAtlasError:
            self.renew(atlas)
            again = "was damaged, and is being taken again: ask again in a few seconds"
            msg = f"the census of {self.rules} {again}"
            raise NotReadyError(msg) from None


class Atlases:
    """The atlases by name of the rules. All methods that answer at once are called on the event loop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._work: dict[str, Work] = {}  # the least recently used first
        self._one = asyncio.Lock()  # each job takes up to two gigabytes: others wait

    def status(self, rules: str) -> models.Census:
        """How far the census is, and its counts if it is there. Asking for it starts it."""
        work = self._ensure(rules)
        if work.atlas:
            return ready_json(rules, work.kinds)
        return {
            "rules": rules,
            "state": "failed" if work.reason else "working",
            "progress": work.progress,
            "reason": work.reason,
        }

    def ready(self, rules: str) -> Work:
        """The finished work, or an error that says how far it is."""
        work = self._ensure(rules)
        work.check()
        return work

    def _ensure(self, rules: str) -> Work:
        if rules not in self._work:
            loop = asyncio.get_running_loop()

            def renew(damaged: Atlas) -> None:
                with suppress(RuntimeError):  # the service has ended meanwhile
                    loop.call_soon_threadsafe(self._renew, rules, damaged)

            self._make_room()
            self._work[rules] = Work(rules, self.folder / folder_name(rules), renew)
        work = self._work[rules] = self._work.pop(rules)
        if work.atlas and not work.atlas.is_unchanged():  # the files have changed: verify them again
            work.atlas = None
        idle = work.task is None or work.task.done()
        if not work.atlas and idle and time.monotonic() >= work.retry_at:
            work.reason, work.progress = None, 0.0
            work.task = asyncio.create_task(self._make(work))
        return work

    def _make_room(self) -> None:
        """Forget the least recently used atlas if there are too many; refuse if all are being made."""
        if len(self._work) < MOST_KEPT:
            return
        idle = [rules for rules, work in self._work.items() if work.task is None or work.task.done()]
        if not idle:
            msg = f"{MOST_KEPT} censuses are being taken already: ask again when one of them is done"
            raise OverloadedError(msg)
        del self._work[idle[0]]

    def _renew(self, rules: str, damaged: Atlas) -> None:
        if rules in self._work and self._work[rules].atlas is damaged:
            self._work[rules].atlas = None
            self._ensure(rules)

    async def _make(self, work: Work) -> None:
        try:
            try:
                work.atlas, work.kinds = await asyncio.to_thread(_open, work.folder, work.rules)
            except CollapsiError as error:
                if isinstance(error, DamagedAtlasError):
                    log.warning("collapsi: %s: it is made again", str(error).partition(";")[0])
                async with self._one:
                    await self._take_census(work)
                work.atlas, work.kinds = await asyncio.to_thread(_open, work.folder, work.rules)
            work.progress, work.failures = 1.0, 0
            await asyncio.to_thread(_remove_least_recent, self.folder, {*self._work})
        except Exception as error:  # noqa: BLE001 - any failure is reported to the clients
            said = str(error) if isinstance(error, CollapsiError) else getattr(error, "strerror", None)
            reason = (said or type(error).__name__).partition("\n")[0]
            log.warning("collapsi: the census of %s could not be taken: %s", work.rules, reason)
            # The path of the cache folder is not sent over the network.
            work.reason = reason.replace(str(work.folder), "the cache folder")
            work.retry_at = time.monotonic() + RETRY_SECONDS * 2 ** min(work.failures, MOST_DOUBLINGS)
            work.failures += 1

    @staticmethod
    async def _take_census(work: Work) -> None:
        pipe = asyncio.subprocess.PIPE
        command = [sys.executable, "-P", "-m", "collapsi.service.census_job", work.rules, str(work.folder)]
        job = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
        assert job.stdout is not None  # asked for above
        assert job.stderr is not None
        watch = asyncio.create_task(wait_or_kill(job))
        try:
            complaining = asyncio.create_task(job.stderr.read())
            async for line in job.stdout:
                with suppress(ValueError):
                    work.progress = min(float(line), 0.99)
            complaint = (await complaining).decode(errors="replace").strip()
            if await job.wait():
                said = complaint.splitlines()[-1] if job.returncode == REFUSED and complaint else None
                raise NotReadyError(said or f"it was stopped ({job.returncode})")
        finally:
            if job.returncode is None:
                with suppress(ProcessLookupError):
                    job.terminate()
            await watch

    async def close(self) -> None:
        """Stop what is under way."""
        for work in self._work.values():
            if work.task and not work.task.done():
                work.task.cancel()
                with suppress(asyncio.CancelledError):
                    await work.task


def folder_name(rules: str) -> str:
    """The folder of an atlas in the cache; Windows allows no `|` in a name.

    >>> folder_name("standard"), folder_name("1,3|2")
    ('standard', '1,3_2')
    """
    return rules.replace("|", "_")


def _remove_least_recent(cache: Path, in_use: set[str]) -> None:
    """Remove atlases that the service has written, the least recently used first, until few enough are left.

    Only those that are complete, in the folder that the service would write them to: nothing else is ours.
    """
    from collapsi.census.atlas_files import read_manifest, remove_atlas

    found: list[tuple[float, str, Path]] = []
    with suppress(OSError):
        for folder in cache.iterdir():
            with suppress(CollapsiError, OSError):
                rules = str(read_manifest(folder)["rules"])
                if folder.name in (folder_name(rules), rules):
                    found.append((folder.stat().st_mtime, rules, folder))
    surplus = len(found) - MOST_KEPT
    for _, rules, folder in sorted(found):
        if surplus > 0 and rules not in in_use:
            with suppress(CollapsiError, OSError):  # another process writes there, or reads on Windows
                remove_atlas(folder)
                surplus -= 1


def _open(folder: Path, rules: str) -> tuple[Atlas, list[models.DealKind]]:
    from collapsi.census.atlas import Atlas

    atlas = Atlas(folder)
    if atlas.rules != rules:
        msg = f"{folder} holds the census of {atlas.rules}, not of {rules}"
        raise AtlasError(msg)
    atlas.check_intact()
    with suppress(OSError):
        os.utime(folder)  # when it was last used
    kinds: list[models.DealKind] = [
        {
            "plies": plies,
            "winner": winner,
            "winning_moves": winning_moves,
            "deals": deals,
            "different": different,
        }
        for plies, winner, winning_moves, deals, different in atlas.kinds().iter_rows()
    ]
    return atlas, kinds
