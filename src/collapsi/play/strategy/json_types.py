"""Typed dicts for the JSON about cards of rules, drills and ladders."""

from __future__ import annotations

from typing import Annotated, NotRequired

from collapsi.core.json_types import Doc, Exact, Mean, MoveText, PositionText
from collapsi.play.json_types import Analysis


class Stage(Exact):
    """The points of the numbers while at least `least` cards are face up."""

    least: int
    worth: Annotated[list[int] | None, Doc("Of ace, two, three and four; null: nothing is counted.")]


class Line(Exact):
    """A line of a card: a filter keeps or avoids something, points are counted for something."""

    keep: NotRequired[str]
    avoid: NotRequired[str]
    count: NotRequired[list[str]]
    less: NotRequired[list[str]]
    stages: NotRequired[list[Stage]]
    text: NotRequired[str]


class RuleCard(Exact):
    """A card of rules."""

    format: int
    lines: list[Line]


class Share(Exact):
    """A share with the half-width of its 95 % interval."""

    share: float
    margin: float
    cases: int


class Phase(Share):
    """A share among the positions of some plies."""

    plies: Annotated[list[int], Doc("The first and the last of them.")]


class Measurement(Exact):
    """The share of wins that a card keeps."""

    kept: Share
    phases: list[Phase]
    effort: Annotated[float, Doc("Cards looked at for a decision, on average.")]


class ByLines(Measurement):
    """The best card with a number of lines."""

    lines: int
    card: RuleCard


class ByEffort(Measurement):
    """The best card within a limit of effort."""

    most_effort: float
    card: RuleCard


class SingleRule(Share):
    """A rule followed alone."""

    rule: str
    gain: float
    works: bool


class NumbersAt(Exact):
    """The values of the numbers ace to four at one ply: of the landing card, and of the next cards."""

    ply: int
    positions: int
    landing: list[Share]
    next: list[Share]


class CardStudy(Exact):
    """A card of rules and its measurements."""

    rules: str
    seed: int
    games: int
    card: RuleCard
    worth: Measurement
    chance: Measurement
    by_lines: list[ByLines]
    by_effort: list[ByEffort]
    alone: list[SingleRule]
    numbers: list[NumbersAt]


class WinRate(Exact):
    """Games won of games played, with a 95 % interval."""

    won: int
    played: int
    share: float
    low: float
    high: float


class Pairing(Exact):
    """The results of one player against another."""

    red: str
    blue: str
    red_wins_of_random_deals: WinRate
    red_wins_of_red_deals: WinRate
    blue_wins_of_blue_deals: WinRate


class HeadToHead(Exact):
    """Two players head to head, from random deals with both colours."""

    player: str
    against: str
    won: WinRate


class Neighbours(Exact):
    """Each player of a list against the one before it."""

    rules: str
    seed: int
    matches: list[HeadToHead]


class WinRateOf(WinRate):
    """The games won by one player."""

    player: str


class WonBack(Exact):
    """How many lost positions two players win back from an opponent."""

    against: str
    plies: Annotated[int, Doc("Random plies before the positions.")]
    won: list[WinRateOf]
    difference: Annotated[Mean, Doc("Of the two shares, for pairs of games from the same position.")]


class WonBackTable(Exact):
    """The positions won back from each opponent."""

    rules: str
    seed: int
    won_back: list[WonBack]


class PlayerResult(Exact):
    """The total results of a player against all others."""

    player: str
    text: str
    random_deals: WinRate
    as_red_of_red_deals: WinRate
    as_blue_of_blue_deals: WinRate


class Ladder(Exact):
    """The total results, strongest player first, and every pairing."""

    standings: list[PlayerResult]
    pairings: list[Pairing]


class Drill(Analysis):
    """A position where a line of a card of rules decides, or fails."""

    rule: Annotated[int, Doc("Which line, from 1.")]
    text: Annotated[str, Doc("The line.")]
    left: Annotated[list[MoveText], Doc("The moves that the lines above leave.")]
    kept: Annotated[list[MoveText], Doc("The moves that are left with this line.")]
    answer: Annotated[MoveText | None, Doc("The move that it picks; null where several are left.")]


class LineDrills(Exact):
    """The drills of one line."""

    drills: Annotated[list[PositionText], Doc("The example, then drills from easy to hard.")]
    failure: Annotated[PositionText | None, Doc("Where it fails; null: nowhere.")]


class DrillSet(Exact):
    """The drills of a card of rules."""

    format: int
    card: RuleCard
    lines: list[LineDrills]
