"""A match on the big board: each player goes first in one round, and most points win.

In a round the first player to go out gets no point, the next one, and so on. A match has as many rounds as
players, and the player with the most points wins. If several are tied, only they play on, by the rules for
that number of players, again one round each, until one of them is ahead (our reading of "ties play on").

A match is written as the points and the number of rounds played, followed in a play-off by its players and
the number of its rounds played: `3-1-2/1`, `4-4-1/3/12+0`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.core.errors import IllegalPositionError, MalformedError
from collapsi.core.rows import shorten
from collapsi.games.big.rules import BIG, BIG3, BigRules

if TYPE_CHECKING:
    from collapsi.core.players import Player
    from collapsi.games.big.state import BigState


@dataclass(frozen=True)
class BigMatch:
    """The points by player (player 0 is red in the first round), and the seats of the next round.

    >>> from collapsi.games.big.rules import BIG4
    >>> match = BigMatch.start(BIG4)
    >>> match.title, [str(colour) for colour in match.seats]
    ('round 1', ['red', 'blue', 'green', 'yellow'])
    """

    rules: BigRules
    """The rules of the next round."""
    points: tuple[int, ...]
    """The points of every player, over all rounds."""
    playing: tuple[int, ...]
    """The players of the next round: all, or in a play-off the tied ones."""
    rounds: int = 0
    """The number of rounds played."""
    turn: int = 0
    """The number of rounds played since the start or since the play-off began; determines who goes first."""

    @classmethod
    def start(cls, rules: BigRules) -> BigMatch:
        """Return a match before its first round."""
        return cls(rules, (0,) * rules.players, tuple(range(rules.players)))

    @property
    def seats(self) -> dict[Player, int]:
        """The player with each colour in the next round; the first move rotates."""
        count = len(self.playing)
        return {colour: self.playing[(colour + self.turn) % count] for colour in self.rules.seats}

    @property
    def winner(self) -> int | None:
        """The winner of the match; None if it is not over."""
        ahead = self.ahead
        return ahead[0] if self.turn == 0 and self.rounds and len(ahead) == 1 else None

    @property
    def title(self) -> str:
        """The title of the next round."""
        off = len(self.playing) < len(self.points) or self.rounds >= len(self.points)
        return f"round {self.rounds + 1}" + (", play-off" if off else "")

    @property
    def text(self) -> str:
        """The points in words."""
        return ", ".join(f"player {number + 1} {points}" for number, points in enumerate(self.points))

    @property
    def notation(self) -> str:
        """The match as `parse_big_match` reads it."""
        return format_big_match(self)

    def after(self, state: BigState) -> BigMatch:
        """Return the match after its next round has ended with this state."""
        if state.points is None or state.rules.players != self.rules.players:
            msg = f"a round of {self.rules} that is over is needed, not {state.text}"
            raise IllegalPositionError(msg)
        points = list(self.points)
        for colour, player in self.seats.items():
            points[player] += state.points[colour]
        now = replace(self, points=tuple(points), rounds=self.rounds + 1, turn=self.turn + 1)
        if now.turn < len(now.playing):
            return now
        ahead = now.ahead
        rules = self.rules if len(ahead) in (1, self.rules.players) else {2: BIG, 3: BIG3}[len(ahead)]
        return replace(now, playing=ahead if len(ahead) > 1 else now.playing, rules=rules, turn=0)

    @property
    def ahead(self) -> tuple[int, ...]:
        """The players with the most points."""
        most = max(self.points[player] for player in self.playing)
        return tuple(player for player in self.playing if self.points[player] == most)


_WRITTEN = re.compile(r"(\d{1,4}(?:-\d{1,4}){1,3})/(\d{1,4})(?:/([1-4]{2,4})\+([0-3]))?", re.ASCII)


def format_big_match(match: BigMatch) -> str:
    """Return the text of a match that is not over.

    >>> from collapsi.games.big.rules import BIG4
    >>> format_big_match(BigMatch.start(BIG4))
    '0-0-0-0/0'
    """
    text = f"{'-'.join(map(str, match.points))}/{match.rounds}"
    if match.rounds < len(match.points):
        return text
    return f"{text}/{''.join(str(player + 1) for player in match.playing)}+{match.turn}"


def parse_big_match(text: str, rules: BigRules) -> BigMatch:
    """Read a match whose next round is played by these rules.

    >>> parse_big_match("4-4-1/3/12+1", BIG).seats
    {<Player.RED: 0>: 1, <Player.BLUE: 1>: 0}
    """
    found = _WRITTEN.fullmatch(text)
    if not found:
        msg = f"{shorten(text)} is no match: write points and rounds played (0-0-0/0, or 4-4-1/3/12+0)"
        raise MalformedError(msg)
    points, rounds = tuple(map(int, found[1].split("-"))), int(found[2])
    players = range(len(points))
    playing = tuple(int(digit) - 1 for digit in found[3]) if found[3] else tuple(players)
    turn = int(found[4]) if found[3] else rounds
    match = BigMatch(rules, points, playing, rounds, turn)
    fits = (
        list(playing) == sorted(set(playing) & set(players))
        and turn < len(playing) == rules.players
        and bool(found[3]) == (rounds >= len(points))
        and match.winner is None
    )
    if not fits:
        msg = f"{shorten(text)} is no match of which a round of {rules} is the next"
        raise MalformedError(msg)
    return match
