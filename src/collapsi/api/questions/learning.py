"""Questions about lessons, drills, puzzles and the deal of the day."""

import random
from typing import TYPE_CHECKING, Annotated

from collapsi.api import lessons as teaching
from collapsi.api import views
from collapsi.api.question import BLOCKING_SECONDS, Param, Work, question
from collapsi.api.questions.parameters import (
    EXAMPLE,
    PositionText,
    RulesName,
    Seed,
    chosen_seed,
    read_game,
    read_rules,
)
from collapsi.api.questions.positions import solving
from collapsi.games.kind import Can
from collapsi.games.registry import deal, kind_named, parse_game, require
from collapsi.play.analysis import analyse_last, expected_seconds
from collapsi.play.daily import DailyGame, latest_day, parse_open_date, today
from collapsi.play.enums import PuzzleKind
from collapsi.play.puzzles import DEALS_A_PUZZLE, make_puzzles, try_move

if TYPE_CHECKING:
    from collapsi.api import json_types, models

LESSONS_SECONDS = 0.1


@question("lessons", summary="Learn to play")
def lessons() -> "Work[models.Lessons]":
    """How to move, task by task, and for each line of the card of rules an example and where it fails."""
    return Work(teaching.lessons, LESSONS_SECONDS, "classic")


@question("walk", summary="Show how a pawn walks")
def walk(
    position: Annotated[
        str, Param("A position or game of any kind; the last position is taken.", examples=[EXAMPLE])
    ],
) -> "Work[models.HowToWalk]":
    """A walk on this board as an example for new players: as many steps as its card says, over the edge."""
    read = parse_game(position)
    return Work(lambda: views.how_to_walk_json(read.position))


@question("drill", summary="Practise a line of the card of rules")
def drill(
    line: Annotated[int, Param("Which line of the card, from 1.", ge=1, le=99)], seed: Seed = None
) -> "Work[models.DrillShown]":
    """A position where that line decides, with a proven answer. Seeds from 0 on go from easy to hard."""
    number = chosen_seed(seed)
    return Work(lambda: teaching.drill(line, number), BLOCKING_SECONDS, "classic")


@question("puzzle", summary="Make a puzzle")
def puzzle(
    kind: Annotated[
        PuzzleKind | None, Param("How hard it is, or `pass`; by default any with a winning move.")
    ] = None,
    rules: RulesName = "standard",
    seed: Seed = None,
) -> "Work[models.Puzzle]":
    """A position of a game in which exactly one move wins, with the answer and how hard it is to find.

    Puzzles of the kind `pass` ask whether the side to move would rather pass: the answer is pass or move.
    """
    chosen, number = read_rules(rules), chosen_seed(seed)
    require(chosen, Can.PUZZLES)
    seconds = DEALS_A_PUZZLE * expected_seconds(deal(random.Random(number), chosen))
    return Work(
        lambda: views.puzzle_json(next(make_puzzles(number, kind=kind, rules=chosen)), number),
        max(seconds, BLOCKING_SECONDS),
        "classic",
    )


@question("puzzle/try", summary="Try a move in a puzzle")
def puzzle_try(
    position: PositionText,
    move: Annotated[str, Param("The move to try, or pass or move.", examples=["d1"])],
    rules: RulesName = "standard",
) -> "Work[json_types.Trial]":
    """Whether a move wins where the side to move can win, with the proof: perfect play after it.

    The words pass and move answer, in any position, whether the side to move would rather pass.
    """
    game = read_game(position, rules=rules)
    return solving(game, lambda: try_move(analyse_last(game), move.lower()).to_json())


@question("daily", summary="Play the deal of the day")
def daily(
    date: Annotated[
        str | None,
        Param(
            "The date, not in the future; by default today, where the service runs.", examples=["2026-10-02"]
        ),
    ] = None,
    moves: Annotated[str, Param("The moves of both sides so far.", max_length=100, examples=["a2 c1"])] = "",
) -> "Work[json_types.DailyGame]":
    """The same deal for all players by date; after some moves, the reply of the computer, or how it ended."""
    day = today() if date is None else parse_open_date(date, latest_day())
    played = moves.lower().replace("_", " ").split()
    # Without moves there is a deal or two to solve, and many clients request the same one.
    seconds = 0.0 if not played and kind_named("classic").solver.is_warm() else BLOCKING_SECONDS
    return Work(lambda: DailyGame.start(day, played).to_json(), seconds, "classic")
