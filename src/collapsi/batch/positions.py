"""Positions as arrays: the input of the compiled kernels, and vectorised moves, planes and values.

The encoding of observations is that of `collapsi.ecosystem.arena`, which describes it; a test compares both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.cards import STEPS, Card
from collapsi.core.errors import CollapsiError, wrong_type
from collapsi.core.players import PAIR, Player
from collapsi.core.reach import CELL_BITS, MOST_CELLS, ROW_BITS, full_reach
from collapsi.games.classic import search
from collapsi.games.classic.position import Position
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.kind import Can
from collapsi.games.registry import parse_rules, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

CONTENTS = len(Card) + 1
"""Planes for the content of cells: one for each card, and one for collapsed cards."""

PLANES = CONTENTS + 2 * len(PAIR)
"""All planes of an observation: also the pawns, and the player to move."""

LOWEST = -99
"""Below every value."""


@dataclass(frozen=True)
class PositionBatch:
    """Positions under one rule set, one per row.

    >>> import collapsi
    >>> batch = PositionBatch.of([collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")])
    >>> batch.legal().nonzero()[1].tolist()
    [3, 4, 6, 11]
    >>> batch.values()[0, [3, 4, 6, 11]].tolist()  # cards left at the end, negative for a loss
    [-4, 3, -4, -4]
    >>> batch.played([4]).position(0).text
    'A223/4rA2./3A23/Jb3A4 b'
    """

    rules: Rules
    cards: NDArray[np.uint8]
    """Sixteen cards as dealt; `roots` says which have collapsed. Cells outside the board count as those."""
    roots: NDArray[np.int64]
    """Face-up cards, cell of the player to move, cell of the other, 0 for red to move and 16 for blue."""

    @classmethod
    def of(cls, positions: Sequence[Position]) -> PositionBatch:
        """Return positions of one rule set as a batch."""
        if not all(isinstance(position, Position) for position in positions):
            raise wrong_type(positions, "positions of the classic game")
        if len({position.rules.name for position in positions}) != 1:
            msg = "a batch has positions of one rule set, and at least one"
            raise CollapsiError(msg)
        cards = [search.codes_of(position) for position in positions]
        roots = [search.root_of(position) for position in positions]
        return cls(positions[0].rules, np.array(cards, np.uint8), np.array(roots, np.int64))

    def __len__(self) -> int:
        return len(self.roots)

    def __getitem__(self, which: Any) -> PositionBatch:
        """Return a part: by a slice, a mask or indices."""
        return PositionBatch(self.rules, self.cards[which], self.roots[which])

    @property
    def face_up(self) -> NDArray[np.int64]:
        """The number of face-up cards of each."""
        return np.bitwise_count(self.roots[:, 0]).astype(np.int64)

    @property
    def movers(self) -> NDArray[np.int64]:
        """The player to move in each: 0 for red and 1 for blue."""
        return self.roots[:, 3] // MOST_CELLS

    def position(self, index: int) -> Position:
        """Return one position as an object."""
        face_up, mover, other, player = (int(number) for number in self.roots[index])
        cards = tuple(
            Card(int(self.cards[index, cell])) if face_up >> cell & 1 else None
            for cell in range(self.rules.board.size)
        )
        return Position(
            cards,
            (other, mover) if player else (mover, other),
            Player.BLUE if player else Player.RED,
            self.rules,
        )

    def played(self, ends: ArrayLike) -> PositionBatch:
        """Return the positions after a move in each, given by its end cell; the moves are not checked."""
        face_up, mover, other, player = self.roots.T
        roots = np.stack([face_up & ~(1 << mover), other, np.asarray(ends), player ^ MOST_CELLS], axis=1)
        return PositionBatch(self.rules, self.cards, roots)

    def joined(self, others: Sequence[PositionBatch]) -> PositionBatch:
        """Return the concatenation with others of the same rules."""
        every = (self, *others)
        return PositionBatch(
            self.rules,
            np.concatenate([states.cards for states in every]),
            np.concatenate([states.roots for states in every]),
        )

    def legal(self) -> NDArray[np.bool_]:
        """Return the legal end cells as a mask; a player without any has lost."""
        reach = full_reach(self.rules.board)
        face_up, mover, other, player = self.roots.T
        cards = self.cards[np.arange(len(self)), mover]
        rows = np.array(search.row_of(self.rules), np.int64)[cards, player + mover]
        ends = np.where(rows >= 0, reach[face_up << ROW_BITS | np.maximum(rows, 0)], 0).astype(np.int64)
        choices = np.maximum(-rows, 0)  # several numbers of steps, as `games.classic.kernel` writes them
        if choices.any():
            for steps in range(len(STEPS)):
                there = reach[face_up << ROW_BITS | steps << CELL_BITS | mover].astype(np.int64)
                ends |= np.where(choices >> steps & 1, there, 0)
            ends |= np.where(choices >> len(STEPS) & 1, face_up & ~(1 << mover), 0)
        return _cells(ends & ~(1 << other))[:, : self.rules.board.size]

    def planes(self, observers: ArrayLike | None = None) -> NDArray[np.int8]:
        """Return the observations as planes, by default those of the players to move.

        The axes are positions, planes, rows and columns. `observers` has a player (0 or 1) for each position.
        """
        board = self.rules.board
        face_up, mover, other, _ = self.roots.T
        content = np.where(_cells(face_up), self.cards, len(Card)).astype(np.uint8)[:, : board.size]
        planes = np.zeros((len(self), PLANES, board.size), np.int8)
        planes[:, :CONTENTS] = content[:, None] == np.arange(CONTENTS, dtype=np.uint8)[:, None]
        is_observer = np.ones(len(self), np.int64)
        if observers is not None:
            is_observer = (self.movers == np.asarray(observers)).astype(np.int64)
        every = np.arange(len(self))
        planes[every, CONTENTS + 1 - is_observer, mover] = 1
        planes[every, CONTENTS + is_observer, other] = 1
        planes[every, CONTENTS + len(PAIR) + 1 - is_observer] = 1
        return planes.reshape(len(self), PLANES, board.rows, board.columns)

    def values(self, jobs: int | None = None) -> NDArray[np.int8]:
        """Return the values of moves by end cell: cards left at the end, negative for a loss; 0: no move."""
        values = search.solve_states(self.cards, self.roots, self.rules, jobs=jobs)
        return values[:, : self.rules.board.size]

    def plies(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the plies to the end for `values`, as `Position.outcome` counts them."""
        moves = self.face_up[:, None] - np.abs(values)
        if not self.rules.uncounted:
            return moves
        on_jack = self.cards[np.arange(len(self))[:, None], self.roots[:, 1:3]] == Card.JACK
        return np.asarray(moves - on_jack[:, :1] - (on_jack[:, 1:] & (moves > 1)), np.int64)

    def best(self, jobs: int | None = None) -> NDArray[np.bool_]:
        """Return the best moves as a mask: the fastest wins, or the slowest losses."""
        return best_of(self.values(jobs))


def best_of(values: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return the moves with the greatest value in each row, as a mask."""
    legal = values != 0
    greatest = np.where(legal, values, LOWEST).max(axis=1, keepdims=True)
    return np.asarray(legal & (values == greatest))


def deal(count: int, rng: np.random.Generator, rules: Rules | str = STANDARD) -> PositionBatch:
    """Return `count` random deals of any rule set of the classic game, with any deck.

    >>> deal(2, np.random.default_rng(1), "standard@5,4,3,2").position(0).text
    'Jr322/4AA2/Jb2A3/3AA4 r standard@5,4,3,2'
    """
    chosen = parse_rules(rules)
    require(chosen, Can.BATCH)
    assert isinstance(chosen, Rules)
    if not isinstance(rng, np.random.Generator):
        raise wrong_type(rng, "a generator of NumPy, such as numpy.random.default_rng(1)")
    deck = np.array([int(card) for card, copies in chosen.cards for _ in range(copies)], np.uint8)
    dealt = rng.permuted(np.tile(deck, (count, 1)), axis=1)
    roots = np.zeros((count, 4), np.int64)
    roots[:, 0] = (1 << len(deck)) - 1
    roots[:, 1:3] = np.nonzero(dealt == Card.JACK)[1].reshape(count, len(PAIR))
    cards = np.full((count, MOST_CELLS), search.COLLAPSED, np.uint8)
    cards[:, : len(deck)] = dealt
    return PositionBatch(chosen, cards, roots)


def pick(allowed: NDArray[np.bool_], luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """Choose one of the allowed cells of each row uniformly, by random numbers from [0, 1)."""
    number = np.floor(luck * allowed.sum(axis=1)).astype(np.int64)
    return np.asarray(np.argmax(np.cumsum(allowed, axis=1) > number[:, None], axis=1), np.int64)


def choose(allowed: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose one of the allowed cells of each row at random; cell 0 in rows without any."""
    return pick(allowed, rng.random(len(allowed)))


def _cells(sets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return sets of cells, as bits, as rows of sixteen booleans."""
    parts = sets.astype("<u2").view(np.uint8)
    return np.unpackbits(parts, bitorder="little").view(np.bool_).reshape(-1, MOST_CELLS)
