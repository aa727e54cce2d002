"""Positions and analyses for a terminal, drawn by Rich. Piped output is plain text: see `collapsi.cli`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from collapsi.core.players import Player

if TYPE_CHECKING:
    from typing import Any

    from collapsi.core.state import State
    from collapsi.games.analysis import Analysis, MoveValue
    from collapsi.games.big.analysis import BigAnalysis, BigMoveValue
    from collapsi.games.solo.analysis import SoloAnalysis, SoloMove

PAWN = {
    Player.RED: "bold white on red",
    Player.BLUE: "bold white on blue",
    Player.GREEN: "bold white on green",
    Player.YELLOW: "bold black on yellow",
}
NAME = {
    Player.RED: "bold red",
    Player.BLUE: "bold blue",
    Player.GREEN: "bold green",
    Player.YELLOW: "bold yellow",
}


def value_style(move: MoveValue[Any] | SoloMove | BigMoveValue, *, best: bool) -> str:
    """Return the style of a move's value: green wins, red loses, dim if not best or unknown."""
    if move.wins is None:
        return "dim"
    return ("green" if move.wins else "red") + (" bold" if best else " dim")


def draw_board(position: State, analysis: Analysis[Any] | SoloAnalysis | BigAnalysis | None = None) -> Text:
    """Draw the board as a grid of cards; with an analysis, the value of each move is below its number.

    A collapsed card is two dots, a gap is blank.
    """
    columns = position.board.columns
    # Moves are sorted best first: of several to one card (only on a shifting board) the best is shown.
    moves: dict[int, MoveValue[Any] | SoloMove | BigMoveValue] = (
        {move.cell: move for move in reversed(analysis.moves)} if analysis else {}
    )
    best = analysis.best if analysis else ()
    names = "".join(f"  {position.board.square(column)[0]}    " for column in range(columns))
    text = Text.assemble(("   " + names, "dim"))
    text.append("\n")
    for row in range(position.board.rows):
        cells = range(row * columns, (row + 1) * columns)
        up = [position.cards[cell] is not None for cell in cells]
        text.append("   ")
        for is_up in up:
            text.append("╭────╮ " if is_up else "       ", "dim")
        text.append(f"\n{row + 1:>2} ", "dim")
        for cell in cells:
            edge = " " if position.cards[cell] is None else "│"
            text.append(edge, "dim")
            text.append(*_middle(position, cell))
            text.append(f"{edge} ", "dim")
        text.append("\n   ")
        for cell in cells:
            if position.cards[cell] is None:
                text.append("       ")
            elif cell in moves:
                text.append("╰", "dim")
                text.append(
                    f"{moves[cell].value:─^4}", value_style(moves[cell], best=moves[cell].name in best)
                )
                text.append("╯ ", "dim")
            else:
                text.append("╰────╯ ", "dim")
        text.append("\n")
    return text


def _middle(position: State, cell: int) -> tuple[str, str]:
    """Return the text of a card, its number and pawn, and its style."""
    card = position.cards[cell]
    if card is None:
        return ("    " if position.board.is_gap(cell) else " ·· "), "dim"
    style = PAWN[Player(position.pawns.index(cell))] if cell in position.pawns else "bold"
    return f" {position.cell_text(cell):<2} ", style


def turn(position: State) -> Text:
    """Format the turn or the winner, with the players in their colours."""
    text = Text(position.turn)
    for player, style in NAME.items():
        text.highlight_words([str(player)], style)
    return text


def draw_answer(answer: Any) -> Text:
    """Draw what is known of a position, of whatever kind: the board, then the answer line by line.

    The lines are those of `str(answer)`, with players and moves in their colours.
    """
    position = answer.position
    moves = {move.name: move for move in getattr(answer, "moves", ()) if hasattr(move, "wins")}
    text = Text.assemble(draw_board(position, answer if moves else None), turn(position), "\n")
    for row in str(answer).removeprefix(str(position)).strip("\n").splitlines():
        line = Text(f"{row}\n")
        name = row.split(" ", 1)[0]
        if name in moves:
            line.stylize(value_style(moves[name], best=name in answer.best))
        elif row.startswith("warning: "):
            line.stylize("yellow")
        else:
            for player, style in NAME.items():
                line.highlight_words([str(player)], style)
        text.append_text(line)
    return text
