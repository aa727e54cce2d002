"""Typed dicts for the JSON about samples of the shifting and the big board."""

from __future__ import annotations

from typing import Annotated

from collapsi.core.json_types import *
from collapsi.games.levels import Level


class ShiftingOutcomes(Exact):
    """Deals by length under one reading of the rules."""

    reading: str
    red_wins: Rate
    mean_plies: float
    lengths: list[LengthRate]


class ShiftingDifference(Exact):
    """Two readings on the same deals."""

    first: str
    second: str
    winner_differs: Rate
    length_differs: Rate


class JackSquares(Exact):
    """The squares of the two jacks."""

    red: str
    blue: str


class ShiftingFirstMove(Exact):
    """The deals that red wins with the first move, with the places of the jacks."""

    reading: str
    deals: Rate
    jacks: list[JackSquares]
    jack_placements: int


class ShiftingDifferent(Exact):
    """Deals up to the symmetries of the rules."""

    rules: str
    symmetries: int
    deals: int
    different_by_burnside: int
    different_by_enumeration: int


class ShiftingWorth(Exact):
    """How often the mover wins if one shift is its own, omitted, or the opponent's choice."""

    rules: str
    plies: int
    own: Rate
    none: Rate
    theirs: Rate
    standard: Rate
    walks_by_winning_shifts: list[int]


class ShiftingFacts(Exact):
    """The facts about the shifting board."""

    deals: int
    seed: int
    outcomes: list[ShiftingOutcomes]
    differences: list[ShiftingDifference]
    first_move: list[ShiftingFirstMove]
    different: list[ShiftingDifferent]
    worth: list[ShiftingWorth]


class BigRung(Exact):
    """One level at a table of the big board at which another level has all other seats."""

    level: Level
    text: str
    others: Level
    won: Rate
    fair: Annotated[float, Doc("The share that each of equally strong players would win.")]
    points: Mean
    milliseconds: Annotated[float, Doc("Mean CPU time of a move of the level.")]


class BigLadder(Exact):
    """The levels of the big board, each measured against the next weaker."""

    rules: str
    seed: int
    nodes: Annotated[int, Doc("Search nodes per move of the strongest level.")]
    rungs: list[BigRung]


class BigDecided(Exact):
    """How often the winner under perfect play from here on has won the game."""

    cards: int
    won: Rate


class BigTwo(Exact):
    """The game for two: exact winners of deals, and games between strong players."""

    solved: int
    unsolved: Annotated[int, Doc("Deals whose winner was not found within the limit of nodes.")]
    red: Annotated[Rate, Doc("Deals that red wins under perfect play, of those solved.")]
    games: int
    red_in_play: Rate
    plies: Annotated[dict[str, int], Doc("Games between strong players by their number of plies.")]
    decided: list[BigDecided]


class BigSeatShare(Exact):
    """The value of a seat with strong players."""

    seat: Seat
    points: Mean
    won: Rate


class BigSeats(Exact):
    """The value of every seat with strong players."""

    rules: str
    rounds: int
    nodes: int
    seats: list[BigSeatShare]


class CalibrationBin(Exact):
    """Positions with similar estimates: mean estimate and mean exact value."""

    expected: Annotated[float, Doc("Mean estimate.")]
    exact: Mean
    positions: int


class BigCalibration(Exact):
    """Estimates of the engine compared with exact values."""

    rules: str
    cards: int
    nodes: int
    positions: int
    error: Annotated[float, Doc("Mean absolute error of the estimates, in points.")]
    bins: list[CalibrationBin]


class BigFacts(Exact):
    """The facts about the big board."""

    deals: int
    seed: int
    two: BigTwo
    seats: list[BigSeats]
    calibration: list[BigCalibration]
