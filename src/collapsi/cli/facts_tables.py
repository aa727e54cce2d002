"""The tables of facts about a game, as `collapsi shifting` and `collapsi big` print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from collapsi.cli.common import new_console, print_table
from collapsi.report.pieces import cell_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    import polars as pl

PIPE_WIDTH = 200
"""Room enough for every column of the widest table."""


def print_facts_tables(
    head: str, tables: Iterable[tuple[str, pl.DataFrame, dict[str, str]]], words: Collection[str]
) -> None:
    """Every table under what it is about; columns of words begin at the left."""
    console = new_console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    console.print(head)
    for title, frame, names in tables:
        console.print(f"\n{title}")
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in names.values():
            table.add_column(name, justify="left" if name in words else "right", no_wrap=True)
        for row in frame.iter_rows(named=True):
            table.add_row(*(cell_text(row[column]) for column in names))
        print_table(console, table)
