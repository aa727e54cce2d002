"""What chapters of the report are made of: commands, figures, tables."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def command(text: str) -> str:
    """How the numbers above are made again."""
    return f'<div class="command">{escape(text)}</div>'


def figure(picture: str, caption: str) -> str:
    """A chart with what is to be seen on it, for those too who do not see it."""
    alternative = escape(re.sub(r"<[^>]+>", "", caption), quote=True)
    return f'<figure><img alt="{alternative}" src="{picture}"><figcaption>{caption}</figcaption></figure>'


def table(frame: pl.DataFrame, names: dict[str, str]) -> str:
    """Some columns of a table under better names."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names.values())
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell_text(row[column]))}</td>" for column in names) + "</tr>"
        for row in frame.iter_rows(named=True)
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def cell_text(value: Any) -> str:
    """What stands in a cell of a table."""
    if value is None:
        return "–"
    if isinstance(value, float):
        text = f"{value:.2f}" if abs(value) >= 0.01 or value == 0 else f"{value:.4f}"
        return text.replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)
