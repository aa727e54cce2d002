"""The commands about rules that people can follow: strategy, ladder. The work is loaded when they run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.big_facts import LADDER_NODES
from collapsi.cli.common import AnyRulesOption, JobsOption, JsonOption, RulesOption, app, complain, example
from collapsi.errors import MalformedError, OutputError
from collapsi.notation import is_of_crowd, parse_rules
from collapsi.rules import refuse_shifting

if TYPE_CHECKING:
    from collapsi import json_shapes

KEPT = "kept"

SeedOption = Annotated[
    int, typer.Option(min=0, help="The same seed gives the same deals, and the same result.")
]


@app.command(
    epilog=example(
        "strategy",
        "strategy --lines 3 --seed 2",
        "strategy --rules joker --card kept",
        "strategy --games 2000 --no-curves --json",
    )
)
def strategy(
    *,
    lines: Annotated[int, typer.Option(min=1, max=9, help="Lines of the card at the most.")] = 5,
    effort: Annotated[
        float,
        typer.Option(min=1, max=1000, help="Cards that one looks at a decision, on average, at the most."),
    ] = 27.0,
    rules: RulesOption = "standard",
    seed: SeedOption = 1,
    games: Annotated[
        int,
        typer.Option(
            min=30, max=1_000_000, help="Games to learn from; one and a half times as many to test."
        ),
    ] = 30_000,
    curves: Annotated[bool, typer.Option(help="Also find cards for less and for more effort.")] = True,
    card: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Measure this card instead of learning one; 'kept' is the one that comes with the program.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the card to this file.", show_default=False)
    ] = None,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Find rules that a person can follow, and measure what they are worth."""
    played = parse_rules(rules)
    refuse_shifting(played, "cards of rules are")
    if card is not None and out is not None:
        msg = "--card measures a card that is there already: leave out --out"
        raise MalformedError(msg)
    if out is not None and not out.absolute().parent.is_dir():
        msg = f"cannot write {out}: there is no such folder"
        raise OutputError(msg)
    from collapsi.cli import strategy_work as work

    if card is not None:
        found = work.measured_card(None if card == KEPT else Path(card), played, seed, games, jobs)
    else:
        found = work.learned_card(played, seed, games, lines, effort, jobs, curves=curves)
    if out is not None:
        work.write_card(out, found)
        complain(f"card written to {out}")
    if json_lines:
        sys.stdout.write(json.dumps(found.to_json()) + "\n")
    else:
        work.print_study(found)


@app.command(
    epilog=example(
        "ladder",
        "ladder --games 2000 --players card,2,perfect",
        "ladder --players card~20,4 --json",
        "ladder --rules big3 --players 2,master --games 400",
    )
)
def ladder(
    *,
    players: Annotated[
        str | None,
        typer.Option(
            help="Who plays, with commas between; card~20 makes 20 of 100 moves at random.",
            show_default="everybody",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            help="Games a pairing and colour, of each kind of deals: random, red-won, blue-won. "
            "On the big board: rounds a pairing.",
        ),
    ] = 300,
    rules: AnyRulesOption = "standard",
    card: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A card to follow.", show_default="the one of the program"),
    ] = None,
    nodes: Annotated[
        int,
        typer.Option(
            min=1_000,
            max=100_000_000,
            help="On the big board: positions that the strongest looks at for a move (4 million: a second).",
        ),
    ] = LADDER_NODES,
    seed: SeedOption = 1,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Let the card and the computer's levels play each other, and see who is how strong."""
    names = None if players is None else [name.strip() for name in players.split(",") if name.strip()]
    if is_of_crowd(None, rules):
        _crowd_ladder(names, rules, games, nodes, seed, json_lines=json_lines)
        return
    played = parse_rules(rules)
    refuse_shifting(played, "the ladder is")
    from collapsi.cli import strategy_work as work

    found = work.climbed(names, None if card in (None, KEPT) else Path(card), played, games, seed, jobs)
    if json_lines:
        sys.stdout.write(json.dumps({"rules": played.name, "seed": seed, **found.to_json()}) + "\n")
    else:
        work.print_ladder(found)


def _crowd_ladder(
    names: list[str] | None, rules: str, games: int, nodes: int, seed: int, *, json_lines: bool
) -> None:
    """The ladder of the big board."""
    from collapsi.cli import big_work
    from collapsi.games.crowd_notation import parse_crowd_rules

    agreed = parse_crowd_rules(rules)
    rungs = big_work.climbed(names, agreed, games, seed, nodes)
    if json_lines:
        data: json_shapes.CrowdLadder = {
            "rules": agreed.name,
            "seed": seed,
            "nodes": nodes,
            "rungs": [rung.to_json() for rung in rungs],
        }
        sys.stdout.write(json.dumps(data) + "\n")
    else:
        big_work.print_ladder(rungs, agreed, nodes)
