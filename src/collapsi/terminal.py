"""Positions and analyses for a terminal, drawn by Rich. Piped output is plain text: see `collapsi.cli`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from collapsi.rules import Player

if TYPE_CHECKING:
    from typing import Any

    from collapsi.analysis import Analysis, MoveValue
    from collapsi.games.crowd_analysis import CrowdAnalysis, CrowdMove
    from collapsi.games.solo_analysis import SoloAnalysis, SoloMove
    from collapsi.state import State

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


def value_style(move: MoveValue[Any] | SoloMove | CrowdMove, *, best: bool) -> str:
    """Green wins, red loses; what is not best is faint, and what is not known has no colour."""
    if move.wins is None:
        return "dim"
    return ("green" if move.wins else "red") + (" bold" if best else " dim")


def draw_board(position: State, analysis: Analysis[Any] | SoloAnalysis | CrowdAnalysis | None = None) -> Text:
    """The board as a grid of cards, with the value of each move below its number if an analysis is given.

    A collapsed card is two dots, a gap nothing.
    """
    columns = position.board.columns
    # Best first: of several moves to a card, which only a shifting board has, the best stays.
    moves: dict[int, MoveValue[Any] | SoloMove | CrowdMove] = (
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
    """The middle of a card, its number and pawn, and the style for it."""
    card = position.cards[cell]
    if card is None:
        return ("    " if position.board.is_gap(cell) else " ·· "), "dim"
    style = PAWN[Player(position.pawns.index(cell))] if cell in position.pawns else "bold"
    return f" {position.cell_text(cell):<2} ", style


def turn(position: State) -> Text:
    """Whose turn it is, or who has won, with the players in their colours."""
    text = Text(position.turn)
    for player, style in NAME.items():
        text.highlight_words([str(player)], style)
    return text


def verdict(analysis: Analysis[Any]) -> Text:
    """Who wins, how soon, and the score."""
    text = Text.assemble(str(analysis.outcome), (f"  score {analysis.score:+}", "dim"))
    text.stylize(NAME[analysis.winner], 0, len(str(analysis.winner)))
    return text


def move_table(analysis: Analysis[Any]) -> Table:
    """Every move with its value, best first."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("move", "value", "", "score", "path"):
        table.add_column(name, justify="right" if name in ("value", "score") else "left")
    for move in analysis.moves:
        best = move.name in analysis.best
        style = value_style(move, best=best)
        table.add_row(
            Text(move.name, "bold" if best else ""),
            Text(move.value, style),
            Text(str(move.outcome), style),
            Text(f"{move.outcome.score:+}", "dim"),
            Text(" ".join(move.path), "dim"),
        )
    return table


def crowd_table(analysis: CrowdAnalysis) -> Table:
    """Every move of the big board with what is known of it, winning ones first."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("move", "value", "", "path"):
        table.add_column(name, justify="right" if name == "value" else "left")
    for move in analysis.moves:
        best = move.name in analysis.best
        style = value_style(move, best=best or move.bounds.exact is None)
        table.add_row(
            Text(move.name, "bold" if best else ""),
            Text(move.value, style),
            Text(move.text, style),
            Text(" ".join(move.path), "dim"),
        )
    return table
