"""What the answers about lessons look like, for the OpenAPI description; `models` has the others."""

from __future__ import annotations

from typing import Annotated

from collapsi.json_shapes import Colour, Exact, MoveText, PositionText, Said, Square


class Task(Exact):
    """A step of the lesson how to move: something to be done on a board."""

    title: str
    text: Annotated[str, Said("The rule.")]
    task: Annotated[str, Said("What is to be done.")]
    position: PositionText
    wanted: Annotated[list[MoveText], Said("The moves that do it.")]
    framed: Annotated[bool, Said("Whether the cards that one may go to are shown.")]
    right: Annotated[str, Said("What is said to who has done it.")]
    otherwise: Annotated[str, Said("What is said to another move that the rules allow.")]


class Mark(Exact):
    """A card that is looked at for a move."""

    square: Square
    text: Annotated[str, Said("Its points, or who could go there.", examples=["+3"])]


class MoveRead(Exact):
    """A legal move, what a line of the card counts for it, and what it is really worth."""

    move: MoveText
    to: Square
    left: Annotated[bool, Said("Whether the lines above leave it.")]
    kept: Annotated[bool, Said("Whether it is left with this line too.")]
    count: Annotated[str, Said("Its points, or whether the line would keep it: ✓ or ✗.")]
    counted: Annotated[str, Said("What is counted, in words.")]
    marks: list[Mark]
    wins: bool
    plies: int
    said: Annotated[str, Said("What is said to who chooses it.")]


class Drill(Exact):
    """A position where a line of the card decides, and every move read by it."""

    position: PositionText
    rules: str
    to_move: Colour
    line: Annotated[int, Said("Which line, from 1.")]
    task: Annotated[str, Said("What is to be done.")]
    text: Annotated[str, Said("What it shows, once it is solved.")]
    answer: Annotated[MoveText | None, Said("The move that the line picks, if just one.")]
    moves: list[MoveRead]


class LineLesson(Exact):
    """The lesson on a line of the card."""

    line: Annotated[int, Said("Which line, from 1.")]
    text: Annotated[str, Said("The line.")]
    idea: Annotated[str, Said("How it is followed.")]
    example: Annotated[Drill, Said("Where it picks a winning move.")]
    limit: Annotated[str, Said("What is true of its failures.")]
    failure: Annotated[Drill | None, Said("Where it fails or is not enough; null: nowhere.")]


class Lessons(Exact):
    """All lessons."""

    moving: Annotated[list[Task], Said("How to move, step by step.")]
    lines: Annotated[list[LineLesson], Said("A lesson for each line of the card of rules.")]
    drills: Annotated[int, Said("How many drills end the lesson on a line.")]
