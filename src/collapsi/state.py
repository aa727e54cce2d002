"""The contract of a state: what one moment of a game must offer, whatever the game.

A kind of game is a class that keeps it: `collapsi.position` (the classic game and its openings), `collapsi.games.solo`.
The judge (`solve.definition`), `Game` and the tests of conformance know nothing else. A state never changes; a move is an
int that the state can name, in the classic kinds the number of its end cell. Who wins, and by how much, is the state's
`result` and nobody else's arithmetic.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collapsi.board import Board
    from collapsi.rules import Card, Player


class Refusal(StrEnum):
    """Why a pawn may not go to a card."""

    OWN_CARD = "own card"
    OCCUPIED = "occupied"
    COLLAPSED = "collapsed"
    TOO_FAR = "too far"
    WRONG_COUNT = "wrong count"
    NO_RETURN = "no return"
    BLOCKED = "blocked"
    EXIT = "exit"


class State(Protocol):
    """One moment of a game."""

    @property
    def rules(self) -> Any:
        """By which rules it is played; `str` gives their name."""

    @property
    def board(self) -> Board:
        """Where it is played."""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The card on each cell; None has collapsed."""

    @property
    def pawns(self) -> tuple[int, ...]:
        """The cell of each player's pawn."""

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

    def refusal(self, move: int | str, /) -> tuple[Refusal, str] | None:
        """Why a move may not be played, as a kind and a sentence; None for a legal one."""

    def move_text(self, move: int, /) -> str:
        """How a move is written."""

    def parse_move(self, text: str, /) -> int:
        """The move that is written so, legal or not."""

    def cell_text(self, cell: int, /) -> str:
        """One cell as it is written."""


def board_text(state: State) -> str:
    """The board as text: names of rows and columns, a cell each, and how it stands."""
    board = state.board
    lines = ["   " + "  ".join(board.square(column)[0] for column in range(board.columns))]
    for row in range(board.rows):
        cells = range(row * board.columns, (row + 1) * board.columns)
        lines.append(f"{row + 1:<2} " + " ".join(f"{state.cell_text(cell):<2}" for cell in cells).rstrip())
    return "\n".join([*lines, state.turn])
