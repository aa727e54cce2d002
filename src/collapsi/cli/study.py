"""The command `study`: random deals of any rule set, solved or played, on threads or a cluster."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from math import ceil, log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import FixedSeedOption, JobsOption, JsonOption
from collapsi.cli.output import complain, new_console, new_table, print_json, print_table
from collapsi.cli.progress import parts_progress
from collapsi.cli.rule_sets import rules_argument
from collapsi.core.errors import MalformedError, OutputError
from collapsi.core.intervals import enough_cases
from collapsi.core.rows import shorten
from collapsi.games.big.solver import TABLE_MEGABYTES
from collapsi.games.levels import Level
from collapsi.games.registry import kind_of, parse_rules
from collapsi.study.engines import ClusterError, Threads, local_cluster, open_cluster
from collapsi.study.estimate import DAY, census_seconds
from collapsi.study.estimate import estimate as estimate_all
from collapsi.study.plan import make_plan
from collapsi.study.run import duration, run
from collapsi.system.machine import cores
from collapsi.system.memory import check_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from collapsi.core.intervals import Rate
    from collapsi.study.engines import Engine
    from collapsi.study.estimate import Estimate
    from collapsi.study.folder import Folder
    from collapsi.study.plan import Plan
    from collapsi.study.result import Result
    from collapsi.study.run import FinishedStudy

DEALS = 1000
"""The default number of deals."""
MOST_DEALS = 10**9
"""More than the Shifting Board has."""
NARROWEST = 0.0001
"""The narrowest interval that can be required, as a share."""
MACHINES = (16, 64)
"""Core counts of the machines in an estimate."""


class Means(NamedTuple):
    """The workers of a study, and its folder."""

    jobs: int | None
    workers: int | None
    cluster: str | None
    out: Path | None


@app.command(
    epilog=examples(
        "study joker --deals 2000",
        "study standard@3x4 --deals 5000",
        "study shift --deals 5000 --seed 7 --out shift",
        "study standard --until 1% --out standard --workers 2",
        "study standard --level card --deals 10000",
        "study big3 --level 1 --deals 300 --json",
        "study shift --deals 200 --estimate",
        "study shift --until 0.5% --out shift --cluster tcp://head:8786",
    )
)
def study(
    rules: Annotated[
        str,
        rules_argument("study"),
    ],
    *,
    deals: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_DEALS,
            help="Number of random deals; with --until the maximum.",
            show_default=f"{DEALS:,}",
        ),
    ] = None,
    seed: FixedSeedOption = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write the study to this folder; a stopped study resumes from it.",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTH",
            help="Continue until the interval of the wins is this narrow, from end to end: 0.5%.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            help="Let the computer play both sides at this level instead of solving. Rounds of three and "
            "four players are always played.",
            show_default="2 for three and four players",
        ),
    ] = None,
    lengths: Annotated[
        bool,
        typer.Option("--lengths", help="On the big board for two: also find the lengths (takes longer)."),
    ] = False,
    part: Annotated[
        int | None,
        typer.Option(min=1, help="Deals per part of the work.", show_default="about a second of work"),
    ] = None,
    jobs: JobsOption = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Start this many local workers (Dask).", show_default=False),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Use the workers of this Dask scheduler: tcp://host:8786, or its scheduler file.",
            show_default=False,
        ),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Also estimate the cost of solving all deals.")
    ] = False,
    json_lines: JsonOption = False,
) -> None:
    """Solve random deals: shares with 95 % intervals.

    Prints who wins and how long games last. Deals are numbered: deal n depends only on the seed and n, so a
    study gives the same result on any machine with any number of workers. docs/study.md describes how to run
    one on a cluster. The exit code is 1 if parts of the work failed.
    """
    if sum(option is not None for option in (jobs, workers, cluster)) > 1:
        msg = (
            "choose one of --jobs (threads), --workers (local processes) and --cluster (a running scheduler)"
        )
        raise MalformedError(msg)
    width = None if until is None else _width(until)
    if out is not None and part is None:
        from collapsi.study.folder import part_size

        part = part_size(out)
    plan = make_plan(rules, seed=seed, level=level, lengths=lengths or None, part=part)
    most = DEALS if deals is None and width is None else deals
    _study(plan, most, width, Means(jobs, workers, cluster, out), estimate=estimate, json_lines=json_lines)


def _width(text: str) -> float:
    """Parse the width of an interval into a share.

    >>> _width("0.5%"), _width("0.02")
    (0.005, 0.02)
    """
    number, percent, rest = text.strip().partition("%")
    try:
        width = float(number) / (100 if percent else 1)
    except ValueError:
        width = 0.0
    if rest or not NARROWEST <= width < 1:
        msg = (
            f"{shorten(text)} is not a width of an interval: write a percentage "
            f"from {100 * NARROWEST:g}% to 99%"
        )
        raise MalformedError(msg)
    return width


def _study(
    plan: Plan, deals: int | None, until: float | None, means: Means, *, estimate: bool, json_lines: bool
) -> None:
    """Run a study and print its result."""
    _check_memory(plan, means)
    with ExitStack() as stack:
        folder = None if means.out is None else _folder(stack, means.out, plan)
        engine = stack.enter_context(_engine(means))
        progress = stack.enter_context(parts_progress())
        try:
            found = run(plan, deals=deals, until=until, engine=engine, folder=folder, progress=progress)
        except (ClusterError, OutputError) as error:
            again = "" if folder is None else "; finished parts are stored, and the same command resumes"
            msg = f"{error}{again}"
            raise type(error)(msg) from None
        whole = folder is not None and not found.failed
        if folder is not None and whole:
            folder.write_result(found.result)
        costs = found.costs if folder is None else folder.costs()
    for name in () if folder is None else folder.damaged:
        complain(f"{name} was damaged and has been made again")
    if estimate and not costs:
        complain("the cost of the parts is unknown: costs.jsonl is missing or damaged")
    spent = estimate_all(parse_rules(plan.rules), costs) if estimate and costs else None
    _print(found, spent, means.out if whole else None, json_lines=json_lines)
    for part in found.failed:
        complain(str(part))
    if found.failed:
        raise typer.Exit(1)


def _check_memory(plan: Plan, means: Means) -> None:
    """Check the memory for the tables of the big board's solver, one per local worker."""
    if not kind_of(plan.rule_set).solver.lengths_are_cheap and plan.level is None and means.cluster is None:
        at_work = means.workers or means.jobs or cores()
        check_memory(at_work * TABLE_MEGABYTES * 2**20, f"{plan.rules} solved by {at_work} at a time")


def _folder(stack: ExitStack, out: Path, plan: Plan) -> Folder:
    from collapsi.study.folder import open_folder

    return stack.enter_context(open_folder(out, plan))


@contextmanager
def _engine(means: Means) -> Iterator[Engine]:
    if means.cluster is not None:
        with open_cluster(means.cluster) as engine:
            yield engine
    elif means.workers is not None:
        with local_cluster(means.workers) as engine:
            yield engine
    else:
        yield Threads(means.jobs)


def _print(found: FinishedStudy, spent: Estimate | None, out: Path | None, *, json_lines: bool) -> None:
    if json_lines:
        print_json(found.result.to_json())
        if spent is not None:
            print_json(spent.to_json())
        return
    console = new_console()
    _print_result(console, found.result)
    if found.failed:
        missing = sum(part.part.deals for part in found.failed)
        console.print(f"\nnot complete: {_deals(missing)} of {_deals(len(found.failed), 'part')} missing")
    if out is not None:
        console.print(f"\nwritten to {out}: result.json, result.parquet, result.svg, result.png, parts/")
    if spent is not None:
        console.print()
        _print_estimate(console, spent, found.result.plan)
    if not found.result.is_narrow:
        console.print(f"\n{_missed(found.result)}")


def _missed(result: Result) -> str:
    """Describe how many deals are missing for the required width of the interval."""
    assert result.until is not None
    needed = min(result.deals * (result.width / result.until) ** 2, enough_cases(result.until))
    magnitude = 10 ** max(int(log10(max(needed, 1))) - 1, 0)
    return (
        f"goal missed: the interval of the wins is {100 * result.width:.3g} % wide after "
        f"{_deals(result.deals)}, not {100 * result.until:g} %; "
        f"about {ceil(needed / magnitude) * magnitude:,} deals are needed (--deals)"
    )


def _print_result(console: Console, result: Result) -> None:
    plan = result.plan
    how = "solved exactly" if plan.level is None else f"played by the computer at level {plan.level}"
    console.print(
        f"{plan.rules}: {_deals(result.deals, 'random deal')} (seed {plan.seed}), each {how}; "
        f"shares are estimates with 95 % intervals{'' if result.until is None else ' that hold at any time'}"
    )
    table = new_table("", "deals", "share", "from", "to", left=("",))
    for player, rate in result.wins.items():
        table.add_row(f"{player} wins", *_cells(rate))
    for player, rate in result.first_out.items():
        table.add_row(f"{player} is out first", *_cells(rate))
    for plies, rate in result.lengths.items():
        table.add_row(f"{plies} {'ply' if plies == 1 else 'plies'}", *_cells(rate))
    print_table(console, table)
    if (mean := result.mean_plies) is not None:
        console.print(f"on average {mean.value:.2f} plies ({mean.low:.2f} to {mean.high:.2f})")


def _deals(count: int, what: str = "deal") -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _cells(rate: Rate) -> list[str]:
    low, high = rate.interval
    return [f"{rate.found:,}", *(f"{100 * share:.2f} %" for share in (rate.share, low, high))]


def _print_estimate(console: Console, spent: Estimate, plan: Plan) -> None:
    """Print the estimated cost of solving all deals."""
    solve = "solve every deal" if plan.level is None else "play a game of every deal"
    console.print(f"To {solve} of {spent.rules} one by one, estimated from {_deals(spent.measured)}:")
    cpu = f"{1000 * spent.cpu_seconds:,.1f} ms of CPU ({1000 * spent.low:,.1f} to {1000 * spent.high:,.1f})"
    rows = [
        ("all deals", _count(spent.deals)),
        ("truly different deals", _count(spent.different)),
        ("a deal", f"{cpu}, {spent.nodes:,.0f} {'nodes' if plan.level is None else 'moves'}"),
    ]
    if spent.is_out_of_reach:
        years = _magnitude(spent.core_days / 365.25)
        rows.append(("all of them", f"out of reach: {years} years of one core"))
    else:
        rows.append(("all of them", f"{duration(spent.core_days * DAY)} of one core"))
        rows += [
            (f"in a day, {each} cores each", _deals(spent.machines(each), "machine")) for each in MACHINES
        ]
    for what, text in rows:
        console.print(f"  {what:<26}{text}")
    if (seconds := census_seconds(spent.rules)) is not None:
        console.print(f"  collapsi census counts them all at once: about {duration(seconds)} of CPU")


def _count(number: int) -> str:
    """Format a number with all digits if it is short enough to read.

    >>> _count(47_297_250), _count(140_751_507_618_966_764_520_000)
    ('47,297,250', 'about 1.4 × 10^23')
    """
    return f"{number:,}" if number < 10**12 else _magnitude(number)


def _magnitude(number: float) -> str:
    digits, power = f"{number:.1e}".split("e+")
    return f"about {digits} × 10^{int(power)}"
