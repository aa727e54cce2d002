"""Review a game: the outcome of every position, the turning points, and a verdict on every move."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic

from collapsi.core.cached import cached_property
from collapsi.core.drawing import draw
from collapsi.core.errors import wrong_type
from collapsi.core.game import Game
from collapsi.core.state import DuelT, abbreviate, in_moves, more_plies
from collapsi.games.analysis import Analysis, HasOutcome, colour, move_json, outcome_json, position_json
from collapsi.games.kind import NO_LIMITS, Can, Limits
from collapsi.games.registry import kind_of, require
from collapsi.play.analysis import analyse_many
from collapsi.play.enums import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.players import Player
    from collapsi.core.state import Outcome
    from collapsi.games.analysis import MoveValue
    from collapsi.play import json_types
    from collapsi.play.coach import Why


@dataclass(frozen=True, repr=False)
class JudgedMove(HasOutcome, Generic[DuelT]):
    """A move of a game, with the analyses before and after it; `str` is the verdict in words.

    The words count the plies left after the move, as the analysis of the position after it does.
    """

    number: int
    """The number of the ply, starting at 1."""
    before: Analysis[DuelT]
    played: MoveValue[DuelT]
    after: Analysis[DuelT]
    last_chance: bool
    """Whether it gave away the player's last chance to win."""

    @property
    def player(self) -> Player:
        """The player who moved."""
        player: Player = self.before.position.to_move
        return player

    @property
    def name(self) -> str:
        """The move in notation."""
        return self.played.name

    @property
    def to(self) -> str:
        """The end square."""
        return self.played.to

    @property
    def outcome(self) -> Outcome:
        """The outcome after the move, which counts as the first ply."""
        return self.played.outcome

    @property
    def verdict(self) -> Verdict:
        """The verdict on the move."""
        if len(self.before.moves) == 1:
            return Verdict.ONLY
        if self.outcome == self.before.outcome:
            return Verdict.BEST
        if self.played.wins:
            return Verdict.SLOWER_WIN
        return Verdict.THREW_AWAY if self.before.winner is self.player else Verdict.FASTER_LOSS

    @cached_property
    def why(self) -> Why | None:
        """The reason why the move threw the win away; None for other moves."""
        if self.verdict is not Verdict.THREW_AWAY:
            return None
        from collapsi.play.coach import why_thrown  # slow to load and rarely needed

        return why_thrown(self.before, self.played, self.after)

    def __str__(self) -> str:
        counted = self.plies - self.after.plies  # 0 for the choice of a card to start on
        left, best_left = more_plies(self.after.plies), more_plies(self.before.plies - counted)
        better, player = " or ".join(abbreviate(self.before.best)), self.player
        match self.verdict:
            case Verdict.ONLY:
                text = "the only move"
            case Verdict.BEST:
                text = f"the best: {self.after.winner} wins {left}"
            case Verdict.SLOWER_WIN:
                text = f"still wins, {left}: after {better} {player} wins {best_left}"
            case Verdict.FASTER_LOSS:
                text = f"loses {left}: {better} holds out, and loses {best_left}"
            case Verdict.THREW_AWAY:
                text = f"throws the win away: after {better} {player} wins {best_left}"
        return text + (f" ({player}'s last chance to win)" if self.last_chance else "")

    @property
    def summary(self) -> str:
        """The verdict for players, in moves of both players.

        >>> from collapsi import parse_game
        >>> print(review(parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 d4")).moves[1].summary)
        the best: blue wins in 10 more moves
        """
        return in_moves(str(self))

    def __repr__(self) -> str:
        return f"JudgedMove({self.number}. {self.player} {self.name}: {self})"

    def to_json(self) -> json_types.JudgedMove:
        """Return the verdict as plain data."""
        is_best = self.outcome == self.before.outcome
        return {
            "number": self.number,
            "player": colour(self.player),
            **move_json(self.before.position, self.played.move),
            **outcome_json(self.outcome),
            "best": list(self.before.best),
            "verdict": self.verdict,
            "last_chance": self.last_chance,
            "text": str(self),
            "summary": self.summary,
            "why": self.why.to_json() if self.why else None,
            "refutation": [] if is_best else list(self.after.line),
            "better": [] if is_best else list(self.before.line),
        }


@dataclass(frozen=True, repr=False)
class Review(Generic[DuelT]):
    """A game with every position solved.

    >>> from collapsi import parse_game
    >>> for move in review(parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 d4 b2")).moves:
    ...     print(move.number, move.to, move)
    1 d1 throws the win away: after a2 red wins in 12 more plies (red's last chance to win)
    2 d4 the best: blue wins in 10 more plies
    3 b2 the best: blue wins in 9 more plies
    """

    game: Game[DuelT]
    analyses: tuple[Analysis[DuelT], ...]
    """One for each position, first to last."""

    @cached_property
    def moves(self) -> tuple[JudgedMove[DuelT], ...]:
        """A verdict on every move."""
        threw: dict[Player, int] = {}
        played = []
        steps = zip(pairwise(self.analyses), self.game.moves, strict=True)
        for number, ((before, after), chosen) in enumerate(steps, start=1):
            move = next(move for move in before.moves if move.move == chosen)
            played.append((before, move, after))
            if before.winner is before.position.to_move and not move.wins:
                threw[before.position.to_move] = number
        threw.pop(self.analyses[-1].winner, None)  # the side that is winning now can still win
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
        return draw("film.draw_review", self)

    @property
    def turning_points(self) -> tuple[JudgedMove[DuelT], ...]:
        """The moves that threw a win away."""
        return tuple(move for move in self.moves if move.verdict is Verdict.THREW_AWAY)

    def to_json(self) -> json_types.Review:
        """Return the review as plain data."""
        return {
            "game": self.game.text,
            "positions": [
                {**position_json(one.position), **outcome_json(one.outcome), "best": list(one.best)}
                for one in self.analyses
            ],
            "moves": [move.to_json() for move in self.moves],
            "turning_points": [move.number for move in self.turning_points],
        }


def review(game: Game[Any]) -> Any:
    """Review a game, finished or not: a verdict on every move.

    For two players on a small board this is a `Review`.
    """
    *_, last = reviews(game)
    return last


def reviews(game: Game[Any], limits: Limits = NO_LIMITS) -> Iterator[Any]:
    """Yield reviews of a game, each better than the one before, until the search is complete."""
    if not isinstance(game, Game):
        raise wrong_type(game, "a game, such as collapsi.parse_game(text)")
    require(game.position.rules, Can.REVIEW)
    step_by_step = kind_of(game.position).reviews(game, limits)
    if step_by_step is None:
        yield Review(game, tuple(analyse_many(game.positions)))
    else:
        yield from step_by_step
