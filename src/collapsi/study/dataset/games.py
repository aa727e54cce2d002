"""The games from which the positions of a dataset come: one third from each source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collapsi.batch.positions import best_of, pick
from collapsi.play.strategy.ladder import allowed_many
from collapsi.play.strategy.players import character
from collapsi.play.strategy.samples import deals_of, play_through
from collapsi.study.dataset.plan import LEVELS, SPLITS, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from collapsi.batch.positions import PositionBatch
    from collapsi.study.dataset.plan import DatasetPlan, SplitPart

GAMES = 250
"""Games played at a time: about 2,500 positions."""

SLIPS = 0.25
"""Share of random moves of players that otherwise play perfectly."""

SOURCES = tuple(Source)


@dataclass(frozen=True)
class PlayedPositions:
    """Positions with at least one move, in the order of their games."""

    states: PositionBatch
    values: NDArray[np.int8]
    """The values of moves by end cell: cards left at the end, negative for a loss; 0: no move."""
    dealt: PositionBatch
    """The deals of the games."""
    games: NDArray[np.int64]
    """The deal of each position, by its index."""
    sources: NDArray[np.int64]
    """The source of each position, by its index in `SOURCES`."""


def positions_of(plan: DatasetPlan, task: SplitPart, sources: Sequence[Source] = SOURCES) -> PlayedPositions:
    """Play the games of a part until there are enough positions, the same number from each source.

    The positions depend only on the arguments and on how `LEVELS` play.
    """
    rng = np.random.default_rng([plan.seed, tuple(SPLITS).index(task.split), task.part.number])
    found: list[PlayedPositions] = []
    missing = task.part.deals
    while missing > 0:
        found.append(_play(deals_of(SPLITS[task.split], GAMES, rng, plan.rule_set), sources, rng))
        missing -= len(found[-1].games)
    return _joined(found, task.part.deals)


def _play(dealt: PositionBatch, wanted: Sequence[Source], rng: np.random.Generator) -> PlayedPositions:
    """Play one game of each deal."""
    players = [character(level.value) for level in LEVELS] if Source.LEVELS in wanted else []
    sources = np.array([SOURCES.index(source) for source in wanted])[np.arange(len(dealt)) % len(wanted)]
    levels = rng.integers(len(players), size=(2, len(dealt))) if players else sources  # of red and blue

    def choose(
        states: PositionBatch, games: NDArray[np.int64], values: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        luck, slip = rng.random((2, len(dealt)))
        legal = values != 0
        allowed = np.where((slip[games] < SLIPS)[:, None], legal, best_of(values))
        allowed = np.where((sources[games] == SOURCES.index(Source.RANDOM))[:, None], legal, allowed)
        by_level = sources[games] == SOURCES.index(Source.LEVELS)
        seats = (states.roots[:, 3] > 0).astype(np.int64)
        for number, player in enumerate(players):
            (mine,) = np.nonzero(by_level & (levels[seats, games] == number))
            careful = mine[slip[games[mine]] >= player.slips]
            allowed[mine] = legal[mine]
            if len(careful):
                allowed[careful] = allowed_many(player, states[careful], values=values[careful], jobs=1)
        return pick(allowed, luck[games])

    plies = list(play_through(dealt, choose, jobs=1))
    states = plies[0][0].joined([ply[0] for ply in plies[1:]])
    games, values = (np.concatenate([ply[column] for ply in plies]) for column in (1, 2))
    order = np.argsort(games, kind="stable")
    return PlayedPositions(states[order], values[order], dealt, games[order], sources[games[order]])


def _joined(found: list[PlayedPositions], size: int) -> PlayedPositions:
    """Return the first `size` positions of several batches."""
    starts = np.cumsum([0, *(len(each.dealt) for each in found[:-1])])
    return PlayedPositions(
        found[0].states.joined([each.states for each in found[1:]])[:size],
        np.concatenate([each.values for each in found])[:size],
        found[0].dealt.joined([each.dealt for each in found[1:]]),
        np.concatenate([each.games + start for each, start in zip(found, starts, strict=True)])[:size],
        np.concatenate([each.sources for each in found])[:size],
    )
