"""Answers about positions of every kind of game: finding the best one, and printing it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from collapsi.cli.lines import read_arguments, read_lines
from collapsi.cli.output import complain, print_json
from collapsi.core.errors import CollapsiError
from collapsi.games.kind import NO_LIMITS
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

    from collapsi.games.kind import Answer, Limits

QUICK_SECONDS = 1.0
"""Expected time of a search beyond which its progress is shown."""

Result = TypeVar("Result")


def answer_lines(
    arguments: list[str], parse: Callable[[str], Any], answer: Callable[[Sequence[Any]], Iterable[Result]]
) -> Iterator[Result]:
    """Answer positions given as arguments, or one per line through a pipe (-), batch by batch in order.

    Positions that `parse` refuses are named on standard error, and the exit code is then 2.
    """
    from_stdin = arguments == ["-"]
    if "-" in arguments and not from_stdin:
        msg = "- (standard input) stands alone: give positions as arguments or through the pipe, not both"
        raise CollapsiError(msg)
    if from_stdin and sys.stdin is None:
        msg = "standard input is closed"
        raise CollapsiError(msg)
    failed = False
    for batch in read_lines(sys.stdin.buffer) if from_stdin else [read_arguments(arguments)]:
        good: list[Any] = []
        for entry in batch:
            try:
                good.append(parse(entry.read()))
            except CollapsiError as error:
                failed = True
                complain(f"{entry.name}: {error}" if from_stdin or len(arguments) > 1 else str(error))
        if good:
            yield from answer(good)
        sys.stdout.flush()
    if failed:
        raise typer.Exit(2)


def best_answer(state: Any, limits: Limits = NO_LIMITS, show: Callable[[Any], None] | None = None) -> Any:
    """Return the last and best answer of a position's solver, with a status line on a terminal.

    After Ctrl-C the best answer so far is given to `show` before the program ends.
    """
    last: Answer | None = None
    with _status_line(state) as say:
        try:
            for last in kind_of(state).solver.answers(state, limits):
                say(last.status)
        except KeyboardInterrupt:
            if show is None or last is None:
                raise
        else:
            return last
    show(last)
    sys.stdout.flush()
    raise KeyboardInterrupt


@contextmanager
def _status_line(state: Any) -> Iterator[Callable[[str], None]]:
    """Show a line on standard error if the position takes long."""
    solver = kind_of(state).solver
    if solver.seconds(state) < QUICK_SECONDS:
        yield lambda _: None
        return
    from collapsi.cli.progress import GETTING_READY, status_line  # takes time to load

    with status_line("solving" if solver.is_warm() else GETTING_READY) as say:
        yield say


def print_answers(console: Console, answers: Iterable[Any], *, json_lines: bool) -> None:
    """Print each answer as a line of JSON, or as text with an empty line between two."""
    for number, answer in enumerate(answers):
        if json_lines:
            print_json(answer.to_json())
            continue
        if number:
            console.print()
        print_answer(console, answer)


def print_answer(console: Console, answer: Any) -> None:
    """Print an answer; on a terminal the board is a grid of cards with the values of the moves."""
    if console.is_terminal:
        from collapsi.draw import terminal

        console.print(terminal.draw_answer(answer), end="")
    else:
        sys.stdout.write(f"{answer.position.text}\n{answer}\n")


def move_rows(answer: Any) -> list[str]:
    """Return the lines of an answer that describe its moves."""
    state = answer.position
    names = set(map(state.move_text, state.moves))
    below = str(answer).removeprefix(str(state)).splitlines()
    return [row for row in below if row.partition(" ")[0] in names]


def warn(state: Any) -> None:
    """Print the reasons why a position cannot arise, for commands whose output does not contain them."""
    for reason in state.faults:
        complain(f"warning: {reason}")
