"""Everything that was measured of the big board, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.big_facts import DEALS, SEED
from collapsi.big_facts.calibration import POSITIONS, Calibration, calibrate
from collapsi.big_facts.seats import ROUNDS, Seats, worth_of_seats
from collapsi.big_facts.two import GAMES, Two, study_two
from collapsi.rules import BIG, BIG3, BIG4

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi import json_shapes

MANY = (BIG3, BIG4)


@dataclass(frozen=True)
class BigFacts:
    """What is known of the big board: each figure from a sample, with its interval."""

    deals: int
    seed: int
    two: Two
    seats: tuple[Seats, ...]
    calibration: tuple[Calibration, ...]

    @property
    def command(self) -> str:
        """What makes it again."""
        return f"collapsi big --deals {self.deals} --seed {self.seed}"

    def to_json(self) -> json_shapes.BigFacts:
        """As plain data."""
        return {
            "deals": self.deals,
            "seed": self.seed,
            "two": self.two.to_json(),
            "seats": [found.to_json() for found in self.seats],
            "calibration": [found.to_json() for found in self.calibration],
        }


def find_facts(
    deals: int = DEALS, seed: int = SEED, *, progress: Callable[[str], None] = lambda _: None
) -> BigFacts:
    """Measure everything; `progress` is told what comes next, `steps_of(deals)` times."""
    return BigFacts(
        deals,
        seed,
        study_two(deals, seed, progress=progress),
        tuple(worth_of_seats(rules, ROUNDS * deals, seed, progress=progress) for rules in MANY),
        tuple(
            found
            for rules in (BIG, *MANY)
            for found in calibrate(rules, POSITIONS * deals, seed, progress=progress)
        ),
    )


def steps_of(deals: int) -> int:
    """How often `find_facts` tells how far it is."""
    return deals * (1 + GAMES + len(MANY) * ROUNDS + (1 + len(MANY)) * POSITIONS)
