"""The moves of a batch of positions, with the counts of all words."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.core.reach import MOST_CELLS, full_reach
from collapsi.games.classic import counting, search
from collapsi.play.strategy.vocabulary import LOOKS, WORDS
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch

CHUNK = 512
"""Positions per task of a thread."""

NUMBERS = 4


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
