"""The command about the shifting board as a game: shifting. The work is loaded when it runs."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from collapsi.cli.common import CensusOption, JobsOption, JsonOption, ShiftDealsOption, app, example
from collapsi.extras import needs
from collapsi.shifting_facts import DEALS, SEED


@app.command(
    epilog=example(
        "shifting",
        "shifting --deals 3000 --seed 2",
        "shifting --census rotate.json",
        "shifting --deals 50 --json",
    )
)
def shifting(
    *,
    deals: ShiftDealsOption = DEALS,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed gives the same deals, and the same result.")
    ] = SEED,
    census: CensusOption = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """What is known of the Shifting Board: who wins in each reading, and what a shift is worth."""
    with needs("atlas"):
        from collapsi.cli import shifting_work as work

    facts = work.shifting_facts(deals, seed, jobs, [] if census is None else [work.census_in(census)])
    if json_lines:
        sys.stdout.write(json.dumps(facts.to_json()) + "\n")
    else:
        work.print_facts(facts)
