"""Arguments and options that several commands have: the same name, type and help text everywhere."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from collapsi.cli.app import EXAMPLE
from collapsi.system.machine import cores

PositionArgument = Annotated[
    str, typer.Argument(help=f'A position or game, such as "{EXAMPLE}".', show_default=False)
]
PositionsArgument = Annotated[
    list[str],
    typer.Argument(
        help=f'Positions or games, such as "{EXAMPLE}"; - reads one per line from standard input.',
        show_default=False,
    ),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="DECK",
        help="Numbers of aces, twos, threes and fours, such as 5,4,3,2; solo: a deck such as 1122334.",
        show_default=False,
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace existing files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Number of threads, at most one per core.",
        show_default="one per core",
        callback=lambda jobs: jobs and min(jobs, cores()),
    ),
]

_SEED = "Random seed; the same seed gives the same result."
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help=_SEED, show_default="random")]
FixedSeedOption = Annotated[int, typer.Option("--seed", min=0, help=_SEED)]


def out_option(what: str, metavar: str = "FOLDER") -> Any:
    """The option `--out` of a command that writes `what`."""
    help_text = f"Write {what} to this {metavar.lower()}."
    return typer.Option("--out", metavar=metavar, help=help_text, show_default=False)


MOST_DEALS = 1_000_000
"""The largest sample of deals for facts and report."""
