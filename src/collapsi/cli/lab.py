"""The command `lab`, the rule laboratory: decks compared."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.census.lab.orders import Order
from collapsi.cli.app import app, examples
from collapsi.cli.options import ForceOption, JobsOption, JsonOption, out_option
from collapsi.cli.output import complain, new_console, new_table, print_json, print_table
from collapsi.cli.progress import amount_of_work, progress_bar, say_if_compiling
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.core.decks import deck_of, parse_deck
from collapsi.core.errors import MalformedError
from collapsi.games.classic.made_up import with_options
from collapsi.system.extras import needs
from collapsi.system.files import (
    check_replaceable,
    check_writable,
    reporting_write_errors,
    write_atomically,
)
from collapsi.system.memory import available_bytes, check_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.census.lab.facts import DeckFacts
    from collapsi.census.lab.storage import FactsStore
    from collapsi.census.layers import Layer
    from collapsi.games.classic.rules import Rules

MOST_MEMORY = 6_000_000_000
"""More memory would allow only a few more decks at a time, and leave less to other programs."""
SHARE_OF_FREE = 0.6
"""The share of the free memory that is used."""
FILES = ("decks.png", "decks.svg", "decks.csv")


@app.command(
    epilog=examples(
        "lab --only 5,4,3,2 --only 4,4,3,3",
        "lab --cards 1",
        "lab --sort longest --out lab",
        "lab --rules joker --cards 1 --json",
    )
)
def lab(
    *,
    rules: Annotated[str, rules_option("lab")] = "standard",
    cards: Annotated[
        int,
        typer.Option(
            min=0, max=4, help="Compare all decks that differ from the official one by up to this many cards."
        ),
    ] = 2,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="DECK",
            help="Compare only this deck, as aces,twos,threes,fours; may be repeated.",
            show_default=False,
        ),
    ] = None,
    sort: Annotated[Order, typer.Option(help="Order of the decks.")] = Order.FAIREST,
    out: Annotated[Path | None, out_option("a picture and a table")] = None,
    force: ForceOption = False,
    again: Annotated[bool, typer.Option("--again", help="Solve stored decks again.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Only remove the stored results.")] = False,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Compare decks: solve every deal of each.

    Prints for each deck who wins, how long games last, and what decides them. Results are stored in the cache
    folder: after a stop, the same command resumes.
    """
    if forget:
        from collapsi.census.lab.storage import FactsStore, facts_folder

        kept = FactsStore(facts_folder())
        sys.stdout.write(f"removed the facts about {kept.clear()} decks from {kept.folder}\n")
        return
    played = read_rules("lab", rules)
    _check(played)
    if only:
        chosen = [with_options(played, deck=parse_deck(deck)) for deck in only]
    else:
        chosen = rules_near(played, cards)
    if out is not None:
        _check_free(out, force=force)
    found = sort.sort(facts_of(chosen, jobs, again=again))
    if out is not None:
        _write(out, found, force=force)
        complain(f"picture and table written to {out}")
    if json_lines:
        for facts in found:
            print_json(facts.to_json())
    else:
        _print_decks(found, sort)


def _check(rules: Rules) -> None:
    """Refuse rules whose deals cannot be counted."""
    from collapsi.census.lab.orders import OFFICIAL
    from collapsi.census.layers import layers_of

    layers_of(rules)
    if deck_of(rules) != OFFICIAL:
        msg = f"{rules} has a deck of its own: name first moves only, and decks with --only"
        raise MalformedError(msg)


def rules_near(rules: Rules, cards: int) -> list[Rules]:
    """Return the rules with each deck that differs from theirs by up to `cards` cards."""
    from collapsi.census.lab.decks import decks_near

    return [with_options(rules, deck=deck) for deck in decks_near(deck_of(rules), cards)]


def facts_of(chosen: Sequence[Rules], jobs: int | None, *, again: bool = False) -> list[DeckFacts]:
    """Return the facts about rules that differ in their decks only; those that are not stored are found."""
    from collapsi.census.lab.storage import FactsStore, facts_folder

    kept = FactsStore(facts_folder())
    found = {} if again else {rules: facts for rules in chosen if (facts := kept.find(rules))}
    missing = [rules for rules in chosen if rules not in found]
    if missing:
        for facts in _solved(missing, kept, jobs, known=len(found)):
            found[facts.rules] = facts
    return [found[rules] for rules in dict.fromkeys(chosen)]


def _solved(missing: Sequence[Rules], kept: FactsStore, jobs: int | None, *, known: int) -> list[DeckFacts]:
    """Solve some decks at a time and store the results."""
    from collapsi.census.lab.decks import QUESTIONS, batches, memory_for
    from collapsi.census.lab.facts import find_facts
    from collapsi.census.layers import is_ready, layers_of, positions_in

    rules = missing[0]  # all have the same first moves
    free = available_bytes()
    room = MOST_MEMORY if free is None else min(MOST_MEMORY, int(SHARE_OF_FREE * free))
    groups = list(batches({deck_of(some) for some in missing}, rules, room))
    memory = max(memory_for(rules, decks) for decks in groups)
    check_memory(memory, "the laboratory")
    check_writable(kept.folder)
    positions = [sum(map(positions_in, layers_of(rules, decks).values())) for decks in groups]
    work = amount_of_work(len(QUESTIONS) * sum(positions), memory)
    complain(
        f"{sum(map(len, groups))} decks to solve{f', {known} solved before' if known else ''}: "
        f"{work}; after a stop, the same command resumes"
    )
    say_if_compiling(ready=all(map(is_ready, QUESTIONS)))
    found: list[DeckFacts] = []
    with progress_bar(len(QUESTIONS) * sum(positions), "decks") as advance:
        for number, decks in enumerate(groups, start=1):
            what = f"{len(decks)} decks, part {number} of {len(groups)}"

            def progress(layer: Layer, what: str = what) -> None:
                advance(f"{what}: {layer.cards:>2} cards", positions_in(layer))

            facts = find_facts(rules, decks, jobs=jobs, progress=progress)
            kept.save(facts)
            found += facts
    return found


def _print_decks(facts: Sequence[DeckFacts], order: Order) -> None:
    """Print the table, the rank of the official deck, and the meaning of the columns."""
    from collapsi.census.lab.orders import OFFICIAL, official_among, ordinal
    from collapsi.census.lab.tables import DEFINITIONS, row_of

    console = new_console()
    console.print(f"Every deal of {len(facts)} decks, counted: all numbers are exact ({order.text})\n")
    table = new_table("", *row_of(facts[0]))
    for found in facts:
        style = "bold" if found.deck == OFFICIAL else None
        table.add_row(str(order.place(found, facts)), *row_of(found).values(), style=style)
    print_table(console, table)
    official = official_among(facts)
    if official is not None and len(facts) > 1:
        places = ", ".join(f"{ordinal(one.place(official, facts))} by {one.measure}" for one in Order)
        console.print(f"\nthe official deck, {official.rules.name}: {places}, of {len(facts)}")
    console.print()
    for name, meaning in DEFINITIONS.items():
        console.print(f"{name}: {meaning}", style="dim")


def _check_free(folder: Path, *, force: bool) -> None:
    """Refuse, before the work, a folder that is not writable or whose files would be replaced."""
    check_replaceable(folder, FILES, "contains a picture or table", force=force)


def _write(folder: Path, facts: Sequence[DeckFacts], *, force: bool) -> None:
    """Write the picture and the table, each file whole."""
    from collapsi.census.lab.tables import csv_of

    _check_free(folder, force=force)
    # Matplotlib logs warnings while it is loaded if its cache folder is not writable.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needs("report"):
        from collapsi.report.lab_figures import poster
        from collapsi.report.style import draw

    svg, png = draw(poster, facts)
    with reporting_write_errors(f"to {folder}"):
        for name, content in zip(FILES, (png, svg, csv_of(facts).encode()), strict=True):
            write_atomically(folder / name, content)
