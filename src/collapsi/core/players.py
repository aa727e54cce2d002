"""The players, in the order in which they move."""

from __future__ import annotations

from enum import IntEnum


class Player(IntEnum):
    """Red moves first. Games for two have red and blue only: `PAIR`."""

    RED = 0
    BLUE = 1
    GREEN = 2
    YELLOW = 3

    @property
    def other(self) -> Player:
        """The opponent, in a game for two."""
        return Player.BLUE if self is Player.RED else Player.RED

    @property
    def letter(self) -> str:
        """The player in notation: r, b, g or y."""
        return "rbgy"[self]

    def __str__(self) -> str:
        return ("red", "blue", "green", "yellow")[self]


PAIR = (Player.RED, Player.BLUE)
"""The players of a game for two."""
