"""The commands about all deals: census, fairness, report. `census_work` is loaded when they run."""

from __future__ import annotations

import json
import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.big_facts import DEALS as BIG_DEALS
from collapsi.cli.census_tables import (
    print_census,
    print_fairness,
    print_games,
    print_turning_census,
    print_verification,
)
from collapsi.cli.common import (
    DeckOption,
    ForceOption,
    JobsOption,
    JsonOption,
    ReportBigDealsOption,
    RulesOption,
    ShiftCensusOption,
    ShiftDealsOption,
    app,
    complain,
    example,
)
from collapsi.errors import MalformedError
from collapsi.extras import needs
from collapsi.made_up import parse_deck, parse_steps, with_options
from collapsi.notation import parse_rules
from collapsi.rows import shorten
from collapsi.rules import STANDARD
from collapsi.shifting_facts import DEALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collapsi import json_shapes
    from collapsi.census import Census, GameCount
    from collapsi.rules import Rules
    from collapsi.verify import Verification


class Method(StrEnum):
    """The two ways to take the census."""

    LAYERS = "layers"
    SEARCH = "search"


FirstOption = Annotated[
    str | None,
    typer.Option(
        metavar="STEPS", help="Steps to choose from for the first move, such as 1,3.", show_default=False
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Write the atlas to this folder.", show_default=False)
]


def _rules(name: str, red_first: str | None, blue_first: str | None, deck: str | None) -> Rules:
    """The rules of a census: by name, or with other first moves or another deck."""
    rules = _with_deck(parse_rules(name), deck)
    if red_first is None and blue_first is None:
        return rules
    if rules.shift is not None:
        msg = (
            f"{rules} has one first move, of one step: --red-first and --blue-first go with standard or joker"
        )
        raise MalformedError(msg)
    if rules.uncounted:
        msg = (
            f"{rules} lets both players start anywhere: "
            "--red-first and --blue-first go with standard or joker"
        )
        raise MalformedError(msg)
    red, blue = rules.first_steps
    first_steps = (
        red if red_first is None else _steps(red_first),
        blue if blue_first is None else _steps(blue_first),
    )
    return with_options(rules, first_steps=first_steps)


def _with_deck(rules: Rules, deck: str | None) -> Rules:
    """The rules with the deck that was typed, if one was."""
    return rules if deck is None else with_options(rules, deck=parse_deck(deck))


def _steps(text: str) -> tuple[int, ...]:
    steps = parse_steps(text)
    if steps is None:
        msg = f"{shorten(text)} is no set of steps: write some of 1, 2, 3, 4 with commas between"
        raise MalformedError(msg)
    return steps


@app.command(
    epilog=example(
        "census",
        "census --rules joker --json",
        "census --out atlas --games",
        "census --red-first 1,3 --blue-first 1,2",
        "census --deck 5,4,3,2",
        "census --method search",
        "census --verify 1000",
        "census --rules shift-rotate",
    )
)
def census(
    *,
    rules: RulesOption = "standard",
    red_first: FirstOption = None,
    blue_first: FirstOption = None,
    deck: DeckOption = None,
    games: Annotated[
        bool, typer.Option("--games", help="Count all possible games instead; with --out, as well.")
    ] = False,
    method: Annotated[
        Method, typer.Option(help="layers: all deals at once. search: one by one (minutes).")
    ] = Method.LAYERS,
    verify: Annotated[
        int | None,
        typer.Option(
            min=1, max=1_000_000, help="Compare so many random deals with the search.", show_default=False
        ),
    ] = None,
    out: OutOption = None,
    force: ForceOption = False,
    keep: Annotated[
        bool | None,
        typer.Option(
            "--keep/--no-keep",
            help="With shift-rotate: keep the newest finished layer on disk, to go on from if interrupted.",
            show_default="keep",
        ),
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="With shift-rotate: only remove what was kept.")
    ] = False,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Solve every deal, and print how many there are of each length."""
    played = _rules(rules, red_first, blue_first, deck)
    if played.shift is not None:
        from collapsi.cli import turning

        left_out = {"--method search": method is Method.SEARCH, "--games": games, "--out": out is not None}
        turning.check(played, [option for option, given in left_out.items() if given])
        if forget:
            turning.forget()
        elif verify is not None:
            _print_verification(turning.verification(verify, jobs), played, json_lines=json_lines)
        else:
            turned = turning.census(jobs, keep=keep is not False)
            if json_lines:
                _print_json(turned.to_json())
            else:
                print_turning_census(turned)
        return
    if forget or keep is not None:
        msg = f"{played} takes seconds and keeps nothing: --keep, --no-keep and --forget go with shift-rotate"
        raise MalformedError(msg)
    if method is Method.SEARCH and (games or verify is not None):
        msg = "--method search solves only: leave out --games and --verify"
        raise MalformedError(msg)
    if verify is not None and (games or out is not None):
        msg = "--verify compares only: leave out --games and --out"
        raise MalformedError(msg)
    from collapsi.cli import census_work as work

    def count() -> GameCount | None:
        return work.possible_games(played, jobs) if games else None

    def solve() -> Census:
        take = work.census_by_layers if method is Method.LAYERS else work.census_by_search
        return take(played, jobs)

    if verify is not None:
        _print_verification(work.verification(played, verify, jobs), played, json_lines=json_lines)
    elif out is not None:
        from collapsi.atlas import write_atlas
        from collapsi.atlas_files import claim

        with claim(out, force=force) as place:
            counted, result = count(), solve()
            write_atlas(place, result, counted)
        complain(f"atlas written to {out}")
        _print(result, counted, json_lines=json_lines)
    else:
        counted = count()
        _print(None if counted else solve(), counted, json_lines=json_lines)


def _print(result: Census | None, games: GameCount | None, *, json_lines: bool) -> None:
    """The census, the possible games, or both."""
    if not json_lines:
        if result is not None:
            print_census(result)
        if games is not None:
            print_games(games)
    elif result is None and games is not None:
        _print_json(games.to_json())
    elif result is not None:
        data = result.to_json()
        if games is not None:
            data["possible_games"] = games.to_json()
        _print_json(data)


def _print_verification(found: Verification, played: Rules, *, json_lines: bool) -> None:
    """What was compared; differences end in exit code 1."""
    if json_lines:
        compared: json_shapes.Verification = {"rules": played.name, **found.to_json()}
        _print_json(compared)
    else:
        print_verification(found)
    if found.differences:
        raise typer.Exit(1)


def _print_json(data: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")


@app.command(epilog=example("fairness", "fairness --json", "fairness --deck 5,4,3,2"))
def fairness(*, deck: DeckOption = None, jobs: JobsOption = None, json_lines: JsonOption = False) -> None:
    """Compare all 225 opening rules: how long each player's first move may be, and who that favours."""
    from collapsi.cli import census_work as work

    rules = work.opening_rules_compared(jobs, _with_deck(STANDARD, deck))
    if json_lines:
        for rule in rules:
            _print_json(rule.to_json())
    else:
        print_fairness(rules)


@app.command(epilog=example("report --out report", "report --out report --atlas atlas"))
def report(
    *,
    out: Annotated[Path, typer.Option("--out", help="Write page, figures and tables to this folder.")],
    atlas: Annotated[
        Path | None,
        typer.Option(
            "--atlas", help="An atlas of standard rules with games, to start from.", show_default=False
        ),
    ] = None,
    shift_deals: ShiftDealsOption = DEALS,
    shift_census: ShiftCensusOption = None,
    lab_cards: Annotated[
        int,
        typer.Option(min=1, max=2, help="Decks that differ by so many cards are solved, unless 'lab' has."),
    ] = 2,
    big_deals: ReportBigDealsOption = BIG_DEALS,
    force: ForceOption = False,
    jobs: JobsOption = None,
) -> None:
    """Print the paper again, and what is new beside it, as one page with figures and tables."""
    # Matplotlib has much to say, while it is loaded, about a folder that it cannot cache in.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    with needs("report"):
        from collapsi.cli import report_work as work

    page = work.report(
        out,
        atlas,
        jobs,
        shift_deals=shift_deals,
        shift_census=shift_census,
        lab_cards=lab_cards,
        big_deals=big_deals,
        force=force,
    )
    sys.stdout.write(f"{page}\n")
