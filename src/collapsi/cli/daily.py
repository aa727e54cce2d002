"""The deal of the day, played in the terminal (`play --daily`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.cli.output import new_console, print_json, say
from collapsi.cli.terminal import print_board, typed_word
from collapsi.core.errors import IllegalMoveError
from collapsi.play.daily import LEVEL, PERSON, DailyGame, parse_open_date, today
from collapsi.play.enums import Mark

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = "a square (d1), or: moves, help, quit"


def play_daily(date: str | None, *, json_line: bool) -> None:
    """Play the deal of a date (None: today), or only print it as JSON."""
    played = DailyGame.start(today() if date is None else parse_open_date(date, today()))
    if json_line:
        print_json(played.to_json())
        return
    console = new_console()
    say(console, f"the deal of {played.day}: {played.game.text}")
    say(console, f"you are {PERSON} and can win; the computer is {LEVEL.text}")
    say(console, f"your move is {COMMANDS}")
    while not played.over:
        if played.to_move is PERSON:
            following = _turn(console, played)
            if following is None:
                say(console, f"game so far: {played.game.text}")
                return
            played = following
        else:
            played = played.play(played.reply)
            say(console, f"{PERSON.other} goes to {played.game.squares[-1]}")
    print_board(console, played.game.position, turn=False)
    say(console, f"{'you have' if played.won else 'the computer has'} won\n\n{played.result}\n")
    say(console, "; ".join(f"{mark} {mark.text}" for mark in Mark))
    say(console, f"game: {played.game.text}")


def _turn(console: Console, played: DailyGame) -> DailyGame | None:
    """Let the person move; return None to stop."""
    position = played.game.position
    print_board(console, position, turn=False)
    while (word := typed_word(console, played.to_move)) is not None:
        if word == "moves":
            say(console, " ".join(map(position.move_text, position.moves)))
        elif word in ("help", ""):
            say(console, f"your move is {COMMANDS}")
        else:
            try:
                return played.play(word)
            except IllegalMoveError as error:
                say(console, str(error))
    return None
