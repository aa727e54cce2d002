"""What people and programs ask of a position, as one object: `Analysis`.

Python, command line and JSON all show this object; nothing of it is worked out anywhere else. It takes the
state of any game for two (see `collapsi.state`) for which `solve.answers` knows a solver.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, cast, overload

from collapsi.errors import CollapsiError
from collapsi.game import Game
from collapsi.lazy import lazy
from collapsi.notation import parse_game, parse_position
from collapsi.rules import Player
from collapsi.solve import answers
from collapsi.state import DuelKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi import json_shapes
    from collapsi.faults import Reason
    from collapsi.position import Position
    from collapsi.rules import Rules
    from collapsi.solve.search import Solution
    from collapsi.state import Duel, Outcome, State


class HasOutcome(Protocol):
    """The parts of an outcome by their own names."""

    if TYPE_CHECKING:  # as a field or as a property

        @property
        def outcome(self) -> Outcome:
            """How the game ends."""

    @property
    def winner(self) -> Player:
        """Who wins under perfect play."""
        return self.outcome.winner

    @property
    def plies(self) -> int:
        """How many plies perfect play lasts."""
        return self.outcome.plies

    @property
    def score(self) -> int:
        """Cards face up at the end of perfect play, negative if blue wins."""
        return self.outcome.score


@dataclass(frozen=True, repr=False)
class MoveValue(HasOutcome, Generic[DuelKind]):
    """A legal move and what it leads to."""

    position: DuelKind
    move: int
    outcome: Outcome
    """With this move counted as the first ply."""

    @property
    def name(self) -> str:
        """The move as it is written."""
        return self.position.move_text(self.move)

    @property
    def cell(self) -> int:
        """The cell where it ends."""
        return self.position.end(self.move)

    @property
    def to(self) -> str:
        """The end square."""
        return self.position.board.square(self.cell)

    @property
    def shift(self) -> str | None:
        """Where it shifts the line that it ends on, as it is written; None where boards stay as they are."""
        return self.position.shift(self.move)

    @property
    def wins(self) -> bool:
        """Whether the side that moves wins with it."""
        return self.outcome.winner is self.position.to_move

    @property
    def path(self) -> tuple[str, ...]:
        """The squares of the walk, start and end included."""
        return tuple(self.position.board.square(cell) for cell in self.position.path(self.move))

    @property
    def value(self) -> str:
        """Short, from the mover's view: `+5` wins in five plies, `-4` loses in four."""
        return f"{'+' if self.wins else '-'}{self.outcome.plies}"

    def __repr__(self) -> str:
        return f"MoveValue({self.name!r}: {self.outcome})"


@dataclass(frozen=True, repr=False)
class Analysis(HasOutcome, Generic[DuelKind]):
    """A position solved.

    >>> analysis = analyse("A223/4A2Jr/3A23/Jb3A4 r")
    >>> str(analysis.outcome), analysis.score, analysis.best
    ('red wins in 13 plies', 3, ('a2',))
    >>> [(move.to, move.value) for move in analysis.moves]
    [('a2', '+13'), ('d1', '-12'), ('c2', '-12'), ('d3', '-12')]
    """

    position: DuelKind
    solution: Solution
    from_deal: bool = field(default=False, compare=False)
    """Whether legal moves are known to lead here from a deal: then there is nothing to warn of."""

    @lazy
    def moves(self) -> tuple[MoveValue[DuelKind], ...]:
        """Every legal move with its value, best first; equally good ones in reading order."""
        values, position = self.solution.values, self.position
        moves = [move for move, value in enumerate(values) if value]
        moves.sort(key=lambda move: -values[move])
        return tuple(MoveValue(position, move, position.outcome(values[move])) for move in moves)

    @lazy
    def outcome(self) -> Outcome:
        """Winner, plies left and score of the position."""
        values = [value for value in self.solution.values if value]
        return self.position.outcome(max(values) if values else points_ahead(self.position))

    @lazy
    def best(self) -> tuple[str, ...]:
        """All best moves, as they are written."""
        values = self.solution.values
        most = max((value for value in values if value), default=None)
        return tuple(self.position.move_text(move) for move, value in enumerate(values) if value == most)

    @lazy
    def line(self) -> tuple[str, ...]:
        """Perfect play to the end; of equally good moves the first in reading order."""
        return self.position.line_text(self.solution.line)

    @property
    def line_of_play(self) -> Game[DuelKind]:
        """The perfect line as a game, to look at its positions."""
        return Game.start(self.position, self.solution.line)

    @lazy
    def warnings(self) -> tuple[Reason, ...]:
        """Every reason why the position cannot arise in play."""
        return () if self.from_deal else self.position.faults

    @lazy
    def games(self) -> int:
        """The number of ways to play on to the end."""
        return count_games_many([self.position])[0]

    def to_json(self) -> json_shapes.Analysis:
        """The analysis as plain data; `warnings` only where there are any."""
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
        score = f"score {self.score:+}"  # of a finished game the board says already who has won
        lines = [str(self.position), f"{self.outcome} ({score})" if self.moves else score]
        lines += [f"warning: {reason}" for reason in self.warnings]
        lines += [
            f"{move.name:<4}{move.value:>4}  {move.outcome!s:<23}{' '.join(move.path)}" for move in self.moves
        ]
        return "\n".join([*lines, f"perfect play: {' '.join(self.line)}"] if self.moves else lines)

    @property
    def caption(self) -> str:
        """The answer in a few words, to stand under a picture."""
        turn = self.position.turn
        return f"{turn}, {self.outcome}" if self.moves else turn

    def __repr__(self) -> str:
        return f"Analysis({self.position.text!r}: {self.outcome})"

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_analysis

        return draw_analysis(self)


def games_json(position: Duel, games: int) -> json_shapes.PossibleGames:
    """A count of possible games as plain data."""
    return {**position_json(position), "games": games, **warnings_json(position.faults)}


def position_json(position: State) -> json_shapes.OfPosition:
    """What every answer about a position begins with, as plain data."""
    return {
        "position": position.text,
        "rules": str(position.rules),
        "to_move": colour(position.to_move),
    }


def move_json(position: Duel, move: int) -> json_shapes.Played:
    """A move by its parts, as plain data.

    >>> move_json(parse_position("A223/4A2Jr/3A23/Jb3A4 r shift"), 13)
    {'move': 'd1l', 'to': 'd1', 'shift': 'l'}
    """
    parts: json_shapes.Played = {
        "move": position.move_text(move),
        "to": position.board.square(position.end(move)),
    }
    shift = position.shift(move)
    return {**parts, "shift": cast("json_shapes.Shift", shift)} if shift else parts


def warnings_json(warnings: Sequence[Reason]) -> json_shapes.Warned:
    """Why a position cannot arise, as plain data; nothing where it can."""
    return {"warnings": [str(reason) for reason in warnings]} if warnings else {}


def outcome_json(outcome: Outcome) -> json_shapes.Outcome:
    """How a game ends, as plain data."""
    return {"winner": colour(outcome.winner), "plies": outcome.plies, "score": outcome.score}


def colour(player: Player) -> json_shapes.Colour:
    """A player as plain data."""
    return "red" if player is Player.RED else "blue"


def points_ahead(state: State) -> int:
    """How many points more than the others the side to move has when the game is over."""
    points = state.result
    assert points is not None  # only asked when nobody can move
    return 2 * points[state.to_move] - sum(points)


@overload
def analyse(position: DuelKind) -> Analysis[DuelKind]: ...
@overload
def analyse(position: str, *, rules: Rules | str | None = None) -> Analysis: ...
def analyse(position: DuelKind | str, *, rules: Rules | str | None = None) -> Analysis[DuelKind] | Analysis:
    """Solve one position, given as such or as text.

    >>> analyse("..../.2r../.Ab../.2.. r").line
    ('b4',)
    """
    if isinstance(position, str):
        return analyse_last(parse_game(position, rules=rules))
    return Analysis(position, next(iter(answers.solutions([position]))))


def analyse_last(game: Game[DuelKind]) -> Analysis[DuelKind]:
    """Solve the last position of a game."""
    solution = next(iter(answers.solutions([game.position])))
    return Analysis(game.position, solution, from_deal=game.positions[0].dealt)


@overload
def analyse_many(
    positions: Iterable[Position | str], *, rules: Rules | str | None = None, jobs: int | None = None
) -> list[Analysis]: ...
@overload
def analyse_many(positions: Iterable[DuelKind], *, jobs: int | None = None) -> list[Analysis[DuelKind]]: ...
def analyse_many(
    positions: Iterable[Any], *, rules: Rules | str | None = None, jobs: int | None = None
) -> list[Any]:
    """Solve many positions on every core, or on `jobs` threads; answers come in the order of positions.

    >>> [analysis.plies for analysis in analyse_many(["A223/4A2Jr/3A23/Jb3A4 r", "..../.2r../.Ab../.2.. r"])]
    [13, 1]
    """
    todo = _as_positions(positions, rules)
    return list(map(Analysis, todo, answers.solutions(todo, jobs=jobs)))


def count_games_many(
    positions: Iterable[Duel | str], *, rules: Rules | str | None = None, jobs: int | None = None
) -> list[int]:
    """Count the possible games of many positions, like `analyse_many`.

    >>> count_games_many(["..../.2r../.Ab../.2.. r"])
    [1]
    """
    todo = _as_positions(positions, rules)
    return list(answers.count_games(todo, jobs=jobs))


def as_position(position: Position | str, rules: Rules | str | None = None) -> Position:
    """A position as it is, with its own rules, or read from text; `rules` where the text does not say."""
    return parse_position(position, rules=rules) if isinstance(position, str) else position


def _as_positions(positions: Iterable[Any], rules: Rules | str | None) -> list[Any]:
    """Positions as they are or read from text; what cannot be read is named by its number."""
    found = []
    for number, position in enumerate(positions, start=1):
        try:
            found.append(as_position(position, rules))
        except CollapsiError as error:
            msg = f"position {number}: {error}"
            raise type(error)(msg) from None
    return found
