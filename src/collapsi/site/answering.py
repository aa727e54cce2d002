"""The service inside the page: `worker.js` asks here, in the browser's Python, what others ask over HTTP."""

from __future__ import annotations

import inspect
import math
from contextlib import suppress
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

from collapsi.errors import CollapsiError, MalformedError
from collapsi.rows import shorten
from collapsi.site import crowd_kernels, examples, kernels
from collapsi.solve import answers, crowd_search
from collapsi.web import asked, big, questions

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_SECONDS = 60.0
"""What would take longer than this, about, is refused."""
WITHOUT_COMPILER = "This page was made without the compiled solver, so answers take longer."
TRUE, FALSE = ("true", "1"), ("false", "0")


def start(room: kernels.Room | None = None) -> str:
    """Take the solver that there is; returns what is to be said about it."""
    answers.take(kernels.Interpreted() if room is None else kernels.WebAssembly(room))
    if room:
        crowd_search.ROOM.limit(megabytes=crowd_kernels.MEGABYTES)
    return "" if room else WITHOUT_COMPILER


def answer(path: str, query: str) -> tuple[int, str, str]:
    r"""Status, media type and text, as the service would send them.

    Where the media type is `asked.LINES` the text comes by `lines`.

    >>> answer("analysis", "position=A223/4A2Jr/3A23/Jb3A4+r")[0]
    200
    >>> answer("analysis", "position=A223")[2]
    '{"detail":"1 row instead of 4: \'A223\'"}'
    """
    try:
        question = read(path, query)
        if isinstance(question, asked.OfCensus):
            return 200, asked.JSON, _counted(question)
        if isinstance(question, asked.Deepening):
            return 200, asked.LINES, ""
        if question.seconds > LONGEST_SECONDS:
            raise CollapsiError(_too_long(question.seconds))
        return 200, question.media, question.text()
    except CollapsiError as error:
        return 422, asked.JSON, questions.as_text({"detail": str(error)})


def lines(path: str, query: str) -> Iterator[str]:
    """Better and better answers, each made when it is taken: who wants no more takes no more."""
    question = read(path, query)
    assert isinstance(question, asked.Deepening)
    try:
        yield from map(questions.as_text, question.answers())
    except CollapsiError:  # there was no room for it
        yield questions.as_text(big.end_json("stopped"))


def read(path: str, query: str) -> asked.Asked | asked.OfCensus | asked.Deepening:
    """The question that a path and a query ask."""
    if path not in asked.PATHS:
        msg = f"there is nothing at {shorten(path)}"
        raise MalformedError(msg)
    kinds = _kinds(path)
    given = {name: text for name, text in parse_qsl(query) if name in kinds}
    for name, (_, required) in kinds.items():
        if required and name not in given:
            msg = f"{name}: field required"
            raise MalformedError(msg)
    return asked.PATHS[path](**{name: _value(name, kinds[name][0], text) for name, text in given.items()})


@cache
def _kinds(path: str) -> dict[str, tuple[Any, bool]]:
    """For each parameter of a question the type that its text is read as, and whether it has to be given."""
    question = asked.PATHS[path]
    hints = get_type_hints(question)
    return {
        name: (_plain(hints[name]), each.default is inspect.Parameter.empty)
        for name, each in inspect.signature(question).parameters.items()
    }


def _plain(hint: Any) -> Any:
    """A type without `| None`: what is not given is not there."""
    return get_args(hint)[0] if get_origin(hint) in (Union, UnionType) else hint


def _value(name: str, kind: Any, text: str) -> Any:
    """A text as what a parameter takes."""
    choices: list[str] = []
    if kind is str:
        return text
    if kind is bool:
        choices = [*TRUE, *FALSE]
        if text in choices:
            return text in TRUE
    elif kind is int:
        if text.isdecimal():
            return int(text)
        choices = ["a number"]
    elif kind is float:
        with suppress(ValueError):
            if 0 < (number := float(text)) < math.inf:
                return number
        choices = ["a number above 0"]
    elif get_origin(kind) is Literal:
        choices = list(get_args(kind))
        if text in choices:
            return text
    elif issubclass(kind, Enum):
        choices = [each.value for each in kind]
        if text in choices:
            return kind(text)
    msg = f"{name}: expected {', '.join(choices)}, not {shorten(text)}"
    raise MalformedError(msg)


def _counted(question: asked.OfCensus) -> str:
    """An answer by the census that came with the page."""
    if question.answer is None:
        return questions.as_text(examples.status(question.rules))
    return question.answer(examples.ready(question.rules))


def _too_long(seconds: float) -> str:
    minutes = round(seconds / 60)
    about = "more than an hour" if minutes > 60 else f"about {max(minutes, 1)} minutes"
    return f"in the browser this would take {about}: where collapsi is installed, collapsi serve answers it"
