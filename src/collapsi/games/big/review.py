"""Review of a game of the big board: an exact verdict on every move, or an estimate where there is none.

Positions are analysed from the last to the first, because exact results of later positions help with earlier
ones. Positions with two players left are solved within a limit of nodes, endgames with more are solved
exactly, and the engine estimates the others. Only exact results lead to a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from collapsi.core.players import PAIR
from collapsi.core.state import abbreviate, more_plies
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis, big_json, plies_of, seat_json, winner_of
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import MEGABYTES, Estimate, answers, expected_text
from collapsi.games.big.enums import BigVerdict, Sureness
from collapsi.games.big.search import FEW_CARDS, Bounds, TranspositionTable, Win

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.game import Game
    from collapsi.core.players import Player
    from collapsi.games.big import json_types
    from collapsi.games.big.engine import BigAnswer
    from collapsi.games.big.state import BigState

NODES_FOR_TWO = 4_000_000
"""Limit of nodes for each position with two players left: a few seconds."""

NODES_FOR_MORE = 400_000
"""Limit of nodes for each position with more players left: some tenths of a second."""

MOST_NAMED = 4
"""Most better moves that a text names."""

ExactAnswer: TypeAlias = BigAnalysis | EndgameAnalysis


@dataclass(frozen=True)
class PositionKnowledge:
    """The best exact answer and the best estimate of one position so far."""

    exact: ExactAnswer | None = None
    estimate: Estimate | None = None

    def updated(self, answer: ExactAnswer | Estimate) -> PositionKnowledge:
        """Return the knowledge with a new answer, which replaces the earlier one of its type."""
        if isinstance(answer, Estimate):
            return PositionKnowledge(self.exact, answer)
        return PositionKnowledge(answer, self.estimate)


@dataclass(frozen=True)
class BigJudgedMove:
    """A move of a game with its verdict or estimate."""

    number: int
    state: BigState
    """Before the move."""
    move: int
    knowledge: PositionKnowledge
    """Of the position before the move."""
    bounds_after: Bounds | None = None
    """With two players left: bounds of the move's value from the position after it, for its player."""

    @property
    def player(self) -> Player:
        """The player who made the move."""
        return self.state.to_move

    @property
    def name(self) -> str:
        """The move in our notation."""
        return self.state.move_text(self.move)

    @property
    def sureness(self) -> Sureness:
        """What the verdict or estimate is based on."""
        exact = self.knowledge.exact
        if self.verdict is not None:
            return (
                Sureness.TIES if isinstance(exact, EndgameAnalysis) and not self._untied else Sureness.EXACT
            )
        return Sureness.UNKNOWN if self.knowledge.estimate is None else Sureness.ESTIMATE

    @property
    def _untied(self) -> bool:
        """Whether the points of the position and of the move are independent of the rule for ties."""
        exact = self.knowledge.exact
        if len(self.state.moves) == 1:
            return True
        assert isinstance(exact, EndgameAnalysis)
        points, secures = exact.by_move[self.move]
        return exact.exact and points[self.player] == secures

    @property
    def bounds(self) -> tuple[Bounds, Bounds] | None:
        """With two players left: the bounds of the position and of the move, for its player."""
        exact = self.knowledge.exact
        if not isinstance(exact, BigAnalysis) or exact.found is None:
            return None
        known = dict(exact.found.moves)
        if (after := self.bounds_after) is not None:
            mine = known[self.move]
            known[self.move] = Bounds(max(mine.lower, after.lower), min(mine.upper, after.upper))
        best = Bounds(max(one.lower for one in known.values()), max(one.upper for one in known.values()))
        return best, known[self.move]

    @property
    def verdict(self) -> BigVerdict | None:
        """How good the move was; None if unknown."""
        if len(self.state.moves) == 1:
            return BigVerdict.ONLY
        exact = self.knowledge.exact
        if isinstance(exact, EndgameAnalysis):
            most = max(points[self.player] for points, _ in exact.by_move.values())
            mine = exact.by_move[self.move][0][self.player]
            return BigVerdict.BEST if mine == most else BigVerdict.FEWER_POINTS
        return None if self.bounds is None else _verdict(*self.bounds)

    @property
    def best(self) -> tuple[str, ...]:
        """The best moves; if they are unknown, all moves known to win."""
        exact = self.knowledge.exact
        if isinstance(exact, EndgameAnalysis):
            return exact.best
        if exact is None:
            return ()
        return exact.best or tuple(move.name for move in exact.moves if move.wins)

    @property
    def text(self) -> str:
        """The verdict or the estimate in words."""
        exact, estimate = self.knowledge.exact, self.knowledge.estimate
        if self.verdict is BigVerdict.ONLY:
            return "the only move"
        if isinstance(exact, EndgameAnalysis):
            return self._points_text(exact)
        if self.verdict is not None:
            return self._verdict_text(self.verdict)
        if estimate is None:
            return "not known"
        mine = expected_text(estimate.by_move[self.move].points[self.player])
        if self.name in estimate.best:
            return f"{mine} (an estimate): the engine's choice too"
        choice, found = estimate.moves[0]
        expected = expected_text(found.points[self.player])
        return f"{mine}; the engine goes to {self.state.move_text(choice)}: {expected} (estimates)"

    def _points_text(self, exact: EndgameAnalysis) -> str:
        points = exact.by_move[self.move][0][self.player]
        most = max(points[self.player] for points, _ in exact.by_move.values())
        if points == most:
            return f"the best: leads to {_count_points(points)}"
        return f"leads to {_count_points(points)}; {self._better} to {_count_points(most)}"

    def _verdict_text(self, verdict: BigVerdict) -> str:
        assert self.bounds is not None  # with two players left the verdict comes from bounds
        best, mine = self.bounds
        left, best_left = (_left_text(plies_of(self.state, bounds)) for bounds in (mine, best))
        match verdict:
            case BigVerdict.BEST:
                return f"the best: {winner_of(self.state, best)} wins{left}"
            case BigVerdict.KEPT_WIN:
                return "keeps the win; whether it is the quickest is not known"
            case BigVerdict.SLOWER_WIN:
                return f"still wins,{left}: after {self._better} {self.player} wins{best_left}"
            case BigVerdict.STILL_LOST:
                return "every move loses; whether this holds out longest is not known"
            case BigVerdict.FASTER_LOSS:
                return f"loses{left}: {self._better} holds out, and loses{best_left}"
            case _:
                return f"throws the win away: after {self._better} {self.player} wins{best_left}"

    @property
    def _better(self) -> str:
        return " or ".join(abbreviate(self.best, MOST_NAMED))

    def __str__(self) -> str:
        return f"{self.number}. {self.player} {self.name}: {self.text}"

    def to_json(self) -> json_types.BigMoveReviewed | json_types.BigMoveGuessed:
        """Return the move as plain data; a verdict and an estimate have different fields."""
        common: json_types.BigMoveLooked = {
            "number": self.number,
            "player": seat_json(self.player),
            "move": self.name,
            "to": self.name,
            "text": self.text,
        }
        estimate = self.knowledge.estimate
        if self.verdict is None and estimate is not None:
            return {
                **common,
                "estimate": True,
                "expected": round(estimate.by_move[self.move].points[self.player], 4),
                "choice": estimate.best[0],
                "choice_expected": round(estimate.moves[0][1].points[self.player], 4),
            }
        return {**common, "sureness": self.sureness, "verdict": self.verdict, "best": list(self.best)}


def _verdict(best: Bounds, mine: Bounds) -> BigVerdict | None:
    """Return the verdict on a move, from the bounds of the position and of the move; None if unknown."""
    if best.exact is not None and mine.exact is not None:
        if mine.exact == best.exact:
            return BigVerdict.BEST
        if mine.win is Win.WINS:
            return BigVerdict.SLOWER_WIN
        return BigVerdict.THREW_AWAY if best.win is Win.WINS else BigVerdict.FASTER_LOSS
    if mine.win is Win.WINS:
        return BigVerdict.KEPT_WIN
    if mine.win is Win.LOSES and best.win is not Win.UNKNOWN:
        return BigVerdict.THREW_AWAY if best.win is Win.WINS else BigVerdict.STILL_LOST
    return None


def _left_text(plies: tuple[int, int] | None) -> str:
    """Return the plies left after a move, to follow "wins" or "loses"; empty if unknown."""
    return f" {more_plies(plies[0] - 1)}" if plies and plies[0] == plies[1] else ""


def _count_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points or 'no'} points"


@dataclass(frozen=True, repr=False)
class BigReview:
    """The review of a game of the big board, as far as it is done.

    >>> from collapsi.games.big.notation import parse_big_game
    >>> game = parse_big_game("..A.../..3.../..A.../.2rA.../..2b.../...... r big c3")
    >>> *_, last = review_steps(game)
    >>> print(*last.moves)
    1. red c3: the only move
    """

    game: Game[BigState]
    known: dict[int, PositionKnowledge] = field(default_factory=dict)
    """By ply, for the positions analysed so far."""

    @property
    def finished(self) -> bool:
        """Whether every position has been analysed."""
        return len(self.known) >= len(self.game.moves)

    @property
    def moves(self) -> tuple[BigJudgedMove, ...]:
        """Every move whose position has been analysed."""
        return tuple(
            BigJudgedMove(
                ply + 1, before, self.game.moves[ply], self.known[ply], self._bounds_after(ply, after)
            )
            for ply, (before, after) in enumerate(pairwise(self.game.positions))
            if ply in self.known
        )

    def _bounds_after(self, ply: int, after: BigState) -> Bounds | None:
        """Return the bounds of the position after a move, for the player who made the move."""
        before = self.game.positions[ply]
        if len(before.left) > 2:
            return None
        if after.over:
            bounds = Bounds(after.cards_left, after.cards_left)
        else:
            exact = self.known[ply + 1].exact if ply + 1 in self.known else None
            if not isinstance(exact, BigAnalysis):
                return None
            bounds = exact.bounds
        return bounds if after.to_move is before.to_move else -bounds

    @property
    def turning_points(self) -> tuple[BigJudgedMove, ...]:
        """The moves that threw a win or points away."""
        bad = BigVerdict.THREW_AWAY, BigVerdict.FEWER_POINTS
        return tuple(move for move in self.moves if move.verdict in bad)

    def to_json(self) -> json_types.BigReview:
        """Return the review as plain data."""
        return {
            "game": self.game.text,
            "finished": self.finished,
            "plies": len(self.game.moves),
            "moves": [move.to_json() for move in self.moves],
            "turning_points": [move.number for move in self.turning_points],
            "end": big_json(self.game.position),
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self.moves))

    def __repr__(self) -> str:
        return f"BigReview({self.game.text!r})"


def review_steps(
    game: Game[BigState], *, seed: int = 1, table: TranspositionTable | None = None
) -> Iterator[BigReview]:
    """Review a game, finished or not; yield the whole review after each step, each better than the last.

    The caller may stop iterating at any time. Without a `table` the review uses a new one.
    """
    table = table or TranspositionTable(megabytes=MEGABYTES)
    known: dict[int, PositionKnowledge] = {}
    yield BigReview(game, dict(known))
    for ply in reversed(range(len(game.moves))):
        state = game.positions[ply]
        knowledge = PositionKnowledge()
        for answer in _answers(state, seed, table):
            knowledge = knowledge.updated(answer)
            yield BigReview(game, dict(known))
        known[ply] = knowledge
        yield BigReview(game, dict(known))


def _answers(state: BigState, seed: int, table: TranspositionTable) -> Iterator[BigAnswer]:
    """Yield improving answers about one position, without an estimate if it is solved at once."""
    if len(state.left) > len(PAIR):
        yield from answers(state, seed=seed, nodes=NODES_FOR_MORE)
    elif state.cards_left <= FEW_CARDS:
        yield BigAnalysis(state, big_search.solve(state, table=table))
    else:
        yield from answers(state, seed=seed, nodes=NODES_FOR_TWO, table=table)
