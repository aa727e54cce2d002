"""The command `bench`: measure the solver."""

from __future__ import annotations

from typing import Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import JobsOption
from collapsi.cli.output import new_console
from collapsi.cli.rule_sets import read_rules, rules_option


@app.command(
    epilog=examples("bench", "bench --count 10000 --jobs 1", "bench --rules shift", "bench --rules big")
)
def bench(
    *,
    count: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="Deals to solve.", show_default="some seconds of work"),
    ] = None,
    rules: Annotated[str, rules_option("bench")] = "standard",
    jobs: JobsOption = None,
) -> None:
    """Measure the speed of the solver on fixed deals.

    The node total is the same on every machine: if it changes, the search has changed.
    """
    from collapsi.play.bench import measure

    for name, value in measure(count, read_rules("bench", rules), jobs=jobs):
        new_console().print(f"{name:<32}{value}")
