"""Building blocks of chapters as HTML: commands, figures, tables."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from collapsi.core.intervals import Rate

DisplayTable = tuple[str, "pl.DataFrame", dict[str, str]]
"""A table for readers: its title, the data, and the headings by column, in order."""


def command(text: str) -> str:
    """Return the box with the command that reproduces the numbers above."""
    return f'<div class="command">{escape(text)}</div>'


def figure(picture: str, caption: str) -> str:
    """Return a chart with its caption, which is also its alternative text."""
    alternative = escape(re.sub(r"<[^>]+>", "", caption), quote=True)
    return f'<figure><img alt="{alternative}" src="{picture}"><figcaption>{caption}</figcaption></figure>'


def table(frame: pl.DataFrame, names: dict[str, str]) -> str:
    """Return a table with the columns of `names` under these headings."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names.values())
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell_text(row[column]))}</td>" for column in names) + "</tr>"
        for row in frame.iter_rows(named=True)
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def display_table(found: DisplayTable) -> str:
    """Return a table for readers, without its title."""
    return f'<div class="names">{table(found[1], found[2])}</div>'


def rate_columns(name: str, rate: Rate) -> dict[str, float]:
    """Return the columns of a rate in per cent: the share and the ends of its interval."""
    low, high = rate.interval
    return {f"{name}_percent": 100 * rate.share, f"{name}_low": 100 * low, f"{name}_high": 100 * high}


def with_intervals(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Add a column with the text of each number and its interval, or only the number if it is exact.

    The frame has the columns of `rate_columns`, and then the text has the plain name; or the columns of a
    mean, and then the text is `name_text`. A column `known` says which rows are exact.
    """
    import polars as pl

    known = frame["known"].to_list() if "known" in frame.columns else [""] * len(frame)

    def text_column(name: str) -> pl.Series:
        is_rate = f"{name}_percent" in frame.columns
        value, text = (f"{name}_percent", name) if is_rate else (name, f"{name}_text")
        digits = 1 if "percent" in value else 2
        columns = frame.select(value, f"{name}_low", f"{name}_high").rows()
        texts = [
            f"{number:.2f}" if how == "exact" else f"{number:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"
            for (number, low, high), how in zip(columns, known, strict=True)
        ]
        return pl.Series(text, texts, pl.String)

    return frame.with_columns(map(text_column, names))


def cell_text(value: Any) -> str:
    """Format the value of a cell."""
    if value is None:
        return "–"
    if isinstance(value, float):
        text = f"{value:.2f}" if abs(value) >= 0.01 or value == 0 else f"{value:.4f}"
        return text.replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)
