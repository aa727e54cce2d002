"""What is said to a person at the terminal and what they type when it is their turn, whatever the game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from collapsi.batch import read_line
from collapsi.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from collapsi.game import Game
    from collapsi.opponent import Level
    from collapsi.rules import Player
    from collapsi.state import Kind


def say(console: Console, text: str) -> None:
    """A line of plain text: squares in brackets are no markup."""
    console.print(text, markup=False)


def typed_word(console: Console, to_move: Player) -> str | None:
    """The next line, in small letters; None where the input ends or the person stops.

    Bytes that are no text are told, and another line is read.
    """
    while True:
        if console.is_terminal:
            console.print(f"{to_move}> ", end="")
        line = read_line(sys.stdin.buffer) if sys.stdin else None
        if line is None:
            return None
        try:
            word = line.read().strip().lower()
        except MalformedError as error:
            say(console, f"{error}")
            continue
        return None if word in ("quit", "exit", "q") else word


def taken_back(game: Game[Kind], players: Mapping[Player, Level | None]) -> Game[Kind] | None:
    """The game before the last move of a person, with all that came after taken back."""
    while len(game.positions) > 1:
        game = game.undo()
        if players[game.position.to_move] is None:
            return game
    return None
