"""What people and programs ask of a position, as one object: `Analysis`.

Python, command line and JSON all show this object; nothing of it is worked out anywhere else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from collapsi.errors import CollapsiError
from collapsi.faults import Reason, is_deal, status
from collapsi.game import Game
from collapsi.lazy import lazy
from collapsi.notation import format_position, format_rules, parse_game, parse_position
from collapsi.position import Position
from collapsi.rules import Player, Rules
from collapsi.solve import answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collapsi.solve.search import Solution


@dataclass(frozen=True)
class Outcome:
    """How a game ends under perfect play."""

    winner: Player
    plies: int
    """From here to the end."""
    score: int
    """Cards face up at the end, negative if blue wins."""

    def __str__(self) -> str:
        if self.plies == 0:
            return f"{self.winner} has won"
        return f"{self.winner} wins in {count_plies(self.plies)}"


def count_plies(number: int) -> str:
    """A number of plies in words."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


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


@dataclass(frozen=True)
class MoveValue(HasOutcome):
    """A legal move and what it leads to."""

    position: Position
    cell: int
    outcome: Outcome
    """With this move counted as the first ply."""

    @property
    def to(self) -> str:
        """The end square."""
        return self.position.board.square(self.cell)

    @property
    def wins(self) -> bool:
        """Whether the side that moves wins with it."""
        return self.outcome.winner is self.position.to_move

    @property
    def path(self) -> tuple[str, ...]:
        """The squares of the walk, start and end included."""
        return tuple(self.position.board.square(cell) for cell in self.position.path(self.cell))

    @property
    def value(self) -> str:
        """Short, from the mover's view: `+5` wins in five plies, `-4` loses in four."""
        return f"{'+' if self.wins else '-'}{self.outcome.plies}"


@dataclass(frozen=True, repr=False)
class Analysis(HasOutcome):
    """A position solved.

    >>> analysis = analyse("A223/4A2Jr/3A23/Jb3A4 r")
    >>> str(analysis.outcome), analysis.score, analysis.best
    ('red wins in 13 plies', 3, ('a2',))
    >>> [(move.to, move.value) for move in analysis.moves]
    [('a2', '+13'), ('d1', '-12'), ('c2', '-12'), ('d3', '-12')]
    """

    position: Position
    solution: Solution
    from_deal: bool = field(default=False, compare=False)
    """Whether legal moves are known to lead here from a deal: then there is nothing to warn of."""

    @lazy
    def moves(self) -> tuple[MoveValue, ...]:
        """Every legal move with its value, best first; equally good ones in reading order."""
        values = self.solution.values
        cells = [cell for cell, value in enumerate(values) if value]
        cells.sort(key=lambda cell: -values[cell])
        return tuple(MoveValue(self.position, cell, self._outcome(values[cell])) for cell in cells)

    def _outcome(self, value: int) -> Outcome:
        """A kernel's value (cards left, negative if the side to move loses) in people's terms."""
        mover = self.position.to_move
        winner = mover if value > 0 else mover.other
        left = abs(value)
        return Outcome(winner, self.position.plies_to(left), left if winner is Player.RED else -left)

    @lazy
    def outcome(self) -> Outcome:
        """Winner, plies left and score of the position."""
        values = [value for value in self.solution.values if value]
        return self._outcome(max(values) if values else -self.position.cards_left)

    @lazy
    def best(self) -> tuple[str, ...]:
        """The end squares of all best moves."""
        values = self.solution.values
        most = max((value for value in values if value), default=None)
        return tuple(self.position.board.square(cell) for cell, value in enumerate(values) if value == most)

    @lazy
    def line(self) -> tuple[str, ...]:
        """Perfect play to the end; of equally good moves the first in reading order."""
        return tuple(self.position.board.square(cell) for cell in self.solution.line)

    @property
    def line_of_play(self) -> Game:
        """The perfect line as a game, to look at its positions."""
        return Game.start(self.position, self.line)

    @lazy
    def warnings(self) -> tuple[Reason, ...]:
        """Every reason why the position cannot arise in play."""
        return () if self.from_deal else status(self.position)

    @lazy
    def games(self) -> int:
        """The number of ways to play on to the end."""
        return count_games_many([self.position])[0]

    def to_json(self) -> dict[str, Any]:
        """The analysis as plain data; `warnings` only where there are any."""
        data: dict[str, Any] = {
            **position_json(self.position),
            **outcome_json(self.outcome),
            "best": list(self.best),
            "line": list(self.line),
            "moves": [
                {
                    "move": self.position.move_text(move.cell),
                    "to": move.to,
                    "path": list(move.path),
                    **outcome_json(move.outcome),
                }
                for move in self.moves
            ],
        }
        return data | warnings_json(self.warnings)

    def __str__(self) -> str:
        score = f"score {self.score:+}"  # of a finished game the board says already who has won
        lines = [str(self.position), f"{self.outcome} ({score})" if self.moves else score]
        lines += [f"warning: {reason}" for reason in self.warnings]
        lines += [
            f"{move.to:<4}{move.value:>4}  {move.outcome!s:<23}{' '.join(move.path)}" for move in self.moves
        ]
        return "\n".join([*lines, f"perfect play: {' '.join(self.line)}"] if self.moves else lines)

    @property
    def caption(self) -> str:
        """The answer in a few words, to stand under a picture."""
        turn = self.position.turn
        return f"{turn}, {self.outcome}" if self.moves else turn

    def __repr__(self) -> str:
        return f"Analysis({format_position(self.position)!r}: {self.outcome})"

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_analysis

        return draw_analysis(self)


def games_json(position: Position, games: int) -> dict[str, Any]:
    """A count of possible games as plain data."""
    return {**position_json(position), "games": games, **warnings_json(status(position))}


def position_json(position: Position) -> dict[str, Any]:
    """What every answer about a position begins with, as plain data."""
    return {
        "position": format_position(position),
        "rules": format_rules(position.rules),
        "to_move": str(position.to_move),
    }


def warnings_json(warnings: Sequence[Reason]) -> dict[str, Any]:
    """Why a position cannot arise, as plain data; nothing where it can."""
    return {"warnings": [str(reason) for reason in warnings]} if warnings else {}


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """How a game ends, as plain data."""
    return {"winner": str(outcome.winner), "plies": outcome.plies, "score": outcome.score}


def as_position(position: Position | str, rules: Rules | str | None = None) -> Position:
    """A position as it is, with its own rules, or read from text; `rules` is assumed where the text does not say."""
    return position if isinstance(position, Position) else parse_position(position, rules=rules)


def analyse(position: Position | str, *, rules: Rules | str | None = None) -> Analysis:
    """Solve one position, given as such or as text.

    >>> analyse("..../.2r../.Ab../.2.. r").line
    ('b4',)
    """
    if isinstance(position, str):
        return analyse_last(parse_game(position, rules=rules))
    return Analysis(position, next(iter(answers.solutions([position]))))


def analyse_last(game: Game) -> Analysis:
    """Solve the last position of a game."""
    solution = next(iter(answers.solutions([game.position])))
    return Analysis(game.position, solution, from_deal=is_deal(game.positions[0]))


def analyse_many(
    positions: Iterable[Position | str], *, rules: Rules | str | None = None, jobs: int | None = None
) -> list[Analysis]:
    """Solve many positions on every core, or on `jobs` threads; the answers are in the order of the positions.

    >>> [analysis.plies for analysis in analyse_many(["A223/4A2Jr/3A23/Jb3A4 r", "..../.2r../.Ab../.2.. r"])]
    [13, 1]
    """
    todo = _as_positions(positions, rules)
    return list(map(Analysis, todo, answers.solutions(todo, jobs=jobs)))


def count_games_many(
    positions: Iterable[Position | str], *, rules: Rules | str | None = None, jobs: int | None = None
) -> list[int]:
    """Count the possible games of many positions, like `analyse_many`.

    >>> count_games_many(["..../.2r../.Ab../.2.. r"])
    [1]
    """
    todo = _as_positions(positions, rules)
    return list(answers.count_games(todo, jobs=jobs))


def _as_positions(positions: Iterable[Position | str], rules: Rules | str | None) -> list[Position]:
    """Positions as they are or read from text; what cannot be read is named by its number."""
    found = []
    for number, position in enumerate(positions, start=1):
        try:
            found.append(as_position(position, rules))
        except CollapsiError as error:
            msg = f"position {number}: {error}"
            raise type(error)(msg) from None
    return found
