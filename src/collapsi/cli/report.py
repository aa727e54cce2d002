"""The command `report`: all results as one page with figures and tables."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import MOST_DEALS, ForceOption, JobsOption, out_option
from collapsi.cli.output import complain
from collapsi.cli.progress import log_step, progress_bar
from collapsi.core.errors import AtlasError
from collapsi.facts import big as big_sample
from collapsi.facts import shifting as shifting_sample
from collapsi.games.classic.rules import JOKER, STANDARD
from collapsi.system.extras import needs

if TYPE_CHECKING:
    import polars as pl

    from collapsi.report.strategy_tables import Strategy

STANDARD_SECONDS = 20
"""With the possible games. This and the following are rough CPU times, to announce how long it takes."""
JOKER_SECONDS = 17
SHIFT_SECONDS = 0.4
"""For each deal."""
BIG_SECONDS = 5.0
"""For each deal."""
LAB_SECONDS = {1: 45, 2: 120}
"""By the number of cards that differ; less if decks were solved before."""
OPENINGS_SECONDS = 25
STRATEGY_SECONDS = 30
PAGE_SECONDS = 40
"""The solo game, figures and the page."""


class Steps:
    """The steps of the report with their CPU times, announced one after the other."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._left = list(seconds)
        complain(
            f"the report takes about {_minutes(sum(seconds.values()))} of CPU time, in {len(seconds)} steps"
        )

    def begin(self) -> None:
        """Announce the next step in a log; in a terminal it shows a bar."""
        step = self._left.pop(0)
        number = len(self._seconds) - len(self._left)
        time = _minutes(self._seconds[step])
        log_step(number, len(self._seconds), f"{step}, about {time} of CPU time")


def _minutes(seconds: float) -> str:
    """Return a time in words.

    >>> _minutes(740), _minutes(60), _minutes(5)
    ('12 minutes', 'a minute', 'seconds')
    """
    minutes = round(seconds / 60)
    if minutes > 1:
        return f"{minutes} minutes"
    return "a minute" if minutes else "seconds"


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

    The page repeats the results of the paper and adds the new ones. It takes about ten minutes of CPU time.
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
    steps = Steps(
        {
            "every deal, standard rules": STANDARD_SECONDS if kept is None else 0,
            "every deal, joker rules": JOKER_SECONDS,
            "the Shifting Board": SHIFT_SECONDS * shift_deals,
            "the big board": BIG_SECONDS * big_deals,
            "the rule laboratory": LAB_SECONDS[lab_cards],
            "the opening rules": OPENINGS_SECONDS,
            "rules that people can follow": STRATEGY_SECONDS,
            "the solo game, figures and the page": PAGE_SECONDS,
        }
    )
    steps.begin()
    standard = _standard(jobs) if kept is None else kept
    steps.begin()
    joker = frame_of(census_by_layers(JOKER, jobs))
    steps.begin()
    shifting = shifting_facts(shift_deals, shifting_sample.SEED, jobs, [standard_apart(standard), *counted])
    steps.begin()
    big = big_facts(big_deals, big_sample.SEED)
    steps.begin()
    decks = facts_of(rules_near(STANDARD, lab_cards), jobs)
    steps.begin()
    openings = opening_rules_compared(jobs)
    steps.begin()
    strategy = _strategy(jobs)
    steps.begin()
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
