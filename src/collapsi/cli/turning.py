"""The census of the shifting board: of `shift-rotate`, whose lines turn; the other readings have none.

Loading this module loads the solvers, so the command does it when it runs.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census import TurningCensus, take_turning_census
from collapsi.cli.common import complain
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.errors import MalformedError
from collapsi.memory import check_memory
from collapsi.rules import SHIFT_ROTATE, Rules, Wrap
from collapsi.solve.layers import turning
from collapsi.verify import verify_turning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.verify import Verification

WHY_NOT = {
    "--method search": "one deal after the other would take weeks",
    "--games": "its possible games are not counted",
    "--out": "an atlas is of a board that stays as it is",
}


def check(rules: Rules, options: Sequence[str]) -> None:
    """Refuse what cannot be done: readings whose board grows, and options of the classic census."""
    if rules.shift is not Wrap.ROTATE:
        msg = (
            f"{rules} cannot be counted exactly, as its board changes its form: `collapsi report` has red's "
            f"share from random deals; {SHIFT_ROTATE} can be counted"
        )
        raise MalformedError(msg)
    if rules != SHIFT_ROTATE:
        msg = f"{rules}: of the shifting board only {SHIFT_ROTATE} with the official deck is counted exactly"
        raise MalformedError(msg)
    for option in options:
        msg = f"{rules}: {WHY_NOT[option]}, leave out {option}"
        raise MalformedError(msg)


def census(jobs: int | None, *, keep: bool) -> TurningCensus:
    """Every deal solved at once; if `keep`, from where it was broken off, if it was."""
    check_memory(turning.bytes_needed(), SHIFT_ROTATE.name)
    if not keep:
        with _progress(None, f"{_amount(None)}, no disk") as progress:
            return take_turning_census(jobs=jobs, progress=progress)
    with turning.Kept(turning.kept_folder()) as kept:
        room, done, size = kept.check_room(), kept.newest(), kept.size()
        disk = f"up to {(room + size) / 1e9:.1f} GB of disk in {kept.folder}"
        if done is not None:
            complain(
                f"going on after the layer of {done} cards, which was kept ({size / 1e9:.2f} GB); "
                "--forget would remove it"
            )
        with _progress(
            done, f"{_amount(done)}, {disk}; if interrupted, go on with the same command"
        ) as progress:
            return take_turning_census(jobs=jobs, kept=kept, progress=progress)


def verification(count: int, jobs: int | None) -> Verification:
    """Random deals compared with the search, other ones every time."""
    check_memory(turning.bytes_needed(), SHIFT_ROTATE.name)
    with _progress(None, f"{_amount(None)}, no disk; then the deals, about half a second each") as progress:
        return verify_turning(count, np.random.default_rng(), jobs=jobs, progress=progress)


def forget() -> None:
    """Remove what a census that was broken off has kept."""
    with turning.Kept(turning.kept_folder()) as kept:
        size = kept.forget()
        what = f"removed {size / 1e9:.2f} GB from" if size else "nothing was kept in"
        sys.stdout.write(f"{what} {kept.folder}\n")


def _amount(done: int | None) -> str:
    """What the work takes, for people."""
    positions, memory = turning.positions_after(done) / 1e9, turning.bytes_needed() / 1e9
    return f"{positions:.1f} billion positions, some minutes, about {memory:.1f} GB of memory"


@contextmanager
def _progress(done: int | None, what: str) -> Iterator[Callable[[turning.Piece], None]]:
    """A line about what it takes, and a bar over the positions that are left to solve."""
    complain(what)
    say_if_compiling(ready=turning.is_ready())
    with progress_bar(turning.positions_after(done), "layers") as say:
        say(f"{2 if done is None else done:>2} cards", 0)
        yield lambda piece: say(
            f"{piece.layer.cards:>2} cards, {len(piece.layer.index):,} shapes", piece.positions
        )
