"""The report from the command line: the results it is made from are found first, or taken from an atlas.

Loading this module loads the solvers, Polars and Matplotlib, so the command does it when it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.atlas import Atlas, frame_of
from collapsi.big_facts import SEED as BIG_SEED
from collapsi.cli.big_work import big_facts
from collapsi.cli.census_work import (
    census_by_layers,
    check_memory_for_all,
    opening_rules_compared,
    possible_games,
)
from collapsi.cli.lab_work import facts_of, rules_near
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.cli.shifting_work import census_in, shifting_facts
from collapsi.errors import AtlasError
from collapsi.report.findings import Findings
from collapsi.report.page import check_free, write_report
from collapsi.report.shifting import standard_apart
from collapsi.report.strategy import find_strategy, work_of
from collapsi.rules import JOKER, STANDARD
from collapsi.shifting_facts import SEED
from collapsi.solve import counting
from collapsi.solve.jit import is_cached

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from collapsi.report.strategy import Strategy


def report(
    out: Path,
    atlas: Path | None,
    jobs: int | None,
    *,
    shift_deals: int,
    big_deals: int,
    shift_census: Path | None,
    lab_cards: int,
    force: bool,
) -> Path:
    """Write the report, and say where its page is. What stands in the way is said before the long work."""
    check_free(out, force=force)
    check_memory_for_all("report")
    counted = [] if shift_census is None else [census_in(shift_census)]
    standard = _standard(jobs) if atlas is None else _frame_in(atlas)
    joker = frame_of(census_by_layers(JOKER, jobs))
    shifting = shifting_facts(shift_deals, SEED, jobs, [standard_apart(standard), *counted])
    big = big_facts(big_deals, BIG_SEED)
    decks = facts_of(rules_near(STANDARD, lab_cards), jobs)
    findings = Findings(standard, joker, opening_rules_compared(jobs), _strategy(jobs), shifting, big, decks)
    return write_report(out, findings, force=force)


def _standard(jobs: int | None) -> pl.DataFrame:
    return frame_of(census_by_layers(STANDARD, jobs), possible_games(STANDARD, jobs))


def _strategy(jobs: int | None) -> Strategy:
    say_if_compiling(ready=is_cached(counting.count_words))
    with progress_bar(work_of(), "games") as say:
        return find_strategy(jobs=jobs, progress=say)


def _frame_in(atlas: Path) -> pl.DataFrame:
    """The rows of an atlas of standard rules that knows the possible games."""
    opened = Atlas(atlas)
    if opened.rules != STANDARD.name or "games" not in opened.manifest["columns"]:
        msg = (
            f"{atlas} is not an atlas of standard rules with games: "
            "collapsi census --games --out DIR makes one"
        )
        raise AtlasError(msg)
    return opened.frame
