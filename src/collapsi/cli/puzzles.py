"""The command `puzzles`: positions where one move wins, a line each."""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.common import JobsOption, JsonOption, RulesOption, app, example, new_console
from collapsi.notation import parse_rules
from collapsi.puzzles import PuzzleKind, make_puzzles

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.puzzles import Puzzle

KINDS = "; ".join(f"{kind}: {kind.text}" for kind in PuzzleKind)
MOST_SEEDS = 2**53


@app.command(
    help="Make puzzles: positions of games in which exactly one move wins, a line each.\n\n"
    "To look n plies ahead is to see every game that ends within n moves, yours and the opponent's counted. "
    "A puzzle is as hard as the fewest plies with which one can be sure of the move: because the win is seen "
    "to its end, or because every other move is seen to lose. --json says how long each takes, whether the "
    "card of rules (collapsi strategy) finds the move, and the answer with perfect play after it.\n\n"
    "No two puzzles of a set are the same in another orientation, and each is from a game of its own.",
    epilog=example(
        "puzzles --kind easy --seed 7",
        "puzzles --kind hard --count 3 --answers",
        "puzzles --kind medium --count 10000 --seed 1 --json > puzzles.jsonl",
        "puzzles --rules joker | collapsi solve -",
    ),
)
def puzzles(
    *,
    kind: Annotated[
        PuzzleKind | None, typer.Option(help=f"How hard they are. {KINDS}.", show_default="all kinds")
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 10,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same puzzles.", show_default="random")
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="After each position the move that wins: together a game.")
    ] = False,
    rules: RulesOption = "standard",
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Make puzzles: positions of games in which exactly one move wins, a line each."""
    from collapsi.cli.progress import progress_bar

    console = new_console()
    seed = random.randrange(MOST_SEEDS) if seed is None else seed
    found = make_puzzles(seed, kind=kind, rules=parse_rules(rules), count=count, jobs=jobs)
    with progress_bar(count, "puzzles", wanted=not console.is_terminal) as say:
        for number, puzzle in enumerate(found, start=1):
            if json_lines:
                sys.stdout.write(json.dumps(puzzle.to_json()) + "\n")
            else:
                _print(console, puzzle, answers=answers)
            say(f"{number:,} of {count:,} puzzles", 1)


def _print(console: Console, puzzle: Puzzle, *, answers: bool) -> None:
    text = puzzle.position.text + (f" {puzzle.move.name}" if answers else "")
    if console.is_terminal:
        console.print(f"{text}  [dim]{puzzle.kind}: {puzzle.rating}[/]")
    else:
        sys.stdout.write(f"{text}\n")
