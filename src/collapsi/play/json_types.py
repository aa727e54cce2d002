"""Typed dicts for the JSON of positions, reviews, puzzles and the deal of the day."""

from __future__ import annotations

from typing import Annotated

from collapsi.core.json_types import *
from collapsi.games.json_types import *
from collapsi.games.levels import Level
from collapsi.play.enums import Mark, Place, PuzzleKind, Verdict, WhyKind


class PositionInGame(OfPosition, Outcome):
    """A position of a game, solved."""

    best: list[MoveText]


class FirstMoves(Exact):
    """First moves to a card of one number in one place, over all similar deals."""

    card: Annotated[str, Doc("The card that they end on: A, 2, 3 or 4.")]
    place: Annotated[
        Place,
        Doc("Where it lies: beside red's own jack alone, beside both, beside the other's alone, neither."),
    ]
    text: Annotated[str, Doc("The same in words.", examples=["a 3 between the jacks"])]
    squares: Annotated[
        list[Square], Doc("Where such a move ends in this deal; some deals of joker have none.")
    ]
    best: Annotated[int, Doc("Deals where one of them is a best move: wins soonest, or loses last.")]
    wins: Annotated[int, Doc("Deals where one of them wins.")]


class SimilarDeals(Exact):
    """All deals with the jacks as far apart and the same cards beside them, and how they are won."""

    asked: PositionText
    rules: str
    distance: Annotated[int, Doc("Steps between the jacks.")]
    beside_red: Annotated[list[str], Doc("The cards beside red's jack alone.")]
    beside_blue: Annotated[list[str], Doc("The cards beside blue's jack alone.")]
    beside_both: Annotated[list[str], Doc("The cards beside both jacks; only if they are two steps apart.")]
    deals: int
    wins: Annotated[int, Doc("Deals of these that red, who starts, wins.")]
    all_deals: Annotated[int, Doc("All deals of these rules, for comparison.")]
    all_wins: int
    first_moves: Annotated[list[FirstMoves], Doc("The most often best first.")]
    text: Annotated[str, Doc("The result in sentences.")]


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
    """A position in which exactly one move wins, or, of the kind `pass`, the turn decides."""

    kind: Annotated[PuzzleKind, Doc("How hard it is, or `pass`.")]
    sight: Annotated[int, Doc("How many plies one must look ahead to be sure of the answer.")]
    plies: Annotated[int, Doc("How long the win takes.")]
    refuted: Annotated[int, Doc("How long the longest-lived of the other moves lives, or the other answer.")]
    card: Annotated[bool, Doc("Whether the card of rules names the move and no other.")]
    move: Annotated[MoveText, Doc("The answer: a move; of the kind `pass`, the word pass or move.")]
    line: Annotated[list[Square], Doc("Perfect play to the end; after a pass, by the other side first.")]
    game: Annotated[str, Doc("A game that leads there.")]


class Trial(OfPosition, Outcome):
    """A move tried where a win is to be found, or the word pass or move where one could rather pass.

    The plies of a move are counted with the move itself; a pass is no ply.
    """

    move: MoveText
    right: Annotated[bool, Doc("Whether it wins; of pass and move: whether the other is not better.")]
    only: Annotated[bool, Doc("Whether only one move wins, or only one of pass and move.")]
    start: Annotated[PositionText, Doc("Where the proof starts: after a pass the other side is to move.")]
    line: Annotated[list[Square], Doc("The proof: the move, if one was tried, and perfect play after it.")]
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
