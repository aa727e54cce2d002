"""The census of `shift-rotate`, the only reading of the Shifting Board whose deals can be counted."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from collapsi.census import rotate
from collapsi.census.rotate_census import take_rotate_census
from collapsi.census.verify import verify_rotate
from collapsi.cli.census_tables import print_rotate_census
from collapsi.cli.output import complain, print_json
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.core.errors import MalformedError
from collapsi.games.shifting.rules import SHIFT_ROTATE, ShiftingRules
from collapsi.system.memory import check_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.census.rotate_census import RotateCensus
    from collapsi.census.verify import Verification

NOT_POSSIBLE = {
    "--method search": "one deal after the other would take weeks",
    "--games": "its possible games are not counted",
    "--openings": "it has one opening rule",
    "--out": "an atlas needs a board that does not shift",
}
"""Options of the census that this rule set does not have, with the reasons."""


def check(rules: ShiftingRules, options: Sequence[str]) -> None:
    """Refuse other decks, and options of the classic census."""
    if rules != SHIFT_ROTATE:
        msg = f"{rules}: of the Shifting Board only {SHIFT_ROTATE} with the official deck can be counted"
        raise MalformedError(msg)
    for option in options:
        if option in NOT_POSSIBLE:
            msg = f"{rules}: {NOT_POSSIBLE[option]}, leave out {option}"
            raise MalformedError(msg)


def take(jobs: int | None, *, keep: bool, json_lines: bool) -> None:
    """Take the census and print it."""
    found = _solve(jobs, keep=keep)
    if json_lines:
        print_json(found.to_json())
    else:
        print_rotate_census(found)


def _solve(jobs: int | None, *, keep: bool) -> RotateCensus:
    """Solve all deals at once; with `keep`, resume from a stored layer if there is one."""
    check_memory(rotate.bytes_needed(), SHIFT_ROTATE.name)
    if not keep:
        with _progress(None, f"{_amount(None)}, no disk") as progress:
            return take_rotate_census(jobs=jobs, progress=progress)
    with rotate.LayerStore(rotate.layer_store_folder()) as kept:
        room, done, size = kept.check_disk_space(), kept.newest(), kept.size()
        disk = f"up to {(room + size) / 1e9:.1f} GB of disk in {kept.folder}"
        if done is not None:
            complain(
                f"resuming after the stored layer of {done} cards ({size / 1e9:.2f} GB); "
                "--forget would remove it"
            )
        with _progress(done, f"{_amount(done)}, {disk}; after a stop, the same command resumes") as progress:
            return take_rotate_census(jobs=jobs, store=kept, progress=progress)


def verification(count: int, jobs: int | None) -> Verification:
    """Compare random deals, other ones every time, with the search."""
    check_memory(rotate.bytes_needed(), SHIFT_ROTATE.name)
    with _progress(None, f"{_amount(None)}, no disk; then the deals, about half a second each") as progress:
        return verify_rotate(count, np.random.default_rng(), jobs=jobs, progress=progress)


def forget() -> None:
    """Remove the layer that a stopped census has stored."""
    with rotate.LayerStore(rotate.layer_store_folder()) as kept:
        size = kept.clear()
        what = f"removed {size / 1e9:.2f} GB from" if size else "nothing is stored in"
        sys.stdout.write(f"{what} {kept.folder}\n")


def _amount(done: int | None) -> str:
    """Describe the time and memory that the remaining work needs."""
    positions, memory = rotate.positions_after(done) / 1e9, rotate.bytes_needed() / 1e9
    return f"{positions:.1f} billion positions, some minutes, about {memory:.1f} GB of memory"


@contextmanager
def _progress(done: int | None, what: str) -> Iterator[Callable[[rotate.WorkDone], None]]:
    """Print a line about the cost, and show a bar over the positions that are left to solve."""
    complain(what)
    say_if_compiling(ready=rotate.is_ready())
    with progress_bar(rotate.positions_after(done), "layers") as advance:
        advance(f"{2 if done is None else done:>2} cards", 0)
        yield lambda piece: advance(
            f"{piece.layer.cards:>2} cards, {len(piece.layer.index):,} shapes", piece.positions
        )
