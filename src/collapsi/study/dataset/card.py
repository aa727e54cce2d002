"""The dataset card: what a dataset holds, how it was made, and how to load it.

The lines between `---` are read by the Hugging Face library `datasets`.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import TYPE_CHECKING

from collapsi.study.dataset.plan import SPLITS, Source
from collapsi.study.dataset.rows import COLUMNS

if TYPE_CHECKING:
    from collapsi.study.dataset.result import Dataset

LOADING = {
    "Polars": """import polars
train = polars.read_parquet("data/train/*.parquet")
train["move_values"].to_numpy()  # an array with a row of sixteen values for each position""",
    "PyArrow": """import pyarrow.dataset
train = pyarrow.dataset.dataset("data/train").to_table()""",
    "DuckDB": """import duckdb
duckdb.sql("select source, avg(ply) from 'data/train/*.parquet' group by source")""",
    "datasets": """import datasets
dataset = datasets.load_dataset("parquet", data_dir="data")
dataset["train"][0]["position"]""",
}
"""By library: how to load a dataset in its folder."""

TEXT = """---
license: mit
pretty_name: Collapsi, perfect play
size_categories:
- {size}
tags:
- board-games
- game-solving
configs:
- config_name: default
  data_files:
{files}
---

# Perfect play of Collapsi: {positions:,} solved positions

Positions of the card game Collapsi with the exact value of every legal move, for programs that learn to
play. Rules: `{rules}`. Every value was computed by an exact solver; none is an estimate.

## How it was made

```sh
collapsi dataset --out FOLDER --positions {positions} --rules '{rules}' --seed {seed}
```

With collapsi {collapsi}, NumPy {numpy} and Polars {polars}. The rows depend on these options only, not on
the machine or the number of threads; a larger dataset of the same seed begins with the same rows in each
split. Another version of Polars may write other bytes for the same rows.

The positions are those of games from random deals, every position with at least one legal move. A third of
the games has each of these sources:

| `source` | players | positions |
|---|---|---|
{sources}

Perfect play means that the winner wins as soon as possible and the loser holds out as long as possible. If
several moves are equally good, one of them is chosen at random.

## Splits

| split | positions | files | bytes |
|---|---|---|---|
{splits}

Each split has its own deals: a deal belongs to a split by a hash of its class under the 384 symmetries of
the board, so no deal of one split is a rotated, reflected or otherwise equivalent deal of another one,
whatever the seed. Late in a game, when few cards are left, games of different deals can reach the same
position. To leave out such positions too, drop test rows whose `symmetry_class` is in the training rows.
Rows are in the order of the games: shuffle them before training.

## Columns

| column | type | content |
|---|---|---|
{columns}

Cells are numbered in reading order: 0 is a1, 15 is d4. A move is the cell where it ends.

## Loading

In this folder, with Python:

{loading}

## Checksums

`sha256sum --check SHA256SUMS` checks all data files. The SHA-256 of `SHA256SUMS` is
`{sha256}`.

## Licence and credit

MIT, like the program that made it. Collapsi is designed by Mark S. Ball
(https://riffleshuffleandroll.itch.io/collapsi); please name him. That the game is solved is the result of
Michael Young, *Collapsi is strongly solved*, arXiv:2507.16823 (2025); please cite it.
"""


SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)


def card_text(found: Dataset) -> str:
    """Return the card of a finished dataset, in Markdown."""
    plan, facts = found.plan, found.to_json()
    return TEXT.format(
        size=_size(plan.positions),
        files="\n".join(f"  - split: {split}\n    path: data/{split}/*.parquet" for split in SPLITS),
        positions=plan.positions,
        rules=plan.rules,
        seed=plan.seed,
        collapsi=version("collapsi"),
        numpy=version("numpy"),
        polars=version("polars"),
        sources="\n".join(
            f"| `{source}` | {source.text} | {found.sources.get(source, 0):,} |" for source in Source
        ),
        splits="\n".join(
            f"| `{name}` | {split['positions']:,} | {split['files']:,} | {split['bytes']:,} |"
            for name, split in facts["splits"].items()
        ),
        columns="\n".join(f"| `{name}` | {_type(kind)} | {text} |" for name, (kind, text) in COLUMNS.items()),
        loading="\n\n".join(f"{name}:\n\n```python\n{code}\n```" for name, code in LOADING.items()),
        sha256=hashlib.sha256(found.sums).hexdigest(),
    )


def _type(kind: object) -> str:
    """Return the name of a column's type.

    >>> import polars as pl
    >>> _type(pl.Array(pl.UInt8, 16)), _type(pl.String)
    ('16 × UInt8', 'String')
    """
    inner = getattr(kind, "inner", None)
    return str(kind) if inner is None else f"{getattr(kind, 'size', '')} × {inner}"


def _size(positions: int) -> str:
    """Return the category of a size on the Hugging Face hub.

    >>> _size(10), _size(200_000), _size(10_000_000)
    ('n<1K', '100K<n<1M', '10M<n<100M')
    """
    names = ["1K", "10K", "100K", "1M", "10M", "100M", "1B"]
    over = sum(positions >= size for size in SIZES)
    if over == 0:
        return f"n<{names[0]}"
    return f"n>{names[-1]}" if over == len(SIZES) else f"{names[over - 1]}<n<{names[over]}"
