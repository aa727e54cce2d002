"""The command `report`: all results as one page with figures and tables."""

from __future__ import annotations

import logging
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import MOST_DEALS, ForceOption, JobsOption, out_option
from collapsi.cli.progress import log_step, progress_bar
from collapsi.core.errors import AtlasError
from collapsi.facts import big as big_sample
from collapsi.facts import shifting as shifting_sample
from collapsi.games.classic.rules import JOKER, STANDARD
from collapsi.system.extras import needs

if TYPE_CHECKING:
    import polars as pl

    from collapsi.report.strategy_tables import Strategy

STEPS = 8
"""Steps that are announced in a log."""


@app.command(epilog=examples("report --out report", "report --out report --atlas atlas"))
def report(
    *,
    out: Annotated[Path, out_option("the page, figures and tables")],
    atlas: Annotated[
        Path | None,
        typer.Option(
            "--atlas",
            metavar="FOLDER",
            help="Start from this atlas of standard rules with games.",
            show_default=False,
        ),
    ] = None,
    shift_deals: Annotated[
        int,
        typer.Option(
            min=1,
            max=MOST_DEALS,
            help="Random deals of the Shifting Board, as in 'collapsi facts shift --deals'.",
        ),
    ] = shifting_sample.DEALS,
    shift_census: Annotated[
        Path | None,
        typer.Option(
            "--shift-census",
            metavar="FILE",
            help="Output of 'collapsi census --rules shift-rotate --json', used in place of a sample.",
            show_default=False,
        ),
    ] = None,
    lab_cards: Annotated[
        int, typer.Option(min=1, max=2, help="Compare decks that differ by up to this many cards.")
    ] = 2,
    big_deals: Annotated[
        int,
        typer.Option(
            "--big-deals",
            min=1,
            max=MOST_DEALS,
            help="Random deals of the big board, as in 'collapsi facts big --deals': five seconds each.",
        ),
    ] = big_sample.DEALS,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Write the results as one page with figures and tables.

    The page repeats the results of the paper and adds the new ones. It takes several minutes.
    """
    # Matplotlib logs warnings while it is loaded if its cache folder is not writable.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needs("report"):
        from collapsi.census.atlas import frame_of
        from collapsi.report.findings import Findings
        from collapsi.report.page import check_free, write_report
        from collapsi.report.shifting_tables import standard_apart
    from collapsi.cli.census import census_by_layers, check_memory_for_all, opening_rules_compared
    from collapsi.cli.facts import big_facts, read_census_file, shifting_facts
    from collapsi.cli.lab import facts_of, rules_near

    # Everything that can be refused is checked before the long work.
    check_free(out, force=force)
    check_memory_for_all("report")
    counted = [] if shift_census is None else [read_census_file(shift_census)]
    kept = None if atlas is None else _frame_in(atlas)
    numbers = count(1)

    def begin(step: str) -> None:
        log_step(next(numbers), STEPS, step)

    begin("every deal, standard rules")
    standard = _standard(jobs) if kept is None else kept
    begin("every deal, joker rules")
    joker = frame_of(census_by_layers(JOKER, jobs))
    begin("the Shifting Board")
    shifting = shifting_facts(shift_deals, shifting_sample.SEED, jobs, [standard_apart(standard), *counted])
    begin("the big board")
    big = big_facts(big_deals, big_sample.SEED)
    begin("the rule laboratory")
    decks = facts_of(rules_near(STANDARD, lab_cards), jobs)
    begin("the opening rules")
    openings = opening_rules_compared(jobs)
    begin("rules that people can follow")
    strategy = _strategy(jobs)
    begin("the solo game, figures and the page")
    findings = Findings(standard, joker, openings, strategy, shifting, big, decks)
    sys.stdout.write(f"{write_report(out, findings, force=force)}\n")


def _standard(jobs: int | None) -> pl.DataFrame:
    from collapsi.census.atlas import frame_of
    from collapsi.cli.census import census_by_layers, possible_games

    return frame_of(census_by_layers(STANDARD, jobs), possible_games(STANDARD, jobs))


def _strategy(jobs: int | None) -> Strategy:
    from collapsi.games.classic.counting import count_words
    from collapsi.report.strategy_tables import find_strategy, total_cost

    with progress_bar(total_cost(), "games", solvers=[count_words]) as advance:
        return find_strategy(jobs=jobs, progress=advance)


def _frame_in(atlas: Path) -> pl.DataFrame:
    """Read the rows of an atlas of standard rules with the possible games."""
    from collapsi.census.atlas import Atlas

    opened = Atlas(atlas)
    if opened.rules != STANDARD.name or not {"games", "tempo"} <= set(opened.manifest["columns"]):
        msg = (
            f"{atlas} is not an atlas of standard rules with games: "
            "collapsi census --games --out FOLDER makes one"
        )
        raise AtlasError(msg)
    return opened.frame
