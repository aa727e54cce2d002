"""The commands about all deals: census, fairness, report. What they need is loaded when they run."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from collapsi.cli.common import (
    JobsOption,
    JsonOption,
    RulesOption,
    app,
    complain,
    example,
    new_console,
    print_table,
)
from collapsi.errors import AtlasError, CollapsiError, MalformedError
from collapsi.notation import parse_rules, shorten
from collapsi.rules import JOKER, STANDARD, Rules, describe_steps, format_steps, opening_rules, parse_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.atlas_files import Claim
    from collapsi.census import Census, GameCount
    from collapsi.fairness import OpeningRule

FirstOption = Annotated[
    str | None,
    typer.Option(
        metavar="STEPS", help="Steps to choose from for the first move, such as 1,3.", show_default=False
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Write the atlas to this folder.", show_default=False)
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


def _rules(name: str, red_first: str | None, blue_first: str | None) -> Rules:
    """The rules of a census: by name, or with other first moves."""
    rules = parse_rules(name)
    if red_first is None and blue_first is None:
        return rules
    if rules.uncounted:
        msg = f"{rules} lets both players start anywhere: --red-first and --blue-first go with standard or joker"
        raise MalformedError(msg)
    red, blue = rules.first_steps
    return opening_rules(
        red if red_first is None else _steps(red_first), blue if blue_first is None else _steps(blue_first)
    )


def _steps(text: str) -> tuple[int, ...]:
    steps = parse_steps(text)
    if steps is None:
        msg = f"{shorten(text)} is no set of steps: write some of 1, 2, 3, 4 with commas between"
        raise MalformedError(msg)
    return steps


@contextmanager
def _progress(total: int, task: str) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error, if that is a terminal: advance it by an amount and say what comes next."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        number = bar.add_task(task, total=total)
        waiting = 0

        def say(text: str, size: int) -> None:
            nonlocal waiting
            bar.update(number, description=text, advance=waiting)
            waiting = size

        yield say


def _say_if_compiling(kernel: Any) -> None:
    from collapsi.solve.jit import is_cached
    from collapsi.solve.search import may_compile

    if not may_compile():
        msg = "Numba may not compile (NUMBA_DISABLE_JIT is set), and without that all deals would take weeks"
        raise CollapsiError(msg)
    if not is_cached(kernel):
        complain("compiling, this first time only: some ten seconds")


@contextmanager
def _layers_progress(rules: Rules, question: Any) -> Iterator[Callable[[Any], None]]:
    """A bar over the layers of a sweep, after a look whether there is memory for it."""
    from collapsi.memory import check_memory
    from collapsi.solve.layers import bytes_needed, layers_of, positions_in

    every = layers_of(rules)
    check_memory(bytes_needed(every, question), rules.name)
    _say_if_compiling(question.family)
    with _progress(sum(positions_in(layer) for layer in every.values()), "layers") as say:
        yield lambda layer: say(f"{layer.cards:>2} cards, {len(layer.index):,} shapes", positions_in(layer))


@app.command(
    epilog=example(
        "census",
        "census --rules joker --json",
        "census --out atlas --games",
        "census --red-first 1,3 --blue-first 1,2",
        "census --method search",
        "census --verify 1000",
    )
)
def census(
    *,
    rules: RulesOption = "standard",
    red_first: FirstOption = None,
    blue_first: FirstOption = None,
    games: Annotated[
        bool, typer.Option("--games", help="Count all possible games instead; with --out, as well.")
    ] = False,
    method: Annotated[
        str, typer.Option(help="layers: all deals at once. search: one by one (minutes).")
    ] = "layers",
    verify: Annotated[
        int | None,
        typer.Option(
            min=1, max=1_000_000, help="Compare so many random deals with the search.", show_default=False
        ),
    ] = None,
    out: OutOption = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Solve every deal, and print how many there are of each length."""
    played = _rules(rules, red_first, blue_first)
    if method not in ("layers", "search"):
        msg = f"unknown method {method!r:.40}: choose layers or search"
        raise MalformedError(msg)
    if method == "search" and (games or verify is not None):
        msg = "--method search solves only: leave out --games and --verify"
        raise MalformedError(msg)
    if verify is not None and (games or out is not None):
        msg = "--verify compares only: leave out --games and --out"
        raise MalformedError(msg)
    if verify is not None:
        _verify(played, verify, jobs, json_lines=json_lines)
        return
    with _claimed(out, force=force) as place:
        counted = _count_games(played, jobs) if games else None
        if counted is not None and place is None:
            _print_games(counted, json_lines=json_lines)
            return
        result = _census(played, method, jobs)
        if place is not None:
            from collapsi.atlas import write_atlas

            write_atlas(place, result, counted)
            complain(f"atlas written to {out}")
    if json_lines:
        counts = {"possible_games": counted.to_json()} if counted is not None else {}
        sys.stdout.write(json.dumps(result.to_json() | counts) + "\n")
    else:
        _print_census(result)
        if counted is not None:
            _print_games(counted, json_lines=False)


@contextmanager
def _claimed(out: Path | None, *, force: bool) -> Iterator[Claim | None]:
    """The folder for the atlas, ours alone from before the long work until it is written; if there is to be one."""
    if out is None:
        yield None
        return
    from collapsi.atlas_files import claim

    with claim(out, force=force) as place:
        yield place


def _census(rules: Rules, method: str, jobs: int | None) -> Census:
    from collapsi.census import count_different, take_census, take_census_by_search
    from collapsi.solve.layers import VALUES

    if method == "layers":
        with _layers_progress(rules, VALUES) as progress:
            return take_census(rules, jobs=jobs, progress=progress)
    from collapsi.solve import compiled

    _say_if_compiling(compiled.solve_many)
    with _progress(count_different(), "deals") as say:
        return take_census_by_search(
            rules, jobs=jobs, progress=lambda done, total, more: say(f"{done:,} of {total:,} deals", more)
        )


def _count_games(rules: Rules, jobs: int | None) -> GameCount:
    from collapsi.census import count_all_games
    from collapsi.solve.layers import GAMES

    with _layers_progress(rules, GAMES) as progress:
        return count_all_games(rules, jobs=jobs, progress=progress)


def _verify(rules: Rules, count: int, jobs: int | None, *, json_lines: bool) -> None:
    import numpy as np

    from collapsi.solve.layers import VALUES
    from collapsi.verify import verify

    with _layers_progress(rules, VALUES) as progress:
        found = verify(rules, count, np.random.default_rng(), jobs=jobs, progress=progress)
    if json_lines:
        data = {
            "rules": rules.name,
            "deals": found.deals,
            "positions": found.positions,
            "differences": found.differences,
        }
        sys.stdout.write(json.dumps(data) + "\n")
    else:
        sys.stdout.write(
            f"{found.deals:,} random deals by layers and by search, every first move: compared\n"
            f"{found.positions:,} positions of small layers by layers and by definition: compared\n"
            f"differences: {len(found.differences)}\n"
        )
        for difference in found.differences[:20]:
            complain(difference)
    if found.differences:
        raise typer.Exit(1)


def _print_census(census: Census) -> None:
    console = new_console()
    rules = census.rules
    red_first, blue_first = map(describe_steps, rules.first_walks)
    first = f"first move: red {red_first}, blue {blue_first}"
    console.print(f"Every deal of Collapsi, {rules.name} rules ({first})\n")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("plies", "winner", "deals", "per cent", "truly different"):
        table.add_column(name, justify="left" if name == "winner" else "right")
    for row in census.to_json()["lengths"]:
        table.add_row(
            str(row["plies"]),
            f"[{'red' if row['winner'] == 'red' else 'blue'}]{row['winner']}[/]",
            f"{row['deals']:,}",
            f"{100 * row['deals'] / census.deals:.4f}",
            f"{row['different']:,}",
        )
    table.add_row("all", "", f"{census.deals:,}", "100.0000", f"{census.different:,}")
    print_table(console, table)
    data = census.to_json()
    red, blue = census.red_wins, census.deals - census.red_wins
    console.print(
        f"\nred wins   {red:>12,}  {100 * red / census.deals:.2f} %\nblue wins  {blue:>12,}  {100 * blue / census.deals:.2f} %"
        f"\nshortest {data['shortest']} plies, longest {data['longest']}\n"
        f"\n{census.deals:,} deals, of which the paper lists {data['listed_deals']:,}; "
        f"{census.different:,} are truly different under all 384 symmetries"
    )
    if rules.uncounted:
        console.print(
            "the games are those of joker rules, whose first two plies, free moves that leave the jacks, are not counted here"
        )
    memory = "" if census.peak_bytes is None else f", {census.peak_bytes / 1e9:.2f} GB of memory at most"
    console.print(f"{census.seconds:.1f} s, {census.cpu_seconds:.1f} s of CPU{memory}", style="dim")


def _print_games(games: GameCount, *, json_lines: bool) -> None:
    if json_lines:
        sys.stdout.write(json.dumps(games.to_json()) + "\n")
        return
    new_console().print(
        f"possible games, {games.rules.name} rules\n"
        f"all deals  {games.total:>20,}\na deal, on average {games.mean:>14,.1f}\n"
        f"smallest   {games.smallest:>20,}\nlargest    {games.largest:>20,}"
    )


@app.command(epilog=example("fairness", "fairness --json"))
def fairness(*, jobs: JobsOption = None, json_lines: JsonOption = False) -> None:
    """Compare all 225 opening rules: how long each player's first move may be, and who that favours."""
    rules = _compare_opening_rules(jobs)
    if json_lines:
        for rule in rules:
            sys.stdout.write(json.dumps(rule.to_json()) + "\n")
        return
    _print_fairness(rules)


def _check_memory_for_all(what: str) -> None:
    """Whether there is memory for the layers that any opening leads to."""
    from collapsi.memory import check_memory
    from collapsi.solve.layers import VALUES, bytes_needed, layers_of

    check_memory(bytes_needed(layers_of(JOKER), VALUES), what)


def _compare_opening_rules(jobs: int | None) -> list[OpeningRule]:
    from collapsi.fairness import STEP_SETS, compare_opening_rules
    from collapsi.solve.layers import VALUES

    _check_memory_for_all("fairness")
    _say_if_compiling(VALUES.family)
    with _progress(13 + len(STEP_SETS), "layers") as say:  # layers of 2 to 14 cards, then blue's first moves
        return compare_opening_rules(jobs=jobs, progress=lambda text: say(text, 1))


def _print_fairness(rules: list[OpeningRule]) -> None:
    from collapsi.fairness import STEP_SETS

    console = new_console()
    share = {(rule.red_first, rule.blue_first): rule.red_share for rule in rules}
    console.print(
        "Red's share of all deals in per cent, by the steps that the first move may be chosen from\n"
    )
    grid = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    grid.add_column("red \\ blue", style="dim")
    for blue in STEP_SETS:
        grid.add_column(format_steps(blue).replace(",", ""), justify="right")
    for red in STEP_SETS:
        cells = [share[red, blue] for blue in STEP_SETS]
        grid.add_row(
            format_steps(red).replace(",", ""), *(f"[{_heat(value)}]{100 * value:.0f}[/]" for value in cells)
        )
    print_table(console, grid)
    console.print("\nfairest first")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("red first", "blue first", "red wins", "per cent", "mean plies"):
        table.add_column(name, justify="left" if "first" in name else "right")
    for rule in rules:
        table.add_row(
            format_steps(rule.red_first),
            format_steps(rule.blue_first),
            f"{rule.red_wins:,}",
            f"{100 * rule.red_share:.2f}",
            f"{rule.mean_plies:.2f}",
        )
    print_table(console, table)


def _heat(share: float) -> str:
    """Bold near one half, red where red is favoured, blue where blue is."""
    if abs(share - 0.5) < 0.02:
        return "bold green"
    return "red" if share > 0.5 else "blue"


@app.command(epilog=example("report --out report", "report --out report --atlas atlas"))
def report(
    *,
    out: Annotated[Path, typer.Option("--out", help="Write page, figures and tables to this folder.")],
    atlas: Annotated[
        Path | None,
        typer.Option(
            "--atlas", help="An atlas of standard rules with games, to start from.", show_default=False
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Print the paper again, and what is new beside it, as one page with figures and tables."""
    # Matplotlib has much to say, while it is loaded, about a folder that it cannot cache in.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from collapsi.atlas import Atlas, frame_of
    from collapsi.report.findings import Findings
    from collapsi.report.page import check_free, write_report

    check_free(out, force=force)
    _check_memory_for_all("report")
    if atlas is None:
        frame = frame_of(_census(STANDARD, "layers", jobs), _count_games(STANDARD, jobs))
    else:
        opened = Atlas(atlas)
        if opened.rules != "standard" or "games" not in opened.manifest["columns"]:
            msg = f"{atlas} is not an atlas of standard rules with games: collapsi census --games --out DIR makes one"
            raise AtlasError(msg)
        frame = opened.frame
    joker_frame = frame_of(_census(JOKER, "layers", jobs))
    rules = _compare_opening_rules(jobs)
    page = write_report(out, Findings(frame, joker_frame, rules), force=force)
    sys.stdout.write(f"{page}\n")
