"""The commands about single positions: show, deal, solve, line, games, bench."""

from __future__ import annotations

import json
import random
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

import collapsi
from collapsi.analysis import Analysis, games_json
from collapsi.cli.batches import answers, show_each
from collapsi.cli.common import (
    EXAMPLE,
    JobsOption,
    JsonOption,
    PositionArgument,
    PositionsArgument,
    RulesOption,
    app,
    complain,
    example,
    new_console,
)
from collapsi.notation import format_position, parse_position, parse_rules
from collapsi.rules import Player
from collapsi.solve.answers import solutions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from collapsi.position import Position


@app.command(epilog=example(f'show "{EXAMPLE}"', f'show "{EXAMPLE}" --values --svg > board.svg'))
def show(
    position: PositionArgument,
    *,
    rules: RulesOption = "standard",
    values: Annotated[
        bool, typer.Option("--values", help="Write the value of each move on its end card.")
    ] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the drawing as SVG.")] = False,
) -> None:
    """Draw a position."""
    shown = parse_position(position, rules=parse_rules(rules))
    analysis = collapsi.analyse(shown) if values else None
    if analysis and not svg:
        _print_analysis(new_console(), analysis)
        return
    _warn(shown)
    if svg:
        sys.stdout.buffer.write((analysis or shown)._repr_svg_().encode())
    else:
        _print_board(new_console(), shown)


def _warn(position: Position) -> None:
    """Name on standard error why a position cannot arise, for commands whose output has no room for it."""
    for reason in collapsi.status(position):
        complain(f"warning: {reason}")


def _print_board(console: Console, position: Position) -> None:
    if console.is_terminal:
        from collapsi import terminal

        console.print(terminal.draw_board(position), terminal.turn(position), sep="")
    else:
        sys.stdout.write(f"{position}\n")


@app.command(epilog=example("deal", "deal --seed 7 --count 3", "deal --count 1000 | collapsi solve --json -"))
def deal(
    *,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same deals.", show_default="random")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    rules: RulesOption = "standard",
) -> None:
    """Deal at random, one position a line."""
    rng = random.Random(seed)
    dealt = parse_rules(rules)
    for _ in range(count):
        sys.stdout.write(format_position(collapsi.deal(rng, dealt)) + "\n")


@app.command(
    epilog=example(
        f'solve "{EXAMPLE}"', f'solve "{EXAMPLE} d1 b4" --json', "deal --count 100 | collapsi solve --json -"
    )
)
def solve(
    positions: PositionsArgument,
    *,
    rules: RulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Say who wins, the value of every move, best first, and perfect play to the end."""
    console = new_console()

    def answer(batch: Sequence[Position]) -> Iterable[Analysis]:
        return map(Analysis, batch, solutions(batch, jobs=jobs))

    found = answers(positions, partial(parse_position, rules=parse_rules(rules)), answer)
    show_each(console, found, _print_analysis, json_lines=json_lines)


def _print_analysis(console: Console, analysis: Analysis) -> None:
    if not console.is_terminal:
        sys.stdout.write(f"{format_position(analysis.position)}\n{analysis}\n")
        return
    from collapsi import terminal

    console.print(terminal.draw_board(analysis.position, analysis), terminal.verdict(analysis), sep="")
    for reason in analysis.warnings:
        console.print(f"warning: {reason}", style="yellow")
    if analysis.moves:
        console.print(terminal.move_table(analysis))
        console.print("perfect play: " + " ".join(analysis.line))


@app.command(epilog=example(f'line "{EXAMPLE}"'))
def line(position: PositionArgument, *, rules: RulesOption = "standard") -> None:
    """Play out perfect play, board by board."""
    console = new_console()
    analysis = collapsi.analyse(position, rules=parse_rules(rules))
    _warn(analysis.position)
    steps = analysis.line_of_play.positions
    for number, (moved, board) in enumerate(zip(["", *analysis.line], steps, strict=True)):
        if number:
            path = steps[number - 1].path(moved)
            walk = " ".join(board.board.square(cell) for cell in path)
            console.print(f"\n{number}. {board.to_move.other} to {moved}  ({walk})")
        _print_board(console, board)
        if board.winner is None:
            ahead = analysis.score if board.to_move is Player.RED else -analysis.score
            console.print(f"{analysis.winner} wins in {board.outcome(ahead).plies}")
    console.print(f"score {analysis.score:+}")


@app.command(epilog=example(f'games "{EXAMPLE}"', "deal --count 100 | collapsi games -"))
def games(
    positions: PositionsArgument,
    *,
    rules: RulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Count the possible games: all ways to play on to the end."""
    console = new_console()

    def answer(batch: Sequence[Position]) -> Iterable[tuple[Position, int]]:
        return zip(batch, collapsi.count_games_many(batch, jobs=jobs), strict=True)

    for position, count in answers(positions, partial(parse_position, rules=parse_rules(rules)), answer):
        if json_lines:
            sys.stdout.write(json.dumps(games_json(position, count)) + "\n")
        else:
            _warn(position)
            console.print(f"{count:,}" if console.is_terminal else str(count))


@app.command(epilog=example("bench", "bench --count 10000 --jobs 1"))
def bench(
    *,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="Deals to solve.")] = 1000,
    rules: RulesOption = "standard",
    jobs: JobsOption = None,
) -> None:
    """Measure the solver on fixed deals, and print a node total that is the same on every machine."""
    from collapsi.bench import measure

    for name, value in measure(count, parse_rules(rules), jobs=jobs):
        new_console().print(f"{name:<32}{value}")
