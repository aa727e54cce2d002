"""Typed dicts for the JSON of positions, reviews, puzzles and the deal of the day."""

from __future__ import annotations

from typing import Annotated

from collapsi.core.json_types import *
from collapsi.games.json_types import *
from collapsi.games.levels import Level
from collapsi.play.enums import Mark, PuzzleKind, Verdict, WhyKind


class PositionInGame(OfPosition, Outcome):
    """A position of a game, solved."""

    best: list[MoveText]


class Why(Exact):
    """A reason that can be checked on the board."""

    kind: WhyKind
    text: Annotated[str, Doc("The reason as a sentence, without a full stop.")]


class Tempting(Played, Outcome):
    """A move that looks good and is not best, with its value."""

    text: Annotated[str, Doc("What it runs into, as a sentence without a full stop.")]
    line: Annotated[list[MoveText], Doc("Perfect play after it.")]


class JudgedMove(Played, Outcome):
    """A move of a game and the verdict on it."""

    number: int
    player: Colour
    best: list[MoveText]
    verdict: Verdict
    last_chance: bool
    text: str
    summary: Annotated[str, Doc("The verdict for players: it counts the moves left after this one.")]
    why: Annotated[Why | None, Doc("Why it threw the win away; null if it did not.")]
    refutation: Annotated[list[MoveText], Doc("Perfect play after it; empty if it is a best move.")]
    better: Annotated[list[MoveText], Doc("Perfect play in place of it; empty if it is a best move.")]


class Review(Exact):
    """The review of a game."""

    game: str
    positions: list[PositionInGame]
    moves: list[JudgedMove]
    turning_points: Annotated[list[int], Doc("Numbers of the moves that threw a win away.")]


# Puzzles and the deal of the day


class Puzzle(OfPosition):
    """A position in which exactly one move wins."""

    kind: Annotated[PuzzleKind, Doc("How hard it is.")]
    sight: Annotated[int, Doc("How many plies one must look ahead to be sure of the move.")]
    plies: Annotated[int, Doc("How long the win takes.")]
    refuted: Annotated[int, Doc("How long the longest-lived of the other moves lives.")]
    card: Annotated[bool, Doc("Whether the expert card names the move and no other.")]
    move: Annotated[MoveText, Doc("The answer.")]
    line: Annotated[list[Square], Doc("Perfect play to the end.")]
    game: Annotated[str, Doc("A game that leads there.")]


class Trial(OfPosition, Outcome):
    """A move tried where a win is to be found; its plies are counted with the move itself."""

    move: MoveText
    right: Annotated[bool, Doc("Whether it wins.")]
    only: Annotated[bool, Doc("Whether only one move wins.")]
    line: Annotated[list[Square], Doc("The proof: the move, and perfect play after it.")]
    text: Annotated[str, Doc("The verdict in one line.")]
    kind: Annotated[PuzzleKind | None, Doc("How hard it was; null where it was no puzzle.")]
    rating: Annotated[str | None, Doc("How the move can be found; null likewise.")]


class DailyGame(OfPosition):
    """The deal of a day, and how the game stands; `position` is the deal."""

    date: Annotated[str, Doc("Year, month and day.", examples=["2026-10-02"])]
    game: Annotated[str, Doc("The deal and the moves so far.")]
    person: Annotated[Colour, Doc("The colour of the person, who can win the deal.")]
    level: Annotated[Level, Doc("How well the computer plays, always.")]
    level_text: str
    reply: Annotated[str | None, Doc("What the computer plays, if it is its turn.")]
    over: bool
    won: Annotated[bool | None, Doc("Whether the person has won; null while it goes on.")]
    marks: Annotated[list[Mark] | None, Doc("How good each of the person's moves was.")]
    result: Annotated[str | None, Doc("The text to share when it is over.")]
