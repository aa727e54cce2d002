"""A study's folder: what is in it, and how it is known that a file is what was written.

- `study.json`: the manifest, which says what the study is. It is there from the beginning.
- `parts/part-000012-5000-….parquet`: the rows of part 12, so many, and the part's seal: a hash of the study
  and of the file's content. A damaged file, or one of another study, does not have the seal it is named by.
- `costs.jsonl`: what parts took, a line each; it has times in it and so stands apart.
- `result.json`, `result.parquet`, `result.svg`, `result.png`: the shares, written when the study is done.

Every file is written whole or not at all, and one process writes at a time, so whatever kills it, what is
there is right, and the next one goes on from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.errors import OutputError
from collapsi.extras import needs
from collapsi.files import FolderLock, check_writable, write_whole
from collapsi.report.style import draw
from collapsi.rules import Player
from collapsi.study.plan import FORMAT, Plan
from collapsi.study.solving import Cost, Ending

with needs("cluster"):
    import polars as pl

    from collapsi.study.picture import picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from collapsi.study.plan import Part
    from collapsi.study.result import Result, Tally
    from collapsi.study.solving import Row, Solved

MANIFEST = "study.json"
PARTS = "parts"
COSTS = "costs.jsonl"
MOST_MANIFEST_BYTES = 1 << 16
NAME = re.compile(r"part-(\d{6,})-(\d+)-([0-9a-f]{16})\.parquet")
LEFT_BEHIND = re.compile(r"\.partial-\d+-(part-.*\.parquet|study\.json|result\.\w+)|\.probe-\d+")
PLAYERS = pl.Enum([str(player) for player in Player])
ROWS: dict[str, Any] = {
    "number": pl.Int64,
    "position": pl.String,
    "winner": PLAYERS,
    "plies": pl.UInt8,
    "first_out": PLAYERS,
}
"""The columns of a part."""
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


class StudyError(OutputError):
    """A folder that is of another study, or of none that can be read."""


@contextmanager
def open_folder(path: Path, plan: Plan) -> Iterator[Folder]:
    """The folder of a study, ours alone until the end; a new one is made if need be."""
    read_plan(path, plan)
    check_writable(path)
    with FolderLock(path):
        folder = Folder(path, plan)
        folder.begin()
        yield folder


def read_plan(path: Path, wanted: Plan) -> Plan | None:
    """The plan of the study in a folder, None if there is none yet; refuses what is not the study wanted."""
    manifest = path / MANIFEST
    try:
        with manifest.open("rb") as file:
            facts = json.loads(file.read(MOST_MANIFEST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        msg = f"cannot read {manifest}: {error.strerror}"
        raise StudyError(msg) from None
    except (ValueError, RecursionError):
        facts = None
    other = f"name another folder, or remove {path}"
    if not isinstance(facts, dict) or type(facts.get("format")) is not int:
        msg = f"{manifest} is damaged: {other}"
        raise StudyError(msg)
    if facts["format"] != FORMAT:
        msg = f"{path} holds a study of format {facts['format']}, and this program writes {FORMAT}: {other}"
        raise StudyError(msg)
    try:
        found = Plan(**{name: value for name, value in facts.items() if name != "format"})
    except TypeError:
        msg = f"{manifest} is damaged: {other}"
        raise StudyError(msg) from None
    if found != wanted:
        what = found.subject if found.subject != wanted.subject else f"{found.part} deals a part"
        mine = wanted.subject if found.subject != wanted.subject else f"{wanted.part}"
        msg = f"{path} holds another study ({what}, not {mine}): {other}"
        raise StudyError(msg)
    return found


def part_size(path: Path) -> int | None:
    """How many deals are a part in the study of a folder, if there is one and it says so."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        size = json.loads((path / MANIFEST).read_bytes())["part"]
        return size if type(size) is int and size > 0 else None
    return None


class Folder:
    """A folder whose lock is ours."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self.damaged: list[str] = []
        """The files that were found damaged and removed, to be made again."""

    def begin(self) -> None:
        """Say what the study is, and remove what killed writers left."""
        parts = self.path / PARTS
        try:
            parts.mkdir(exist_ok=True)
            if read_plan(self.path, self.plan) is None:
                self._write(self.path / MANIFEST, _written(self.plan.to_json()))
            for folder in (self.path, parts):
                for path in folder.iterdir():
                    if LEFT_BEHIND.fullmatch(path.name):
                        path.unlink(missing_ok=True)
        except OSError as error:
            raise _cannot_write(self.path, error) from None

    def tallies(self, deals: int) -> Iterator[tuple[Part, Tally]]:
        """The parts of so many deals that are there, and how those ended; what is damaged is removed."""
        kept: dict[int, list[tuple[int, str]]] = {}
        for path in (self.path / PARTS).iterdir():
            if named := NAME.fullmatch(path.name):
                kept.setdefault(int(named[1]), []).append((int(named[2]), path.name))
        for number in sorted(kept):
            if number >= self.plan.parts(deals):
                break
            part, found = self.plan.part_of(deals, number), None
            for rows, name in sorted(kept[number], reverse=True):
                path = self.path / PARTS / name
                if found is None and rows >= part.deals:
                    found = self._read(path, part)
                    if found is not None:
                        continue
                    self.damaged.append(name)
                with suppress(OSError):
                    path.unlink()
            if found is not None:
                yield part, found

    def write(self, solved: Solved) -> None:
        """Keep a part, and what it took."""
        content = self._parquet(frame_of(solved.part, solved.rows))
        part = solved.part
        name = f"part-{part.number:06}-{part.deals}-{self._seal(content)}.parquet"
        self._write(self.path / PARTS / name, content)
        line = _written({"part": part.number, **solved.cost._asdict()}, indent=None)
        try:
            with (self.path / COSTS).open("ab") as file:
                file.write(line)
        except OSError as error:
            raise _cannot_write(self.path, error) from None

    def costs(self) -> list[Cost]:
        """What parts took, as far as that was written down: the last time that each was made."""
        return read_costs(self.path)

    def write_result(self, result: Result) -> None:
        """Write what was found: the same to the byte for the same rows, whoever solved them."""
        svg, png = draw(picture, result)
        self._write(self.path / "result.parquet", self._parquet(shares_of(result)))
        self._write(self.path / "result.svg", svg)
        self._write(self.path / "result.png", png)
        self._write(self.path / "result.json", _written(result.to_json()))

    def _read(self, path: Path, part: Part) -> Tally | None:
        """How the deals of a part ended, if its file is what was written."""
        try:
            content = path.read_bytes()
            if NAME.fullmatch(path.name)[3] != self._seal(content):  # type: ignore[index]  # it did match
                return None
            frame = pl.read_parquet(io.BytesIO(content)).head(part.deals)
        except POLARS_ERRORS:
            return None
        return tally_of(frame) if len(frame) == part.deals else None

    def _seal(self, content: bytes) -> str:
        return hashlib.sha256(_written(self.plan.to_json()) + content).hexdigest()[:16]

    def _parquet(self, frame: pl.DataFrame) -> bytes:
        file = io.BytesIO()
        frame.write_parquet(file, compression="zstd", statistics=True)
        return file.getvalue()

    def _write(self, path: Path, content: bytes) -> None:
        try:
            write_whole(path, content)
        except OSError as error:
            raise _cannot_write(self.path, error) from None


def read_costs(path: Path) -> list[Cost]:
    """What the parts of a study in a folder took, as far as that was written down."""
    found: dict[int, Cost] = {}
    with suppress(OSError):
        for line in (path / COSTS).read_bytes().splitlines():
            with suppress(ValueError, KeyError, TypeError):  # a line that was cut off
                facts = json.loads(line)
                found[int(facts["part"])] = Cost(
                    int(facts["deals"]), float(facts["cpu_seconds"]), int(facts["nodes"])
                )
    return list(found.values())


def frame_of(part: Part, rows: Sequence[Row]) -> pl.DataFrame:
    """The rows of a part as a table."""
    ends = [ending for _, ending in rows]
    return pl.DataFrame(
        {
            "number": range(part.first, part.stop),
            "position": [position for position, _ in rows],
            "winner": [str(end.winner) for end in ends],
            "plies": [end.plies for end in ends],
            "first_out": [None if end.first_out is None else str(end.first_out) for end in ends],
        },
        schema=ROWS,
    )


def tally_of(frame: pl.DataFrame) -> Tally:
    """How the deals of a table ended."""
    named: dict[str | None, Player | None] = {str(player): player for player in Player}
    columns = ["winner", "plies", "first_out"]
    tally: Tally = Counter()
    for winner, plies, first_out, count in frame.group_by(columns).len().sort(columns).iter_rows():
        won = named[winner]
        assert won is not None
        tally[Ending(won, plies, named.get(first_out))] = count
    return tally


def shares_of(result: Result) -> pl.DataFrame:
    """The shares of a study as a table: what, of whom or which, how many of how many, and the interval."""
    rows: list[dict[str, Any]] = []
    for what, rates in (("wins", result.wins), ("first_out", result.first_out), ("plies", result.lengths)):
        for which, rate in rates.items():
            low, high = rate.interval
            rows.append(
                {
                    "what": what,
                    "which": str(which),
                    "found": rate.found,
                    "deals": rate.cases,
                    "share": rate.share,
                    "low": low,
                    "high": high,
                }
            )
    return pl.DataFrame(rows)


def _written(facts: Any, indent: int | None = 2) -> bytes:
    return json.dumps(facts, indent=indent).encode() + b"\n"


def _cannot_write(path: Path, error: OSError) -> OutputError:
    msg = f"cannot write to {path}: {error.strerror or os.strerror(error.errno or 0)}"
    return OutputError(msg)
