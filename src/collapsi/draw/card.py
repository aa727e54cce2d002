"""A card of rules to print, poker size, as SVG or PDF."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from collapsi.system.extras import needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.play.strategy.rulecard import RuleCard

with needs("report"):
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import FancyBboxPatch
    from matplotlib.textpath import TextToPath

WIDTH, HEIGHT = 63.0, 88.0
"""Poker size, in millimetres."""
MARGIN, CORNER = 4.5, 3.0
INDENT = 4.0
"""Of the lines of a rule after its number."""
TITLE_HEIGHT, NOTE_HEIGHT = 9.0, 5.0
INCH, POINT = 25.4, 25.4 / 72
LINE_SPACING, RULE_SPACING = 1.3, 0.6
"""In font sizes: between lines, and additional space between rules."""
LARGEST, SMALLEST, STEP = 11.0, 4.0, 0.25
"""Font sizes in points."""
INK, FAINT = "#22252a", "#6b6f76"
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "svg.fonttype": "path",
    "svg.hashsalt": "collapsi",
    "pdf.fonttype": 42,
}


def draw_card(card: RuleCard, title: str, note: str, kind: str) -> bytes:
    """Return a card to print as the content of a file; `kind` is svg or pdf."""
    with mpl.rc_context(STYLE):
        file = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"CreationDate": None, "Producer": None}
        card_figure(card.sentences, title, note).savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


def card_figure(sentences: Sequence[str], title: str, note: str) -> Figure:
    """Draw the sentences as large as they fit, with a title above and a note below."""
    figure = Figure(figsize=(WIDTH / INCH, HEIGHT / INCH))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    edge = FancyBboxPatch(
        (0.2, 0.2),
        WIDTH - 0.4,
        HEIGHT - 0.4,
        boxstyle=f"round,pad=0,rounding_size={CORNER}",
        facecolor="white",
        edgecolor=FAINT,
        linewidth=0.5,
    )
    axes.add_patch(edge)
    axes.text(
        WIDTH / 2, MARGIN + 4.5, title, ha="center", va="baseline", fontsize=11, weight="bold", color=INK
    )
    axes.plot((MARGIN, WIDTH - MARGIN), (MARGIN + 7, MARGIN + 7), color=FAINT, linewidth=0.5)
    size, rules = _fitted(sentences)
    y = MARGIN + TITLE_HEIGHT + size * POINT
    for number, lines in enumerate(rules, start=1):
        axes.text(MARGIN, y, f"{number}", fontsize=size, weight="bold", color=INK)
        for line in lines:
            axes.text(MARGIN + INDENT, y, line, fontsize=size, color=INK)
            y += LINE_SPACING * size * POINT
        y += RULE_SPACING * size * POINT
    axes.text(WIDTH / 2, HEIGHT - MARGIN, note, ha="center", va="baseline", fontsize=4.5, color=FAINT)
    return figure


def _fitted(sentences: Sequence[str]) -> tuple[float, list[list[str]]]:
    """Return the largest font size at which all sentences fit, and their lines."""
    room = HEIGHT - 2 * MARGIN - TITLE_HEIGHT - NOTE_HEIGHT
    size = LARGEST
    while True:
        rules = [wrap(text, size, WIDTH - 2 * MARGIN - INDENT) for text in sentences]
        lines = sum(map(len, rules))
        height = (LINE_SPACING * lines + RULE_SPACING * (len(rules) - 1)) * size * POINT
        if height <= room or size <= SMALLEST:
            return size, rules
        size -= STEP


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most `width` millimetres in a font of `size` points."""
    font = FontProperties(family="DejaVu Sans", size=size)

    def length(line: str) -> float:
        # In points: a text path has 72 units per inch.
        return float(TextToPath().get_text_width_height_descent(line, font, ismath=False)[0]) * POINT

    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and length(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
