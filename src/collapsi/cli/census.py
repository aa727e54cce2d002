"""The command `census`: every deal solved, its games counted, or all opening rules compared."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import DeckOption, FixedSeedOption, ForceOption, JobsOption, JsonOption, out_option
from collapsi.cli.output import complain, print_json
from collapsi.cli.progress import amount_of_work, progress_bar, say_if_compiling
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.cli.solo import ExitOption, is_solo, solo_census
from collapsi.core.decks import deck_of, format_deck, parse_deck
from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten
from collapsi.games.classic.made_up import parse_steps, with_options
from collapsi.games.classic.rules import JOKER, STANDARD, Rules
from collapsi.games.levels import Level
from collapsi.games.registry import kind_of, parse_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.api import json_types
    from collapsi.census.fairness import OpeningRule
    from collapsi.census.games import GameCount
    from collapsi.census.layers import Layer, Question
    from collapsi.census.lengths import Census
    from collapsi.census.verify import Verification
    from collapsi.core.decks import Deck
    from collapsi.core.rules import RuleSet


GAMES = 2_000
"""Games by each opening rule that --level plays."""


class Method(StrEnum):
    """The two ways to take the census."""

    LAYERS = "layers"
    SEARCH = "search"


FirstOption = Annotated[
    str | None,
    typer.Option(
        metavar="STEPS",
        help="Steps to choose from for the first move of this player, such as 1,3.",
        show_default=False,
    ),
]


@app.command(
    epilog=examples(
        "census",
        "census --rules joker --json",
        "census --out atlas --games",
        "census --red-first 1,3 --blue-first 1,2",
        "census --deck 5,4,3,2",
        "census --openings",
        "census --openings --level card --sample 5000",
        "census --tempo",
        "census --method search",
        "census --verify 1000",
        "census --rules shift-rotate",
        "census --rules solo --deck 11112222333344 --sample 1000",
    )
)
def census(
    *,
    rules: Annotated[str, rules_option("census")] = "standard",
    red_first: FirstOption = None,
    blue_first: FirstOption = None,
    deck: DeckOption = None,
    games: Annotated[
        bool, typer.Option("--games", help="Count all possible games instead; with --out, in addition.")
    ] = False,
    openings: Annotated[
        bool, typer.Option("--openings", help="Compare all rules for the lengths of the first moves.")
    ] = False,
    tempo: Annotated[
        bool,
        typer.Option("--tempo", help="Count who wins if red starts, and who if blue starts, instead."),
    ] = False,
    level: Annotated[
        Level | None,
        typer.Option(
            help="With --openings: also let two players of this level play by each rule.", show_default=False
        ),
    ] = None,
    method: Annotated[
        Method, typer.Option(help="layers: all deals at once. search: one by one (minutes).")
    ] = Method.LAYERS,
    verify: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            metavar="DEALS",
            help="Compare layers and search on this number of random deals.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path | None, out_option("the atlas")] = None,
    force: ForceOption = False,
    keep: Annotated[
        bool | None,
        typer.Option(
            "--keep/--no-keep",
            help="With shift-rotate: store the last finished layer on disk, to resume from after a stop.",
            show_default="keep",
        ),
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="With shift-rotate: only remove the stored layer.")
    ] = False,
    exit_: ExitOption = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Solo: take a sample of this many layouts instead of all; 4×4 decks always have one. "
            "--tempo: sample this many positions of each kind (20,000). "
            f"--level: play this many games by each rule ({GAMES:,}).",
            show_default=False,
        ),
    ] = None,
    seed: FixedSeedOption = 0,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Solve every deal, and count the deals by winner and length.

    --openings compares all rules for the first moves instead: how many steps each player may choose from,
    which player that favours, and how often one move decides; 225 such rules are 64 different games. --tempo
    counts who wins each deal if the other player starts, and samples how often a player in the middle of a
    game would rather pass. With solo rules the census counts the layouts that can be solved.
    """
    given = {
        "--red-first": red_first is not None,
        "--blue-first": blue_first is not None,
        "--games": games,
        "--openings": openings,
        "--tempo": tempo,
        "--level": level is not None,
        "--verify": verify is not None,
        "--method search": method is Method.SEARCH,
        "--out": out is not None,
        "--keep, --no-keep": keep is not None,
        "--forget": forget,
    }
    options = [option for option, is_given in given.items() if is_given]
    if is_solo(parse_rules(rules)):
        if options:
            msg = f"{' and '.join(options)}: not supported for solo"
            raise MalformedError(msg)
        solo_census(deck, exit_, sample, seed, json_lines=json_lines)
        return
    if exit_ is not None or (sample is not None and not tempo and level is None):
        msg = (
            "--exit and --sample are for the solo game: add --rules solo "
            "(--sample also goes with --tempo and --level)"
        )
        raise MalformedError(msg)
    played = _rules(rules, red_first, blue_first, deck)
    if kind_of(played).shifts:  # its layers, options and stored files are its own
        from collapsi.cli import census_rotate

        census_rotate.check(played, options)
        if forget:
            census_rotate.forget()
        elif verify is not None:
            _print_verification(census_rotate.verification(verify, jobs), played, json_lines=json_lines)
        else:
            census_rotate.take(jobs, keep=keep is not False, json_lines=json_lines)
        return
    if forget or keep is not None:
        msg = f"{played} takes seconds and stores nothing: --keep, --no-keep and --forget need shift-rotate"
        raise MalformedError(msg)
    for option, others in (
        ("--tempo", ("--games", "--openings", "--verify", "--out")),
        ("--openings", ("--games", "--verify", "--method search", "--out")),
        ("--method search", ("--games", "--verify")),
        ("--verify", ("--games", "--out")),
    ):
        if option in options and (wrong := [other for other in others if other in options]):
            msg = f"{option} does not go with {' and '.join(wrong)}"
            raise MalformedError(msg)
    if level is not None and not openings:
        msg = "--level goes with --openings; for one rule set use `collapsi study RULES --level LEVEL`"
        raise MalformedError(msg)
    if openings:
        games_of = None if level is None else (level, sample or GAMES, seed)
        _compare_openings(played, red_first or blue_first, games_of, jobs, json_lines=json_lines)
    elif tempo:
        _print_tempo(played, method, sample, seed, jobs, json_lines=json_lines)
    elif verify is not None:
        _print_verification(_verification(played, verify, jobs), played, json_lines=json_lines)
    else:
        _take(played, method, out, jobs, games=games, force=force, json_lines=json_lines)


def _rules(name: str, red_first: str | None, blue_first: str | None, deck: str | None) -> Any:
    """Read the rules of a census: by name, or with other first moves or another deck."""
    rules = read_rules("census", name)
    if deck is not None:
        rules = parse_rules(f"{rules.name.partition('@')[0]}@{format_deck(parse_deck(deck))}")
    if red_first is None and blue_first is None:
        return rules
    if kind_of(rules).shifts or rules.uncounted:  # only the classic game has a choice of first steps
        why = "lets both players start anywhere" if rules.uncounted else "has a first move of one step"
        msg = f"{rules} {why}: --red-first and --blue-first need standard or joker"
        raise MalformedError(msg)
    red, blue = rules.first_steps
    first_steps = (
        red if red_first is None else _steps(red_first),
        blue if blue_first is None else _steps(blue_first),
    )
    return with_options(rules, first_steps=first_steps)


def _steps(text: str) -> tuple[int, ...]:
    steps = parse_steps(text)
    if steps is None:
        msg = f"{shorten(text)} is not a set of steps: write some of 1, 2, 3, 4 separated by commas"
        raise MalformedError(msg)
    return steps


def _take(
    rules: Rules,
    method: Method,
    out: Path | None,
    jobs: int | None,
    *,
    games: bool,
    force: bool,
    json_lines: bool,
) -> None:
    """Take the census, count the games, or write both to an atlas."""
    solve = census_by_layers if method is Method.LAYERS else _census_by_search
    if out is not None:
        from collapsi.census.atlas import write_atlas
        from collapsi.census.atlas_files import open_writer

        with open_writer(out, force=force) as place:
            counted = possible_games(rules, jobs) if games else None
            result = solve(rules, jobs)
            write_atlas(place, result, counted)
        complain(f"atlas written to {out}")
        _print(result, counted, json_lines=json_lines)
    elif games:
        _print(None, possible_games(rules, jobs), json_lines=json_lines)
    else:
        _print(solve(rules, jobs), None, json_lines=json_lines)


def _print(result: Census | None, games: GameCount | None, *, json_lines: bool) -> None:
    """Print the census, the possible games, or both."""
    from collapsi.cli.census_tables import print_census, print_games

    if not json_lines:
        if result is not None:
            print_census(result)
        if games is not None:
            print_games(games)
    elif result is None and games is not None:
        print_json(games.to_json())
    elif result is not None:
        data = result.to_json()
        if games is not None:
            data["possible_games"] = games.to_json()
        print_json(data)


def _print_verification(found: Verification, played: RuleSet, *, json_lines: bool) -> None:
    """Print what was compared; differences give exit code 1."""
    from collapsi.cli.census_tables import print_verification

    if json_lines:
        compared: json_types.Verification = {"rules": played.name, **found.to_json()}
        print_json(compared)
    else:
        print_verification(found)
    if found.differences:
        raise typer.Exit(1)


def _compare_openings(
    rules: Rules,
    first: str | None,
    played: tuple[Level, int, int] | None,
    jobs: int | None,
    *,
    json_lines: bool,
) -> None:
    """Compare the opening rules; `played` are the level, the number of games and the seed."""
    from collapsi.cli.census_tables import print_openings

    if rules.first_steps != STANDARD.first_steps or first is not None:
        msg = "--openings compares all rules for the first moves: name none (a deck is possible)"
        raise MalformedError(msg)
    if played is not None and played[0].never_errs:
        msg = "leave the level out for perfect play: --openings counts it exactly"
        raise MalformedError(msg)
    found = opening_rules_compared(jobs, rules)
    if played is not None:
        found = _opening_rules_played(found, *played, jobs)
    if not json_lines:
        print_openings(found, None if played is None else played[0])
        return
    for rule in found:
        print_json(rule.to_json())


def _print_tempo(
    rules: Rules, method: Method, sample: int | None, seed: int, jobs: int | None, *, json_lines: bool
) -> None:
    from collapsi.census.tempo import SAMPLE, count_tempo, refuse_unequal, sample_passing
    from collapsi.cli.census_tables import print_tempo

    refuse_unequal(rules)
    result = (census_by_layers if method is Method.LAYERS else _census_by_search)(rules, jobs)
    counts = count_tempo(result)
    passing = sample_passing(rules, size=sample or SAMPLE, seed=seed, jobs=jobs)
    if not json_lines:
        print_tempo(result, counts, passing)
        return
    data: json_types.AllTempo = {
        "rules": rules.name,
        "deals": result.deals,
        "counts": [count.to_json() for count in counts],
        "passing": [row.to_json() for row in passing],
    }
    print_json(data)


def census_by_layers(rules: Rules, jobs: int | None) -> Census:
    """Solve all deals at once, with a progress bar."""
    from collapsi.census.layers import VALUES
    from collapsi.census.lengths import take_census

    with _layers_progress(rules, VALUES) as progress:
        return take_census(rules, jobs=jobs, progress=progress)


def _census_by_search(rules: Rules, jobs: int | None) -> Census:
    """Solve every truly different deal by itself."""
    from collapsi.census.different import count_different
    from collapsi.census.layers import layers_of
    from collapsi.census.lengths import take_census_by_search
    from collapsi.games.classic.compiled import solve_many
    from collapsi.solving.jit import check_compiles

    check_compiles()  # counting the deals alone takes minutes interpreted
    layers_of(rules)  # refuses rules whose deals cannot be counted
    with progress_bar(count_different(rules), "deals", solvers=[solve_many]) as advance:
        return take_census_by_search(
            rules, jobs=jobs, progress=lambda done, total, more: advance(f"{done:,} of {total:,} deals", more)
        )


def possible_games(rules: Rules, jobs: int | None) -> GameCount:
    """Count the possible games of every deal, with a progress bar."""
    from collapsi.census.games import count_all_games
    from collapsi.census.layers import GAMES

    with _layers_progress(rules, GAMES) as progress:
        return count_all_games(rules, jobs=jobs, progress=progress)


def _verification(rules: Rules, count: int, jobs: int | None) -> Verification:
    """Compare random deals, other ones every time, with the search."""
    import numpy as np

    from collapsi.census.layers import VALUES
    from collapsi.census.verify import verify

    with _layers_progress(rules, VALUES) as progress:
        return verify(rules, count, np.random.default_rng(), jobs=jobs, progress=progress)


def opening_rules_compared(jobs: int | None, rules: Rules = STANDARD) -> list[OpeningRule]:
    """Compare all opening rules, fairest first, with the deck of these rules."""
    from collapsi.census.fairness import STEP_SETS, compare_opening_rules
    from collapsi.census.layers import ONE_LINE, VALUES, is_ready

    check_memory_for_all("the comparison", deck_of(rules))
    say_if_compiling(ready=is_ready(VALUES) and is_ready(ONE_LINE))
    layers = 13 + len(STEP_SETS)  # of 2 to 14 cards, then blue's first moves; for two questions
    with progress_bar(2 * layers, "layers") as advance:
        return compare_opening_rules(deck_of(rules), jobs=jobs, progress=advance)


def _opening_rules_played(
    rules: list[OpeningRule], level: Level, games: int, seed: int, jobs: int | None
) -> list[OpeningRule]:
    """Let players of one level play by every opening rule, with a progress bar."""
    from collapsi.census.fairness import play_opening_rules

    with progress_bar(len(rules), "games") as advance:
        return play_opening_rules(rules, level, deals=games, seed=seed, jobs=jobs, progress=advance)


def check_memory_for_all(what: str, deck: Deck | None = None) -> None:
    """Check that there is memory for the layers of all first moves."""
    from collapsi.census.layers import VALUES, bytes_needed, layers_of
    from collapsi.system.memory import check_memory

    check_memory(bytes_needed(layers_of(with_options(JOKER, deck=deck)), VALUES), what)


@contextmanager
def _layers_progress(rules: Rules, question: Question) -> Iterator[Callable[[Layer], None]]:
    """Check the memory for a sweep and show a bar over its layers."""
    from collapsi.census.deals import count_deals
    from collapsi.census.layers import bytes_needed, is_ready, layers_of, positions_in
    from collapsi.system.memory import check_memory

    every = layers_of(rules)
    memory, positions = bytes_needed(every, question), sum(map(positions_in, every.values()))
    check_memory(memory, rules.name)
    if deck_of(rules) != deck_of(STANDARD):
        complain(f"{rules}: {count_deals(rules):,} deals, {amount_of_work(positions, memory)}")
    say_if_compiling(ready=is_ready(question))
    with progress_bar(positions, "layers") as advance:
        yield lambda layer: advance(
            f"{layer.cards:>2} cards, {len(layer.index):,} shapes", positions_in(layer)
        )
