"""Many positions at once, as arrays: what the compiled kernels read, and how games of them are played on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.machine import cores
from collapsi.position import Position
from collapsi.reach import CELL_BITS, MASK_BITS, MOST_CELLS, full_reach
from collapsi.rules import Card, Player, refuse_shifting
from collapsi.solve import counting, search
from collapsi.strategy.vocabulary import LOOKS, WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from collapsi.rules import Rules

CHUNK = 512
"""Positions given to a thread at a time."""

NUMBERS = 4


@dataclass(frozen=True)
class States:
    """Positions under one rule set: a row each."""

    rules: Rules
    cards: NDArray[np.uint8]
    """Sixteen cards as dealt; what has collapsed is told by `face_up`."""
    roots: NDArray[np.int64]
    """Face-up cards, cell of the side to move, cell of the other, 0 for red to move and 16 for blue."""

    def __len__(self) -> int:
        return len(self.roots)

    def __getitem__(self, which: Any) -> States:
        """Some of them: a slice, a mask or indices."""
        return States(self.rules, self.cards[which], self.roots[which])

    @property
    def face_up(self) -> NDArray[np.int64]:
        """How many cards are face up in each."""
        return np.bitwise_count(self.roots[:, 0]).astype(np.int64)

    def position(self, index: int) -> Position:
        """One of them as an object."""
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

    def played(self, ends: NDArray[np.int64]) -> States:
        """After a move in each."""
        face_up, mover, other, player = self.roots.T
        return States(
            self.rules,
            self.cards,
            np.stack([face_up & ~(1 << mover), other, ends, player ^ MOST_CELLS], axis=1),
        )

    def joined(self, others: Sequence[States]) -> States:
        """Together with others of the same rules."""
        every = (self, *others)
        return States(
            self.rules,
            np.concatenate([states.cards for states in every]),
            np.concatenate([states.roots for states in every]),
        )

    def legal(self) -> NDArray[np.bool_]:
        """Whether the side to move may end on each cell."""
        reach = full_reach(self.rules.board)
        face_up, mover, other, player = self.roots.T
        cards = self.cards[np.arange(len(self)), mover]
        rows = np.array(search.row_of(self.rules), np.int64)[cards, player + mover]
        ends = np.where(rows >= 0, reach[np.maximum(rows, 0) | face_up], 0).astype(np.int64)
        choices = np.maximum(-rows, 0)  # several numbers of steps, as `solve.kernel` writes them
        for steps in range(NUMBERS):
            there = reach[(steps << CELL_BITS | mover) << MASK_BITS | face_up].astype(np.int64)
            ends |= np.where(choices >> steps & 1, there, 0)
        ends |= np.where(choices >> NUMBERS & 1, face_up & ~(1 << mover), 0)
        free = ends & ~(1 << other)
        return np.asarray(free[:, None] >> np.arange(MOST_CELLS) & 1, np.bool_)

    def values(self, jobs: int | None = None) -> NDArray[np.int8]:
        """What every move is worth, by end cell: cards left at the end, negative for a loss; 0: no move."""
        return search.solve_states(self.cards, self.roots, self.rules, jobs=jobs)


def states_of(positions: Sequence[Position]) -> States:
    """Positions of one rule set as arrays."""
    cards = [[0 if card is None else int(card) for card in position.cards] for position in positions]
    roots = [search.root_of(position) for position in positions]
    return States(
        positions[0].rules,
        np.array(cards, np.uint8).reshape(len(positions), MOST_CELLS),
        np.array(roots, np.int64).reshape(len(positions), 4),
    )


def deals(rules: Rules, count: int, rng: np.random.Generator) -> States:
    """So many random deals."""
    refuse_shifting(rules, "cards of rules are")
    deck = np.array([int(card) for card, copies in rules.cards for _ in range(copies)], np.uint8)
    cards = rng.permuted(np.tile(deck, (count, 1)), axis=1)
    jacks = np.nonzero(cards == Card.JACK)[1].reshape(count, 2)
    roots = np.zeros((count, 4), np.int64)
    roots[:, 0] = (1 << MOST_CELLS) - 1
    roots[:, 1:3] = jacks
    return States(rules, cards, roots)


@dataclass(frozen=True)
class Moves:
    """Every move of many positions, those of one position side by side, and what can be counted for each."""

    begins: NDArray[np.int64]
    """Where each position's moves begin; and last, where all end."""
    owners: NDArray[np.int64]
    """The position of each move."""
    ends: NDArray[np.int64]
    counts: NDArray[np.int8]
    """By move, word and number (ace to four): how many such cards."""
    looks: NDArray[np.uint8]
    """By move and look: how many cards are looked at."""

    def any_of(self, word: int) -> NDArray[np.bool_]:
        """Whether a word is true of each move."""
        return np.asarray(self.counts[:, word].any(axis=1))


def count_moves(states: States, legal: NDArray[np.bool_], *, jobs: int | None = None) -> Moves:
    """Count everything for the moves given, by position and end cell."""
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
        room = np.zeros(2 * MOST_CELLS, np.int64)
        counting.count_words(
            *tables, states.cards, states.roots, room, owners[part], ends[part], words[part], looks[part]
        )

    parts = [slice(start, start + 8 * CHUNK) for start in range(0, len(owners), 8 * CHUNK)]
    with ThreadPoolExecutor(jobs or cores()) as pool:
        list(pool.map(work, parts))
    bits = np.uint16(1) << np.arange(MOST_CELLS, dtype=np.uint16)
    counts = np.empty((len(owners), len(WORDS), NUMBERS), np.int8)
    for number in range(NUMBERS):
        cells = ((states.cards == number + 1) * bits).sum(axis=1, dtype=np.uint16)
        counts[:, :, number] = np.bitwise_count(words & cells[owners][:, None])
    return Moves(begins, owners, ends, counts, looks)
