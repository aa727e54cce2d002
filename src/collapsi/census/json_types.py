"""Typed dicts for the JSON about all deals: censuses, opening rules, decks, verification, atlas."""

from __future__ import annotations

from typing import Annotated, NotRequired

from collapsi.core.json_types import *


class Length(Exact):
    """The deals of one length."""

    plies: int
    winner: Colour
    deals: int
    different: int


class AllGames(Exact):
    """The possible games of all deals."""

    rules: str
    games: int
    mean: float
    smallest: int
    largest: int


class AllRotateDeals(Exact):
    """All deals of `shift-rotate` by length, and the time and memory of solving them."""

    rules: str
    lengths: list[Length]
    deals: int
    different_deals: int
    red_wins: int
    blue_wins: int
    shortest: int
    longest: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int | None


class AllDeals(AllRotateDeals):
    """All deals of the classic game: also its first moves, and the deals that the paper lists."""

    red_first: list[int]
    blue_first: list[int]
    listed_deals: int
    possible_games: NotRequired[AllGames]


class TempoExample(Exact):
    """A deal and the lengths of perfect play on it."""

    deal: PositionText
    plies_if_red_starts: int
    plies_if_blue_starts: int


class DealsAtDistance(Exact):
    """Deals with the jacks at one distance."""

    distance: int
    deals: int


class TempoCount(Exact):
    """The deals of one kind by tempo."""

    tempo: Annotated[
        str,
        Doc("Who wins: starter, or red or blue whoever starts, or second (whoever starts loses)."),
    ]
    deals: int
    different: int
    by_distance: list[DealsAtDistance]
    example: TempoExample


class Passing(Exact):
    """How often the side to move would rather pass after random plies."""

    plies: int
    losing: Annotated[int, Doc("Positions of the sample that the side to move loses.")]
    would_pass: Rate


class AllTempo(Exact):
    """All deals by who wins if red starts and who wins if blue starts."""

    rules: str
    deals: int
    counts: list[TempoCount]
    passing: list[Passing]


class OpeningRule(Exact):
    """The results of all deals under one opening rule."""

    rules: str
    red_first: list[int]
    blue_first: list[int]
    red_same: Annotated[list[list[int]], Doc("Larger sets of steps that lead red to the same cards.")]
    blue_same: list[list[int]]
    deals: int
    red_wins: int
    red_share: float
    mean_plies: float
    first_move_decides: Annotated[int, Doc("Deals in which some of red's first moves win and others lose.")]
    decisive_share: float
    one_line: Annotated[int, Doc("Deals that only one line wins.")]
    one_line_share: float
    played: NotRequired[
        Annotated[Rate, Doc("Red's wins in games between players of the level that was named.")]
    ]


class DeckFacts(Exact):
    """Totals over every deal of a deck."""

    rules: str
    deck: list[int]
    deals: int
    red_wins: int
    red_share: float
    mean_plies: float
    shortest: int
    longest: int
    lengths: dict[str, int]
    choices: float
    first_move_decides: int
    decisive_share: float
    winning_first_moves: dict[str, int]
    mean_winning_first_moves: float
    one_line: int
    one_line_share: float


class Compared(Exact):
    """The numbers of comparisons of the layers with other solvers, and every difference."""

    deals: int
    positions: int
    differences: list[str]


class Verification(Compared):
    """A verification with its rules."""

    rules: str


class DealRow(Exact):
    """A row of the atlas."""

    deal: Annotated[str, Doc("The truly different deal that stands for it.")]
    distance: int
    weight: Annotated[int, Doc("How many of all deals are this one.")]
    winner: Colour
    plies: int
    score: int
    winning_moves: int
    tempo: Annotated[str | None, Doc("Who wins if the other player starts; null if unknown.")]
    games: int | None
    first_moves: dict[str, int]
