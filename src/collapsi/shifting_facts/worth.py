"""What the shift is worth to the player who makes it.

A shift ends every move, for both players, so there is no playing without it. But one can ask what a single
one is worth. Take a position, and let the rules be changed for this one move only:

- *own*: the rules as they are. The mover walks and chooses the shift.
- *none*: the mover walks, and the board stays as it is.
- *theirs*: the mover walks, and the opponent chooses which of the four shifts is made.

Then both play on by the rules, perfectly. How often does the mover win in each case? What *own* has more than
*none* is what the shift is worth; what it has more than *theirs* is what choosing it is worth. Beside it
stands how often the mover wins under standard rules, where nothing shifts.

Positions come from random games: deal *n* of a seed, then every player takes any legal move, all alike, until
so many plies have been played; those in which the game is over are left out.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from collapsi.games.shifting import Shifting
from collapsi.intervals import Rate
from collapsi.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE, Player
from collapsi.shifting_facts.readings import nth_deal, without_shift
from collapsi.solve import search, shift_search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi import json_shapes
    from collapsi.position import Position
    from collapsi.rules import Rules

PLIES = range(9)
"""Plies that have been played, up to where random games have mostly ended."""

COSTS = {
    SHIFT.name: (260_000, 60_000, 20_000, 6_000, 2_500),
    SHIFT_BOX.name: (12_000, 4_000, 2_000, 1_000, 1_000),
    SHIFT_ROTATE.name: (2_600_000, 500_000, 90_000, 20_000, 4_000),
}
"""Microseconds a position, about, by plies played; the last for all later ones."""

MOST_COST = 300_000
"""A position that takes longer is not asked about: red's first move where lines turn."""

Kind = TypeVar("Kind", Shifting, "Position")


@dataclass(frozen=True)
class Worth:
    """What a single shift is worth, after so many plies of random play."""

    rules: Rules
    plies: int
    own: Rate
    none: Rate
    theirs: Rate
    standard: Rate
    """As often the mover wins under standard rules, in positions found in the same way."""
    ways: tuple[int, int, int, int]
    """Of the walks that can win, how many win with just one of the four shifts, two, three, or all four."""

    @property
    def walks(self) -> int:
        """The walks that can win."""
        return sum(self.ways)

    @property
    def kept_by_chance(self) -> float:
        """Of the walks that can win, how often a random shift keeps the win."""
        return sum(number * walks for number, walks in enumerate(self.ways, 1)) / (4 * self.walks or 1)

    def to_json(self) -> json_shapes.ShiftingWorth:
        """As plain data."""
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
    rules: Rules,
    games: int,
    seed: int,
    *,
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _cost: None,
) -> tuple[Worth, ...]:
    """What a shift is worth after each number of plies; so many games, fewer where a position takes long."""
    found = []
    for plies in plies_of(rules):
        size = size_of(rules, plies, games)
        progress(f"worth of a shift, {rules}", size * cost_of(rules, plies))
        starts = (nth_deal(seed, number, rules) for number in range(size))
        positions = list(_after(starts, plies, seed))
        flat = _after((without_shift(nth_deal(seed, number)) for number in range(size)), plies, seed)
        found.append(worth_of(rules, plies, positions, list(flat), jobs))
    return tuple(found)


def plies_of(rules: Rules) -> list[int]:
    """The numbers of plies after which a position can be asked about in reasonable time."""
    return [plies for plies in PLIES if cost_of(rules, plies) <= MOST_COST]


def cost_of(rules: Rules, plies: int) -> int:
    """Microseconds a position, about."""
    costs = COSTS[rules.name]
    return costs[min(plies, len(costs) - 1)]


def size_of(rules: Rules, plies: int, games: int) -> int:
    """How many games are looked at: where a position takes long, fewer."""
    cost = cost_of(rules, plies)
    return max(1, games // (8 if cost > 40_000 else 2 if cost > 10_000 else 1))


def worth_cost(rules: Rules, games: int) -> int:
    """What `measure_worth` tells `progress` in all."""
    return sum(size_of(rules, plies, games) * cost_of(rules, plies) for plies in plies_of(rules))


def _after(starts: Iterator[Kind], plies: int, seed: int) -> Iterator[Kind]:
    """Where random play leads in so many plies; games that are over by then are left out."""
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
    rules: Rules, plies: int, positions: list[Shifting], flat: list[Position], jobs: int | None
) -> Worth:
    """What a shift is worth in these positions; `flat` are such of standard rules."""
    own = theirs = 0
    ways: Counter[int] = Counter()
    for position, solution in zip(positions, shift_search.solve_many(positions, jobs=jobs), strict=True):
        winning = [sum(solution.values[4 * end + way] > 0 for way in range(4)) for end in position.ends]
        own += any(winning)
        theirs += 4 in winning
        ways.update(winning)
    # Each walk without a shift; the mover wins if the opponent, who is to move then, loses after one of them.
    walked = [(index, end) for index, position in enumerate(positions) for end in position.ends]
    values = shift_search.value_many([walk_only(positions[index], end) for index, end in walked], jobs=jobs)
    none = {index for (index, _), value in zip(walked, values, strict=True) if value < 0}
    standard = sum(max(solution.values) > 0 for solution in search.solve_many(flat, jobs=jobs))
    return Worth(
        rules,
        plies,
        Rate(own, len(positions)),
        Rate(len(none), len(positions)),
        Rate(theirs, len(positions)),
        Rate(standard, len(flat)),
        (ways[1], ways[2], ways[3], ways[4]),
    )


def walk_only(position: Shifting, end: int) -> Shifting:
    """The position after a walk whose line is not shifted."""
    start = position.pawns[position.to_move]
    cards = (*position.cards[:start], None, *position.cards[start + 1 :])
    other = position.pawns[position.to_move.other]
    pawns = (end, other) if position.to_move is Player.RED else (other, end)
    return Shifting(position.board, cards, pawns, position.to_move.other, position.rules)
