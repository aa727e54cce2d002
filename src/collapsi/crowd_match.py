"""The match on the big board: one round each, the deal and the first move going round, most points win.

Points of a round are none for who goes out first, one for the next, and so on. Who is ahead after as many
rounds as there are players has won. If several are, they alone play on, again one round each, by the rules
for so many players (our reading of "ties play on"), until one of them is ahead.

A match is written as its points and the rounds played, and in a play-off also by whom it is played, and how
many of its rounds have been: `3-1-2/1`, `4-4-1/3/12+0`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.errors import IllegalPositionError, MalformedError
from collapsi.rows import shorten
from collapsi.rules import BIG, BIG3, CrowdRules, Player

if TYPE_CHECKING:
    from collapsi.games.crowd import Crowd


@dataclass(frozen=True)
class CrowdMatch:
    """Points by player (0 is who plays red first), and who plays the next round with which colour.

    >>> from collapsi.rules import BIG4
    >>> match = CrowdMatch.start(BIG4)
    >>> match.title, [str(colour) for colour in match.seats]
    ('round 1', ['red', 'blue', 'green', 'yellow'])
    """

    rules: CrowdRules
    """Those of the next round."""
    points: tuple[int, ...]
    """Of every player, all rounds together."""
    playing: tuple[int, ...]
    """Who takes part: all, or in a play-off those who are tied."""
    rounds: int = 0
    """Rounds played so far."""
    turn: int = 0
    """Rounds played so far by those who take part: it says who goes first."""

    @classmethod
    def start(cls, rules: CrowdRules) -> CrowdMatch:
        """A match in which nothing has been played."""
        return cls(rules, (0,) * rules.players, tuple(range(rules.players)))

    @property
    def seats(self) -> dict[Player, int]:
        """Which player has which colour in the next round: the first move goes round."""
        count = len(self.playing)
        return {colour: self.playing[(colour + self.turn) % count] for colour in self.rules.seats}

    @property
    def winner(self) -> int | None:
        """Who has won the match, if it is over."""
        ahead = self.ahead
        return ahead[0] if self.turn == 0 and self.rounds and len(ahead) == 1 else None

    @property
    def title(self) -> str:
        """What the next round is called."""
        off = len(self.playing) < len(self.points) or self.rounds >= len(self.points)
        return f"round {self.rounds + 1}" + (", play-off" if off else "")

    @property
    def text(self) -> str:
        """The points in words."""
        return ", ".join(f"player {number + 1} {points}" for number, points in enumerate(self.points))

    def after(self, state: Crowd) -> CrowdMatch:
        """The match when the next round has ended like this."""
        if state.points is None or state.rules.players != self.rules.players:
            msg = f"a round of {self.rules} that is over is asked for, not {state.text}"
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
        """Those who have most points."""
        most = max(self.points[player] for player in self.playing)
        return tuple(player for player in self.playing if self.points[player] == most)


_WRITTEN = re.compile(r"(\d{1,4}(?:-\d{1,4}){1,3})/(\d{1,4})(?:/([1-4]{2,4})\+([0-3]))?", re.ASCII)


def format_crowd_match(match: CrowdMatch) -> str:
    """The text of a match whose next round is still to be played.

    >>> from collapsi.rules import BIG4
    >>> format_crowd_match(CrowdMatch.start(BIG4))
    '0-0-0-0/0'
    """
    text = f"{'-'.join(map(str, match.points))}/{match.rounds}"
    if match.rounds < len(match.points):
        return text
    return f"{text}/{''.join(str(player + 1) for player in match.playing)}+{match.turn}"


def parse_crowd_match(text: str, rules: CrowdRules) -> CrowdMatch:
    """Read a match, of which a round by these rules is the next.

    >>> parse_crowd_match("4-4-1/3/12+1", BIG).seats
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
    match = CrowdMatch(rules, points, playing, rounds, turn)
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
