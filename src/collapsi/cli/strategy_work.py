"""The work of the commands strategy and ladder, with a bar that shows how far it is, and what they print.

Loading this module loads the solvers, so commands do it when they run.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from collapsi.cli.common import new_console, print_table
from collapsi.cli.progress import progress_bar, say_if_compiling
from collapsi.errors import MalformedError, OutputError
from collapsi.files import write_whole
from collapsi.solve import counting
from collapsi.solve.jit import is_cached
from collapsi.strategy.ladder import climb
from collapsi.strategy.players import character, characters
from collapsi.strategy.rulecard import kept_card, read_card
from collapsi.strategy.samples import Part
from collapsi.strategy.study import games_of, measured, study

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from collapsi.rules import Rules
    from collapsi.strategy.ladder import Ladder, Rate
    from collapsi.strategy.measure import Share
    from collapsi.strategy.rulecard import RuleCard
    from collapsi.strategy.study import Study


PIPE_WIDTH = 160


def learned_card(
    rules: Rules, seed: int, games: int, lines: int, effort: float, jobs: int | None, *, curves: bool
) -> Study:
    """Learn a card and measure it."""
    say_if_compiling(ready=is_cached(counting.count_words))
    total = sum(games_of(part, games) for part in Part)
    with progress_bar(total, "games") as say:
        return study(
            rules, seed, games=games, lines=lines, most_effort=effort, curves=curves, jobs=jobs, progress=say
        )


def measured_card(path: Path | None, rules: Rules, seed: int, games: int, jobs: int | None) -> Study:
    """Measure a card that is there: in a file, or with the program."""
    card = _card(path)
    say_if_compiling(ready=is_cached(counting.count_words))
    with progress_bar(games_of(Part.FRESH, games), "games") as say:
        return measured(card, rules, seed, games=games, jobs=jobs, progress=say)


def climbed(
    names: list[str] | None, path: Path | None, rules: Rules, games: int, seed: int, jobs: int | None
) -> Ladder:
    """Everybody, or some, against each other."""
    card = _card(path)
    players = characters(card) if names is None else tuple(character(name, card) for name in names)
    if len({player.name for player in players}) < max(2, len(players)):
        msg = "a ladder needs at least two players, each named once"
        raise MalformedError(msg)
    say_if_compiling(ready=is_cached(counting.count_words))
    with progress_bar(len(players) ** 2, "games") as say:
        return climb(
            players, games, np.random.default_rng(seed), rules, jobs=jobs, progress=lambda text: say(text, 1)
        )


def _card(path: Path | None) -> RuleCard:
    return kept_card() if path is None else read_card(path)


def write_card(path: Path, found: Study) -> None:
    """Write a card, with where it is from and what it is worth."""
    data = found.to_json()
    content = {key: data[key] for key in ("rules", "seed", "games", "card", "worth")}
    try:
        write_whole(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        msg = f"cannot write {path}: {error.strerror}"
        raise OutputError(msg) from None


def print_study(found: Study) -> None:
    """The card, what it is worth, and what else was found out."""
    console = _wide_console()
    console.print(f"A card of rules, {found.rules.name} rules (seed {found.seed})\n\n{found.card}")
    console.print("Go where you have most points.\n" if found.card.points else "")
    console.print(
        f"Wins kept, of {found.worth.kept.cases:,} positions of fresh deals where one can be thrown away"
    )
    table = _table("plies", "kept %", "chance %", "positions")
    chance = dict(found.chance.phases)
    for plies, share in found.worth.phases:
        table.add_row(f"{plies[0]}–{plies[1]}", str(share), _percent(chance[plies]), f"{share.cases:,}")
    table.add_row("all", str(found.worth.kept), _percent(found.chance.kept), f"{found.worth.kept.cases:,}")
    print_table(console, table)
    console.print(f"{found.worth.effort:.1f} cards looked at a decision\n")
    table = _table("lines", "kept %", "cards looked at")
    for card, worth in found.by_lines:
        table.add_row(str(len(card.lines)), str(worth.kept), f"{worth.effort:.1f}")
    print_table(console, table)
    if found.by_effort:
        table = _table("looked at, at most", "kept %", "cards looked at", "lines")
        for limit, card, worth in found.by_effort:
            table.add_row(f"{limit:g}", str(worth.kept), f"{worth.effort:.1f}", str(len(card.lines)))
        console.print()
        print_table(console, table)
    _print_alone(console, found)
    _print_numbers(console, found)


def _print_alone(console: Console, found: Study) -> None:
    """Single rules, those that work and those that do not."""
    for works, title in ((True, "One rule by itself, after 1 and 2"), (False, "What does not work")):
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        table.add_column("kept %", justify="right")
        table.add_column("adds", justify="right")
        table.add_column("rule")
        for rule in found.alone:
            if rule.works == works:
                table.add_row(str(rule.kept), f"{100 * rule.gain:+.1f}", rule.text)
        if table.row_count:
            console.print(f"\n{title}")
            print_table(console, table)


def _print_numbers(console: Console, found: Study) -> None:
    """What the numbers are worth by ply."""
    for title, kind in (
        ("Wins kept more by landing on a number than by chance, in per cent", "landing"),
        ("Wins kept more for one more next card of a number, in per cent", "next"),
    ):
        table = _table("ply", "A", "2", "3", "4", "positions")
        for at in found.numbers:
            table.add_row(str(at.ply), *map(str, getattr(at, kind)), f"{at.positions:,}")
        console.print(f"\n{title}")
        print_table(console, table)


def print_ladder(found: Ladder) -> None:
    """Where everybody stands, and how everybody fares against each other from deals they can win."""
    console = _wide_console()
    console.print("Games won against all others, in per cent (95 % interval)\n")
    table = _table("player", "random deals", "red’s deals, as red", "blue’s deals, as blue", "")
    table.columns[0].justify = table.columns[4].justify = "left"
    for standing in found.standings:
        rates = (standing.random, standing.red_won, standing.blue_won)
        table.add_row(standing.name, *map(_rate, rates), standing.text)
    print_table(console, table)
    names = [standing.name for standing in found.standings]
    for title, red_side in (
        ("As red, from deals that red can win", True),
        ("As blue, from deals that blue can win", False),
    ):
        console.print(f"\n{title}: won of 100 against …\n")
        table = _table("", *names)
        table.columns[0].justify = "left"
        for name in names:
            cells = {
                (pairing.blue if red_side else pairing.red): (
                    pairing.red_won if red_side else pairing.blue_won
                )
                for pairing in found.pairings
                if (pairing.red if red_side else pairing.blue) == name
            }
            table.add_row(name, *(f"{100 * cells[other].share:.1f}" for other in names))
        print_table(console, table)


def _wide_console() -> Console:
    """Standard output; in a pipe with room enough for every sentence on one line."""
    console = new_console()
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    return console


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in names:
        table.add_column(name, justify="right")
    return table


def _percent(share: Share) -> str:
    return f"{100 * share.value:.1f}"


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * rate.share:.1f} ({100 * low:.1f}–{100 * high:.1f})"
