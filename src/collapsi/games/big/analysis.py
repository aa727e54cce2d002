"""The analysis of a position of the big board with two players left, for the command line and as JSON.

The exact search takes long, so a `BigAnalysis` has bounds and keeps known and unknown values apart.
`collapsi.games.big.endgame` analyses positions with more players left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

from collapsi.core.drawing import draw
from collapsi.core.players import PAIR, Player
from collapsi.core.state import abbreviate, count_plies
from collapsi.games.analysis import LegalMove, warnings_json
from collapsi.games.big import search as big_search
from collapsi.games.big.search import Bounds, Progress, Win

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.reasons import Reason
    from collapsi.games.big import json_types
    from collapsi.games.big.state import BigState

Points = tuple[int, ...]

MOST_NAMED = 6
"""Most winning and most losing moves that `status` names."""


class Bounded:
    """Mixin: the meaning of the bounds of a position's value, or of a move's, for the side to move."""

    if TYPE_CHECKING:

        @property
        def position(self) -> BigState:
            """The position."""

        @property
        def bounds(self) -> Bounds:
            """The bounds of the value."""

    @property
    def winner(self) -> Player | None:
        """The winner; None if unknown."""
        return winner_of(self.position, self.bounds)

    @property
    def plies(self) -> tuple[int, int] | None:
        """The least and the most plies to the end, including the move; None if the winner is unknown."""
        return plies_of(self.position, self.bounds)

    @property
    def text(self) -> str:
        """The bounds in words."""
        return bounds_text(self.position, self.bounds)


@dataclass(frozen=True, repr=False)
class BigMoveValue(LegalMove["BigState"], Bounded):
    """A legal move with the bounds of its value.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> BigMoveValue(state, 14, Bounds(5, 5)).value, BigMoveValue(state, 14, Bounds(1, 5)).value
    ('+1', '+?')
    >>> BigMoveValue(state, 14, Bounds(-4, 5)).value
    '?'
    """

    bounds: Bounds

    @property
    def wins(self) -> bool | None:
        """Whether the move wins for the side to move; None if unknown."""
        return {Win.WINS: True, Win.LOSES: False, Win.UNKNOWN: None}[self.bounds.win]

    @property
    def value(self) -> str:
        """The value for the mover, in short: `+5` wins in five plies, `-?` loses, `?` is unknown."""
        if self.plies is None:
            return "?"
        known = self.bounds.exact is not None
        return f"{'+' if self.wins else '-'}{self.plies[0] if known else '?'}"


@dataclass(frozen=True, repr=False)
class BigAnalysis(Bounded):
    """The analysis of a position with two players left, or of a finished game.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> analysis = BigAnalysis(state, big_search.solve(state))
    >>> analysis.text, analysis.best
    ('red wins in 1 ply', ('c3',))
    """

    position: BigState
    found: Progress | None
    """The results of the search so far; None if the game is over."""
    line_moves: tuple[int, ...] | None = None
    """Perfect play to the end; empty if the game is over, None if unknown."""

    def __post_init__(self) -> None:
        if self.found is None:
            object.__setattr__(self, "line_moves", ())

    @property
    def line(self) -> tuple[str, ...] | None:
        """Perfect play to the end in our notation; None if unknown."""
        return None if self.line_moves is None else self.position.line_text(self.line_moves)

    @property
    def status(self) -> str:
        """How far the search is, in one line."""
        if self.found is None or self.line_moves is not None:
            return "solved"
        found, state = self.found, self.position
        what = "perfect play" if found.settling is None else f"settling {state.move_text(found.settling)}"
        parts = [what, f"{found.nodes:,} nodes"]
        for kind in (Win.WINS, Win.LOSES):
            names = [state.move_text(move) for move, bounds in found.moves.items() if bounds.win is kind]
            if names:
                parts.append(f"{kind.value}: {' '.join(abbreviate(names, MOST_NAMED))}")
        exact = sum(bounds.exact is not None for bounds in found.moves.values())
        return ", ".join([*parts, f"{exact} of {len(found.moves)} moves exact"])

    @property
    def bounds(self) -> Bounds:
        """The bounds of the position's value for the side to move."""
        if self.found is None:  # the last player left is the side to move, and has won
            return Bounds(self.position.cards_left, self.position.cards_left)
        return self.found.bounds

    @property
    def finished(self) -> bool:
        """Whether everything that was searched for is known."""
        return self.found is None or self.found.finished

    @property
    def known(self) -> Literal["all", "winner", "nothing"]:
        """What is known of the position: the winner and the number of plies, only the winner, or nothing."""
        if self.bounds.exact is not None:
            return "all"
        return "nothing" if self.bounds.win is Win.UNKNOWN else "winner"

    @cached_property
    def moves(self) -> tuple[BigMoveValue, ...]:
        """Every legal move: wins, soonest first; then unknown ones; then losses, latest first."""
        known = self.found.moves if self.found else {}
        order = {Win.WINS: 0, Win.UNKNOWN: 1, Win.LOSES: 2}
        moves = (BigMoveValue(self.position, move, bounds) for move, bounds in known.items())
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
        """The best moves, in the order of `moves`; empty as long as they are unknown."""
        exact = self.bounds.exact
        return tuple(move.name for move in self.moves if exact is not None and move.bounds.exact == exact)

    @property
    def score(self) -> int | None:
        """In the game for two, the cards left at the end, negative if blue wins; None if unknown."""
        exact = self.bounds.exact
        if exact is None or self.position.rules.players != len(PAIR):
            return None
        return exact if self.position.to_move is Player.RED else -exact

    @property
    def points(self) -> Points | None:
        """The points of each player for the round, which depend only on the winner; None if unknown."""
        if self.found is None:
            return self.position.points
        if self.winner is None:
            return None
        loser = next(player for player in self.position.left if player is not self.winner)
        order = (*self.position.out, loser, self.winner)
        return tuple(order.index(player) for player in self.position.rules.seats)

    @property
    def caption(self) -> str:
        """The answer in a few words, for a picture."""
        return f"{self.position.turn}, {self.text}" if self.found else self.position.turn

    @property
    def so_far(self) -> str | None:
        """How far the search is, in words; None if it is finished."""
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
        return self.position.faults

    def to_json(self) -> json_types.BigSolved:
        """Return the analysis as plain data; unknown values are null."""
        return {
            **big_json(self.position),
            "known": self.known,
            "finished": self.finished,
            "nodes": self.found.nodes if self.found else 0,
            "winner": None if self.winner is None else seat_json(self.winner),
            **plies_json(self.plies),
            "score": self.score,
            "points": None if self.points is None else points_json(self.position, self.points),
            "best": list(self.best),
            "line": None if self.line is None else list(self.line),
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
        lines = [str(self.position), *self.notes]
        wide = max((len(move.text) for move in self.moves), default=0)
        lines += [
            f"{move.name:<4}{move.value:>4}  {move.text:<{wide}}  {' '.join(move.path)}"
            for move in self.moves
        ]
        if self.line:
            lines.append(f"perfect play: {' '.join(self.line)}")
        return "\n".join(lines)

    @property
    def notes(self) -> list[str]:
        """The lines below the board: bounds, points, progress of the search, warnings."""
        score = "" if self.score is None else f"score {self.score:+}"
        if self.found is None:
            points = points_text(self.position, cast("Points", self.points))
            lines = [f"{score} ({points})" if score else points]
        else:
            lines = [f"{self.text} ({score})" if score else self.text]
            if self.points is not None and self.position.rules.players != len(PAIR):
                lines.append(points_text(self.position, self.points))
        if self.so_far is not None:
            lines.append(self.so_far)
        return [*lines, *(f"warning: {reason}" for reason in self.warnings)]

    def __repr__(self) -> str:
        return f"BigAnalysis({self.position.text!r}: {self.text})"

    def _repr_svg_(self) -> str:
        return draw("svg.draw_analysis", self)


def winner_of(state: BigState, bounds: Bounds) -> Player | None:
    """Return the winner, with two players left; None if unknown."""
    if bounds.win is Win.UNKNOWN:
        return None
    if bounds.win is Win.WINS:
        return state.to_move
    return next(player for player in state.left if player is not state.to_move)


def plies_of(state: BigState, bounds: Bounds) -> tuple[int, int] | None:
    """Return the least and the most plies to the end (each collapses a card); None without a winner."""
    if bounds.win is Win.UNKNOWN:
        return None
    least, most = sorted(map(abs, (bounds.lower, bounds.upper)))
    return state.cards_left - most, state.cards_left - least


def bounds_text(state: BigState, bounds: Bounds) -> str:
    """Return bounds in words.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> bounds_text(state, Bounds(-3, 5)), bounds_text(state, Bounds(-3, -2))
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


def finding_line(state: BigState, answer: Progress) -> Iterator[tuple[int, ...] | None]:
    """Find perfect play from a solved position; yield None after each slice of the search, then the line.

    Among equally good moves it takes the first in reading order. After the first move the position is
    searched again; most of it is in the transposition table.
    """
    value = answer.bounds.exact
    assert value is not None  # the position is solved
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
            raise AssertionError  # the value of a position is that of its best move
    yield tuple(moves)


def _is_worth(state: BigState, move: int, value: int) -> Iterator[bool | None]:
    """Search whether a move has at least this value; yield None after each slice, then the answer.

    Between slices the shared table is unlocked.
    """
    table = big_search.TABLE
    with table.lock:
        search = big_search.Search(state, table=table).ask(move, value)
    found = None
    while found is None:
        with table.lock:
            found = next(search)
        yield None if found is None else found >= value


def points_text(state: BigState, points: Points) -> str:
    """Return points in words: `red 2, blue 0, green 1`."""
    return ", ".join(f"{player} {points[player]}" for player in state.rules.seats)


def big_json(state: BigState) -> json_types.OfBigState:
    """Return the fields that every answer about the big board begins with."""
    return {
        "position": state.text,
        "rules": str(state.rules),
        "to_move": seat_json(state.to_move),
        "out": [seat_json(player) for player in state.out],
    }


def plies_json(plies: tuple[int, int] | None) -> json_types.PliesKnown:
    """Return a number of plies as plain data: the number, its bounds, or null."""
    if plies is None:
        return {"plies": None, "plies_at_least": None, "plies_at_most": None}
    least, most = plies
    return {"plies": least if least == most else None, "plies_at_least": least, "plies_at_most": most}


def points_json(state: BigState, points: Points) -> json_types.PointsBySeat:
    """Return the points of each player as plain data."""
    return cast("json_types.PointsBySeat", {str(player): points[player] for player in state.rules.seats})


def seat_json(player: Player) -> json_types.Seat:
    """Return a player as plain data."""
    return cast("json_types.Seat", str(player))
