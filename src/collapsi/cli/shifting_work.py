"""The work of `collapsi shifting`, with a bar that shows how far it is, and what it prints.

Loading this module loads the solvers and Polars, so commands do it when they run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.cli.facts_tables import print_facts_tables
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.errors import MalformedError
from collapsi.report.shifting import shown
from collapsi.shifting_facts.facts import find_facts, read_census, work_of
from collapsi.solve import shift_compiled
from collapsi.solve.jit import is_cached

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from collapsi.shifting_facts.facts import Facts
    from collapsi.shifting_facts.readings import Outcomes

WORDS = {"reading", "beside", "known", "winner"}
"""Columns of words, which begin at the left."""


def shifting_facts(deals: int, seed: int, jobs: int | None, exact: Sequence[Outcomes]) -> Facts:
    """Find the facts, with a bar."""
    say_if_compiling(ready=is_cached(shift_compiled.value_many) and is_cached(shift_compiled.solve_many))
    with progress_bar(work_of(deals), "the shifting board") as say:
        return find_facts(deals, seed, exact=exact, jobs=jobs, progress=say)


def census_in(path: Path) -> Outcomes:
    """The outcomes of all deals in a file."""
    try:
        return read_census(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        msg = f"cannot read {path}: {reason}"
        raise MalformedError(msg) from None


def print_facts(facts: Facts) -> None:
    """Every table, each under what it is about."""
    head = (
        f"The Shifting Board: {facts.deals:,} random deals in the default reading, more or fewer in the "
        f"others (seed {facts.seed}); in brackets 95 % intervals"
    )
    print_facts_tables(head, shown(facts).values(), WORDS)
