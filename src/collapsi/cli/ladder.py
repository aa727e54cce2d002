"""The command `ladder`: the levels of the computer against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.cli.app import app, examples
from collapsi.cli.options import FixedSeedOption, JobsOption, JsonOption
from collapsi.cli.output import new_console, new_table, print_json, print_table
from collapsi.cli.progress import progress_bar
from collapsi.cli.rule_sets import read_rules, rules_option
from collapsi.cli.strategy import read_card_option
from collapsi.core.errors import MalformedError
from collapsi.facts.big import LADDER_NODES

if TYPE_CHECKING:
    from collections.abc import Collection

    from collapsi.api import json_types
    from collapsi.core.intervals import Rate
    from collapsi.facts.big.rounds import Rung
    from collapsi.games.big.rules import BigRules
    from collapsi.games.classic.rules import Rules
    from collapsi.play.characters import Character
    from collapsi.play.strategy.ladder import HeadToHead, Ladder
    from collapsi.play.strategy.won_back import WonBack

PIPE_WIDTH, BIG_PIPE_WIDTH = 160, 200


@app.command(
    epilog=examples(
        "ladder",
        "ladder --games 2000 --players card,2,perfect",
        "ladder --players card~20,4 --json",
        "ladder --neighbours --games 800",
        "ladder --won-back --players card,master --games 200",
        "ladder --rules big3 --players 2,master --games 400",
    )
)
def ladder(
    *,
    players: Annotated[
        str | None,
        typer.Option(
            help="Levels, separated by commas; card~20 makes 20 of 100 moves at random.",
            show_default="all levels",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            help="Games per pairing and colour, for each kind of deals: random, won by red, won by blue. "
            "On the big board: rounds per pairing.",
        ),
    ] = 300,
    rules: Annotated[str, rules_option("ladder")] = "standard",
    card: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The card that the level card follows.",
            show_default="the card of this program",
        ),
    ] = None,
    nodes: Annotated[
        int,
        typer.Option(
            min=1_000,
            max=100_000_000,
            help="On the big board: positions that the strongest level searches per move "
            "(4 million: one second).",
        ),
    ] = LADDER_NODES,
    neighbours: Annotated[
        bool,
        typer.Option(
            "--neighbours",
            help="Only play each level against the one before it, on random deals with both colours.",
        ),
    ] = False,
    won_back: Annotated[
        bool,
        typer.Option(
            "--won-back",
            help="How many lost positions tempting wins back from each player, compared with perfect.",
        ),
    ] = False,
    seed: FixedSeedOption = 1,
    jobs: JobsOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Let the levels of the computer play each other."""
    names = None if players is None else [name.strip() for name in players.split(",") if name.strip()]
    played = read_rules("ladder", rules)
    if played.kind == "big":  # its ladder is measured by rounds of two to four players, from every seat
        if neighbours or won_back:
            msg = "the ladder of the big board always plays neighbours: leave out --neighbours and --won-back"
            raise MalformedError(msg)
        _big_ladder(names, played, games, nodes, seed, json_lines=json_lines)
        return
    if neighbours and won_back:
        msg = "choose one of --neighbours and --won-back"
        raise MalformedError(msg)
    chosen = _characters(names, card, fewest=1 if won_back else 2)
    if won_back:
        rows = _play_won_back(chosen, card, played, games, seed, jobs)
        if json_lines:
            table: json_types.WonBackTable = {
                "rules": played.name,
                "seed": seed,
                "won_back": [row.to_json() for row in rows],
            }
            print_json(table)
        else:
            _print_won_back(rows)
        return
    if neighbours:
        matches = _play_neighbours(chosen, played, games, seed, jobs)
        if json_lines:
            data: json_types.Neighbours = {
                "rules": played.name,
                "seed": seed,
                "matches": [match.to_json() for match in matches],
            }
            print_json(data)
        else:
            _print_neighbours(matches)
        return
    found = _climb(chosen, played, games, seed, jobs)
    if json_lines:
        print_json({"rules": played.name, "seed": seed, **found.to_json()})
    else:
        _print_ladder(found)


def _characters(names: list[str] | None, card: str | None, *, fewest: int) -> tuple[Character, ...]:
    """Return the named players in the given order, or all levels, weakest first."""
    from collapsi.play.strategy.players import character, characters

    rule_card = read_card_option(card)
    if names is None:
        return characters(rule_card)
    players = tuple(character(name, rule_card) for name in names)
    _check_players([player.name for player in players], fewest)
    return players


def _check_players(names: Collection[str], fewest: int = 2) -> None:
    if len(set(names)) < max(fewest, len(names)):
        msg = f"a ladder needs at least {'two players' if fewest > 1 else 'one player'}, each named once"
        raise MalformedError(msg)


def _climb(players: tuple[Character, ...], rules: Rules, games: int, seed: int, jobs: int | None) -> Ladder:
    """Let all players play each other."""
    import numpy as np

    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.ladder import play_ladder

    rng = np.random.default_rng(seed)
    with progress_bar(len(players) ** 2, "games", solvers=[count_words]) as advance:
        return play_ladder(players, games, rng, rules, jobs=jobs, progress=advance)


def _play_neighbours(
    players: tuple[Character, ...], rules: Rules, games: int, seed: int, jobs: int | None
) -> tuple[HeadToHead, ...]:
    """Let each player play the one before it."""
    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.ladder import play_neighbours

    with progress_bar(len(players) - 1, "games", solvers=[count_words]) as advance:
        return play_neighbours(players, games, seed, rules, jobs=jobs, progress=advance)


def _play_won_back(
    opponents: tuple[Character, ...], card: str | None, rules: Rules, games: int, seed: int, jobs: int | None
) -> tuple[WonBack, ...]:
    """Let the two levels that never err play lost positions."""
    from collapsi.games.classic.counting import count_words
    from collapsi.play.strategy.won_back import PLIES, play_won_back

    tempting, perfect = _characters(["tempting", "perfect"], card, fewest=2)
    with progress_bar(len(PLIES) * len(opponents), "games", solvers=[count_words]) as advance:
        return play_won_back((tempting, perfect), opponents, games, seed, rules, jobs=jobs, progress=advance)


def _print_ladder(found: Ladder) -> None:
    """Print the standings, and the results of each pairing from deals that the player can win."""
    console = new_console(PIPE_WIDTH)
    console.print("Games won against all others, in per cent (95 % interval)\n")
    table = new_table(
        "player", "random deals", "red’s deals, as red", "blue’s deals, as blue", "", left=("player", "")
    )
    for standing in found.standings:
        rates = (standing.random, standing.red_won, standing.blue_won)
        table.add_row(standing.name, *map(_rate, rates), standing.text)
    print_table(console, table)
    names = [standing.name for standing in found.standings]
    for title, red_side in (
        ("As red, from deals that red can win", True),
        ("As blue, from deals that blue can win", False),
    ):
        console.print(f"\n{title}: won of 100 against …\n")
        table = new_table("", *names, left=("",))
        for name in names:
            cells = {
                (pairing.blue if red_side else pairing.red): (
                    pairing.red_won if red_side else pairing.blue_won
                )
                for pairing in found.pairings
                if (pairing.red if red_side else pairing.blue) == name
            }
            table.add_row(name, *(f"{100 * cells[other].share:.1f}" for other in names))
        print_table(console, table)


def _print_neighbours(matches: tuple[HeadToHead, ...]) -> None:
    """Print the result of each player against the one before it."""
    console = new_console(PIPE_WIDTH)
    console.print("Games won, in per cent (95 % interval): the same random deals with both colours\n")
    table = new_table("player", "against", "games", "won", left=("player", "against"))
    for match in matches:
        table.add_row(match.player, match.against, f"{match.won.cases:,}", _rate(match.won))
    print_table(console, table)


def _print_won_back(rows: tuple[WonBack, ...]) -> None:
    """Print the positions won back from each opponent."""
    console = new_console(PIPE_WIDTH)
    console.print("Lost positions won back, in per cent (95 % interval), after some random plies\n")
    names = list(rows[0].won)
    table = new_table("against", "plies", "positions", *names, "difference", left=("against",))
    for row in rows:
        rates = list(row.won.values())
        mean, low, high = (
            100 * number for number in (row.difference.value, row.difference.low, row.difference.high)
        )
        difference = f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"
        table.add_row(row.against, str(row.plies), f"{rates[0].cases:,}", *map(_rate, rates), difference)
    print_table(console, table)


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{100 * rate.share:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def _big_ladder(
    names: list[str] | None, rules: BigRules, games: int, nodes: int, seed: int, *, json_lines: bool
) -> None:
    """Play one level against another one at all other seats."""
    from collapsi.facts.big.rounds import measure_ladder, pairings
    from collapsi.games.big.compiled import grow, search
    from collapsi.games.big.levels import level_named, levels

    climbing = list(levels(rules))
    if names is not None:
        wanted = [level_named(name, rules) for name in names]
        _check_players(wanted)
        climbing = [level for level in climbing if level in wanted]
    with progress_bar(len(pairings(climbing)), "rounds", solvers=(grow, search)) as advance:
        rungs = measure_ladder(climbing, rules, games, seed=seed, nodes=nodes, progress=advance)
    if json_lines:
        data: json_types.BigLadder = {
            "rules": rules.name,
            "seed": seed,
            "nodes": nodes,
            "rungs": [rung.to_json() for rung in rungs],
        }
        print_json(data)
    else:
        _print_big_ladder(rungs, rules, nodes)


def _print_big_ladder(rungs: tuple[Rung, ...], rules: BigRules, nodes: int) -> None:
    from collapsi.games.big.levels import level_text, levels

    console = new_console(BIG_PIPE_WIDTH)
    console.print(
        f"Rounds won by one level when all other seats are another’s, {rules} rules (95 % interval).\n"
        f"A fair share is {100 / rules.players:.1f} %. "
        f"{levels(rules)[-1]} searches {nodes:,} positions per move.\n"
    )
    text_columns = ("level", "all others", "")
    table = new_table(
        "level", "all others", "rounds", "won", "points", "CPU ms a move", "", left=text_columns, no_wrap=True
    )
    for rung in rungs:
        table.add_row(
            rung.level,
            rung.others,
            f"{rung.won.cases:,}",
            str(rung.won),
            str(rung.points),
            f"{rung.milliseconds:.1f}",
            level_text(rung.level),
        )
    print_table(console, table)
