"""The work of `collapsi study`, with what is shown while it goes on and what it prints.

Loading this module loads the solvers, so the command does it when it runs.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

import typer
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table

from collapsi.cli.common import complain, new_console, print_table
from collapsi.cli.progress import BarConsole
from collapsi.errors import OutputError
from collapsi.machine import cores
from collapsi.memory import check_memory
from collapsi.rules import CrowdRules
from collapsi.study.engines import ClusterError, Threads, local_cluster, open_cluster
from collapsi.study.estimate import counted_at_once
from collapsi.study.estimate import estimate as estimate_all
from collapsi.study.plan import find_rules, make_plan
from collapsi.study.run import run
from collapsi.study.solving import ROOM_MEGABYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.console import Console

    from collapsi.intervals import Rate
    from collapsi.opponent import Level
    from collapsi.study.engines import Engine
    from collapsi.study.estimate import Estimate
    from collapsi.study.folder import Folder
    from collapsi.study.plan import Plan
    from collapsi.study.result import Result
    from collapsi.study.run import Progress, Study

SAID_SECONDS = 60
"""Where no bar can be shown, as in the log of a cluster, a line says so often how far it is."""

MACHINES = (16, 64)
"""Cores of the machines that are spoken of."""


class Wanted(NamedTuple):
    """What is to be studied."""

    rules: str
    deals: int | None
    seed: int
    until: float | None
    level: Level | None
    lengths: bool
    part: int | None


class Means(NamedTuple):
    """Who does it, and where it is kept."""

    jobs: int | None
    workers: int | None
    cluster: str | None
    out: Path | None


def study(wanted: Wanted, means: Means, *, estimate: bool, json_lines: bool) -> None:
    """Do a study, and print what it found; exit code 1 if parts of it always failed."""
    plan = _plan(wanted, means.out)
    _check_memory(plan, means)
    with ExitStack() as stack:
        folder = None if means.out is None else _folder(stack, means.out, plan)
        engine = stack.enter_context(_engine(means))
        told = stack.enter_context(_shown())
        try:
            found = run(plan, deals=wanted.deals, until=wanted.until, engine=engine, folder=folder, told=told)
        except (ClusterError, OutputError) as error:
            again = (
                "" if folder is None else "; what is done is kept, and the same command goes on from there"
            )
            msg = f"{error}{again}"
            raise type(error)(msg) from None
        whole = folder is not None and not found.failed
        if folder is not None and whole:
            folder.write_result(found.result)
        costs = found.costs if folder is None else folder.costs()
    for name in () if folder is None else folder.damaged:
        complain(f"{name} was damaged, and was made again")
    if estimate and not costs:
        complain("what the parts took is not known any more: costs.jsonl is gone")
    spent = estimate_all(find_rules(plan.rules), costs) if estimate and costs else None
    _print(found, spent, means.out if whole else None, json_lines=json_lines)
    for part in found.failed:
        complain(str(part))
    if found.failed:
        raise typer.Exit(1)


def _plan(wanted: Wanted, out: Path | None) -> Plan:
    """The plan; in a folder that has parts already, they are of the same size."""
    part = wanted.part
    if out is not None and part is None:
        from collapsi.study.folder import part_size

        part = part_size(out)
    return make_plan(
        wanted.rules, seed=wanted.seed, level=wanted.level, lengths=wanted.lengths or None, part=part
    )


def _check_memory(plan: Plan, means: Means) -> None:
    """The solver of the big board has a large table for each that works here."""
    if isinstance(find_rules(plan.rules), CrowdRules) and plan.level is None and means.cluster is None:
        at_work = means.workers or means.jobs or cores()
        check_memory(at_work * ROOM_MEGABYTES * 2**20, f"{plan.rules} solved by {at_work} at a time")


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


@contextmanager
def _shown() -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal; elsewhere a line now and then."""
    console = BarConsole(stderr=True)
    if not console.is_terminal:
        said = time.monotonic()

        def say(progress: Progress) -> None:
            nonlocal said
            if time.monotonic() - said >= SAID_SECONDS:
                complain(str(progress))
                said = time.monotonic()

        yield say
        return
    columns = (BarColumn(bar_width=20), TextColumn("{task.description}"))
    with Bar(*columns, console=console, transient=True) as bar:
        number = bar.add_task("getting ready", total=None)

        def show(progress: Progress) -> None:
            bar.update(number, completed=progress.parts, total=progress.of, description=str(progress))

        yield show


def _print(found: Study, spent: Estimate | None, out: Path | None, *, json_lines: bool) -> None:
    if json_lines:
        sys.stdout.write(json.dumps(found.result.to_json()) + "\n")
        if spent is not None:
            sys.stdout.write(json.dumps(spent.to_json()) + "\n")
        return
    console = new_console()
    _print_result(console, found.result)
    if found.failed:
        missing = sum(part.part.deals for part in found.failed)
        console.print(f"\nnot complete: {_deals(missing)} of {_deals(len(found.failed), 'part')} missing")
    if out is not None:
        console.print(f"\nkept in {out}: result.json, result.parquet, result.svg, result.png, parts/")
    if spent is not None:
        console.print()
        _print_estimate(console, spent)


def _print_result(console: Console, result: Result) -> None:
    plan = result.plan
    how = "solved exactly" if plan.level is None else f"played by the computer at level {plan.level}"
    console.print(
        f"{plan.rules}: {_deals(result.deals, 'random deal')} (seed {plan.seed}), each {how}; "
        "shares are estimates with 95 % intervals"
    )
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for name in ("deals", "share", "from", "to"):
        table.add_column(name, justify="right", no_wrap=True)
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


def _print_estimate(console: Console, spent: Estimate) -> None:
    """What all deals would take."""
    console.print(f"To solve every deal of {spent.rules} one by one, by what {_deals(spent.measured)} took:")
    days = spent.core_days
    time_ = f"{days:,.1f} days of one core" if days >= 0.1 else f"{days * 24:.1f} hours of one core"
    cpu = f"{1000 * spent.cpu_seconds:,.1f} ms of CPU ({1000 * spent.low:,.1f} to {1000 * spent.high:,.1f})"
    for what, told in (
        ("all deals", f"{spent.deals:,}"),
        ("truly different deals", f"{spent.different:,} (about)"),
        ("a deal", f"{cpu}, {spent.nodes:,.0f} nodes"),
        ("all of them", time_),
        *((f"in a day, {each} cores each", _deals(spent.machines(each), "machine")) for each in MACHINES),
    ):
        console.print(f"  {what:<26}{told}")
    if counted_at_once(spent.rules):
        console.print("  collapsi census counts them all at once, which takes minutes")
