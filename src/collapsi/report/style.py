"""What the charts of the report look like."""

from __future__ import annotations

from typing import Any

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
