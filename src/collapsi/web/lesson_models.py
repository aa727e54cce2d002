"""What the answers about lessons look like, for the OpenAPI description; `models` has the others."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, with_config
from typing_extensions import TypedDict  # pydantic wants this one below Python 3.12

from collapsi.web.models import EXACT, Colour, MoveText, PositionText, Square


@with_config(EXACT)
class Task(TypedDict):
    """A step of the lesson how to move: something to be done on a board."""

    title: str
    text: Annotated[str, Field(description="The rule.")]
    task: Annotated[str, Field(description="What is to be done.")]
    position: PositionText
    wanted: Annotated[list[MoveText], Field(description="The moves that do it.")]
    framed: Annotated[bool, Field(description="Whether the cards that one may go to are shown.")]
    right: Annotated[str, Field(description="What is said to who has done it.")]
    otherwise: Annotated[str, Field(description="What is said to another move that the rules allow.")]


@with_config(EXACT)
class Mark(TypedDict):
    """A card that is looked at for a move."""

    square: Square
    text: Annotated[str, Field(description="Its points, or who could go there.", examples=["+3"])]


@with_config(EXACT)
class MoveRead(TypedDict):
    """A legal move, what a line of the card counts for it, and what it is really worth."""

    move: MoveText
    to: Square
    left: Annotated[bool, Field(description="Whether the lines above leave it.")]
    kept: Annotated[bool, Field(description="Whether it is left with this line too.")]
    count: Annotated[str, Field(description="Its points, or whether the line would keep it: ✓ or ✗.")]
    counted: Annotated[str, Field(description="What is counted, in words.")]
    marks: list[Mark]
    wins: bool
    plies: int
    said: Annotated[str, Field(description="What is said to who chooses it.")]


@with_config(EXACT)
class Drill(TypedDict):
    """A position where a line of the card decides, and every move read by it."""

    position: PositionText
    rules: str
    to_move: Colour
    line: Annotated[int, Field(description="Which line, from 1.")]
    task: Annotated[str, Field(description="What is to be done.")]
    text: Annotated[str, Field(description="What it shows, once it is solved.")]
    answer: Annotated[MoveText | None, Field(description="The move that the line picks, if just one.")]
    moves: list[MoveRead]


@with_config(EXACT)
class LineLesson(TypedDict):
    """The lesson on a line of the card."""

    line: Annotated[int, Field(description="Which line, from 1.")]
    text: Annotated[str, Field(description="The line.")]
    idea: Annotated[str, Field(description="How it is followed.")]
    example: Annotated[Drill, Field(description="Where it picks a winning move.")]
    limit: Annotated[str, Field(description="What is true of its failures.")]
    failure: Annotated[Drill | None, Field(description="Where it fails or is not enough; null: nowhere.")]


@with_config(EXACT)
class Lessons(TypedDict):
    """All lessons."""

    moving: Annotated[list[Task], Field(description="How to move, step by step.")]
    lines: Annotated[list[LineLesson], Field(description="A lesson for each line of the card of rules.")]
    drills: Annotated[int, Field(description="How many drills end the lesson on a line.")]
