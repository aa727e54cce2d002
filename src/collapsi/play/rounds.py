"""Rounds that the same people play: who has which colour, and the points if the rounds are a match.

People have numbers from 0. The first move rotates: in the next round another of them is red. A match is that
of the kind of game (`Kind.match`), or the point game.

>>> import collapsi
>>> first = start_round(collapsi.RULE_SETS["standard"], match=True)
>>> over = collapsi.parse_position("..../.2r../.Ab../.... r")
>>> second = first.next(over)
>>> second.seats, second.match.notation
({<Player.RED: 0>: 1, <Player.BLUE: 1>: 0}, '2-0')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from collapsi.core.players import PAIR, Player
from collapsi.games.kind import UnsupportedError
from collapsi.games.registry import kind_of
from collapsi.play.match import Match, format_match, parse_match

if TYPE_CHECKING:
    from collapsi.core.rules import RuleSet
    from collapsi.core.state import State


class AnyMatch(Protocol):
    """A match before its next round."""

    @property
    def rules(self) -> RuleSet:
        """The rules of the next round."""

    @property
    def seats(self) -> dict[Player, int]:
        """The person with each colour in the next round."""

    @property
    def winner(self) -> int | None:
        """The person who has won the match; None until it is over."""

    @property
    def notation(self) -> str:
        """The match as the API reads it."""

    def after(self, state: Any, /) -> Self:
        """Return the match after its next round has ended with this state."""


@dataclass(frozen=True)
class PointMatch:
    """The point game between two people, who swap colours after each round."""

    rules: RuleSet
    score: Match
    """By the colours of the next round."""
    number: int
    """The number of rounds played."""

    @property
    def seats(self) -> dict[Player, int]:
        """The person with each colour in the next round."""
        return rotated(self.number, 2)

    @property
    def winner(self) -> int | None:
        """The person who has won the match; None until it is over."""
        won = self.score.winner
        return None if won is None else self.seats[won]

    @property
    def notation(self) -> str:
        """The points, red's first."""
        return format_match(self.score)

    def after(self, state: State) -> PointMatch:
        """Return the match after a round in this state."""
        return PointMatch(self.rules, self.score.after(state).next_round(), self.number + 1)


def rotated(number: int, people: int) -> dict[Player, int]:
    """The person with each colour after this number of rounds.

    >>> rotated(2, 3)
    {<Player.RED: 0>: 2, <Player.BLUE: 1>: 0, <Player.GREEN: 2>: 1}
    """
    return {colour: (colour + number) % people for colour in Player if colour < people}


def read_match(rules: RuleSet, text: str, number: int) -> AnyMatch:
    """Read a match whose next round is played by these rules; an empty text starts one."""
    try:
        return cast("AnyMatch", kind_of(rules).match(rules, text))
    except UnsupportedError:
        if rules.players != len(PAIR):
            raise
        return PointMatch(rules, parse_match(text) if text else Match(), number)


@dataclass(frozen=True)
class Round:
    """One of the rounds."""

    game: RuleSet
    """The rules when all people play; a play-off has rules for fewer."""
    number: int = 0
    """The number of rounds before this one."""
    match: AnyMatch | None = None
    """The match before this round; None if there is none."""

    @property
    def rules(self) -> RuleSet:
        """The rules of this round."""
        return self.game if self.match is None else self.match.rules

    @property
    def seats(self) -> dict[Player, int]:
        """The person with each colour; in a play-off some have none."""
        return rotated(self.number, self.game.players) if self.match is None else self.match.seats

    def is_last(self, state: State) -> bool:
        """Return whether the match is decided by this end of the round."""
        return self.match is not None and self.match.after(state).winner is not None

    def next(self, state: State | None, *, match: bool | None = None) -> Round:
        """Return the round after this one, which ended with this state; None if it was not played.

        `match` starts a match or ends it; None goes on as before. A match that is over starts again.
        """
        number = self.number + 1
        if match is None and self.match is not None and not (state and self.is_last(state)):
            return Round(self.game, number, self.match.after(state)) if state else self
        wanted = self.match is not None if match is None else match
        return Round(self.game, number, read_match(self.game, "", number) if wanted else None)


def start_round(rules: RuleSet, *, match: bool = False) -> Round:
    """Return the first round.

    >>> import collapsi
    >>> [str(colour) for colour in start_round(collapsi.RULE_SETS["big3"]).seats]
    ['red', 'blue', 'green']
    """
    return Round(rules, 0, read_match(rules, "", 0) if match else None)
