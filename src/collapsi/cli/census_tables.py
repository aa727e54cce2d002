"""Tables that the census prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from collapsi.cli.output import complain, new_console, new_table, print_table
from collapsi.games.classic.made_up import describe_steps, format_steps
from collapsi.games.classic.rules import STANDARD
from collapsi.games.registry import format_position

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.api.json_types import AllRotateDeals
    from collapsi.census.fairness import OpeningRule
    from collapsi.census.games import GameCount
    from collapsi.census.lengths import Census
    from collapsi.census.rotate_census import RotateCensus
    from collapsi.census.tempo import Passing, TempoCount
    from collapsi.census.verify import Verification
    from collapsi.games.levels import Level


def print_census(census: Census) -> None:
    """Print the deals by length and winner."""
    console = new_console()
    rules = census.rules
    red_first, blue_first = map(describe_steps, rules.first_walks)
    first = f"first move: red {red_first}, blue {blue_first}"
    console.print(f"Every deal of Collapsi, {rules.name} rules ({first})\n")
    data = census.to_json()
    _print_lengths(console, data)
    listed = f", of which the paper lists {data['listed_deals']:,}" if rules.cards == STANDARD.cards else ""
    console.print(
        f"\n{census.deals:,} deals{listed}; {census.different:,} are truly different under all 384 symmetries"
    )
    if rules.uncounted:
        console.print(
            "the games are those of joker rules, whose first two plies, free moves that leave the jacks, are "
            "not counted here"
        )
    _print_cost(console, data)


def print_rotate_census(census: RotateCensus) -> None:
    """Print the same for the Shifting Board with rotating lines."""
    console = new_console()
    console.print(
        f"Every deal of Collapsi, {census.rules.name} rules (the jacks share no row and no column)\n"
    )
    data = census.to_json()
    _print_lengths(console, data)
    console.print(
        f"\n{census.deals:,} deals; {census.different:,} are truly different under the 128 symmetries that "
        "keep lines lines"
    )
    _print_cost(console, data)


def _print_lengths(console: Console, data: AllRotateDeals) -> None:
    """Print the table by plies, and the totals."""
    table = new_table("plies", "winner", "deals", "per cent", "truly different", left=("winner",))
    deals = data["deals"]
    for row in data["lengths"]:
        table.add_row(
            str(row["plies"]),
            f"[{'red' if row['winner'] == 'red' else 'blue'}]{row['winner']}[/]",
            f"{row['deals']:,}",
            f"{100 * row['deals'] / deals:.4f}",
            f"{row['different']:,}",
        )
    table.add_row("all", "", f"{deals:,}", "100.0000", f"{data['different_deals']:,}")
    print_table(console, table)
    red, blue = data["red_wins"], data["blue_wins"]
    console.print(
        f"\nred wins   {red:>12,}  {100 * red / deals:.2f} %"
        f"\nblue wins  {blue:>12,}  {100 * blue / deals:.2f} %"
        f"\nshortest {data['shortest']} plies, longest {data['longest']}"
    )


def _print_cost(console: Console, data: AllRotateDeals) -> None:
    peak = data["peak_bytes"]
    memory = "" if peak is None else f", {peak / 1e9:.2f} GB of memory at most"
    console.print(f"{data['seconds']:.1f} s, {data['cpu_seconds']:.1f} s of CPU{memory}", style="dim")


def print_games(games: GameCount) -> None:
    """Print the number of possible games."""
    new_console().print(
        f"possible games, {games.rules.name} rules\n"
        f"all deals  {games.total:>20,}\na deal, on average {games.mean:>14,.1f}\n"
        f"smallest   {games.smallest:>20,}\nlargest    {games.largest:>20,}"
    )


def print_tempo(census: Census, counts: list[TempoCount], passing: list[Passing]) -> None:
    """Print the deals by who wins if red starts and if blue starts, and how often passing would help."""
    console = new_console()
    console.print(f"Who wins if red starts, and who if blue starts: {census.rules.name} rules\n")
    totals = {steps: sum(row.deals[steps] for row in counts) for steps in counts[0].deals}
    distances = [f"jacks {steps}" for steps in totals]
    table = new_table("", "deals", "per cent", *distances, left=("",))
    for row in counts:
        deals = sum(row.deals.values())
        table.add_row(
            row.tempo.text,
            f"{deals:,}",
            f"{100 * deals / census.deals:.4f}",
            *(f"{100 * row.deals[steps] / total:.2f}" for steps, total in totals.items()),
        )
    print_table(console, table)
    console.print("jacks 1 to 4: per cent of the deals with that distance between the jacks", style="dim")
    console.print("\nthe deal of each kind with the shortest games")
    for row in counts:
        red, blue = row.plies
        console.print(
            f"{row.tempo.text:<22} {format_position(row.example)}  "
            f"[dim]{red} plies if red starts, {blue} if blue does[/]"
        )
    console.print(
        f"\nafter random moves from random deals, {passing[0].would_pass.cases:,} positions of each kind"
    )
    for found in passing:
        low, high = found.would_pass.interval
        console.print(
            f"after {found.plies} plies the side to move loses {found.losing / found.would_pass.cases:.1%} "
            f"and would win by passing in {found.would_pass.share:.2%} ({low:.2%} to {high:.2%})"
        )


def print_verification(found: Verification) -> None:
    """Print what was compared and the number of differences; the first ones go to standard error."""
    every = ", every first move" if found.first_moves else ""
    sys.stdout.write(
        f"{found.deals:,} random deals by layers and by search{every}: compared\n"
        f"{found.positions:,} positions of small layers by layers and by definition: compared\n"
        f"differences: {len(found.differences)}\n"
    )
    for difference in found.differences[:20]:
        complain(difference)


def print_openings(rules: list[OpeningRule], level: Level | None = None) -> None:
    """Print red's share under every opening rule as a grid, then the rules, fairest first.

    With a level, its games decide the order.
    """
    console = new_console()
    red_sets, blue_sets = (
        sorted(sets, key=lambda steps: (len(steps), steps))
        for sets in ({rule.red_first for rule in rules}, {rule.blue_first for rule in rules})
    )
    share = {(rule.red_first, rule.blue_first): rule.red_share for rule in rules}
    console.print(
        "Red's share of all deals in per cent, by the steps that the first move may be chosen from\n"
    )
    corner = "red \\ blue"
    grid = new_table(corner, *(format_steps(blue).replace(",", "") for blue in blue_sets), left=(corner,))
    grid.columns[0].style = "dim"
    for red in red_sets:
        cells = [share[red, blue] for blue in blue_sets]
        grid.add_row(
            format_steps(red).replace(",", ""), *(f"[{_heat(value)}]{100 * value:.0f}[/]" for value in cells)
        )
    print_table(console, grid)
    same = {sets for rule in rules for sets in (rule.red_sets, rule.blue_sets) if len(sets) > 1}
    for first, *others in sorted(same):
        console.print(
            f"{format_steps(first)} leads to the same cards as {' or '.join(map(format_steps, others))}",
            style="dim",
        )
    by_level = "" if level is None else f" in games of level {level}"
    console.print(f"\nfairest first{by_level}; in per cent, except plies")
    left = ("red first", "blue first")
    columns = ("red wins", "plies", "decides", "one line")
    table = new_table(*left, *columns, *(() if level is None else (f"level {level}",)), left=left)
    for rule in rules:
        table.add_row(
            format_steps(rule.red_first),
            format_steps(rule.blue_first),
            f"{100 * rule.red_share:.2f}",
            f"{rule.mean_plies:.2f}",
            f"{100 * rule.decisive_share:.1f}",
            f"{100 * rule.one_line_share:.1f}",
            *(() if rule.played is None else (str(rule.played).replace(" %", ""),)),
        )
    print_table(console, table)
    console.print(
        "red wins: all deals, perfect play; plies: on average; decides: some of red's first moves win and "
        "others lose; one line: the loser can leave the winner a single winning move at every turn",
        style="dim",
    )
    if rules[0].played is not None:
        console.print(
            f"level {level}: red's share of {rules[0].played.cases:,} games by each rule (95 % interval)",
            style="dim",
        )


def _heat(share: float) -> str:
    """Return the style of a share: green near one half, otherwise the favoured colour."""
    if abs(share - 0.5) < 0.02:
        return "bold green"
    return "red" if share > 0.5 else "blue"
