"""Answer the exam with a bot of OpenSpiel: `python -m collapsi.ecosystem.exam MODULE:FUNCTION`.

The function gets the game and returns a bot: an object with a method `step(state)` that returns an action.
See `collapsi.study.exam.asked`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from collapsi.study.exam.asked import answer_lines, load
from collapsi.system.extras import needs

with needs("openspiel"):
    import pyspiel

    import collapsi.ecosystem.openspiel  # noqa: F401 - registers the game

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.games.classic.position import Position

ANY_DEAL = "A223/4A2Jr/3A23/Jb3A4 r"
"""The game for which the bot is made; only its type matters."""


def bot_player(name: str) -> Callable[[Position], Any]:
    """Return the bot that a function makes, as a function from positions to moves."""
    bot = load(name)(pyspiel.load_game("collapsi", {"deal": ANY_DEAL}))

    def choose(position: Position) -> Any:
        return bot.step(pyspiel.load_game("collapsi", {"deal": position.text}).new_initial_state())

    return choose


if __name__ == "__main__":
    answer_lines(lambda: bot_player(sys.argv[1]))
