"""What may be asked, version 1. Every answer is made by the library; every question is a GET and changes no
answer.

A deal, and what was played from one, is solved where it is asked, in a fraction of a millisecond. (Handing it
to a thread and back takes longer than solving it, also for several deals at once: measured, and given up.)
What may take longer is given to the worker (`worker`), so that nobody waits for somebody else's hard
question. The shifting board is always hard, and has workers of its own: one for positions, one for whole
games and deals of a kind.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

import collapsi
from collapsi import json_shapes, notation
from collapsi.daily import parse_date, today
from collapsi.draft import format_draft, parse_draft
from collapsi.drawing import draw_position
from collapsi.errors import CollapsiError
from collapsi.games.solo_deals import Difficulty, parse_deck
from collapsi.games.solo_notation import format_solo_game, parse_solo_game
from collapsi.made_up import refuse_other_boards
from collapsi.match import parse_match
from collapsi.opponent import Level
from collapsi.puzzles import DEALS_A_PUZZLE, PuzzleKind
from collapsi.rules import Exit, refuse_shifting
from collapsi.solve import answers
from collapsi.web import about, atlases, models, questions, shown, solo
from collapsi.web.lanes import TooMuchError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from collapsi.game import Game
    from collapsi.rules import Rules
    from collapsi.web.worker import Worker

PREFIX = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
MOST_SEEDS = 2**53
"""Seeds are below this, so that JavaScript can hold them exactly."""

QUICK_SECONDS = 0.003
"""What is solved within this is solved on the event loop."""
COLD_SECONDS = 1.5
"""What would take longer than this is refused until the compiled solver is loaded."""
PREPARING = "the solver is being prepared: ask again in some seconds"

DEALS = "deals"
BOARDS = "made-up boards"
GAMES = "games to look back on"
LESSONS = "lessons"
PUZZLES = "puzzles"
KINDS = (DEALS, BOARDS, GAMES, LESSONS, PUZZLES)
"""What the worker is asked: no kind waits for another."""
SOLO_DEALS = "solo deals"
SOLO_BOARDS = "solo boards"
SOLO_KINDS = (SOLO_DEALS, SOLO_BOARDS)
"""What the worker of the solo game is asked: to deal a hard layout can take seconds, and nobody else waits
for it.
"""

SHIFT_BOARDS = "shifting boards"
SHIFT_REASONS = "reasons on the shifting board"
SHIFT_KINDS = (SHIFT_BOARDS, SHIFT_REASONS)
SHIFT_GAMES = "shifting games to look back on"
SHIFT_DEALS = "shifting deals of a kind"
SHIFT_GAME_KINDS = (SHIFT_GAMES, SHIFT_DEALS)
"""What the two workers of the shifting board are asked: a deal takes tenths of a second, a game seconds."""
GONE_SECONDS = 2.0
"""How long such a question goes on when its asker has gone: about what a new process takes to be ready."""

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


def svg(picture: str) -> Response:
    """A picture."""
    return Response(picture, media_type="image/svg+xml")


def reply(text: str) -> Response:
    """JSON as it is: what the library says is not checked against the model again for every answer."""
    return Response(text, media_type="application/json")


async def answer(request: Request, question: Callable[..., str], game: Game, **options: Any) -> str:
    """An answer that needs the last position of a game solved: on the spot where that is quick, otherwise by
    the worker.

    A board that somebody made up can take longer: to solve, if it has many jacks, and to say whether it can
    arise.
    """
    if shifts(game):
        shift_worker: Worker = request.app.state.shift_worker
        return await shift_worker.ask(request, SHIFT_BOARDS, question, game, **options)
    seconds = answers.expected_seconds(game.position)
    dealt = game.positions[0].dealt
    if dealt and seconds < QUICK_SECONDS:
        return question(game, **options)
    if seconds > COLD_SECONDS and not answers.is_loaded():
        raise TooMuchError(PREPARING)
    return await worker_of(request).ask(request, DEALS if dealt else BOARDS, question, game, **options)


def shifts(game: Game) -> bool:
    """Whether it is played on the shifting board."""
    return game.positions[0].rules.shift is not None


def refuse_uncounted(rules: Rules) -> None:
    """Refuse rules of which the service takes no census."""
    refuse_shifting(rules, "the census here is")
    refuse_other_boards(rules)


def worker_of(request: Request) -> Worker:
    """The process for hard questions."""
    worker: Worker = request.app.state.worker
    return worker


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
async def about_service() -> Response:
    """The rule sets with their boards, the levels of the computer, the kinds of verdict, and how cards are
    written.
    """
    return reply(questions.as_text(about.service()))


async def analysis(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Who wins, in how many plies, the value of every legal move, and perfect play to the end."""
    return reply(await answer(request, questions.analysis, notation.parse_game(position, rules=rules)))


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
    return reply(await answer(request, questions.moves, notation.parse_game(position, rules=rules)))


@router.get("/why", response_model=models.WhyBest, summary="Say why the best move is the best")
async def why(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """The best moves, and the most concrete reason that can be checked on the board."""
    asked = notation.parse_game(position, rules=rules)
    if shifts(asked):
        worker = request.app.state.shift_worker
        return reply(await worker.ask(request, SHIFT_REASONS, questions.explained, asked))
    if not answers.is_loaded() and answers.expected_seconds(asked.position) > COLD_SECONDS:
        raise TooMuchError(PREPARING)
    kind = DEALS if asked.positions[0].dealt else BOARDS  # to count takes milliseconds: always the worker
    return reply(await worker_of(request).ask(request, kind, questions.explained, asked))


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
    game = notation.parse_game(position, rules=rules)
    return reply(await answer(request, questions.computer_move, game, level=level.value, seed=seed))


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
        refuse_uncounted(chosen)
        work = request.app.state.atlases.ready(chosen.name)
        dealt = await request.app.state.census_lane.do(
            request, lambda: atlases.draw(work, rng, plies=plies, winning_moves=winning_moves, winner=winner)
        )
    elif winner and chosen.shift is not None:
        options = {"rules": notation.format_rules(chosen), "winner": winner, "seed": seed}
        games_worker = request.app.state.shift_games_worker
        return reply(await games_worker.ask(request, SHIFT_DEALS, questions.won_deal, None, **options))
    elif winner:
        if answers.expected_seconds(collapsi.deal(random.Random(seed), chosen)) > COLD_SECONDS:
            raise TooMuchError(PREPARING)
        options = {"rules": notation.format_rules(chosen), "winner": winner, "seed": seed}
        return reply(await worker_of(request).ask(request, DEALS, questions.won_deal, None, **options))
    else:
        dealt = collapsi.deal(rng, chosen)
    return reply(questions.as_text(shown.deal_json(dealt, seed)))


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
    score = parse_match(match)
    if score.winner is not None:
        msg = f"the match is over: {score.winner} has {max(score.red, score.blue)} points"
        raise CollapsiError(msg)
    asked = notation.parse_game(game, rules=rules)
    if asked.positions[0].dealt:  # then half a millisecond does: nobody who plays waits for the worker
        return reply(questions.shown_game(asked, ply=ply, match=match, dealt=True))
    options = {"ply": ply, "match": match, "dealt": False}
    return reply(await worker_of(request).ask(request, BOARDS, questions.shown_game, asked, **options))


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
    changed = parse_draft(draft)
    if rules is not None:
        changed = changed.under(rules)
    if side is not None:
        changed = changed.give_turn(side)
    if lay is not None:
        changed = changed.lay(lay, square)
    text = format_draft(changed)
    try:
        quick = changed.position().dealt
    except CollapsiError:
        quick = True  # nothing is looked for in what is no position
    if quick:
        return reply(questions.laid_out(None, draft=text))
    return reply(await worker_of(request).ask(request, BOARDS, questions.laid_out, None, draft=text))


@router.get("/review", response_model=json_shapes.Review, summary="Look back on a game")
async def review(request: Request, game: GameQuery, rules: RulesQuery = "standard") -> Response:
    """Who was winning at every moment, where the game turned and why, and a verdict on every move."""
    asked = notation.parse_game(game, rules=rules)
    if shifts(asked):
        worker = request.app.state.shift_games_worker
        return reply(await worker.ask(request, SHIFT_GAMES, questions.reviewed, asked))
    if not answers.is_loaded() and sum(map(answers.expected_seconds, asked.positions)) > COLD_SECONDS:
        raise TooMuchError(PREPARING)
    return reply(await worker_of(request).ask(request, GAMES, questions.reviewed, asked))


@router.get("/lessons", response_model=models.Lessons, summary="Learn to play")
async def lessons(request: Request) -> Response:
    """How to move, task by task, and for each line of the card of rules an example and where it fails."""
    return reply(await worker_of(request).ask(request, LESSONS, questions.taught, None))


@router.get("/drill", response_model=models.DrillShown, summary="Practise a line of the card of rules")
async def drill(
    request: Request,
    line: Annotated[int, Query(ge=1, le=99, description="Which line of the card, from 1.")],
    seed: SeedQuery = None,
) -> Response:
    """A position where that line decides, with a proven answer. Seeds from 0 on go from easy to hard."""
    options = {"line": line, "seed": random.randrange(MOST_SEEDS) if seed is None else seed}
    return reply(await worker_of(request).ask(request, LESSONS, questions.drill, None, **options))


@router.get("/puzzle", response_model=models.Puzzle, summary="Make a puzzle")
async def puzzle(
    request: Request,
    kind: Annotated[PuzzleKind | None, Query(description="How hard it is; otherwise as it comes.")] = None,
    rules: RulesQuery = "standard",
    seed: SeedQuery = None,
) -> Response:
    """A position of a game in which exactly one move wins, with the answer and how hard it is to find."""
    chosen = notation.parse_rules(rules)
    refuse_shifting(chosen, "puzzles are")
    seed = random.randrange(MOST_SEEDS) if seed is None else seed
    one = answers.expected_seconds(collapsi.deal(random.Random(seed), chosen))
    if DEALS_A_PUZZLE * one > COLD_SECONDS and not answers.is_loaded():
        raise TooMuchError(PREPARING)
    options = {"of_kind": kind, "rules": notation.format_rules(chosen), "seed": seed}
    return reply(await worker_of(request).ask(request, PUZZLES, questions.puzzle, None, **options))


@router.get("/puzzle/try", response_model=json_shapes.Trial, summary="Try a move where a win is to be found")
async def puzzle_try(
    request: Request,
    position: PositionQuery,
    move: Annotated[str, Query(description="The move that is tried.", examples=["d1"])],
    rules: RulesQuery = "standard",
) -> Response:
    """Whether a move wins where the side to move can win, with the proof: perfect play after it."""
    game = notation.parse_game(position, rules=rules)
    return reply(await answer(request, questions.tried, game, move=move.lower()))


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
    day = today() if date is None else parse_date(date)
    played = moves.lower().replace("_", " ").split()
    if not played and answers.is_loaded():  # a deal or two to solve, and many ask for the same
        return reply(questions.daily_game(None, day=day.isoformat(), moves=[]))
    options = {"day": day.isoformat(), "moves": played}
    return reply(await worker_of(request).ask(request, DEALS, questions.daily_game, None, **options))


SoloQuery = Annotated[
    str,
    Query(description="A solo game: a position and the moves played from it.", examples=["A2X/3Jr2/A2A b1"]),
]
PlyQuery = Annotated[
    int | None,
    Query(ge=0, le=16, description="The position after so many moves is meant; otherwise after all."),
]


@router.get("/solo/game", response_model=models.SoloGame, summary="Read a solo game and show a position")
async def solo_game(game: SoloQuery, ply: PlyQuery = None) -> Response:
    """Of one position every square with its card, whether and how the pawn can go there, and if it cannot,
    why.
    """
    return reply(questions.as_text(solo.game_json(parse_solo_game(game), ply)))


@router.get("/solo/analysis", response_model=models.SoloAnalysis, summary="Solve a solo position")
async def solo_analysis(request: Request, game: SoloQuery, ply: PlyQuery = None) -> Response:
    """Whether it can be solved, in how many ways, which moves keep it so, a solution, how far to go back."""
    text = format_solo_game(parse_solo_game(game))
    worker = request.app.state.solo_worker
    return reply(await worker.ask(request, SOLO_BOARDS, questions.solo_analysis, None, played=text, ply=ply))


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
    options = {
        "deck": parse_deck(deck).name,
        "difficulty": difficulty,
        "reading": exit,
        "seed": random.randrange(MOST_SEEDS) if seed is None else seed,
    }
    worker = request.app.state.solo_worker
    return reply(await worker.ask(request, SOLO_DEALS, questions.solo_deal, None, **options))


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
    asked = parse_solo_game(game)
    move = move.lower() if move else None
    if values:
        options = {"played": format_solo_game(asked), "ply": ply, "move": move}
        worker = request.app.state.solo_worker
        return svg(await worker.ask(request, SOLO_BOARDS, questions.solo_drawing, None, **options))
    position = solo.at_ply(asked, ply).position
    return svg(draw_position(position, path=position.path(move) if move else ()))


@router.get("/drawing", responses=PICTURE, response_class=Response, summary="Draw a position as SVG")
async def drawing(
    request: Request,
    position: PositionQuery,
    rules: RulesQuery = "standard",
    values: Annotated[bool, Query(description="Write the value of each move on its end card.")] = False,
    move: MoveQuery = None,
) -> Response:
    """The board as a picture."""
    asked = notation.parse_game(position, rules=rules)
    move = move.lower() if move else None
    if values:
        return svg(await answer(request, questions.drawing, asked, move=move))
    return svg(draw_position(asked.position, move=move))


@router.get("/census", response_model=models.Census, summary="Count all deals by kind")
async def census(request: Request, rules: RulesQuery = "standard") -> Response:
    """How many deals there are of each length and number of winning first moves. Where there is no answer
    yet, asking starts the work.
    """
    chosen = notation.parse_rules(rules)
    refuse_uncounted(chosen)
    return reply(questions.as_text(request.app.state.atlases.status(chosen.name)))


@router.get(
    "/census/deal", response_model=models.DealClass, responses=BUSY, summary="Look a deal up in the census"
)
async def census_deal(request: Request, position: PositionQuery, rules: RulesQuery = "standard") -> Response:
    """Which truly different deal it is, how rare its length is, and the same game in other guises."""
    asked = notation.parse_position(position, rules=rules)
    refuse_uncounted(asked.rules)
    work = request.app.state.atlases.ready(asked.rules.name)
    lane = request.app.state.census_lane
    return reply(await lane.do(request, lambda: questions.as_text(atlases.deal_class_json(work, asked))))
