"""Computers at a table of the big board: rounds between levels, and the ladder that they make."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.big_facts import LADDER_NODES
from collapsi.games.crowd import deal_crowd
from collapsi.games.crowd_players import choose, level_text, levels
from collapsi.intervals import Mean, Rate
from collapsi.opponent import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd
    from collapsi.rules import CrowdRules, Player

REFERENCE = Level.TWO
"""Whom the strongest has to beat clearly, beside who is next to it and who moves at random."""


@dataclass(frozen=True)
class Rung:
    """One level at a table at which all other seats are another's, every seat as often as the others."""

    level: Level
    others: Level
    players: int
    won: Rate
    points: Mean
    """Of a round, to the one."""
    milliseconds: float
    """CPU for a move of the one, on average."""

    @property
    def fair(self) -> float:
        """The share of rounds that one of so many equals would win."""
        return 1 / self.players

    def to_json(self) -> json_shapes.CrowdRung:
        """As plain data."""
        return {
            "level": self.level,
            "text": level_text(self.level),
            "others": self.others,
            "won": self.won.to_json(),
            "fair": self.fair,
            "points": self.points.to_json(),
            "milliseconds": self.milliseconds,
        }


def play_round(
    rules: CrowdRules, choose_for: Callable[[Crowd], int], rng: random.Random, state: Crowd | None = None
) -> Crowd:
    """A round to its end, from a new deal or from a position."""
    state = state or deal_crowd(rng, rules)
    while not state.over:
        state = state.play(choose_for(state))
    return state


def measure(
    level: Level, others: Level, rules: CrowdRules, rounds: int, *, seed: int, nodes: int = LADDER_NODES
) -> Rung:
    """So many rounds of one level at a table of others. Only the strongest uses `nodes`.

    >>> from collapsi.rules import BIG3
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

        def choose_for(state: Crowd, seat: Player = seat) -> int:
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


def pairs(climbing: Sequence[Level]) -> list[tuple[Level, Level]]:
    """Who is measured against whom: each against the next weaker; the strongest against two others too."""
    found = list(zip(climbing[1:], climbing, strict=False))
    for other in (REFERENCE, Level.RANDOM):
        if other in climbing and (climbing[-1], other) not in found and climbing[-1] is not other:
            found.append((climbing[-1], other))
    return found


def climb(
    climbing: Sequence[Level],
    rules: CrowdRules,
    rounds: int,
    *,
    seed: int,
    nodes: int = LADDER_NODES,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Rung, ...]:
    """The ladder: each level against the one before it, weakest first."""
    rungs = []
    for level, others in pairs(climbing):
        progress(f"{level} among {others}")
        rungs.append(measure(level, others, rules, rounds, seed=seed, nodes=nodes))
    return tuple(rungs)
