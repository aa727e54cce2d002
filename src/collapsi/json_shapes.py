"""What JSON looks like, written once: a typed dict for every answer of the library and its commands.

Every `to_json` returns one of these, so the type checker holds the function against it. FastAPI reads the
same typed dicts to describe the service, and tests hold real answers against them. What only the service says
is in `web.models`.

Only that description needs them at run time: the library imports them for the type checker alone. Neither
pydantic nor FastAPI is needed to load this module. A member of an enum stands in an answer as it is: it is a
string, and JSON writes it as one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic wants this one below Python 3.12

from collapsi.coach import WhyKind
from collapsi.daily import Mark
from collapsi.games.crowd_review import CrowdVerdict, Sureness
from collapsi.games.solo_deals import Difficulty
from collapsi.opponent import Level
from collapsi.puzzles import PuzzleKind
from collapsi.review import Verdict
from collapsi.rules import Exit


class Said:
    """What is said of a field beside its type; `more` are words of JSON Schema, such as `examples`.

    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(Annotated[int, Said("Plies to the end.", minimum=0)]).json_schema()
    {'description': 'Plies to the end.', 'minimum': 0, 'type': 'integer'}
    """

    def __init__(self, description: str, **more: object) -> None:
        self.said = {"description": description, **more}

    def __get_pydantic_json_schema__(self, schema: Any, describe: Any) -> dict[str, Any]:
        """Called by pydantic when it describes a type."""
        return {**describe(schema), **self.said}


class Exact(TypedDict):
    """What all shapes share: no field that is not named."""


# Where pydantic looks for it, here and in every shape that is made from this one.
setattr(Exact, "__pydantic_config__", {"extra": "forbid"})  # noqa: B010 - typed dicts have no attributes

Colour = Literal["red", "blue"]
Seat = Annotated[Literal["red", "blue", "green", "yellow"], Said("A player of the big board.")]
Square = Annotated[
    str, Said("A square, a1 to d4; on a shifting board a1 is the top left of all cards.", examples=["d1"])
]
MoveText = Annotated[
    str,
    Said("The move as it is written: its end square, on a shifting board with the shift.", examples=["d1"]),
]
Shift = Annotated[
    Literal["r", "l", "d", "u"],
    Said(
        "Where the move shifts its line: the row to the right or left, the column down or up. "
        "Left out where boards do not shift."
    ),
]
PositionText = Annotated[str, Said("A position in our notation.", examples=["A223/4A2Jr/3A23/Jb3A4 r"])]
SoloText = Annotated[str, Said("A position of the solo game in our notation.", examples=["A2X/3Jr2/A2A"])]


# One position


class OfPosition(Exact):
    """Which position is spoken of: what every answer about one begins with."""

    position: PositionText
    rules: str
    to_move: Colour


class Warned(Exact):
    """Whether there is anything odd about it."""

    warnings: NotRequired[
        Annotated[
            list[str],
            Said("Every reason why the position cannot arise in play; left out where there is none."),
        ]
    ]


class Outcome(Exact):
    """How a game ends under perfect play."""

    winner: Colour
    plies: Annotated[int, Said("Plies to the end.")]
    score: Annotated[int, Said("Cards face up at the end, negative if blue wins.")]


class Played(Exact):
    """A move by its parts: `move` is `to` and, on a shifting board, `shift`."""

    move: MoveText
    to: Square
    shift: NotRequired[Shift]


class Move(Played, Outcome):
    """A legal move and what it leads to, the move itself counted as the first ply."""

    path: list[Square]


class Analysis(OfPosition, Outcome, Warned):
    """A position solved."""

    best: Annotated[list[MoveText], Said("All best moves.")]
    line: Annotated[list[MoveText], Said("Perfect play to the end.")]
    moves: Annotated[list[Move], Said("Every legal move, best first.")]


class PossibleGames(OfPosition, Warned):
    """How many ways there are to play on from a position to the end."""

    games: int


# A game looked back on


class PositionInGame(OfPosition, Outcome):
    """A position of a game, solved."""

    best: list[MoveText]


class Why(Exact):
    """A reason that can be checked on the board."""

    kind: WhyKind
    text: Annotated[str, Said("The reason as a sentence, without a full stop.")]


class JudgedMove(Played, Outcome):
    """A move of a game and the verdict on it."""

    number: int
    player: Colour
    best: list[MoveText]
    verdict: Verdict
    last_chance: bool
    text: str
    why: Annotated[Why | None, Said("Why it threw the win away; null if it did not.")]


class Review(Exact):
    """A game looked back on."""

    game: str
    positions: list[PositionInGame]
    moves: list[JudgedMove]
    turning_points: Annotated[list[int], Said("Numbers of the moves that threw a win away.")]


# All deals


class Length(Exact):
    """The deals of one length."""

    plies: int
    winner: Colour
    deals: int
    different: int


class AllGames(Exact):
    """The possible games of all deals."""

    rules: str
    games: int
    mean: float
    smallest: int
    largest: int


class AllDeals(Exact):
    """All deals by length, and what it took to solve them."""

    rules: str
    red_first: list[int]
    blue_first: list[int]
    lengths: list[Length]
    deals: int
    listed_deals: int
    different_deals: int
    red_wins: int
    blue_wins: int
    shortest: int
    longest: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int | None
    possible_games: NotRequired[AllGames]


class AllTurningDeals(Exact):
    """All deals with turning lines by length, and what it took to solve them."""

    rules: str
    lengths: list[Length]
    deals: int
    different_deals: int
    red_wins: int
    blue_wins: int
    shortest: int
    longest: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int | None


class OpeningRule(Exact):
    """What happens under one opening rule."""

    red_first: list[int]
    blue_first: list[int]
    deals: int
    red_wins: int
    red_share: float
    mean_plies: float


class DeckFacts(Exact):
    """Every deal of a deck, counted."""

    rules: str
    deck: list[int]
    deals: int
    red_wins: int
    red_share: float
    mean_plies: float
    shortest: int
    longest: int
    lengths: dict[str, int]
    choices: float
    first_move_decides: int
    decisive_share: float
    winning_first_moves: dict[str, int]
    mean_winning_first_moves: float
    one_line: int
    one_line_share: float


class Compared(Exact):
    """How much the layers were compared with the other solvers, and every difference."""

    deals: int
    positions: int
    differences: list[str]


class Verification(Compared):
    """The same, with the rules that were played by."""

    rules: str


class DealRow(Exact):
    """What the atlas knows of a deal."""

    deal: Annotated[str, Said("The truly different deal that stands for it.")]
    distance: int
    weight: Annotated[int, Said("How many of all deals are this one.")]
    winner: Colour
    plies: int
    score: int
    winning_moves: int
    games: int | None
    first_moves: dict[str, int]


# The solo game


class SoloCount(Exact):
    """How many solutions a position of the solo game has."""

    position: SoloText
    solutions: int


class SoloFacts(Exact):
    """Whether a position of the solo game can be solved, and how hard that is."""

    position: SoloText
    rules: str
    exit: Exit
    solvable: bool
    solutions: Annotated[int, Said("Different orders in which the cards can be landed on.")]
    share: Annotated[float, Said("The share of random play that succeeds.")]
    forced: Annotated[int, Said("How often only one of several moves keeps it solvable.")]
    deck: Annotated[str | None, Said("The deck of which it is a whole layout.")]
    difficulty: Difficulty | None


class SoloMoveSolved(Exact):
    """A legal move of the solo game and what it leads to."""

    move: MoveText
    to: Square
    path: list[Square]
    solvable: bool
    solutions: Annotated[int, Said("How many solutions begin with it.")]


class SoloSolved(SoloFacts):
    """A position of the solo game solved."""

    solution: Annotated[list[str], Said("A solution, or nothing.")]
    moves: list[SoloMoveSolved]


class SoloCensus(Exact):
    """All layouts of a deck, or a sample of them, by their number of solutions."""

    deck: str
    numbers: str
    rows: int
    columns: int
    exit: Exit
    all_layouts: int
    sample: bool
    seed: int | None
    layouts: int
    different: int | None
    solvable: int
    share: float
    share_between: list[float]
    median_solutions: int
    by_solutions: list[list[int]]


# Puzzles and the deal of the day


class Puzzle(OfPosition):
    """A position in which exactly one move wins."""

    kind: Annotated[PuzzleKind, Said("How hard it is.")]
    sight: Annotated[int, Said("How many plies one must look ahead to be sure of the move.")]
    plies: Annotated[int, Said("How long the win takes.")]
    refuted: Annotated[int, Said("How long the longest-lived of the other moves lives.")]
    card: Annotated[bool, Said("Whether the card of rules names the move and no other.")]
    move: Annotated[MoveText, Said("The answer.")]
    line: Annotated[list[Square], Said("Perfect play to the end.")]
    game: Annotated[str, Said("A game that leads there.")]


class Trial(OfPosition, Outcome):
    """A move tried where a win is to be found; its plies are counted with the move itself."""

    move: MoveText
    right: Annotated[bool, Said("Whether it wins.")]
    only: Annotated[bool, Said("Whether only one move wins.")]
    line: Annotated[list[Square], Said("The proof: the move, and perfect play after it.")]
    text: Annotated[str, Said("The verdict in one line.")]
    kind: Annotated[PuzzleKind | None, Said("How hard it was; null where it was no puzzle.")]
    rating: Annotated[str | None, Said("How the move can be found; null likewise.")]


class DailyGame(OfPosition):
    """The deal of a day, and how the game stands; `position` is the deal."""

    date: Annotated[str, Said("Year, month and day.", examples=["2026-10-02"])]
    game: Annotated[str, Said("The deal and the moves so far.")]
    person: Annotated[Colour, Said("The colour of the person, who can win the deal.")]
    level: Annotated[Level, Said("How well the computer plays, always.")]
    level_text: str
    reply: Annotated[str | None, Said("What the computer plays, if it is its turn.")]
    over: bool
    won: Annotated[bool | None, Said("Whether the person has won; null while it goes on.")]
    marks: Annotated[list[Mark] | None, Said("How good each of the person's moves was.")]
    result: Annotated[str | None, Said("The text to share when it is over.")]


# What was counted, or found in a sample


class Rate(Exact):
    """So many of so many: exact if all were counted, else with its 95 % interval."""

    found: int
    cases: int
    share: float
    exact: bool
    interval: list[float]


class LengthRate(Rate):
    """The deals of one length."""

    plies: int


class Mean(Exact):
    """The average of a sample, with its 95 % interval."""

    mean: float
    interval: list[float]


class StudyPlan(Exact):
    """What a study is, as its folder's manifest says it."""

    format: int
    rules: str
    seed: int
    level: str | None
    lengths: Annotated[bool, Said("Whether it is asked how long games last.")]
    part: Annotated[int, Said("Deals of a part.")]


class StudyResult(Exact):
    """What random deals of a rule set tell: every share is an estimate with its 95 % interval."""

    rules: str
    seed: Annotated[int, Said("Deal n of the study depends on this seed and n only.")]
    deals: int
    level: Annotated[
        str | None, Said("The players whose games were looked at; null where the solver's exact values were.")
    ]
    wins: Annotated[dict[Seat, Rate], Said("How often each player wins.")]
    first_out: Annotated[dict[Seat, Rate], Said("With three or four: how often each is the first to go out.")]
    mean_plies: Annotated[Mean | None, Said("How long games last on average; null if that was not asked.")]
    lengths: list[LengthRate]


class StudyEstimate(Exact):
    """What it would take to solve all deals of a rule set one by one."""

    rules: str
    measured: Annotated[int, Said("The deals whose cost is known.")]
    cpu_seconds: Annotated[Mean, Said("Of one core, for a deal.")]
    nodes: Annotated[float, Said("Positions looked at, for a deal.")]
    deals: int
    different: Annotated[int, Said("Deals up to the symmetries of the board, about.")]
    core_days: Annotated[float, Said("Days of one core for those.")]


# The shifting board


class ShiftingOutcomes(Exact):
    """The deals under one reading of the rules."""

    reading: str
    red_wins: Rate
    mean_plies: float
    lengths: list[LengthRate]


class ShiftingDifference(Exact):
    """Two readings on the same deals."""

    first: str
    second: str
    winner_differs: Rate
    length_differs: Rate


class JackSquares(Exact):
    """Where the two jacks lie."""

    red: str
    blue: str


class ShiftingFirstMove(Exact):
    """The deals that red wins with the first move, and where the jacks lie in them."""

    reading: str
    deals: Rate
    jacks: list[JackSquares]
    jack_placements: int


class ShiftingDifferent(Exact):
    """Deals up to the symmetries of the rules."""

    rules: str
    symmetries: int
    deals: int
    different_by_burnside: int
    different_by_enumeration: int


class ShiftingWorth(Exact):
    """How often the mover wins if this once the shift is its own, none, or the opponent's to choose."""

    rules: str
    plies: int
    own: Rate
    none: Rate
    theirs: Rate
    standard: Rate
    walks_by_winning_shifts: list[int]


class ShiftingFacts(Exact):
    """What is known of the shifting board."""

    deals: int
    seed: int
    outcomes: list[ShiftingOutcomes]
    differences: list[ShiftingDifference]
    first_move: list[ShiftingFirstMove]
    different: list[ShiftingDifferent]
    worth: list[ShiftingWorth]


# The big board


class OfCrowd(Exact):
    """Which position of the big board is spoken of."""

    position: Annotated[str, Said("A position of the big board in our notation.")]
    rules: str
    to_move: Seat
    out: Annotated[list[Seat], Said("Who is out, first to last.")]


class CrowdPoints(Exact):
    """The points of a round by player; only of those who play."""

    red: int
    blue: int
    green: NotRequired[int]
    yellow: NotRequired[int]


class CrowdPlies(Exact):
    """Plies to the end as far as they are known; all null as long as the winner is not known."""

    plies: Annotated[int | None, Said("Exactly; null if that is not known yet.")]
    plies_at_least: int | None
    plies_at_most: int | None


class CrowdMoveSolved(CrowdPlies):
    """A move of the big board and what is known of it."""

    move: Annotated[str, Said("The move as it is written: its end square.", examples=["f6"])]
    to: str
    path: list[str]
    wins: Annotated[bool | None, Said("Whether the mover wins with it; null if that is not known yet.")]
    winner: Seat | None


class CrowdSolved(OfCrowd, CrowdPlies, Warned):
    """What is known of a position of the big board with two players left."""

    known: Annotated[
        Literal["all", "winner", "nothing"],
        Said("Of the position: winner and plies, the winner alone, or neither yet."),
    ]
    finished: Annotated[bool, Said("Whether all that was asked is known.")]
    nodes: int
    winner: Seat | None
    score: Annotated[
        int | None,
        Said("With two players: cards left at the end, negative if blue wins; null if not known yet."),
    ]
    points: CrowdPoints | None
    best: Annotated[list[str], Said("The moves known to be best; none if that is not known yet.")]
    line: Annotated[list[str] | None, Said("Perfect play to the end; null if that is not known yet.")]
    moves: list[CrowdMoveSolved]


class CrowdMoveJudged(Exact):
    """A move of an endgame of three or four players."""

    move: str
    to: str
    path: list[str]
    points: CrowdPoints
    secures: Annotated[int, Said("The mover's points at the least, whatever the others do.")]


class CrowdEndgame(OfCrowd, Warned):
    """An endgame of three or four players under perfect play."""

    tie_rule: Annotated[str, Said("What is played where several moves are worth the same to the mover.")]
    exact: Annotated[bool, Said("Whether nobody's points depend on the rule for ties.")]
    points: CrowdPoints
    secured: Annotated[CrowdPoints, Said("What each gets at the least, whatever all the others do.")]
    best: list[str]
    moves: list[CrowdMoveJudged]


class CrowdExpected(Exact):
    """Round points that each player may expect: an estimate, with decimals; only of those who play."""

    red: float
    blue: float
    green: NotRequired[float]
    yellow: NotRequired[float]


class CrowdMoveEstimate(Exact):
    """A move of the big board and what the engine thinks of it."""

    move: str
    to: str
    path: list[str]
    expected: CrowdExpected
    visits: Annotated[int, Said("How often the engine tried it: what was tried more is more certain.")]


class CrowdEstimate(OfCrowd, Warned):
    """What the engine thinks of a position of the big board: an estimate, no exact value."""

    estimate: Annotated[Literal[True], Said("Always there, so that nobody takes it for an exact answer.")]
    nodes: Annotated[int, Said("Positions looked at so far.")]
    expected: CrowdExpected
    best: Annotated[list[str], Said("The move that the engine would make.")]
    moves: list[CrowdMoveEstimate]


class CrowdMoveLooked(Exact):
    """A move of a game of the big board, looked back on."""

    number: int
    player: Seat
    move: str
    to: str
    text: Annotated[str, Said("What is said of it.")]


class CrowdMoveReviewed(CrowdMoveLooked):
    """The same with a verdict, if there is one."""

    sureness: Annotated[Sureness, Said("What the verdict rests on.")]
    verdict: Annotated[CrowdVerdict | None, Said("How good it was; null: not known.")]
    best: Annotated[list[str], Said("The moves known to be best, or to win; none if that is not known.")]


class CrowdMoveGuessed(CrowdMoveLooked):
    """The same with what the engine thinks: no verdict."""

    estimate: Annotated[Literal[True], Said("Always there, so that nobody takes it for an exact answer.")]
    expected: Annotated[float, Said("Round points that its player may expect.")]
    choice: Annotated[str, Said("The move that the engine would have made.")]
    choice_expected: float


class CrowdReview(Exact):
    """A game of the big board looked back on, as far as it has been."""

    game: str
    finished: Annotated[bool, Said("Whether every move has been looked at.")]
    plies: Annotated[int, Said("How many moves the game has.")]
    moves: Annotated[
        list[CrowdMoveReviewed | CrowdMoveGuessed], Said("The last are looked at first: they come last.")
    ]
    turning_points: Annotated[
        list[int], Said("Numbers of the moves that are known to have thrown a win or points away.")
    ]
    end: Annotated[OfCrowd, Said("How the game stands at its end.")]


class CrowdRung(Exact):
    """One level at a table of the big board at which all other seats are another's."""

    level: Level
    text: str
    others: Level
    won: Rate
    fair: Annotated[float, Said("The share that one of so many equals would win.")]
    points: Mean
    milliseconds: Annotated[float, Said("CPU for a move of the one, on average.")]


class CrowdLadder(Exact):
    """The levels of the big board, each measured against the next weaker."""

    rules: str
    seed: int
    nodes: Annotated[int, Said("Positions that the strongest looks at for a move.")]
    rungs: list[CrowdRung]


class CrowdDecided(Exact):
    """How often who would win with perfect play from here on has won in the end."""

    cards: int
    won: Rate


class CrowdTwo(Exact):
    """The game for two: exact winners of deals, and games between strong players."""

    solved: int
    unsolved: Annotated[int, Said("Deals whose winner was not found within the nodes allowed.")]
    red: Annotated[Rate, Said("Deals that red wins with perfect play, of those solved.")]
    games: int
    red_in_play: Rate
    plies: Annotated[dict[str, int], Said("Games between strong players by their number of plies.")]
    decided: list[CrowdDecided]


class CrowdSeat(Exact):
    """What a seat is worth at strong play."""

    seat: Seat
    points: Mean
    won: Rate


class CrowdSeats(Exact):
    """What every seat is worth at strong play."""

    rules: str
    rounds: int
    nodes: int
    seats: list[CrowdSeat]


class CrowdBin(Exact):
    """Positions in which the engine expected about as much: what it expected, and what is exact."""

    expected: Annotated[float, Said("On average, an estimate.")]
    exact: Mean
    positions: int


class CrowdCalibration(Exact):
    """What the engine expects for the mover beside what is exact."""

    rules: str
    cards: int
    nodes: int
    positions: int
    error: Annotated[float, Said("How far an estimate is off on average, in points.")]
    bins: list[CrowdBin]


class BigFacts(Exact):
    """What is known of the big board."""

    deals: int
    seed: int
    two: CrowdTwo
    seats: list[CrowdSeats]
    calibration: list[CrowdCalibration]
