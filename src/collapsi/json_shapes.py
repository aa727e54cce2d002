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
Square = Annotated[str, Said("A square, a1 to d4.", examples=["d1"])]
MoveText = Annotated[str, Said("The move as it is written.", examples=["d1"])]
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


class Move(Outcome):
    """A legal move and what it leads to, the move itself counted as the first ply."""

    move: MoveText
    to: Square
    path: list[Square]


class Analysis(OfPosition, Outcome, Warned):
    """A position solved."""

    best: Annotated[list[Square], Said("The end squares of all best moves.")]
    line: Annotated[list[Square], Said("Perfect play to the end.")]
    moves: Annotated[list[Move], Said("Every legal move, best first.")]


class PossibleGames(OfPosition, Warned):
    """How many ways there are to play on from a position to the end."""

    games: int


# A game looked back on


class PositionInGame(OfPosition, Outcome):
    """A position of a game, solved."""

    best: list[Square]


class Why(Exact):
    """A reason that can be checked on the board."""

    kind: WhyKind
    text: Annotated[str, Said("The reason as a sentence, without a full stop.")]


class JudgedMove(Outcome):
    """A move of a game and the verdict on it."""

    number: int
    player: Colour
    move: MoveText
    to: Square
    best: list[Square]
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


class OpeningRule(Exact):
    """What happens under one opening rule."""

    red_first: list[int]
    blue_first: list[int]
    deals: int
    red_wins: int
    red_share: float
    mean_plies: float


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
