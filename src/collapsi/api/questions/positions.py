"""Questions about a position of a game for two on the small board."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

from collapsi.api import views
from collapsi.api.question import BLOCKING_SECONDS, SVG, Param, Work, question
from collapsi.api.questions.parameters import DrawnMove, PositionText, RulesName, Seed, read_game
from collapsi.draw.svg import draw_analysis, draw_position
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can
from collapsi.games.levels import Level
from collapsi.games.registry import require
from collapsi.play.analysis import analyse_last, expected_seconds
from collapsi.play.similar import similar_deals

if TYPE_CHECKING:
    from collapsi.api import json_types, models
    from collapsi.core.game import Game

T = TypeVar("T")


def solving(game: "Game", make: Callable[[], T], *, at_once: bool = True) -> Work[T]:
    """The work that solves the last position of a game.

    Only a deal of the standard board, or a position played from one, is solved on the event loop: a board
    that was made up can take longer to solve and to check, another board first needs tables of its own, and
    the shifting board needs its own solver.
    """
    start = game.positions[0]
    seconds = expected_seconds(game.position)
    solver = start.rules.kind
    if not at_once or solver != "classic" or not start.dealt or start.board != STANDARD.board:
        seconds = max(seconds, BLOCKING_SECONDS)
    return Work(make, seconds, solver)


@question("analysis", summary="Solve a position")
def analysis(position: PositionText, rules: RulesName = "standard") -> "Work[json_types.Analysis]":
    """Who wins, in how many plies, the value of every legal move, and perfect play to the end."""
    game = read_game(position, rules=rules)
    return solving(game, lambda: analyse_last(game).to_json())


@question("moves", summary="List the moves with their values")
def moves(position: PositionText, rules: RulesName = "standard") -> "Work[models.Moves]":
    """Every legal move with its value and path, best first."""
    game = read_game(position, rules=rules)
    return solving(game, lambda: views.moves_json(analyse_last(game)))


@question("why", summary="Explain why the best move is best")
def why(position: PositionText, rules: RulesName = "standard") -> "Work[models.WhyBest]":
    """The best moves, the most concrete reason that can be checked on the board, and what the most tempting
    other move runs into: of those that give the win away, else of those that win later or lose sooner, the
    one that leaves the opponent the fewest cards to go to.
    """
    game = read_game(position, rules=rules)
    return solving(game, lambda: views.why_json(analyse_last(game)), at_once=False)


@question("similar", summary="Count similar deals")
def similar(position: PositionText, rules: RulesName = "standard") -> "Work[json_types.SimilarDeals]":
    """How the deals are won that have the jacks as far apart as this deal and the same cards beside them, in
    any order, and how they begin. Of a game the deal that it starts with is taken.
    """
    deal = read_game(position, rules=rules).positions[0]
    require(deal.rules, Can.SIMILAR)
    return Work(lambda: similar_deals(deal).to_json(deal), BLOCKING_SECONDS)


@question("computer-move", summary="Let the computer choose a move")
def computer_move(
    position: PositionText,
    level: Annotated[
        Level, Param("How well it plays; `about` describes the levels, the weakest first.")
    ] = Level.PERFECT,
    rules: RulesName = "standard",
    seed: Seed = None,
) -> "Work[models.ComputerMove]":
    """A move by the computer; among equally good ones a random one."""
    game = read_game(position, rules=rules)
    return solving(
        game,
        lambda: views.computer_move_json(game.position, level, random.Random(seed)),
        at_once=level is not Level.TEMPTING,  # it solves thousands of positions
    )


@question("drawing", summary="Draw a position as SVG", media=SVG)
def drawing(
    position: PositionText,
    rules: RulesName = "standard",
    values: Annotated[bool, Param("Write the value of each move on its end card.")] = False,
    move: DrawnMove = None,
) -> Work[str]:
    """The board as a picture."""
    game = read_game(position, rules=rules)
    way = move.lower() if move else None
    if values:
        return solving(game, lambda: draw_analysis(analyse_last(game), move=way))
    return Work(lambda: draw_position(game.position, move=way))
