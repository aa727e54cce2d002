"""What the engine expects beside what is exact, where that can be had: are its estimates to be believed?

Positions come from rounds in which everybody moves at random now and then and else as the careful level does.
With two players the exact answer is who wins; with more it is the judge's, with its rule for ties.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.big_facts.two import winner_of
from collapsi.games.crowd import deal_crowd
from collapsi.games.crowd_engine import estimate
from collapsi.games.crowd_players import choose
from collapsi.intervals import Mean
from collapsi.opponent import Level
from collapsi.rules import BIG, BIG3, BIG4
from collapsi.solve.crowd_many import Endgame
from collapsi.solve.crowd_search import Room

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd
    from collapsi.rules import CrowdRules

POSITIONS = 5
"""Positions of each kind for each deal for two that is solved."""

CARDS = {BIG.name: 28, BIG3.name: 24, BIG4.name: 24}
"""How many cards are left: as many as can be solved quickly."""

NODES = (5_000, 200_000)
"""That the engine looks at: few, and a twentieth of what a second allows."""

SLIPS = 0.3
"""How often a move on the way there is made at random."""

BINS = 8
"""Into how many parts what can be expected is divided."""


@dataclass(frozen=True)
class Bin:
    """Positions in which the engine expected about as much."""

    expected: float
    """On average."""
    exact: Mean
    positions: int


@dataclass(frozen=True)
class Calibration:
    """What was expected for the mover, and what is exact, by position."""

    rules: CrowdRules
    cards: int
    nodes: int
    pairs: tuple[tuple[float, int], ...]

    @property
    def bins(self) -> tuple[Bin, ...]:
        """Positions that looked about the same, taken together."""
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
        """How far an estimate is off on average, in points."""
        return sum(abs(expected - exact) for expected, exact in self.pairs) / (len(self.pairs) or 1)

    def to_json(self) -> json_shapes.CrowdCalibration:
        """As plain data."""
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
    rules: CrowdRules,
    positions: int,
    seed: int,
    *,
    cards: int | None = None,
    nodes: Sequence[int] = NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Calibration, ...]:
    """So many positions, exactly and by the engine with these numbers of nodes."""
    rng = random.Random(f"{seed} calibration {rules}")
    cards = cards or CARDS[rules.name]
    room = Room(megabytes=64)
    pairs: dict[int, list[tuple[float, int]]] = {}
    for number in range(positions):
        progress(f"estimates, {rules.players} players: {number + 1} of {positions}")
        state = position_with(rules, cards, rng)
        exact = exact_points(state, room)
        seed_of_all = rng.getrandbits(32)
        for count in nodes:
            expected = estimate(state, seed=seed_of_all, nodes=count).points[state.to_move]
            pairs.setdefault(count, []).append((expected, exact))
    return tuple(Calibration(rules, cards, count, tuple(found)) for count, found in pairs.items())


def position_with(rules: CrowdRules, cards: int, rng: random.Random) -> Crowd:
    """A position with so many cards and nobody out, or more than two left, out of a round."""
    while True:
        state = deal_crowd(rng, rules)
        while not state.over and state.cards_left > cards:
            level = Level.RANDOM if rng.random() < SLIPS else Level.TWO
            state = state.play(choose(state, level, rng).move)
        if state.cards_left == cards and len(state.left) >= min(3, rules.players):
            return state


def exact_points(state: Crowd, room: Room) -> int:
    """The mover's points with perfect play."""
    if len(state.left) == 2:
        won = winner_of(state, room) is state.to_move
        return len(state.out) + won
    points = Endgame(state).points(state)
    assert points is not None  # nothing stopped it
    return points[state.to_move]
