"""The command `facts`: what is known of the Shifting Board and of the big board as games."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import MOST_DEALS, FixedSeedOption, JobsOption, JsonOption, out_option
from collapsi.cli.output import new_console, new_table, print_json, print_table
from collapsi.cli.progress import progress_bar
from collapsi.cli.rule_sets import read_rules, rules_argument
from collapsi.core.errors import MalformedError
from collapsi.system.extras import needs
from collapsi.system.files import check_parent, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi.facts.big.facts import BigFacts
    from collapsi.facts.shifting.facts import ShiftingFacts
    from collapsi.facts.shifting.readings import Outcomes
    from collapsi.report.pieces import DisplayTable

PIPE_WIDTH = 200
"""Wide enough for every column of the widest table."""
TEXT_COLUMNS = {"reading", "compared with", "known", "winner", "rules", "seat", "level", "all others", ""}


@app.command(
    epilog=examples(
        "facts shift",
        "facts shift --deals 3000 --seed 2",
        "facts shift --census rotate.json",
        "facts big --deals 10 --json",
        "facts big --out curve.svg",
    )
)
def facts(
    rules: Annotated[
        str,
        rules_argument("facts"),
    ],
    *,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_DEALS,
            help="Random deals; the sizes of the other samples follow from it.",
            show_default="300 of the Shifting Board, 48 of the big board",
        ),
    ] = None,
    seed: FixedSeedOption = 7,
    census: Annotated[
        Path | None,
        typer.Option(
            "--census",
            metavar="FILE",
            help="Shifting Board: output of 'collapsi census --rules shift-rotate --json', "
            "used in place of a sample.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, out_option("the chart of the engine's estimates (big board) as SVG", "FILE")
    ] = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Measure the Shifting Board or the big board as a game.

    Shifting Board: who wins in each reading of the rules, and the value of a shift. Big board: who wins, the
    value of a seat, and the quality of the engine's estimates. Any rule set of the board selects all of them.
    """
    kind = read_rules("facts", rules).kind
    found = MEASURES[kind](deals, seed, jobs=jobs, census=census, out=out)
    if json_lines:
        print_json(found.to_json())
        return
    with needs("atlas"):
        tables = import_module(f"collapsi.report.{kind}_tables").display_tables(found)
    _print_tables(found, tables)


def _shifting(
    deals: int | None, seed: int, *, jobs: int | None, census: Path | None, out: Path | None
) -> ShiftingFacts:
    from collapsi.facts.shifting import DEALS

    if out is not None:
        msg = "--out is an option of the big board"
        raise MalformedError(msg)
    with needs("atlas"):
        import polars as pl  # noqa: F401 - a missing library is reported before the long work

    exact = [] if census is None else [read_census_file(census)]
    return shifting_facts(DEALS if deals is None else deals, seed, jobs, exact)


def _big(
    deals: int | None, seed: int, *, jobs: int | None, census: Path | None, out: Path | None
) -> BigFacts:
    from collapsi.facts.big import DEALS

    if census is not None or jobs is not None:
        msg = "--census and --jobs are options of the Shifting Board"
        raise MalformedError(msg)
    if out is not None:
        check_parent(out)
    found = big_facts(DEALS if deals is None else deals, seed)
    if out is not None:
        with needs("report"):
            from collapsi.report.big_figures import calibration
            from collapsi.report.style import draw

        with reporting_write_errors(out):
            write_atomically(out, draw(calibration, found)[0])
    return found


MEASURES: dict[str, Callable[..., ShiftingFacts | BigFacts]] = {"shifting": _shifting, "big": _big}
"""How to measure each kind of game; its tables are in `collapsi.report`."""


def shifting_facts(deals: int, seed: int, jobs: int | None, exact: Sequence[Outcomes]) -> ShiftingFacts:
    """Measure the Shifting Board, with a progress bar."""
    from collapsi.facts.shifting.facts import find_facts, total_cost
    from collapsi.games.shifting.compiled import solve_many, value_many

    with progress_bar(total_cost(deals), "the shifting board", solvers=(value_many, solve_many)) as advance:
        return find_facts(deals, seed, exact=exact, jobs=jobs, progress=advance)


def big_facts(deals: int, seed: int) -> BigFacts:
    """Measure the big board, with a progress bar."""
    from collapsi.facts.big.facts import find_facts, steps_of
    from collapsi.games.big.compiled import grow, search

    with progress_bar(steps_of(deals), "the big board", solvers=(grow, search)) as advance:
        return find_facts(deals, seed, progress=advance)


def read_census_file(path: Path) -> Outcomes:
    """Read the outcomes of all deals from a file that `collapsi census --json` wrote."""
    from collapsi.facts.shifting.facts import read_census
    from collapsi.system.files import read_file

    try:
        text = read_file(path).decode()
    except (OSError, ValueError) as error:
        reason = "it is not text" if isinstance(error, UnicodeError) else getattr(error, "strerror", error)
        msg = f"cannot read {path}: {reason}"
        raise MalformedError(msg) from None
    return read_census(text)


def _print_tables(found: ShiftingFacts | BigFacts, tables: dict[str, DisplayTable]) -> None:
    """Print every table with its title."""
    from collapsi.report.pieces import cell_text

    console = new_console(PIPE_WIDTH)
    console.print(f"{found.title} (seed {found.seed}); in brackets 95 % intervals")
    for title, frame, names in tables.values():
        console.print(f"\n{title}")
        table = new_table(*names.values(), left=TEXT_COLUMNS, no_wrap=True)
        for row in frame.iter_rows(named=True):
            table.add_row(*(cell_text(row[column]) for column in names))
        print_table(console, table)
