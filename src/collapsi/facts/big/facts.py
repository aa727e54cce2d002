"""All measured facts about the big board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.facts.big import DEALS, SEED
from collapsi.facts.big.calibration import POSITIONS, Calibration, calibrate
from collapsi.facts.big.seats import ROUNDS, SeatValues, measure_seats
from collapsi.facts.big.two import GAMES, TwoPlayerGames, measure_two
from collapsi.games.big.rules import BIG, BIG3, BIG4

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.facts import json_types

MULTIPLAYER = (BIG3, BIG4)


@dataclass(frozen=True)
class BigFacts:
    """The facts about the big board, each from a sample with its confidence interval."""

    deals: int
    seed: int
    two: TwoPlayerGames
    seats: tuple[SeatValues, ...]
    calibration: tuple[Calibration, ...]

    @property
    def title(self) -> str:
        """The name of the board and the size of the sample."""
        return f"The big board: {self.deals:,} random deals for two solved, the other samples by that"

    @property
    def command(self) -> str:
        """The command that reproduces the facts."""
        return f"collapsi facts big --deals {self.deals} --seed {self.seed}"

    def to_json(self) -> json_types.BigFacts:
        """Return the facts as JSON."""
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
    """Measure everything; `progress(text)` is called before each of `steps_of(deals)` steps."""
    return BigFacts(
        deals,
        seed,
        measure_two(deals, seed, progress=progress),
        tuple(measure_seats(rules, ROUNDS * deals, seed, progress=progress) for rules in MULTIPLAYER),
        tuple(
            found
            for rules in (BIG, *MULTIPLAYER)
            for found in calibrate(rules, POSITIONS * deals, seed, progress=progress)
        ),
    )


def steps_of(deals: int) -> int:
    """Return the number of steps of `find_facts`."""
    return deals * (1 + GAMES + len(MULTIPLAYER) * ROUNDS + (1 + len(MULTIPLAYER)) * POSITIONS)
