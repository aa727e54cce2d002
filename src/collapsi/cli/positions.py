"""The commands about single positions, of every kind of game: solve, show, line, review."""

from __future__ import annotations

import sys
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from collapsi.cli.answers import (
    QUICK_SECONDS,
    answer_lines,
    best_answer,
    print_answer,
    print_answers,
    warn,
)
from collapsi.cli.app import EXAMPLE, app, examples
from collapsi.cli.lines import read_stream
from collapsi.cli.options import JobsOption, JsonOption, PositionArgument, PositionsArgument
from collapsi.cli.output import complain, new_console, print_json
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.cli.terminal import print_board
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.games.kind import Can, Limits
from collapsi.games.records import MOST_BYTES, TAGS, UNFINISHED, decode_games, parse_games, read_games
from collapsi.games.registry import kind_named, kind_of, parse_game, parse_position, require

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.games.kind import Solver
    from collapsi.games.records import GameFile, GameRecord

GAME = f"{EXAMPLE} d1 d4 b2"


@app.command(
    epilog=examples(
        f'solve "{EXAMPLE}"',
        f'solve "{EXAMPLE} d1 b4" --json',
        "deal --count 100 | collapsi solve --json -",
        "deal --rules big | collapsi solve --seconds 60 -",
        f'solve --games "{EXAMPLE}"',
    )
)
def solve(
    positions: PositionsArgument,
    *,
    rules: Annotated[str, rules_option("solve")] = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="On the big board: time limit per position; prints the results found so far.",
            show_default="none",
        ),
    ] = None,
    winner_only: Annotated[
        bool, typer.Option("--winner-only", help="On the big board: only find the winner, not the length.")
    ] = False,
    games: Annotated[
        bool,
        typer.Option("--games", help="Only count the possible games from the position to the end."),
    ] = False,
) -> None:
    """Print the winner, the value of every move, and perfect play.

    The big board takes seconds to minutes: Ctrl-C stops it and prints the results found so far.
    --games supports the classic rules, and endgames of the Shifting Board.
    """
    console = new_console()
    assumed = read_rules("solve", rules)
    limits = Limits(seconds=seconds, winner_only=winner_only)
    if games:
        if limits != Limits():
            msg = "--games finds no winner: leave out --seconds and --winner-only"
            raise CollapsiError(msg)
        _print_games(positions, assumed, jobs, json_lines=json_lines)
        return

    def read(text: str) -> Any:
        state = parse_position(text, rules=assumed)
        if limits != Limits() and not kind_of(state).solver.improves:
            msg = f"--seconds and --winner-only are not supported for {state.rules}: it is solved at once"
            raise CollapsiError(msg)
        return state

    def print_one(answer: Any) -> None:
        print_answers(console, [answer], json_lines=json_lines)

    def solve_batch(batch: Sequence[Any]) -> Iterable[Any]:
        for name, run in groupby(batch, key=lambda state: state.rules.kind):
            solver = kind_named(name).solver
            if solver.improves:
                for state in run:
                    yield best_answer(state, limits, print_one)
                    sys.stdout.flush()  # the next one may take minutes
            else:
                yield from _solve_many(solver, list(run), jobs)

    print_answers(console, answer_lines(positions, read, solve_batch), json_lines=json_lines)


def _print_games(positions: list[str], assumed: RuleSet, jobs: int | None, *, json_lines: bool) -> None:
    """Print the number of possible games from each position."""
    from collapsi.games.analysis import games_json
    from collapsi.play.analysis import count_games_many

    console = new_console()

    def read(text: str) -> Any:
        state = parse_position(text, rules=assumed)
        require(state.rules, Can.COUNT_GAMES)
        kind_of(state).solver.count_games([state])  # refuses positions with too many; counts nothing yet
        return state

    def count(batch: Sequence[Any]) -> Iterable[tuple[Any, int]]:
        return zip(batch, count_games_many(batch, jobs=jobs), strict=True)

    for state, number in answer_lines(positions, read, count):
        if json_lines:
            print_json(games_json(state, number))
        else:
            warn(state)
            console.print(f"{number:,}" if console.is_terminal else str(number))


def _solve_many(solver: Solver, states: Sequence[Any], jobs: int | None) -> Iterable[Any]:
    if sum(map(solver.seconds, states)) < QUICK_SECONDS:
        return solver.solve_many(states, jobs=jobs)
    from collapsi.cli.progress import moves_progress  # loading the bar takes time

    with moves_progress(solver) as progress:
        return list(solver.solve_many(states, jobs=jobs, progress=progress))


@app.command(
    epilog=examples(
        f'show "{EXAMPLE}"', f'show "{EXAMPLE}" --values', f'show "{EXAMPLE}" --values --svg > board.svg'
    )
)
def show(
    position: PositionArgument,
    *,
    rules: Annotated[str, rules_option("show")] = "standard",
    values: Annotated[
        bool, typer.Option("--values", help="Write the value of each move on its end card.")
    ] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the drawing as SVG.")] = False,
) -> None:
    """Draw a position."""
    state = parse_position(position, rules=read_rules("show", rules))
    if values:
        draw = _draw_svg if svg else partial(print_answer, new_console())
        draw(best_answer(state, show=draw))
        return
    warn(state)
    if svg:
        _draw_svg(state)
    else:
        print_board(new_console(), state)


def _draw_svg(shown: Any) -> None:
    """Print a position or an answer as SVG."""
    if not hasattr(shown, "_repr_svg_"):
        msg = "an estimate cannot be drawn as SVG: leave out --svg or --values"
        raise CollapsiError(msg)
    sys.stdout.buffer.write(shown._repr_svg_().encode())


@app.command(epilog=examples(f'line "{EXAMPLE}"'))
def line(position: PositionArgument, *, rules: Annotated[str, rules_option("line")] = "standard") -> None:
    """Print perfect play board by board."""
    console = new_console()
    state = parse_position(position, rules=read_rules("line", rules))
    answer = best_answer(state, show=partial(print_answer, console))
    moves = getattr(answer, "line", None)
    if moves is None:
        msg = f"there is no line of perfect play to print ({answer.caption})"
        raise CollapsiError(msg)
    warn(state)
    winner = getattr(answer, "winner", None)
    # Moves before the first ply (`RuleSet.uncounted`) are part of the line.
    plies = answer.plies if isinstance(getattr(answer, "plies", None), int) else len(moves)
    for number, move in enumerate(("", *moves)):
        if number:
            walk = " ".join(map(state.board.square, state.path(move)))
            console.print(f"\n{number}. {state.to_move} to {move}  ({walk})")
            state = state.play(move)
        print_board(console, state)
        if winner is not None and state.result is None:
            console.print(f"{winner} wins in {min(plies, len(moves) - number)}")
    if getattr(answer, "score", None) is not None:
        console.print(f"score {answer.score:+}")


@app.command(epilog=examples(f'review "{GAME}"', f'review "{GAME}" --json', "review games.txt"))
def review(
    game: Annotated[
        str,
        typer.Argument(
            help=f'A game: a position and its moves, such as "{GAME}"; or a game file; or - for one '
            "on standard input.",
            show_default=False,
        ),
    ],
    *,
    rules: Annotated[str, rules_option("review")] = "standard",
    json_lines: JsonOption = False,
) -> None:
    """Judge every move of a game.

    Prints for each move whether it kept the win, and for moves that threw it away the reason. Of a game file
    every game is reviewed, and a damaged one is named with its line. Variations are not judged.
    """
    assumed = read_rules("review", rules)
    found = _game_file(game)
    if found is None:
        _print_review(parse_game(game, rules=assumed), json_lines=json_lines)
        return
    for damage in found.damage:
        complain(str(damage))
    failed = bool(found.damage)
    for number, record in enumerate(found, start=1):
        if not json_lines:
            sys.stdout.write("\n" * (number > 1) + f"{_title(number, record)}\n")
        try:
            _print_review(record.game, json_lines=json_lines, tags=dict(record.tags))
        except CollapsiError as error:
            failed = True
            complain(f"game {number}: {error}")
        sys.stdout.flush()
    if failed:
        raise typer.Exit(2)


def _game_file(argument: str) -> GameFile | None:
    """Read a game file, or - from standard input; None if the argument is no file."""
    if argument == "-":
        return parse_games(decode_games(read_stream(MOST_BYTES)))
    try:
        is_file = Path(argument).is_file()
    except (OSError, ValueError):  # a long name, a NUL
        is_file = False
    return read_games(argument) if is_file else None


def _title(number: int, record: GameRecord[Any]) -> str:
    """Return the heading of a game in a file."""
    players = " – ".join(name for tag in TAGS[2:6] if (name := record.tags.get(tag)))
    about = [record.tags.get("Event"), record.tags.get("Date"), players, record.tags.get("Result")]
    return f"game {number}" + "".join(f", {part}" for part in about if part and part != UNFINISHED)


def _print_review(game: Any, *, json_lines: bool, tags: dict[str, str] | None = None) -> None:
    from collapsi.play.review import review as review_game

    if not game.moves:
        msg = "there is no move to review: write the moves after the position, such as d1 b4"
        raise MalformedError(msg)
    found = review_game(game)
    if json_lines:
        print_json(found.to_json() if tags is None else {**found.to_json(), "tags": tags})
    else:
        sys.stdout.write(f"{found}\n")
