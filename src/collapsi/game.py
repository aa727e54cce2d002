"""A game: a position and the moves played from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.position import Position


@dataclass(frozen=True)
class Game:
    """Every position of a game, first to last. Like a position it never changes: `play` and `undo` return another.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> game.squares
    ('d1', 'a3')
    >>> collapsi.format_game(game.undo())
    'A223/4A2Jr/3A23/Jb3A4 r d1'
    """

    positions: tuple[Position, ...]

    @classmethod
    def start(cls, position: Position, moves: Iterable[int | str] = ()) -> Game:
        """The game that begins here and continues with these moves."""
        game = cls((position,))
        for to in moves:
            game = game.play(to)
        return game

    @property
    def position(self) -> Position:
        """Where the game stands now."""
        return self.positions[-1]

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves played, each as its end cell."""
        return tuple(after.pawns[before.to_move] for before, after in pairwise(self.positions))

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves played, each as its end square."""
        return tuple(self.position.board.square(cell) for cell in self.moves)

    def play(self, to: int | str) -> Game:
        """The game after one more move."""
        return Game((*self.positions, self.position.play(to)))

    def undo(self) -> Game:
        """The game before its last move; a game without moves has nothing to take back."""
        if len(self.positions) == 1:
            msg = "there is no move to take back"
            raise IndexError(msg)
        return Game(self.positions[:-1])
