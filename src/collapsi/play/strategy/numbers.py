"""The values of the numbers ace to four at every ply; their order changes during the game.

Two measures, both over solved positions in which a win can be kept or thrown away. *Landing*: how much more
often a move that lands on the number keeps the win than a random move of the same position. *Next*: how much
more often a move keeps the win for each additional card of the number among the mover's next cards, the other
numbers being equal (least squares over the moves of each position).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.play.strategy.measure import DEVIATIONS, WORD_INDEX, Share, clustered_share
from collapsi.play.strategy.states import NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.play.strategy import json_types
    from collapsi.play.strategy.samples import Sample

ENOUGH = 0.02
"""Plies with a smaller share of the positions are omitted."""

LEAST_GAMES = 20
"""With fewer games the fit of four numbers would overfit, and its intervals would be too narrow."""


@dataclass(frozen=True)
class NumbersAt:
    """The values of the four numbers at one ply, ace first: differences of shares of wins kept."""

    ply: int
    positions: int
    landing: tuple[Share, ...]
    next: tuple[Share, ...]

    def to_json(self) -> json_types.NumbersAt:
        """Return the values as JSON."""
        return {
            "ply": self.ply,
            "positions": self.positions,
            "landing": [share.to_json() for share in self.landing],
            "next": [share.to_json() for share in self.next],
        }


def worth_of_numbers(sample: Sample) -> tuple[NumbersAt, ...]:
    """Return the values of the numbers at every ply with enough positions."""
    moves = sample.moves
    wins = _relative_to_mean(sample, sample.wins.astype(np.float64))
    nexts = _relative_to_mean(sample, moves.counts[:, WORD_INDEX["next"]].astype(np.float64))
    landing = moves.counts[:, WORD_INDEX["landing"]] > 0
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
                tuple(clustered_share(wins[lands_on], games[lands_on]) for lands_on in lands),
                _slopes(nexts[here], wins[here], games[here]),
            )
        )
    return tuple(found)


def _relative_to_mean(sample: Sample, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each move's value minus the mean of its position's moves."""
    begins = sample.moves.begins
    sums = np.add.reduceat(values, begins[:-1], axis=0)
    means = (sums.T / np.diff(begins)).T
    return np.asarray(values - means[sample.moves.owners])


def _slopes(
    counts: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.int64]
) -> tuple[Share, ...]:
    """Return the effect of one more card of each number on the wins, with errors clustered by game."""
    products = np.einsum("mi,mj->ij", counts, counts)
    if len(np.unique(games)) < LEAST_GAMES or np.linalg.matrix_rank(products) < NUMBERS:
        return (Share(0.0, 1.0, 0),) * NUMBERS  # unknown
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
    """Return the ply from which on a next ace is worth more than a next four, or None."""
    lead = None
    for at in numbers:
        if at.next[0].value <= at.next[-1].value:
            lead = None
        elif lead is None:
            lead = at.ply
    return lead
