"""What is known of a position of the big board, as one object that command line and JSON show.

With two players left (`CrowdAnalysis`) everything can be known, but not at once: so it tells what is known
and what is not known yet, and never takes one for the other. With more left: `collapsi.games.crowd_endgame`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

from collapsi.analysis import warnings_json
from collapsi.rules import PAIR, Player
from collapsi.solve import crowd_search
from collapsi.solve.crowd_search import Answer, Bounds, Progress, Win
from collapsi.state import count_plies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi import json_shapes
    from collapsi.faults import Reason
    from collapsi.games.crowd import Crowd

Points = tuple[int, ...]


@dataclass(frozen=True)
class CrowdMove:
    """A legal move and what is known of it.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> CrowdMove(state, 14, Bounds(5, 5)).value, CrowdMove(state, 14, Bounds(1, 5)).value
    ('+1', '+?')
    >>> CrowdMove(state, 14, Bounds(-4, 5)).value
    '?'
    """

    state: Crowd
    move: int
    bounds: Bounds

    @property
    def name(self) -> str:
        """The move as it is written."""
        return self.state.move_text(self.move)

    @property
    def cell(self) -> int:
        """The cell where it ends."""
        return self.state.end(self.move)

    @property
    def wins(self) -> bool | None:
        """Whether the side that moves wins with it; None if that is not known yet."""
        return {Win.WINS: True, Win.LOSES: False, Win.UNKNOWN: None}[self.bounds.win]

    @property
    def winner(self) -> Player | None:
        """Who wins after it, if that is known."""
        return winner_of(self.state, self.bounds)

    @property
    def plies(self) -> tuple[int, int] | None:
        """Between which numbers of plies it is over, this move counted; None if the winner is not known."""
        return plies_of(self.state, self.bounds)

    @property
    def path(self) -> tuple[str, ...]:
        """The squares of the walk, start and end included."""
        return tuple(map(self.state.board.square, self.state.path(self.move)))

    @property
    def value(self) -> str:
        """Short, from the mover's view: `+5` wins in five plies, `-?` loses, `?` is not known yet."""
        if self.plies is None:
            return "?"
        known = self.bounds.exact is not None
        return f"{'+' if self.wins else '-'}{self.plies[0] if known else '?'}"

    @property
    def text(self) -> str:
        """What is known of it, in words."""
        return say_bounds(self.state, self.bounds)


@dataclass(frozen=True, repr=False)
class CrowdAnalysis:
    """What is known of a position with two players left, or of a game that is over.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> analysis = analyse_crowd(parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big"))
    >>> analysis.text, analysis.best
    ('red wins in 1 ply', ('c3',))
    """

    state: Crowd
    found: Progress | None
    """What the search has learned; None where nothing is to be learned, because the game is over."""
    line: tuple[int, ...] | None = None
    """Perfect play to the end, if it is known."""
    winner_only: bool = False
    """Whether nothing but the winner was asked for."""

    @property
    def position(self) -> Crowd:
        """As other analyses call it."""
        return self.state

    @property
    def bounds(self) -> Bounds:
        """What is known of the position, for the side to move."""
        if self.found is None:  # who is left has won, and it is their turn
            return Bounds(self.state.cards_left, self.state.cards_left)
        return self.found.bounds

    @property
    def finished(self) -> bool:
        """Whether all that was asked is known."""
        if self.found is None:
            return True
        return self.bounds.win is not Win.UNKNOWN if self.winner_only else self.found.exact

    @property
    def known(self) -> Literal["all", "winner", "nothing"]:
        """Of the position: who wins and how soon, only who, or neither yet."""
        if self.bounds.exact is not None:
            return "all"
        return "nothing" if self.bounds.win is Win.UNKNOWN else "winner"

    @cached_property
    def moves(self) -> tuple[CrowdMove, ...]:
        """Every legal move: those that win, soonest first; those not known; those that lose, latest first."""
        known = self.found.moves if self.found else {}
        order = {Win.WINS: 0, Win.UNKNOWN: 1, Win.LOSES: 2}
        moves = (CrowdMove(self.state, move, bounds) for move, bounds in known.items())
        return tuple(
            sorted(
                moves,
                key=lambda one: (
                    order[one.bounds.win],
                    -one.bounds.lower,
                    -one.bounds.upper,
                    one.move,
                ),
            )
        )

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that are known to be best; none as long as it is not known which these are."""
        exact = self.bounds.exact
        return tuple(
            sorted(move.name for move in self.moves if exact is not None and move.bounds.exact == exact)
        )

    @property
    def winner(self) -> Player | None:
        """Who wins, if that is known."""
        return winner_of(self.state, self.bounds)

    @property
    def plies(self) -> tuple[int, int] | None:
        """Between which numbers of plies it is over; None if the winner is not known."""
        return plies_of(self.state, self.bounds)

    @property
    def score(self) -> int | None:
        """In the game for two, cards left at the end, negative if blue wins; None if that is not known."""
        exact = self.bounds.exact
        if exact is None or self.state.rules.players != len(PAIR):
            return None
        return exact if self.state.to_move is Player.RED else -exact

    @property
    def points(self) -> Points | None:
        """What the round is worth to each player, which the winner settles; None if that is not known."""
        if self.found is None:
            return self.state.points
        if self.winner is None:
            return None
        loser = next(player for player in self.state.left if player is not self.winner)
        order = (*self.state.out, loser, self.winner)
        return tuple(order.index(player) for player in self.state.rules.seats)

    @property
    def text(self) -> str:
        """What is known of it, in words."""
        return say_bounds(self.state, self.bounds)

    @property
    def caption(self) -> str:
        """The answer in a few words, to stand under a picture."""
        return f"{self.state.turn}, {self.text}" if self.found else self.state.turn

    @property
    def so_far(self) -> str | None:
        """How far it came, if not all is known that was asked."""
        if self.finished or self.found is None:
            return None
        wins = [move.name for move in self.moves if move.wins]
        loses = [move.name for move in self.moves if move.wins is False]
        open_ = [move.name for move in self.moves if move.bounds.exact is None]
        return (
            f"stopped after {self.found.nodes:,} nodes, before all was known: "
            f"{len(wins)} of {len(self.moves)} moves are known to win, {len(loses)} to lose; "
            f"not settled: {' '.join(sorted(open_))}"
        )

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """Reasons why the position cannot arise in play."""
        return self.state.faults

    def to_json(self) -> json_shapes.CrowdSolved:
        """The analysis as plain data; what is not known yet is null."""
        return {
            **crowd_json(self.state),
            "known": self.known,
            "finished": self.finished,
            "nodes": self.found.nodes if self.found else 0,
            "winner": None if self.winner is None else seat_json(self.winner),
            **plies_json(self.plies),
            "score": self.score,
            "points": None if self.points is None else points_json(self.state, self.points),
            "best": list(self.best),
            "line": None if self.line is None else list(self.state.line_text(self.line)),
            "moves": [
                {
                    "move": move.name,
                    "to": move.name,
                    "path": list(move.path),
                    "wins": move.wins,
                    "winner": None if move.winner is None else seat_json(move.winner),
                    **plies_json(move.plies),
                }
                for move in self.moves
            ],
            **warnings_json(self.warnings),
        }

    def __str__(self) -> str:
        lines = [str(self.state), *self.notes]
        wide = max((len(move.text) for move in self.moves), default=0)
        lines += [
            f"{move.name:<4}{move.value:>4}  {move.text:<{wide}}  {' '.join(move.path)}"
            for move in self.moves
        ]
        if self.line:
            lines.append(f"perfect play: {' '.join(self.state.line_text(self.line))}")
        return "\n".join(lines)

    @property
    def notes(self) -> list[str]:
        """What is said under the board: the bounds, points, how far it came, warnings."""
        score = "" if self.score is None else f"score {self.score:+}"
        if self.found is None:
            points = points_text(self.state, cast("Points", self.points))
            lines = [f"{score} ({points})" if score else points]
        else:
            lines = [f"{self.text} ({score})" if score else self.text]
            if self.points is not None and self.state.rules.players != len(PAIR):
                lines.append(points_text(self.state, self.points))
        if self.so_far is not None:
            lines.append(self.so_far)
        return [*lines, *(f"warning: {reason}" for reason in self.warnings)]

    def __repr__(self) -> str:
        return f"CrowdAnalysis({self.state.text!r}: {self.text})"

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_analysis

        return draw_analysis(self)


def winner_of(state: Crowd, bounds: Bounds) -> Player | None:
    """Who wins, of the two who are left, if that is known."""
    if bounds.win is Win.UNKNOWN:
        return None
    if bounds.win is Win.WINS:
        return state.to_move
    return next(player for player in state.left if player is not state.to_move)


def plies_of(state: Crowd, bounds: Bounds) -> tuple[int, int] | None:
    """Between which numbers of plies it is over: every ply collapses a card; None without a winner."""
    if bounds.win is Win.UNKNOWN:
        return None
    least, most = sorted(map(abs, (bounds.lower, bounds.upper)))
    return state.cards_left - most, state.cards_left - least


def say_bounds(state: Crowd, bounds: Bounds) -> str:
    """What is known, in words.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> say_bounds(state, Bounds(-3, 5)), say_bounds(state, Bounds(-3, -2))
    ('not known yet', 'blue wins, not known yet how soon (3 to 4 plies)')
    """
    winner, plies = winner_of(state, bounds), plies_of(state, bounds)
    if winner is None or plies is None:
        return "not known yet"
    if plies == (0, 0):
        return f"{winner} has won"
    if plies[0] == plies[1]:
        return f"{winner} wins in {count_plies(plies[0])}"
    return f"{winner} wins, not known yet how soon ({plies[0]} to {plies[1]} plies)"


def nothing_known(state: Crowd) -> Progress:
    """How far a search is before it has begun."""
    cards = state.cards_left
    return Progress(dict.fromkeys(state.moves, Bounds(2 - cards, cards - 1)), None, 0, 0.0)


def analyse_crowd(
    state: Crowd,
    *,
    winner_only: bool = False,
    seconds: float | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
) -> CrowdAnalysis:
    """Solve a position with two players left; stopped after some seconds, or when `progress` returns False.

    Perfect play is found too, if the time allows.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> state.line_text(analyse_crowd(state).line or ())
    ('c3',)
    """
    if state.over:
        return CrowdAnalysis(state, None)
    began = time.monotonic()
    answer = crowd_search.solve(state, winner_only=winner_only, seconds=seconds, progress=progress)
    line = None
    if answer.exact:
        until = None if seconds is None else began + seconds
        line = perfect_line(state, answer, stopped=lambda: _is_over(until, answer, progress))
    return CrowdAnalysis(state, answer, line, winner_only)


def _is_over(until: float | None, answer: Answer, progress: Callable[[Progress], bool | None] | None) -> bool:
    out_of_time = until is not None and time.monotonic() >= until
    return out_of_time or (progress is not None and progress(answer) is False)


def perfect_line(
    state: Crowd, answer: Progress, *, stopped: Callable[[], bool] = lambda: False
) -> tuple[int, ...] | None:
    """Perfect play from a solved position, the first best move in reading order; None if stopped."""
    for line in finding_line(state, answer):
        if line is not None:
            return line
        if stopped():
            break
    return None


def finding_line(state: Crowd, answer: Progress) -> Iterator[tuple[int, ...] | None]:
    """Perfect play as `perfect_line`, bit by bit: None again and again, then the line.

    What is best after the first move is asked of the search again, whose table knows most of it.
    """
    value = answer.bounds.exact
    assert value is not None  # it is solved
    moves = [next(move for move in state.moves if answer.moves[move].exact == value)]
    state = state.play(moves[0])
    while not state.over:
        value = -value
        for move in state.moves:
            worth = None
            for worth in _is_worth(state, move, value):
                if worth is None:
                    yield None
            if worth:
                moves.append(move)
                state = state.play(move)
                break
        else:
            raise AssertionError  # a position is worth what its best move is
    yield tuple(moves)


def _is_worth(state: Crowd, move: int, value: int) -> Iterator[bool | None]:
    """Whether a move is worth so much to the side to move, after None for each slice of the search.

    In between others may use the room.
    """
    room = crowd_search.ROOM
    with room.lock:
        asking = crowd_search.Search(state, room=room).ask(move, value)
    found = None
    while found is None:
        with room.lock:
            found = next(asking)
        yield None if found is None else found >= value


def points_text(state: Crowd, points: Points) -> str:
    """Points in words: `red 2, blue 0, green 1`."""
    return ", ".join(f"{player} {points[player]}" for player in state.rules.seats)


def crowd_json(state: Crowd) -> json_shapes.OfCrowd:
    """What every answer about a position of the big board begins with, as plain data."""
    return {
        "position": state.text,
        "rules": str(state.rules),
        "to_move": seat_json(state.to_move),
        "out": [seat_json(player) for player in state.out],
    }


def plies_json(plies: tuple[int, int] | None) -> json_shapes.CrowdPlies:
    """A number of plies as plain data: known, or between which two, or nothing."""
    if plies is None:
        return {"plies": None, "plies_at_least": None, "plies_at_most": None}
    least, most = plies
    return {"plies": least if least == most else None, "plies_at_least": least, "plies_at_most": most}


def points_json(state: Crowd, points: Points) -> json_shapes.CrowdPoints:
    """The points of each player as plain data."""
    return cast("json_shapes.CrowdPoints", {str(player): points[player] for player in state.rules.seats})


def seat_json(player: Player) -> json_shapes.Seat:
    """A player as plain data."""
    return cast("json_shapes.Seat", str(player))
