"""Drills for the lines of a card of rules. The solver is loaded when the command runs."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.common import JobsOption, JsonOption, app, complain, example
from collapsi.errors import MalformedError

if TYPE_CHECKING:
    from collapsi.strategy.drills import Drill

MOST = 100_000
"""Drills of a line at the most."""

CardOption = Annotated[
    Path | None,
    typer.Option(help="A card of rules, as collapsi strategy writes it.", show_default="ours"),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Write drills for every line to this file, as the lessons use them.", show_default=False
    ),
]


@app.command(
    epilog=example(
        "drills --line 2",
        "drills --line 3 --count 1000 --seed 7 --json > drills.jsonl",
        "drills --line 3 --fails",
        "drills --count 40 --out drills.json",
    )
)
def drills(
    *,
    line: Annotated[
        int | None,
        typer.Option(min=1, help="Which line of the card, from 1.", show_default="every line"),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=MOST, help="How many for a line.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same drills.")] = 0,
    fails: Annotated[
        bool, typer.Option("--fails", help="Positions where the line fails, or is not enough, instead.")
    ] = False,
    card: CardOption = None,
    out: OutOption = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Make drills: positions where one line of the card of rules decides, with a proven answer."""
    from collapsi.cli.progress import progress_bar, say_if_compiling
    from collapsi.solve import counting
    from collapsi.solve.jit import is_cached
    from collapsi.strategy.drills import find_drills, keep_drills, write_drills
    from collapsi.strategy.rulecard import kept_card, read_card

    if out is not None and (line is not None or fails or json_lines):
        msg = "--out writes drills for every line: leave --line, --fails and --json out"
        raise MalformedError(msg)
    chosen = kept_card() if card is None else read_card(card)
    say_if_compiling(ready=is_cached(counting.count_words))
    if out is not None:
        with progress_bar(count * len(chosen.lines), "drills") as say:
            kept = keep_drills(chosen, count, seed, jobs=jobs, progress=lambda more: say("drills", more))
        write_drills(out, kept)
        return
    for number in range(len(chosen.lines)) if line is None else (line - 1,):
        with progress_bar(count, f"line {number + 1}") as say:
            found = find_drills(
                chosen,
                number,
                count,
                seed,
                fails=fails,
                jobs=jobs,
                progress=partial(say, f"line {number + 1}"),
            )
        _print(found, json_lines=json_lines)
        if len(found) < count:
            what = "positions where it fails" if fails else "drills"
            complain(f"line {number + 1} has only {len(found)} such {what} in the games looked through")


def _print(found: list[Drill], *, json_lines: bool) -> None:
    """A drill a line: the position and its answer, or all about it."""
    for drill in found:
        if json_lines:
            sys.stdout.write(json.dumps(drill.to_json()) + "\n")
        else:
            kept = " ".join(drill.position.board.square(move) for move in drill.after)
            sys.stdout.write(f"{drill.position.text}: {kept}\n")
    sys.stdout.flush()
