"""Small atlases for tests, which can be damaged a thousand times."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import polars as pl

from collapsi import STANDARD, analyse_many, deal, format_position
from collapsi.census.atlas import Atlas, content_hash
from collapsi.census.atlas_files import open_writer
from collapsi.census.deals import deal_at
from collapsi.census.different import class_of
from collapsi.census.layers import distance
from collapsi.play.tempo import tempo_of

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi import Position


def rows_of(seed: int, count: int = 60, *, also: tuple[Position, ...] = ()) -> pl.DataFrame:
    """Random deals, and some of your own, as the rows of an atlas of `standard` with games."""
    rng = random.Random(seed)
    classes = sorted({class_of(one) for one in (*also, *(deal(rng) for _ in range(count)))})
    solved = analyse_many([deal_at(blue, code, STANDARD) for blue, code in classes])
    rows: list[dict[str, Any]] = []
    for (blue, code), analysis in zip(classes, solved, strict=True):
        scores = {f"to_{square}": None for square in ("b1", "d1", "a2", "a4")}
        rows.append(
            {
                "deal": format_position(analysis.position),
                "distance": distance(0, blue),
                "numbering": code,
                "weight": 24,
                "winner": str(analysis.winner),
                "plies": analysis.plies,
                "score": analysis.score,
                **scores,
                **{f"to_{move.to}": move.score for move in analysis.moves},
                "winning_moves": sum(move.wins for move in analysis.moves),
                "tempo": str(tempo_of(analysis.position)),
                "games": 1000 + analysis.score,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.col("winner", "tempo").cast(pl.Categorical)
    )


def plain_rows(number: int, count: int = 5000) -> pl.DataFrame:
    """Rows that take no solving, other ones for each number."""
    return pl.DataFrame({"weight": [number] * count, "plies": [7] * count})


def facts_of(rows: pl.DataFrame, rules: str = "standard") -> dict[str, Any]:
    """What the manifest says of them."""
    lengths = rows.group_by("plies").agg(pl.col("weight").sum()).sort("plies")
    return {
        "rules": rules,
        "red_first": [1],
        "blue_first": [1],
        "version": "0",
        "rows": len(rows),
        "deals": int(rows["weight"].sum()),
        "columns": rows.columns,
        "lengths": {str(plies): deals for plies, deals in lengths.iter_rows()},
        "content_hash": content_hash(rows),
    }


def write_rows(folder: Path, rows: pl.DataFrame, rules: str = "standard") -> Atlas:
    """Write them, in place of what is there."""
    with open_writer(folder, force=True) as place:
        place.write(rows, facts_of(rows, rules))
    return Atlas(folder)
