"""Playing in the terminal, for every game: boards, the prompt, and taking back moves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from collapsi.cli.lines import read_line
from collapsi.cli.output import say
from collapsi.core.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from collapsi.core.game import Game
    from collapsi.core.players import Player
    from collapsi.core.state import StateT
    from collapsi.games.levels import Level


def print_board(console: Console, state: Any, analysis: Any = None, *, turn: bool = True) -> None:
    """Print a board: as a grid of cards on a terminal, there without the side to move if not `turn`."""
    if not console.is_terminal:
        say(console, str(state))
        return
    from collapsi.draw import terminal

    console.print(terminal.draw_board(state, analysis), sep="", end="")
    if turn:
        console.print(terminal.turn(state))


def typed_word(console: Console, prompt: object = "") -> str | None:
    """Read the next line in lower case; return None at the end of the input or to quit.

    Bytes that are not text are reported, and another line is read.
    """
    while True:
        if console.is_terminal:
            console.print(f"{prompt}> ", end="")
        line = read_line(sys.stdin.buffer) if sys.stdin else None
        if line is None:
            return None
        try:
            word = line.read().strip().lower()
        except MalformedError as error:
            say(console, f"{error}")
            continue
        return None if word in ("quit", "exit", "q") else word


def taken_back(game: Game[StateT], players: Mapping[Player, Level | None]) -> Game[StateT] | None:
    """Undo the last move of a person and all later moves; return None if there is none."""
    while len(game.positions) > 1:
        game = game.undo()
        if players[game.position.to_move] is None:
            return game
    return None
