"""A game of any kind: a state (see `collapsi.core.state`) and the moves played from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from collapsi.core.drawing import draw
from collapsi.core.errors import wrong_type
from collapsi.core.state import StateT, is_state, move_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.core.state import AnyMove


@dataclass(frozen=True, repr=False)
class Game(Generic[StateT]):
    """Every position of a game, first to last, and the moves between them.

    Immutable, like a position: `play` and `undo` return a new game.

    >>> import collapsi
    >>> game = collapsi.parse_game("A223/4A2Jr/3A23/Jb3A4 r d1 a3")
    >>> game.squares
    ('d1', 'a3')
    >>> collapsi.format_game(game.undo())
    'A223/4A2Jr/3A23/Jb3A4 r d1'
    """

    positions: tuple[StateT, ...]
    moves: tuple[int, ...] = ()

    @classmethod
    def start(cls, position: StateT, moves: Iterable[AnyMove] = ()) -> Game[StateT]:
        """Return the game with this first position and these moves."""
        if not is_state(position):
            raise wrong_type(position, "a position, such as collapsi.parse_position(text)")
        if isinstance(moves, str) or not hasattr(moves, "__iter__"):
            raise wrong_type(moves, "a sequence of moves, such as ['d1', 'b4']")
        game: Game[StateT] = cls((position,))
        for move in moves:
            game = game.play(move)
        return game

    @property
    def position(self) -> StateT:
        """The current position."""
        return self.positions[-1]

    @property
    def squares(self) -> tuple[str, ...]:
        """The moves played, in notation."""
        return tuple(before.move_text(move) for before, move in zip(self.positions, self.moves, strict=False))

    @property
    def text(self) -> str:
        """The game in notation: its first position and its moves."""
        return " ".join([self.positions[0].text, *self.squares])

    def play(self, move: AnyMove) -> Game[StateT]:
        """Return the game after one more move, given as its number, its notation or a `MoveValue`."""
        chosen = move_number(self.position, move)
        return Game((*self.positions, self.position.play(chosen)), (*self.moves, chosen))

    def undo(self) -> Game[StateT]:
        """Return the game without its last move; raise `IndexError` if it has no moves."""
        if not self.moves:
            msg = "there is no move to take back"
            raise IndexError(msg)
        return Game(self.positions[:-1], self.moves[:-1])

    def __repr__(self) -> str:
        return f"Game({self.text!r})"

    def _repr_svg_(self) -> str:
        return draw("film.draw_game", self)
