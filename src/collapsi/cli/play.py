"""The command `play`: a game in the terminal, where each side is a person or a level of the computer."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import collapsi
from collapsi.batch import read_line
from collapsi.cli.common import RulesOption, app, complain, example, new_console
from collapsi.coach import why_best
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.notation import format_game, parse_game, parse_rules
from collapsi.opponent import FIRST_MET, Level, choose_move
from collapsi.rules import Player

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.game import Game

HUMAN = "you"
PLAYERS = ", ".join([HUMAN, *Level])
COMMANDS = "a square (d1), or: hint, why, values, undo, moves, help, quit"


@app.command(
    epilog=example(
        "play --level card",
        "play --level 1 --blue you --rules joker",
        "play --red you --blue you --seed 7",
        "play --red perfect --blue random",
    )
)
def play(
    deal: Annotated[
        str | None, typer.Argument(help="A position or game to play on from.", show_default="a random deal")
    ] = None,
    *,
    level: Annotated[
        Level | None,
        typer.Option(
            help="How well the computer plays, weakest first; 1, 2 and 4 look so many moves ahead.",
            show_default=FIRST_MET.value,
        ),
    ] = None,
    red: Annotated[
        str | None,
        typer.Option(
            help=f"Who plays red: {PLAYERS}. If only one colour is said, it is you against the computer.",
            show_default=HUMAN,
        ),
    ] = None,
    blue: Annotated[
        str | None, typer.Option(help="Who plays blue, likewise.", show_default="the computer")
    ] = None,
    rules: RulesOption = "standard",
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same deal.", show_default="random")
    ] = None,
) -> None:
    """Play a game: you are red and the computer is blue, unless --red and --blue say otherwise."""
    rng = random.Random(seed)
    players = _players(red, blue, level)
    chosen = parse_rules(rules)
    game = parse_game(deal, rules=chosen) if deal else collapsi.Game.start(collapsi.deal(rng, chosen))
    console = new_console()
    for reason in collapsi.status(game.positions[0]):
        complain(f"warning: {reason}")
    if None in players.values() and game.position.winner is None:
        _say(console, f"{format_game(game)}\nyour move is {COMMANDS}")
    while game.position.winner is None:
        mover = players[game.position.to_move]
        if mover is None:
            try:
                next_game = _human(console, game, players)
            except KeyboardInterrupt:
                _say_game_so_far(console, game)
                raise
            if next_game is None:
                _say_game_so_far(console, game)
                return
            game = next_game
        else:
            game = game.play(choose_move(game.position, mover, rng))
            _say(console, f"{game.positions[-2].to_move} ({mover}) goes to {game.squares[-1]}")
    _show_board(console, game)
    _finish(console, game)


def _players(red: str | None, blue: str | None, level: Level | None) -> dict[Player, Level | None]:
    """Who plays which colour: a level of the computer, or None for a person.

    Where one side is named, the other is its opposite: the computer against a person.
    """
    if level is not None and red is not None and blue is not None:
        msg = "--red and --blue say already who plays and how well: leave out --level, or one of them"
        raise MalformedError(msg)
    named = {
        player: _player(name) for player, name in ((Player.RED, red), (Player.BLUE, blue)) if name is not None
    } or {Player.RED: None}
    if level is not None and None not in named.values():
        msg = f"--level {level} and --{next(iter(named))} both say how well the computer plays: leave one out"
        raise MalformedError(msg)
    computer = level or FIRST_MET
    other = computer if None in named.values() else None
    return {player: named.get(player, other) for player in Player}


def _player(name: str) -> Level | None:
    if name == HUMAN:
        return None
    try:
        return Level(name)
    except ValueError:
        msg = f"{name!r:.40} is no player: choose one of {PLAYERS}"
        raise MalformedError(msg) from None


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False)


def _say_game_so_far(console: Console, game: Game) -> None:
    if console.is_terminal:
        console.print()  # after the prompt, which Ctrl-C and Ctrl-D do not end
    _say(console, f"game so far: {format_game(game)}")


def _show_board(console: Console, game: Game, *, values: bool = False) -> None:
    from collapsi import terminal

    analysis = collapsi.analyse(game.position) if values else None
    if console.is_terminal:
        console.print(terminal.draw_board(game.position, analysis), sep="", end="")
    else:
        _say(console, str(game.position))


def _human(console: Console, game: Game, players: dict[Player, Level | None]) -> Game | None:
    """A person's turn: the game after it, or None to stop."""
    position = game.position
    _show_board(console, game)
    while True:
        if console.is_terminal:
            console.print(f"{position.to_move}> ", end="")
        line = read_line(sys.stdin.buffer) if sys.stdin else None
        if line is None:
            return None
        try:
            word = line.read().strip().lower()
        except MalformedError as error:
            _say(console, f"{error}")
            continue
        if word in ("quit", "exit", "q"):
            return None
        if word == "undo":
            back = _undo(game, players)
            if back is None:
                _say(console, "there is no move of yours to take back")
                continue
            return back
        if word in ("hint", "why", "why?", "values", "moves", "help", ""):
            _answer(console, game, word)
            continue
        try:
            return game.play(word)
        except IllegalMoveError as error:
            _say(console, f"{error}")


def _undo(game: Game, players: dict[Player, Level | None]) -> Game | None:
    """The game before the last move of a person, with all that came after taken back."""
    while len(game.positions) > 1:
        game = game.undo()
        if players[game.position.to_move] is None:
            return game
    return None


def _answer(console: Console, game: Game, word: str) -> None:
    position = game.position
    if word == "hint":
        analysis = collapsi.analyse(position)
        _say(console, f"best: {' '.join(analysis.best)} ({analysis.outcome})")
    elif word in ("why", "why?"):
        _say(console, f"why: {why_best(collapsi.analyse(position))}")
    elif word == "values":
        if console.is_terminal:
            _show_board(console, game, values=True)
        for move in collapsi.analyse(position).moves:
            _say(console, f"{move.name}  {move.value:>3}  {move.outcome}")
    elif word == "moves":
        _say(console, " ".join(position.board.square(cell) for cell in position.moves))
    else:
        _say(console, f"your move is {COMMANDS}")


def _finish(console: Console, game: Game) -> None:
    """Who won, the score, where the game turned, and the game as text."""
    position = game.position
    if console.is_terminal:  # the plain board ends with it
        _say(console, position.turn)
    left = position.cards_left
    _say(console, f"{left} cards are left, so {position.winner} scores {left} points")
    for move in collapsi.review(game).turning_points:
        _say(console, f"it turned at move {move.number}, {move.player} to {move.name}: {move}")
        _say(console, f"  why: {move.why}")
    _say(console, f"game: {format_game(game)}")
