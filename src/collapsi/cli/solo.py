"""What only the solo game has: decks and levels of difficulty for `deal`, and its own census."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.output import new_console, new_table, print_json, print_table
from collapsi.core.errors import MalformedError
from collapsi.games.solo.rules import Exit

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from collapsi.core.rules import RuleSet
    from collapsi.games.solo.census import SoloCensus
    from collapsi.games.solo.deals import Difficulty
    from collapsi.games.solo.state import Solo

SAMPLE = 300
"""Layouts in the sample of a deck that has too many to count: some seconds of work."""


def _complete_deck(incomplete: str) -> list[str]:
    from collapsi.games.solo.deals import DECKS

    return [name for name in DECKS if name.startswith(incomplete)]


SoloDeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        metavar="DECK",
        help="Solo: official, or the numbers of another deck, such as 1122334 or 11112222333344 (4×4).",
        autocompletion=_complete_deck,
        show_default="official",
    ),
]
ExitOption = Annotated[
    Exit | None,
    typer.Option(
        "--exit", help="Solo: closed: the exit may not be passed over before the end.", show_default="open"
    ),
]


def is_solo(rules: RuleSet) -> bool:
    """Whether these are rules of the solo game, which alone has decks by number, difficulties and exits."""
    return rules.kind == "solo"


def solo_dealer(
    rng: random.Random, rules: RuleSet, deck: str | None, exit_: Exit | None, difficulty: Difficulty | None
) -> Callable[[], Solo]:
    """Return a function that deals solvable layouts."""
    from collapsi.games.solo.deals import deal_solvable, parse_deck

    if not is_solo(rules):
        msg = f"--deck, --difficulty and --exit are for the solo game, not for {rules}: add --rules solo"
        raise MalformedError(msg)
    return partial(deal_solvable, rng, parse_deck(deck or "official"), exit_ or Exit.OPEN, difficulty)


def solo_census(
    deck: str | None, exit_: Exit | None, sample: int | None, seed: int, *, json_lines: bool
) -> None:
    """Count the solvable layouts of a deck, or of a sample, with the start in one place."""
    from collapsi.games.solo.census import sample_census, take_census
    from collapsi.games.solo.deals import parse_deck

    chosen, reading = parse_deck(deck or "official"), exit_ or Exit.OPEN
    if sample is None and chosen.board.size > 9:
        sample = SAMPLE
    if sample is None:
        census = take_census(chosen, reading)
    else:
        census = sample_census(chosen, reading, count=sample, seed=seed)
    if json_lines:
        print_json(census.to_json())
    else:
        _print_census(census)


def _print_census(census: SoloCensus) -> None:
    console = new_console()
    deck = census.deck
    board = f"{deck.board.rows}×{deck.board.columns}"
    console.print(f"solo, deck {deck.numbers} on {board}, exit {census.reading}")
    all_layouts = f"{deck.layouts:,} layouts with the start in one place"
    if census.is_sample:
        low, high = census.rate.interval
        console.print(f"a sample: {census.layouts:,} of {all_layouts}, seed {census.seed}")
        share = f"{100 * census.solvable / census.layouts:.1f} %"
        between = f"of all layouts {100 * low:.1f} to {100 * high:.1f} % (95 % confidence)"
        console.print(f"{census.solvable:,} of the sample can be solved, {share}: {between}")
    else:
        console.print(f"all {all_layouts}, {census.different:,} truly different")
        console.print(f"{census.solvable:,} can be solved, {100 * census.solvable / census.layouts:.1f} %")
    if census.solvable:
        console.print(f"solutions of those that can be solved: {census.median():,} at the median")
        console.print(str(deck.scale(census.reading)))
    console.print()
    table = new_table("solutions", "layouts", "per cent")
    for size, count in census.spread():
        table.add_row(size, f"{count:,}", f"{100 * count / census.layouts:.2f}")
    print_table(console, table)
