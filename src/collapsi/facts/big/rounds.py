"""Rounds between levels on the big board, and the ladder of levels."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.intervals import Mean, Rate
from collapsi.facts.big import LADDER_NODES
from collapsi.games.big.levels import choose, level_text, levels
from collapsi.games.levels import Level
from collapsi.games.registry import deal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi.core.players import Player
    from collapsi.facts import json_types
    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState

REFERENCE = Level.TWO
"""The strongest level is also measured against this one, not only against the next weaker and `random`."""


@dataclass(frozen=True)
class Rung:
    """One level at a table at which another level has all other seats; it plays every seat equally often."""

    level: Level
    others: Level
    players: int
    won: Rate
    points: Mean
    """Points of the level in a round."""
    milliseconds: float
    """Mean CPU time of a move of the level."""

    @property
    def fair(self) -> float:
        """The share of rounds that each of `players` equal players would win."""
        return 1 / self.players

    def to_json(self) -> json_types.BigRung:
        """Return the rung as JSON."""
        return {
            "level": self.level,
            "text": level_text(self.level),
            "others": self.others,
            "won": self.won.to_json(),
            "fair": self.fair,
            "points": self.points.to_json(),
            "milliseconds": self.milliseconds,
        }


def play_round(rules: BigRules, choose_for: Callable[[BigState], int], rng: random.Random) -> BigState:
    """Play a round to its end, from a new deal."""
    state: BigState = deal(rng, rules)
    while not state.over:
        state = state.play(choose_for(state))
    return state


def measure(
    level: Level, others: Level, rules: BigRules, rounds: int, *, seed: int, nodes: int = LADDER_NODES
) -> Rung:
    """Play rounds of one level at a table of others. Only the strongest level uses `nodes`.

    >>> from collapsi.games.big.rules import BIG3
    >>> rung = measure(Level.ONE, Level.RANDOM, BIG3, 6, seed=1)
    >>> rung.won.cases, rung.fair < rung.won.share
    (6, True)
    """
    rng = random.Random(f"{seed} {level} {others} {rules}")
    strongest = levels(rules)[-1]
    won, moves, seconds = 0, 0, 0.0
    points = []
    for number in range(rounds):
        seat = rules.seats[number % rules.players]

        def choose_for(state: BigState, seat: Player = seat) -> int:
            nonlocal moves, seconds
            mover = level if state.to_move is seat else others
            began = time.process_time()
            move = choose(state, mover, rng, nodes=nodes if mover is strongest else None).move
            if state.to_move is seat:
                moves += 1
                seconds += time.process_time() - began
            return move

        end = play_round(rules, choose_for, rng)
        assert end.points is not None
        points.append(end.points[seat])
        won += end.winner is seat
    mean = Mean.of(Counter(points))
    return Rung(level, others, rules.players, Rate(won, rounds), mean, 1000 * seconds / (moves or 1))


def pairings(climbing: Sequence[Level]) -> list[tuple[Level, Level]]:
    """Return the pairs to measure: each level and the next weaker; the strongest also with two others."""
    found = list(zip(climbing[1:], climbing, strict=False))
    for other in (REFERENCE, Level.RANDOM):
        if other in climbing and (climbing[-1], other) not in found and climbing[-1] is not other:
            found.append((climbing[-1], other))
    return found


def measure_ladder(
    climbing: Sequence[Level],
    rules: BigRules,
    rounds: int,
    *,
    seed: int,
    nodes: int = LADDER_NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Rung, ...]:
    """Measure the ladder: each level against the one before it, weakest first."""
    rungs = []
    for level, others in pairings(climbing):
        progress(f"{level} among {others}")
        rungs.append(measure(level, others, rules, rounds, seed=seed, nodes=nodes))
    return tuple(rungs)
