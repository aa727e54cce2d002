"""Typed dicts for the JSON of the big board."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from collapsi.core.json_types import *
from collapsi.games.big.enums import BigVerdict, Sureness


class OfBigState(Exact):
    """Which position of the big board is spoken of."""

    position: Annotated[str, Doc("A position of the big board in our notation.")]
    rules: str
    to_move: Seat
    out: Annotated[list[Seat], Doc("Who is out, first to last.")]


class PointsBySeat(Exact):
    """The points of a round by player; only of those who play."""

    red: int
    blue: int
    green: NotRequired[int]
    yellow: NotRequired[int]


class PliesKnown(Exact):
    """Plies to the end as far as they are known; all null as long as the winner is not known."""

    plies: Annotated[int | None, Doc("Exactly; null if that is not known yet.")]
    plies_at_least: int | None
    plies_at_most: int | None


class BigMoveSolved(PliesKnown):
    """A move of the big board and what is known of it."""

    move: Annotated[str, Doc("The move as it is written: its end square.", examples=["f6"])]
    to: str
    path: list[str]
    wins: Annotated[bool | None, Doc("Whether the mover wins with it; null if that is not known yet.")]
    winner: Seat | None


class BigSolved(OfBigState, PliesKnown, Warned):
    """What is known of a position of the big board with two players left."""

    known: Annotated[
        Literal["all", "winner", "nothing"],
        Doc("Of the position: winner and plies, the winner alone, or neither yet."),
    ]
    finished: Annotated[bool, Doc("Whether everything requested is known.")]
    nodes: int
    winner: Seat | None
    score: Annotated[
        int | None,
        Doc("With two players: cards left at the end, negative if blue wins; null if not known yet."),
    ]
    points: PointsBySeat | None
    best: Annotated[list[str], Doc("The moves known to be best; none if that is not known yet.")]
    line: Annotated[list[str] | None, Doc("Perfect play to the end; null if that is not known yet.")]
    moves: list[BigMoveSolved]


class BigEndgameMove(Exact):
    """A move of an endgame of three or four players."""

    move: str
    to: str
    path: list[str]
    points: PointsBySeat
    secures: Annotated[int, Doc("The mover's points at the least, whatever the others do.")]


class BigEndgame(OfBigState, Warned):
    """An endgame of three or four players under perfect play."""

    tie_rule: Annotated[str, Doc("What is played where several moves are worth the same to the mover.")]
    exact: Annotated[bool, Doc("Whether no player's points depend on the rule for ties.")]
    points: PointsBySeat
    secured: Annotated[PointsBySeat, Doc("What each gets at the least, whatever all the others do.")]
    best: list[str]
    moves: list[BigEndgameMove]


class BigExpected(Exact):
    """Round points that each player may expect: an estimate, with decimals; only of those who play."""

    red: float
    blue: float
    green: NotRequired[float]
    yellow: NotRequired[float]


class BigMoveEstimate(Exact):
    """A move of the big board and what the engine thinks of it."""

    move: str
    to: str
    path: list[str]
    expected: BigExpected
    visits: Annotated[int, Doc("How often the engine tried it: what was tried more is more certain.")]


class BigEstimate(OfBigState, Warned):
    """What the engine thinks of a position of the big board: an estimate, no exact value."""

    estimate: Annotated[Literal[True], Doc("Always true: this is not an exact answer.")]
    nodes: Annotated[int, Doc("Positions looked at so far.")]
    expected: BigExpected
    best: Annotated[list[str], Doc("The move that the engine would make.")]
    moves: list[BigMoveEstimate]


class BigMoveLooked(Exact):
    """A reviewed move of a game of the big board."""

    number: int
    player: Seat
    move: str
    to: str
    text: Annotated[str, Doc("What is said of it.")]


class BigMoveReviewed(BigMoveLooked):
    """The same with a verdict, if there is one."""

    sureness: Annotated[Sureness, Doc("What the verdict rests on.")]
    verdict: Annotated[BigVerdict | None, Doc("How good it was; null: not known.")]
    best: Annotated[list[str], Doc("The moves known to be best, or to win; none if that is not known.")]


class BigMoveGuessed(BigMoveLooked):
    """The same with what the engine thinks: no verdict."""

    estimate: Annotated[Literal[True], Doc("Always true: this is not an exact answer.")]
    expected: Annotated[float, Doc("Round points that its player may expect.")]
    choice: Annotated[str, Doc("The move that the engine would have made.")]
    choice_expected: float


class BigReview(Exact):
    """The review of a game of the big board so far."""

    game: str
    finished: Annotated[bool, Doc("Whether every move has been looked at.")]
    plies: Annotated[int, Doc("How many moves the game has.")]
    moves: Annotated[
        list[BigMoveReviewed | BigMoveGuessed], Doc("The last are looked at first: they come last.")
    ]
    turning_points: Annotated[
        list[int], Doc("Numbers of the moves that are known to have thrown a win or points away.")
    ]
    end: Annotated[OfBigState, Doc("How the game stands at its end.")]
