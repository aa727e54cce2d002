"""Solved positions to learn from and to measure with: those where a win can be kept or thrown away.

They come from games of random deals, a third each: both sides move at random; both play perfectly; both toss
a coin at every ply which of the two to do. Which deals are trained on, which are held back to choose between
cards, and which are fresh is settled by the class of the deal under the board's symmetries, the same for
every seed: no card ever met a fresh deal, in any orientation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from collapsi.reach import MOST_CELLS
from collapsi.rules import STANDARD
from collapsi.strategy.states import Moves, States, count_moves, deals
from collapsi.symmetry import symmetries

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from collapsi.rules import Rules

CHUNK = 3000
"""Games played at a time."""

KINDS = 3
RANDOM, PERFECT, MIXED = range(KINDS)


class Part(StrEnum):
    """What a deal is used for."""

    TRAIN = "train"
    VALIDATION = "validation"
    FRESH = "fresh"


TENTHS = {Part.TRAIN: range(6), Part.VALIDATION: range(6, 8), Part.FRESH: range(8, 10)}
"""How the classes of deals are shared out."""


@dataclass(frozen=True)
class Sample:
    """Won positions with winning and losing moves; those with most face-up cards first."""

    states: States
    games: NDArray[np.int64]
    """The game that each position is from: positions of one game have much in common."""
    moves: Moves
    wins: NDArray[np.bool_]
    """By move: whether it keeps the win."""

    def __len__(self) -> int:
        return len(self.games)

    def first_games(self, count: int) -> Sample:
        """A smaller sample, of the first games only."""
        return _sample(self.states, self.games, self._values(), self.games < count)

    def _values(self) -> NDArray[np.int8]:
        """The values again, as far as they matter here: 1 and −1."""
        values = np.zeros((len(self), MOST_CELLS), np.int8)
        values[self.moves.owners, self.moves.ends] = np.where(self.wins, 1, -1)
        return values

    @property
    def plies(self) -> NDArray[np.int64]:
        """Which ply of its game each position is played at, from 1."""
        return MOST_CELLS + 1 - self.states.face_up


def class_codes(dealt: States) -> NDArray[np.uint64]:
    """A number for each deal that is the same for all deals which a symmetry of the board turns into each
    other.

    Red's jack is brought to the first cell in every possible way; the least way to write the cards down
    counts.
    """
    codes = np.full(len(dealt), np.iinfo(np.uint64).max, np.uint64)
    cards = dealt.cards.astype(np.uint64)
    for red in range(MOST_CELLS):
        (here,) = np.nonzero(dealt.roots[:, 1] == red)
        for way in symmetries(dealt.rules.board):
            if way[red] == 0:
                places = np.array([3 * (MOST_CELLS - 1 - cell) for cell in way], np.uint64)
                codes[here] = np.minimum(codes[here], (cards[here] << places).sum(axis=1))
    return codes


def part_of(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The tenth (0 to 9) that each class of deals is in, by a well-mixed hash."""
    mixed = codes.copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return ((mixed ^ mixed >> np.uint64(31)) % np.uint64(10)).astype(np.int64)


def deals_of(part: Part, count: int, rng: np.random.Generator, rules: Rules = STANDARD) -> States:
    """So many random deals of one part."""
    found: list[States] = []
    missing = count
    while missing > 0:
        dealt = deals(rules, 2 * missing + 100, rng)
        tenths = part_of(class_codes(dealt))
        wanted = dealt[np.isin(tenths, list(TENTHS[part]))][:missing]
        found.append(wanted)
        missing -= len(wanted)
    return found[0].joined(found[1:])


def draw(
    part: Part,
    games: int,
    rng: np.random.Generator,
    rules: Rules = STANDARD,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Sample:
    """The choices of so many games of deals of one part; `progress` is told how many games are done."""
    found = []
    for first in range(0, games, CHUNK):
        size = min(CHUNK, games - first)
        dealt = deals_of(part, size, rng, rules)
        states, owners, values = play(dealt, (np.arange(size) + first) % KINDS, rng, jobs=jobs)
        found.append((states.cards, states.roots, owners + first, values))
        progress(size)
    cards, roots, owners, values = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return _sample(States(rules, cards, roots), owners, values, np.ones(len(owners), np.bool_), jobs=jobs)


def play(
    dealt: States, kinds: NDArray[np.int64], rng: np.random.Generator, *, jobs: int | None = None
) -> tuple[States, NDArray[np.int64], NDArray[np.int8]]:
    """Play a game of each deal, all side by side: its choices, whose game each is from, and the values of
    their moves.
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
        best = values == np.where(legal, values, -99).max(axis=1, keepdims=True)
        coins, luck = rng.random((2, len(dealt)))
        perfect = (kinds == PERFECT) | ((kinds == MIXED) & (coins < 0.5))
        allowed = np.where(perfect[owners, None], best & legal, legal)
        states = states.played(pick(allowed, luck[owners]))
    cards, roots, owners, values = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return States(dealt.rules, cards, roots), owners, values


def pick(allowed: NDArray[np.bool_], luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """One of the allowed cells of each row: by a number from 0 to below 1, all alike."""
    number = np.floor(luck * allowed.sum(axis=1)).astype(np.int64)
    return np.asarray(np.argmax(np.cumsum(allowed, axis=1) > number[:, None], axis=1), np.int64)


def _sample(
    states: States,
    games: NDArray[np.int64],
    values: NDArray[np.int8],
    which: NDArray[np.bool_],
    *,
    jobs: int | None = None,
) -> Sample:
    """A sample of some positions, ordered by the cards left."""
    (chosen,) = np.nonzero(which)
    order = chosen[np.argsort(-states.face_up[chosen], kind="stable")]
    states, games, values = states[order], games[order], values[order]
    moves = count_moves(states, values != 0, jobs=jobs)
    return Sample(states, games, moves, values[moves.owners, moves.ends] > 0)
