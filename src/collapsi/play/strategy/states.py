"""Batches of positions as arrays: the input of the compiled kernels, and vectorised moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.cards import Card
from collapsi.core.players import Player
from collapsi.core.reach import CELL_BITS, MASK_BITS, MOST_CELLS, full_reach
from collapsi.games.classic import counting, search
from collapsi.games.classic.position import Position
from collapsi.games.kind import Can
from collapsi.games.registry import require
from collapsi.play.strategy.vocabulary import LOOKS, WORDS
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from collapsi.games.classic.rules import Rules

CHUNK = 512
"""Positions per task of a thread."""

NUMBERS = 4


@dataclass(frozen=True)
class PositionBatch:
    """Positions under one rule set, one per row."""

    rules: Rules
    cards: NDArray[np.uint8]
    """Sixteen cards as dealt; `roots` says which have collapsed."""
    roots: NDArray[np.int64]
    """Face-up cards, cell of the player to move, cell of the other, 0 for red to move and 16 for blue."""

    def __len__(self) -> int:
        return len(self.roots)

    def __getitem__(self, which: Any) -> PositionBatch:
        """Return a part: by a slice, a mask or indices."""
        return PositionBatch(self.rules, self.cards[which], self.roots[which])

    @property
    def face_up(self) -> NDArray[np.int64]:
        """The number of face-up cards of each."""
        return np.bitwise_count(self.roots[:, 0]).astype(np.int64)

    def position(self, index: int) -> Position:
        """Return one position as an object."""
        face_up, mover, other, player = (int(number) for number in self.roots[index])
        cards = tuple(
            Card(int(card)) if face_up >> cell & 1 else None for cell, card in enumerate(self.cards[index])
        )
        return Position(
            cards,
            (other, mover) if player else (mover, other),
            Player.BLUE if player else Player.RED,
            self.rules,
        )

    def played(self, ends: NDArray[np.int64]) -> PositionBatch:
        """Return the positions after a move in each."""
        face_up, mover, other, player = self.roots.T
        return PositionBatch(
            self.rules,
            self.cards,
            np.stack([face_up & ~(1 << mover), other, ends, player ^ MOST_CELLS], axis=1),
        )

    def joined(self, others: Sequence[PositionBatch]) -> PositionBatch:
        """Return the concatenation with others of the same rules."""
        every = (self, *others)
        return PositionBatch(
            self.rules,
            np.concatenate([states.cards for states in every]),
            np.concatenate([states.roots for states in every]),
        )

    def legal(self) -> NDArray[np.bool_]:
        """Return the legal end cells as a mask."""
        reach = full_reach(self.rules.board)
        face_up, mover, other, player = self.roots.T
        cards = self.cards[np.arange(len(self)), mover]
        rows = np.array(search.row_of(self.rules), np.int64)[cards, player + mover]
        ends = np.where(rows >= 0, reach[np.maximum(rows, 0) | face_up], 0).astype(np.int64)
        choices = np.maximum(-rows, 0)  # several numbers of steps, as `games.classic.kernel` writes them
        for steps in range(NUMBERS):
            there = reach[(steps << CELL_BITS | mover) << MASK_BITS | face_up].astype(np.int64)
            ends |= np.where(choices >> steps & 1, there, 0)
        ends |= np.where(choices >> NUMBERS & 1, face_up & ~(1 << mover), 0)
        free = ends & ~(1 << other)
        return np.asarray(free[:, None] >> np.arange(MOST_CELLS) & 1, np.bool_)

    def values(self, jobs: int | None = None) -> NDArray[np.int8]:
        """Return the values of moves by end cell: cards left at the end, negative for a loss; 0: no move."""
        return search.solve_states(self.cards, self.roots, self.rules, jobs=jobs)

    def plies(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the plies to the end for `values`, as `Position.outcome` counts them."""
        moves = self.face_up[:, None] - np.abs(values)
        if not self.rules.uncounted:
            return moves
        on_jack = self.cards[np.arange(len(self))[:, None], self.roots[:, 1:3]] == Card.JACK
        return np.asarray(moves - on_jack[:, :1] - (on_jack[:, 1:] & (moves > 1)), np.int64)


def batch_of(positions: Sequence[Position]) -> PositionBatch:
    """Return deals or positions of one rule set as a batch; there is at least one."""
    rules = positions[0].rules
    require(rules, Can.STRATEGY)
    cards = [
        [search.COLLAPSED if card is None else card for card in position.cards] for position in positions
    ]
    return PositionBatch(
        rules,
        np.array(cards, np.uint8),
        np.array([search.root_of(position) for position in positions], np.int64),
    )


def deals(rules: Rules, count: int, rng: np.random.Generator) -> PositionBatch:
    """Return `count` random deals."""
    require(rules, Can.STRATEGY)
    deck = np.array([int(card) for card, copies in rules.cards for _ in range(copies)], np.uint8)
    cards = rng.permuted(np.tile(deck, (count, 1)), axis=1)
    jacks = np.nonzero(cards == Card.JACK)[1].reshape(count, 2)
    roots = np.zeros((count, 4), np.int64)
    roots[:, 0] = (1 << MOST_CELLS) - 1
    roots[:, 1:3] = jacks
    return PositionBatch(rules, cards, roots)


@dataclass(frozen=True)
class MoveBatch:
    """Every move of a batch of positions, grouped by position, with the counts of all words."""

    begins: NDArray[np.int64]
    """The start of each position's moves; finally the end of all."""
    owners: NDArray[np.int64]
    """The position of each move."""
    ends: NDArray[np.int64]
    counts: NDArray[np.int8]
    """By move, word and number (ace to four): the number of such cards."""
    looks: NDArray[np.uint8]
    """By move and look: the number of cards to look at."""

    def any_of(self, word: int) -> NDArray[np.bool_]:
        """Return whether a word is true of each move."""
        return np.asarray(self.counts[:, word].any(axis=1))


def count_moves(states: PositionBatch, legal: NDArray[np.bool_], *, jobs: int | None = None) -> MoveBatch:
    """Count all words for the given moves."""
    owners, ends = np.nonzero(legal)
    begins = np.concatenate([[0], np.cumsum(legal.sum(axis=1))])
    words = np.zeros((len(owners), len(WORDS)), np.uint16)
    looks = np.zeros((len(owners), len(LOOKS)), np.uint8)
    board = states.rules.board
    tables = (
        full_reach(board),
        np.array(search.row_of(states.rules), np.int64),
        np.array([board.colour(cell) for cell in range(MOST_CELLS)], np.int64),
    )

    def work(part: slice) -> None:
        scratch = np.zeros(2 * MOST_CELLS, np.int64)
        counting.count_words(
            *tables, states.cards, states.roots, scratch, owners[part], ends[part], words[part], looks[part]
        )

    parts = [slice(start, start + 8 * CHUNK) for start in range(0, len(owners), 8 * CHUNK)]
    with ThreadPoolExecutor(jobs or cores()) as pool:
        list(pool.map(work, parts))
    bits = np.uint16(1) << np.arange(MOST_CELLS, dtype=np.uint16)
    counts = np.empty((len(owners), len(WORDS), NUMBERS), np.int8)
    for number in range(NUMBERS):
        cells = ((states.cards == number + 1) * bits).sum(axis=1, dtype=np.uint16)
        counts[:, :, number] = np.bitwise_count(words & cells[owners][:, None])
    return MoveBatch(begins, owners, ends, counts, looks)
