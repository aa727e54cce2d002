"""The value of a shift for the player who makes it.

A shift ends every move of both players. To measure the value of a single one, the rules are changed for one
move from a given position:

- *own*: the rules as they are. The mover walks and chooses the shift.
- *none*: the mover walks, and the board does not shift.
- *theirs*: the mover walks, and the opponent chooses which of the four shifts is made.

Afterwards both play perfectly by the rules. The difference between the mover's wins with *own* and with
*none* is the value of the shift; the difference between *own* and *theirs* is the value of choosing it. For
comparison the mover's wins under standard rules, without any shift, are measured too.

Positions come from random games: deal *n* of a seed, then uniformly random legal moves for a given number of
plies. Games that end earlier are excluded.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from collapsi.core.intervals import Rate
from collapsi.core.players import Player
from collapsi.facts.shifting.readings import without_shift
from collapsi.games.classic import search
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.games.shifting.state import Shifting
from collapsi.play.dealing import nth_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.facts import json_types
    from collapsi.games.classic.position import Position
    from collapsi.games.shifting.rules import ShiftingRules

PLIES = range(9)
"""Numbers of plies played; most random games are over after the last."""

COSTS = {
    SHIFT.name: (260_000, 60_000, 20_000, 6_000, 2_500),
    SHIFT_BOX.name: (12_000, 4_000, 2_000, 1_000, 1_000),
    SHIFT_ROTATE.name: (2_600_000, 500_000, 90_000, 20_000, 4_000),
}
"""Approximate microseconds per position, by plies played; the last number is for all later plies."""

MOST_COST = 300_000
"""Positions that take longer are excluded: the deals of `shift-rotate`."""

Kind = TypeVar("Kind", Shifting, "Position")


@dataclass(frozen=True)
class ShiftWorth:
    """The value of a single shift after some plies of random play."""

    rules: ShiftingRules
    plies: int
    own: Rate
    none: Rate
    theirs: Rate
    standard: Rate
    """The mover's wins under standard rules, in positions from the same procedure."""
    ways: tuple[int, int, int, int]
    """Of the walks that can win, how many win with one of the four shifts, two, three, or all four."""

    @property
    def walks(self) -> int:
        """The number of walks that can win."""
        return sum(self.ways)

    @property
    def kept_by_chance(self) -> float:
        """The share of winning walks for which a random shift keeps the win."""
        return sum(number * walks for number, walks in enumerate(self.ways, 1)) / (4 * self.walks or 1)

    def to_json(self) -> json_types.ShiftingWorth:
        """Return the values as JSON."""
        return {
            "rules": self.rules.name,
            "plies": self.plies,
            "own": self.own.to_json(),
            "none": self.none.to_json(),
            "theirs": self.theirs.to_json(),
            "standard": self.standard.to_json(),
            "walks_by_winning_shifts": list(self.ways),
        }


def measure_worth(
    rules: ShiftingRules,
    games: int,
    seed: int,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _cost: None,
) -> tuple[ShiftWorth, ...]:
    """Measure the value of a shift after each number of plies, with fewer games where solving is slow."""
    found = []
    for plies in plies_of(rules):
        size = size_of(rules, plies, games)
        progress(f"worth of a shift, {rules}", size * cost_of(rules, plies))
        starts = (nth_deal(seed, number, rules) for number in range(size))
        positions = list(_positions_after(starts, plies, seed))
        flat_starts = (without_shift(nth_deal(seed, number, SHIFT)) for number in range(size))
        flat = list(_positions_after(flat_starts, plies, seed))
        found.append(worth_of(rules, plies, positions, flat, jobs))
    return tuple(found)


def plies_of(rules: ShiftingRules) -> list[int]:
    """Return the numbers of plies after which a position can be solved in reasonable time."""
    return [plies for plies in PLIES if cost_of(rules, plies) <= MOST_COST]


def cost_of(rules: ShiftingRules, plies: int) -> int:
    """Return the approximate microseconds per position."""
    costs = COSTS[rules.name]
    return costs[min(plies, len(costs) - 1)]


def size_of(rules: ShiftingRules, plies: int, games: int) -> int:
    """Return the size of the sample, smaller where solving is slow."""
    cost = cost_of(rules, plies)
    return max(1, games // (8 if cost > 40_000 else 2 if cost > 10_000 else 1))


def worth_cost(rules: ShiftingRules, games: int) -> int:
    """Return the sum of the costs that `measure_worth` reports."""
    return sum(size_of(rules, plies, games) * cost_of(rules, plies) for plies in plies_of(rules))


def _positions_after(starts: Iterator[Kind], plies: int, seed: int) -> Iterator[Kind]:
    """Yield the positions after `plies` random plies; games that are over by then are excluded."""
    for number, start in enumerate(starts):
        rng = random.Random(f"{seed} {number} play")
        position = start
        for _ in range(plies):
            if not position.ends:
                break
            position = position.play(rng.choice(position.moves))
        if position.ends:
            yield position


def worth_of(
    rules: ShiftingRules, plies: int, positions: list[Shifting], flat: list[Position], jobs: int | None
) -> ShiftWorth:
    """Compute the value of a shift in these positions; `flat` are positions of standard rules."""
    own = theirs = 0
    ways: Counter[int] = Counter()
    for position, solution in zip(positions, shift_search.solve_many(positions, jobs=jobs), strict=True):
        winning = [sum(solution.values[4 * end + way] > 0 for way in range(4)) for end in position.ends]
        own += any(winning)
        theirs += 4 in winning
        ways.update(winning)
    # Each walk without a shift: the mover wins if the opponent, who moves next, loses after one of them.
    walked = [(index, end) for index, position in enumerate(positions) for end in position.ends]
    values = shift_search.value_many([walk_only(positions[index], end) for index, end in walked], jobs=jobs)
    none = {index for (index, _), value in zip(walked, values, strict=True) if value < 0}
    standard = sum(max(solution.values) > 0 for solution in search.solve_many(flat, jobs=jobs))
    return ShiftWorth(
        rules,
        plies,
        Rate(own, len(positions)),
        Rate(len(none), len(positions)),
        Rate(theirs, len(positions)),
        Rate(standard, len(flat)),
        (ways[1], ways[2], ways[3], ways[4]),
    )


def walk_only(position: Shifting, end: int) -> Shifting:
    """Return the position after a walk without a shift."""
    start = position.pawns[position.to_move]
    cards = (*position.cards[:start], None, *position.cards[start + 1 :])
    other = position.pawns[position.to_move.other]
    pawns = (end, other) if position.to_move is Player.RED else (other, end)
    return Shifting(position.board, cards, pawns, position.to_move.other, position.rules)
