"""Questions about the solo game."""

from typing import TYPE_CHECKING, Annotated

from collapsi.api import solo
from collapsi.api.question import SVG, Param, Work, question
from collapsi.api.questions.parameters import DrawnMove, Seed, chosen_seed, show_seconds
from collapsi.draw.svg import draw_analysis, draw_position
from collapsi.games.solo.analysis import analyse_solo
from collapsi.games.solo.deals import Difficulty, parse_deck
from collapsi.games.solo.notation import parse_solo_game
from collapsi.games.solo.rules import Exit

if TYPE_CHECKING:
    from collapsi.api import models

SOLVE_SECONDS = 0.1
DEAL_SECONDS = 2.0
"""A hard layout is found by trial."""

SoloText = Annotated[
    str, Param("A solo game: a position and the moves played from it.", examples=["A2X/3Jr2/A2A b1"])
]
Ply = Annotated[
    int | None, Param("Take the position after this number of moves; by default after all.", ge=0, le=16)
]


@question("solo/game", summary="Read a solo game and show one of its positions")
def solo_game(game: SoloText, ply: Ply = None) -> "Work[models.SoloGame]":
    """Of one position every square with its card, whether and how the pawn can go there, and if it cannot,
    why.
    """
    read = parse_solo_game(game)
    return Work(lambda: solo.game_json(read, ply), show_seconds(read))


@question("solo/analysis", summary="Solve a solo position")
def solo_analysis(game: SoloText, ply: Ply = None) -> "Work[models.SoloAnalysis]":
    """Whether it can be solved, in how many ways, which moves keep it solvable, a solution, and how many
    moves to take back.
    """
    read = parse_solo_game(game)
    return Work(lambda: solo.analysis_json(read, ply), SOLVE_SECONDS)


@question("solo/deal", summary="Deal a solo layout that can be solved")
def solo_deal(
    deck: Annotated[str, Param("The name of a deck, or its numbers.")] = "official",
    difficulty: Annotated[Difficulty | None, Param("How hard it is; by default any.")] = None,
    exit: Annotated[Exit, Param("Whether the exit may be passed over before the end.")] = Exit.OPEN,
    seed: Seed = None,
) -> "Work[models.SoloDeal]":
    """A random layout of those that can be solved and have the requested difficulty."""
    chosen, number = parse_deck(deck), chosen_seed(seed)
    return Work(lambda: solo.deal_json(chosen, difficulty, exit, number), DEAL_SECONDS)


@question("solo/drawing", summary="Draw a solo position", media=SVG)
def solo_drawing(
    game: SoloText,
    ply: Ply = None,
    values: Annotated[bool, Param("Write on each end card how many solutions begin with that move.")] = False,
    move: DrawnMove = None,
) -> Work[str]:
    """The board as a picture."""
    read = parse_solo_game(game)
    way = move.lower() if move else None

    def draw() -> str:
        position = solo.up_to(read, ply).position
        if values:
            return draw_analysis(analyse_solo(position), move=way)
        return draw_position(position, move=way)

    return Work(draw, SOLVE_SECONDS if values else 0.0)
