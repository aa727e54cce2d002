"""All facts about the shifting board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.errors import MalformedError
from collapsi.facts.shifting import DEALS, SEED
from collapsi.facts.shifting.different import DifferentDeals, different_deals
from collapsi.facts.shifting.first_move import FirstMoveWins, first_move_wins
from collapsi.facts.shifting.readings import PAIRS, READINGS, Outcomes, sample_cost, take_sample
from collapsi.facts.shifting.worth import ShiftWorth, measure_worth, worth_cost
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.system.files import parse_json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi.facts import json_types
    from collapsi.facts.shifting.readings import Difference, Reading

RULES = (SHIFT, SHIFT_BOX, SHIFT_ROTATE)


@dataclass(frozen=True)
class ShiftingFacts:
    """The facts about the shifting board; each part says whether it is exact or from a sample."""

    deals: int
    seed: int
    outcomes: tuple[Outcomes, ...]
    differences: tuple[Difference, ...]
    first_move: tuple[FirstMoveWins, ...]
    different: tuple[DifferentDeals, ...]
    worth: tuple[ShiftWorth, ...]

    @property
    def title(self) -> str:
        """The name of the board and the size of the sample."""
        sample = f"{self.deals:,} random deals in the default reading, more or fewer in the others"
        return f"The Shifting Board: {sample}"

    @property
    def command(self) -> str:
        """The command that reproduces the facts."""
        return f"collapsi facts shift --deals {self.deals} --seed {self.seed}"

    def outcome(self, reading: Reading) -> Outcomes:
        """Return the deals by length under one reading."""
        return next(found for found in self.outcomes if found.reading == reading)

    def wins_at_once(self, reading: Reading) -> FirstMoveWins:
        """Return the deals that red wins with the first move under one reading."""
        return next(found for found in self.first_move if found.reading == reading)

    def to_json(self) -> json_types.ShiftingFacts:
        """Return the facts as JSON."""
        return {
            "deals": self.deals,
            "seed": self.seed,
            "outcomes": [found.to_json() for found in self.outcomes],
            "differences": [found.to_json() for found in self.differences],
            "first_move": [found.to_json() for found in self.first_move],
            "different": [found.to_json() for found in self.different],
            "worth": [found.to_json() for found in self.worth],
        }


def find_facts(
    deals: int = DEALS,
    seed: int = SEED,
    *,
    exact: Sequence[Outcomes] = (),
    jobs: int | None = None,
    progress: Callable[[str, int], None] = lambda _text, _cost: None,
) -> ShiftingFacts:
    """Count what can be counted, and sample the rest.

    `exact` are outcomes of all deals, which replace those of a sample. `progress(text, cost)` is called
    before each step; the costs sum to `total_cost`.
    """
    sample = take_sample(deals, seed, jobs=jobs, progress=progress)
    known = {found.reading: found for found in exact}
    worth = [
        found for rules in RULES for found in measure_worth(rules, deals, seed, jobs=jobs, progress=progress)
    ]
    return ShiftingFacts(
        deals,
        seed,
        tuple(known.get(reading) or sample.outcomes(reading) for reading in READINGS),
        tuple(sample.difference(*pair) for pair in PAIRS),
        tuple(first_move_wins(reading) for reading in READINGS if reading.shifts),
        tuple(different_deals(rules) for rules in RULES),
        tuple(worth),
    )


def total_cost(deals: int = DEALS) -> int:
    """Return the sum of the costs that `find_facts` reports: about the microseconds of CPU."""
    return sample_cost(deals) + sum(worth_cost(rules, deals) for rules in RULES)


def read_census(text: str | bytes) -> Outcomes:
    """Parse the outcomes of all deals from the output of `collapsi census --json`.

    >>> read_census('{"rules": "shift-rotate", "lengths": [{"plies": 13, "deals": 9}]}').red.share
    1.0
    """
    try:
        data = parse_json_text(text)
        lengths = tuple(sorted((int(row["plies"]), int(row["deals"])) for row in data["lengths"]))
        name = str(data["rules"])
    except (ValueError, TypeError, KeyError):
        msg = "not a census: collapsi census --rules shift-rotate --json writes one"
        raise MalformedError(msg) from None
    every = sum(deals for _, deals in lengths)
    for reading in READINGS:
        if every and reading.shifts and reading.name == name:
            return Outcomes(reading, lengths, is_sample=False)
    msg = f"not a census of the shifting board: {name!r:.40}"
    raise MalformedError(msg)
