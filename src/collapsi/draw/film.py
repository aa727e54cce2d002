"""A whole game as one picture: a film strip with a frame for each position and the move played from it.

A review adds the value of every move, the verdict on the move played, and under each frame the winner under
perfect play: where the colour changes, a win was thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.draw.svg import PAWN, Picture, board_picture, text_at
from collapsi.games.classic.position import Position
from collapsi.play.review import Review, review

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from collapsi.core.game import Game
    from collapsi.core.state import State

SCALE = 0.6
"""Scale of a board in a frame."""
SPACE = 12
"""Space between and around frames."""
BAR = 30
"""Height of the bar under a frame."""
COLUMNS = 4
"""Frames per row."""
BACKGROUND = "#17211d"


def draw_game(game: Game[Any]) -> str:
    """Draw a game as a film strip; for the classic game, which is solved quickly, with values.

    >>> import collapsi
    >>> draw_game(collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")).count("<g transform=\\"translate(")
    9
    """
    if isinstance(game.positions[0], Position):
        return draw_review(review(game))
    return _strip(game, [_frame(game, number) for number in range(len(game.positions))])


def draw_review(reviewed: Review[Any]) -> str:
    """Draw a reviewed game as a film strip with values."""
    game, frames = reviewed.game, []
    for number, analysis in enumerate(reviewed.analyses):
        played = number < len(game.moves)
        kind = f", {reviewed.moves[number].verdict}" if played else ""
        board = _frame(game, number, kind, values=analysis.moves, best=analysis.best)
        frames.append(_with_bar(board, str(analysis.outcome), PAWN[analysis.winner]))
    return _strip(game, frames)


def _frame(game: Game[Any], number: int, kind: str = "", **values: Any) -> Picture:
    """Draw a position and the move played from it."""
    position: State = game.positions[number]
    if number == len(game.moves):
        return board_picture(position, position.turn, **values)
    move = game.moves[number]
    caption = f"{number + 1}. {position.to_move} {position.move_text(move)}{kind}"
    return board_picture(position, caption, position.path(move), move=move, **values)


def _with_bar(board: Picture, text: str, colour: str) -> Picture:
    """Add a coloured bar with a text under a picture."""
    bar = BAR / SCALE
    top = board.height + SPACE / 2
    return Picture(
        board.width,
        round(top + bar),
        board.label,
        (
            *board.parts,
            f'<rect x="0" y="{top:g}" width="{board.width}" height="{bar:g}" rx="10" fill="{colour}"/>',
            text_at(board.width / 2, top + bar / 2 + 8, text, 23, "#ffffff"),
        ),
    )


def _strip(game: Game[Any], frames: Sequence[Picture]) -> str:
    """Arrange frames in rows, from left to right and from top to bottom."""
    wide = round(max(frame.width for frame in frames) * SCALE)
    columns = min(COLUMNS, len(frames))
    width, y = SPACE + columns * (wide + SPACE), SPACE
    parts = []
    for row in (frames[start : start + columns] for start in range(0, len(frames), columns)):
        for column, frame in enumerate(row):
            x = SPACE + column * (wide + SPACE) + round((wide - frame.width * SCALE) / 2)
            parts += [f'<g transform="translate({x} {y}) scale({SCALE})">', *frame.parts, "</g>"]
        y += round(max(frame.height for frame in row) * SCALE) + SPACE
    background = f'<rect width="{width}" height="{y}" rx="10" fill="{BACKGROUND}"/>'
    return Picture(width, y, f"{game.position.turn}: {game.text}", (background, *parts)).svg
