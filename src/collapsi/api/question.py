"""Declare the questions of the API, each once: `@question` registers a function in `QUESTIONS`.

The function's annotated parameters are the parameters of the request, its docstring is the description, and
its return annotation names the type of the answer. It checks its arguments and returns the work that is left
to do (`Work` with its cost, or another of `AnyWork`); it does not do that work. The service, the static
page, the manual and the tests read this registry.

Only the standard library is used here: the static page runs this code in the browser.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from functools import cached_property
from types import UnionType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from collapsi.core.errors import MalformedError
from collapsi.core.rows import shorten

if TYPE_CHECKING:
    from collapsi.api import models
    from collapsi.api.census_views import Counted
    from collapsi.api.rooms import Rooms

JSON = "application/json"
SVG = "image/svg+xml"
LINES = "application/x-ndjson"

AT_ONCE_SECONDS = 0.003
"""What takes less time is answered on the event loop of the service."""
BLOCKING_SECONDS = 0.01
"""A few milliseconds: too long for the event loop."""
NODE_SECONDS = 1e-5
"""The time to show one move of a tree, about."""
LONG_TEXT = 1000
"""A text of this many characters can be a tree that takes `AT_ONCE_SECONDS` to read."""
SHORT_SECONDS = 1.0
"""What takes more time is long."""

INTERNAL_ERROR = "an internal error occurred: this request cannot be answered"
"""The detail of status 500; the cause is logged."""

T = TypeVar("T")
AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])


class Cost(Enum):
    """How expensive an answer is: it decides where the service makes it."""

    AT_ONCE = "at once"
    SHORT = "short"
    LONG = "long"


class Work(NamedTuple, Generic[T]):
    """An answer to make: `seconds` is a rough estimate, with the solver that it needs loaded."""

    make: Callable[[], T]
    seconds: float = 0.0
    solver: str | None = None
    """The kind of game whose solver it needs."""

    @property
    def cost(self) -> Cost:
        """The cost class."""
        if self.seconds < AT_ONCE_SECONDS:
            return Cost.AT_ONCE
        return Cost.SHORT if self.seconds < SHORT_SECONDS else Cost.LONG


class StreamWork(NamedTuple, Generic[T]):
    """Answers that improve, one after the other, until `is_stopped()` or there is no better one."""

    make: Callable[[Callable[[], bool]], Iterator[T]]
    solver: str | None = None
    """The kind of game whose solver it needs."""
    cost: Cost = Cost.LONG


class CensusWork(NamedTuple, Generic[T]):
    """An answer made from the finished census of a rule set."""

    rules: str
    make: Callable[[Counted], T]


class CensusStatus(NamedTuple, Generic[T]):
    """The counts of the census of a rule set, or its progress."""

    rules: str


class RoomWork(NamedTuple, Generic[T]):
    """Something to do in a room, where people play live; only the service has rooms."""

    make: Callable[[Rooms], Awaitable[T]]


class OfferWork(NamedTuple, Generic[T]):
    """An answer that says which rooms are offered here, if any."""

    make: Callable[[models.RoomsOffered | None], T]


AnyWork = Work[Any] | StreamWork[Any] | CensusWork[Any] | CensusStatus[Any] | RoomWork[Any] | OfferWork[Any]

Method = Literal["GET", "POST"]


@dataclass(frozen=True)
class Param:
    """The description, examples and limits of a parameter."""

    description: str
    _: KW_ONLY
    examples: list[str] | None = None
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    max_length: int | None = None

    @property
    def range(self) -> str:
        """The limits of a number in words."""
        words = (("at least", self.ge), ("above", self.gt), ("at most", self.le), ("below", self.lt))
        return " and ".join(f"{word} {limit}" for word, limit in words if limit is not None)

    def allows(self, number: float) -> bool:
        """Whether a number is within the limits."""
        return (
            (self.ge is None or number >= self.ge)
            and (self.gt is None or number > self.gt)
            and (self.le is None or number <= self.le)
            and (self.lt is None or number < self.lt)
        )


class Parameter(NamedTuple):
    """A parameter of a question."""

    name: str
    type: Any
    """As annotated, with `| None` where the default is None."""
    param: Param
    default: Any
    """`inspect.Parameter.empty` if the parameter is required."""

    @property
    def required(self) -> bool:
        """Whether a request must have it."""
        return self.default is inspect.Parameter.empty

    @property
    def plain_type(self) -> Any:
        """The type without `| None`."""
        return get_args(self.type)[0] if get_origin(self.type) in (Union, UnionType) else self.type

    @property
    def choices(self) -> list[str]:
        """The values of a parameter that takes one of several texts."""
        plain = self.plain_type
        if get_origin(plain) is Literal:
            return list(get_args(plain))
        return [each.value for each in plain] if isinstance(plain, type) and issubclass(plain, Enum) else []

    def read(self, text: str) -> Any:
        """Convert the text of a request."""
        plain = self.plain_type
        if plain is str:
            if self.param.max_length is None or len(text) <= self.param.max_length:
                return text
            expected = f"at most {self.param.max_length} characters"
        elif plain is bool:
            if text.lower() in ("true", "1", "false", "0"):
                return text.lower() in ("true", "1")
            expected = "true or false"
        elif choices := self.choices:
            if text in choices:
                return plain(text) if isinstance(plain, type) else text
            expected = ", ".join(choices)
        else:
            number = _number(text, plain)
            if number is not None and self.param.allows(number):
                return number
            expected = f"a number {self.param.range}".rstrip()
        msg = f"{self.name}: expected {expected}, not {shorten(text)}"
        raise MalformedError(msg)


def _number(text: str, kind: type[int | float]) -> float | None:
    """A finite number, or None."""
    try:
        number = kind(text)
        return number if math.isfinite(number) else None
    except (ValueError, OverflowError):  # the latter for a number of hundreds of digits
        return None


class Question:
    """A question as it was declared."""

    def __init__(
        self,
        path: str,
        summary: str,
        media: str,
        function: Callable[..., AnyWork],
        *,
        method: Method = "GET",
        on_site: bool = True,
    ) -> None:
        self.path = path
        self.summary = summary
        self.media = media
        self.function = function
        self.method = method
        """POST if the request changes something: then its parameters are a JSON object."""
        self.on_site = on_site
        """Whether the static page answers it too."""

    @property
    def description(self) -> str:
        """The docstring."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name, from the signature."""
        found = {}
        for name, each in inspect.signature(self.function).parameters.items():
            annotated, param = get_args(each.annotation)
            found[name] = Parameter(name, annotated, param, each.default)
        return found

    def read(self, texts: Mapping[str, str]) -> AnyWork:
        """Read a request; unknown parameters are ignored, and so are empty ones that are not required."""
        values = {}
        for name, parameter in self.parameters.items():
            text = texts.get(name)
            if text or (text is not None and parameter.required):
                values[name] = parameter.read(text)
            elif parameter.required:
                msg = f"{name}: field required"
                raise MalformedError(msg)
        return self.function(**values)

    @staticmethod
    def is_slow_to_read(texts: Mapping[str, str]) -> bool:
        """Whether a request may take too long to read on the event loop of the service."""
        return max(map(len, texts.values()), default=0) > LONG_TEXT

    def text(self, answer: Any) -> str:
        """An answer as it is sent."""
        return answer if self.media == SVG else as_text(answer)


QUESTIONS: dict[str, Question] = {}
"""Every question by its path. Import `collapsi.api.questions` to fill it."""


def question(
    path: str, *, summary: str, media: str = JSON, method: Method = "GET", on_site: bool = True
) -> Callable[[AnyFunction], AnyFunction]:
    """Declare the question at a path."""

    def declare(function: AnyFunction) -> AnyFunction:
        QUESTIONS[path] = Question(path, summary, media, function, method=method, on_site=on_site)
        return function

    return declare


def as_text(data: Mapping[str, object]) -> str:
    """Plain data as JSON."""
    return json.dumps(data, separators=(",", ":"))
