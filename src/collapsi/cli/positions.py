"""The commands about single positions: show, deal, solve, line, games, bench."""

from __future__ import annotations

import json
import random
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, cast

import typer

import collapsi
from collapsi.analysis import Analysis, games_json
from collapsi.cli.batches import answers, show_each
from collapsi.cli.common import (
    EXAMPLE,
    AnyRulesOption,
    JobsOption,
    JsonOption,
    PositionArgument,
    PositionsArgument,
    app,
    complain,
    example,
    new_console,
)
from collapsi.errors import CollapsiError
from collapsi.notation import format_position, is_of_crowd, parse_position, parse_rules
from collapsi.rules import Player
from collapsi.solve.answers import refuse_uncounted, solutions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console

    from collapsi.games.crowd import Crowd
    from collapsi.games.crowd_engine import Thought
    from collapsi.position import Position


@app.command(epilog=example(f'show "{EXAMPLE}"', f'show "{EXAMPLE}" --values --svg > board.svg'))
def show(
    position: PositionArgument,
    *,
    rules: AnyRulesOption = "standard",
    values: Annotated[
        bool, typer.Option("--values", help="Write the value of each move on its end card.")
    ] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the drawing as SVG.")] = False,
) -> None:
    """Draw a position."""
    if is_of_crowd(position, rules):
        from collapsi.cli import crowd

        crowd.show_crowd(position, rules, values=values, svg=svg)
        return
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
    rules: AnyRulesOption = "standard",
) -> None:
    """Deal at random, one position a line."""
    rng = random.Random(seed)
    if is_of_crowd(None, rules):
        from collapsi.cli import crowd

        for _ in range(count):
            sys.stdout.write(crowd.deal_one(rng, rules) + "\n")
        return
    dealt = parse_rules(rules)
    for _ in range(count):
        sys.stdout.write(format_position(collapsi.deal(rng, dealt)) + "\n")


@app.command(
    epilog=example(
        f'solve "{EXAMPLE}"',
        f'solve "{EXAMPLE} d1 b4" --json',
        "deal --count 100 | collapsi solve --json -",
        "deal --rules big | collapsi solve --seconds 60 -",
    )
)
def solve(
    positions: PositionsArgument,
    *,
    rules: AnyRulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="On the big board: stop a position after about so long, and tell what is known by then.",
            show_default="none",
        ),
    ] = None,
    winner_only: Annotated[
        bool, typer.Option("--winner-only", help="On the big board: only find out who wins, not how soon.")
    ] = False,
) -> None:
    """Say who wins, the value of every move, best first, and perfect play to the end.

    The big board takes seconds to minutes: Ctrl-C stops it, and what is known by then is told.
    """
    console = new_console()
    assumed = rules if is_of_crowd(None, rules) else parse_rules(rules)
    bounded = seconds is not None or winner_only

    def read(text: str) -> Position | Crowd:
        if is_of_crowd(text, rules):
            from collapsi.cli import crowd

            return crowd.read_crowd(text, rules)
        if bounded:
            msg = "--seconds and --winner-only are for the big board: other positions are solved whole"
            raise CollapsiError(msg)
        return parse_position(text, rules=None if isinstance(assumed, str) else assumed)

    def answer(batch: Sequence[Position | Crowd]) -> Iterable[Analysis | Thought]:
        for is_crowd, run in groupby(batch, key=lambda one: not hasattr(one.rules, "shift")):
            if is_crowd:
                yield from solve_crowd(cast("Iterable[Crowd]", run))
            else:
                yield from solve_plain(cast("list[Position]", list(run)))

    def solve_crowd(batch: Iterable[Crowd]) -> Iterator[Thought]:
        from collapsi.cli import crowd

        for state in batch:
            yield crowd.solved(
                state,
                lambda found: show_each(console, [found], _print_any, json_lines=json_lines),
                winner_only=winner_only,
                seconds=seconds,
            )
            sys.stdout.flush()  # the next one may take minutes

    def solve_plain(batch: Sequence[Position]) -> Iterable[Analysis]:
        if not any(position.rules.shift for position in batch):
            return map(Analysis, batch, solutions(batch, jobs=jobs))
        from collapsi.cli.progress import moves_told  # its bar costs a quick answer some time to load

        with moves_told() as told:
            return list(map(Analysis, batch, solutions(batch, jobs=jobs, told=told)))

    show_each(console, answers(positions, read, answer), _print_any, json_lines=json_lines)


def _print_any(console: Console, analysis: Analysis | Thought) -> None:
    if isinstance(analysis, Analysis):
        _print_analysis(console, analysis)
        return
    from collapsi.cli import crowd

    crowd.print_crowd(console, analysis)


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
def line(position: PositionArgument, *, rules: AnyRulesOption = "standard") -> None:
    """Play out perfect play, board by board."""
    if is_of_crowd(position, rules):
        from collapsi.cli import crowd

        crowd.show_line(position, rules)
        return
    console = new_console()
    analysis = collapsi.analyse(position, rules=parse_rules(rules))
    _warn(analysis.position)
    steps = analysis.line_of_play.positions
    for number, (moved, board) in enumerate(zip(["", *analysis.line], steps, strict=True)):
        if number:
            path = steps[number - 1].path(moved)
            walk = " ".join(map(steps[number - 1].board.square, path))
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
    rules: AnyRulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Count the possible games: all ways to play on to the end; on a shifting board only of endgames."""
    console = new_console()

    def answer(batch: Sequence[Position]) -> Iterable[tuple[Position, int]]:
        return zip(batch, collapsi.count_games_many(batch, jobs=jobs), strict=True)

    assumed = None if is_of_crowd(None, rules) else parse_rules(rules)

    def read(text: str) -> Position:
        if is_of_crowd(text, rules):
            msg = "games of the big board are too many to count"
            raise CollapsiError(msg)
        position = parse_position(text, rules=assumed)
        refuse_uncounted(position)
        return position

    for position, count in answers(positions, read, answer):
        if json_lines:
            sys.stdout.write(json.dumps(games_json(position, count)) + "\n")
        else:
            _warn(position)
            console.print(f"{count:,}" if console.is_terminal else str(count))


@app.command(
    epilog=example("bench", "bench --count 10000 --jobs 1", "bench --rules shift", "bench --rules big")
)
def bench(
    *,
    count: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="Deals to solve.", show_default="some seconds' work"),
    ] = None,
    rules: AnyRulesOption = "standard",
    jobs: JobsOption = None,
) -> None:
    """Measure the solver on fixed deals, and print a node total that is the same on every machine."""
    from collapsi.bench import measure, measure_crowd

    if is_of_crowd(None, rules):
        measured = measure_crowd(count, rules)
    else:
        measured = measure(count, parse_rules(rules), jobs=jobs)
    for name, value in measured:
        new_console().print(f"{name:<32}{value}")
