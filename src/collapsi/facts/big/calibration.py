"""Calibration of the engine: its estimates compared with exact values, where these can be computed.

Positions come from rounds in which all players choose some moves at random and the others at the level
`two`. With two players the exact value is the winner; with more it is the endgame solver's, with its rule for
ties.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean
from collapsi.facts.big.two import winner_of
from collapsi.games.big.engine import estimate
from collapsi.games.big.levels import choose
from collapsi.games.big.multiplayer import Endgame
from collapsi.games.big.rules import BIG, BIG3, BIG4
from collapsi.games.big.search import TranspositionTable
from collapsi.games.levels import Level
from collapsi.games.registry import deal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi.facts import json_types
    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

POSITIONS = 5
"""Positions of each rule set for each deal for two that is solved."""

CARDS = {BIG.name: 28, BIG3.name: 24, BIG4.name: 24}
"""Cards left in the positions: as many as can be solved quickly."""

NODES = (5_000, 200_000)
"""Search nodes of the engine: few, and about 1/20 second."""

RANDOM_SHARE = 0.3
"""The share of random moves on the way to a position."""

BINS = 8
"""Number of bins of the range of estimates."""


@dataclass(frozen=True)
class Bin:
    """Positions with similar estimates."""

    expected: float
    """Mean estimate."""
    exact: Mean
    positions: int


@dataclass(frozen=True)
class Calibration:
    """Pairs of estimated and exact points of the mover, one for each position."""

    rules: BigRules
    cards: int
    nodes: int
    pairs: tuple[tuple[float, int], ...]

    @property
    def bins(self) -> tuple[Bin, ...]:
        """The positions grouped by estimate."""
        width = (self.rules.players - 1) / BINS
        parts: dict[int, list[tuple[float, int]]] = {}
        for expected, exact in self.pairs:
            parts.setdefault(min(int(expected / width), BINS - 1), []).append((expected, exact))
        return tuple(
            Bin(
                sum(expected for expected, _ in part) / len(part),
                Mean.of(Counter(exact for _, exact in part)),
                len(part),
            )
            for _, part in sorted(parts.items())
        )

    @property
    def error(self) -> float:
        """Mean absolute error of the estimates, in points."""
        return sum(abs(expected - exact) for expected, exact in self.pairs) / (len(self.pairs) or 1)

    def to_json(self) -> json_types.BigCalibration:
        """Return the calibration as JSON."""
        return {
            "rules": self.rules.name,
            "cards": self.cards,
            "nodes": self.nodes,
            "positions": len(self.pairs),
            "error": self.error,
            "bins": [
                {"expected": found.expected, "exact": found.exact.to_json(), "positions": found.positions}
                for found in self.bins
            ],
        }


def calibrate(
    rules: BigRules,
    positions: int,
    seed: int,
    *,
    cards: int | None = None,
    nodes: Sequence[int] = NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Calibration, ...]:
    """Evaluate random positions exactly, and by the engine with each number of nodes."""
    rng = random.Random(f"{seed} calibration {rules}")
    cards = cards or CARDS[rules.name]
    table = TranspositionTable(megabytes=64)
    pairs: dict[int, list[tuple[float, int]]] = {}
    for number in range(positions):
        progress(f"estimates, {rules.players} players: {number + 1} of {positions}")
        state = position_with(rules, cards, rng)
        exact = exact_points(state, table)
        engine_seed = rng.getrandbits(32)
        for count in nodes:
            expected = estimate(state, seed=engine_seed, nodes=count).points[state.to_move]
            pairs.setdefault(count, []).append((expected, exact))
    return tuple(Calibration(rules, cards, count, tuple(found)) for count, found in pairs.items())


def position_with(rules: BigRules, cards: int, rng: random.Random) -> BigState:
    """Return a random position with `cards` cards in which at least three players, or all two, are left."""
    while True:
        state: BigState = deal(rng, rules)
        while not state.over and state.cards_left > cards:
            level = Level.RANDOM if rng.random() < RANDOM_SHARE else Level.TWO
            state = state.play(choose(state, level, rng).move)
        if state.cards_left == cards and len(state.left) >= min(3, rules.players):
            return state


def exact_points(state: BigState, table: TranspositionTable) -> int:
    """Return the mover's points under perfect play."""
    if len(state.left) == 2:
        won = winner_of(state, table) is state.to_move
        return len(state.out) + won
    points = Endgame(state).points(state)
    assert points is not None  # nothing stopped it
    return points[state.to_move]
