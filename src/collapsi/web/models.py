"""What the answers look like, for the OpenAPI description. The fields are those of the command line's JSON.

A typed dict is written once: the type checker holds the function that makes the answer against it, and FastAPI
describes it. The other answers are made by the library's own `to_json`; tests hold all of them against what is here.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypedDict  # pydantic wants this one below Python 3.12

from collapsi import daily, puzzles, state
from collapsi.games.solo_deals import Difficulty
from collapsi.opponent import Level
from collapsi.review import Verdict
from collapsi.rules import Exit

Colour = Literal["red", "blue"]
Square = Annotated[str, Field(description="A square, a1 to d4.", examples=["d1"])]
MoveText = Annotated[str, Field(description="The move as it is written.", examples=["d1"])]
PositionText = Annotated[
    str, Field(description="A position in our notation.", examples=["A223/4A2Jr/3A23/Jb3A4 r"])
]
Warnings = Annotated[
    list[str],
    Field(description="Every reason why the position cannot arise in play; left out where there is none."),
]


class Answer(BaseModel):
    """What all answers share: no field that is not named here."""

    model_config = ConfigDict(extra="forbid")


class Problem(Answer):
    """What is wrong with a request, as problem details (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: Annotated[str, Field(description="One line that says what is wrong and what to write instead.")]


class Outcome(Answer):
    """How a game ends under perfect play."""

    winner: Colour
    plies: Annotated[int, Field(description="Plies to the end.")]
    score: Annotated[int, Field(description="Cards face up at the end, negative if blue wins.")]


class About(Answer):
    """Which position is spoken of."""

    position: PositionText
    rules: str
    to_move: Colour


class Move(Outcome):
    """A legal move and what it leads to, the move itself counted as the first ply."""

    move: MoveText
    to: Square
    path: list[Square]


class Moves(About):
    """The legal moves, best first."""

    moves: list[Move]
    warnings: Warnings = []


class Analysis(About, Outcome):
    """A position solved."""

    best: Annotated[list[Square], Field(description="The end squares of all best moves.")]
    line: Annotated[list[Square], Field(description="Perfect play to the end.")]
    moves: Annotated[list[Move], Field(description="Every legal move, best first.")]
    warnings: Warnings = []


class ComputerMove(About):
    """What the computer plays."""

    level: Level
    move: MoveText
    to: Square
    path: list[Square]


class Deal(About):
    """A deal."""

    seed: Annotated[int, Field(description="With this seed the same request gives the same deal.")]


EXACT = ConfigDict(extra="forbid")


@with_config(EXACT)
class Option(TypedDict):
    """One of several things to choose from: its value in a question, and what people are told of it."""

    value: str
    text: str


@with_config(EXACT)
class BoardShown(TypedDict):
    """What a board looks like before anything lies on it."""

    rows: Annotated[list[str], Field(description="The names of the rows, from the top.")]
    columns: Annotated[list[str], Field(description="The names of the columns, from the left.")]
    squares: Annotated[list[Square], Field(description="The names of the squares in reading order.")]


@with_config(EXACT)
class Example(TypedDict):
    """A position to be drawn, and the way of a move on it."""

    position: PositionText
    move: str | None
    alt: Annotated[str, Field(description="What the picture shows.")]


@with_config(EXACT)
class Lesson(Example):
    """One of the rules, with an example."""

    title: str
    text: str


@with_config(EXACT)
class RulesShown(TypedDict):
    """A rule set."""

    name: Annotated[str, Field(description="As it is written in positions and questions.")]
    title: str
    text: Annotated[str, Field(description="What is special about it, in sentences.")]
    board: BoardShown
    example: Example


@with_config(EXACT)
class VerdictShown(TypedDict):
    """A kind of verdict on a move."""

    verdict: Verdict
    sign: str
    mood: Annotated[Literal["good", "bad", "neither"], Field(description="Whether it praises or blames.")]


@with_config(EXACT)
class SoloChoices(TypedDict):
    """What there is to choose from before a deal of the solo game."""

    decks: list[Option]
    difficulties: list[Option]
    exits: list[Option]


@with_config(EXACT)
class Service(TypedDict):
    """What a page has to know before it asks anything else."""

    rules: list[RulesShown]
    levels: Annotated[list[Option], Field(description="How well the computer can play, weakest first.")]
    first_level: Annotated[str, Field(description="Who meets somebody that plays for the first time.")]
    verdicts: list[VerdictShown]
    cards: Annotated[list[Option], Field(description="How cards are written and called.")]
    lay: Annotated[list[Option], Field(description="What can be laid on a square in the editor.")]
    examples: Annotated[list[Lesson], Field(description="The rules, one by one.")]
    solo: SoloChoices
    puzzles: Annotated[list[Option], Field(description="The kinds of puzzle, easiest first.")]
    marks: Annotated[list[Option], Field(description="What the symbols of a shared result mean.")]


@with_config(EXACT)
class Refusal(TypedDict):
    """Why a pawn may not go to a square."""

    kind: state.Refusal
    text: str


@with_config(EXACT)
class SquareShown(TypedDict):
    """One square of the board."""

    square: Square
    card: Annotated[str | None, Field(description="A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Colour | None
    move: Annotated[
        str | None, Field(description="The move that ends there, as it is written, if it is legal.")
    ]
    path: Annotated[
        list[Square] | None, Field(description="The way there for the side to move, if it may go there.")
    ]
    refusal: Annotated[Refusal | None, Field(description="Why the side to move may not go there.")]


@with_config(EXACT)
class MatchScore(TypedDict):
    """The points of a match to sixteen, by the colours of this round."""

    red: int
    blue: int
    winner: Colour | None
    next: Annotated[
        str | None,
        Field(description="The score to begin the next round with, colours changed, if the round is over."),
    ]


@with_config(EXACT)
class Game(TypedDict):
    """A game and one of its positions."""

    position: PositionText
    rules: str
    to_move: Colour
    rules_title: str
    rules_text: str
    game: Annotated[str, Field(description="The whole game in our notation.")]
    start: PositionText
    moves: Annotated[list[str], Field(description="The moves as they are written.")]
    ply: Annotated[int, Field(description="Which position is shown: after so many moves.")]
    rows: Annotated[list[str], Field(description="The names of the rows, from the top.")]
    columns: Annotated[list[str], Field(description="The names of the columns, from the left.")]
    squares: list[SquareShown]
    steps: Annotated[
        list[int],
        Field(description="How many steps the side to move goes, to choose from; none if it does not walk."),
    ]
    task: Annotated[
        str, Field(description="What the side to move has to do.", examples=["move: 1 step from d2"])
    ]
    cards_left: int
    winner: Annotated[Colour | None, Field(description="Who has won, or null.")]
    points: Annotated[int | None, Field(description="What the winner of the round scores.")]
    moved: Annotated[list[Square] | None, Field(description="The way of the move that led here.")]
    moved_by: Annotated[Colour | None, Field(description="Whose move it was.")]
    went: Annotated[str | None, Field(description="The move that led here, in words.")]
    match: MatchScore
    text: Annotated[str, Field(description="The board as text.")]
    published: Annotated[
        str | None, Field(description="The position in the published solver's form, if it has one.")
    ]
    warnings: list[str]


@with_config(EXACT)
class SquareLaid(TypedDict):
    """One square of a board that is being laid out."""

    square: Square
    card: Annotated[str | None, Field(description="A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Colour | None


@with_config(EXACT)
class Draft(TypedDict):
    """A board that is being laid out, and whether it is a position yet."""

    draft: Annotated[str, Field(description="Its text, to be asked about again.")]
    rules: str
    to_move: Colour
    rows: list[str]
    columns: list[str]
    squares: list[SquareLaid]
    error: Annotated[str | None, Field(description="Why it is no position, or null.")]
    warnings: Annotated[list[str], Field(description="Every reason why the position cannot arise in play.")]


@with_config(EXACT)
class Puzzle(TypedDict):
    """A position in which exactly one move wins."""

    position: PositionText
    rules: str
    to_move: Colour
    kind: Annotated[puzzles.Kind, Field(description="How hard it is.")]
    sight: Annotated[int, Field(description="How many plies one must look ahead to be sure of the move.")]
    plies: Annotated[int, Field(description="How long the win takes.")]
    refuted: Annotated[int, Field(description="How long the longest-lived of the other moves lives.")]
    card: Annotated[
        bool | None, Field(description="Whether the card of rules finds the move; null: not asked.")
    ]
    move: Annotated[MoveText, Field(description="The answer.")]
    line: Annotated[list[Square], Field(description="Perfect play to the end.")]
    game: Annotated[str, Field(description="A game that leads there.")]
    seed: Annotated[int, Field(description="With this seed the same request gives the same puzzle.")]


@with_config(EXACT)
class Trial(TypedDict):
    """A move tried where a win is to be found."""

    position: PositionText
    rules: str
    to_move: Colour
    move: MoveText
    right: Annotated[bool, Field(description="Whether it wins.")]
    only: Annotated[bool, Field(description="Whether only one move wins.")]
    winner: Colour
    plies: Annotated[int, Field(description="Plies to the end, the move included.")]
    score: int
    line: Annotated[list[Square], Field(description="The proof: the move, and perfect play after it.")]
    text: Annotated[str, Field(description="The verdict in one line.")]


@with_config(EXACT)
class DailyGame(TypedDict):
    """The deal of a day, and how the game stands."""

    date: Annotated[str, Field(description="Year, month and day.", examples=["2026-10-02"])]
    position: PositionText
    rules: str
    to_move: Annotated[Colour, Field(description="Who has the first move of the deal.")]
    game: Annotated[str, Field(description="The deal and the moves so far.")]
    person: Annotated[Colour, Field(description="The colour of the person, who can win the deal.")]
    level: Annotated[Level, Field(description="How well the computer plays, always.")]
    level_text: str
    reply: Annotated[str | None, Field(description="What the computer plays, if it is its turn.")]
    over: bool
    won: Annotated[bool | None, Field(description="Whether the person has won; null while it goes on.")]
    marks: Annotated[list[daily.Mark] | None, Field(description="How good each of the person's moves was.")]
    result: Annotated[str | None, Field(description="The text to share when it is over.")]


SoloText = Annotated[
    str, Field(description="A position of the solo game in our notation.", examples=["A2X/3Jr2/A2A"])
]


@with_config(EXACT)
class SoloDeal(TypedDict):
    """A layout of the solo game that can be solved."""

    position: SoloText
    rules: str
    exit: Exit
    deck: str
    difficulty: Difficulty | None
    seed: Annotated[int, Field(description="With this seed the same request gives the same deal.")]


@with_config(EXACT)
class SoloGame(TypedDict):
    """A solo game and one of its positions."""

    position: SoloText
    rules: str
    rules_title: str
    rules_text: str
    exit: Annotated[Exit, Field(description="Whether the exit may be passed over before the end.")]
    to_move: Literal["red"]
    game: Annotated[str, Field(description="The whole game in our notation.")]
    start: SoloText
    moves: list[str]
    ply: Annotated[int, Field(description="Which position is shown: after so many moves.")]
    rows: list[str]
    columns: list[str]
    squares: list[SquareShown]
    cards_left: int
    solved: bool
    over: Annotated[bool, Field(description="Whether it is solved or the pawn is stuck.")]
    turn: Annotated[str, Field(description="What is to be done, in words.")]
    moved: list[Square] | None
    moved_by: Literal["red"] | None
    went: str | None
    text: Annotated[str, Field(description="The board as text.")]


@with_config(EXACT)
class SoloMove(TypedDict):
    """A legal move of the solo game and what it leads to."""

    move: MoveText
    to: Square
    path: list[Square]
    solvable: bool
    solutions: Annotated[int, Field(description="How many solutions begin with it.")]
    value: Annotated[str, Field(description="The same in four letters at the most.")]
    text: str


@with_config(EXACT)
class SoloAnalysis(TypedDict):
    """A position of the solo game solved."""

    position: SoloText
    rules: str
    exit: Exit
    solvable: bool
    solutions: Annotated[int, Field(description="Different orders in which the cards can be landed on.")]
    share: Annotated[float, Field(description="The share of random play that succeeds.")]
    forced: Annotated[int, Field(description="How often only one of several moves keeps it solvable.")]
    deck: Annotated[str | None, Field(description="The deck of which it is a whole layout.")]
    difficulty: Difficulty | None
    text: Annotated[str, Field(description="The answer in one line.")]
    back: Annotated[
        int | None,
        Field(
            description="Moves to take back to the nearest position that can be solved; null: there is none."
        ),
    ]
    best: Annotated[list[str], Field(description="The moves that keep it solvable.")]
    hint: Annotated[str | None, Field(description="Of these the one after which random play succeeds most.")]
    solution: Annotated[list[str], Field(description="A solution, or nothing.")]
    moves: list[SoloMove]


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


class PositionInGame(About, Outcome):
    """A position of a game, solved."""

    best: list[Square]


class Review(Answer):
    """A game looked back on."""

    game: str
    positions: list[PositionInGame]
    moves: list[JudgedMove]
    turning_points: Annotated[list[int], Field(description="Numbers of the moves that threw a win away.")]


class Kind(Answer):
    """Deals of one length and number of winning first moves."""

    plies: int
    winner: Colour
    winning_moves: int
    deals: int
    different: Annotated[
        int, Field(description="Truly different deals: counted once whatever symmetry moves them.")
    ]


class Census(Answer):
    """All deals, or how far the count of them is."""

    rules: str
    state: Annotated[Literal["ready", "working", "failed"], Field(description="Whether the answer is there.")]
    progress: Annotated[float, Field(ge=0, le=1, description="How much of the work is done.")]
    reason: Annotated[str | None, Field(description="Why it failed.")] = None
    deals: int | None = None
    different: int | None = None
    kinds: list[Kind] | None = None


class DealClass(Answer):
    """What the census says of a deal: the fields of `collapsi atlas show`, and how rare it is."""

    deal: Annotated[str, Field(description="The truly different deal that stands for it.")]
    distance: int
    weight: Annotated[int, Field(description="How many of all deals are this one.")]
    winner: Colour
    plies: int
    score: int
    winning_moves: int
    games: int | None
    first_moves: dict[str, int]
    asked: PositionText
    length_deals: Annotated[int, Field(description="Deals of the same length.")]
    length_different: int
    alike_deals: Annotated[int, Field(description="Of these, deals with as many winning first moves.")]
    alike_different: int
    deals: Annotated[int, Field(description="All deals.")]
    different: int
    twins: Annotated[
        list[PositionText],
        Field(
            description="The same game in guises that no shift, turn or reflection brings together; first the deal itself."
        ),
    ]
