"""Many positions in, many answers out: what commands share that take positions as arguments or by a pipe."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TypeVar

import typer

from collapsi.batch import Line, read_arguments, read_lines
from collapsi.cli.common import complain
from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from rich.console import Console

    from collapsi.analysis import Analysis
    from collapsi.games.crowd_engine import Thought
    from collapsi.games.solo_analysis import SoloAnalysis


Given = TypeVar("Given")
Answer = TypeVar("Answer")
Shown = TypeVar("Shown", bound="Analysis[Any] | SoloAnalysis | Thought")


def answers(
    arguments: list[str],
    parse: Callable[[str], Given],
    answer: Callable[[Sequence[Given]], Iterable[Answer]],
) -> Iterator[Answer]:
    """The answers to all positions that `parse` can read, in order; the others are named on standard error.

    Ends with exit code 2 if there was any of those.
    """
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
        good: list[Given] = []
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


def show_each(
    console: Console,
    found: Iterable[Shown],
    show: Callable[[Console, Shown], None],
    *,
    json_lines: bool,
) -> None:
    """Every answer as a line of JSON, or shown with an empty line between two."""
    for number, answer in enumerate(found):
        if json_lines:
            sys.stdout.write(json.dumps(answer.to_json()) + "\n")
            continue
        if number:
            console.print()
        show(console, answer)
