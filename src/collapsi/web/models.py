"""What the answers look like, for the OpenAPI description. The fields are those of the command line's JSON.

The answers are made by the library's own `to_json`; tests hold them against these models.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from collapsi import state
from collapsi.opponent import Level
from collapsi.review import Verdict

Colour = Literal["red", "blue"]
Square = Annotated[str, Field(description="A square, a1 to d4.", examples=["d1"])]
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
    to: Square
    path: list[Square]


class Deal(About):
    """A deal."""

    seed: Annotated[int, Field(description="With this seed the same request gives the same deal.")]


class Refusal(Answer):
    """Why a pawn may not go to a square."""

    kind: state.Refusal
    text: str


class SquareShown(Answer):
    """One square of the board."""

    square: Square
    card: Annotated[str | None, Field(description="A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Colour | None
    path: Annotated[
        list[Square] | None, Field(description="The way there for the side to move, if it may go there.")
    ]
    refusal: Annotated[Refusal | None, Field(description="Why the side to move may not go there.")]


class MatchScore(Answer):
    """The points of a match to sixteen, by the colours of this round."""

    red: int
    blue: int
    winner: Colour | None
    next: Annotated[
        str | None,
        Field(description="The score to begin the next round with, colours changed, if the round is over."),
    ]


class Game(About):
    """A game and one of its positions."""

    game: Annotated[str, Field(description="The whole game in our notation.")]
    start: PositionText
    moves: list[Square]
    ply: Annotated[int, Field(description="Which position is shown: after so many moves.")]
    squares: list[SquareShown]
    steps: Annotated[list[int], Field(description="How many steps the side to move goes, to choose from.")]
    cards_left: int
    winner: Annotated[Colour | None, Field(description="Who has won, or null.")]
    points: Annotated[int | None, Field(description="What the winner of the round scores.")]
    moved: Annotated[list[Square] | None, Field(description="The way of the move that led here.")]
    match: MatchScore
    text: Annotated[str, Field(description="The board as text.")]
    published: Annotated[
        str | None, Field(description="The position in the published solver's form, if it has one.")
    ]
    warnings: list[str]


class JudgedMove(Outcome):
    """A move of a game and the verdict on it."""

    number: int
    player: Colour
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
