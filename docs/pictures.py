"""Draw the pictures of the README again: `make pictures`."""

from __future__ import annotations

from pathlib import Path

import collapsi
from collapsi.drawing import draw_analysis, draw_position

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
MIDGAME = f"{EXAMPLE} a2 b4"


def pictures() -> dict[str, str]:
    """File name and content of every picture."""
    return {
        "board.svg": draw_position(collapsi.parse_position(EXAMPLE)),
        "analysis.svg": draw_analysis(collapsi.analyse(MIDGAME)),
    }


if __name__ == "__main__":
    for name, content in pictures().items():
        (Path(__file__).parent / name).write_text(content, encoding="utf-8")
