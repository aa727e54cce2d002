"""What only the service says, as typed dicts; the rest, and how they are used: `collapsi.json_shapes`."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from collapsi import json_shapes, state
from collapsi.games.solo_deals import Difficulty
from collapsi.json_shapes import (
    Colour,
    DealRow,
    Exact,
    Move,
    MoveText,
    OfPosition,
    PositionText,
    Said,
    SoloFacts,
    SoloMoveSolved,
    SoloText,
    Square,
    Warned,
    Why,
)
from collapsi.opponent import Level
from collapsi.review import Verdict
from collapsi.rules import Exit

Aim = Annotated[str, Said("What it is about, in one line, for somebody who has never played.")]
Stroke = Annotated[
    tuple[float, float, float, float],
    Said(
        "A straight line from column and row to column and row. "
        "Whole numbers are the middles of cards, 0 is the first.",
        examples=[[3, 1, 3.75, 1]],
    ),
]
Strokes = Annotated[
    list[tuple[Stroke, ...]],
    Said("Each step as one stroke, or where it wraps around as two: out on one side, in on the other."),
]


class Problem(Exact):
    """What is wrong with a request, as problem details (RFC 9457)."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: Annotated[str, Said("One line that says what is wrong and what to write instead.")]


# A position


class Moves(OfPosition, Warned):
    """The legal moves, best first."""

    moves: list[Move]


class ComputerMove(OfPosition):
    """What the computer plays."""

    level: Level
    move: MoveText
    to: Square
    path: list[Square]


class Deal(OfPosition):
    """A deal."""

    seed: Annotated[int, Said("With this seed the same request gives the same deal.")]


# What there is to choose from


class Option(Exact):
    """One of several things to choose from: its value in a question, and what people are told of it."""

    value: str
    text: str


class BoardShown(Exact):
    """What a board looks like before anything lies on it."""

    rows: Annotated[list[str], Said("The names of the rows, from the top.")]
    columns: Annotated[list[str], Said("The names of the columns, from the left.")]
    squares: Annotated[list[Square], Said("The names of the squares in reading order.")]


class Example(Exact):
    """A position to be drawn, and the way of a move on it."""

    position: PositionText
    move: str | None
    alt: Annotated[str, Said("What the picture shows.")]


class Lesson(Example):
    """One of the rules, with an example."""

    title: str
    text: str


class RulesShown(Exact):
    """A rule set."""

    name: Annotated[str, Said("As it is written in positions and questions.")]
    title: str
    text: Annotated[str, Said("What is special about it, in sentences.")]
    board: BoardShown
    example: Example


class VerdictShown(Exact):
    """A kind of verdict on a move."""

    verdict: Verdict
    sign: str
    mood: Annotated[Literal["good", "bad", "neither"], Said("Whether it praises or blames.")]


class SoloRulesShown(Exact):
    """One reading of the exit."""

    exit: Exit
    title: str
    text: Annotated[str, Said("What it means, in a sentence.")]
    example: Example


class SoloChoices(Exact):
    """What there is to choose from before a deal of the solo game."""

    decks: list[Option]
    difficulties: list[Option]
    exits: list[Option]
    text: Annotated[str, Said("How it is played, in sentences.")]
    rules: Annotated[list[SoloRulesShown], Said("The readings of the exit.")]


class Service(Exact):
    """What a page has to know before it asks anything else."""

    rules: list[RulesShown]
    levels: Annotated[list[Option], Said("How well the computer can play, weakest first.")]
    first_level: Annotated[str, Said("Who meets somebody that plays for the first time.")]
    verdicts: list[VerdictShown]
    cards: Annotated[list[Option], Said("How cards are written and called.")]
    pawn: Annotated[str, Said("The outline of a pawn as the path of an SVG, around the middle of its card.")]
    lay: Annotated[list[Option], Said("What can be laid on a square in the editor.")]
    examples: Annotated[list[Lesson], Said("The rules, one by one.")]
    solo: SoloChoices
    puzzles: Annotated[list[Option], Said("The kinds of puzzle, easiest first.")]
    marks: Annotated[list[Option], Said("What the symbols of a shared result mean.")]


# A game, and a board that is being laid out


class Refusal(Exact):
    """Why a pawn may not go to a square."""

    kind: state.Refusal
    text: str


class SquareShown(Exact):
    """One square of the board."""

    square: Square
    card: Annotated[str | None, Said("A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Colour | None
    move: Annotated[str | None, Said("The move that ends there, as it is written, if it is legal.")]
    path: Annotated[list[Square] | None, Said("The way there for the side to move, if it may go there.")]
    strokes: Annotated[Strokes | None, Said("The way there as it is drawn.")]
    refusal: Annotated[Refusal | None, Said("Why the side to move may not go there.")]


class MatchScore(Exact):
    """The points of a match to sixteen, by the colours of this round."""

    red: int
    blue: int
    winner: Colour | None
    next: Annotated[
        str | None,
        Said("The score to begin the next round with, colours changed, if the round is over."),
    ]


class Game(OfPosition):
    """A game and one of its positions."""

    rules_title: str
    rules_text: str
    aim: Aim
    game: Annotated[str, Said("The whole game in our notation.")]
    start: PositionText
    moves: Annotated[list[str], Said("The moves as they are written.")]
    ply: Annotated[int, Said("Which position is shown: after so many moves.")]
    rows: Annotated[list[str], Said("The names of the rows, from the top.")]
    columns: Annotated[list[str], Said("The names of the columns, from the left.")]
    squares: list[SquareShown]
    steps: Annotated[
        list[int],
        Said("How many steps the side to move goes, to choose from; none if it does not walk."),
    ]
    task: Annotated[
        str | None,
        Said(
            "What the side to move has to do; null when the game is over.", examples=["move: 1 step from d2"]
        ),
    ]
    cards_left: int
    winner: Annotated[Colour | None, Said("Who has won, or null.")]
    points: Annotated[int | None, Said("What the winner of the round scores.")]
    moved: Annotated[list[Square] | None, Said("The way of the move that led here.")]
    moved_strokes: Annotated[Strokes | None, Said("This way as it is drawn.")]
    moved_by: Annotated[Colour | None, Said("Whose move it was.")]
    went: Annotated[str | None, Said("The move that led here, in words.")]
    match: MatchScore
    text: Annotated[str, Said("The board as text.")]
    published: Annotated[str | None, Said("The position in the published solver's form, if it has one.")]
    warnings: list[str]


class SquareLaid(Exact):
    """One square of a board that is being laid out."""

    square: Square
    card: Annotated[str | None, Said("A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Colour | None


class Draft(Exact):
    """A board that is being laid out, and whether it is a position yet."""

    draft: Annotated[str, Said("Its text, to be asked about again.")]
    rules: str
    to_move: Colour
    rows: list[str]
    columns: list[str]
    squares: list[SquareLaid]
    error: Annotated[str | None, Said("Why it is no position, or null.")]
    warnings: Annotated[list[str], Said("Every reason why the position cannot arise in play.")]


class Puzzle(json_shapes.Puzzle):
    """A puzzle, and how to have it again."""

    seed: Annotated[int, Said("With this seed the same request gives the same puzzle.")]


# The solo game


class SoloDeal(Exact):
    """A layout of the solo game that can be solved."""

    position: SoloText
    rules: str
    exit: Exit
    deck: str
    difficulty: Difficulty | None
    seed: Annotated[int, Said("With this seed the same request gives the same deal.")]


class SoloGame(Exact):
    """A solo game and one of its positions."""

    position: SoloText
    rules: str
    rules_title: str
    rules_text: str
    aim: Aim
    exit: Annotated[Exit, Said("Whether the exit may be passed over before the end.")]
    deck: Annotated[str | None, Said("The deck of which the game's start is a layout, if any.")]
    to_move: Literal["red"]
    game: Annotated[str, Said("The whole game in our notation.")]
    start: SoloText
    moves: list[str]
    ply: Annotated[int, Said("Which position is shown: after so many moves.")]
    rows: list[str]
    columns: list[str]
    squares: list[SquareShown]
    cards_left: int
    solved: bool
    over: Annotated[bool, Said("Whether it is solved or the pawn is stuck.")]
    turn: Annotated[str, Said("What is to be done, in words.")]
    moved: list[Square] | None
    moved_strokes: Strokes | None
    moved_by: Literal["red"] | None
    went: str | None
    text: Annotated[str, Said("The board as text.")]


class SoloMove(SoloMoveSolved):
    """A legal move of the solo game and what it leads to."""

    value: Annotated[str, Said("The same in four letters at the most.")]
    text: str


class SoloAnalysis(SoloFacts):
    """A position of the solo game solved."""

    text: Annotated[str, Said("The answer in one line.")]
    back: Annotated[
        int | None,
        Said("Moves to take back to the nearest position that can be solved; null: there is none."),
    ]
    best: Annotated[list[str], Said("The moves that keep it solvable.")]
    hint: Annotated[str | None, Said("Of these the one after which random play succeeds most.")]
    solution: Annotated[list[str], Said("A solution, or nothing.")]
    moves: list[SoloMove]


class WhyBest(OfPosition):
    """Why the best move is the best."""

    best: list[MoveText]
    why: Annotated[Why | None, Said("Null when the game is over.")]


# The census


class Kind(Exact):
    """Deals of one length and number of winning first moves."""

    plies: int
    winner: Colour
    winning_moves: int
    deals: int
    different: Annotated[int, Said("Truly different deals: counted once whatever symmetry moves them.")]


class Census(Exact):
    """All deals, or how far the count of them is."""

    rules: str
    state: Annotated[Literal["ready", "working", "failed"], Said("Whether the answer is there.")]
    progress: Annotated[float, Said("How much of the work is done.", minimum=0, maximum=1)]
    reason: Annotated[str | None, Said("Why it failed.")]
    deals: NotRequired[int]
    different: NotRequired[int]
    kinds: NotRequired[list[Kind]]


class DealClass(DealRow):
    """What the census says of a deal: the fields of `collapsi atlas show`, and how rare it is."""

    asked: PositionText
    length_deals: Annotated[int, Said("Deals of the same length.")]
    length_different: int
    alike_deals: Annotated[int, Said("Of these, deals with as many winning first moves.")]
    alike_different: int
    deals: Annotated[int, Said("All deals.")]
    different: int
    twins: Annotated[
        list[PositionText],
        Said(
            "The same game in guises that no shift, turn or reflection brings together; "
            "first the deal itself."
        ),
    ]
