"""What chapters of the report are made of: commands, figures, tables."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from collapsi.intervals import Mean, Rate


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


def rate_text(rate: Rate) -> str:
    """A share of a sample in per cent, with its interval.

    >>> from collapsi.intervals import Rate
    >>> rate_text(Rate(30, 100))
    '30.0 % (21.9–39.6)'
    """
    low, high = rate.interval
    return f"{100 * rate.share:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def mean_text(mean: Mean) -> str:
    """An average of a sample, with its interval.

    >>> from collapsi.intervals import Mean
    >>> mean_text(Mean.of({0: 1, 1: 2, 2: 1}))
    '1.00 (0.20–1.80)'
    """
    return f"{mean.value:.2f} ({mean.low:.2f}–{mean.high:.2f})"
