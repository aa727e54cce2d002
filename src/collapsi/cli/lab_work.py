"""The work of `collapsi lab`, with a bar that shows how far it is, and what it prints and writes.

Loading this module loads the solvers, so the command does it when it runs.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from rich.table import Table

from collapsi.cli.common import complain, new_console, print_table
from collapsi.cli.progress import amount_of_work, progress_bar, say_if_compiling
from collapsi.errors import MalformedError, OutputError
from collapsi.extras import needs
from collapsi.files import check_writable, write_whole
from collapsi.lab.decks import QUESTIONS, batches, decks_near, memory_for
from collapsi.lab.facts import find_facts
from collapsi.lab.kept import Kept, kept_folder
from collapsi.lab.orders import OFFICIAL, Order, official_among, ordinal
from collapsi.lab.tables import DEFINITIONS, csv_of, row_of
from collapsi.made_up import deck_of, with_options
from collapsi.memory import available_bytes, check_memory
from collapsi.rules import refuse_shifting
from collapsi.solve.layers import is_ready, layers_of, positions_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from collapsi.lab.facts import DeckFacts
    from collapsi.rules import Rules
    from collapsi.solve.layers import Layer, Question

MOST_MEMORY = 6_000_000_000
"""With more, a few more decks could be solved together, and others on this machine would have less."""
SHARE_OF_FREE = 0.6
"""Of the memory that is free."""
NAMES = ("decks.png", "decks.svg", "decks.csv")


def check(rules: Rules) -> None:
    """Refuse rules whose deals cannot be counted."""
    refuse_shifting(rules, "the laboratory is")
    layers_of(rules)  # says what boards can be counted
    if deck_of(rules) != OFFICIAL:
        msg = f"{rules} has a deck of its own: name first moves only, and decks with --only"
        raise MalformedError(msg)


def rules_near(rules: Rules, cards: int) -> list[Rules]:
    """The rules with each deck that differs from theirs by up to so many cards."""
    return [with_options(rules, deck=deck) for deck in decks_near(deck_of(rules), cards)]


def facts_of(chosen: Sequence[Rules], jobs: int | None, *, again: bool = False) -> list[DeckFacts]:
    """The facts about rules that differ in their decks only: those that were kept, and the others found."""
    kept = Kept(kept_folder())
    found = {} if again else {rules: facts for rules in chosen if (facts := kept.find(rules))}
    missing = [rules for rules in chosen if rules not in found]
    if missing:
        for facts in _solved(missing, kept, jobs, known=len(found)):
            found[facts.rules] = facts
    return [found[rules] for rules in dict.fromkeys(chosen)]


def _solved(missing: Sequence[Rules], kept: Kept, jobs: int | None, *, known: int) -> list[DeckFacts]:
    """Solve what is missing, some decks at a time, and keep it."""
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
        f"{work}; if interrupted, go on with the same command"
    )
    say_if_compiling(ready=all(map(is_ready, QUESTIONS)))
    found: list[DeckFacts] = []
    with progress_bar(len(QUESTIONS) * sum(positions), "decks") as say:
        for number, decks in enumerate(groups, start=1):
            what = f"{len(decks)} decks, part {number} of {len(groups)}"

            def progress(_: Question, layer: Layer, what: str = what) -> None:
                say(f"{what}: {layer.cards:>2} cards", positions_in(layer))

            facts = find_facts(rules, decks, jobs=jobs, progress=progress)
            kept.keep(facts)
            found += facts
    return found


def forget() -> str:
    """Remove what was kept, and say so."""
    kept = Kept(kept_folder())
    return f"removed the facts about {kept.forget()} decks from {kept.folder}"


def print_decks(facts: Sequence[DeckFacts], order: Order) -> None:
    """The table, where the official deck stands, and what the columns mean."""
    console = new_console()
    console.print(f"Every deal of {len(facts)} decks, counted: all numbers are exact ({order.text})\n")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("", *row_of(facts[0])):
        table.add_column(name, justify="right")
    for found in facts:
        style = "bold" if found.deck == OFFICIAL else None
        table.add_row(str(order.place(found, facts)), *row_of(found).values(), style=style)
    print_table(console, table)
    official = official_among(facts)
    if official is not None and len(facts) > 1:
        told = ", ".join(f"{ordinal(one.place(official, facts))} by {one.what}" for one in Order)
        console.print(f"\nthe official deck, {official.rules.name}: {told}, of {len(facts)}")
    console.print()
    for name, meaning in DEFINITIONS.items():
        console.print(f"{name}: {meaning}", style="dim")


def check_free(folder: Path, *, force: bool) -> None:
    """Refuse, before the work, a folder that cannot be written or has files that would be replaced."""
    if not force and any((folder / name).exists() for name in NAMES):
        msg = f"{folder} holds a picture and a table already: add --force to replace them"
        raise OutputError(msg)
    check_writable(folder)


def write(folder: Path, facts: Sequence[DeckFacts], *, force: bool) -> None:
    """Write the picture and the table, each file whole."""
    check_free(folder, force=force)
    # Matplotlib has much to say, while it is loaded, about a folder that it cannot cache in.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needs("report"):
        from collapsi.report.lab_figures import poster
        from collapsi.report.style import draw

    svg, png = draw(poster, facts)
    try:
        for name, content in zip(NAMES, (png, svg, csv_of(facts).encode()), strict=True):
            write_whole(folder / name, content)
    except OSError as error:
        msg = f"cannot write to {folder}: {error.strerror}"
        raise OutputError(msg) from None
