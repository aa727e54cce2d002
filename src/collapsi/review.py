"""A game looked back on: who was winning at every moment, where it turned, and a verdict on every move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Generic

from collapsi.analysis import (
    Analysis,
    HasOutcome,
    analyse_many,
    colour,
    move_json,
    outcome_json,
    position_json,
)
from collapsi.lazy import lazy
from collapsi.state import DuelKind, count_plies, few

if TYPE_CHECKING:
    from collapsi import json_shapes
    from collapsi.analysis import MoveValue
    from collapsi.coach import Why
    from collapsi.game import Game
    from collapsi.rules import Player
    from collapsi.state import Outcome


class Verdict(StrEnum):
    """The kinds of verdict."""

    BEST = "best"
    ONLY = "only move"
    SLOWER_WIN = "slower win"
    FASTER_LOSS = "faster loss"
    THREW_AWAY = "threw the win away"


@dataclass(frozen=True, repr=False)
class JudgedMove(HasOutcome, Generic[DuelKind]):
    """One move of a game, beside what could have been played."""

    number: int
    """The ply, from 1."""
    before: Analysis[DuelKind]
    played: MoveValue[DuelKind]
    after: Analysis[DuelKind]
    last_chance: bool
    """Whether it was the last moment that its player could still win."""

    @property
    def player(self) -> Player:
        """Whose move it was."""
        return self.before.position.to_move

    @property
    def name(self) -> str:
        """The move as it is written."""
        return self.played.name

    @property
    def to(self) -> str:
        """The end square."""
        return self.played.to

    @property
    def outcome(self) -> Outcome:
        """What it led to, the move itself counted as a ply."""
        return self.played.outcome

    @property
    def verdict(self) -> Verdict:
        """How good it was."""
        if len(self.before.moves) == 1:
            return Verdict.ONLY
        if self.outcome == self.before.outcome:
            return Verdict.BEST
        if self.played.wins:
            return Verdict.SLOWER_WIN
        return Verdict.THREW_AWAY if self.before.winner is self.player else Verdict.FASTER_LOSS

    @lazy
    def why(self) -> Why | None:
        """Why it threw the win away; None for every other move."""
        if self.verdict is not Verdict.THREW_AWAY:
            return None
        from collapsi.coach import why_thrown  # takes long to load, and few ask

        return why_thrown(self.before, self.played, self.after)

    def __str__(self) -> str:
        better, plies, best_plies = (
            " or ".join(few(self.before.best)),
            count_plies(self.plies),
            count_plies(self.before.plies),
        )
        match self.verdict:
            case Verdict.ONLY:
                text = "the only move"
            case Verdict.BEST:
                text = (
                    f"the best: wins in {plies}" if self.played.wins else f"the best: holds out for {plies}"
                )
            case Verdict.SLOWER_WIN:
                text = f"still wins, in {plies}; {better} wins in {best_plies}"
            case Verdict.FASTER_LOSS:
                text = f"loses in {plies}; {better} holds out for {best_plies}"
            case Verdict.THREW_AWAY:
                text = f"throws the win away; {better} wins in {best_plies}"
        return text + (f" (the last moment {self.player} could still win)" if self.last_chance else "")

    def __repr__(self) -> str:
        return f"JudgedMove({self.number}. {self.player} {self.name}: {self})"

    def to_json(self) -> json_shapes.JudgedMove:
        """The verdict as plain data."""
        return {
            "number": self.number,
            "player": colour(self.player),
            **move_json(self.before.position, self.played.move),
            **outcome_json(self.outcome),
            "best": list(self.before.best),
            "verdict": self.verdict,
            "last_chance": self.last_chance,
            "text": str(self),
            "why": self.why.to_json() if self.why else None,
        }


@dataclass(frozen=True, repr=False)
class Review(Generic[DuelKind]):
    """A whole game with every position solved.

    >>> from collapsi import parse_game
    >>> for move in review(parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 d4 b2")).moves:
    ...     print(move.number, move.to, move)
    1 d1 throws the win away; a2 wins in 13 plies (the last moment red could still win)
    2 d4 the best: wins in 11 plies
    3 b2 the best: holds out for 10 plies
    """

    game: Game[DuelKind]
    analyses: tuple[Analysis[DuelKind], ...]
    """One for each position, first to last."""

    @lazy
    def moves(self) -> tuple[JudgedMove[DuelKind], ...]:
        """A verdict on every move."""
        threw: dict[Player, int] = {}
        played = []
        steps = zip(pairwise(self.analyses), self.game.moves, strict=True)
        for number, ((before, after), chosen) in enumerate(steps, start=1):
            move = next(move for move in before.moves if move.move == chosen)
            played.append((before, move, after))
            if before.winner is before.position.to_move and not move.wins:
                threw[before.position.to_move] = number
        threw.pop(self.analyses[-1].winner, None)  # who is winning now may still win
        return tuple(
            JudgedMove(number, before, move, after, threw.get(before.position.to_move) == number)
            for number, (before, move, after) in enumerate(played, start=1)
        )

    def __str__(self) -> str:
        lines = []
        for move in self.moves:
            lines.append(f"{move.number}. {move.player} {move.name}: {move}")
            if move.why:
                lines.append(f"   why: {move.why}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Review({self.game.text!r})"

    def _repr_svg_(self) -> str:
        from collapsi.film import draw_review

        return draw_review(self)

    @property
    def turning_points(self) -> tuple[JudgedMove[DuelKind], ...]:
        """The moves that threw a win away."""
        return tuple(move for move in self.moves if move.verdict is Verdict.THREW_AWAY)

    def to_json(self) -> json_shapes.Review:
        """The review as plain data."""
        return {
            "game": self.game.text,
            "positions": [
                {**position_json(one.position), **outcome_json(one.outcome), "best": list(one.best)}
                for one in self.analyses
            ],
            "moves": [move.to_json() for move in self.moves],
            "turning_points": [move.number for move in self.turning_points],
        }


def review(game: Game[DuelKind]) -> Review[DuelKind]:
    """Look back on a game, finished or not."""
    return Review(game, tuple(analyse_many(game.positions)))
