"""The API inside the static page: `worker.js` calls this module, in the browser's Python, instead of HTTP."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from collapsi.api.question import (
    INTERNAL_ERROR,
    JSON,
    LINES,
    CensusStatus,
    CensusWork,
    OfferWork,
    RoomWork,
    StreamWork,
    Work,
    as_text,
)
from collapsi.api.questions import QUESTIONS
from collapsi.api.streams import end_json
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.rows import shorten
from collapsi.games.big import search as big_search
from collapsi.games.registry import use_backend
from collapsi.site import big_kernels, examples, kernels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.api.question import Question

LONGEST_SECONDS = 60.0
"""Work with a longer estimate is refused."""
WITHOUT_COMPILER = "This page was made without the compiled solver, so answers take longer."


def start(module: big_kernels.Module | None = None) -> str:
    """Choose the solver, WebAssembly if there is a module; return a warning for the page, if any."""
    use_backend(kernels.Interpreted() if module is None else kernels.WebAssembly(module))
    if module:
        big_search.TABLE.limit(megabytes=big_kernels.MEGABYTES)
    return "" if module else WITHOUT_COMPILER


def answer(path: str, query: str) -> tuple[int, str, str]:
    r"""Status, media type and text, as the service would send them.

    If the media type is `LINES`, `lines` returns the text.

    >>> answer("analysis", "position=A223/4A2Jr/3A23/Jb3A4+r")[0]
    200
    >>> answer("analysis", "position=A223")[2]
    '{"detail":"1 row instead of 4: \'A223\'"}'
    """
    try:
        question = find(path)
        work = question.read(_texts(query))
        assert not isinstance(work, RoomWork)  # no question of this page
        if isinstance(work, StreamWork):
            return 200, LINES, ""
        if isinstance(work, Work) and work.seconds > LONGEST_SECONDS:
            raise CollapsiError(_too_long(work.seconds))
        return 200, question.media, question.text(_made(work))
    except CollapsiError as error:
        return 422, JSON, as_text({"detail": str(error)})
    except Exception:  # noqa: BLE001 - whatever it was, other requests can be answered
        traceback.print_exc()  # to the console of the browser
        return 500, JSON, as_text({"detail": INTERNAL_ERROR})


def _made(work: Work[object] | CensusWork[object] | CensusStatus[object] | OfferWork[object]) -> object:
    """Do some work; the census is the one that comes with the page."""
    if isinstance(work, CensusStatus):
        return examples.status(work.rules)
    if isinstance(work, OfferWork):
        return work.make(None)
    return work.make(examples.ready(work.rules)) if isinstance(work, CensusWork) else work.make()


def lines(path: str, query: str) -> Iterator[str]:
    """The answers of a stream, each made when it is taken."""
    work = find(path).read(_texts(query))
    assert isinstance(work, StreamWork)
    try:
        yield from map(as_text, work.make(lambda: False))
    except CollapsiError:  # there is not enough memory
        yield as_text(end_json("stopped"))
    except Exception:  # noqa: BLE001 - as above
        traceback.print_exc()
        yield as_text(end_json("stopped"))


def _texts(query: str) -> dict[str, str]:
    return dict(parse_qsl(query, keep_blank_values=True))


def find(path: str) -> Question:
    """The question at a path."""
    if path not in QUESTIONS or not QUESTIONS[path].on_site:
        msg = f"there is nothing at {shorten(path)}"
        raise MalformedError(msg)
    return QUESTIONS[path]


def _too_long(seconds: float) -> str:
    minutes = round(seconds / 60)
    about = "more than an hour" if minutes > 60 else f"about {max(minutes, 1)} minutes"
    return f"in the browser this would take {about}: where collapsi is installed, collapsi serve answers it"
