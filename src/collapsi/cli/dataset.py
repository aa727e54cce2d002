"""The command `dataset`: solved positions as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import FixedSeedOption, JobsOption, JsonOption
from collapsi.cli.output import complain, new_console, new_table, print_json, print_table, say
from collapsi.cli.progress import parts_progress, say_if_compiling
from collapsi.cli.rule_sets import rules_option
from collapsi.games.registry import DEFAULT

if TYPE_CHECKING:
    from collapsi.study.dataset.result import Dataset

MOST = 10**9


@app.command(
    epilog=examples(
        "dataset --out perfect-play",
        "dataset --out perfect-play --positions 10000000",
        "dataset --out joker --positions 50000 --rules joker --seed 7 --json",
    )
)
def dataset(
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write the dataset to this folder; a stopped command resumes from it.",
            show_default=False,
        ),
    ],
    positions: Annotated[int, typer.Option(min=10, max=MOST, help="Number of positions.")] = 100_000,
    rules: Annotated[str, rules_option("dataset")] = DEFAULT,
    seed: FixedSeedOption = 1,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Write solved positions for programs that learn to play.

    The files are Parquet, and every position has the exact value of every move. The positions come from games
    of random players, of the levels of the computer, and of perfect players that slip, a third each.
    Training, validation and test positions come from different deals, symmetries included. The same seed
    gives the same rows with any number of threads. A dataset card (README.md) describes the files and how to
    load them.
    """
    from collapsi.games.classic import compiled, counting
    from collapsi.solving.jit import is_cached
    from collapsi.study.dataset.folder import make_dataset
    from collapsi.study.dataset.plan import make_plan

    plan = make_plan(rules, positions=positions, seed=seed)
    say_if_compiling(ready=all(map(is_cached, (compiled.solve_many, counting.count_words))))
    with parts_progress() as progress:
        found = make_dataset(out, plan, jobs=jobs, progress=progress)
    for name in found.remade:
        complain(f"{name} was damaged and has been made again")
    if json_lines:
        print_json(found.to_json())
    else:
        _print(found)


def _print(found: Dataset) -> None:
    console, facts = new_console(), found.to_json()
    say(console, f"{found.plan.rules}: {found.plan.positions:,} positions (seed {found.plan.seed})")
    table = new_table("split", "positions", "files", "size", left=("split",))
    for name, split in facts["splits"].items():
        size = f"{split['bytes'] / 1e6:,.1f} MB"
        table.add_row(name, f"{split['positions']:,}", f"{split['files']:,}", size)
    print_table(console, table)
    say(console, f"written to {found.path}: README.md, SHA256SUMS, dataset.json, data/")
