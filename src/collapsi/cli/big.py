"""The command about the big board as a game: big. The work is loaded when it runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path  # noqa: TC003 - Typer reads it when the program runs
from typing import Annotated

import typer

from collapsi.big_facts import DEALS, SEED
from collapsi.cli.common import BigDealsOption, JsonOption, app, example
from collapsi.errors import OutputError


@app.command(
    epilog=example("big", "big --deals 10 --seed 2", "big --deals 3 --json", "big --picture curve.svg")
)
def big(
    *,
    deals: BigDealsOption = DEALS,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed gives the same deals, and the same result.")
    ] = SEED,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Also draw what the engine expects beside what is exact.",
            show_default=False,
        ),
    ] = None,
    json_lines: JsonOption = False,
) -> None:
    """What is known of the big board: who wins, what a seat is worth, how good the engine's estimates are."""
    if picture is not None and not picture.absolute().parent.is_dir():
        msg = f"cannot write {picture}: there is no such folder"
        raise OutputError(msg)
    from collapsi.cli import big_work as work

    facts = work.big_facts(deals, seed)
    if picture is not None:
        work.write_picture(picture, facts)
    if json_lines:
        sys.stdout.write(json.dumps(facts.to_json()) + "\n")
    else:
        work.print_facts(facts)
