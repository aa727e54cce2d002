"""The command `exam`: how well any program plays, next to the levels of the computer."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import FixedSeedOption, JsonOption
from collapsi.cli.output import new_console, new_table, print_json, print_table, say
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten
from collapsi.games.levels import Level
from collapsi.system.extras import needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collapsi.core.intervals import Rate
    from collapsi.study.exam.marking import Answer, ExamResult
    from collapsi.study.exam.questions import Question

NO_LEVELS = "none"
MOST_SECONDS = 86_400
MOST_NAME = 50
"""Characters of a name in the tables."""


class Player(NamedTuple):
    """A player to examine."""

    name: str
    answers: Callable[[Sequence[Question], Callable[[], None]], list[Answer]]
    """Returns the answers to questions, and calls a function after each."""


@app.command(
    epilog=examples(
        "exam",
        "exam --program './my-player --fast'",
        "exam --python my_player:choose --levels random,card,perfect",
        "exam --bot my_bots:make_mcts --seconds 300 --json",
    )
)
def exam(
    *,
    program: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="A program that reads a position a line and writes a move a line: the square where it ends.",
            show_default=False,
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="A Python function that takes a position and returns a move.",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="A Python function that takes an OpenSpiel game and returns a bot.",
            show_default=False,
        ),
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Levels of the computer to compare with, such as random,card; none: no levels.",
            show_default="all levels",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=MOST_SECONDS, help="Longest time between two answers, in seconds.")
    ] = 60,
    seed: FixedSeedOption = 1,
    json_lines: JsonOption = False,
) -> None:
    """Measure how well a program plays, by exact values.

    The player gets 1,200 fixed positions, the same for all, of deals that are not in the training data of
    `collapsi dataset`. In 960 of them there is a win to keep. Prints how many wins it keeps, by phase of the
    game and by difficulty, how many plies its moves lose, and how many are illegal, next to the levels of the
    computer. Shares have 95 % intervals. Modules are looked for in the current folder too.
    """
    chosen = _levels(levels)
    players = [*_players(program, python, bot, seconds), *(_level_player(level, seed) for level in chosen)]
    if not players:
        msg = "there is no player to examine: add --program, --python or --bot, or levels"
        raise MalformedError(msg)
    results = []
    for result in _results(players):
        if json_lines:
            print_json(result.to_json())
        results.append(result)
    if not json_lines:
        _print(results)


def _levels(names: str | None) -> list[Level]:
    """Read the names of levels."""
    if names is None:
        return list(Level)
    if names.strip() == NO_LEVELS:
        return []
    found = []
    for name in names.split(","):
        try:
            found.append(Level(name.strip()))
        except ValueError:
            msg = f"{shorten(name)} is no level: choose from {', '.join(Level)}, or none"
            raise MalformedError(msg) from None
    return found


def _players(program: str | None, python: str | None, bot: str | None, seconds: float) -> Iterator[Player]:
    """Yield the programs to examine; a Python function is one too, so that it can be ended."""
    if program is not None:
        try:
            command = shlex.split(program)
        except ValueError as error:
            msg = f"{shorten(program)} is no command: {str(error).lower()}"
            raise MalformedError(msg) from None
        if not command:
            msg = "the command of --program is empty"
            raise MalformedError(msg)
        yield _program_player(program, command, seconds)
    if bot is not None:
        with needs("openspiel"):
            if find_spec("pyspiel") is None:  # it is loaded by the other process
                raise ModuleNotFoundError(name="open_spiel")
    for name, module in ((python, "collapsi.study.exam.asked"), (bot, "collapsi.ecosystem.exam")):
        if name is not None:
            yield _program_player(name, [sys.executable, "-m", module, name], seconds)


def _program_player(name: str, command: list[str], seconds: float) -> Player:
    def answers(questions: Sequence[Question], progress: Callable[[], None]) -> list[Answer]:
        from collapsi.study.exam.programs import ask_program

        positions = [question.position for question in questions]
        return ask_program(command, positions, name=shorten(name), seconds=seconds, progress=progress)

    return Player(name, answers)


def _level_player(level: Level, seed: int) -> Player:
    def answers(questions: Sequence[Question], progress: Callable[[], None]) -> list[Answer]:
        from collapsi.study.exam.marking import level_answers

        found = level_answers(level, questions, seed)
        for _ in found:
            progress()
        return found

    return Player(level.value, answers)


def _results(players: Sequence[Player]) -> Iterator[ExamResult]:
    """Yield the result of each player."""
    from collapsi.games.classic import search
    from collapsi.solving.machine_code import may_compile
    from collapsi.study.exam.marking import mark
    from collapsi.study.exam.questions import load_questions

    if may_compile():  # interpreted, they are solved in seconds
        say_if_compiling(ready=search.machine_code_is_cached())
    questions = load_questions()
    with progress_bar(len(players) * len(questions), "exam") as advance:
        for player in players:
            answers = player.answers(questions, lambda name=player.name: advance(name))  # type: ignore[misc]
            yield mark(player.name, questions, answers)


def _print(results: Sequence[ExamResult]) -> None:
    """Print the results: all in all, by phase, and by difficulty."""
    console = new_console(110)
    first = results[0]
    say(
        console,
        f"Wins kept in {first.kept.cases:,} won positions, in per cent (95 % interval); plies lost\n"
        f"where the win was kept, and in {first.positions - first.kept.cases:,} lost positions\n",
    )
    table = new_table("player", "wins kept", "plies lost", "illegal moves", left=("player",))
    for result in results:
        lost = "" if result.length_lost is None else str(result.length_lost)
        table.add_row(_name(result), _rate(result.kept, digits=1), lost, f"{result.illegal:,}")
    print_table(console, table)
    say(console, "\nWins kept by phase: the number of the ply to be played\n")
    headings = [f"plies {low} to {high}" for low, high in first.phases]
    table = new_table("player", *headings, left=("player",))
    for result in results:
        table.add_row(_name(result), *map(_rate, result.phases.values()))
    print_table(console, table)
    say(console, "\nWins kept by difficulty: the plies to look ahead to be sure of a winning move\n")
    kinds = list(first.difficulties)
    headings = [f"{kind} ({kind.least}–{harder.least - 1})" for kind, harder in pairwise(kinds)]
    headings.append(f"{kinds[-1]} ({kinds[-1].least}+)")
    table = new_table("player", *headings, left=("player",))
    for result in results:
        table.add_row(_name(result), *map(_rate, result.difficulties.values()))
    print_table(console, table)


def _name(result: ExamResult) -> str:
    return result.player if len(result.player) <= MOST_NAME else f"{result.player[: MOST_NAME - 1]}…"


def _rate(rate: Rate, digits: int = 0) -> str:
    """Format a share in per cent, with an interval of fewer digits where several shares are in a row."""
    low, high = (f"{100 * end:.{digits}f}" for end in rate.interval)
    return f"{100 * rate.share:.1f} ({low}–{high})"
