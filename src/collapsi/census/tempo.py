"""Tempo: who wins each deal if red starts, and who wins it if blue starts.

A symmetry of the board exchanges any two cells, so the deal with blue to start is another deal with red to
start. The values of both are in the same census.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.deals import deal_at
from collapsi.census.different import SYMMETRIES, representatives, stabiliser
from collapsi.census.layers import NUMBERED, codes_of, places_of
from collapsi.core.decks import deck_of
from collapsi.core.errors import MalformedError
from collapsi.core.intervals import Rate
from collapsi.games.registry import deal as new_deal
from collapsi.games.registry import format_position
from collapsi.play.analysis import analyse_many
from collapsi.play.tempo import KINDS, Tempo, is_symmetric, passed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from collapsi.census import json_types
    from collapsi.census.layers import DealAnswers
    from collapsi.census.lengths import Census
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules


SAMPLE = 20_000
"""Positions after each number of plies in which the effect of a pass is sampled."""


def refuse_unequal(rules: Rules) -> None:
    """Raise if the players have different first moves: then starting is not the only difference."""
    if not is_symmetric(rules):
        msg = (
            f"{rules}: the first moves of red and blue differ, so it matters who is red, not only who starts"
        )
        raise MalformedError(msg)


def values_if_blue_starts(part: DealAnswers, rules: Rules) -> NDArray[np.int8]:
    """Return the value for blue, to move, of the truly different deals with these jacks."""
    jacks, decks = (0, part.jacks.blue), (deck_of(rules),)
    cells = [cell for cell in range(16) if cell not in jacks]
    exchange = next(found for found in SYMMETRIES if (found[jacks[0]], found[jacks[1]]) == jacks[::-1])
    codes = codes_of(NUMBERED, decks)
    ranks = representatives(part.jacks.blue, rules)[0]
    images = places_of(codes[ranks], [cells.index(exchange[cell]) for cell in cells], decks=decks)
    # A census by search has the values of representatives only: those with the least rank.
    least = images
    for renaming in stabiliser(jacks, SYMMETRIES):
        least = np.minimum(least, places_of(codes[images], renaming, decks=decks))
    return part.answers[least]


def kinds_of(part: DealAnswers, rules: Rules, if_blue_starts: NDArray[np.int8]) -> NDArray[Any]:
    """Return the `Tempo` of each truly different deal with these jacks, from `values_if_blue_starts`."""
    ranks = representatives(part.jacks.blue, rules)[0]
    red_wins = part.answers[ranks] > 0
    kinds: NDArray[Any] = np.array(KINDS)[red_wins * 2 + (if_blue_starts > 0)]
    return kinds


@dataclass(frozen=True)
class TempoCount:
    """How many deals are of a kind."""

    tempo: Tempo
    deals: dict[int, int]
    """By the distance of the jacks."""
    different: int
    example: Position
    """The deal of this kind with the shortest games, added up for both starters."""
    plies: tuple[int, int]
    """Their lengths: if red starts, and if blue starts."""

    def to_json(self) -> json_types.TempoCount:
        """Return the row as JSON."""
        return {
            "tempo": self.tempo.value,
            "deals": sum(self.deals.values()),
            "different": self.different,
            "by_distance": [{"distance": steps, "deals": deals} for steps, deals in self.deals.items()],
            "example": {
                "deal": format_position(self.example),
                "plies_if_red_starts": self.plies[0],
                "plies_if_blue_starts": self.plies[1],
            },
        }


def count_tempo(census: Census) -> list[TempoCount]:
    """Count the deals of each kind; kinds without a deal are left out."""
    rules = census.rules
    refuse_unequal(rules)
    codes = codes_of(NUMBERED, (deck_of(rules),))
    found = []
    others = [values_if_blue_starts(part, rules) for part in census.parts]
    by_part = [
        (part, kinds_of(part, rules, other), other) for part, other in zip(census.parts, others, strict=True)
    ]
    for tempo in Tempo:
        deals, different, shortest = {}, 0, []
        for part, kinds, other in by_part:
            ranks, weights = representatives(part.jacks.blue, rules)
            chosen = np.flatnonzero(kinds == tempo)
            deals[part.jacks.distance] = int(weights[chosen].sum())
            different += len(chosen)
            if len(chosen):
                left = np.abs(part.answers[ranks[chosen]].astype(int)), np.abs(other[chosen].astype(int))
                best = int(np.argmax(left[0] + left[1]))
                lengths = tuple(16 - int(cards[best]) - rules.uncounted for cards in left)
                shortest.append((sum(lengths), lengths, part.jacks.blue, int(codes[ranks[chosen[best]]])))
        if different:
            _, (red, blue), cell, code = min(shortest)
            found.append(TempoCount(tempo, deals, different, deal_at(cell, code, rules), (red, blue)))
    return found


@dataclass(frozen=True)
class Passing:
    """How often the side to move would rather pass, in positions after some random plies."""

    plies: int
    would_pass: Rate
    """It loses, and would win if the other side had to move."""
    losing: int
    """Positions of the sample that the side to move loses."""

    def to_json(self) -> json_types.Passing:
        """Return the row as JSON."""
        return {"plies": self.plies, "losing": self.losing, "would_pass": self.would_pass.to_json()}


def positions_after(rules: Rules, plies: int, size: int, seed: int) -> list[Position]:
    """Return unfinished positions after random plies of random deals, one of each deal."""
    found: list[Position] = []
    rng = random.Random(f"{seed} {plies}")
    while len(found) < size:
        position = new_deal(rng, rules)
        for _ in range(plies):
            if not position.moves:
                break
            position = position.play(rng.choice(position.moves))
        if position.moves:
            found.append(position)
    return found


def sample_passing(
    rules: Rules, *, plies: Iterable[int] = (4, 8), size: int = SAMPLE, seed: int = 0, jobs: int | None = None
) -> list[Passing]:
    """Sample how often the side to move would rather pass."""
    found = []
    for number in plies:
        positions = positions_after(rules, number, size, seed)
        swapped = list(map(passed, positions))
        losing = would_pass = 0
        for here, there in zip(
            analyse_many(positions, jobs=jobs), analyse_many(swapped, jobs=jobs), strict=True
        ):
            loses = here.winner is not here.position.to_move
            losing += loses
            would_pass += loses and there.winner is not there.position.to_move
        found.append(Passing(number, Rate(would_pass, size), losing))
    return found
