"""Results of long studies, kept as data for the report and the manual.

- `studies.csv`: studies and censuses: who won how many deals, by rules and level.
- `readings.csv`: two readings of the Shifting Board compared deal by deal.
- `nodes.csv`: the engine of the big board with different numbers of search nodes at one seat.

Each row has its date and the command that reproduces it. `python -m collapsi.study.kept.update FOLDER...`
updates the first two from folders of studies (`collapsi study --out FOLDER`), finished or not.

>>> found = kept_study("standard", "card")
>>> found.command, found.red.cases
('collapsi study standard --level card --deals 10000 --seed 7', 10000)
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.core.intervals import Rate
from collapsi.games.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.players import Player

HERE = Path(__file__).parent
STUDIES, READINGS, NODES = HERE / "studies.csv", HERE / "readings.csv", HERE / "nodes.csv"


@dataclass(frozen=True)
class KeptStudy:
    """Deals of one rule set, solved or played by one level."""

    date: str
    rules: str
    level: str
    """`perfect` if the deals were solved."""
    deals: int
    wins: tuple[int, ...]
    """Deals won, by seat."""
    command: str

    @property
    def exact(self) -> bool:
        """Whether all deals were counted."""
        return self.command.startswith("collapsi census")

    def won(self, seat: Player | int) -> Rate:
        """Return how often a seat won."""
        return Rate(self.wins[seat], self.deals, is_sample=not self.exact)

    @property
    def red(self) -> Rate:
        """How often red, who moves first, won."""
        return self.won(0)


@dataclass(frozen=True)
class KeptDifference:
    """Two readings of the Shifting Board on the same deals."""

    date: str
    first: str
    second: str
    winner: Rate
    """How often the winner differs."""
    length: Rate
    """How often winner or length differ."""
    command: str


@dataclass(frozen=True)
class KeptNodes:
    """The strongest level of the big board with a number of nodes, at a table of experts."""

    date: str
    rules: str
    nodes: int
    won: Rate
    points: float
    points_low: float
    points_high: float
    command: str


@cache
def kept_studies() -> tuple[KeptStudy, ...]:
    """Return all kept studies."""
    return tuple(
        KeptStudy(
            row["date"],
            row["rules"],
            row["level"],
            int(row["deals"]),
            tuple(int(row[seat]) for seat in ("red", "blue", "green", "yellow") if row[seat]),
            row["command"],
        )
        for row in _rows(STUDIES)
    )


def kept_study(rules: str, level: str = Level.PERFECT) -> KeptStudy | None:
    """Return the kept study of these rules and this level, if there is one."""
    return next((found for found in kept_studies() if (found.rules, found.level) == (rules, level)), None)


@cache
def kept_differences() -> tuple[KeptDifference, ...]:
    """Return the kept comparisons of readings."""
    return tuple(
        KeptDifference(
            row["date"],
            row["first"],
            row["second"],
            Rate(int(row["winner_differs"]), int(row["deals"])),
            Rate(int(row["length_differs"]), int(row["deals"])),
            row["command"],
        )
        for row in _rows(READINGS)
    )


@cache
def kept_nodes() -> tuple[KeptNodes, ...]:
    """Return the kept measurements of strength by nodes."""
    return tuple(
        KeptNodes(
            row["date"],
            row["rules"],
            int(row["nodes"]),
            Rate(int(row["won"]), int(row["rounds"])),
            float(row["points"]),
            float(row["points_low"]),
            float(row["points_high"]),
            row["command"],
        )
        for row in _rows(NODES)
    )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
