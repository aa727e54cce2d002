"""What a seat of the big board is worth when everybody at the table is equally strong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.big_facts import STRONG_NODES
from collapsi.big_facts.rounds import play_round
from collapsi.games.crowd_analysis import seat_json
from collapsi.games.crowd_engine import estimate
from collapsi.intervals import Mean, Rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd
    from collapsi.rules import CrowdRules, Player

ROUNDS = 5
"""Rounds of each number of players for each deal for two that is solved."""


@dataclass(frozen=True)
class Seats:
    """Points and rounds won by seat, in rounds between equals."""

    rules: CrowdRules
    rounds: int
    nodes: int
    """That each looks at for a move."""
    points: dict[Player, Mean]
    won: dict[Player, Rate]

    def to_json(self) -> json_shapes.CrowdSeats:
        """As plain data."""
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


def worth_of_seats(
    rules: CrowdRules,
    rounds: int,
    seed: int,
    *,
    nodes: int = STRONG_NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> Seats:
    """So many rounds between equals, each from a deal of its own."""
    rng = random.Random(f"{seed} seats {rules}")

    def strong(state: Crowd) -> int:
        return estimate(state, seed=rng.getrandbits(32), nodes=nodes).moves[0][0]

    found: list[tuple[int, ...]] = []
    for number in range(rounds):
        progress(f"{rules.players} players: round {number + 1} of {rounds}")
        points = play_round(rules, strong, rng).points
        assert points is not None
        found.append(points)
    top = rules.players - 1
    return Seats(
        rules,
        rounds,
        nodes,
        {seat: Mean.of(Counter(points[seat] for points in found)) for seat in rules.seats},
        {seat: Rate(sum(points[seat] == top for points in found), rounds) for seat in rules.seats},
    )
