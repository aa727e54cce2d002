"""The command `play`: a game in the terminal, against the computer, another person, or the computer against itself."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import collapsi
from collapsi.cli.common import RulesOption, app, complain, example, new_console
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.notation import format_game, parse_game, parse_rules
from collapsi.opponent import Level, choose_move
from collapsi.rules import Player

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.game import Game

HUMAN = "you"
PLAYERS = ", ".join([HUMAN, *Level])
COMMANDS = "a square (d1), or: hint, values, undo, moves, help, quit"


@app.command(
    epilog=example(
        "play",
        "play --blue 2",
        "play --red perfect --blue you --rules joker",
        "play --red you --blue you --seed 7",
    )
)
def play(
    deal: Annotated[
        str | None, typer.Argument(help="A position or game to play on from.", show_default="a random deal")
    ] = None,
    *,
    red: Annotated[str, typer.Option(help=f"Who plays red: {PLAYERS} (plies it looks ahead).")] = HUMAN,
    blue: Annotated[str, typer.Option(help="Who plays blue.")] = Level.PERFECT.value,
    rules: RulesOption = "standard",
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same deal.", show_default="random")
    ] = None,
) -> None:
    """Play a game."""
    rng = random.Random(seed)
    players = {Player.RED: _player(red), Player.BLUE: _player(blue)}
    chosen = parse_rules(rules)
    game = parse_game(deal, rules=chosen) if deal else collapsi.Game.start(collapsi.deal(rng, chosen))
    console = new_console()
    for reason in collapsi.status(game.positions[0]):
        complain(f"warning: {reason}")
    if HUMAN in (red, blue) and game.position.winner is None:
        _say(console, f"{format_game(game)}\nyour move is {COMMANDS}")
    while game.position.winner is None:
        level = players[game.position.to_move]
        if level is None:
            next_game = _human(console, game, players)
            if next_game is None:
                _say(console, f"game so far: {format_game(game)}")
                return
            game = next_game
        else:
            game = game.play(choose_move(game.position, level, rng))
            _say(console, f"{game.positions[-2].to_move} ({level}) goes to {game.squares[-1]}")
    _show_board(console, game)
    _finish(console, game)


def _player(name: str) -> Level | None:
    """Who plays: a level of the computer, or None for a person."""
    if name == HUMAN:
        return None
    try:
        return Level(name)
    except ValueError:
        msg = f"{name!r:.40} is no player: choose one of {PLAYERS}"
        raise MalformedError(msg) from None


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False)


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
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            return None
        word = line.strip().lower()
        if word in ("quit", "exit", "q"):
            return None
        if word == "undo":
            back = _undo(game, players)
            if back is None:
                _say(console, "there is no move of yours to take back")
                continue
            return back
        if word in ("hint", "values", "moves", "help", ""):
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
    elif word == "values":
        if console.is_terminal:
            _show_board(console, game, values=True)
        for move in collapsi.analyse(position).moves:
            _say(console, f"{move.to}  {move.value:>3}  {move.outcome}")
    elif word == "moves":
        _say(console, " ".join(position.board.square(cell) for cell in position.moves))
    else:
        _say(console, f"your move is {COMMANDS}")


def _finish(console: Console, game: Game) -> None:
    """Who won, the score, where the game turned, and the game as text."""
    winner, loser = game.position.winner, game.position.to_move
    left = game.position.cards_left
    _say(
        console,
        f"{winner} wins: {loser} cannot move; {left} cards are left, so {winner} scores {left} points",
    )
    for move in collapsi.review(game).turning_points:
        _say(console, f"it turned at move {move.number}, {move.player} to {move.to}: {move}")
    _say(console, f"game: {format_game(game)}")
