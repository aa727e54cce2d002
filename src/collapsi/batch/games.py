"""Games that are played at the same time, each to its end, and dealt again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from collapsi.batch.positions import PositionBatch, deal
from collapsi.core.errors import CollapsiError, IllegalMoveError
from collapsi.core.players import PAIR
from collapsi.core.reach import MOST_CELLS
from collapsi.games.classic.rules import STANDARD

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules


class Games:
    """A number of games, in arrays that every step changes in place.

    A finished game stays as it is, whatever move it is given, until it is reset.

    >>> games = Games(3, np.random.default_rng(1))
    >>> games.legal.shape, games.over.tolist()
    ((3, 16), [False, False, False])
    >>> games.step(games.positions.best().argmax(axis=1))
    >>> games.positions.face_up.tolist(), games.positions.movers.tolist()
    ([15, 15, 15], [1, 1, 1])
    """

    def __init__(
        self,
        count: int,
        rng: np.random.Generator,
        rules: Rules | str = STANDARD,
        *,
        start: Position | None = None,
    ) -> None:
        """Deal `count` games, or begin them at `start`; later deals take random numbers from `rng` too."""
        if count < 1:
            msg = f"the number of games is at least 1, not {count}"
            raise CollapsiError(msg)
        self.rng = rng
        self.start = None if start is None else PositionBatch.of([start])
        dealt = self._dealt(count, rules)
        self.positions = PositionBatch(dealt.rules, dealt.cards.copy(), dealt.roots.copy())
        """The positions of all games."""
        self.legal = dealt.legal()
        """The legal end cells of each game, as a mask."""

    def __len__(self) -> int:
        return len(self.positions)

    def _dealt(self, count: int, rules: Rules | str) -> PositionBatch:
        if self.start is None:
            return deal(count, self.rng, rules)
        return self.start[np.zeros(count, np.int64)]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game is over."""
        return np.asarray(~self.legal.any(axis=1))

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each player, red and blue, has won: one row per game, both false before its end."""
        losers = self.positions.movers
        return np.asarray(self.over[:, None] & (losers[:, None] != np.arange(len(PAIR))))

    def step(self, ends: ArrayLike, which: NDArray[np.bool_] | None = None) -> None:
        """Play a move, given by its end cell, in each game that is not over, or in those of a mask.

        Raises `IllegalMoveError`, and changes nothing, if one of the moves is illegal.
        """
        moves = np.asarray(ends, np.int64)
        if moves.shape != (len(self),):
            msg = f"expected {len(self)} moves, one for each game, not an array of shape {moves.shape}"
            raise CollapsiError(msg)
        active = ~self.over
        if which is not None:
            active &= which
        outside = (moves < 0) | (moves >= self.legal.shape[1])
        legal = self.legal[np.arange(len(self)), np.where(outside, 0, moves)] & ~outside
        if (wrong := active & ~legal).any():
            game = int(wrong.argmax())
            position = self.positions.position(game)
            cells = ", ".join(map(str, position.moves))
            msg = f"game {game}: {moves[game]} is no move of {position.to_move}: choose one of {cells}"
            raise IllegalMoveError(msg)
        roots = self.positions.roots
        face_up, mover, other, player = roots.T
        after = np.stack([face_up & ~(1 << mover), other, moves, player ^ MOST_CELLS], axis=1)
        np.copyto(roots, after, where=active[:, None])
        self.legal = self.positions.legal()

    def reset(self, which: NDArray[np.bool_] | None = None) -> None:
        """Deal again: all games, or those of a mask, such as `over`."""
        again = np.ones(len(self), np.bool_) if which is None else which
        dealt = self._dealt(int(again.sum()), self.positions.rules)
        self.positions.cards[again] = dealt.cards
        self.positions.roots[again] = dealt.roots
        self.legal[again] = dealt.legal()
