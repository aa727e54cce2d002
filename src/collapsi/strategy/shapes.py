"""What JSON about cards of rules looks like: typed dicts, as in `collapsi.json_shapes`."""

from __future__ import annotations

from typing import Annotated, NotRequired

from collapsi.json_shapes import Analysis, Exact, MoveText, PositionText, Said


class Stage(Exact):
    """What numbers are worth while at least so many cards are face up."""

    least: int
    worth: Annotated[list[int] | None, Said("Of ace, two, three and four; null: nothing is counted.")]


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
    """A share with half the width of its interval of 95 %."""

    share: float
    margin: float
    cases: int


class Phase(Share):
    """A share among the positions of some plies."""

    plies: Annotated[list[int], Said("The first and the last of them.")]


class Worth(Exact):
    """What a card keeps of the wins."""

    kept: Share
    phases: list[Phase]
    effort: Annotated[float, Said("Cards looked at for a decision, on average.")]


class ByLines(Worth):
    """The best card of so many lines."""

    lines: int
    card: RuleCard


class ByEffort(Worth):
    """The best card that takes no more looking than this."""

    most_effort: float
    card: RuleCard


class Alone(Share):
    """A rule followed alone."""

    rule: str
    gain: float
    works: bool


class NumbersAt(Exact):
    """How many more wins the numbers keep at one ply, ace to four: landed on, and to step to next."""

    ply: int
    positions: int
    landing: list[Share]
    next: list[Share]


class Study(Exact):
    """A card that was learned, and what is known of it."""

    rules: str
    seed: int
    games: int
    card: RuleCard
    worth: Worth
    chance: Worth
    by_lines: list[ByLines]
    by_effort: list[ByEffort]
    alone: list[Alone]
    numbers: list[NumbersAt]


class Rate(Exact):
    """Games won of those played, with an interval of 95 %."""

    won: int
    played: int
    share: float
    low: float
    high: float


class Pairing(Exact):
    """What came of one player against another."""

    red: str
    blue: str
    red_wins_of_random_deals: Rate
    red_wins_of_red_deals: Rate
    blue_wins_of_blue_deals: Rate


class Standing(Exact):
    """How a player fared against all others."""

    player: str
    text: str
    random_deals: Rate
    as_red_of_red_deals: Rate
    as_blue_of_blue_deals: Rate


class Ladder(Exact):
    """Where everybody stands, the strongest first, and every pairing."""

    standings: list[Standing]
    pairings: list[Pairing]


class Drill(Analysis):
    """A position where a line of a card of rules decides, or fails."""

    rule: Annotated[int, Said("Which line, from 1.")]
    text: Annotated[str, Said("The line.")]
    left: Annotated[list[MoveText], Said("The moves that the lines above leave.")]
    kept: Annotated[list[MoveText], Said("The moves that are left with this line.")]
    answer: Annotated[MoveText | None, Said("The move that it picks; null where several are left.")]


class DrillsOfLine(Exact):
    """What is kept for the lesson on a line."""

    drills: Annotated[list[PositionText], Said("The example, then drills from easy to hard.")]
    failure: Annotated[PositionText | None, Said("Where it fails; null: nowhere.")]


class KeptDrills(Exact):
    """What is kept for the lessons on a card of rules."""

    format: int
    card: RuleCard
    lines: list[DrillsOfLine]
