"""Samples of solved positions in which a win can be kept or thrown away, for learning and measuring.

They come from games of random deals, one third each: both players move at random; both play perfectly; both
choose between the two with probability 1/2 at every ply. The split into training, validation and fresh deals
depends on the class of the deal under the board's symmetries and is the same for every seed: no card is
trained on a fresh deal in any orientation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from collapsi.batch.positions import PositionBatch, best_of, deal, pick
from collapsi.core.reach import MOST_CELLS
from collapsi.core.symmetry import symmetries
from collapsi.games.classic.rules import STANDARD
from collapsi.games.kind import Can
from collapsi.games.registry import require
from collapsi.play.strategy.states import MoveBatch, count_moves

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from collapsi.games.classic.rules import Rules

CHUNK = 3000
"""Games played at a time."""

KINDS = 3
RANDOM, PERFECT, MIXED = range(KINDS)


class Split(StrEnum):
    """The purpose of a deal."""

    TRAIN = "train"
    VALIDATION = "validation"
    FRESH = "fresh"


TENTHS = {Split.TRAIN: range(6), Split.VALIDATION: range(6, 8), Split.FRESH: range(8, 10)}
"""The tenths of the classes of deals that each split has."""


@dataclass(frozen=True)
class Sample:
    """Won positions with winning and losing moves, sorted by face-up cards, descending."""

    states: PositionBatch
    games: NDArray[np.int64]
    """The game of each position; positions of one game are correlated."""
    moves: MoveBatch
    wins: NDArray[np.bool_]
    """By move: whether it keeps the win."""

    def __len__(self) -> int:
        return len(self.games)

    def first_games(self, count: int) -> Sample:
        """Return the part of the sample from the first games."""
        return _sample(self.states, self.games, self._values(), self.games < count)

    def _values(self) -> NDArray[np.int8]:
        """Return the signs of the values of all moves: 1 and −1."""
        values = np.zeros((len(self), MOST_CELLS), np.int8)
        values[self.moves.owners, self.moves.ends] = np.where(self.wins, 1, -1)
        return values

    @property
    def plies(self) -> NDArray[np.int64]:
        """The ply of each position in its game, from 1."""
        return MOST_CELLS + 1 - self.states.face_up


def class_codes(dealt: PositionBatch) -> NDArray[np.uint64]:
    """Return a code for each deal that is invariant under the symmetries of the board.

    It is the least code of the cards over all symmetries that map red's jack to the first cell.
    """
    codes = np.full(len(dealt), np.iinfo(np.uint64).max, np.uint64)
    cards = dealt.cards.astype(np.uint64)
    for red in range(MOST_CELLS):
        (here,) = np.nonzero(dealt.roots[:, 1] == red)
        for symmetry in symmetries(dealt.rules.board):
            if symmetry[red] == 0:
                places = np.array([3 * (MOST_CELLS - 1 - cell) for cell in symmetry], np.uint64)
                codes[here] = np.minimum(codes[here], (cards[here] << places).sum(axis=1))
    return codes


def tenth_of(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the tenth (0 to 9) of each class of deals, by a hash."""
    mixed = codes.copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return ((mixed ^ mixed >> np.uint64(31)) % np.uint64(10)).astype(np.int64)


def deals_of(part: Split, count: int, rng: np.random.Generator, rules: Rules = STANDARD) -> PositionBatch:
    """Return `count` random deals of one split."""
    require(rules, Can.STRATEGY)
    found: list[PositionBatch] = []
    missing = count
    while missing > 0:
        dealt = deal(2 * missing + 100, rng, rules)
        tenths = tenth_of(class_codes(dealt))
        wanted = dealt[np.isin(tenths, list(TENTHS[part]))][:missing]
        found.append(wanted)
        missing -= len(wanted)
    return found[0].joined(found[1:])


def draw_sample(
    part: Split,
    games: int,
    rng: np.random.Generator,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Sample:
    """Return the positions of `games` games of one split; `progress(games)` is called after each chunk."""
    found = []
    for first in range(0, games, CHUNK):
        size = min(CHUNK, games - first)
        dealt = deals_of(part, size, rng, rules)
        states, owners, values = play(dealt, (np.arange(size) + first) % KINDS, rng, jobs=jobs)
        found.append((states.cards, states.roots, owners + first, values))
        progress(size)
    cards, roots, owners, values = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return _sample(
        PositionBatch(rules, cards, roots), owners, values, np.ones(len(owners), np.bool_), jobs=jobs
    )


def play(
    dealt: PositionBatch, kinds: NDArray[np.int64], rng: np.random.Generator, *, jobs: int | None = None
) -> tuple[PositionBatch, NDArray[np.int64], NDArray[np.int8]]:
    """Play one game of each deal, vectorised.

    Returns the positions with winning and losing moves, the game of each, and the values of their moves.
    """
    states, owners = dealt, np.arange(len(dealt))
    found = []
    while len(states):
        values = states.values(jobs)
        going = values.any(axis=1)
        states, owners, values = states[going], owners[going], values[going]
        choice = (values > 0).any(axis=1) & (values < 0).any(axis=1)
        found.append((states.cards[choice], states.roots[choice], owners[choice], values[choice]))
        legal = values != 0
        coins, luck = rng.random((2, len(dealt)))
        perfect = (kinds == PERFECT) | ((kinds == MIXED) & (coins < 0.5))
        allowed = np.where(perfect[owners, None], best_of(values), legal)
        states = states.played(pick(allowed, luck[owners]))
    cards, roots, owners, values = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return PositionBatch(dealt.rules, cards, roots), owners, values


def _sample(
    states: PositionBatch,
    games: NDArray[np.int64],
    values: NDArray[np.int8],
    which: NDArray[np.bool_],
    *,
    jobs: int | None = None,
) -> Sample:
    """Make a sample of some positions, sorted by cards left."""
    (chosen,) = np.nonzero(which)
    order = chosen[np.argsort(-states.face_up[chosen], kind="stable")]
    states, games, values = states[order], games[order], values[order]
    moves = count_moves(states, values != 0, jobs=jobs)
    return Sample(states, games, moves, values[moves.owners, moves.ends] > 0)
