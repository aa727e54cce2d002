"""The command `daily`: the deal of the day, played in the terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from collapsi.batch import read_line
from collapsi.cli.common import app, example, new_console
from collapsi.daily import LEVEL, PERSON, DailyGame, Mark, parse_date, today
from collapsi.errors import IllegalMoveError, MalformedError

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = "a square (d1), or: moves, help, quit"


@app.command(
    help="Play the deal of the day: the same for everybody who has the same date, and you can win it.\n\n"
    "You are red. The computer always plays at the same level, and answers the same moves with the same "
    "moves. There are no hints, and nothing is taken back. At the end there is a text to share that does not "
    "give the solution away. The date is that of your own clock.",
    epilog=example("daily", "daily --date 2026-10-02", "daily --json"),
)
def daily(
    *,
    date: Annotated[
        str | None, typer.Option(help="Of another day, such as 2026-10-02.", show_default="today, here")
    ] = None,
    json_line: Annotated[bool, typer.Option("--json", help="Only say what it is, as JSON.")] = False,
) -> None:
    """Play the deal of the day: the same for everybody who has the same date."""
    played = DailyGame.start(parse_date(date) if date is not None else today())
    if json_line:
        sys.stdout.write(json.dumps(played.to_json()) + "\n")
        return
    console = new_console()
    _say(console, f"the deal of {played.day}: {played.game.text}")
    _say(console, f"you are {PERSON} and can win; the computer is {LEVEL.text}")
    _say(console, f"your move is {COMMANDS}")
    while not played.over:
        if played.to_move is PERSON:
            following = _turn(console, played)
            if following is None:
                _say(console, f"game so far: {played.game.text}")
                return
            played = following
        else:
            played = played.play(played.reply)
            _say(console, f"{PERSON.other} goes to {played.game.squares[-1]}")
    _show(console, played)
    _say(console, f"{'you have' if played.won else 'the computer has'} won\n\n{played.result}\n")
    _say(console, "; ".join(f"{mark} {mark.text}" for mark in Mark))
    _say(console, f"game: {played.game.text}")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False)


def _show(console: Console, played: DailyGame) -> None:
    position = played.game.position
    if not console.is_terminal:
        _say(console, str(position))
        return
    from collapsi import terminal

    console.print(terminal.draw_board(position), sep="", end="")


def _turn(console: Console, played: DailyGame) -> DailyGame | None:
    """The game after a move of the person, or None to stop."""
    _show(console, played)
    while True:
        if console.is_terminal:
            console.print(f"{played.to_move}> ", end="")
        line = read_line(sys.stdin.buffer) if sys.stdin else None
        try:
            word = "quit" if line is None else line.read().strip().lower()
            if word in ("quit", "exit", "q"):
                return None
            if word not in ("moves", "help", ""):
                return played.play(word)
            position = played.game.position
            moves = " ".join(map(position.move_text, position.moves))
            _say(console, moves if word == "moves" else f"your move is {COMMANDS}")
        except (IllegalMoveError, MalformedError) as error:
            _say(console, str(error))
