"""A solved position of a game for two as one object, `Analysis`.

The library, command line, API and page all present this object. It is built from a state and its `Solution`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, cast

from collapsi.core.cached import cached_property
from collapsi.core.drawing import draw
from collapsi.core.game import Game
from collapsi.core.state import DuelT, StateT
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.players import Player
    from collapsi.core.reasons import Reason
    from collapsi.core.state import Duel, Outcome, State
    from collapsi.games import json_types
    from collapsi.solving.solution import Solution


class HasOutcome(Protocol):
    """Mixin with shortcuts to the fields of `outcome`."""

    if TYPE_CHECKING:  # a field or a property of the subclass

        @property
        def outcome(self) -> Outcome:
            """The outcome under perfect play."""

    @property
    def winner(self) -> Player:
        """The winner under perfect play."""
        return self.outcome.winner

    @property
    def plies(self) -> int:
        """The number of plies of perfect play."""
        return self.outcome.plies

    @property
    def score(self) -> int:
        """Cards face up at the end of perfect play, negative if blue wins."""
        return self.outcome.score


@dataclass(frozen=True, repr=False)
class LegalMove(Generic[StateT]):
    """A legal move of an analysed position. Each kind of answer adds the value."""

    position: StateT
    move: int

    def __index__(self) -> int:
        """Return the number of the move, so that `play` accepts the object."""
        return self.move

    @property
    def name(self) -> str:
        """The move in notation."""
        return self.position.move_text(self.move)

    @property
    def cell(self) -> int:
        """The end cell."""
        return self.position.end(self.move)

    @property
    def to(self) -> str:
        """The end square."""
        return self.position.board.square(self.cell)

    @property
    def path(self) -> tuple[str, ...]:
        """The squares of the walk, start and end included."""
        return tuple(map(self.position.board.square, self.position.path(self.move)))


@dataclass(frozen=True, repr=False)
class MoveValue(LegalMove[DuelT], HasOutcome):
    """A legal move and its outcome under perfect play."""

    outcome: Outcome
    """Counts this move as the first ply."""

    @property
    def shift(self) -> str | None:
        """The shift in notation; None if the board does not shift."""
        return self.position.shift(self.move)

    @property
    def wins(self) -> bool:
        """Whether the move wins for the side that plays it."""
        return self.outcome.winner is self.position.to_move

    @property
    def value(self) -> str:
        """The value for the side to move: `+5` wins in five plies, `-4` loses in four."""
        return f"{'+' if self.wins else '-'}{self.outcome.plies}"

    def __repr__(self) -> str:
        return f"MoveValue({self.name!r}: {self.outcome})"


@dataclass(frozen=True, repr=False)
class Analysis(HasOutcome, Generic[DuelT]):
    """A solved position.

    >>> import collapsi
    >>> analysis = collapsi.analyse("A223/4A2Jr/3A23/Jb3A4 r")
    >>> str(analysis.outcome), analysis.score, analysis.best
    ('red wins in 13 plies', 3, ('a2',))
    >>> [(move.to, move.value) for move in analysis.moves]
    [('a2', '+13'), ('d1', '-12'), ('c2', '-12'), ('d3', '-12')]
    """

    position: DuelT
    solution: Solution
    from_deal: bool = field(default=False, compare=False)
    """Whether the position was played from a legal deal, so that no faults need to be searched."""

    @cached_property
    def moves(self) -> tuple[MoveValue[DuelT], ...]:
        """Every legal move with its value, best first; ties are in reading order."""
        values, position = self.solution.values, self.position
        moves = [move for move, value in enumerate(values) if value]
        moves.sort(key=lambda move: -values[move])
        return tuple(MoveValue(position, move, position.outcome(values[move])) for move in moves)

    @cached_property
    def outcome(self) -> Outcome:
        """The winner, the plies left and the score."""
        values = [value for value in self.solution.values if value]
        return self.position.outcome(max(values) if values else points_ahead(self.position))

    @cached_property
    def best(self) -> tuple[str, ...]:
        """All best moves, in notation."""
        values = self.solution.values
        most = max((value for value in values if value), default=None)
        return tuple(self.position.move_text(move) for move, value in enumerate(values) if value == most)

    @cached_property
    def line(self) -> tuple[str, ...]:
        """Perfect play to the end; ties are broken in reading order."""
        return self.position.line_text(self.solution.line)

    @property
    def line_of_play(self) -> Game[DuelT]:
        """Perfect play as a game, with all its positions."""
        return Game.start(self.position, self.solution.line)

    @cached_property
    def warnings(self) -> tuple[Reason, ...]:
        """The reasons why the position cannot arise in play."""
        return () if self.from_deal else self.position.faults

    @cached_property
    def games(self) -> int:
        """The number of possible games from this position."""
        return next(iter(kind_of(self.position).solver.count_games([self.position])))

    finished = True
    """Every value is exact: no better answer follows."""

    @property
    def status(self) -> str:
        """The state of the search."""
        return "solved"

    def to_json(self) -> json_types.Analysis:
        """Return the analysis as plain data; `warnings` is left out if there are none."""
        return {
            **position_json(self.position),
            **outcome_json(self.outcome),
            "best": list(self.best),
            "line": list(self.line),
            "moves": [
                {
                    **move_json(self.position, move.move),
                    "path": list(move.path),
                    **outcome_json(move.outcome),
                }
                for move in self.moves
            ],
            **warnings_json(self.warnings),
        }

    def __str__(self) -> str:
        score = f"score {self.score:+}"  # the board of a finished game already names the winner
        lines = [str(self.position), f"{self.outcome} ({score})" if self.moves else score]
        lines += [f"warning: {reason}" for reason in self.warnings]
        lines += [
            f"{move.name:<4}{move.value:>4}  {move.outcome!s:<23}{' '.join(move.path)}" for move in self.moves
        ]
        return "\n".join([*lines, f"perfect play: {' '.join(self.line)}"] if self.moves else lines)

    @property
    def caption(self) -> str:
        """A short caption for a picture."""
        turn = self.position.turn
        return f"{turn}, {self.outcome}" if self.moves else turn

    def __repr__(self) -> str:
        return f"Analysis({self.position.text!r}: {self.outcome})"

    def _repr_svg_(self) -> str:
        return draw("svg.draw_analysis", self)


def games_json(position: Duel, games: int) -> json_types.PossibleGames:
    """Return a count of possible games as plain data."""
    return {**position_json(position), "games": games, **warnings_json(position.faults)}


def position_json(position: State) -> json_types.OfPosition:
    """Return the common first fields of every answer about a position."""
    return {
        "position": position.text,
        "rules": str(position.rules),
        "to_move": colour(position.to_move),
    }


def move_json(position: Duel, move: int) -> json_types.Played:
    """Return the parts of a move as plain data.

    >>> from collapsi import parse_position
    >>> move_json(parse_position("A223/4A2Jr/3A23/Jb3A4 r shift"), 13)
    {'move': 'd1l', 'to': 'd1', 'shift': 'l'}
    """
    parts: json_types.Played = {
        "move": position.move_text(move),
        "to": position.board.square(position.end(move)),
    }
    shift = position.shift(move)
    return {**parts, "shift": cast("json_types.Shift", shift)} if shift else parts


def warnings_json(warnings: Sequence[Reason]) -> json_types.Warned:
    """Return warnings as plain data; an empty dict if there are none."""
    return {"warnings": [str(reason) for reason in warnings]} if warnings else {}


def outcome_json(outcome: Outcome) -> json_types.Outcome:
    """Return an outcome as plain data."""
    return {"winner": colour(outcome.winner), "plies": outcome.plies, "score": outcome.score}


def colour(player: Player) -> json_types.Colour:
    """Return a player as plain data.

    >>> import collapsi
    >>> [colour(player) for player in collapsi.Player]
    ['red', 'blue', 'green', 'yellow']
    """
    return cast("json_types.Colour", str(player))


def points_ahead(state: State) -> int:
    """Return the points of the side to move minus those of the others, at the end of a game."""
    points = state.result
    assert points is not None  # called only when no player can move
    return 2 * points[state.to_move] - sum(points)
