"""A game: a position and the moves played from it, of whatever kind: see `collapsi.state`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.position import Position


@dataclass(frozen=True, repr=False)
class Game:
    """Every position of a game, first to last, and the moves between them. Like a position it never changes: `play` and `undo` return another.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> game.squares
    ('d1', 'a3')
    >>> collapsi.format_game(game.undo())
    'A223/4A2Jr/3A23/Jb3A4 r d1'
    """

    positions: tuple[Position, ...]
    moves: tuple[int, ...] = ()

    @classmethod
    def start(cls, position: Position, moves: Iterable[int | str] = ()) -> Game:
        """The game that begins here and continues with these moves."""
        game = cls((position,))
        for move in moves:
            game = game.play(move)
        return game

    @property
    def position(self) -> Position:
        """Where the game stands now."""
        return self.positions[-1]

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves played, each by its name."""
        return tuple(before.move_text(move) for before, move in zip(self.positions, self.moves, strict=False))

    def play(self, move: int | str) -> Game:
        """The game after one more move."""
        chosen = self.position.parse_move(move) if isinstance(move, str) else move
        return Game((*self.positions, self.position.play(chosen)), (*self.moves, chosen))

    def undo(self) -> Game:
        """The game before its last move; a game without moves has nothing to take back."""
        if len(self.positions) == 1:
            msg = "there is no move to take back"
            raise IndexError(msg)
        return Game(self.positions[:-1], self.moves[:-1])

    def __repr__(self) -> str:
        from collapsi.notation import format_game

        return f"Game({format_game(self)!r})"
