"""The folder of a study: its files, and how damaged files are detected.

- `study.json`: the manifest, which describes the study. It is written first.
- `parts/part-000012-5000-….parquet`: part 12 with its 5000 rows; the rest of the name is a hash of the
  manifest and of the file's content, which exposes a damaged file and one of another study.
- `costs.jsonl`: the cost of each part, one line each; it contains times, so it is not part of the result.
- `result.json`, `result.parquet`, `result.svg`, `result.png`: the shares, written when the study is complete.

Files are written atomically, and one process writes at a time. So a study that was killed at any moment
leaves a valid folder, and the next run continues from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import OutputError
from collapsi.core.players import Player
from collapsi.report.style import draw
from collapsi.study.plan import FORMAT, Plan
from collapsi.study.solving import Cost, Ending
from collapsi.system.extras import needs
from collapsi.system.files import (
    FolderLock,
    append,
    check_writable,
    parse_json_text,
    read_file,
    read_json_file,
    reporting_write_errors,
    write_atomically,
)

with needs("cluster"):
    import polars as pl

    from collapsi.study.picture import picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from collapsi.study.plan import Part
    from collapsi.study.result import Result, Tally
    from collapsi.study.solving import Row, SolvedPart

MANIFEST = "study.json"
PARTS = "parts"
COSTS = "costs.jsonl"
MOST_MANIFEST_BYTES = 1 << 16
MOST_COSTS_BYTES = 1 << 28
MOST_PART_BYTES = 1 << 32
MOST_COST = 1 << 53
"""Upper bound of the deals, seconds and nodes of a part: sums of them and of their squares fit a float."""
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
    """A folder of another study, or one whose manifest cannot be read."""


@contextmanager
def open_folder(path: Path, plan: Plan) -> Iterator[Folder]:
    """Open the folder of a study, created if missing, and hold its lock until the end."""
    read_plan(path, plan)
    check_writable(path)
    with FolderLock(path):
        folder = Folder(path, plan)
        folder.begin()
        yield folder


def read_plan(path: Path, wanted: Plan) -> Plan | None:
    """Return the plan stored in a folder, None if there is none; raise if it differs from `wanted`."""
    manifest = path / MANIFEST
    try:
        facts = read_json_file(manifest, MOST_MANIFEST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        msg = f"cannot read {manifest}: {error.strerror}"
        raise StudyError(msg) from None
    except ValueError:
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
    """Return the number of deals in a part of the study in a folder; None if it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        size = read_json_file(path / MANIFEST, MOST_MANIFEST_BYTES)["part"]
        return size if type(size) is int and size > 0 else None
    return None


class Folder:
    """The folder of a study; this process holds its lock."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self.damaged: list[str] = []
        """Names of files that were damaged and removed: their parts are solved again."""

    def begin(self) -> None:
        """Write the manifest, and remove temporary files of killed processes."""
        parts = self.path / PARTS
        with reporting_write_errors(f"to {self.path}"):
            parts.mkdir(exist_ok=True)
            if read_plan(self.path, self.plan) is None:
                self._write(self.path / MANIFEST, _json_bytes(self.plan.to_json()))
            for folder in (self.path, parts):
                for path in folder.iterdir():
                    if LEFT_BEHIND.fullmatch(path.name):
                        path.unlink(missing_ok=True)

    def tallies(self, deals: int) -> Iterator[tuple[Part, Tally]]:
        """Yield the stored parts of the first `deals` deals with their tallies; remove damaged files."""
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

    def write(self, solved: SolvedPart) -> None:
        """Store a part and its cost."""
        content = self._parquet(frame_of(solved.part, solved.rows))
        part = solved.part
        name = f"part-{part.number:06}-{part.deals}-{self._hash(content)}.parquet"
        self._write(self.path / PARTS / name, content)
        line = _json_bytes({"part": part.number, **solved.cost._asdict()}, indent=None)
        with reporting_write_errors(f"to {self.path}"):
            append(self.path / COSTS, line)

    def costs(self) -> list[Cost]:
        """Return the latest known cost of each part."""
        return read_costs(self.path)

    def write_result(self, result: Result) -> None:
        """Write the result files; the same rows give the same bytes, on any machine."""
        svg, png = draw(picture, result)
        self._write(self.path / "result.parquet", self._parquet(shares_of(result)))
        self._write(self.path / "result.svg", svg)
        self._write(self.path / "result.png", png)
        self._write(self.path / "result.json", _json_bytes(result.to_json()))

    def _read(self, path: Path, part: Part) -> Tally | None:
        """Return the tally of a part, or None if its file is damaged."""
        try:
            content = read_file(path, MOST_PART_BYTES)
            if NAME.fullmatch(path.name)[3] != self._hash(content):  # type: ignore[index]  # it matched before
                return None
            frame = pl.read_parquet(io.BytesIO(content)).head(part.deals)
        except (*POLARS_ERRORS, ValueError):
            return None
        return tally_of(frame) if len(frame) == part.deals else None

    def _hash(self, content: bytes) -> str:
        return hashlib.sha256(_json_bytes(self.plan.to_json()) + content).hexdigest()[:16]

    def _parquet(self, frame: pl.DataFrame) -> bytes:
        file = io.BytesIO()
        frame.write_parquet(file, compression="zstd", statistics=True)
        return file.getvalue()

    def _write(self, path: Path, content: bytes) -> None:
        with reporting_write_errors(f"to {self.path}"):
            write_atomically(path, content)


def read_costs(path: Path) -> list[Cost]:
    """Return the latest cost of each part of the study in a folder; damaged lines are ignored."""
    found: dict[int, Cost] = {}
    with suppress(OSError, ValueError):
        for line in read_file(path / COSTS, MOST_COSTS_BYTES).splitlines():
            with suppress(ValueError, KeyError, TypeError):
                facts = parse_json_text(line)
                cost = Cost(facts["deals"], facts["cpu_seconds"], facts["nodes"])
                if type(facts["part"]) is int and _is_possible(cost):
                    found[facts["part"]] = cost
    return list(found.values())


def _is_possible(cost: Cost) -> bool:
    """Return whether a cost is plausible."""
    return (
        (type(cost.deals), type(cost.nodes)) == (int, int)
        and type(cost.cpu_seconds) in (int, float)
        and 0 < cost.deals <= MOST_COST
        and 0 <= cost.nodes <= MOST_COST
        and 0 <= cost.cpu_seconds <= MOST_COST
    )


def frame_of(part: Part, rows: Sequence[Row]) -> pl.DataFrame:
    """Return the rows of a part as a table."""
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
    """Count the deals of a table by their ending."""
    named: dict[str | None, Player | None] = {str(player): player for player in Player}
    columns = ["winner", "plies", "first_out"]
    tally: Tally = Counter()
    for winner, plies, first_out, count in frame.group_by(columns).len().sort(columns).iter_rows():
        won = named[winner]
        assert won is not None
        tally[Ending(won, plies, named.get(first_out))] = count
    return tally


def shares_of(result: Result) -> pl.DataFrame:
    """Return the shares of a study as a table, one row for each share with its interval."""
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


def _json_bytes(data: Any, indent: int | None = 2) -> bytes:
    return json.dumps(data, indent=indent).encode() + b"\n"
