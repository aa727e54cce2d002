"""Positions and analyses as SVG, for notebooks, the README and reports.

The page draws its own boards; the shape of the pawn and the strokes of a move are sent to it from here.

Colour is never the only cue: pawns carry their letter, winning moves a plus and losing ones a minus, and of
values with the same colour only the best are filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from collapsi.core.players import Player
from collapsi.games.shifting.state import Shifting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from collapsi.core.board import Grid
    from collapsi.core.state import State
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.games.big.analysis import BigAnalysis, BigMoveValue
    from collapsi.games.solo.analysis import SoloAnalysis, SoloMove

    Valued: TypeAlias = MoveValue[Any] | SoloMove | BigMoveValue

WIDTH, HEIGHT = 76, 100  # of a card
GAP = 10
MARGIN = 34  # around the cards, with the names of rows and columns

FELT, EDGE = "#24594a", "#1a4437"
PAPER, INK, FAINT = "#fdfaf2", "#22252a", "#8b8676"
PAWN = {Player.RED: "#c02a2a", Player.BLUE: "#1f55b5", Player.GREEN: "#1c7a3d", Player.YELLOW: "#9a7000"}
WIN, LOSS, UNKNOWN = "#17753a", "#b3261e", "#5f6368"
SERIF = "Georgia, 'DejaVu Serif', serif"
SANS = "system-ui, 'DejaVu Sans', sans-serif"

SHIFTS = "#d08a00"
SHIFT_SIGNS = {"r": "▸", "l": "◂", "d": "▾", "u": "▴"}
"""Symbols of shifts, by letter."""

PAWN_OUTLINE = "M-19 24C-19 12-9 10-7 0A12 12 0 1 1 7 0C9 10 19 12 19 24Z"
"""A pawn as an SVG path, centred on its card, which is 76 wide."""

OUT = 0.75
"""Length of the stroke over an edge on either side, as a share of the distance between cards."""

Stroke = tuple[float, float, float, float]
"""A straight line from column and row to column and row; whole numbers are the centres of cards."""


def draw_position(position: State, *, path: Sequence[int] = (), move: int | str | None = None) -> str:
    """Draw the board as SVG, with a walk over the cells of `path`, or with a whole move.

    On a shifting board arrows show the line that the move shifts, and its direction.

    >>> import collapsi
    >>> draw_position(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"))[:36]
    '<svg xmlns="http://www.w3.org/2000/s'
    """
    if move is not None:
        path = position.path(move)
    return board_picture(position, position.turn, path, move=move).svg


def draw_analysis(
    analysis: Analysis[Any] | SoloAnalysis | BigAnalysis,
    *,
    path: Sequence[int] | None = None,
    move: int | str | None = None,
) -> str:
    """Draw the board with the value of every move on its end card, and a walk or move, by default the best.

    `+5` wins in five plies, `−4` loses in four, and a number without sign counts solutions; the best are
    filled, the others outlined. On a shifting board a card has the value of its best shifts, and small arrows
    show these if they are not all.
    """
    position = analysis.position
    if path is None:
        if move is None:
            move = next((found.move for found in analysis.moves if found.name in analysis.best), None)
        path = () if move is None else position.path(move)
    return board_picture(position, analysis.caption, path, analysis.moves, analysis.best, move=move).svg


@dataclass(frozen=True)
class Picture:
    """A picture with its size, which may be part of a larger one."""

    width: int
    height: int
    label: str
    """Description for screen readers."""
    parts: tuple[str, ...]

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        label = escape(self.label, quote=False)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">',
                f"<title>{label}</title>",
                *self.parts,
                "</svg>\n",
            ]
        )


def board_picture(
    position: State,
    caption: str,
    path: Sequence[int] = (),
    values: Sequence[Valued] = (),
    best: Sequence[str] = (),
    *,
    move: int | str | None = None,
) -> Picture:
    """Draw the board with a caption, a walk, the values of moves (the best filled), and a shift."""
    board = position.board
    width = 2 * MARGIN + board.columns * (WIDTH + GAP) - GAP
    height = 2 * MARGIN + board.rows * (HEIGHT + GAP) - GAP + 26
    inside = f'width="{width - 6}" height="{height - 6}"'
    parts = [
        f'<rect width="{width}" height="{height}" rx="16" fill="{FELT}"/>',
        f'<rect x="3" y="3" {inside} rx="13" fill="none" stroke="{EDGE}" stroke-width="6"/>',
    ]
    firsts = range(board.columns)
    parts.extend(
        text_at(_centre(position, cell)[0], 23, board.square(cell)[0], 14, "#e4efe9") for cell in firsts
    )
    firsts = range(0, board.size, board.columns)
    parts.extend(
        text_at(19, _centre(position, cell)[1] + 5, board.square(cell)[1:], 14, "#e4efe9") for cell in firsts
    )
    parts.extend(_card(position, cell) for cell in range(board.size) if not board.is_gap(cell))
    parts.extend(_walk(position, path))
    if isinstance(position, Shifting) and move is not None:
        parts.extend(_arrows(position, position.parse_move(move) if isinstance(move, str) else move))
    parts.extend(
        _number(position, cell, position.cell_text(cell)[0])
        for cell, card in enumerate(position.cards)
        if card is not None
    )
    on_board = (Player(number) for number, cell in enumerate(position.pawns) if cell >= 0)
    parts.extend(_pawn(position, player) for player in on_board)
    parts.extend(
        _value(position, moves, filled=moves[0].name in best) for moves in _by_end_card(values).values()
    )
    fitting = int((width - 24) / (0.62 * len(caption)))  # width of a letter relative to its height
    parts.append(text_at(width / 2, height - 18, caption, min(17, fitting), "#ffffff"))
    return Picture(width, height, f"{caption}: {position.text}", tuple(parts))


def _corner(position: State, cell: int) -> tuple[int, int]:
    row, column = divmod(cell, position.board.columns)
    return MARGIN + column * (WIDTH + GAP), MARGIN + row * (HEIGHT + GAP)


def _centre(position: State, cell: int) -> tuple[float, float]:
    x, y = _corner(position, cell)
    return x + WIDTH / 2, y + HEIGHT / 2


def text_at(x: float, y: float, text: str, size: int, fill: str, *, font: str = SANS) -> str:
    """Return a line of text, centred at x, on the baseline y."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{font}" font-size="{size}" font-weight="600" '
        f'text-anchor="middle" fill="{fill}">{escape(text, quote=False)}</text>'
    )


def _card(position: State, cell: int) -> str:
    x, y = _corner(position, cell)
    card = position.cards[cell]
    if card is None:
        return (
            f'<rect x="{x + 1}" y="{y + 1}" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="9" fill="{EDGE}" '
            f'fill-opacity=".55" stroke="#8fb3a5" stroke-width="1.5" stroke-dasharray="4 5"/>'
        )
    return (
        f'<rect x="{x + 1}" y="{y + 3}" width="{WIDTH}" height="{HEIGHT}" rx="9" '
        f'fill="#000" fill-opacity=".25"/>'
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="9" fill="{PAPER}" stroke="#cfc8b4"/>'
    )


def _number(position: State, cell: int, letter: str) -> str:
    """Draw the number of a card: in the centre and small in the corner, or larger there under a pawn."""
    x, y = _corner(position, cell)
    if cell in position.pawns:
        return text_at(x + 15, y + 24, letter, 22, INK, font=SERIF)
    corner = text_at(x + 13, y + 20, letter, 16, FAINT, font=SERIF)
    return corner + text_at(x + WIDTH / 2, y + HEIGHT / 2 + 14, letter, 42, INK, font=SERIF)


def _pawn(position: State, player: Player) -> str:
    x, y = _centre(position, position.pawns[player])
    ring = f'<circle r="31" fill="none" stroke="{PAWN[player]}" stroke-width="3" stroke-dasharray="3 4"/>'
    return (
        f'<g transform="translate({x:g} {y + 6:g})">{ring if player is position.to_move else ""}'
        f'<path d="{PAWN_OUTLINE}" fill="{PAWN[player]}" '
        f'stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/>'
        f"{text_at(0, 20, player.letter.upper(), 15, '#ffffff')}</g>"
    )


def _walk(position: State, path: Sequence[int]) -> list[str]:
    """Draw the steps of a walk as dashed lines with a dot on each card."""
    steps = strokes(position.board, path)
    parts = [_dashes(position.board, stroke) for step in steps for stroke in step]
    for cell in path[1:]:
        x, y = _centre(position, cell)
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="#d08a00"/>')
    return parts


def strokes(board: Grid, path: Sequence[int]) -> list[tuple[Stroke, ...]]:
    """Return the strokes of each step of a walk: one, or two over an edge (out on one side, in on the other).

    >>> from collapsi.core.board import Board
    >>> strokes(Board(4, 4), (6, 7, 4))
    [((2, 1, 3, 1),), ((3, 1, 3.75, 1.0), (-0.75, 1.0, 0, 1))]
    """
    return [_step(board, here, there) for here, there in pairwise(path)]


@lru_cache(maxsize=4096)  # bounded: there are many boards with gaps
def _step(board: Grid, here: int, there: int) -> tuple[Stroke, ...]:
    (y0, x0), (y1, x1) = divmod(here, board.columns), divmod(there, board.columns)
    dx, dy = x1 - x0, y1 - y0
    if abs(dx) + abs(dy) == 1:
        return ((x0, y0, x1, y1),)
    # From the last column to the first the pawn moves right; likewise for the other edges.
    right, down = (dx < 0) - (dx > 0), (dy < 0) - (dy > 0)
    return (
        (x0, y0, x0 + OUT * right, y0 + OUT * down),
        (x1 - OUT * right, y1 - OUT * down, x1, y1),
    )


def _dashes(board: Grid, stroke: Stroke) -> str:
    x0, x1 = (_along(column, WIDTH, board.columns) for column in stroke[::2])
    y0, y1 = (_along(row, HEIGHT, board.rows) for row in stroke[1::2])
    return (
        f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="#d08a00" stroke-width="4" '
        f'stroke-linecap="round" stroke-dasharray="2 8"/>'
    )


def _along(index: float, size: int, count: int) -> float:
    """Return the coordinate of the centre of a row or column, limited to the frame."""
    last = count * (size + GAP) - GAP
    return MARGIN + min(max(index * (size + GAP) + size / 2, 8 - MARGIN), last + MARGIN - 8)


def _arrows(position: Shifting, move: int) -> list[str]:
    """Draw the shift of a move: an arrow at every card of its line, in the direction of the shift."""
    way = position.way(move)
    row, column = divmod(position.end(move), position.board.columns)
    angle = (0, 180, 90, 270)[way]
    half = WIDTH / 2 if way.is_row else HEIGHT / 2
    parts = []
    for cell in range(position.board.size):
        y, x = divmod(cell, position.board.columns)
        if (y == row if way.is_row else x == column) and not position.board.is_gap(cell):
            middle_x, middle_y = _centre(position, cell)
            parts.append(
                f'<path d="M{half:g} -9L{half + 10:g} 0L{half:g} 9Z" fill="{SHIFTS}" stroke="#fff" '
                f'transform="translate({middle_x:g} {middle_y:g}) rotate({angle})"/>'
            )
    return parts


def _by_end_card(
    values: Sequence[Valued],
) -> dict[int, list[Valued]]:
    """Group the moves by end card, best first; only a shifting board has several per card."""
    found: dict[int, list[Valued]] = {}
    for move in values:
        found.setdefault(move.cell, []).append(move)
    return found


def _value(position: State, moves: Sequence[Valued], *, filled: bool) -> str:
    """Draw the value of the best move to a card, and the shifts that have it if not all do."""
    move = moves[0]
    x, y = _corner(position, move.cell)
    colour = {True: WIN, False: LOSS, None: UNKNOWN}[move.wins]
    text = move.value.replace("-", "−")  # the minus sign is as wide as the plus
    fill, ink = (colour, "#ffffff") if filled else ("#ffffff", colour)
    as_good = [other for other in moves if other.value == move.value]
    ways = "" if len(as_good) == len(moves) else "".join(SHIFT_SIGNS[other.name[-1]] for other in as_good)
    inset, offset = (4, 16) if ways else (10, 0)
    middle, baseline = x + WIDTH / 2, y + HEIGHT - 10
    return (
        f'<rect x="{x + inset}" y="{y + HEIGHT - 27}" width="{WIDTH - 2 * inset}" height="23" rx="11" '
        f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
        f"{text_at(middle - offset, baseline, text, 16, ink)}"
        f"{text_at(middle + offset, baseline, ways, 12, ink) if ways else ''}"
    )
