"""The command `strategy`: rules that people can follow, learned and measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import FixedSeedOption, JobsOption, JsonOption, out_option
from collapsi.cli.output import complain, new_console, new_table, print_json, print_table
from collapsi.cli.progress import progress_bar
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.core.errors import MalformedError
from collapsi.system.files import check_parent, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.games.classic.rules import Rules
    from collapsi.play.strategy.measure import Share
    from collapsi.play.strategy.rulecard import RuleCard
    from collapsi.play.strategy.study import CardStudy

KEPT = "kept"
"""The name of the card that comes with the program."""
PIPE_WIDTH = 160


@app.command(
    epilog=examples(
        "strategy",
        "strategy --lines 3 --seed 2",
        "strategy --rules joker --card kept",
        "strategy --games 2000 --no-curves --json",
    )
)
def strategy(
    *,
    lines: Annotated[int, typer.Option(min=1, max=9, help="Maximum number of lines of the card.")] = 5,
    effort: Annotated[
        float,
        typer.Option(min=1, max=1000, help="Maximum number of cards to look at per decision, on average."),
    ] = 27.0,
    rules: Annotated[str, rules_option("strategy")] = "standard",
    seed: FixedSeedOption = 1,
    games: Annotated[
        int,
        typer.Option(min=30, max=1_000_000, help="Games to learn from; half as many more are for testing."),
    ] = 30_000,
    curves: Annotated[bool, typer.Option(help="Also find cards for less and for more effort.")] = True,
    card: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Measure this card instead of learning one; 'kept' is the card of this program.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path | None, out_option("the card", "FILE")] = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Find rules that people can follow, and measure how good they are."""
    played = read_rules("strategy", rules)
    if card is not None and out is not None:
        msg = "--card measures an existing card: leave out --out"
        raise MalformedError(msg)
    if out is not None:
        check_parent(out)
    if card is not None:
        found = _measured_card(read_card_option(card), played, seed, games, jobs)
    else:
        found = _learned_card(played, seed, games, lines, effort, jobs, curves=curves)
    if out is not None:
        _write_card(out, found)
        complain(f"card written to {out}")
    if json_lines:
        print_json(found.to_json())
    else:
        _print_study(found)


def read_card_option(card: str | None) -> RuleCard:
    """Read the card in a file, or the card of this program."""
    from collapsi.play.strategy.rulecard import bundled_card, read_card

    return bundled_card() if card in (None, KEPT) else read_card(Path(card))


def _learned_card(
    rules: Rules, seed: int, games: int, lines: int, effort: float, jobs: int | None, *, curves: bool
) -> CardStudy:
    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.samples import Split
    from collapsi.play.strategy.study import games_of, learn_and_measure

    total = sum(games_of(part, games) for part in Split)
    with progress_bar(total, "games", solvers=[count_words]) as advance:
        return learn_and_measure(
            rules,
            seed,
            games=games,
            lines=lines,
            most_effort=effort,
            curves=curves,
            jobs=jobs,
            progress=advance,
        )


def _measured_card(card: RuleCard, rules: Rules, seed: int, games: int, jobs: int | None) -> CardStudy:
    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.samples import Split
    from collapsi.play.strategy.study import games_of, measure_card

    with progress_bar(games_of(Split.FRESH, games), "games", solvers=[count_words]) as advance:
        return measure_card(card, rules, seed, games=games, jobs=jobs, progress=advance)


def _write_card(path: Path, found: CardStudy) -> None:
    """Write a card with its origin and its measured quality."""
    data = found.to_json()
    content = {key: data[key] for key in ("rules", "seed", "games", "card", "worth")}
    with reporting_write_errors(path):
        write_atomically(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())


def _print_study(found: CardStudy) -> None:
    """Print the card, its measured quality, and the other results."""
    console = new_console(PIPE_WIDTH)
    console.print(f"A card of rules, {found.rules.name} rules (seed {found.seed})\n\n{found.card}")
    console.print("Go where you have most points.\n" if found.card.points else "")
    console.print(
        f"Wins kept, of {found.worth.kept.cases:,} positions of fresh deals where one can be thrown away"
    )
    table = new_table("plies", "kept %", "chance %", "positions")
    chance = dict(found.chance.phases)
    for plies, share in found.worth.phases:
        table.add_row(f"{plies[0]}–{plies[1]}", str(share), _percent(chance[plies]), f"{share.cases:,}")
    table.add_row("all", str(found.worth.kept), _percent(found.chance.kept), f"{found.worth.kept.cases:,}")
    print_table(console, table)
    console.print(f"{found.worth.effort:.1f} cards looked at per decision\n")
    table = new_table("lines", "kept %", "cards looked at")
    for card, worth in found.by_lines:
        table.add_row(str(len(card.lines)), str(worth.kept), f"{worth.effort:.1f}")
    print_table(console, table)
    if found.by_effort:
        table = new_table("looked at, at most", "kept %", "cards looked at", "lines")
        for limit, card, worth in found.by_effort:
            table.add_row(f"{limit:g}", str(worth.kept), f"{worth.effort:.1f}", str(len(card.lines)))
        console.print()
        print_table(console, table)
    _print_single_rules(console, found)
    _print_numbers(console, found)


def _print_single_rules(console: Console, found: CardStudy) -> None:
    """Print single rules, those that work and those that do not."""
    for works, title in ((True, "One rule by itself, after 1 and 2"), (False, "What does not work")):
        table = new_table("kept %", "adds", "rule", left=("rule",))
        for rule in found.single_rules:
            if rule.works == works:
                table.add_row(str(rule.kept), f"{100 * rule.gain:+.1f}", rule.text)
        if table.row_count:
            console.print(f"\n{title}")
            print_table(console, table)


def _print_numbers(console: Console, found: CardStudy) -> None:
    """Print the value of the numbers by ply."""
    for title, kind in (
        ("Wins kept more by landing on a number than by chance, in per cent", "landing"),
        ("Wins kept more for one more next card of a number, in per cent", "next"),
    ):
        table = new_table("ply", "A", "2", "3", "4", "positions")
        for at in found.numbers:
            table.add_row(str(at.ply), *map(str, getattr(at, kind)), f"{at.positions:,}")
        console.print(f"\n{title}")
        print_table(console, table)


def _percent(share: Share) -> str:
    return f"{100 * share.value:.1f}"
