"""Update the kept results: `python -m collapsi.study.kept.update FOLDER...`, with folders of studies.

Of a study that is not finished the deals before the first missing part count: they are a smaller study.
Folders of readings of the Shifting Board with the same seed are also compared deal by deal.
"""

from __future__ import annotations

import csv
import io
import sys
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from collapsi.games.levels import Level
from collapsi.games.registry import parse_rules
from collapsi.study.folder import PARTS
from collapsi.study.kept import READINGS, STUDIES
from collapsi.study.parts import NAME
from collapsi.study.plan import Plan
from collapsi.system.files import read_json_file, write_atomically


def read_study(folder: Path) -> tuple[Plan, pl.DataFrame]:
    """Return the plan of the study in a folder, and the rows of its parts before the first missing one."""
    facts = read_json_file(folder / Plan.manifest)
    plan = Plan(**{name: value for name, value in facts.items() if name != "format"})
    files = sorted(path for path in (folder / PARTS).iterdir() if NAME.fullmatch(path.name))
    rows = pl.concat([pl.read_parquet(path) for path in files]).unique("number").sort("number")
    return plan, rows.filter(pl.col("number") == pl.int_range(pl.len()))


def study_row(plan: Plan, rows: pl.DataFrame, date: str) -> dict[str, Any]:
    """Return the row of a study."""
    won = dict(rows.group_by(pl.col("winner").cast(pl.String)).len().iter_rows())
    seats = [str(seat) for seat in parse_rules(plan.rules).seats]
    return {
        "date": date,
        "rules": plan.rules,
        "level": plan.level or Level.PERFECT.value,
        "deals": len(rows),
        **{seat: won.get(seat, 0) for seat in seats},
        "command": study_command(plan, len(rows)),
    }


def study_command(plan: Plan, deals: int) -> str:
    """Return the command that reproduces a study."""
    rules = f'"{plan.rules}"' if "|" in plan.rules else plan.rules
    level = "" if plan.level is None else f" --level {plan.level}"
    lengths = " --lengths" if plan.rules == "big" and plan.lengths and plan.level is None else ""
    return f"collapsi study {rules}{level}{lengths} --deals {deals} --seed {plan.seed}"


def difference_row(
    first: tuple[Plan, pl.DataFrame], second: tuple[Plan, pl.DataFrame], date: str
) -> dict[str, Any]:
    """Compare two readings on their common deals."""
    both = first[1].join(second[1], on="number")
    winner = (both["winner"] != both["winner_right"]).sum()
    length = (both["plies"] != both["plies_right"]).sum()
    commands = [study_command(plan, len(both)) for plan in (first[0], second[0])]
    return {
        "date": date,
        "first": first[0].rules,
        "second": second[0].rules,
        "deals": len(both),
        "winner_differs": winner,
        "length_differs": length,
        "command": "; ".join(commands),
    }


def merge(path: Path, rows: list[dict[str, Any]], keys: tuple[str, ...]) -> None:
    """Replace the rows of a file that have the same keys, and add the others at the end."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        names = reader.fieldnames or []
        kept: dict[tuple[str, ...], dict[str, Any]] = {tuple(row[key] for key in keys): row for row in reader}
    kept |= {tuple(str(row[key]) for key in keys): row for row in rows}
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept.values())
    write_atomically(path, text.getvalue().encode())


def main(folders: list[str]) -> None:
    """Update the files from these folders. Readings are compared in the order of their names."""
    date = datetime.now(UTC).date().isoformat()
    studies = [read_study(Path(folder)) for folder in folders]
    merge(STUDIES, [study_row(plan, rows, date) for plan, rows in studies], ("rules", "level"))
    shifting = sorted(
        (found for found in studies if found[0].rules.startswith("shift") and found[0].level is None),
        key=lambda found: found[0].rules,
    )
    pairs = [pair for pair in combinations(shifting, 2) if pair[0][0].seed == pair[1][0].seed]
    merge(READINGS, [difference_row(*pair, date) for pair in pairs], ("first", "second"))


if __name__ == "__main__":
    main(sys.argv[1:])
