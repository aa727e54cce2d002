"""The commands of the solo game: deal, solve, count, census, play."""

from __future__ import annotations

import json
import random
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

from collapsi.cli.batches import answers, show_each
from collapsi.cli.common import JsonOption, app, example, new_console, print_table
from collapsi.errors import IllegalMoveError
from collapsi.games.solo import SoloGame
from collapsi.games.solo_analysis import analyse_solo, ways
from collapsi.games.solo_census import sample_census, take_census
from collapsi.games.solo_deals import DECKS, Difficulty, deal_solvable, parse_deck
from collapsi.games.solo_notation import format_solo, format_solo_game, parse_solo, parse_solo_game
from collapsi.rules import Exit
from collapsi.solve.solo import Table, count_solutions, moves_to_take_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from collapsi import json_shapes
    from collapsi.games.solo import Solo
    from collapsi.games.solo_analysis import SoloAnalysis
    from collapsi.games.solo_census import SoloCensus

LAYOUT = "A2X/3Jr2/A2A"
SAMPLE = 300
"""Layouts of a sample for decks with too many layouts to count, where none is asked for: some seconds."""
COMMANDS = "a square (b1), or: hint, check, undo, back, moves, solution, help, quit"


def _complete_deck(incomplete: str) -> list[str]:
    return [name for name in DECKS if name.startswith(incomplete)]


LayoutsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="LAYOUT...",
        help=f'Positions or games, such as "{LAYOUT}"; - reads one a line from standard input.',
        show_default=False,
    ),
]
DeckOption = Annotated[
    str,
    typer.Option(
        help="official, or an unofficial one by its numbers, such as 1122334 or 11112222333344 (4×4).",
        autocompletion=_complete_deck,
    ),
]
ExitOption = Annotated[
    Exit | None,
    typer.Option(
        "--exit",
        help="closed: the exit may not be passed over before the end.",
        show_default="as the layout says, or open",
    ),
]
ReadingOption = Annotated[
    Exit, typer.Option("--exit", help="closed: the exit may not be passed over before the end.")
]
DifficultyOption = Annotated[
    Difficulty | None,
    typer.Option(
        help="By the share of random play that succeeds; about a third of a deck's layouts each.",
        show_default="any",
    ),
]
SeedOption = Annotated[
    int | None, typer.Option(min=0, help="The same seed gives the same layouts.", show_default="random")
]

solo_app = typer.Typer(
    help="The solo game: collapse every card, then leave by the exit.\n\n"
    f'A position is its rows from the top: "{LAYOUT}". X is the exit, r stands after the card with the pawn, '
    "a dot is a collapsed card. After it may come closed (the exit may not be passed over before the end) "
    "and moves (b1 a3 …); then the position after those moves is meant."
)
app.add_typer(solo_app, name="solo")


@solo_app.command(
    "deal",
    epilog=example(
        "solo deal --seed 7",
        "solo deal --difficulty hard --count 3",
        "solo deal --deck 11112222333344 --difficulty easy",
        "solo deal --count 100 | collapsi solo solve --json -",
    ),
)
def solo_deal(
    *,
    deck: DeckOption = "official",
    difficulty: DifficultyOption = None,
    exit_: ReadingOption = Exit.OPEN,
    seed: SeedOption = None,
    count: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
) -> None:
    """Deal layouts that can be solved, one a line."""
    rng = random.Random(seed)
    chosen = parse_deck(deck)
    for _ in range(count):
        dealt = deal_solvable(rng, chosen, exit_, difficulty)
        sys.stdout.write(format_solo(dealt) + "\n")
        sys.stdout.flush()


@solo_app.command(
    "solve",
    epilog=example(
        f'solo solve "{LAYOUT}"',
        f'solo solve --json --exit closed "{LAYOUT} b1"',
        "solo deal --count 100 | collapsi solo solve --json -",
    ),
)
def solo_solve(
    layouts: LayoutsArgument,
    *,
    exit_: ExitOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Say whether layouts can be solved, in how many ways and by which moves, and show a solution."""
    console = new_console()

    def answer(batch: Sequence[Solo]) -> Iterable[SoloAnalysis]:
        return map(analyse_solo, batch)

    found = answers(layouts, partial(parse_solo, reading=exit_), answer)
    show_each(console, found, _print_analysis, json_lines=json_lines)


def _print_analysis(console: Console, analysis: SoloAnalysis) -> None:
    if not console.is_terminal:
        sys.stdout.write(f"{format_solo(analysis.position)}\n{analysis}\n")
        return
    from collapsi import terminal

    console.print(terminal.draw_board(analysis.position, analysis), sep="", end="")
    console.print(analysis.verdict, style="green" if analysis.solvable else "red")
    for move in analysis.moves:
        console.print(f"[bold]{move.name}[/]  [{terminal.value_style(move, best=move.wins)}]{move}[/]")
    if analysis.solution:
        console.print("a solution, step by step", style="dim")
        for line in analysis.steps():
            console.print(line, markup=False)


@solo_app.command(
    "count", epilog=example(f'solo count "{LAYOUT}"', "solo deal --count 100 | collapsi solo count -")
)
def solo_count(
    layouts: LayoutsArgument,
    *,
    exit_: ExitOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Count the solutions: different orders in which the cards can be landed on."""
    console = new_console()

    def answer(batch: Sequence[Solo]) -> Iterable[tuple[Solo, int]]:
        return ((position, count_solutions(position)) for position in batch)

    for position, count in answers(layouts, partial(parse_solo, reading=exit_), answer):
        if json_lines:
            counted: json_shapes.SoloCount = {"position": format_solo(position), "solutions": count}
            sys.stdout.write(json.dumps(counted) + "\n")
        else:
            sys.stdout.write(f"{count:,}\n" if console.is_terminal else f"{count}\n")


@solo_app.command(
    "census",
    epilog=example(
        "solo census",
        "solo census --exit closed --json",
        "solo census --deck 1122334",
        "solo census --deck 11112222333344 --sample 1000 --seed 1",
    ),
)
def solo_census(
    *,
    deck: DeckOption = "official",
    exit_: ReadingOption = Exit.OPEN,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Draw so many layouts instead of looking at all; 4×4 decks always, {SAMPLE} of them.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the sample.")] = 0,
    json_lines: JsonOption = False,
) -> None:
    """Say how many layouts of a deck can be solved, and in how many ways. The start stays in one place."""
    chosen, reading = parse_deck(deck), exit_
    if sample is None and chosen.board.size > 9:
        sample = SAMPLE
    census = (
        take_census(chosen, reading)
        if sample is None
        else sample_census(chosen, reading, count=sample, seed=seed)
    )
    if json_lines:
        sys.stdout.write(json.dumps(census.to_json()) + "\n")
    else:
        _print_census(new_console(), census)


def _print_census(console: Console, census: SoloCensus) -> None:
    deck = census.deck
    board = f"{deck.board.rows}×{deck.board.columns}"
    console.print(f"solo, deck {deck.numbers} on {board}, exit {census.reading}")
    all_layouts = f"{deck.layouts:,} layouts with the start in one place"
    if census.is_sample:
        low, high = census.interval
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
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("solutions", "layouts", "per cent"):
        grid.add_column(name, justify="right")
    for size, count in census.spread():
        grid.add_row(size, f"{count:,}", f"{100 * count / census.layouts:.2f}")
    print_table(console, grid)


@solo_app.command(
    "play",
    epilog=example(
        "solo play",
        "solo play --difficulty hard --seed 7",
        "solo play --deck 11112222333344",
        f'solo play "{LAYOUT} b1"',
    ),
)
def solo_play(
    layout: Annotated[
        str | None, typer.Argument(help="A layout or game to play on from.", show_default="a new one")
    ] = None,
    *,
    deck: DeckOption = "official",
    difficulty: DifficultyOption = None,
    exit_: ExitOption = None,
    seed: SeedOption = None,
) -> None:
    """Play in the terminal, with hints, undo, "still solvable?" and solutions."""
    if layout is None:
        game = SoloGame.start(
            deal_solvable(random.Random(seed), parse_deck(deck), exit_ or Exit.OPEN, difficulty)
        )
    else:
        game = parse_solo_game(layout, reading=exit_)
    console = new_console()
    table = Table(game.positions[0])
    _say(console, format_solo_game(game))
    if not game.position.solved:
        _say(console, f"your move is {COMMANDS}")
    while not game.position.solved:
        _show(console, game.position)
        if not game.position.moves:
            _say(console, _take_back(game, table))
        following = _turn(console, game, table)
        if following is None:
            _say(console, f"game so far: {format_solo_game(game)}")
            return
        game = following
    _show(console, game.position)
    _say(console, f"solved in {len(game.moves)} moves\ngame: {format_solo_game(game)}")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False)


def _show(console: Console, position: Solo) -> None:
    if not console.is_terminal:
        _say(console, str(position))
        return
    from collapsi import terminal

    console.print(terminal.draw_board(position), position.turn, sep="")


def _turn(console: Console, game: SoloGame, table: Table) -> SoloGame | None:
    """The game after what the player says, or None to stop."""
    while True:
        if console.is_terminal:
            console.print("> ", end="")
        line = sys.stdin.buffer.readline() if sys.stdin else b""
        word = line.decode(errors="replace").strip().lower()
        if not line or word in ("quit", "exit", "q"):
            return None
        if word in ("undo", "back"):
            fewer = _fewer(game, table, word)
            if fewer is not None:
                return fewer
            _say(console, "there is no move to take back" if word == "undo" else _take_back(game, table))
        elif word == "solution":
            played = _play_out(console, game, table)
            if played is not None:
                return played
        elif word in ("hint", "check", "moves", "help", ""):
            _say(console, _answer(game, table, word))
        else:
            try:
                return game.play(word)
            except IllegalMoveError as error:
                _say(console, str(error))


def _fewer(game: SoloGame, table: Table, word: str) -> SoloGame | None:
    """The game with its last move taken back (undo), or all that spoilt it (back); None if there are none."""
    moves = 1 if word == "undo" else moves_to_take_back(game, table)
    if not moves or len(game.positions) <= moves:
        return None
    for _ in range(moves):
        game = game.undo()
    return game


def _take_back(game: SoloGame, table: Table) -> str:
    """Whether the board can still be solved, and if not how far to go back."""
    moves = moves_to_take_back(game, table)
    if moves is None:
        return "this board cannot be solved, from its first move on"
    if moves:
        plural = "s" * (moves > 1)
        return f"no solution from here: take back {moves} move{plural} (undo, or back for all at once)"
    return f"it can still be solved, in {ways(table.count(game.position))}"


def _answer(game: SoloGame, table: Table, word: str) -> str:
    position = game.position
    if word == "check":
        return _take_back(game, table)
    if word == "moves":
        return " ".join(map(position.move_text, position.moves)) or "none: the pawn is stuck"
    if word == "hint":
        keeping = table.keeping(position)
        if not keeping:
            return _take_back(game, table)
        best = max(keeping, key=lambda move: table.share(position.play(move)))
        walk = " ".join(map(position.board.square, position.path(best)))
        others = len(position.moves) - len(keeping)
        fate = (
            "the only move that keeps it solvable"
            if len(keeping) == 1 and others
            else "a move that keeps it solvable"
        )
        return f"{position.move_text(best)} ({walk}): {fate}"
    return f"your move is {COMMANDS}"


def _play_out(console: Console, game: SoloGame, table: Table) -> SoloGame | None:
    """The game played to its end by a solution, board by board; None if there is no solution."""
    solution = next(table.solutions(game.position), None)
    if solution is None:
        _say(console, _take_back(game, table))
        return None
    for move in solution:
        position = game.position
        walk = " ".join(map(position.board.square, position.path(move)))
        game = game.play(move)
        _say(console, f"\n{len(game.moves)}. {position.move_text(move)}  ({walk})")
        if not game.position.solved:  # the last board is shown by who asked
            _show(console, game.position)
    return game
