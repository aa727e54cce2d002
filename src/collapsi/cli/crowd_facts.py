"""The command about the big board as a game: crowd. The work is loaded when it runs."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from collapsi.cli.common import CrowdDealsOption, JsonOption, app, example
from collapsi.crowd_facts import DEALS, SEED


@app.command(epilog=example("crowd", "crowd --deals 10 --seed 2", "crowd --deals 3 --json"))
def crowd(
    *,
    deals: CrowdDealsOption = DEALS,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed gives the same deals, and the same result.")
    ] = SEED,
    json_lines: JsonOption = False,
) -> None:
    """What is known of the big board: who wins, what a seat is worth, how good the engine's estimates are."""
    from collapsi.cli import crowd_work as work

    facts = work.crowd_facts(deals, seed)
    if json_lines:
        sys.stdout.write(json.dumps(facts.to_json()) + "\n")
    else:
        work.print_facts(facts)
