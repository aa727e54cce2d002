"""The match on the big board: one round each, the deal and the first move going round, most points win.

Points of a round are none for who goes out first, one for the next, and so on. Who is ahead after as many
rounds as there are players has won. If several are, they alone play on, again one round each, by the rules
for so many players (our reading of "ties play on"), until one of them is ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.errors import IllegalPositionError
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
