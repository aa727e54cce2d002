"""The service put together: the API, the page's files, and what is refused as problem details."""

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
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

import collapsi
from collapsi.errors import CollapsiError
from collapsi.rows import shorten
from collapsi.solve import answers
from collapsi.web import api, api_big
from collapsi.web.atlases import Atlases, NotReadyError
from collapsi.web.lanes import RETRY_SECONDS, GoneError, Refusals, ThreadLane, TooMuchError, hold_back
from collapsi.web.worker import LOAD_SHIFTING, Worker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from collapsi.web import models

PAGE = Path(__file__).parent / "page"

DESCRIPTION = """Collapsi, solved: the exact value of every move in any position. The game is by Mark S. Ball
(https://riffleshuffleandroll.itch.io/collapsi); that it is solved is the result of Michael Young
(arXiv:2507.16823)."""


def make_app(atlas_folder: Path) -> FastAPI:
    """The service. It keeps nothing between requests but the atlas and the machine code of the solver."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.worker = Worker(*api.KINDS)
        app.state.solo_worker = Worker(*api.SOLO_KINDS)
        shifting: dict[str, Any] = {"loads": LOAD_SHIFTING, "patience": api.GONE_SECONDS}
        app.state.shift_worker = Worker(*api.SHIFT_KINDS, **shifting)
        app.state.shift_games_worker = Worker(*api.SHIFT_GAME_KINDS, **shifting)
        app.state.big_worker = api_big.BigWorker(*api_big.STREAM_KINDS)
        app.state.big_moves_worker = api_big.BigWorker(*api_big.MOVE_KINDS)
        app.state.census_lane = ThreadLane("questions to the census")
        app.state.refusals = Refusals()
        app.state.atlases = Atlases(atlas_folder)
        # Until the compiled solver is loaded, the interpreted one answers: nobody waits for it.
        load_solvers(app.state.worker, app.state.shift_worker)
        yield
        await app.state.atlases.close()
        await app.state.worker.close()
        await app.state.solo_worker.close()
        await app.state.shift_worker.close()
        await app.state.shift_games_worker.close()
        await app.state.big_worker.close()
        await app.state.big_moves_worker.close()
        app.state.census_lane.close()

    app = FastAPI(
        title="Collapsi",
        version=collapsi.__version__,
        description=DESCRIPTION,
        openapi_url=f"{api.PREFIX}/openapi.json",
        docs_url=None,  # FastAPI's pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    # The routes as they are: `include_router` would work all of them out again at the first request.
    app.router.routes.extend([*api.router.routes, *api_big.router.routes])
    app.add_middleware(HeadAsGet)
    app.mount("/", StaticFiles(directory=PAGE, html=True))
    app.add_exception_handler(TooMuchError, _busy)
    app.add_exception_handler(GoneError, lambda *_: Response(status_code=HTTPStatus.REQUEST_TIMEOUT))
    app.add_exception_handler(NotReadyError, lambda _, error: problem(HTTPStatus.CONFLICT, str(error)))
    app.add_exception_handler(
        CollapsiError, lambda _, error: problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
    )
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    return app


def load_solvers(worker: Worker, shift_worker: Worker) -> None:
    """Have the compiled solver at hand, as it was kept or compiled now; here, then in the worker.

    Then the shifting board's, in its own worker: whoever plays the classic game does not wait for it.
    """
    loop = asyncio.get_running_loop()

    def load_in_workers() -> None:
        worker.load_solver()
        shift_worker.load_solver()

    def load() -> None:
        answers.load()
        # What is loaded stays: to look through all of it for garbage again and again stops everything for a
        # tenth of a second.
        gc.freeze()
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(load_in_workers)

    threading.Thread(
        target=load, daemon=True
    ).start()  # a daemon: who stops the server does not wait for a compiler


class HeadAsGet:
    """Answers HEAD as GET; the server leaves the body out."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass it on."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


def problem(status: HTTPStatus, detail: str, headers: Any = None) -> Response:
    """What is wrong, as problem details."""
    data: models.Problem = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
    }
    return Response(json.dumps(data), status.value, headers, "application/problem+json")


async def _busy(request: Request, error: Exception) -> Response:
    """Too much of a kind: ask again later."""
    if request.app.state.refusals.many():
        await hold_back(request)
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), {"Retry-After": str(RETRY_SECONDS)})


def _invalid(_: Request, error: Exception) -> Response:
    """A parameter that is missing or has no such value, in one line."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = first["loc"][-1]
    given = f", not {shorten(str(first['input']))}" if first["type"] != "missing" else ""
    reason = first["msg"][0].lower() + first["msg"][1:]
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{name}: {reason}{given}")


def _refused(request: Request, error: Exception) -> Response:
    """No such page, or not to be asked in this way."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    detail = {
        HTTPStatus.NOT_FOUND: f"there is nothing at {shorten(request.url.path, 60)}",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{shorten(request.method, 20)} is not answered here: use GET",
    }.get(status, error.detail)
    return problem(status, detail, error.headers)
