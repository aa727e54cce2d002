"""The folder of a dataset: make its parts, and put them into place when all of them are there.

- `dataset.json`: the plan. It is written first; a folder of another dataset is refused.
- `.unfinished/train/part-….parquet` and so on: the parts made so far (see `study.parts`).
- `data/train/part-….parquet` and so on: the finished dataset, moved there in one step.
- `README.md`: the dataset card. `SHA256SUMS`: the checksums of all files of `data`.

So `data` holds the whole dataset or does not exist.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from collapsi.core.errors import OutputError
from collapsi.study.dataset.card import card_text
from collapsi.study.dataset.games import positions_of
from collapsi.study.dataset.plan import SPLITS, DatasetPlan, SplitPart
from collapsi.study.dataset.result import DATA, Dataset, Progress, StoredPart
from collapsi.study.dataset.rows import frame_of
from collapsi.study.engines import in_threads
from collapsi.study.parts import PartFolder, read_plan
from collapsi.system.extras import needs
from collapsi.system.files import (
    FolderLock,
    check_disk_space,
    check_writable,
    reporting_write_errors,
    sync,
)
from collapsi.system.machine import cores

with needs("atlas"):
    import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from collapsi.study.plan import Part

UNFINISHED = ".unfinished"
CARD = "README.md"
SUMS = "SHA256SUMS"
BYTES_A_ROW = 50
"""Upper bound for the disk space of a position; about 33 bytes are typical."""
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def make_dataset(
    path: Path,
    plan: DatasetPlan,
    *,
    jobs: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Dataset:
    """Make a dataset, or continue where an earlier run stopped; a finished one is only checked.

    `progress` is called about once a second and after each part.
    """
    with _open(path, plan) as folder:
        tasks = list(plan.tasks())
        parts = folder.stored_parts()
        done = sum(task.part.deals for task in parts)
        missing = [task for task in tasks if task not in parts]
        if missing:
            folder.reopen()
            check_disk_space(path, BYTES_A_ROW * (plan.positions - done))
        progress(Progress(len(parts), len(tasks), done))
        for made in in_threads(lambda task: _attempt(plan, task), iter(missing), jobs or cores()):
            if isinstance(made, Exception):
                raise made
            if made is not None:
                task, frame = made
                try:
                    parts[task] = folder.write(task, frame)
                except OutputError as error:
                    msg = f"{error}; finished parts are stored, and the same command resumes"
                    raise OutputError(msg) from None
                done += task.part.deals
            progress(Progress(len(parts), len(tasks), done))
        found = Dataset(path, plan, {task: parts[task] for task in tasks}, tuple(folder.damaged))
        folder.finish(found)
        return found


@contextmanager
def _open(path: Path, plan: DatasetPlan) -> Iterator[DatasetFolder]:
    """Open the folder of a dataset, created if missing, and hold its lock until the end."""
    read_plan(path, plan)
    check_writable(path)
    with FolderLock(path):
        folder = DatasetFolder(path, plan)
        yield folder.begin([folder.place / split for split in SPLITS])


def _attempt(plan: DatasetPlan, task: SplitPart) -> tuple[SplitPart, pl.DataFrame] | Exception:
    """Return the rows of a part, or the error: an exception would end the thread only."""
    try:
        return task, frame_of(positions_of(plan, task))
    except Exception as error:  # noqa: BLE001 - raised again by the main thread
        return error


class DatasetFolder(PartFolder[DatasetPlan]):
    """The folder of a dataset; this process holds its lock."""

    @property
    def place(self) -> Path:
        """Where the parts are: in `data` if all were there once."""
        finished = self.path / DATA
        return finished if finished.exists() else self.path / UNFINISHED

    def stored_parts(self) -> dict[SplitPart, StoredPart]:
        """Return the parts that are stored, and remove damaged files."""
        return {
            SplitPart(split, part): found
            for split in SPLITS
            for part, found in self.stored(self.place / split, self.plan.parts(split), self._facts)
        }

    def reopen(self) -> None:
        """Move a dataset with missing parts back: it is not finished."""
        if self.place.name == DATA:
            with reporting_write_errors(f"to {self.path}"):
                self.place.rename(self.path / UNFINISHED)

    def write(self, task: SplitPart, frame: pl.DataFrame) -> StoredPart:
        """Store a part."""
        file = io.BytesIO()
        frame.write_parquet(file, compression="zstd", statistics=True)
        content = file.getvalue()
        path = self.write_part(self.place / task.split, task.part, content)
        return _stored(path.name, content, frame)

    def finish(self, found: Dataset) -> None:
        """Write card and checksums, and move the data to its place."""
        self.write_file(self.path / SUMS, found.sums)
        self.write_file(self.path / CARD, card_text(found).encode())
        if self.place.name == UNFINISHED:
            with reporting_write_errors(f"to {self.path}"):
                self.place.rename(self.path / DATA)
                sync(self.path)

    def _facts(self, content: bytes, part: Part) -> StoredPart | None:
        """Return the facts of a file, or None if it does not have the rows of a part."""
        try:
            frame = pl.read_parquet(io.BytesIO(content), columns=["source"])
        except POLARS_ERRORS:
            return None
        name = self.part_name(part, content)
        return _stored(name, content, frame) if len(frame) == part.deals else None


def _stored(name: str, content: bytes, frame: pl.DataFrame) -> StoredPart:
    sources = Counter(dict(frame["source"].value_counts().iter_rows()))
    return StoredPart(name, len(content), hashlib.sha256(content).hexdigest(), sources)
