"""The folder of a study: its files.

- `study.json`: the manifest, which describes the study. It is written first.
- `parts/part-000012-5000-….parquet`: part 12 with its 5000 rows (see `parts`).
- `costs.jsonl`: the cost of each part, one line each; it contains times, so it is not part of the result.
- `result.json`, `result.parquet`, `result.svg`, `result.png`: the shares, written when the study is complete.
"""

from __future__ import annotations

import io
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from collapsi.core.players import Player
from collapsi.report.style import draw
from collapsi.study.parts import MOST_MANIFEST_BYTES, PartFolder, json_bytes, read_plan
from collapsi.study.plan import Plan
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

PARTS = "parts"
COSTS = "costs.jsonl"
MOST_COSTS_BYTES = 1 << 28
MOST_COST = 1 << 53
"""Upper bound of the deals, seconds and nodes of a part: sums of them and of their squares fit a float."""
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


@contextmanager
def open_folder(path: Path, plan: Plan) -> Iterator[Folder]:
    """Open the folder of a study, created if missing, and hold its lock until the end."""
    read_plan(path, plan)
    check_writable(path)
    with FolderLock(path):
        yield Folder(path, plan).begin([path / PARTS])


def part_size(path: Path) -> int | None:
    """Return the number of deals in a part of the study in a folder; None if it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        size = read_json_file(path / Plan.manifest, MOST_MANIFEST_BYTES)["part"]
        return size if type(size) is int and size > 0 else None
    return None


class Folder(PartFolder[Plan]):
    """The folder of a study; this process holds its lock."""

    @property
    def parts(self) -> Path:
        """The folder of the parts."""
        return self.path / PARTS

    def tallies(self, deals: int) -> Iterator[tuple[Part, Tally]]:
        """Return the stored parts of the first `deals` deals with their tallies; remove damaged files."""
        parts = (self.plan.part_of(deals, number) for number in range(self.plan.parts(deals)))
        return self.stored(self.parts, parts, _tally)

    def write(self, solved: SolvedPart) -> None:
        """Store a part and its cost."""
        self.write_part(self.parts, solved.part, parquet_bytes(frame_of(solved.part, solved.rows)))
        line = json_bytes({"part": solved.part.number, **solved.cost._asdict()}, indent=None)
        with reporting_write_errors(f"to {self.path}"):
            append(self.path / COSTS, line)

    def costs(self) -> list[Cost]:
        """Return the latest known cost of each part."""
        return read_costs(self.path)

    def write_result(self, result: Result) -> None:
        """Write the result files; the same rows give the same bytes, on any machine."""
        svg, png = draw(picture, result)
        self.write_file(self.path / "result.parquet", parquet_bytes(shares_of(result)))
        self.write_file(self.path / "result.svg", svg)
        self.write_file(self.path / "result.png", png)
        self.write_file(self.path / "result.json", json_bytes(result.to_json()))


def _tally(content: bytes, part: Part) -> Tally | None:
    """Return the tally of a part, or None if its file is damaged."""
    try:
        frame = pl.read_parquet(io.BytesIO(content)).head(part.deals)
    except POLARS_ERRORS:
        return None
    return tally_of(frame) if len(frame) == part.deals else None


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """Return a table as the content of a Parquet file."""
    file = io.BytesIO()
    frame.write_parquet(file, compression="zstd", statistics=True)
    return file.getvalue()


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
