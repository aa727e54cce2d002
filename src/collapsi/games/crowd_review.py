"""A game of the big board looked back on: a verdict on every move where it is known, an estimate where not.

The last position is looked at first: what is learned of it helps with those before. Two players left are
solved as far as the nodes allow, endgames of more are judged, and of what is left the engine says what it
thinks. A verdict is only ever given by exact knowledge; an estimate is none, and says what it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from collapsi.games.crowd_analysis import CrowdAnalysis, crowd_json, plies_of, seat_json
from collapsi.games.crowd_endgame import EndgameAnalysis
from collapsi.games.crowd_engine import MEGABYTES, Estimate, about, think
from collapsi.rules import PAIR
from collapsi.solve import crowd_search
from collapsi.solve.crowd_search import FEW_CARDS, Bounds, Room, Win
from collapsi.state import count_plies, few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import json_shapes
    from collapsi.game import Game
    from collapsi.games.crowd import Crowd
    from collapsi.games.crowd_engine import Thought
    from collapsi.rules import Player

NODES_FOR_TWO = 4_000_000
"""Nodes of the exact search for each position with two players left: some seconds."""

NODES_FOR_MORE = 400_000
"""Positions that the engine looks at for each position with more left: some tenths of a second."""

MOST_NAMED = 4
"""Better moves that are named one by one."""

Exactly: TypeAlias = CrowdAnalysis | EndgameAnalysis


class CrowdVerdict(StrEnum):
    """How good a move was, where that is known."""

    ONLY = "only move"
    BEST = "best"
    KEPT_WIN = "kept the win"
    SLOWER_WIN = "slower win"
    STILL_LOST = "was lost"
    FASTER_LOSS = "faster loss"
    FEWER_POINTS = "fewer points"
    THREW_AWAY = "threw the win away"


class Sureness(StrEnum):
    """What a word on a move rests on."""

    EXACT = "exact"
    TIES = "exact under the rule for ties"
    ESTIMATE = "estimate"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class Looked:
    """What was found out about one position: exactly, and what the engine thinks."""

    exact: Exactly | None = None
    estimate: Estimate | None = None

    def with_thought(self, thought: Exactly | Estimate) -> Looked:
        """With one more answer of the engine, better than the last of its type."""
        if isinstance(thought, Estimate):
            return Looked(self.exact, thought)
        return Looked(thought, self.estimate)


@dataclass(frozen=True)
class CrowdJudged:
    """A move of a game, and what can be said of it."""

    number: int
    state: Crowd
    """Before the move."""
    move: int
    looked: Looked
    """At the position before the move."""
    learned: Bounds | None = None
    """With two players left, what the positions after it tell of the move."""

    @property
    def player(self) -> Player:
        """Whose move it was."""
        return self.state.to_move

    @property
    def name(self) -> str:
        """The move as it is written."""
        return self.state.move_text(self.move)

    @property
    def sureness(self) -> Sureness:
        """What is said of it rests on this."""
        exact = self.looked.exact
        if self.verdict is not None:
            return (
                Sureness.TIES if isinstance(exact, EndgameAnalysis) and not self._untied else Sureness.EXACT
            )
        return Sureness.UNKNOWN if self.looked.estimate is None else Sureness.ESTIMATE

    @property
    def _untied(self) -> bool:
        """Whether no rule for ties has a say in the points of the position and of the move."""
        exact = self.looked.exact
        if len(self.state.moves) == 1:
            return True
        assert isinstance(exact, EndgameAnalysis)  # asked of those only
        points, secures = exact.by_move[self.move]
        return exact.exact and points[self.player] == secures

    @property
    def bounds(self) -> tuple[Bounds, Bounds] | None:
        """With two players left: what is known of the position and of the move, for its player."""
        exact = self.looked.exact
        if not isinstance(exact, CrowdAnalysis) or exact.found is None:
            return None
        known = dict(exact.found.moves)
        if self.learned is not None:
            mine = known[self.move]
            known[self.move] = Bounds(
                max(mine.lower, self.learned.lower), min(mine.upper, self.learned.upper)
            )
        best = Bounds(max(one.lower for one in known.values()), max(one.upper for one in known.values()))
        return best, known[self.move]

    @property
    def verdict(self) -> CrowdVerdict | None:
        """How good it was; None if that is not known."""
        if len(self.state.moves) == 1:
            return CrowdVerdict.ONLY
        exact = self.looked.exact
        if isinstance(exact, EndgameAnalysis):
            most = max(points[self.player] for points, _ in exact.by_move.values())
            mine = exact.by_move[self.move][0][self.player]
            return CrowdVerdict.BEST if mine == most else CrowdVerdict.FEWER_POINTS
        return None if self.bounds is None else _verdict(*self.bounds)

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that are known to be best, or to win where no more is known; none if nothing is known."""
        exact = self.looked.exact
        if isinstance(exact, EndgameAnalysis):
            return exact.best
        if exact is None:
            return ()
        return exact.best or tuple(sorted(move.name for move in exact.moves if move.wins))

    @property
    def text(self) -> str:
        """What is said of it, in words."""
        exact, estimate = self.looked.exact, self.looked.estimate
        if self.verdict is CrowdVerdict.ONLY:
            return "the only move"
        if isinstance(exact, EndgameAnalysis):
            return self._points_text(exact)
        if self.verdict is not None:
            return self._verdict_text(self.verdict)
        if estimate is None:
            return "not known"
        mine = about(estimate.by_move[self.move].points[self.player])
        if self.name in estimate.best:
            return f"{mine}: the engine's choice too"
        choice, found = estimate.moves[0]
        return (
            f"{mine}; the engine goes to {self.state.move_text(choice)}: {about(found.points[self.player])}"
        )

    def _points_text(self, exact: EndgameAnalysis) -> str:
        points = exact.by_move[self.move][0][self.player]
        most = max(points[self.player] for points, _ in exact.by_move.values())
        if points == most:
            return f"the best: leads to {_count_points(points)}"
        return f"leads to {_count_points(points)}; {self._better} to {_count_points(most)}"

    def _verdict_text(self, verdict: CrowdVerdict) -> str:
        assert self.bounds is not None  # without, there is no verdict with two players left
        best, mine = self.bounds
        here, there = (plies_of(self.state, bounds) for bounds in (mine, best))
        match verdict:
            case CrowdVerdict.BEST:
                wins = best.win is Win.WINS
                how = f"wins{_plies_text('in', here)}" if wins else f"holds out{_plies_text('for', here)}"
                return f"the best: {how}"
            case CrowdVerdict.KEPT_WIN:
                return "keeps the win; whether it is the quickest is not known"
            case CrowdVerdict.SLOWER_WIN:
                return f"still wins,{_plies_text('in', here)}; {self._better} wins{_plies_text('in', there)}"
            case CrowdVerdict.STILL_LOST:
                return "every move loses; whether this holds out longest is not known"
            case CrowdVerdict.FASTER_LOSS:
                longest = f"{self._better} holds out{_plies_text('for', there)}"
                return f"loses{_plies_text('in', here)}; {longest}"
            case _:
                return f"throws the win away; {self._better} wins{_plies_text('in', there)}"

    @property
    def _better(self) -> str:
        return " or ".join(few(self.best, MOST_NAMED))

    def __str__(self) -> str:
        return f"{self.number}. {self.player} {self.name}: {self.text}"

    def to_json(self) -> json_shapes.CrowdMoveReviewed | json_shapes.CrowdMoveGuessed:
        """What is said of it as plain data: a verdict and an estimate have different shapes."""
        said: json_shapes.CrowdMoveLooked = {
            "number": self.number,
            "player": seat_json(self.player),
            "move": self.name,
            "to": self.name,
            "text": self.text,
        }
        estimate = self.looked.estimate
        if self.verdict is None and estimate is not None:
            return {
                **said,
                "estimate": True,
                "expected": round(estimate.by_move[self.move].points[self.player], 4),
                "choice": estimate.best[0],
                "choice_expected": round(estimate.moves[0][1].points[self.player], 4),
            }
        return {**said, "sureness": self.sureness, "verdict": self.verdict, "best": list(self.best)}


def _verdict(best: Bounds, mine: Bounds) -> CrowdVerdict | None:
    """From what is known of a position with two players left, and of the move played there."""
    if best.exact is not None and mine.exact is not None:
        if mine.exact == best.exact:
            return CrowdVerdict.BEST
        if mine.win is Win.WINS:
            return CrowdVerdict.SLOWER_WIN
        return CrowdVerdict.THREW_AWAY if best.win is Win.WINS else CrowdVerdict.FASTER_LOSS
    if mine.win is Win.WINS:
        return CrowdVerdict.KEPT_WIN
    if mine.win is Win.LOSES and best.win is not Win.UNKNOWN:
        return CrowdVerdict.THREW_AWAY if best.win is Win.WINS else CrowdVerdict.STILL_LOST
    return None


def _plies_text(how: str, plies: tuple[int, int] | None) -> str:
    """How long it takes, after "wins" or "holds out"; nothing where that is not known."""
    return f" {how} {count_plies(plies[0])}" if plies and plies[0] == plies[1] else ""


def _count_points(points: int) -> str:
    return "1 point" if points == 1 else f"{points or 'no'} points"


@dataclass(frozen=True, repr=False)
class CrowdReview:
    """A game of the big board, and what is known of its moves so far.

    >>> from collapsi.games.crowd_notation import parse_crowd_game
    >>> game = parse_crowd_game("..A.../..3.../..A.../.2rA.../..2b.../...... r big c3")
    >>> print(*review_crowd(game).moves)
    1. red c3: the only move
    """

    game: Game[Crowd]
    looked: dict[int, Looked] = field(default_factory=dict)
    """By ply: what was found out about the position there; those not looked at yet are not there."""

    @property
    def finished(self) -> bool:
        """Whether every position has been looked at."""
        return len(self.looked) >= len(self.game.moves)

    @property
    def moves(self) -> tuple[CrowdJudged, ...]:
        """Every move that has been looked at."""
        return tuple(
            CrowdJudged(ply + 1, before, self.game.moves[ply], self.looked[ply], self._learned(ply, after))
            for ply, (before, after) in enumerate(pairwise(self.game.positions))
            if ply in self.looked
        )

    def _learned(self, ply: int, after: Crowd) -> Bounds | None:
        """What the position after a move tells of it, for who made the move."""
        before = self.game.positions[ply]
        if len(before.left) > 2:
            return None
        if after.over:
            known = Bounds(after.cards_left, after.cards_left)
        else:
            exact = self.looked[ply + 1].exact if ply + 1 in self.looked else None
            if not isinstance(exact, CrowdAnalysis):
                return None
            known = exact.bounds
        return known if after.to_move is before.to_move else -known

    @property
    def turning_points(self) -> tuple[CrowdJudged, ...]:
        """The moves that are known to have thrown a win or points away."""
        bad = CrowdVerdict.THREW_AWAY, CrowdVerdict.FEWER_POINTS
        return tuple(move for move in self.moves if move.verdict in bad)

    def to_json(self) -> json_shapes.CrowdReview:
        """The review as plain data."""
        return {
            "game": self.game.text,
            "finished": self.finished,
            "plies": len(self.game.moves),
            "moves": [move.to_json() for move in self.moves],
            "turning_points": [move.number for move in self.turning_points],
            "end": crowd_json(self.game.position),
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self.moves))

    def __repr__(self) -> str:
        return f"CrowdReview({self.game.text!r})"


def review_steps(
    game: Game[Crowd],
    *,
    seed: int = 1,
    for_two: int = NODES_FOR_TWO,
    for_more: int = NODES_FOR_MORE,
    room: Room | None = None,
) -> Iterator[CrowdReview]:
    """Look back on a game, finished or not: again and again the whole review, each better than the last.

    Who wants to stop it stops asking. What is learned of a position is used for those before it, in the
    `room`, or in one of its own.
    """
    room = room or Room(megabytes=MEGABYTES)
    looked: dict[int, Looked] = {}
    yield CrowdReview(game, dict(looked))
    for ply in reversed(range(len(game.moves))):
        state = game.positions[ply]
        found = Looked()
        for thought in _thoughts(state, seed, for_two, for_more, room):
            found = found.with_thought(thought)
            yield CrowdReview(game, dict(looked))
        looked[ply] = found
        yield CrowdReview(game, dict(looked))


def _thoughts(state: Crowd, seed: int, for_two: int, for_more: int, room: Room) -> Iterator[Thought]:
    """Better and better answers about one position; what is solved at once is not estimated before."""
    if len(state.left) > len(PAIR):
        yield from think(state, seed=seed, nodes=for_more)
    elif state.cards_left <= FEW_CARDS:
        yield CrowdAnalysis(state, crowd_search.solve(state, room=room))
    else:
        yield from think(state, seed=seed, nodes=for_two, room=room)


def review_crowd(
    game: Game[Crowd], *, seed: int = 1, for_two: int = NODES_FOR_TWO, for_more: int = NODES_FOR_MORE
) -> CrowdReview:
    """Look back on a game to the end: `review_steps` has what is known on the way."""
    *_, last = review_steps(game, seed=seed, for_two=for_two, for_more=for_more)
    return last
