"""The census for the page: an atlas in the user's cache folder, made once, in the background, when it is first asked for."""

from __future__ import annotations

import asyncio
import math
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from collapsi.errors import CollapsiError
from collapsi.symmetry import twins

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from collapsi.atlas import Atlas
    from collapsi.position import Position

RETRY_SECONDS = 30
"""How long a failed census is left alone before it is tried again."""


class NotReadyError(CollapsiError):
    """The census is still being taken, or cannot be."""


@dataclass
class Work:
    """One rule set's atlas, or the work to make it."""

    folder: Path
    atlas: Atlas | None = None
    kinds: list[dict[str, Any]] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    progress: float = 0.0
    reason: str | None = None
    failed_at: float = -math.inf


class Atlases:
    """The atlases by name of the rules. All methods that answer at once are called on the event loop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._work: dict[str, Work] = {}

    def status(self, rules: str) -> dict[str, Any]:
        """How far the census is, and its counts if it is there. Asking for it starts it."""
        work = self._ensure(rules)
        state = "ready" if work.atlas else "failed" if work.reason else "working"
        data: dict[str, Any] = {
            "rules": rules,
            "state": state,
            "progress": work.progress,
            "reason": work.reason,
        }
        if work.atlas:
            data |= {**_counts("", work.kinds), "kinds": work.kinds}
        return data

    def ready(self, rules: str) -> Work:
        """The finished work, or an error that says how far it is."""
        work = self._ensure(rules)
        if work.atlas:
            return work
        msg = (
            f"the census of {rules} could not be taken: {work.reason}"
            if work.reason
            else f"the census of {rules} is being taken ({work.progress:.0%} done): ask again in a few seconds"
        )
        raise NotReadyError(msg)

    def _ensure(self, rules: str) -> Work:
        work = self._work.setdefault(rules, Work(self.folder / rules))
        if work.atlas and not work.atlas.path.exists():  # somebody emptied the cache
            work.atlas = None
        idle = work.task is None or work.task.done()
        if not work.atlas and idle and time.monotonic() - work.failed_at > RETRY_SECONDS:
            work.reason, work.progress = None, 0.0
            work.task = asyncio.create_task(self._make(rules, work))
        return work

    async def _make(self, rules: str, work: Work) -> None:
        try:
            with suppress(CollapsiError):  # none there, or a damaged one: made anew below
                work.atlas, work.kinds = await asyncio.to_thread(_open, work.folder, rules)
            if work.atlas is None:
                await self._take_census(rules, work)
                work.atlas, work.kinds = await asyncio.to_thread(_open, work.folder, rules)
            work.progress = 1.0
        except Exception as error:  # noqa: BLE001 - whatever it was, whoever waits is told
            work.reason, work.failed_at = str(error), time.monotonic()

    @staticmethod
    async def _take_census(rules: str, work: Work) -> None:
        pipe = asyncio.subprocess.PIPE
        command = [sys.executable, "-P", "-m", "collapsi.web.census_job", rules, str(work.folder)]
        job = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
        assert job.stdout is not None  # asked for above
        assert job.stderr is not None
        try:
            complaining = asyncio.create_task(job.stderr.read())
            async for line in job.stdout:
                with suppress(ValueError):
                    work.progress = min(float(line), 0.99)
            complaint = (await complaining).decode(errors="replace").strip()
            if await job.wait():
                raise NotReadyError(
                    complaint.splitlines()[-1] if complaint else f"it was stopped ({job.returncode})"
                )
        finally:
            if job.returncode is None:
                job.terminate()
                await job.wait()

    async def close(self) -> None:
        """Stop what is under way."""
        for work in self._work.values():
            if work.task and not work.task.done():
                work.task.cancel()
                with suppress(asyncio.CancelledError):
                    await work.task


def _open(folder: Path, rules: str) -> tuple[Atlas, list[dict[str, Any]]]:
    from collapsi.atlas import Atlas, AtlasError

    atlas = Atlas(folder)
    if atlas.rules != rules:
        msg = f"{folder} holds the census of {atlas.rules}, not of {rules}"
        raise AtlasError(msg)
    atlas.check_whole()
    return atlas, atlas.kinds().to_dicts()


def deal_class_json(work: Work, deal: Position) -> dict[str, Any]:
    """What the atlas knows of a deal, how rare its kind is, and its twins."""
    from dataclasses import asdict

    from collapsi.notation import format_position

    assert work.atlas is not None  # only asked of finished work
    found = work.atlas.find(deal)
    length = [kind for kind in work.kinds if kind["plies"] == found.plies]
    alike = [kind for kind in length if kind["winning_moves"] == found.winning_moves]
    return {
        **asdict(found),
        "asked": format_position(deal),
        **_counts("length_", length),
        **_counts("alike_", alike),
        **_counts("", work.kinds),
        "twins": [format_position(twin) for twin in twins(deal)],
    }


def _counts(prefix: str, kinds: list[dict[str, Any]]) -> dict[str, int]:
    return {f"{prefix}{name}": sum(kind[name] for kind in kinds) for name in ("deals", "different")}


def draw(
    work: Work, rng: random.Random, *, plies: int | None, winning_moves: int | None, winner: str | None
) -> Position:
    """A random deal of a kind."""
    assert work.atlas is not None  # only asked of finished work
    wanted = {"plies": plies, "winning_moves": winning_moves, "winner": winner}
    return work.atlas.draw(rng, **{name: value for name, value in wanted.items() if value is not None})
