"""What the charts of the report look like."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.figure import Figure

    from collapsi.intervals import Rate

Shown = TypeVar("Shown")

RED, BLUE, INK, FAINT = "#b83232", "#2a5caa", "#22252a", "#8a8f98"
SHADES = ("#b83232", "#c98a1b", "#4d7f6f", "#2a5caa")
"""Ace to four; marks or letters differ too."""
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


def error_bars(rates: Iterable[Rate]) -> list[list[float]]:
    """How far intervals go below and above their shares, in per cent; at 0 and 1 rounding may miss."""
    ends = [(rate.share, *rate.interval) for rate in rates]
    return [
        [100 * max(share - low, 0) for share, low, _ in ends],
        [100 * max(high - share, 0) for share, _, high in ends],
    ]


def draw(figure: Callable[[Shown], Figure], shown: Shown) -> tuple[bytes, bytes]:
    """A chart as SVG and as PNG, the same bytes every time."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        drawn = figure(shown)
        files = []
        for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
            file = io.BytesIO()
            drawn.savefig(file, format=kind, metadata=metadata, bbox_inches="tight")
            files.append(file.getvalue())
    return _numbered_clips(files[0]), files[1]


def _numbered_clips(svg: bytes) -> bytes:
    """Clip paths named by their order: the names that Matplotlib makes were once not the same twice.

    >>> _numbered_clips(b'<g clip-path="url(#p0a)"/><clipPath id="p0a">')
    b'<g clip-path="url(#clip0)"/><clipPath id="clip0">'
    """
    for number, name in enumerate(re.findall(rb'<clipPath id="(p[0-9a-f]+)"', svg)):
        svg = svg.replace(b"#" + name + b")", b"#clip%d)" % number)
        svg = svg.replace(b'id="' + name + b'"', b'id="clip%d"' % number)
    return svg
