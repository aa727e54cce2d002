"""The command `play`: a game in the terminal, where each side is a person or a level of the computer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated

import typer

import collapsi
from collapsi.cli.common import AnyRulesOption, app, complain, example, new_console
from collapsi.cli.typed import say, taken_back, typed_word
from collapsi.errors import IllegalMoveError, MalformedError
from collapsi.notation import format_game, is_of_crowd, parse_game, parse_rules
from collapsi.opponent import FIRST_MET, SURE, Level, choose_move
from collapsi.rules import PAIR, Player
from collapsi.solve.answers import expected_seconds
from collapsi.walking import shifts

if TYPE_CHECKING:
    from rich.console import Console

    from collapsi.game import Game
    from collapsi.rules import Rules
    from collapsi.state import Duel

HUMAN = "you"
PLAYERS = ", ".join([HUMAN, *Level])
SHIFTS = ("r", "l", "d", "u")
WORDS = "or: hint, why, values, undo, moves, help, quit"
SLOW_SECONDS = 1.0
"""What takes longer to solve is announced."""


@app.command(
    epilog=example(
        "play --level card",
        "play --level 1 --blue you --rules joker",
        "play --red you --blue you --seed 7",
        "play --red perfect --blue random",
        "play --rules shift --level 2",
        "play --rules big4 --red you --green you --level 2",
        "play --rules big --match --level perfect",
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
    green: Annotated[
        str | None,
        typer.Option(help="Who plays green, with three or four players.", show_default="the computer"),
    ] = None,
    yellow: Annotated[
        str | None, typer.Option(help="Who plays yellow, with four players.", show_default="the computer")
    ] = None,
    rules: AnyRulesOption = "standard",
    match: Annotated[
        bool,
        typer.Option(
            "--match", help="On the big board: a round each, the first move going round; ties play on."
        ),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same deal.", show_default="random")
    ] = None,
) -> None:
    """Play a game: you are red and the computer is blue, unless --red and --blue say otherwise."""
    if is_of_crowd(deal, rules):
        from collapsi.cli.crowd_play import play_crowd

        named = dict(zip(Player, (red, blue, green, yellow), strict=True))
        play_crowd(deal, rules, named, level, seed, match=match)
        return
    if green is not None or yellow is not None or match:
        msg = "--green, --yellow and --match are for the big board: say --rules big3, for example"
        raise MalformedError(msg)
    rng = random.Random(seed)
    players = _players(red, blue, level)
    chosen = parse_rules(rules)
    game = parse_game(deal, rules=chosen) if deal else collapsi.Game.start(collapsi.deal(rng, chosen))
    console = new_console()
    for reason in collapsi.status(game.positions[0]):
        complain(f"warning: {reason}")
    if None in players.values() and game.position.winner is None:
        say(console, f"{format_game(game)}\n{_how_to_move(game.position.rules)}")
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
            _announce(console, game, mover)
            game = game.play(choose_move(game.position, mover, rng))
            say(console, f"{game.positions[-2].to_move} ({mover}) goes to {game.squares[-1]}")
    _show_board(console, game)
    _finish(console, game)


def _how_to_move(rules: Rules) -> str:
    if rules.shift is None:
        return f"your move is a square (d1), {WORDS}"
    return f"your move is a square and a shift of its row (d1r, d1l) or column (d1d, d1u), {WORDS}"


def _announce(console: Console, game: Game, mover: Level | None = None) -> None:
    """Say that something takes a while, to somebody who waits for it."""
    sight = mover.character.sight if mover else None
    near = sight is not None and sight <= SURE
    if console.is_terminal and not near and expected_seconds(game.position) > SLOW_SECONDS:
        console.print("thinking …", style="dim")


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
    return {player: named.get(player, other) for player in PAIR}


def _player(name: str) -> Level | None:
    if name == HUMAN:
        return None
    try:
        return Level(name)
    except ValueError:
        msg = f"{name!r:.40} is no player: choose one of {PLAYERS}"
        raise MalformedError(msg) from None


def _say_game_so_far(console: Console, game: Game) -> None:
    if console.is_terminal:
        console.print()  # after the prompt, which Ctrl-C and Ctrl-D do not end
    say(console, f"game so far: {format_game(game)}")


def _show_board(console: Console, game: Game, *, values: bool = False) -> None:
    from collapsi import terminal

    analysis = collapsi.analyse(game.position) if values else None
    if console.is_terminal:
        console.print(terminal.draw_board(game.position, analysis), sep="", end="")
    else:
        say(console, str(game.position))


def _human(console: Console, game: Game, players: dict[Player, Level | None]) -> Game | None:
    """A person's turn: the game after it, or None to stop."""
    position = game.position
    _show_board(console, game)
    walked = ""
    while True:
        word = typed_word(console, position.to_move)
        if word is None:
            return None
        if word == "undo":
            back = taken_back(game, players)
            if back is None:
                say(console, "there is no move of yours to take back")
                continue
            return back
        if word in ("hint", "why", "why?", "values", "moves", "help", ""):
            _answer(console, game, word)
            continue
        if walked and word in SHIFTS:
            word = walked + word
        walked = _half(position, word)
        if walked:
            say(console, f"{walked}: now shift its row, r or l, or its column, d or u")
            continue
        try:
            return game.play(word)
        except IllegalMoveError as error:
            say(console, f"{error}")


def _half(position: Duel, word: str) -> str:
    """The square that was typed if it is only the first half of a move: the walk, without the shift."""
    if not shifts(position):
        return ""
    cell = position.board.cell(word)
    return word if cell is not None and cell in position.ends else ""


def _answer(console: Console, game: Game, word: str) -> None:
    position = game.position
    if word in ("hint", "why", "why?", "values"):
        _announce(console, game)
    if word == "hint":
        analysis = collapsi.analyse(position)
        say(console, f"best: {' '.join(analysis.best)} ({analysis.outcome})")
    elif word in ("why", "why?"):
        from collapsi.coach import why_best

        say(console, f"why: {why_best(collapsi.analyse(position))}")
    elif word == "values":
        if console.is_terminal:
            _show_board(console, game, values=True)
        for move in collapsi.analyse(position).moves:
            say(console, f"{move.name}  {move.value:>3}  {move.outcome}")
    elif word == "moves":
        say(console, " ".join(map(position.move_text, position.moves)))
    else:
        say(console, _how_to_move(position.rules))


def _finish(console: Console, game: Game) -> None:
    """Who won, the score, where the game turned, and the game as text."""
    position = game.position
    if console.is_terminal:  # the plain board ends with it
        say(console, position.turn)
    left = position.cards_left
    say(console, f"{left} cards are left, so {position.winner} scores {left} points")
    if console.is_terminal and sum(map(expected_seconds, game.positions)) > SLOW_SECONDS:
        console.print("looking back on the game …", style="dim")
    for move in collapsi.review(game).turning_points:
        say(console, f"it turned at move {move.number}, {move.player} to {move.name}: {move}")
        say(console, f"  why: {move.why}")
    say(console, f"game: {format_game(game)}")
