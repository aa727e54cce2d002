"""What may be asked about the big board, version 1: those questions of `asked` as a service.

Deals, games and pictures are made where they are asked. Moves of the computer and values to be drawn have a
worker of their own, and what gets better while one looks, analyses and reviews, another: it is sent as lines
of JSON, each a whole answer and better than the last. Both stop when the asker goes.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from collapsi.errors import CollapsiError
from collapsi.opponent import FIRST_MET, Level
from collapsi.web import asked, big, big_worker, models
from collapsi.web.api import PICTURE, PREFIX, PROBLEM, SeedQuery, given, kinds
from collapsi.web.lanes import GoneError
from collapsi.web.questions import as_text
from collapsi.web.streams import StreamWorker

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

EXAMPLE = "A.432A/....22/.234.Ab/.A443g4r/A332.2/A32443 g big3"

MOVE_KINDS = kinds(asked.BIG_MOVES_WORKER)
STREAM_KINDS = kinds(asked.BIG_WORKER)

GONE_SECONDS = 2.0
"""How long a question goes on when its asker has gone, if it cannot be stopped at once."""

PositionQuery = Annotated[
    str,
    Query(
        description="A position of the big board, or a game: then its last position is meant.",
        examples=[EXAMPLE],
    ),
]
GameQuery = Annotated[
    str,
    Query(
        description="A game of the big board: a position and the moves played from it.",
        examples=[f"{EXAMPLE} f2"],
    ),
]
PlyQuery = Annotated[
    int | None,
    Query(ge=0, le=36, description="The position after so many moves is meant; otherwise after all."),
]
SecondsQuery = Annotated[
    float, Query(gt=0, le=big.MOST_SECONDS, description="How long to think about it at the most.")
]

router = APIRouter(prefix=f"{PREFIX}/big", responses=PROBLEM)


class BigWorker(StreamWorker):
    """One of the processes of the big board."""

    module = big_worker.__name__
    longest_seconds = big.MOST_SECONDS + 60

    def __init__(self, *kinds: str) -> None:
        super().__init__(*kinds, loads=big_worker.LOAD_BIG, patience=GONE_SECONDS)


def described(line: Any) -> dict[int | str, dict[str, Any]]:
    """How a stream is described; OpenAPI has no word for lines: what each of them is stands in `x-line`."""
    said = "Lines of JSON, each a whole answer and better than the last; the last line says why no more come."
    content = {"schema": {"type": "string"}, "x-line": TypeAdapter(line).json_schema()}
    return {200: {"description": said, "content": {asked.LINES: content}}}


class Lines(Response):
    """Answers as they come, a line each."""

    media_type = asked.LINES

    def __init__(self, first: str, more: AsyncGenerator[str]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._first = first
        self._more = more

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002
        """Send them until there are no more, or nobody takes them."""

        async def line(text: str) -> None:
            await send({"type": "http.response.body", "body": f"{text}\n".encode(), "more_body": True})

        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await line(self._first)
        async with aclosing(self._more):
            try:
                async for text in self._more:
                    await line(text)
            except GoneError:
                return
            except CollapsiError:  # the process was ended in the middle: too late for another status
                await line(as_text(big.end_json("stopped")))
        await send({"type": "http.response.body", "body": b""})


async def streamed(request: Request, question: asked.Deepening) -> Response:
    """Better and better answers; a refusal is an answer of another status."""
    worker: StreamWorker = getattr(request.app.state, question.lane.worker)
    more: Any = worker.stream(request, question.lane.kind, question.question, **question.options)
    return Lines(await anext(more), more)


@router.get("/deal", response_model=models.BigDeal, summary="Deal the big board")
async def deal(
    request: Request,
    rules: Annotated[str, Query(description="For how many: `about` names them.", examples=["big3"])] = "big",
    seed: SeedQuery = None,
) -> Response:
    """A random deal."""
    return await given(request, asked.big_deal(rules, seed))


@router.get("/game", response_model=models.BigGame, summary="Read a game of the big board")
async def game(
    request: Request,
    game: GameQuery,
    ply: PlyQuery = None,
    match: Annotated[
        str | None,
        Query(
            description="The match before this round: points and rounds played. `start` begins one.",
            examples=["start", "3-1-2/1"],
        ),
    ] = None,
) -> Response:
    """The game in our notation, and of one position every square with its card, its pawn, whether and how the
    side to move can go there, and if it cannot, why; who is out; and the points of the match.
    """
    return await given(request, asked.big_game(game, ply, match))


@router.get("/computer-move", response_model=models.BigMove, summary="Let the computer move on the big board")
async def computer_move(
    request: Request,
    position: PositionQuery,
    level: Annotated[
        Level, Query(description="How well it plays; `about` says who plays by which rules, weakest first.")
    ] = FIRST_MET,
    seed: SeedQuery = None,
) -> Response:
    """A move by the computer, whoever's turn it is, and what the computer has to say of it."""
    return await given(request, asked.big_computer_move(position, level, seed))


@router.get(
    "/analysis",
    responses=described(models.BigAnalysisLine),
    response_class=Response,
    summary="Analyse a position of the big board, better and better",
)
async def analysis(
    request: Request, position: PositionQuery, seconds: SecondsQuery = big.SECONDS, seed: SeedQuery = None
) -> Response:
    """What is known of every move so far, again and again, until all is known or the time is over.

    `kind` says what a line is: `solved` and `endgame` are exact as far as they go, `estimate` is what the
    engine thinks, and `end` is the last.
    """
    return await streamed(request, asked.big_analysis(position, seconds, seed))


@router.get(
    "/review",
    responses=described(models.BigReviewLine),
    response_class=Response,
    summary="Look back on a game of the big board, from its end on",
)
async def review(
    request: Request, game: GameQuery, seconds: SecondsQuery = big.SECONDS, seed: SeedQuery = None
) -> Response:
    """A verdict on every move where it is known, an estimate where not: again and again all of it so far."""
    return await streamed(request, asked.big_review(game, seconds, seed))


@router.get("/drawing", responses=PICTURE, response_class=Response, summary="Draw the big board as SVG")
async def drawing(
    request: Request,
    position: PositionQuery,
    values: Annotated[
        bool, Query(description="Write on each end card what is known of the move within a moment.")
    ] = False,
    move: Annotated[str | None, Query(description="Draw the way of this move.", examples=["f2"])] = None,
) -> Response:
    """The board as a picture; values need two players left."""
    return await given(request, asked.big_drawing(position, values, move))
