"""The application: the API, the files of the page, and errors as problem details."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import collapsi
from collapsi.api.question import INTERNAL_ERROR, Cost
from collapsi.api.questions import QUESTIONS
from collapsi.core.errors import CollapsiError
from collapsi.core.rows import shorten
from collapsi.games.registry import kind_named
from collapsi.service.atlases import Atlases, NotReadyError
from collapsi.service.live import LiveRooms
from collapsi.service.pool import Pool
from collapsi.service.room import RoomError
from collapsi.service.routes import PREFIX, RouteByPath, respond, routes
from collapsi.service.seals import Seals
from collapsi.service.waiting import (
    RETRY_SECONDS,
    CensusThread,
    ClientGoneError,
    InternalError,
    OverloadedError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from collapsi.api import models
    from collapsi.api.question import Question

PAGE = Path(collapsi.__file__).parent / "page"
TITLES = {HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Entity"}
"""Phrases that are not the same in every version of Python."""

DESCRIPTION = """Collapsi, solved: the exact value of every move in any position. The game is by Mark S. Ball
(https://riffleshuffleandroll.itch.io/collapsi); that it is solved is the result of Michael Young
(arXiv:2507.16823)."""


def make_app(atlas_folder: Path, *, secret_file: Path | None = None, address: str | None = None) -> FastAPI:
    """The service. It keeps nothing between requests but rooms, atlases and the machine code of the solvers.

    With a file for the secret of rooms their links hold after a restart. `address` is that of the page for
    other machines.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool = Pool()
        app.state.census_thread = CensusThread()
        app.state.atlases = Atlases(atlas_folder)

        async def ask(question: Question, texts: dict[str, str]) -> bytes:
            return bytes((await respond(question, texts, app.state, _never)).body)

        app.state.offer = {"address": address}
        app.state.rooms = LiveRooms(Seals(secret_file), ask)
        load_solvers(app.state.pool)
        yield
        app.state.rooms.close()
        await app.state.atlases.close()
        await app.state.pool.close()
        app.state.census_thread.close()

    app = FastAPI(
        title="Collapsi",
        version=collapsi.__version__,
        description=DESCRIPTION,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,  # FastAPI's pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.router.routes[:0] = [RouteByPath(QUESTIONS.values()), *routes()]
    app.add_middleware(HeadAsGet)
    app.mount("/", StaticFiles(directory=PAGE, html=True))
    app.add_exception_handler(
        OverloadedError,
        lambda _, error: problem(
            HTTPStatus.SERVICE_UNAVAILABLE, str(error), {"Retry-After": str(RETRY_SECONDS)}
        ),
    )
    for unexpected in (InternalError, Exception):  # Starlette also logs the latter
        app.add_exception_handler(
            unexpected, lambda *_: problem(HTTPStatus.INTERNAL_SERVER_ERROR, INTERNAL_ERROR)
        )
    app.add_exception_handler(ClientGoneError, lambda *_: Response(status_code=HTTPStatus.REQUEST_TIMEOUT))
    app.add_exception_handler(NotReadyError, lambda _, error: problem(HTTPStatus.CONFLICT, str(error)))
    app.add_exception_handler(RoomError, lambda _, error: problem(getattr(error, "status"), str(error)))  # noqa: B009
    app.add_exception_handler(
        CollapsiError, lambda _, error: problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
    )
    app.add_exception_handler(HTTPException, _refused)
    return app


async def _never() -> Any:
    """Receive nothing: a request without a client."""
    await asyncio.get_running_loop().create_future()


def load_solvers(pool: Pool) -> None:
    """Load the compiled solvers in the background: here, then in a worker process.

    Until the compiled solver of the classic game is loaded, the interpreted one answers.
    """
    loop = asyncio.get_running_loop()

    def load_in_workers() -> None:
        pool.load("classic")
        pool.load("shifting", Cost.LONG)

    def load() -> None:
        kind_named("classic").solver.warm_up()
        # What is loaded stays: a garbage collection that visits all of it takes a tenth of a second.
        gc.freeze()
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(load_in_workers)

    threading.Thread(target=load, daemon=True).start()  # a daemon: stopping does not wait for the compiler


class HeadAsGet:
    """Answer HEAD as GET; the server omits the body."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Change the method and call the application."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


def problem(status: HTTPStatus, detail: str, headers: Any = None) -> Response:
    """Problem details (RFC 9457)."""
    data: models.Problem = {
        "type": "about:blank",
        "title": TITLES.get(status, status.phrase),
        "status": status.value,
        "detail": detail,
    }
    return Response(json.dumps(data), status.value, headers, "application/problem+json")


def _refused(request: Request, error: Exception) -> Response:
    """A path or method that does not exist."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    allowed = (error.headers or {}).get("Allow", "GET").split(",")[0]
    detail = {
        HTTPStatus.NOT_FOUND: f"there is nothing at {shorten(request.url.path, 60)}",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{shorten(request.method, 20)} is not answered here: use {allowed}",
    }.get(status, error.detail)
    return problem(status, detail, error.headers)
