"""The value of each seat of the big board when all players are equally strong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean, Rate
from collapsi.facts.big import STRONG_NODES
from collapsi.facts.big.rounds import play_round
from collapsi.games.big.analysis import seat_json
from collapsi.games.big.engine import estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.core.players import Player
    from collapsi.facts import json_types
    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

ROUNDS = 5
"""Rounds of each number of players for each deal for two that is solved."""


@dataclass(frozen=True)
class SeatValues:
    """Points and rounds won by seat, in rounds between equal players."""

    rules: BigRules
    rounds: int
    nodes: int
    """Search nodes per move."""
    points: dict[Player, Mean]
    won: dict[Player, Rate]

    def to_json(self) -> json_types.BigSeats:
        """Return the values as JSON."""
        return {
            "rules": self.rules.name,
            "rounds": self.rounds,
            "nodes": self.nodes,
            "seats": [
                {
                    "seat": seat_json(seat),
                    "points": self.points[seat].to_json(),
                    "won": self.won[seat].to_json(),
                }
                for seat in self.rules.seats
            ],
        }


def measure_seats(
    rules: BigRules,
    rounds: int,
    seed: int,
    *,
    nodes: int = STRONG_NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> SeatValues:
    """Play rounds between equal players, each from a new deal."""
    rng = random.Random(f"{seed} seats {rules}")

    def strong(state: BigState) -> int:
        return estimate(state, seed=rng.getrandbits(32), nodes=nodes).moves[0][0]

    found: list[tuple[int, ...]] = []
    for number in range(rounds):
        progress(f"{rules.players} players: round {number + 1} of {rounds}")
        points = play_round(rules, strong, rng).points
        assert points is not None
        found.append(points)
    top = rules.players - 1
    return SeatValues(
        rules,
        rounds,
        nodes,
        {seat: Mean.of(Counter(points[seat] for points in found)) for seat in rules.seats},
        {seat: Rate(sum(points[seat] == top for points in found), rounds) for seat in rules.seats},
    )
