"""The command `deal`: random deals of any kind of game."""

from __future__ import annotations

import random
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import SeedOption
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.cli.solo import ExitOption, SoloDeckOption, solo_dealer
from collapsi.games.registry import deal as deal_cards
from collapsi.games.solo.deals import Difficulty

if TYPE_CHECKING:
    from collections.abc import Callable


@app.command(
    epilog=examples(
        "deal",
        "deal --seed 7 --count 3",
        "deal --rules big3",
        "deal --rules solo --difficulty hard",
        "deal --count 1000 | collapsi solve --json -",
    )
)
def deal(
    *,
    seed: SeedOption = None,
    count: Annotated[int, typer.Option(min=1, help="Number of deals.")] = 1,
    rules: Annotated[str, rules_option("deal")] = "standard",
    difficulty: Annotated[
        Difficulty | None,
        typer.Option(
            help="Solo: by the share of random play that succeeds; each has a third of the layouts.",
            show_default="any",
        ),
    ] = None,
    deck: SoloDeckOption = None,
    exit_: ExitOption = None,
) -> None:
    """Deal at random, one position per line."""
    rng = random.Random(seed)
    dealt = read_rules("deal", rules)
    make: Callable[[], Any] = partial(deal_cards, rng, dealt)
    if difficulty is not None or deck is not None or exit_ is not None:
        make = solo_dealer(rng, dealt, deck, exit_, difficulty)
    for _ in range(count):
        sys.stdout.write(f"{make().text}\n")
