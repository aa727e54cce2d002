"""The style of charts."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.figure import Figure

    from collapsi.core.intervals import Rate

Data = TypeVar("Data")

RED, BLUE, INK, FAINT = "#b83232", "#2a5caa", "#22252a", "#8a8f98"
SHADES = ("#b83232", "#c98a1b", "#4d7f6f", "#2a5caa")
"""Ace to four; marks or letters distinguish them too."""
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "path",
    "svg.hashsalt": "collapsi",
    "figure.dpi": 100,
    "savefig.dpi": 160,
}


def new_figure(width: float, height: float, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    """Return a figure with its axes, an array of them if there are several columns."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns, **options)


def write_centred(axes: Any, x: float, y: float, text: str, **style: Any) -> None:
    """Write a text with its middle at a point."""
    axes.text(x, y, text, ha="center", va="center", **style)


def draw_cell(axes: Any, column: float, row: float, colour: str, margin: float) -> None:
    """Draw a cell of a board, one unit wide, with a margin on each side."""
    from matplotlib.patches import Rectangle

    size = 1 - 2 * margin
    axes.add_patch(Rectangle((column + margin, row + margin), size, size, facecolor=colour, edgecolor=FAINT))


def draw_lengths(axes: Any, plies: Sequence[int], percent: Sequence[float]) -> tuple[Any, list[str]]:
    """Draw the shares of deals by length, blue's wins hatched; return the bars and their labels."""
    red = [number % 2 == 1 for number in plies]
    bars = axes.bar(
        plies,
        percent,
        color=[RED if wins else BLUE for wins in red],
        hatch=["" if wins else "//" for wins in red],
        edgecolor="white",
    )
    return bars, [f"{value:.1f}" if value >= 0.05 else "<0.1" if value else "" for value in percent]


def draw_legend_below(figure: Figure, axes: Any) -> None:
    """Draw the legend of some axes below the figure, in one row."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)


def error_bars(rates: Iterable[Rate]) -> list[list[float]]:
    """Return the lengths of error bars below and above shares, in per cent, never negative."""
    ends = [(rate.share, *rate.interval) for rate in rates]
    return [
        [100 * max(share - low, 0) for share, low, _ in ends],
        [100 * max(high - share, 0) for share, _, high in ends],
    ]


def draw(figure: Callable[[Data], Figure], data: Data) -> tuple[bytes, bytes]:
    """Return a chart as SVG and PNG, reproducible byte for byte."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        drawn = figure(data)
        files = []
        for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
            file = io.BytesIO()
            drawn.savefig(file, format=kind, metadata=metadata, bbox_inches="tight")
            files.append(file.getvalue())
    return _numbered_clips(files[0]), files[1]


def _numbered_clips(svg: bytes) -> bytes:
    """Number the clip paths: the names by Matplotlib are not always reproducible.

    >>> _numbered_clips(b'<g clip-path="url(#p0a)"/><clipPath id="p0a">')
    b'<g clip-path="url(#clip0)"/><clipPath id="clip0">'
    """
    for number, name in enumerate(re.findall(rb'<clipPath id="(p[0-9a-f]+)"', svg)):
        svg = svg.replace(b"#" + name + b")", b"#clip%d)" % number)
        svg = svg.replace(b'id="' + name + b'"', b'id="clip%d"' % number)
    return svg
