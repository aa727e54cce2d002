"""What an ace, a two, a three and a four are worth at every ply: they swap places during the game.

Two questions, both put to solved positions in which a win can be kept or thrown away. *Landing*: how much
more often a move that lands on the number keeps the win than a random move of the same position. *Next*: how
much more often a move keeps the win for one more card of the number among those one could step to next, the
other numbers being equal (least squares over the moves of each position).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.strategy.measure import DEVIATIONS, WORD_NUMBER, Share, clustered_share
from collapsi.strategy.states import NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.strategy import shapes
    from collapsi.strategy.samples import Sample

ENOUGH = 0.02
"""Plies with a smaller share of the positions are left out: almost nothing is known of them."""

LEAST_GAMES = 20
"""Four numbers fitted to fewer games would fit too well, and their intervals would be too narrow."""


@dataclass(frozen=True)
class NumbersAt:
    """What the four numbers are worth at one ply, ace first: differences of shares of wins kept."""

    ply: int
    positions: int
    landing: tuple[Share, ...]
    next: tuple[Share, ...]

    def to_json(self) -> shapes.NumbersAt:
        """As plain data."""
        return {
            "ply": self.ply,
            "positions": self.positions,
            "landing": [share.to_json() for share in self.landing],
            "next": [share.to_json() for share in self.next],
        }


def worth_of_numbers(sample: Sample) -> tuple[NumbersAt, ...]:
    """The worth of the numbers at every ply of which enough is known."""
    moves = sample.moves
    wins = _beside_others(sample, sample.wins.astype(np.float64))
    nexts = _beside_others(sample, moves.counts[:, WORD_NUMBER["next"]].astype(np.float64))
    landing = moves.counts[:, WORD_NUMBER["landing"]] > 0
    games, plies = sample.games[moves.owners], sample.plies
    found = []
    for ply in np.unique(plies):
        positions = int((plies == ply).sum())
        if positions < ENOUGH * len(sample):
            continue
        here = plies[moves.owners] == ply
        lands = (here & landing[:, number] for number in range(NUMBERS))
        found.append(
            NumbersAt(
                int(ply),
                positions,
                tuple(clustered_share(wins[some], games[some]) for some in lands),
                _slopes(nexts[here], wins[here], games[here]),
            )
        )
    return tuple(found)


def _beside_others(sample: Sample, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each move's value less the mean of its position's moves."""
    begins = sample.moves.begins
    sums = np.add.reduceat(values, begins[:-1], axis=0)
    means = (sums.T / np.diff(begins)).T
    return np.asarray(values - means[sample.moves.owners])


def _slopes(
    counts: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.int64]
) -> tuple[Share, ...]:
    """What one more of each number adds to the wins, with intervals that take a game as one draw."""
    products = np.einsum("mi,mj->ij", counts, counts)
    if len(np.unique(games)) < LEAST_GAMES or np.linalg.matrix_rank(products) < NUMBERS:
        return (Share(0.0, 1.0, 0),) * NUMBERS  # nothing is known
    inverse = np.linalg.inv(products)
    slopes = inverse @ np.einsum("mi,m->i", counts, wins)
    errors = counts * (wins - np.einsum("mi,i->m", counts, slopes))[:, None]
    by_game = np.stack([np.bincount(games, errors[:, number]) for number in range(NUMBERS)])
    spread = inverse @ np.einsum("ig,jg->ij", by_game, by_game) @ inverse
    margins = DEVIATIONS * np.sqrt(np.maximum(np.diag(spread), 0))
    return tuple(
        Share(float(slope), float(margin), len(wins)) for slope, margin in zip(slopes, margins, strict=True)
    )


def aces_lead_from(numbers: tuple[NumbersAt, ...]) -> int | None:
    """The ply from which on a next ace is worth more than a next four; None if it never is."""
    lead = None
    for at in numbers:
        if at.next[0].value <= at.next[-1].value:
            lead = None
        elif lead is None:
            lead = at.ply
    return lead
