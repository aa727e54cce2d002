"""Traps for batches of positions: `play.traps` vectorised, layer by layer.

All positions that can follow a batch, as far as they matter, are listed by ply. Positions that are reached in
several ways are listed once. Then the chances are found from the last layer to the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.reach import CELL_BITS, MASK_BITS
from collapsi.games.registry import kind_of
from collapsi.play.traps import DIGITS, SLIP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch
    from collapsi.play.characters import Character

    Allowed = Callable[[Character, PositionBatch], NDArray[np.bool_]]

CHUNK = 64
"""Positions whose lines are followed at a time: at most some hundred thousand positions."""


def tempting_many(
    players: Sequence[Character], states: PositionBatch, allowed: Allowed, *, jobs: int | None = None
) -> NDArray[np.bool_]:
    """Return `tempting_moves` for a batch of positions, as a mask over end cells.

    `allowed` returns the moves of a player in a batch of positions (`ladder.allowed_many`).
    """
    parts = [
        _tempting(players, states[start : start + CHUNK], allowed, jobs)
        for start in range(0, len(states), CHUNK)
    ]
    return np.concatenate(parts) if parts else states.legal()


def _tempting(
    players: Sequence[Character], states: PositionBatch, allowed: Allowed, jobs: int | None
) -> NDArray[np.bool_]:
    values = states.values(jobs).astype(np.int64)
    wins = np.asarray((values > 0).any(axis=1))
    left = np.where(wins[:, None], values > 0, values != 0)
    kind = kind_of(states.rules)
    follow = np.array([kind.finds_traps(states.position(index)) for index in range(len(states))], np.bool_)
    follow &= left.sum(axis=1) > 1
    chances = np.zeros(values.shape)
    for winning in (True, False):
        (some,) = np.nonzero(follow & (wins == winning))
        forest = _Forest(() if winning else players, allowed, jobs)
        after = forest.after(states[some], some, winner_to_move=winning)
        chances[some] = after[:, :, 0] if winning else -after.mean(axis=2)
    chances = np.where(left, chances.round(DIGITS), -np.inf)
    left &= chances == chances.max(axis=1, keepdims=True)
    most = np.where(left, values, -99).max(axis=1, keepdims=True)
    return np.asarray(left & (values == most))


class _Forest:
    """The chances of winners to keep their wins: for each position, end cell and model of error."""

    def __init__(self, players: Sequence[Character], allowed: Allowed, jobs: int | None) -> None:
        self.players, self.allowed, self.jobs = players, allowed, jobs
        self.models = 1 + len(players)

    def after(
        self, states: PositionBatch, origins: NDArray[np.int64], *, winner_to_move: bool
    ) -> NDArray[np.float64]:
        """Return the chances after each move; 0 after a move that throws the win away or is illegal.

        `origins` numbers the deals: positions of different deals are different.
        """
        moves = states.values(self.jobs) > 0 if winner_to_move else states.legal()
        owners, ends = np.nonzero(moves)
        found = np.zeros((*moves.shape, self.models))
        if len(owners):
            children = states[owners].played(ends)
            face_up, mover, other, _ = children.roots.T
            keys = ((origins[owners] << MASK_BITS | face_up) << CELL_BITS | mover) << CELL_BITS | other
            _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
            value = self._loser_to_move if winner_to_move else self._winner_to_move
            found[owners, ends] = value(children[first], origins[owners[first]])[inverse]
        return found

    def _winner_to_move(self, states: PositionBatch, origins: NDArray[np.int64]) -> NDArray[np.float64]:
        after = self.after(states, origins, winner_to_move=True)
        slips = after[:, :, 0]
        random_move = slips.sum(axis=1) / states.legal().sum(axis=1)
        found = [(1 - SLIP) * slips.max(axis=1) + SLIP * random_move]
        for number, player in enumerate(self.players, start=1):
            chosen = self.allowed(player, states)
            found.append((after[:, :, number] * chosen).sum(axis=1) / chosen.sum(axis=1))
        return np.stack(found, axis=1)

    def _loser_to_move(self, states: PositionBatch, origins: NDArray[np.int64]) -> NDArray[np.float64]:
        after = self.after(states, origins, winner_to_move=False)
        legal = states.legal()[:, :, None]
        least: NDArray[Any] = np.where(legal, after, 1.0).min(axis=1)
        return least
