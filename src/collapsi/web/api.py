"""What may be asked, version 1. Every answer is made by the library; every question is a GET and changes no answer.

A deal, and what was played from one, is solved where it is asked, in a fraction of a millisecond. (Handing it to a thread and back takes
longer than solving it, also for several deals at once: measured, and given up.) What may take longer goes into a lane (`lanes`), so that
nobody waits for somebody else's hard question.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute

import collapsi
from collapsi import notation
from collapsi.analysis import analyse_last, position_json
from collapsi.dealing import deal_won_by
from collapsi.drawing import draw_analysis, draw_position
from collapsi.errors import CollapsiError
from collapsi.faults import is_deal
from collapsi.match import parse_match
from collapsi.opponent import Level, choose_move
from collapsi.rules import Player
from collapsi.solve import answers
from collapsi.web import atlases, models, shown
from collapsi.web.lanes import PREPARING, BusyError, Lanes

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from collapsi.game import Game

Result = TypeVar("Result")

PREFIX = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
MOST_SEEDS = 2**53
"""Seeds are below this, so that JavaScript can hold them exactly."""

QUICK_SECONDS = 0.003
"""What is solved within this is solved on the event loop."""
COLD_SECONDS = 1.5
"""What would take longer than this waits until the compiled solver is loaded."""

PROBLEM: dict[int | str, dict[str, Any]] = {
    422: {
        "description": "What was asked has no answer, and why.",
        "content": {"application/problem+json": {"schema": models.Problem.model_json_schema()}},
    }
}
PROBLEM[503] = {
    **PROBLEM[422],
    "description": "Too much of this kind is being worked on already.",
    "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}},
}
BUSY: dict[int | str, dict[str, Any]] = {
    409: {**PROBLEM[422], "description": "There is no census yet: it is being taken, or could not be."}
}

router = APIRouter(prefix=PREFIX, responses=PROBLEM)

PositionQuery = Annotated[
    str, Query(description="A position, or a game: then its last position is meant.", examples=[EXAMPLE])
]
GameQuery = Annotated[
    str,
    Query(
        description="A game: a position and the moves played from it, in any notation.",
        examples=[f"{EXAMPLE} a2 b4"],
    ),
]
RulesQuery = Annotated[
    str, Query(description="The rules, where the position does not say.", examples=["standard"])
]
SeedQuery = Annotated[
    int | None,
    Query(
        ge=0,
        lt=MOST_SEEDS,
        description="The same seed gives the same answer; otherwise one is chosen by chance.",
    ),
]


def reply(data: dict[str, Any]) -> Response:
    """Plain data as JSON, at once: what the library says is not checked against the model again for every answer."""
    return Response(json.dumps(data, separators=(",", ":")), media_type="application/json")


async def asked_of(request: Request, game: Game, ask: Callable[[Game], Result]) -> Result:
    """An answer that needs the last position of a game solved: on the spot where that is quick, otherwise by a lane.

    A board that somebody made up can take longer: to solve, if it has many jacks, and to say whether it can arise.
    """
    seconds = answers.expected_seconds(game.position)
    dealt = is_deal(game.positions[0])
    if dealt and seconds < QUICK_SECONDS:
        return ask(game)
    if seconds > COLD_SECONDS and not answers.is_loaded():
        raise BusyError(PREPARING)
    lanes: Lanes = request.app.state.lanes
    return await (lanes.deals if dealt else lanes.boards).do(request, lambda: ask(game))


def analysis_json(game: Game) -> dict[str, Any]:
    """The analysis of the last position of a game as plain data."""
    return analyse_last(game).to_json()


class Straight(APIRoute):
    """The route of the question that is asked most: a query as it should be goes straight to the answer.

    FastAPI's own reading of parameters is a quarter of the time that such an answer takes. It still describes the route, and
    reads every query that has something missing or more than expected.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with the general one behind it."""
        general = super().get_route_handler()

        async def handle(request: Request) -> Response:
            query = request.query_params
            if "position" in query and query.keys() <= {"position", "rules"}:
                return await analysis(request, query["position"], query.get("rules", "standard"))
            return await general(request)

        return handle


async def analysis(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Who wins, in how many plies, the value of every legal move, and perfect play to the end."""
    return reply(await asked_of(request, notation.parse_game(position, rules=rules), analysis_json))


router.add_api_route(
    "/analysis",
    analysis,
    response_model=models.Analysis,
    summary="Solve a position",
    route_class_override=Straight,
)


@router.get("/moves", response_model=models.Moves, summary="List the moves with their values")
async def moves(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Every legal move with its value and way, best first."""
    data = await asked_of(request, notation.parse_game(position, rules=rules), analysis_json)
    return reply({name: data[name] for name in models.Moves.model_fields if name in data})


@router.get("/computer-move", response_model=models.ComputerMove, summary="Let the computer choose a move")
async def computer_move(
    request: Request,
    position: PositionQuery,
    level: Annotated[
        Level, Query(description="How many plies it looks ahead, or random, or perfect.")
    ] = Level.PERFECT,
    rules: RulesQuery = "standard",
    seed: SeedQuery = None,
) -> Response:
    """A move by the computer; among equally good ones by chance."""
    game = notation.parse_game(position, rules=rules)
    asked, rng = game.position, random.Random(seed)
    cell = await asked_of(request, game, lambda game: choose_move(game.position, level, rng))
    path = [asked.board.square(step) for step in asked.path(cell)]
    return reply({**position_json(asked), "level": str(level), "to": path[-1], "path": path})


@router.get("/deal", response_model=models.Deal, responses=BUSY, summary="Deal")
async def deal(
    request: Request,
    rules: RulesQuery = "standard",
    seed: SeedQuery = None,
    winner: Annotated[
        Literal["red", "blue"] | None, Query(description="Who wins it under perfect play.")
    ] = None,
    plies: Annotated[int | None, Query(ge=0, le=16, description="Its length; needs the census.")] = None,
    winning_moves: Annotated[
        int | None, Query(ge=0, le=16, description="How many first moves win; needs the census.")
    ] = None,
) -> Response:
    """A random deal, of a chosen kind if you like; all deals of that kind are equally likely."""
    chosen = notation.parse_rules(rules)
    seed = random.randrange(MOST_SEEDS) if seed is None else seed
    rng = random.Random(seed)
    if plies is not None or winning_moves is not None:
        work = request.app.state.atlases.ready(chosen.name)
        dealt = await request.app.state.lanes.census.do(
            request, lambda: atlases.draw(work, rng, plies=plies, winning_moves=winning_moves, winner=winner)
        )
    elif winner:
        if answers.expected_seconds(collapsi.deal(random.Random(seed), chosen)) > COLD_SECONDS:
            raise BusyError(PREPARING)
        wanted = Player[winner.upper()]
        dealt = await request.app.state.lanes.deals.do(request, lambda: deal_won_by(wanted, rng, chosen))
    else:
        dealt = collapsi.deal(rng, chosen)
    return reply({**position_json(dealt), "seed": seed})


@router.get("/game", response_model=models.Game, summary="Read a game and show a position of it")
async def game(
    request: Request,
    game: GameQuery,
    rules: RulesQuery = "standard",
    ply: Annotated[
        int | None,
        Query(ge=0, le=16, description="Show the position after so many moves; otherwise after all."),
    ] = None,
    match: Annotated[
        str, Query(description="Points of red and blue before this round.", examples=["9-4"])
    ] = "0-0",
) -> Response:
    """Parse any notation: the game in ours, and of one position every square with its card, its pawn, whether and how the side to move
    can go there, and if it cannot, why."""
    score = parse_match(match)
    if score.winner is not None:
        msg = f"the match is over: {score.winner} has {max(score.red, score.blue)} points"
        raise CollapsiError(msg)
    asked = notation.parse_game(game, rules=rules)
    if is_deal(asked.positions[0]):  # then half a millisecond does: nobody who plays waits for a thread
        return reply(shown.game_json(asked, ply, score, dealt=True))
    lane = request.app.state.lanes.boards
    return reply(await lane.do(request, lambda: shown.game_json(asked, ply, score, dealt=False)))


@router.get("/review", response_model=models.Review, summary="Look back on a game")
async def review(request: Request, game: GameQuery, rules: RulesQuery = "standard") -> Response:
    """Who was winning at every moment, where the game turned, and a verdict on every move."""
    asked = notation.parse_game(game, rules=rules)
    if not answers.is_loaded() and sum(map(answers.expected_seconds, asked.positions)) > COLD_SECONDS:
        raise BusyError(PREPARING)
    return reply(await request.app.state.lanes.games.do(request, lambda: collapsi.review(asked).to_json()))


@router.get(
    "/drawing",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}
    },
    summary="Draw a position as SVG",
)
async def drawing(
    request: Request,
    position: PositionQuery,
    rules: RulesQuery = "standard",
    values: Annotated[bool, Query(description="Write the value of each move on its end card.")] = False,
    move: Annotated[str | None, Query(description="Draw the way of this move.", examples=["d1"])] = None,
) -> Response:
    """The board as a picture."""
    asked = notation.parse_game(position, rules=rules)
    path = asked.position.path(move.lower()) if move else None
    if values:
        picture = await asked_of(request, asked, lambda game: draw_analysis(analyse_last(game), path=path))
    else:
        picture = draw_position(asked.position, path=path or ())
    return Response(picture, media_type="image/svg+xml")


@router.get("/census", response_model=models.Census, summary="Count all deals by kind")
async def census(request: Request, rules: RulesQuery = "standard") -> Response:
    """How many deals there are of each length and number of winning first moves. Where there is no answer yet, asking starts the work."""
    chosen = notation.parse_rules(rules)
    return reply(request.app.state.atlases.status(chosen.name))


@router.get(
    "/census/deal", response_model=models.DealClass, responses=BUSY, summary="Look a deal up in the census"
)
async def census_deal(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Which truly different deal it is, how rare its length is, and the same game in other guises."""
    asked = notation.parse_position(position, rules=rules)
    work = request.app.state.atlases.ready(asked.rules.name)
    lane = request.app.state.lanes.census
    return reply(await lane.do(request, lambda: atlases.deal_class_json(work, asked)))
