"""Everything that is known of the shifting board, together."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.errors import MalformedError
from collapsi.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.shifting_facts import DEALS, SEED
from collapsi.shifting_facts.different import DifferentDeals, different_deals
from collapsi.shifting_facts.first_move import FirstMoveWins, first_move_wins
from collapsi.shifting_facts.readings import PAIRS, READINGS, Outcomes, sample_cost, take_sample
from collapsi.shifting_facts.worth import Worth, measure_worth, worth_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collapsi import json_shapes
    from collapsi.shifting_facts.readings import Difference, Reading

RULES = (SHIFT, SHIFT_BOX, SHIFT_ROTATE)


@dataclass(frozen=True)
class Facts:
    """What is known of the shifting board, exact or from a sample as each part says."""

    deals: int
    seed: int
    outcomes: tuple[Outcomes, ...]
    differences: tuple[Difference, ...]
    first_move: tuple[FirstMoveWins, ...]
    different: tuple[DifferentDeals, ...]
    worth: tuple[Worth, ...]

    @property
    def command(self) -> str:
        """What makes it again."""
        return f"collapsi shifting --deals {self.deals} --seed {self.seed}"

    def outcome(self, reading: Reading) -> Outcomes:
        """The deals by length under one reading."""
        return next(found for found in self.outcomes if found.reading == reading)

    def wins_at_once(self, reading: Reading) -> FirstMoveWins:
        """The deals that red wins with the first move, under one reading."""
        return next(found for found in self.first_move if found.reading == reading)

    def to_json(self) -> json_shapes.ShiftingFacts:
        """As plain data."""
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
) -> Facts:
    """Count what can be counted, and sample the rest.

    `exact` are outcomes of all deals, which then stand in place of a sample's. `progress` is told what comes
    next and its share of the work, `work_of` in all.
    """
    sample = take_sample(deals, seed, jobs=jobs, progress=progress)
    known = {found.reading: found for found in exact}
    worth = [
        found for rules in RULES for found in measure_worth(rules, deals, seed, jobs=jobs, progress=progress)
    ]
    return Facts(
        deals,
        seed,
        tuple(known.get(reading) or sample.outcomes(reading) for reading in READINGS),
        tuple(sample.difference(*pair) for pair in PAIRS),
        tuple(first_move_wins(reading) for reading in READINGS if reading.rules.shift is not None),
        tuple(different_deals(rules) for rules in RULES),
        tuple(worth),
    )


def work_of(deals: int = DEALS) -> int:
    """What `find_facts` tells `progress` in all: microseconds of CPU, about."""
    return sample_cost(deals) + sum(worth_cost(rules, deals) for rules in RULES)


def read_census(text: str) -> Outcomes:
    """The outcomes of all deals, as `collapsi census --json` writes them.

    >>> read_census('{"rules": "shift-rotate", "lengths": [{"plies": 13, "deals": 9}]}').red.share
    1.0
    """
    try:
        data = json.loads(text)
        lengths = tuple(sorted((int(row["plies"]), int(row["deals"])) for row in data["lengths"]))
        name = str(data["rules"])
    except (ValueError, TypeError, KeyError):
        msg = "this is no census: collapsi census --rules shift-rotate --json writes one"
        raise MalformedError(msg) from None
    every = sum(deals for _, deals in lengths)
    for reading in READINGS:
        if every and reading.rules.shift is not None and reading.name == name:
            return Outcomes(reading, lengths, is_sample=False)
    msg = f"a census of the shifting board is needed, not of {name!r:.40}"
    raise MalformedError(msg)
