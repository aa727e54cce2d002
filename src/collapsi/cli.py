"""The command line: reads arguments and standard input, shows what the library says. No game logic here."""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console

import collapsi
from collapsi.analysis import Analysis, games_json, solutions
from collapsi.batch import Line, read_arguments, read_lines
from collapsi.errors import CollapsiError
from collapsi.notation import format_position, parse_position, parse_rules
from collapsi.rules import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from collapsi.position import Position

Answer = TypeVar("Answer")

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

app = typer.Typer(
    name="collapsi",
    help="Collapsi, solved: the exact value of every move in any position.\n\n"
    f'A position is its rows from the top and the side to move: "{EXAMPLE}". After it may come the rules '
    "(standard, joker) and moves (d1 b4 …); then the position after those moves is meant.\n\n"
    "The game is by Mark S. Ball (https://riffleshuffleandroll.itch.io/collapsi).",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _example(*commands: str) -> str:
    return "Examples:\n\n" + "\n\n".join(f"  collapsi {command}" for command in commands)


def _complete_rules(incomplete: str) -> list[tuple[str, str]]:
    return [(name, rules.summary) for name, rules in RULE_SETS.items() if name.startswith(incomplete)]


PositionArgument = Annotated[
    str, typer.Argument(help=f'A position or game, such as "{EXAMPLE}".', show_default=False)
]
PositionsArgument = Annotated[
    list[str],
    typer.Argument(help="Positions or games; - reads one a line from standard input.", show_default=False),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help=f"Rules where the position does not say: {' or '.join(RULE_SETS)}.",
        autocompletion=_complete_rules,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
JobsOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Threads.", show_default="every core")]


def _version(*, wanted: bool) -> None:
    if wanted:
        _console().print(f"collapsi {collapsi.__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=lambda wanted: _version(wanted=wanted)),
    ] = False,
) -> None:
    pass


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)


def _complain(text: str) -> None:
    with suppress(
        AttributeError, OSError
    ):  # standard error may be closed or full: then there is nobody to tell
        sys.stderr.write(f"collapsi: {text}\n")
        sys.stderr.flush()


@app.command(epilog=_example(f'show "{EXAMPLE}"', f'show "{EXAMPLE}" --values --svg > board.svg'))
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
        _print_analysis(_console(), analysis)
        return
    _warn(shown)
    if svg:
        sys.stdout.buffer.write((analysis or shown)._repr_svg_().encode())
    else:
        _print_board(_console(), shown)


def _warn(position: Position) -> None:
    """Name on standard error every reason why a position cannot arise, where the output has no room for it."""
    for reason in collapsi.status(position):
        _complain(f"warning: {reason}")


def _print_board(console: Console, position: Position) -> None:
    if console.is_terminal:
        from collapsi import terminal

        console.print(terminal.draw_board(position), terminal.to_move(position), sep="")
    else:
        sys.stdout.write(f"{position}\n")


@app.command(
    epilog=_example("deal", "deal --seed 7 --count 3", "deal --count 1000 | collapsi solve --json -")
)
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
    epilog=_example(
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
    console = _console()

    def answer(batch: Sequence[Position]) -> Iterable[Analysis]:
        return map(Analysis, batch, solutions(batch, jobs=jobs))

    first = True
    for analysis in _answers(positions, rules, answer):
        if json_lines:
            sys.stdout.write(json.dumps(analysis.to_json()) + "\n")
            continue
        if not first:
            console.print()
        first = False
        _print_analysis(console, analysis)


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


@app.command(epilog=_example(f'line "{EXAMPLE}"'))
def line(position: PositionArgument, *, rules: RulesOption = "standard") -> None:
    """Play out perfect play, board by board."""
    console = _console()
    analysis = collapsi.analyse(position, rules=parse_rules(rules))
    _warn(analysis.position)
    left = analysis.plies
    steps = analysis.line_of_play.positions
    for number, (moved, board) in enumerate(zip(["", *analysis.line], steps, strict=True)):
        if number:
            path = steps[number - 1].path(moved)
            walk = " ".join(board.board.square(cell) for cell in path)
            console.print(f"\n{number}. {board.to_move.other} to {moved}  ({walk})")
        _print_board(console, board)
        if number < left:
            console.print(f"{analysis.winner} wins in {left - number}")
    console.print(f"{analysis.winner} has won: {steps[-1].to_move} cannot move  (score {analysis.score:+})")


@app.command(epilog=_example(f'games "{EXAMPLE}"', "deal --count 100 | collapsi games -"))
def games(
    positions: PositionsArgument,
    *,
    rules: RulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Count the possible games: all ways to play on to the end."""
    console = _console()

    def answer(batch: Sequence[Position]) -> Iterable[tuple[Position, int]]:
        return zip(batch, collapsi.count_games_many(batch, jobs=jobs), strict=True)

    for position, count in _answers(positions, rules, answer):
        if json_lines:
            sys.stdout.write(json.dumps(games_json(position, count)) + "\n")
        else:
            _warn(position)
            console.print(f"{count:,}" if console.is_terminal else str(count))


def _answers(
    arguments: list[str], rules: str, answer: Callable[[Sequence[Position]], Iterable[Answer]]
) -> Iterator[Answer]:
    """The answers to all positions that can be read, in order; the others are named on standard error.

    Ends with exit code 2 if there was any of those.
    """
    parse = partial(parse_position, rules=parse_rules(rules))
    from_stdin = arguments == ["-"]
    if "-" in arguments and not from_stdin:
        msg = "- (standard input) stands alone: give positions as arguments or through the pipe, not both"
        raise CollapsiError(msg)
    if from_stdin and sys.stdin is None:
        msg = "standard input is closed"
        raise CollapsiError(msg)
    batches: Iterable[list[Line]] = (
        read_lines(sys.stdin.buffer) if from_stdin else [read_arguments(arguments)]
    )
    failed = False
    for batch in batches:
        good: list[Position] = []
        for entry in batch:
            try:
                good.append(parse(entry.read()))
            except CollapsiError as error:
                failed = True
                _complain(f"{entry.name}: {error}" if from_stdin or len(arguments) > 1 else str(error))
        if good:
            yield from answer(good)
        sys.stdout.flush()
    if failed:
        raise typer.Exit(2)


@app.command(epilog=_example("bench", "bench --count 10000 --jobs 1"))
def bench(
    *,
    count: Annotated[int, typer.Option(min=1, help="Deals to solve.")] = 1000,
    rules: RulesOption = "standard",
    jobs: JobsOption = None,
) -> None:
    """Measure the solver on fixed deals, and print a node total that is the same on every machine."""
    from collapsi.bench import measure

    for name, value in measure(count, parse_rules(rules), jobs=jobs):
        _console().print(f"{name:<32}{value}")


def main() -> None:
    """Run the command; what the user gave wrong becomes one line and exit code 2."""
    if sys.stdout is None:
        _complain("standard output is closed")
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a letter shows a question mark
    try:
        try:
            stopped = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _say_no_more()
    except CollapsiError as error:
        _complain(str(error))
        sys.exit(2)
    except OSError as error:
        _complain(f"cannot write: {error.strerror}" if error.filename is None else str(error))
        _say_no_more()
        sys.exit(2)
    except SystemExit as stop:
        if not isinstance(
            stop.__context__, BrokenPipeError
        ):  # Typer's own answer to a closed pipe is exit code 1
            raise
        _say_no_more()
    except Exception as error:
        if not hasattr(
            error, "format_message"
        ):  # what Typer's usage errors have in common; their class is private
            raise
        _complain(f"{error.format_message()} (see collapsi --help)")
        sys.exit(2)
    else:
        sys.exit(stopped)


def _say_no_more() -> None:
    """Nobody reads on (`head` has enough, a disk is full): let what is left go nowhere, also what Python flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
