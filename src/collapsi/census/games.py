"""The number of possible games: every way to play every deal to its end, counted by the layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.census.deals import count_deals
from collapsi.census.layers import GAMES, solve_deals

if TYPE_CHECKING:
    from collections.abc import Callable

    from collapsi.census import json_types
    from collapsi.census.layers import DealAnswers, Layer
    from collapsi.games.classic.rules import Rules


@dataclass(frozen=True, repr=False)
class GameCount:
    """The number of possible games over all deals."""

    rules: Rules
    parts: tuple[DealAnswers, ...]
    """Possible games of every deal, one part for each distance of the jacks."""
    total: int
    smallest: int
    largest: int

    def __repr__(self) -> str:
        return f"GameCount({str(self.rules)!r}, {self.total:,} games)"

    @property
    def mean(self) -> float:
        """Mean number of possible games of a deal."""
        return self.total / count_deals(self.rules)

    def to_json(self) -> json_types.AllGames:
        """Return the numbers as JSON."""
        return {
            "rules": self.rules.name,
            "games": self.total,
            "mean": self.mean,
            "smallest": self.smallest,
            "largest": self.largest,
        }


def count_all_games(
    rules: Rules, *, jobs: int | None = None, progress: Callable[[Layer], None] = lambda _: None
) -> GameCount:
    """Count the possible games of every deal."""
    parts = solve_deals(rules, GAMES, jobs=jobs, progress=progress)
    return GameCount(
        rules,
        parts,
        total=sum(int(part.answers.sum()) * part.jacks.places for part in parts),
        smallest=min(int(part.answers.min()) for part in parts),
        largest=max(int(part.answers.max()) for part in parts),
    )
