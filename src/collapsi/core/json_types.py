"""Typed dicts for JSON answers: the base classes, and the fields that several answers share.

Every `to_json` returns a typed dict, which the type checker compares with the function. FastAPI derives the
OpenAPI description from the same typed dicts, and tests validate real answers against them. Each layer
defines the typed dicts of its own answers in a module `json_types`.

Only the OpenAPI description needs them at run time: the library imports them for the type checker alone.
Neither pydantic nor FastAPI is needed to load these modules. A member of a `StrEnum` appears in an answer
unchanged: it is a string, and JSON writes it as one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic requires this one below Python 3.12


class Doc:
    """Documentation of a field; `more` are further keywords of JSON Schema, such as `examples`.

    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(Annotated[int, Doc("Plies to the end.", minimum=0)]).json_schema()
    {'description': 'Plies to the end.', 'minimum': 0, 'type': 'integer'}
    """

    def __init__(self, description: str, **more: object) -> None:
        self.keywords = {"description": description, **more}

    def __get_pydantic_json_schema__(self, schema: Any, describe: Any) -> dict[str, Any]:
        """Return the JSON Schema of the field; called by pydantic."""
        return {**describe(schema), **self.keywords}


class Exact(TypedDict):
    """Base class: additional fields are not allowed."""


# pydantic reads this attribute of the class and of its subclasses.
setattr(Exact, "__pydantic_config__", {"extra": "forbid"})  # noqa: B010 - typed dicts have no attributes

Colour = Literal["red", "blue"]
Seat = Annotated[Literal["red", "blue", "green", "yellow"], Doc("A player of the big board.")]
Square = Annotated[
    str,
    Doc("A square, a1 to d4; on a shifting board a1 is the top left of all cards.", examples=["d1"]),
]
MoveText = Annotated[
    str,
    Doc("The move in notation: its end square, on a shifting board with the shift.", examples=["d1"]),
]
Shift = Annotated[
    Literal["r", "l", "d", "u"],
    Doc(
        "The direction of the shift: the row to the right or left, the column down or up. "
        "Left out if the board does not shift."
    ),
]
PositionText = Annotated[str, Doc("A position in notation.", examples=["A223/4A2Jr/3A23/Jb3A4 r"])]


class OfPosition(Exact):
    """The first fields of every answer about a position."""

    position: PositionText
    rules: str
    to_move: Colour


class Warned(Exact):
    """Warnings about a position."""

    warnings: NotRequired[
        Annotated[
            list[str],
            Doc("The reasons why the position cannot arise in play; left out if there are none."),
        ]
    ]


class Outcome(Exact):
    """How a game ends under perfect play."""

    winner: Colour
    plies: Annotated[int, Doc("Plies to the end.")]
    score: Annotated[int, Doc("Cards face up at the end, negative if blue wins.")]


class Played(Exact):
    """The parts of a move: `move` is `to` and, on a shifting board, `shift`."""

    move: MoveText
    to: Square
    shift: NotRequired[Shift]


# Counts and samples


class Rate(Exact):
    """A number of cases with its share: exact if all were counted, otherwise with its 95 % interval."""

    found: int
    cases: int
    share: float
    exact: bool
    interval: list[float]


class LengthRate(Rate):
    """The share of deals with one number of plies."""

    plies: int


class Mean(Exact):
    """The mean of a sample, with its 95 % interval."""

    mean: float
    interval: list[float]
