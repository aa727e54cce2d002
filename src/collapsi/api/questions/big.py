"""Questions about the big board. Analyses and reviews are streams of improving answers."""

import random
from typing import TYPE_CHECKING, Annotated, cast

from collapsi.api import big, streams
from collapsi.api.question import LINES, SVG, Param, StreamWork, Work, question
from collapsi.api.questions.parameters import BIG_EXAMPLE, Seed, chosen_seed, read_rules, show_seconds
from collapsi.core.errors import CollapsiError
from collapsi.draw.svg import draw_analysis, draw_position
from collapsi.games.big.levels import check_level
from collapsi.games.big.notation import parse_big, parse_big_game
from collapsi.games.kind import Limits
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.games.big.analysis import BigAnalysis

DRAWING_SECONDS = 2.0
"""The time limit of an analysis for a drawing."""

PositionText = Annotated[
    str,
    Param("A position of the big board, or a game, whose last position is taken.", examples=[BIG_EXAMPLE]),
]
GameText = Annotated[
    str,
    Param(
        "A game of the big board: a position and the moves played from it.", examples=[f"{BIG_EXAMPLE} f2"]
    ),
]
Seconds = Annotated[float, Param("Time limit in seconds.", gt=0, le=streams.MOST_SECONDS)]


@question("big/deal", summary="Deal the big board")
def deal(
    rules: Annotated[str, Param("The rule set: `about` lists them.", examples=["big3"])] = "big",
    seed: Seed = None,
) -> "Work[models.BigDeal]":
    """A random deal."""
    chosen, number = read_rules(rules, path="big/"), chosen_seed(seed)
    return Work(lambda: big.deal_json(chosen, number))


@question("big/game", summary="Read a game of the big board")
def game(
    game: GameText,
    ply: Annotated[
        int | None, Param("Take the position after this number of moves; by default after all.", ge=0, le=36)
    ] = None,
    match: Annotated[
        str | None,
        Param(
            "The match before this round: points and rounds played. `start` begins one.",
            examples=["start", "3-1-2/1"],
        ),
    ] = None,
) -> "Work[models.BigGame]":
    """The game in our notation, and of one position every square with its card, its pawn, whether and how the
    side to move can go there, and if it cannot, why; who is out; and the points of the match.
    """
    read = parse_big_game(game)
    return Work(lambda: big.game_json(read, ply, match), show_seconds(read))


@question("big/computer-move", summary="Let the computer move on the big board")
def computer_move(
    position: PositionText,
    level: Annotated[
        Level, Param("How well it plays; `about` lists the levels of each rule set, the weakest first.")
    ] = FIRST_LEVEL,
    seed: Seed = None,
) -> "Work[models.BigMove]":
    """A move by the computer for the side to move, and its comment."""
    state = parse_big(position)
    check_level(level, state.rules)
    return Work(lambda: big.computer_move_json(state, level, random.Random(seed)), big.MOVE_SECONDS, "big")


@question("big/analysis", summary="Analyse a position of the big board, better and better", media=LINES)
def analysis(
    position: PositionText, seconds: Seconds = streams.SECONDS, seed: Seed = None
) -> "StreamWork[models.BigAnalysisLine]":
    """What is known of every move so far, again and again, until everything is known or the time is over.

    `kind` names the type of a line: `solved` and `endgame` are exact as far as they go, `estimate` is an
    estimate by the engine, and `end` is the last line.
    """
    state = parse_big(position)
    solver = kind_of(state).solver
    return streams.improving(
        lambda limits: solver.answers(state, limits), big.answer_json, "big", seconds=seconds, seed=seed
    )


@question("big/review", summary="Review a game of the big board, from its end on", media=LINES)
def review(
    game: GameText, seconds: Seconds = streams.SECONDS, seed: Seed = None
) -> "StreamWork[models.BigReviewLine]":
    """A verdict on every move where it is known, otherwise an estimate: each line is the whole review so
    far.
    """
    read = parse_big_game(game)
    kind = kind_of(read.position)
    return streams.improving(
        lambda limits: kind.reviews(read, limits) or iter(()),
        big.review_json,
        "big",
        seconds=seconds,
        seed=seed,
    )


@question("big/drawing", summary="Draw the big board as SVG", media=SVG)
def drawing(
    position: PositionText,
    values: Annotated[
        bool, Param("Write on each end card what a short analysis finds out about the move.")
    ] = False,
    move: Annotated[str | None, Param("Draw the path of this move.", examples=["f2"])] = None,
) -> Work[str]:
    """The board as a picture; values need two players left."""
    state = parse_big(position)
    way = move.lower() if move else None
    if not values:
        return Work(lambda: draw_position(state, move=way))
    if len(state.left) > 2:
        msg = (
            f"values are drawn with two players left, and here {len(state.left)} are: ask without values, or "
            "for an analysis"
        )
        raise CollapsiError(msg)

    def draw() -> str:
        answer = kind_of(state).solver.solve(state, Limits(seconds=DRAWING_SECONDS))
        return draw_analysis(cast("BigAnalysis", answer), move=way)

    return Work(draw, DRAWING_SECONDS, "big")
