"""The command `puzzles`: positions with one winning move, and drills for the lines of a card of rules."""

from __future__ import annotations

import random
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import JobsOption, JsonOption, SeedOption, out_option
from collapsi.cli.output import complain, new_console, print_json
from collapsi.cli.progress import progress_bar
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten
from collapsi.play.enums import PuzzleKind
from collapsi.play.puzzles import make_puzzles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from collapsi.play.puzzles import Puzzle
    from collapsi.play.strategy.drills import Drill
    from collapsi.play.strategy.rulecard import RuleCard
    from collapsi.play.tempo import PassPuzzle

KINDS = "; ".join(f"{kind}: {kind.text}" for kind in PuzzleKind)
MOST_SEEDS = 2**53
ALL_LINES = "all"


@app.command(
    epilog=examples(
        "puzzles --kind easy --seed 7",
        "puzzles --kind hard --count 3 --answers",
        "puzzles --kind pass --answers",
        "puzzles --kind medium --count 10000 --seed 1 --json > puzzles.jsonl",
        "puzzles --rules joker | collapsi solve -",
        "puzzles --drill 2 --answers",
        "puzzles --drill 3 --fails",
        "puzzles --drill all --count 40 --seed 1 --out drills.json",
    )
)
def puzzles(
    *,
    kind: Annotated[
        PuzzleKind | None,
        typer.Option(help=f"How hard they are, or pass. {KINDS}", show_default="all but pass"),
    ] = None,
    count: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Number of puzzles, or of drills per line.")
    ] = 10,
    seed: SeedOption = None,
    answers: Annotated[bool, typer.Option("--answers", help="Print the answer after each position.")] = False,
    rules: Annotated[str, rules_option("puzzles")] = "standard",
    drill: Annotated[
        str | None,
        typer.Option(
            "--drill",
            metavar="LINE",
            help="Make drills for this line of the card, from 1, or for all lines (all).",
            show_default=False,
        ),
    ] = None,
    fails: Annotated[
        bool, typer.Option("--fails", help="With --drill: positions where the line fails or is not enough.")
    ] = False,
    card: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --drill: a card of rules that 'collapsi strategy' wrote.",
            show_default="the card of this program",
        ),
    ] = None,
    out: Annotated[Path | None, out_option("the drills for all lines", "FILE")] = None,
    json_lines: JsonOption = False,
    jobs: JobsOption = None,
) -> None:
    """Make puzzles with one winning move, or drills for a card of rules.

    To look n moves ahead is to see every game that ends within n moves, counting both players. A puzzle is as
    hard as the smallest n that is enough to be sure of the move: because the win is seen to its end, or
    because every other move is seen to lose. Puzzles are different in every orientation, and each comes from
    a game of its own. --json adds the difficulty, the winning move with perfect play after it, and whether
    the card of rules (collapsi strategy) finds the move.

    Puzzles of the kind pass ask: would you rather pass? Either the side to move wins, whichever it is, or it
    loses; the answer is move or pass, each equally often.

    A drill is a position where one line of the card decides; its answer is proven.
    """
    seed = random.randrange(MOST_SEEDS) if seed is None else seed
    if drill is not None:
        if kind is not None or rules != "standard":
            msg = "drills have no kinds and use standard rules: leave out --kind and --rules"
            raise MalformedError(msg)
        _drills(drill, card, count, seed, out, jobs, fails=fails, answers=answers, json_lines=json_lines)
        return
    if fails or card is not None or out is not None:
        msg = "--fails, --card and --out are options of drills: add --drill LINE"
        raise MalformedError(msg)
    played = read_rules("puzzles", rules)
    console = new_console()
    found = make_puzzles(seed, kind=kind, rules=played, count=count, jobs=jobs)
    with progress_bar(count, "puzzles", wanted=not console.is_terminal) as advance:
        for number, puzzle in enumerate(found, start=1):
            if json_lines:
                print_json(puzzle.to_json())
            else:
                _print_puzzle(console, puzzle, answers=answers)
            advance(f"{number:,} of {count:,} puzzles", 1)


def _print_puzzle(console: Console, puzzle: Puzzle | PassPuzzle, *, answers: bool) -> None:
    text = puzzle.position.text + (f" {puzzle.answer}" if answers else "")
    if console.is_terminal:
        console.print(f"{text}  [dim]{puzzle.kind}: {puzzle.rating}[/]")
    else:
        sys.stdout.write(f"{text}\n")


def _drills(
    drill: str,
    path: Path | None,
    count: int,
    seed: int,
    out: Path | None,
    jobs: int | None,
    *,
    fails: bool,
    answers: bool,
    json_lines: bool,
) -> None:
    """Print drills for one line or for all, or write them to a file."""
    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.drills import find_drills, make_drills, write_drills
    from collapsi.play.strategy.rulecard import bundled_card, read_card

    card = bundled_card() if path is None else read_card(path)
    lines = _lines(drill, card)
    if out is not None and (drill != ALL_LINES or fails or answers or json_lines):
        msg = f"--out writes drills for all lines: use --drill {ALL_LINES} without --fails, --answers, --json"
        raise MalformedError(msg)
    if out is not None:
        with progress_bar(count * len(lines), "drills", solvers=[count_words]) as advance:
            kept = make_drills(card, count, seed, jobs=jobs, progress=partial(advance, "drills"))
        write_drills(out, kept)
        return
    for line in lines:
        task = f"line {line + 1}"
        with progress_bar(count, task, solvers=[count_words]) as advance:
            found = find_drills(
                card, line, count, seed, fails=fails, jobs=jobs, progress=partial(advance, task)
            )
        for one in found:
            _print_drill(one, answers=answers, json_lines=json_lines)
        sys.stdout.flush()
        if len(found) < count:
            what = "positions where it fails" if fails else "drills"
            complain(f"{task}: only {len(found)} {what} found in the games searched")


def _lines(drill: str, card: RuleCard) -> Sequence[int]:
    """Parse the option `--drill` into line numbers from 0; the library checks whether the card has them."""
    if drill == ALL_LINES:
        return range(len(card.lines))
    if not drill.isdecimal() or int(drill) == 0:
        msg = f"{shorten(drill)} is not a line of the card: use 1, 2, … or {ALL_LINES}"
        raise MalformedError(msg)
    return (int(drill) - 1,)


def _print_drill(drill: Drill, *, answers: bool, json_lines: bool) -> None:
    if json_lines:
        print_json(drill.to_json())
        return
    kept = f": {' '.join(map(drill.position.board.square, drill.after))}" if answers else ""
    sys.stdout.write(f"{drill.position.text}{kept}\n")
