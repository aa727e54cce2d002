"""Draw the pictures of the documentation: `make pictures`."""

from __future__ import annotations

import csv
from math import log10
from pathlib import Path

import collapsi
from collapsi.core.symmetry import corner
from collapsi.draw.svg import draw_analysis, draw_position

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
MIDGAME = f"{EXAMPLE} a2 b4"
ENDGAME = "...2/...4/.Ab23r/.A43 r"

# One colour and one dash pattern for each of the four directions of the hypercube.
BITS = [("#1f55b5", ""), ("#1b8a7a", "7 4"), ("#b3261e", ""), ("#c77700", "7 4")]


def hypercube() -> str:
    """Draw the board next to the hypercube: the same sixteen cells and 32 pairs of neighbours."""
    title = "The board as a torus, and the same cells as corners of a hypercube"
    size = 'viewBox="0 0 820 430" width="820" height="430"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">',
        f"<title>{title}</title>",
        '<rect width="820" height="430" rx="14" fill="#fbfaf6"/>',
    ]
    grid = {cell: (90 + 75 * (cell % 4), 100 + 75 * (cell // 4)) for cell in range(16)}
    directions = [(165, 0), (0, 165), (52, -52), (66, 72)]
    cube = {}
    for cell in range(16):
        bits = [corner(cell) >> bit & 1 for bit in range(4)]
        x = 480 + sum(bit * direction[0] for bit, direction in zip(bits, directions, strict=True))
        y = 140 + sum(bit * direction[1] for bit, direction in zip(bits, directions, strict=True))
        cube[cell] = (x, y)
    board = collapsi.Board(4, 4)
    for cell in range(16):
        for there in board.neighbours(cell):
            bit = (corner(cell) ^ corner(there)).bit_length() - 1
            if cell < there:
                parts.append(_edge(cube[cell], cube[there], bit))
            (x0, y0), (x1, y1) = grid[cell], grid[there]
            if abs(x0 - x1) + abs(y0 - y1) == 75:
                if cell < there:
                    parts.append(_edge(grid[cell], grid[there], bit))
            else:  # over the edge of the board: a stub on each side
                dx, dy = (x0 > x1) - (x0 < x1), (y0 > y1) - (y0 < y1)
                parts.append(_edge((x0, y0), (x0 + 42 * dx, y0 + 42 * dy), bit))
    for places in (grid, cube):
        for cell, (x, y) in places.items():
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="15" fill="#fff" stroke="#3b4048" stroke-width="1.5"/>'
            )
            parts.append(_label(x, y + 4, board.square(cell), 12))
    parts.append(_label(202, 34, "the board: a torus, four by four", 15))
    parts.append(_label(630, 34, "the same cells: a hypercube", 15))
    parts.append(
        _label(
            410,
            414,
            "each colour is one direction of the hypercube; "
            "lines that leave the board come in again opposite",
            12,
        )
    )
    return "\n".join([*parts, "</svg>\n"])


def learning() -> str:
    """Draw the curve of `examples/learn_by_self_play.py` with 95 % intervals, on a logarithmic scale."""
    with (Path(__file__).parent / "learning.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    title = "Share of wins that the network keeps, by games played against itself"
    size = 'viewBox="0 0 720 380" width="720" height="380"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">',
        f"<title>{title}</title>",
        '<rect width="720" height="380" rx="14" fill="#fbfaf6"/>',
        _label(360, 32, title, 15),
        _label(380, 366, "games", 12),
    ]

    def across(games: float) -> float:
        return 80 + 190 * max(0.0, log10(games / 1000) if games else 0.0)

    def up(share: float) -> float:
        return round(760 - 1050 * share, 1)

    for percent in range(45, 70, 5):
        parts.append(f'<path d="M80 {up(percent / 100)}H690" stroke="#d8d5cb"/>')
        parts.append(_label(55, up(percent / 100) + 4, f"{percent} %", 12))
    for games, text in ((0, "0"), (10_000, "10,000"), (100_000, "100,000"), (1_000_000, "1,000,000")):
        parts.append(_label(across(games), 346, text, 12))
    chance = up(float(rows[0]["chance"]))
    parts.append(f'<path d="M80 {chance}H690" stroke="#3b4048" stroke-width="2" stroke-dasharray="7 4"/>')
    parts.append(_label(600, chance - 8, "random moves", 12))
    points = [(round(across(int(row["games"])), 1), float(row["kept"]), float(row["margin"])) for row in rows]
    line = " ".join(f"{x},{up(kept)}" for x, kept, _ in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1f55b5" stroke-width="2.5"/>')
    for x, kept, margin in points:
        parts.append(f'<path d="M{x} {up(kept - margin)}V{up(kept + margin)}" stroke="#1f55b5"/>')
        parts.append(f'<circle cx="{x}" cy="{up(kept)}" r="4" fill="#1f55b5"/>')
    return "\n".join([*parts, "</svg>\n"])


def _edge(one: tuple[float, float], two: tuple[float, float], bit: int) -> str:
    colour, dashes = BITS[bit]
    return (
        f'<line x1="{one[0]}" y1="{one[1]}" x2="{two[0]}" y2="{two[1]}" stroke="{colour}" stroke-width="2.5" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _label(x: float, y: float, text: str, size: int) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="system-ui, \'DejaVu Sans\', sans-serif" font-size="{size}" '
        f'text-anchor="middle" fill="#22252a">{text}</text>'
    )


def pictures() -> dict[str, str]:
    """Return the content of every picture by its file name."""
    return {
        "analysis.svg": draw_analysis(collapsi.analyse(MIDGAME)),
        "hypercube.svg": hypercube(),
        "learning.svg": learning(),
        "worksheet-deal.svg": draw_position(collapsi.parse_position(EXAMPLE)),
        "worksheet-endgame.svg": draw_position(collapsi.parse_position(ENDGAME)),
    }


if __name__ == "__main__":
    for name, content in pictures().items():
        (Path(__file__).parent / name).write_text(content, encoding="utf-8")
