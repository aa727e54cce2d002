"""The point game: a match of several rounds, won by the first player to reach sixteen points.

The winner of a round scores one point for each face-up card, including those under the pawns. The players
swap colours after each round, so the first move alternates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.errors import MalformedError
from collapsi.core.players import Player
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collapsi.core.state import State

POINTS_TO_WIN = 16
MOST_POINTS = POINTS_TO_WIN - 1 + 15  # a round scores at most 15: a game has at least one ply


@dataclass(frozen=True)
class Match:
    """The points of the two players, by their colours in this round.

    >>> import collapsi
    >>> match = parse_match("9-4").after(collapsi.parse_position("..../.2r../.Ab../.... r"))
    >>> format_match(match), match.winner, format_match(match.next_round())
    ('9-6', None, '6-9')
    """

    red: int = 0
    blue: int = 0

    @property
    def winner(self) -> Player | None:
        """The winner of the match; None until it is over."""
        if max(self.red, self.blue) < POINTS_TO_WIN:
            return None
        return Player.RED if self.red > self.blue else Player.BLUE

    def after(self, state: State) -> Match:
        """Return the match after a round in this state; unchanged if the round is not over."""
        red, blue = state.result or (0, 0)
        return Match(self.red + red, self.blue + blue)

    def next_round(self) -> Match:
        """Return the match with swapped colours."""
        return Match(self.blue, self.red)


def parse_match(text: str) -> Match:
    """Read the points of a match, red's first: `9-4`."""
    found = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", text)
    points = [int(number) for number in found.groups()] if found else []
    if not points or max(points) > MOST_POINTS or min(points) >= POINTS_TO_WIN:
        form = "write red's and blue's points, such as 9-4"
        msg = f"{shorten(text)} is no score of a match to {POINTS_TO_WIN}: {form}"
        raise MalformedError(msg)
    return Match(*points)


def format_match(match: Match) -> str:
    """Write the points as `parse_match` reads them."""
    return f"{match.red}-{match.blue}"
