"""The protocol of states: the interface of a position of any kind of game.

Each kind in `collapsi.games` implements it. The reference solver (`solving.reference`), `Game`, analysis,
review, opponents, match, drawings and terminal use this interface only. A state is immutable. A move is an
int that the state converts to and from notation; in the classic game it is the end cell. Only the state
interprets points: `result` gives the points of a finished game, and `outcome` (`Duel`) the meaning of a
solver's value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, Self

from collapsi.core.errors import wrong_type

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex, TypeAlias

    from collapsi.core.board import Grid
    from collapsi.core.cards import Card
    from collapsi.core.players import Player
    from collapsi.core.reasons import Reason
    from collapsi.core.rules import RuleSet


if TYPE_CHECKING:
    AnyMove: TypeAlias = SupportsIndex | str
    """A move as an argument: its number, a `MoveValue`, or its notation."""


class Refusal(StrEnum):
    """The reasons why a move is illegal."""

    OWN_CARD = "own card"
    OCCUPIED = "occupied"
    COLLAPSED = "collapsed"
    GAP = "gap"
    TOO_FAR = "too far"
    WRONG_COUNT = "wrong count"
    NO_RETURN = "no return"
    BLOCKED = "blocked"
    EXIT = "exit"
    OVER = "over"


@dataclass(frozen=True)
class Outcome:
    """How a game for two ends under perfect play."""

    winner: Player
    plies: int
    """The number of plies to the end."""
    score: int
    """Red's points minus blue's: cards face up at the end, negative if blue wins."""

    def __str__(self) -> str:
        if self.plies == 0:
            return f"{self.winner} has won"
        return f"{self.winner} wins in {count_plies(self.plies)}"


MOST_NAMES = 14
"""The default length of `abbreviate`: all moves of the classic game; a shifting board has more."""


def abbreviate(names: Sequence[str], most: int = MOST_NAMES) -> list[str]:
    """Shorten a list of names to at most `most` entries; the last one counts the names left out.

    >>> abbreviate(["a1r", "a1l", "a1d", "a1u"], most=3)
    ['a1r', 'a1l', '2 others']
    """
    return list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} others"]


def count_plies(number: int) -> str:
    """Format a number of plies: `1 ply`, `2 plies`."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


def more_plies(number: int) -> str:
    """Format the plies left after a move: `at once`, `in 1 more ply`, `in 2 more plies`."""
    return f"in {number} more {'ply' if number == 1 else 'plies'}" if number else "at once"


def in_moves(text: str) -> str:
    """Return a text for players, who count the moves of both players, not plies.

    >>> in_moves("red wins in 1 ply, not in 3 more plies")
    'red wins in 1 move, not in 3 more moves'
    """
    return re.sub(r"\bply\b", "move", re.sub(r"\bplies\b", "moves", text))


def move_number(state: State, move: AnyMove) -> int:
    """Convert a move to its number; the move may be illegal."""
    if isinstance(move, str):
        return state.parse_move(move)
    try:
        return index(move)
    except TypeError:
        raise wrong_type(move, "a move (its name, its number or a MoveValue)") from None


def is_state(given: object) -> bool:
    """Return whether an object has the attributes of a state."""
    return all(hasattr(given, name) for name in ("rules", "play", "move_text", "refusal"))


class State(Protocol):
    """A position of any kind of game."""

    @property
    def rules(self) -> RuleSet:
        """The rule set; `str` returns its name."""

    @property
    def board(self) -> Grid:
        """The board."""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The card on each cell; None if it has collapsed."""

    @property
    def pawns(self) -> tuple[int, ...]:
        """The cell of each player's pawn; −1 if it has left the board."""

    @property
    def to_move(self) -> Player:
        """The side to move."""

    @property
    def turn(self) -> str:
        """The side to move or the result, in words."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves; empty if the game is over."""

    @property
    def result(self) -> tuple[int, ...] | None:
        """The points of each player; None until the game is over."""

    @property
    def text(self) -> str:
        """The state in notation."""

    def play(self, move: int | str, /) -> Self:
        """Return the state after a move, given as its number or in notation."""

    def path(self, move: int | str, /) -> tuple[int, ...]:
        """Return the cells of a move, the end cell last."""

    def end(self, move: int, /) -> int:
        """Return the end cell of a move."""

    def refusal(self, move: int | str, /) -> tuple[Refusal, str] | None:
        """Return why a move is illegal, as a type and a sentence; None for a legal move."""

    def move_text(self, move: int, /) -> str:
        """Return a move in notation."""

    def line_text(self, moves: Sequence[int], /) -> tuple[str, ...]:
        """Return successive moves from this state in notation."""

    def parse_move(self, text: str, /) -> int:
        """Read a move in notation; it may be illegal."""

    def cell_text(self, cell: int, /) -> str:
        """Return a cell in notation."""

    @property
    def dealt(self) -> bool:
        """Whether it is a legal deal, so that every state played from it can arise too."""

    @property
    def faults(self) -> tuple[Reason, ...]:
        """The reasons why it cannot arise in play."""


class Duel(State, Protocol):
    """A position of a game for two, which a solver values by winner and number of plies."""

    def outcome(self, points: int, /) -> Outcome:
        """Return the outcome if the side to move ends `points` ahead under perfect play."""

    def shift(self, move: int, /) -> str | None:
        """Return the shift of a move in notation; None if the board does not shift."""


if TYPE_CHECKING:  # `Game` and `Analysis` without a parameter accept every kind
    from typing_extensions import TypeVar

    StateT = TypeVar("StateT", bound=State, default=Any)
    DuelT = TypeVar("DuelT", bound=Duel, default=Any)
else:
    from typing import TypeVar

    StateT, DuelT = TypeVar("StateT"), TypeVar("DuelT")


def board_text(state: State) -> str:
    """Return the board as text, with names of rows and columns, and the side to move or the result."""
    board = state.board
    lines = ["   " + "  ".join(board.square(column)[0] for column in range(board.columns))]
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        lines.append(f"{row + 1:<2} " + " ".join(f"{state.cell_text(cell):<2}" for cell in cells).rstrip())
    return "\n".join([*lines, state.turn])
