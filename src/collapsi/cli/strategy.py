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
from collapsi.play.strategy.budget import BUDGETS, MOST_EFFORT, Budget, CardKind, count_numbers, count_words
from collapsi.system.files import check_parent, reporting_write_errors, write_atomically

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.games.classic.rules import Rules
    from collapsi.play.strategy.measure import Share
    from collapsi.play.strategy.rulecard import RuleCard
    from collapsi.play.strategy.study import CardStudy

KEPT = "kept"
"""The name of the expert card that comes with the program."""
NAMES = ", ".join(CardKind)
DRAWN = (".svg", ".pdf")
PIPE_WIDTH = 160


@app.command(
    epilog=examples(
        "strategy",
        "strategy --kind pocket --no-curves",
        "strategy --lines 3 --seed 2",
        "strategy --kind points --words 60 --games 2000",
        "strategy --rules joker --card kept",
        "strategy --card pocket --out pocket.pdf",
        "strategy --games 2000 --no-curves --json",
    )
)
def strategy(
    *,
    kind: Annotated[
        CardKind, typer.Option(help="The card to find: its limits of lines, words and numbers.")
    ] = CardKind.EXPERT,
    lines: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9,
            help="Maximum number of lines of the card.",
            show_default="pocket 3, points 4, expert 5",
        ),
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Maximum number of words of all lines.",
            show_default="pocket 35, points 70, expert no limit",
        ),
    ] = None,
    numbers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=100,
            help="Maximum number of numbers to remember.",
            show_default="pocket 0, points 5, expert no limit",
        ),
    ] = None,
    effort: Annotated[
        float,
        typer.Option(min=1, max=1000, help="Maximum number of cards to look at per decision, on average."),
    ] = MOST_EFFORT,
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
            help=f"Measure this card instead of learning one; {NAMES} are those of this program.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path | None, out_option("the card (.svg and .pdf: drawn to print)", "FILE")] = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Find rules that people can follow, and measure how good they are."""
    played = read_rules("strategy", rules)
    drawn = out is not None and out.suffix.lower() in DRAWN
    if card is not None and out is not None and not drawn:
        msg = "--card measures an existing card: --out only draws it, to FILE.svg or FILE.pdf"
        raise MalformedError(msg)
    if out is not None:
        check_parent(out)
    if drawn:
        import collapsi.draw.card  # noqa: F401 - a missing library is reported before the search
    if card is not None:
        found = _measured_card(read_card_option(card), played, seed, games, jobs)
    else:
        budget = _budget(kind, lines, words, numbers)
        found = _learned_card(played, seed, games, budget, effort, jobs, curves=curves)
    if out is not None and drawn:
        _draw_card(out, found, _title(card or kind))
    elif out is not None:
        _write_card(out, found, _command(kind, lines, words, numbers, effort, found))
    if out is not None:
        complain(f"card written to {out}")
    if json_lines:
        print_json(found.to_json())
    else:
        _print_study(found)


def read_card_option(card: str | None, usual: CardKind = CardKind.EXPERT) -> RuleCard:
    """Read the card in a file, or a card of this program by its name."""
    from collapsi.play.strategy.rulecard import BUNDLED, bundled_card, read_card

    name = usual if card is None else CardKind.EXPERT if card == KEPT else card
    return bundled_card(name) if name in BUNDLED else read_card(Path(name))


def _budget(kind: CardKind, lines: int | None, words: int | None, numbers: int | None) -> Budget:
    """Return the limits of a kind of card, with some of them replaced."""
    usual = BUDGETS[kind]
    return Budget(
        usual.lines if lines is None else lines,
        usual.words if words is None else words,
        usual.numbers if numbers is None else numbers,
    )


def _command(
    kind: CardKind,
    lines: int | None,
    words: int | None,
    numbers: int | None,
    effort: float,
    found: CardStudy,
) -> str:
    """Return the command that finds a card again."""
    options = {
        "kind": kind,
        "lines": lines,
        "words": words,
        "numbers": numbers,
        "effort": None if effort == MOST_EFFORT else f"{effort:g}",
        "rules": None if found.rules.name == "standard" else found.rules.name,
        "seed": found.seed,
        "games": found.games,
    }
    given = " ".join(f"--{name} {value}" for name, value in options.items() if value is not None)
    return f"collapsi strategy {given}"


def _learned_card(
    rules: Rules, seed: int, games: int, budget: Budget, effort: float, jobs: int | None, *, curves: bool
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
            budget=budget,
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


def _write_card(path: Path, found: CardStudy, command: str) -> None:
    """Write a card with its origin and its measured quality."""
    data = found.to_json()
    content = {"command": command} | {key: data[key] for key in ("rules", "seed", "games", "card", "worth")}
    with reporting_write_errors(path):
        write_atomically(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())


def _title(card: str) -> str:
    """Return the title of a card of this program, by its name, or of another one."""
    return f"The {card} card" if card in list(CardKind) else "A card of rules"


def _draw_card(path: Path, found: CardStudy, title: str) -> None:
    """Draw a card to print."""
    from collapsi.draw.card import draw_card

    note = f"Collapsi by Mark S. Ball · keeps {found.worth.kept} % of wins"
    with reporting_write_errors(path):
        write_atomically(path, draw_card(found.card, title, note, path.suffix.lower().removeprefix(".")))


def _print_study(found: CardStudy) -> None:
    """Print the card, its measured quality, and the other results."""
    console = new_console(PIPE_WIDTH)
    console.print(f"A card of rules, {found.rules.name} rules (seed {found.seed})\n\n{found.card}\n")
    console.print(
        f"Wins kept, of {found.worth.kept.cases:,} positions of fresh deals where one can be thrown away"
    )
    table = new_table("plies", "kept %", "chance %", "positions")
    chance = dict(found.chance.phases)
    for plies, share in found.worth.phases:
        table.add_row(f"{plies[0]}–{plies[1]}", str(share), _percent(chance[plies]), f"{share.cases:,}")
    table.add_row("all", str(found.worth.kept), _percent(found.chance.kept), f"{found.worth.kept.cases:,}")
    print_table(console, table)
    text = " ".join(found.card.sentences)
    console.print(
        f"{len(found.card.lines)} lines, {count_words(text)} words, {count_numbers(text)} numbers; "
        f"{found.worth.effort:.1f} cards looked at per decision\n"
    )
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
