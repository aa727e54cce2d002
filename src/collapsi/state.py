"""The contract of a state: what one moment of a game must offer, whatever the game.

A kind of game is a class that keeps it: `collapsi.position` (the classic game and its openings) and those of
`collapsi.games`. The judge (`solve.definition`), `Game`, analysis, review, opponents, match, drawings
and terminal know nothing else of a game. A state never changes; a move is an int that the state can name, in
the classic kinds the number of its end cell. Who wins, and by how much, is the state's `result`, and what a
solver's value means is the state's `outcome` (`Duel`): nobody else counts cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.board import Grid
    from collapsi.faults import Reason
    from collapsi.rules import Card, Player


class Refusal(StrEnum):
    """Why a pawn may not go to a card."""

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
    """From here to the end."""
    score: int
    """Red's points less blue's: cards face up at the end, negative if blue wins."""

    def __str__(self) -> str:
        if self.plies == 0:
            return f"{self.winner} has won"
        return f"{self.winner} wins in {count_plies(self.plies)}"


MOST_NAMES = 14
"""Moves that are named one by one at the most: all that a classic game has; a shifting board has more."""


def few(names: Sequence[str], most: int = MOST_NAMES) -> list[str]:
    """Names to be said one after the other; of more than `most` the first, and how many others there are.

    >>> few(["a1r", "a1l", "a1d", "a1u"], most=3)
    ['a1r', 'a1l', '2 others']
    """
    return list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} others"]


def count_plies(number: int) -> str:
    """A number of plies in words."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


class State(Protocol):
    """One moment of a game."""

    @property
    def rules(self) -> Any:
        """By which rules it is played; `str` gives their name."""

    @property
    def board(self) -> Grid:
        """Where it is played."""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The card on each cell; None has collapsed."""

    @property
    def pawns(self) -> tuple[int, ...]:
        """The cell of each player's pawn; −1 for one that has left the board."""

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""

    @property
    def turn(self) -> str:
        """How it stands, in words."""

    @property
    def moves(self) -> tuple[int, ...]:
        """What may be played; nothing when the game is over."""

    @property
    def result(self) -> tuple[int, ...] | None:
        """The points of each player when the game is over, None before."""

    @property
    def text(self) -> str:
        """The state in our notation."""

    def play(self, move: int | str, /) -> Self:
        """The state after a move, given as such or by its name."""

    def path(self, move: int | str, /) -> tuple[int, ...]:
        """The cells that a move leads over, the end last."""

    def end(self, move: int, /) -> int:
        """The cell where a move ends."""

    def refusal(self, move: int | str, /) -> tuple[Refusal, str] | None:
        """Why a move may not be played, as a kind and a sentence; None for a legal one."""

    def move_text(self, move: int, /) -> str:
        """How a move is written."""

    def line_text(self, moves: Sequence[int], /) -> tuple[str, ...]:
        """How moves are written that are played one after the other from here."""

    def parse_move(self, text: str, /) -> int:
        """The move that is written so, legal or not."""

    def cell_text(self, cell: int, /) -> str:
        """One cell as it is written."""


class Duel(State, Protocol):
    """One moment of a game for two, of which a solver can say who wins and how soon."""

    def outcome(self, points: int, /) -> Outcome:
        """What it means that the side to move ends so many points ahead under perfect play."""

    def shift(self, move: int, /) -> str | None:
        """Where a move shifts the line that it ends on, as it is written; None where boards do not shift."""

    @property
    def dealt(self) -> bool:
        """Whether it is a deal as it comes from the pack; then whatever is played from it can arise too."""

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Every reason why it cannot arise in play."""


if TYPE_CHECKING:  # the defaults say which kind is meant where none is named: the classic one
    from typing_extensions import TypeVar

    from collapsi.position import Position

    Kind = TypeVar("Kind", bound=State, default=Position)
    DuelKind = TypeVar("DuelKind", bound=Duel, default=Position)
else:
    from typing import TypeVar

    Kind, DuelKind = TypeVar("Kind"), TypeVar("DuelKind")


def board_text(state: State) -> str:
    """The board as text: names of rows and columns, a cell each, and how it stands."""
    board = state.board
    lines = ["   " + "  ".join(board.square(column)[0] for column in range(board.columns))]
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        lines.append(f"{row + 1:<2} " + " ".join(f"{state.cell_text(cell):<2}" for cell in cells).rstrip())
    return "\n".join([*lines, state.turn])
