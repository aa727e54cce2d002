"""The routes of the API, version 1, generated from the declarations in `api/questions`.

A question is a GET that changes nothing, with its parameters in the address, or a POST with a JSON object.
Its request is read by the declaration, as on the static page; FastAPI describes the routes. A deal is
solved on the event loop, in a fraction of a millisecond: handing it to a thread and back takes longer, also
for several deals at once.
"""

from __future__ import annotations

import asyncio
import inspect
from contextlib import aclosing
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

from fastapi import Query, Response
from fastapi.routing import APIRoute
from pydantic import Field, TypeAdapter
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.routing import BaseRoute, Match

from collapsi.api import json_types, models
from collapsi.api.question import (
    JSON,
    LINES,
    SVG,
    CensusStatus,
    CensusWork,
    Cost,
    OfferWork,
    RoomWork,
    StreamWork,
    Work,
    as_text,
)
from collapsi.api.questions import QUESTIONS
from collapsi.api.streams import end_json
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.games.registry import kind_named
from collapsi.service.waiting import ClientGoneError, OverloadedError, unless_gone
from collapsi.system.files import parse_json_text

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from collapsi.api.question import Parameter, Question

PREFIX = "/api/v1"
BODY_SECONDS = 10.0
"""A body that takes longer is not awaited."""
COLD_SECONDS = 1.5
"""Work that would take longer is refused until the compiled solver is loaded."""
PREPARING = "the solver is being loaded: try again in a few seconds"

PROBLEM: dict[int | str, dict[str, Any]] = {
    422: {
        "description": "The request has no answer, and why.",
        "content": {"application/problem+json": {"schema": TypeAdapter(models.Problem).json_schema()}},
    }
}
PROBLEM[500] = {**PROBLEM[422], "description": "An internal error; the service has logged it."}
PROBLEM[503] = {
    **PROBLEM[422],
    "description": "Too many requests of this kind are waiting.",
    "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}},
}
NO_CENSUS = {**PROBLEM[422], "description": "There is no census yet: it is being taken, or could not be."}
ROOM_REFUSALS: dict[int | str, dict[str, Any]] = {
    403: {**PROBLEM[422], "description": "The token does not allow this."},
    404: {**PROBLEM[422], "description": "There is no such room, or no longer: it can be restored."},
    409: {**PROBLEM[422], "description": "The game has changed, or it is not your turn."},
}
BODY_REFUSALS: dict[int | str, dict[str, Any]] = {
    413: {**PROBLEM[422], "description": "The body is too long, or sent in chunks."},
    415: {**PROBLEM[422], "description": "The body is not sent as JSON."},
}
PICTURE = {"description": "The picture.", "content": {SVG: {"schema": {"type": "string"}}}}
STREAM = (
    "Lines of JSON, each a whole answer and better than the last; the last line says why the stream ended."
)


def answer_hint(question: Question) -> tuple[Any, set[Any]]:
    """The type of the answers, and the types of work, from the return annotation."""
    names = {"json_types": json_types, "models": models}
    hint = get_type_hints(question.function, localns=names, include_extras=True)["return"]
    kinds = get_args(hint) if get_origin(hint) is Union else (hint,)
    return get_args(kinds[0])[0], {get_origin(kind) for kind in kinds}


def query(parameter: Parameter) -> inspect.Parameter:
    """A parameter in the address as FastAPI reads signatures."""
    annotation: Any = Annotated[parameter.type, Query(**limits(parameter))]
    return inspect.Parameter(
        parameter.name, inspect.Parameter.KEYWORD_ONLY, default=parameter.default, annotation=annotation
    )


def limits(parameter: Parameter) -> dict[str, Any]:
    """The description, examples and limits that a parameter has."""
    return {name: value for name, value in vars(parameter.param).items() if value is not None}


def body(question: Question) -> dict[str, Any]:
    """The description of the JSON object of a request."""
    properties = {}
    for name, parameter in question.parameters.items():
        given = {} if parameter.required else {"default": parameter.default}
        annotation: Any = Annotated[parameter.type, Field(**given, **limits(parameter))]
        properties[name] = TypeAdapter(annotation).json_schema()
    required = [name for name, parameter in question.parameters.items() if parameter.required]
    schema = {"type": "object", "properties": properties, "required": required}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}


def route(question: Question) -> APIRoute:
    """The route of a question."""

    def endpoint() -> None:
        """Stand for the question in FastAPI's description; `RouteByPath` answers."""

    endpoint.__name__, endpoint.__doc__ = question.function.__name__, question.function.__doc__
    changes = question.method == "POST"
    parameters = [] if changes else list(map(query, question.parameters.values()))
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    answer, kinds = answer_hint(question)
    responses = {
        **PROBLEM,
        **(ROOM_REFUSALS if RoomWork in kinds else {}),
        **(BODY_REFUSALS if changes else {}),
    }
    if CensusWork in kinds:
        responses[409] = NO_CENSUS
    options: dict[str, Any] = {"response_class": Response}
    if question.media == SVG:
        responses[200] = PICTURE
    elif question.media == LINES:  # OpenAPI has no word for lines: `x-line` describes each of them
        line = {"schema": {"type": "string"}, "x-line": TypeAdapter(answer).json_schema()}
        responses[200] = {"description": STREAM, "content": {LINES: line}}
    else:
        options = {"response_model": answer}
    return APIRoute(
        f"{PREFIX}/{question.path}",
        endpoint,
        methods=[question.method],
        summary=question.summary,
        responses=responses,
        openapi_extra=body(question) if changes else None,
        **options,
    )


def routes() -> list[APIRoute]:
    """The routes of all questions."""
    return list(map(route, QUESTIONS.values()))


class RouteByPath(BaseRoute):
    """The routes of all questions, found by one look-up.

    Placed before them: Starlette tries one route after the other, which takes as long as reading the request.
    The routes themselves stay for FastAPI's description.
    """

    def __init__(self, questions: Iterable[Question]) -> None:
        self._apps = {f"{PREFIX}/{each.path}": (each.method, application(each)) for each in questions}

    def matches(self, scope: Any) -> tuple[Match, dict[str, Any]]:
        """Match a request for one of the paths."""
        found = scope["type"] == "http" and scope["path"] in self._apps
        return (Match.FULL if found else Match.NONE), {}

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer the question, if the method is right."""
        method, app = self._apps[scope["path"]]
        if scope["method"] != method:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": method})
        await app(scope, receive, send)


def application(question: Question) -> Any:
    """The ASGI application that answers a question. Errors are left to the exception handlers of the app."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if question.method == "GET":
            texts = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        else:
            texts = read_object(await read_body(receive))
        response = await respond(question, texts, scope["app"].state, receive)
        await response(scope, receive, send)

    return app


async def read_body(receive: Any) -> bytes:
    """The body of a request; the guards of the server have refused a large one."""
    parts = []
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGoneError
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
    except TimeoutError:
        raise ClientGoneError from None
    return b"".join(parts)


def read_object(body: bytes) -> dict[str, str]:
    """The parameters in a JSON object, as the texts that the declaration reads.

    >>> read_object(b'{"version": 3, "move": "a2", "match": true, "other": null}')
    {'version': '3', 'move': 'a2', 'match': 'true'}
    """
    try:
        given = parse_json_text(body)
        if not isinstance(given, dict) or any(isinstance(value, list | dict) for value in given.values()):
            raise ValueError
    except (ValueError, RecursionError):
        msg = 'the body is a JSON object with the parameters, such as {"move": "a2"}'
        raise MalformedError(msg) from None
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in given.items()
        if value is not None
    }


async def respond(question: Question, texts: dict[str, str], state: Any, receive: Any) -> Response:
    """The response to a request.

    Where its answer is made depends on the kind of work and its cost. Slow work on the classic game is
    refused until the compiled solver is loaded.
    """
    slow = question.is_slow_to_read(texts)
    work = await asyncio.to_thread(question.read, texts) if slow else question.read(texts)
    if isinstance(work, Work):
        if work.cost is Cost.AT_ONCE:
            return Response(question.text(work.make()), media_type=question.media)
        if (
            work.solver == "classic"
            and work.seconds > COLD_SECONDS
            and not kind_named("classic").solver.is_warm()
        ):
            raise OverloadedError(PREPARING)
        answer = await state.pool.answer(question.path, texts, work, receive)
        return Response(answer, media_type=question.media)
    if isinstance(work, OfferWork):
        return Response(as_text(work.make(state.offer)), media_type=JSON)
    if isinstance(work, RoomWork):
        room = await unless_gone(receive, asyncio.ensure_future(work.make(state.rooms)))
        return Response(as_text(room), media_type=JSON)
    if isinstance(work, StreamWork):
        parts = state.pool.stream(question.path, texts, work)
        first = await unless_gone(receive, asyncio.ensure_future(anext(parts)))
        return StreamingResponse(lines(first, parts), media_type=LINES)
    if isinstance(work, CensusStatus):
        return Response(as_text(state.atlases.status(work.rules)), media_type=JSON)
    census, make = state.atlases.ready(work.rules), work.make
    return Response(as_text(await state.census_thread.run(receive, lambda: make(census))), media_type=JSON)


async def lines(first: str, more: AsyncGenerator[str]) -> AsyncGenerator[str]:
    """The lines of a stream whose first answer is there; it is too late for another status."""
    async with aclosing(more):
        yield f"{first}\n"
        try:
            async for part in more:
                yield f"{part}\n"
        except CollapsiError:  # the process has died, or raised an error that no code expects
            yield f"{as_text(end_json('stopped'))}\n"
