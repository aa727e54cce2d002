"""The questions of `asked` as a service, version 1. Every question is a GET and changes no answer.

A deal, and what was played from one, is solved where it is asked, in a fraction of a millisecond. (Handing it
to a thread and back takes longer than solving it, also for several deals at once: measured, and given up.)
What may take longer is given to the worker (`worker`), so that nobody waits for somebody else's hard
question. The shifting board is always hard, and has workers of its own: one for positions, one for whole
games and deals of a kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from collapsi import json_shapes
from collapsi.games.solo_deals import Difficulty
from collapsi.opponent import Level
from collapsi.puzzles import PuzzleKind
from collapsi.rules import Exit
from collapsi.solve import answers
from collapsi.web import asked, models, questions
from collapsi.web.asked import MOST_SEEDS
from collapsi.web.lanes import TooMuchError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from collapsi.web.worker import Worker

PREFIX = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

QUICK_SECONDS = 0.003
"""What is solved within this is solved on the event loop."""
COLD_SECONDS = 1.5
"""What would take longer than this is refused until the compiled solver is loaded."""
PREPARING = "the solver is being prepared: ask again in some seconds"


def kinds(worker: str) -> tuple[str, ...]:
    """What a worker is asked: no kind waits for another."""
    return tuple(lane.kind for lane in asked.LANES if lane.worker == worker)


KINDS = kinds(asked.WORKER)
SOLO_KINDS = kinds(asked.SOLO_WORKER)
SHIFT_KINDS = kinds(asked.SHIFT_WORKER)
SHIFT_GAME_KINDS = kinds(asked.SHIFT_GAMES_WORKER)
GONE_SECONDS = 2.0
"""How long a question about the shifting board goes on when its asker has gone: about what a new process
takes to be ready.
"""

PROBLEM: dict[int | str, dict[str, Any]] = {
    422: {
        "description": "What was asked has no answer, and why.",
        "content": {"application/problem+json": {"schema": TypeAdapter(models.Problem).json_schema()}},
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

PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}
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


MoveQuery = Annotated[str | None, Query(description="Draw the way of this move.", examples=["d1"])]


async def given(request: Request, question: asked.Asked | asked.OfCensus) -> Response:
    """An answer: on the spot where that is quick, otherwise by the worker or the census.

    What the library says is sent as it is, and not checked against the model again for every answer.
    """
    if isinstance(question, asked.OfCensus):
        return Response(await _counted(request, question), media_type=asked.JSON)
    lane = question.lane
    if lane is None:
        return Response(question.text(), media_type=question.media)
    if lane.worker == asked.WORKER:  # the others have their solver at hand before they are asked
        if question.brief and question.seconds < QUICK_SECONDS:
            return Response(question.text(), media_type=question.media)
        if question.seconds > COLD_SECONDS and not answers.is_loaded():
            raise TooMuchError(PREPARING)
    worker: Worker = getattr(request.app.state, lane.worker)
    text = await worker.ask(request, lane.kind, question.answer, question.game, **question.options)
    return Response(text, media_type=question.media)


async def _counted(request: Request, question: asked.OfCensus) -> str:
    """An answer by the census: how far it is at once, all else on the thread that reads it."""
    censuses = request.app.state.atlases
    answer = question.answer
    if answer is None:
        return questions.as_text(censuses.status(question.rules))
    work = censuses.ready(question.rules)
    text: str = await request.app.state.census_lane.do(request, lambda: answer(work))
    return text


class Straight(APIRoute):
    """The route of the question that is asked most: a query as it should be goes straight to the answer.

    FastAPI's own reading of parameters is a quarter of the time that such an answer takes. It still describes
    the route, and reads every query that has something missing or more than expected.
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


@router.get("/about", response_model=models.Service, summary="What there is to choose from")
async def about_service(request: Request) -> Response:
    """The rule sets with their boards, the levels of the computer, the kinds of verdict, and how cards are
    written.
    """
    return await given(request, asked.about())


async def analysis(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Who wins, in how many plies, the value of every legal move, and perfect play to the end."""
    return await given(request, asked.analysis(position, rules))


router.add_api_route(
    "/analysis",
    analysis,
    response_model=json_shapes.Analysis,
    summary="Solve a position",
    route_class_override=Straight,
)


@router.get("/moves", response_model=models.Moves, summary="List the moves with their values")
async def moves(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Every legal move with its value and way, best first."""
    return await given(request, asked.moves(position, rules))


@router.get("/why", response_model=models.WhyBest, summary="Say why the best move is the best")
async def why(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """The best moves, and the most concrete reason that can be checked on the board."""
    return await given(request, asked.why(position, rules))


@router.get("/computer-move", response_model=models.ComputerMove, summary="Let the computer choose a move")
async def computer_move(
    request: Request,
    position: PositionQuery,
    level: Annotated[
        Level, Query(description="How well it plays; `about` says what each level does, weakest first.")
    ] = Level.PERFECT,
    rules: RulesQuery = "standard",
    seed: SeedQuery = None,
) -> Response:
    """A move by the computer; among equally good ones by chance."""
    return await given(request, asked.computer_move(position, level, rules, seed))


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
    return await given(request, asked.deal(rules, seed, winner, plies, winning_moves))


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
    """Parse any notation: the game in ours, and of one position every square with its card, its pawn, whether
    and how the side to move
    can go there, and if it cannot, why."""
    return await given(request, asked.game(game, rules, ply, match))


@router.get("/edit", response_model=models.Draft, summary="Lay out a board")
async def edit(
    request: Request,
    draft: Annotated[
        str,
        Query(description="The board so far: a position, where pawns may be missing.", examples=[EXAMPLE]),
    ],
    lay: Annotated[
        str | None, Query(description="Lay this: A, 2, 3, 4, J, . (collapsed), r or b (a pawn).")
    ] = None,
    square: Annotated[
        str | None, Query(description="Where to lay it; a card without a square is laid everywhere.")
    ] = None,
    side: Annotated[str | None, Query(description="Give this side the turn: r or b.")] = None,
    rules: Annotated[str | None, Query(description="Take these rules.", examples=["joker"])] = None,
) -> Response:
    """The board after a change, and whether it is a position: what is missing, or why it cannot arise in
    play.
    """
    return await given(request, asked.edit(draft, lay, square, side, rules))


@router.get("/review", response_model=json_shapes.Review, summary="Look back on a game")
async def review(request: Request, game: GameQuery, rules: RulesQuery = "standard") -> Response:
    """Who was winning at every moment, where the game turned and why, and a verdict on every move."""
    return await given(request, asked.review(game, rules))


@router.get("/lessons", response_model=models.Lessons, summary="Learn to play")
async def lessons(request: Request) -> Response:
    """How to move, task by task, and for each line of the card of rules an example and where it fails."""
    return await given(request, asked.lessons())


@router.get("/drill", response_model=models.DrillShown, summary="Practise a line of the card of rules")
async def drill(
    request: Request,
    line: Annotated[int, Query(ge=1, le=99, description="Which line of the card, from 1.")],
    seed: SeedQuery = None,
) -> Response:
    """A position where that line decides, with a proven answer. Seeds from 0 on go from easy to hard."""
    return await given(request, asked.drill(line, seed))


@router.get("/puzzle", response_model=models.Puzzle, summary="Make a puzzle")
async def puzzle(
    request: Request,
    kind: Annotated[PuzzleKind | None, Query(description="How hard it is; otherwise as it comes.")] = None,
    rules: RulesQuery = "standard",
    seed: SeedQuery = None,
) -> Response:
    """A position of a game in which exactly one move wins, with the answer and how hard it is to find."""
    return await given(request, asked.puzzle(kind, rules, seed))


@router.get("/puzzle/try", response_model=json_shapes.Trial, summary="Try a move where a win is to be found")
async def puzzle_try(
    request: Request,
    position: PositionQuery,
    move: Annotated[str, Query(description="The move that is tried.", examples=["d1"])],
    rules: RulesQuery = "standard",
) -> Response:
    """Whether a move wins where the side to move can win, with the proof: perfect play after it."""
    return await given(request, asked.puzzle_try(position, move, rules))


@router.get("/daily", response_model=json_shapes.DailyGame, summary="The deal of the day")
async def daily(
    request: Request,
    date: Annotated[
        str | None,
        Query(
            description="Of which day; otherwise of today, where the service runs.", examples=["2026-10-02"]
        ),
    ] = None,
    moves: Annotated[
        str, Query(max_length=100, description="What both sides have played so far.", examples=["a2 c1"])
    ] = "",
) -> Response:
    """The same deal for everybody by date; after some moves, the answer of the computer, or how it ended."""
    return await given(request, asked.daily(date, moves))


SoloQuery = Annotated[
    str,
    Query(description="A solo game: a position and the moves played from it.", examples=["A2X/3Jr2/A2A b1"]),
]
PlyQuery = Annotated[
    int | None,
    Query(ge=0, le=16, description="The position after so many moves is meant; otherwise after all."),
]


@router.get("/solo/game", response_model=models.SoloGame, summary="Read a solo game and show a position")
async def solo_game(request: Request, game: SoloQuery, ply: PlyQuery = None) -> Response:
    """Of one position every square with its card, whether and how the pawn can go there, and if it cannot,
    why.
    """
    return await given(request, asked.solo_game(game, ply))


@router.get("/solo/analysis", response_model=models.SoloAnalysis, summary="Solve a solo position")
async def solo_analysis(request: Request, game: SoloQuery, ply: PlyQuery = None) -> Response:
    """Whether it can be solved, in how many ways, which moves keep it so, a solution, how far to go back."""
    return await given(request, asked.solo_analysis(game, ply))


@router.get("/solo/deal", response_model=models.SoloDeal, summary="Deal a solo layout that can be solved")
async def solo_deal(
    request: Request,
    deck: Annotated[str, Query(description="The name of a deck, or its numbers.")] = "official",
    difficulty: Annotated[Difficulty | None, Query(description="How hard; otherwise as it comes.")] = None,
    exit: Annotated[
        Exit, Query(description="Whether the exit may be passed over before the end.")
    ] = Exit.OPEN,
    seed: SeedQuery = None,
) -> Response:
    """A random layout of those that can be solved and are as hard as asked."""
    return await given(request, asked.solo_deal(deck, difficulty, exit, seed))


@router.get("/solo/drawing", responses=PICTURE, response_class=Response, summary="Draw a solo position")
async def solo_drawing(
    request: Request,
    game: SoloQuery,
    ply: PlyQuery = None,
    values: Annotated[
        bool, Query(description="Write on each end card how many solutions begin with that move.")
    ] = False,
    move: MoveQuery = None,
) -> Response:
    """The board as a picture."""
    return await given(request, asked.solo_drawing(game, ply, values, move))


@router.get("/drawing", responses=PICTURE, response_class=Response, summary="Draw a position as SVG")
async def drawing(
    request: Request,
    position: PositionQuery,
    rules: RulesQuery = "standard",
    values: Annotated[bool, Query(description="Write the value of each move on its end card.")] = False,
    move: MoveQuery = None,
) -> Response:
    """The board as a picture."""
    return await given(request, asked.drawing(position, rules, values, move))


@router.get("/census", response_model=models.Census, summary="Count all deals by kind")
async def census(request: Request, rules: RulesQuery = "standard") -> Response:
    """How many deals there are of each length and number of winning first moves. Where there is no answer
    yet, asking starts the work.
    """
    return await given(request, asked.census(rules))


@router.get(
    "/census/deal", response_model=models.DealClass, responses=BUSY, summary="Look a deal up in the census"
)
async def census_deal(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Which truly different deal it is, how rare its length is, and the same game in other guises."""
    return await given(request, asked.census_deal(position, rules))
