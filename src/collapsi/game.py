"""A game: a state and the moves played from it, of whatever kind (see `collapsi.state`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from collapsi.state import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, repr=False)
class Game(Generic[Kind]):
    """Every position of a game, first to last, and the moves between them.

    Like a position it never changes: `play` and `undo` return another.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> game.squares
    ('d1', 'a3')
    >>> collapsi.format_game(game.undo())
    'A223/4A2Jr/3A23/Jb3A4 r d1'
    """

    positions: tuple[Kind, ...]
    moves: tuple[int, ...] = ()

    @classmethod
    def start(cls, position: Kind, moves: Iterable[int | str] = ()) -> Game[Kind]:
        """The game that begins here and continues with these moves."""
        game: Game[Kind] = cls((position,))
        for move in moves:
            game = game.play(move)
        return game

    @property
    def position(self) -> Kind:
        """Where the game stands now."""
        return self.positions[-1]

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves played, each by its name."""
        return tuple(before.move_text(move) for before, move in zip(self.positions, self.moves, strict=False))

    @property
    def text(self) -> str:
        """The game in our notation: its first position and its moves."""
        return " ".join([self.positions[0].text, *self.squares])

    def play(self, move: int | str) -> Game[Kind]:
        """The game after one more move."""
        chosen = self.position.parse_move(move) if isinstance(move, str) else move
        return Game((*self.positions, self.position.play(chosen)), (*self.moves, chosen))

    def undo(self) -> Game[Kind]:
        """The game before its last move; a game without moves has nothing to take back."""
        if not self.moves:
            msg = "there is no move to take back"
            raise IndexError(msg)
        return Game(self.positions[:-1], self.moves[:-1])

    def __repr__(self) -> str:
        return f"Game({self.text!r})"

    def _repr_svg_(self) -> str:
        from collapsi.film import draw_game

        return draw_game(self)
