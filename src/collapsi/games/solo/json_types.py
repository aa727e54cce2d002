"""Typed dicts for the JSON of the solo game."""

from __future__ import annotations

from typing import Annotated

from collapsi.core.json_types import *
from collapsi.games.solo.deals import Difficulty
from collapsi.games.solo.rules import Exit

SoloText = Annotated[str, Doc("A position of the solo game in our notation.", examples=["A2X/3Jr2/A2A"])]


class SoloFacts(Exact):
    """Whether a position of the solo game can be solved, and how hard that is."""

    position: SoloText
    rules: str
    exit: Exit
    solvable: bool
    solutions: Annotated[int, Doc("Different orders in which the cards can be landed on.")]
    share: Annotated[float, Doc("The share of random play that succeeds.")]
    forced: Annotated[int, Doc("How often only one of several moves keeps it solvable.")]
    deck: Annotated[str | None, Doc("The deck of which it is a whole layout.")]
    difficulty: Difficulty | None


class SoloMoveSolved(Exact):
    """A legal move of the solo game and what it leads to."""

    move: MoveText
    to: Square
    path: list[Square]
    solvable: bool
    solutions: Annotated[int, Doc("How many solutions begin with it.")]


class SoloSolved(SoloFacts):
    """A position of the solo game solved."""

    solution: Annotated[list[str], Doc("A solution, or nothing.")]
    moves: list[SoloMoveSolved]


class SoloCensus(Exact):
    """All layouts of a deck, or a sample of them, by their number of solutions."""

    deck: str
    numbers: str
    rows: int
    columns: int
    exit: Exit
    all_layouts: int
    sample: bool
    seed: int | None
    layouts: int
    different: int | None
    solvable: int
    share: float
    share_between: list[float]
    median_solutions: int
    by_solutions: list[list[int]]
