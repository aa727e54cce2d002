"""The command of the rule laboratory: lab. The work is loaded when it runs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from collapsi.cli.common import ForceOption, JobsOption, JsonOption, RulesOption, app, complain, example
from collapsi.lab.orders import Order
from collapsi.made_up import parse_deck, with_options
from collapsi.notation import parse_rules

PictureOption = Annotated[
    Path | None,
    typer.Option("--out", help="Write picture and table to this folder, too.", show_default=False),
]


@app.command(
    epilog=example(
        "lab --only 5,4,3,2 --only 4,4,3,3",
        "lab --cards 1",
        "lab --sort longest --out lab",
        "lab --rules joker --cards 1 --json",
    )
)
def lab(
    *,
    rules: RulesOption = "standard",
    cards: Annotated[
        int,
        typer.Option(
            min=0, max=4, help="All decks that differ from the official one by up to so many cards."
        ),
    ] = 2,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="DECK",
            help="Only these decks, as aces,twos,threes,fours; may be given several times.",
            show_default=False,
        ),
    ] = None,
    sort: Annotated[Order, typer.Option(help="What comes first.")] = Order.FAIREST,
    out: PictureOption = None,
    force: ForceOption = False,
    again: Annotated[bool, typer.Option("--again", help="Solve again what was solved before.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Only remove what was kept.")] = False,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Compare decks: solve every deal of each, and say who wins, how long it takes, and what decides.

    What is found is kept in your cache folder: a run that was stopped goes on where it was.
    """
    from collapsi.cli import lab_work as work

    if forget:
        sys.stdout.write(f"{work.forget()}\n")
        return
    played = parse_rules(rules)
    work.check(played)
    if only:
        chosen = [with_options(played, deck=parse_deck(deck)) for deck in only]
    else:
        chosen = work.rules_near(played, cards)
    if out is not None:
        work.check_free(out, force=force)
    found = sort.sort(work.facts_of(chosen, jobs, again=again))
    if out is not None:
        work.write(out, found, force=force)
        complain(f"picture and table written to {out}")
    if json_lines:
        for facts in found:
            sys.stdout.write(json.dumps(facts.to_json()) + "\n")
    else:
        work.print_decks(found, sort)
