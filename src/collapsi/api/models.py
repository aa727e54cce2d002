"""What only the service says, as typed dicts; the rest, and how they are used: `collapsi.api.json_types`."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from collapsi.api import json_types
from collapsi.api.json_types import (
    Colour,
    DealRow,
    Doc,
    Exact,
    Move,
    MoveText,
    OfPosition,
    Played,
    PositionText,
    Seat,
    SoloFacts,
    SoloMoveSolved,
    SoloText,
    Square,
    Tempting,
    Warned,
    Why,
)
from collapsi.core import state
from collapsi.games.big.enums import BigVerdict
from collapsi.games.levels import Level
from collapsi.games.solo.deals import Difficulty
from collapsi.games.solo.rules import Exit
from collapsi.play.enums import Verdict

Aim = Annotated[str, Doc("The aim of the game in one line, for new players.")]
Stroke = Annotated[
    tuple[float, float, float, float],
    Doc(
        "A straight line from column and row to column and row. "
        "Whole numbers are the middles of cards, 0 is the first.",
        examples=[[3, 1, 3.75, 1]],
    ),
]
Strokes = Annotated[
    list[tuple[Stroke, ...]],
    Doc("Each step as one stroke, or where it wraps around as two: out on one side, in on the other."),
]


Mood = Annotated[Literal["good", "bad", "neither"], Doc("Whether it praises or blames.")]


class Problem(Exact):
    """What is wrong with a request, as problem details (RFC 9457)."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: Annotated[str, Doc("One line that says what is wrong and what to write instead.")]


# A position


class Moves(OfPosition, Warned):
    """The legal moves, best first."""

    moves: list[Move]


class ComputerMove(OfPosition, Played):
    """What the computer plays."""

    level: Level
    path: list[Square]


class Deal(OfPosition):
    """A deal."""

    seed: Annotated[int, Doc("With this seed the same request gives the same deal.")]


# What there is to choose from


class Option(Exact):
    """One of several choices: its value in a request, and its description for people."""

    value: str
    text: str


class BoardShown(Exact):
    """What a board looks like before anything lies on it."""

    rows: Annotated[list[str], Doc("The names of the rows, from the top.")]
    columns: Annotated[list[str], Doc("The names of the columns, from the left.")]
    squares: Annotated[list[Square], Doc("The names of the squares in reading order.")]


class Example(Exact):
    """A position to be drawn, and the way of a move on it."""

    position: PositionText
    move: str | None
    alt: Annotated[str, Doc("What the picture shows.")]


class Lesson(Example):
    """One of the rules, with an example."""

    title: str
    text: str


class RulesShown(Exact):
    """A rule set."""

    name: Annotated[str, Doc("As it is written in positions and questions.")]
    title: str
    text: Annotated[str, Doc("What is special about it, in sentences.")]
    board: BoardShown
    example: Example
    shifts: Annotated[bool, Doc("Whether lines are shifted: then a move has two halves.")]
    similar: Annotated[bool, Doc("Whether similar deals are counted.")]


class VerdictShown(Exact):
    """A kind of verdict on a move."""

    verdict: Verdict
    sign: str
    mood: Mood


class SoloRulesShown(Exact):
    """One reading of the exit."""

    exit: Exit
    title: str
    text: Annotated[str, Doc("What it means, in a sentence.")]
    example: Example


class SoloChoices(Exact):
    """What there is to choose from before a deal of the solo game."""

    decks: list[Option]
    difficulties: list[Option]
    exits: list[Option]
    text: Annotated[str, Doc("How it is played, in sentences.")]
    rules: Annotated[list[SoloRulesShown], Doc("The readings of the exit.")]


class ShiftingRules(Exact):
    """The introduction to the shifting board, for all readings of how lines wrap."""

    text: Annotated[str, Doc("How it is played, in sentences.")]
    open: Annotated[list[str], Doc("What the rule sheet leaves open, and how it is read here.")]


class BigRulesShown(Exact):
    """A rule set of the big board."""

    name: Annotated[str, Doc("As it is written in positions and questions.")]
    title: str
    text: Annotated[str, Doc("What is special about it, in sentences.")]
    board: BoardShown
    seats: Annotated[list[Seat], Doc("Who plays, in the order of their turns.")]
    levels: Annotated[list[Option], Doc("How well the computer can play it, weakest first.")]
    example: Example


class BigVerdictShown(Exact):
    """A kind of verdict on a move of the big board."""

    verdict: BigVerdict
    sign: str
    mood: Mood


class BigChoices(Exact):
    """What there is to choose from before a game on the big board."""

    text: Annotated[str, Doc("How it is played, in sentences.")]
    match: Annotated[str, Doc("How a match goes, in sentences.")]
    rules: list[BigRulesShown]
    first_level: Annotated[str, Doc("The level that new players meet.")]
    verdicts: list[BigVerdictShown]
    estimate_sign: Annotated[str, Doc("In place of a verdict where there is only an estimate.")]
    seconds: Annotated[int, Doc("The default time limit of an analysis, in seconds.")]


class GameChoice(Exact):
    """One way to play a game: rules, a number of players, a reading."""

    name: str
    title: str
    deal: Annotated[dict[str, str], Doc("The parameters of a deal.", examples=[{"rules": "joker"}])]


class GameOffered(Exact):
    """A game to choose before a deal."""

    title: str
    text: Annotated[str, Doc("What is special about it, in a short sentence.")]
    path: Annotated[str, Doc("The prefix of its questions.", examples=["", "big/"])]
    choices: Annotated[list[GameChoice], Doc("The ways to play it, the usual one first.")]
    example: Example


class RoomsOffered(Exact):
    """Rooms are offered here."""

    address: Annotated[
        str | None,
        Doc("The page for other machines in the same network; null if only this machine can open it."),
    ]


class Service(Exact):
    """What a page has to know before it asks anything else."""

    games: Annotated[list[GameOffered], Doc("The games to choose from.")]
    rules: list[RulesShown]
    levels: Annotated[list[Option], Doc("How well the computer can play, weakest first.")]
    first_level: Annotated[str, Doc("The level that new players meet.")]
    verdicts: list[VerdictShown]
    cards: Annotated[list[Option], Doc("How cards are written and called.")]
    pawn: Annotated[str, Doc("The outline of a pawn as the path of an SVG, around the middle of its card.")]
    lay: Annotated[list[Option], Doc("What can be laid on a square in the editor.")]
    examples: Annotated[list[Lesson], Doc("The rules, one by one.")]
    shifting: ShiftingRules
    big: BigChoices
    solo: SoloChoices
    puzzles: Annotated[list[Option], Doc("The kinds of puzzle, easiest first.")]
    marks: Annotated[list[Option], Doc("What the symbols of a shared result mean.")]
    rooms: Annotated[
        RoomsOffered | None, Doc("Rooms to play live in; null on the static page, which has none.")
    ]


# A game, and a board that is being laid out


class Refusal(Exact):
    """Why a pawn may not go to a square."""

    kind: state.Refusal
    text: str


class SquareLaid(Exact):
    """One square of a board, with what lies and stands there."""

    square: Square
    card: Annotated[str | None, Doc("A, 2, 3, 4 or J; null has collapsed, or there is a gap.")]
    pawn: Colour | None
    gap: NotRequired[Annotated[Literal[True], Doc("No card lies there, not even a collapsed one.")]]


class ShiftShown(Exact):
    """A way to shift a line after a walk, and the arrow for it."""

    move: MoveText
    shift: Annotated[str, Doc("The way: r, l, d or u.")]
    by: Annotated[tuple[int, int], Doc("Columns to the right and rows down.")]
    beyond: Annotated[Square, Doc("The last card of the line on that side: the arrow stands beyond it.")]
    text: Annotated[str, Doc("What it does.", examples=["shift row 1 to the left"])]


class AfterWalk(Exact):
    """Where a move is more than its end square: what comes after the walk."""

    walked: NotRequired[Annotated[list[SquareLaid], Doc("The squares that the walk there changes.")]]
    then: NotRequired[Annotated[str, Doc("What is to be done after the walk.")]]
    shifts: NotRequired[Annotated[list[ShiftShown], Doc("The shifts to choose from after the walk.")]]


class WalkShown(Exact):
    """The move to a square, or why there is none."""

    move: Annotated[str | None, Doc("The move that ends there, as it is written, if there is just one.")]
    path: Annotated[list[Square] | None, Doc("The way there for the side to move, if it may go there.")]
    strokes: Annotated[Strokes | None, Doc("The way there as it is drawn.")]
    refusal: Annotated[Refusal | None, Doc("Why the side to move may not go there.")]


class SquareShown(SquareLaid, AfterWalk, WalkShown):
    """One square of the board, and the move there."""


class Slide(Exact):
    """Where a card goes when a line is shifted."""

    before: Annotated[Square, Doc("Where it lies, in the rectangle before the shift.")]
    after: Annotated[Square, Doc("Where it lies then, in the rectangle after it.")]
    strokes: Annotated[
        list[Stroke],
        Doc("How it moves there, before the shift: not at all, straight, or out and in again."),
    ]


class Shifted(Exact):
    """The board between the walk and the shift of a move, and where each card goes."""

    rows: Annotated[list[str], Doc("The names of the rows, from the top.")]
    columns: Annotated[list[str], Doc("The names of the columns, from the left.")]
    squares: list[SquareLaid]
    slides: list[Slide]
    trace: Annotated[Stroke, Doc("The line after the shift, from before its first card to beyond its last.")]


class LastShift(Exact):
    """What is known of the shift of the move that led here."""

    shifted: NotRequired[Annotated[Shifted, Doc("The shift of the move that led here, if it has one.")]]


class TreeMove(Exact):
    """A move of a game with variations."""

    parent: Annotated[int, Doc("The index of the move before it in this list; -1 for the start.")]
    move: Annotated[str, Doc("The move as it is written; empty for the start.")]
    comment: str
    glyph: Annotated[str, Doc("A judgement of the move, as in chess, or empty.", examples=["!?"])]


class HasTree(Exact):
    """The variations of a game."""

    tree: NotRequired[
        Annotated[
            list[TreeMove],
            Doc("All moves, if the game has variations or notes: a main continuation before its variations."),
        ]
    ]


class DeadEnd(Exact):
    """Where a walk of a pawn ends that cannot move."""

    square: Square
    steps: Annotated[int, Doc("The number of steps to there; 0 if there is no first step.")]
    text: Annotated[str, Doc("Why it goes no further.", examples=["blue's way ends here after 1 of 2 steps"])]
    strokes: Annotated[Strokes, Doc("The way there as it is drawn.")]


class StuckShown(Exact):
    """A player who cannot move, and why."""

    player: Seat
    square: Annotated[Square, Doc("Where the pawn stands, or stood until it left the board.")]
    text: Annotated[str, Doc("Why it cannot move.", examples=["blue needs 2 steps: every way ends at a ✕"])]
    dead_ends: Annotated[list[DeadEnd], Doc("For each first step the end of the longest walk.")]


class ExampleWalk(Exact):
    """A walk that a pawn on some card of a board could take."""

    square: Annotated[Square, Doc("Where it begins.")]
    steps: Annotated[int, Doc("The number of its steps, which is that of the card.")]
    text: Annotated[str, Doc("The walk in words.", examples=["3 steps from the 3 on b1"])]
    strokes: Annotated[Strokes, Doc("The way as it is drawn.")]


class HowToWalk(Exact):
    """An example of how pawns walk on a board."""

    walk: Annotated[ExampleWalk | None, Doc("A straight walk over the edge; null if there is none.")]


class HasStuck(Exact):
    """Who cannot move in a position."""

    stuck: NotRequired[
        Annotated[
            list[StuckShown],
            Doc("The players who cannot move, if there are any; on the big board, who went out just now."),
        ]
    ]


class MatchScore(Exact):
    """The points of a match to sixteen, by the colours of this round."""

    red: int
    blue: int
    winner: Colour | None
    next: Annotated[
        str | None,
        Doc("The score to begin the next round with, colours changed, if the round is over."),
    ]


class Game(OfPosition, LastShift, HasTree, HasStuck):
    """A game and one of its positions."""

    rules_title: str
    rules_text: str
    aim: Aim
    game: Annotated[str, Doc("The whole game in our notation.")]
    start: PositionText
    moves: Annotated[list[str], Doc("The moves as they are written.")]
    ply: Annotated[int, Doc("The number of moves before the position shown.")]
    rows: Annotated[list[str], Doc("The names of the rows, from the top.")]
    columns: Annotated[list[str], Doc("The names of the columns, from the left.")]
    squares: list[SquareShown]
    steps: Annotated[
        list[int],
        Doc("How many steps the side to move goes, to choose from; none if it does not walk."),
    ]
    task: Annotated[
        str | None,
        Doc(
            "What the side to move has to do; null when the game is over.", examples=["move: 1 step from d2"]
        ),
    ]
    cards_left: int
    winner: Annotated[Colour | None, Doc("Who has won, or null.")]
    points: Annotated[int | None, Doc("What the winner of the round scores.")]
    moved: Annotated[list[Square] | None, Doc("The way of the move that led here.")]
    moved_strokes: Annotated[Strokes | None, Doc("This way as it is drawn.")]
    moved_by: Annotated[Colour | None, Doc("Whose move it was.")]
    went: Annotated[str | None, Doc("The move that led here, in words.")]
    match: MatchScore
    text: Annotated[str, Doc("The board as text.")]
    published: Annotated[str | None, Doc("The position in the published solver's form, if it has one.")]
    warnings: list[str]


class Draft(Exact):
    """A board that is being laid out, and whether it is a position yet."""

    draft: Annotated[str, Doc("Its text, for the next request.")]
    rules: str
    to_move: Colour
    rows: list[str]
    columns: list[str]
    squares: Annotated[list[SquareLaid], Doc("Where the board may grow, also the squares beside it.")]
    lay: Annotated[list[str], Doc("What can be laid under these rules.")]
    error: Annotated[str | None, Doc("Why it is no position, or null.")]
    warnings: Annotated[list[str], Doc("Every reason why the position cannot arise in play.")]


class Puzzle(json_types.Puzzle):
    """A puzzle, and how to have it again."""

    seed: Annotated[int, Doc("With this seed the same request gives the same puzzle.")]


# The solo game


class SoloDeal(Exact):
    """A layout of the solo game that can be solved."""

    position: SoloText
    rules: str
    exit: Exit
    deck: str
    difficulty: Difficulty | None
    seed: Annotated[int, Doc("With this seed the same request gives the same deal.")]


class SoloGame(HasTree, HasStuck):
    """A solo game and one of its positions."""

    position: SoloText
    rules: str
    rules_title: str
    rules_text: str
    aim: Aim
    exit: Annotated[Exit, Doc("Whether the exit may be passed over before the end.")]
    deck: Annotated[str | None, Doc("The deck of which the game's start is a layout, if any.")]
    to_move: Literal["red"]
    game: Annotated[str, Doc("The whole game in our notation.")]
    start: SoloText
    moves: list[str]
    ply: Annotated[int, Doc("The number of moves before the position shown.")]
    rows: list[str]
    columns: list[str]
    squares: list[SquareShown]
    cards_left: int
    solved: bool
    over: Annotated[bool, Doc("Whether it is solved or the pawn is stuck.")]
    turn: Annotated[str, Doc("What is to be done, in words.")]
    moved: list[Square] | None
    moved_strokes: Strokes | None
    moved_by: Literal["red"] | None
    went: str | None
    text: Annotated[str, Doc("The board as text.")]


class SoloMove(SoloMoveSolved):
    """A legal move of the solo game and what it leads to."""

    value: Annotated[str, Doc("The same in four letters at the most.")]
    text: str


class SoloAnalysis(SoloFacts):
    """A position of the solo game solved."""

    text: Annotated[str, Doc("The answer in one line.")]
    back: Annotated[
        int | None,
        Doc("Moves to take back to the nearest position that can be solved; null: there is none."),
    ]
    best: Annotated[list[str], Doc("The moves that keep it solvable.")]
    hint: Annotated[str | None, Doc("Of these the one after which random play succeeds most.")]
    solution: Annotated[list[str], Doc("A solution, or nothing.")]
    moves: list[SoloMove]


class WhyBest(OfPosition):
    """Why the best move is the best."""

    best: list[MoveText]
    why: Annotated[Why | None, Doc("Null when the game is over.")]
    tempting: Annotated[
        Tempting | None, Doc("The move that looks best of those that are not; null if there is none.")
    ]


# The big board


class BigDeal(json_types.OfBigState):
    """A deal of the big board."""

    seed: Annotated[int, Doc("With this seed the same request gives the same deal.")]


class BigSquare(WalkShown):
    """One square of the big board, and the move there."""

    square: Square
    card: Annotated[str | None, Doc("A, 2, 3, 4 or J; null has collapsed.")]
    pawn: Seat | None


class BigSeat(Exact):
    """A player of the round, and how they stand."""

    seat: Seat
    player: Annotated[int, Doc("Which player of the match has this colour, from 1.")]
    square: Annotated[Square | None, Doc("Where the pawn stands; null: it is out.")]
    out: Annotated[int | None, Doc("As which they went out, from 1; null: they play on.")]
    points: Annotated[int | None, Doc("What the round is worth to them; null: not settled yet.")]
    text: Annotated[str, Doc("How they stand, in words.")]


class BigMatchScore(Exact):
    """The points of a match, this position counted if the round is over."""

    title: Annotated[str, Doc("What the round is called.", examples=["round 4, play-off"])]
    points: Annotated[list[int], Doc("Of every player, first to last.")]
    text: Annotated[str, Doc("The points in words.")]
    winner: Annotated[int | None, Doc("Which player has won the match, from 1.")]
    next: Annotated[str | None, Doc("The match to begin the next round with, if the round is over.")]
    next_rules: Annotated[str | None, Doc("The rules of the next round.")]
    next_text: Annotated[str | None, Doc("What comes next, in words.")]


class BigGame(json_types.OfBigState, HasTree, HasStuck):
    """A game of the big board and one of its positions."""

    rules_title: str
    rules_text: str
    aim: Aim
    game: Annotated[str, Doc("The whole game in our notation.")]
    start: Annotated[str, Doc("A position of the big board in our notation.")]
    moves: Annotated[list[str], Doc("The moves as they are written.")]
    movers: Annotated[list[Seat], Doc("Who is to move in every position; in a last one, who has won.")]
    ply: Annotated[int, Doc("The number of moves before the position shown.")]
    rows: list[str]
    columns: list[str]
    squares: list[BigSquare]
    seats: list[BigSeat]
    task: Annotated[str | None, Doc("What the side to move has to do; null when the game is over.")]
    turn: Annotated[str, Doc("Whose turn it is and who is out, or who has won.")]
    cards_left: int
    winner: Seat | None
    moved: list[Square] | None
    moved_strokes: Strokes | None
    moved_by: Seat | None
    went: Annotated[str | None, Doc("The move that led here, in words, and who went out by it.")]
    match: Annotated[BigMatchScore | None, Doc("Null if the request names no match.")]
    text: Annotated[str, Doc("The board as text.")]
    warnings: list[str]


class BigMove(json_types.OfBigState):
    """What the computer plays on the big board."""

    level: Level
    move: MoveText
    to: Square
    path: list[Square]
    said: Annotated[str, Doc("What the computer says of its move; it may be nothing.")]


class BigMoveShown(Exact):
    """A move, and how it is shown to people."""

    move: MoveText
    to: Square
    path: list[Square]
    badge: Annotated[str, Doc("What is known of it in four letters at the most.")]
    wins: Annotated[bool | None, Doc("Whether the mover wins with it; null: not known, or no question.")]
    best: Annotated[bool, Doc("Whether it is one of the best; of an estimate, the engine's choice.")]
    words: str


class AnalysisLine(Exact):
    """What all answers of the analysis share: how they are shown to people."""

    exact: Annotated[bool, Doc("Whether all is known, and for certain.")]
    sure: Annotated[str, Doc("How sure it is, in words.", examples=["exact", "an estimate"])]
    text: Annotated[str, Doc("The answer in one line.")]
    notes: Annotated[list[str], Doc("What else is to be said.")]
    legend: Annotated[str, Doc("What stands on the moves.")]
    nodes: Annotated[int | None, Doc("Positions looked at so far, where they are counted.")]
    seconds: Annotated[float, Doc("How long it has been thought about.")]
    best: list[MoveText]
    moves: Annotated[list[BigMoveShown], Doc("Every legal move, the best first.")]


class SolvedLine(AnalysisLine):
    """What is known exactly with two players left."""

    kind: Literal["solved"]
    settling: Annotated[Square | None, Doc("The move that is being settled.")]
    answer: json_types.BigSolved


class EndgameLine(AnalysisLine):
    """An endgame of three or four players, judged."""

    kind: Literal["endgame"]
    answer: json_types.BigEndgame


class EstimateLine(AnalysisLine):
    """What the engine thinks."""

    kind: Literal["estimate"]
    answer: json_types.BigEstimate


class ReviewLine(Exact):
    """The review of a game so far."""

    kind: Literal["review"]
    text: Annotated[str, Doc("How far it is, or what it comes to.")]
    answer: json_types.BigReview


class EndLine(Exact):
    """The last line: nothing better comes."""

    kind: Literal["end"]
    why: Annotated[
        Literal["done", "time", "turn", "stopped"],
        Doc(
            "Everything is known; the time is over; another request waits for its turn; "
            "or the worker process was stopped."
        ),
    ]
    text: Annotated[str, Doc("The same for people.")]


BigAnalysisLine = SolvedLine | EndgameLine | EstimateLine | EndLine
"""What a line of an analysis is, by its `kind`."""

BigReviewLine = ReviewLine | EndLine
"""What a line of a review is."""


# The census


class DealKind(Exact):
    """Deals of one length and number of winning first moves."""

    plies: int
    winner: Colour
    winning_moves: int
    deals: int
    different: Annotated[int, Doc("Truly different deals: counted once whatever symmetry moves them.")]


class Census(Exact):
    """All deals, or how far the count of them is."""

    rules: str
    state: Annotated[Literal["ready", "working", "failed"], Doc("Whether the answer is there.")]
    progress: Annotated[float, Doc("How much of the work is done.", minimum=0, maximum=1)]
    reason: Annotated[str | None, Doc("Why it failed.")]
    deals: NotRequired[int]
    different: NotRequired[int]
    kinds: NotRequired[list[DealKind]]


class DealClass(DealRow):
    """What the census says of a deal: the fields of `collapsi atlas show`, and how rare it is."""

    asked: PositionText
    length_deals: Annotated[int, Doc("Deals of the same length.")]
    length_different: int
    alike_deals: Annotated[int, Doc("Of these, deals with as many winning first moves.")]
    alike_different: int
    deals: Annotated[int, Doc("All deals.")]
    different: int
    twins: Annotated[
        list[PositionText],
        Doc(
            "The same game in guises that no shift, turn or reflection brings together; "
            "first the deal itself."
        ),
    ]


# Lessons


class Task(Exact):
    """A step of the lesson how to move: something to be done on a board."""

    title: str
    text: Annotated[str, Doc("The rule.")]
    task: Annotated[str, Doc("What is to be done.")]
    position: PositionText
    wanted: Annotated[list[MoveText], Doc("The moves that do it.")]
    framed: Annotated[bool, Doc("Whether the cards that one may go to are shown.")]
    right: Annotated[str, Doc("What is said to who has done it.")]
    otherwise: Annotated[str, Doc("What is said to another move that the rules allow.")]


class Mark(Exact):
    """A card that is looked at for a move."""

    square: Square
    text: Annotated[str, Doc("Its points, or who could go there.", examples=["+3"])]


class MoveRead(Exact):
    """A legal move, what a line of the card counts for it, and what it is really worth."""

    move: MoveText
    to: Square
    left: Annotated[bool, Doc("Whether the lines above leave it.")]
    kept: Annotated[bool, Doc("Whether it is left with this line too.")]
    count: Annotated[str, Doc("Its points, or whether the line would keep it: ✓ or ✗.")]
    counted: Annotated[str, Doc("What is counted, in words.")]
    marks: list[Mark]
    wins: bool
    plies: int
    said: Annotated[str, Doc("What is said to who chooses it.")]


class DrillShown(OfPosition):
    """A position where a line of a card decides, and every move read by it."""

    line: Annotated[int, Doc("Which lesson, from 1.")]
    task: Annotated[str, Doc("What is to be done.")]
    text: Annotated[str, Doc("What it shows, once it is solved.")]
    answer: Annotated[MoveText | None, Doc("The move that the line picks, if just one.")]
    moves: list[MoveRead]


class LineLesson(Exact):
    """The lesson on a line of a card of rules."""

    line: Annotated[int, Doc("Which lesson, from 1.")]
    title: Annotated[str, Doc("What it is about.")]
    text: Annotated[str, Doc("The line.")]
    idea: Annotated[str, Doc("How it is followed.")]
    example: Annotated[DrillShown, Doc("Where it picks a winning move.")]
    limit: Annotated[str, Doc("What is true of its failures.")]
    failure: Annotated[DrillShown | None, Doc("Where it fails or is not enough; null: nowhere.")]


class CardShown(Exact):
    """A card of rules."""

    card: Annotated[str, Doc("Its name.")]
    title: str
    lines: Annotated[list[str], Doc("Its lines in words.")]
    kept: Annotated[str, Doc("The share of wins that it keeps, in words.")]


class Lessons(Exact):
    """All lessons."""

    moving: Annotated[list[Task], Doc("How to move, step by step.")]
    lines: Annotated[
        list[LineLesson], Doc("A lesson for each rule, from winning at once to the points card.")
    ]
    drills: Annotated[int, Doc("How many drills end the lesson on a line.")]
    cards: Annotated[list[CardShown], Doc("The cards of rules, from the shortest to the strongest.")]


# Rooms


class RoomSeat(Exact):
    """A player of a room."""

    seat: Annotated[int, Doc("The number of the player, from 1.")]
    colour: Annotated[Seat | None, Doc("The colour in this round; null for one who does not play in it.")]
    level: Annotated[Level | None, Doc("The level of the computer; null for a person.")]
    present: Annotated[bool, Doc("Whether the page of this player was there in the last 30 seconds.")]


class Room(Exact):
    """A room as one of its players sees it, or a spectator."""

    room: Annotated[str, Doc("Its id.")]
    you: Annotated[int | None, Doc("The number of your seat; null if you watch.")]
    version: Annotated[int, Doc("How many moves and new deals there were.")]
    tag: Annotated[str, Doc("Send it as `seen` to wait for a change.")]
    wait: Annotated[float, Doc("How many seconds to wait before the next question about the state.")]
    path: Annotated[str, Doc("The prefix of the questions about this kind of game.", examples=["", "big/"])]
    game: Annotated[str, Doc("The game so far, in our notation.")]
    to_move: Annotated[int | None, Doc("The number of the player to move; null if the round is over.")]
    match: Annotated[str | None, Doc("The match before this round, as `game` reads it; null without one.")]
    round: Annotated[int, Doc("The number of the round, from 1.")]
    seats: Annotated[list[RoomSeat], Doc("The players by number.")]
    said: Annotated[str, Doc("Who is there, in words for you.")]
    watch: Annotated[str, Doc("The token for spectators.")]
    sealed: Annotated[str, Doc("The game so far, signed: for `rooms/restore`.")]


class NewRoom(Room):
    """A new room with the tokens of its seats."""

    tokens: Annotated[list[str | None], Doc("The token of each seat; null for a computer.")]
