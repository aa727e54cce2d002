"""Deals by their length under perfect play, and so by who wins them: what every census comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collapsi import json_shapes
    from collapsi.rules import Rules


class ByLength:
    """The totals of a census, which has rules and the two tables."""

    if TYPE_CHECKING:
        rules: Rules
        lengths: Mapping[int, int]
        """Deals by plies."""
        classes: Mapping[int, int]
        """Truly different deals by plies."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.rules)!r}, {self.different:,} deals)"

    @property
    def deals(self) -> int:
        """All deals, weighted."""
        return sum(self.lengths.values())

    @property
    def red_wins(self) -> int:
        """Deals that red wins: those of an odd number of plies."""
        return sum(deals for plies, deals in self.lengths.items() if plies % 2 == 1)

    @property
    def different(self) -> int:
        """Truly different deals."""
        return sum(self.classes.values())

    def lengths_json(self) -> list[json_shapes.Length]:
        """A row for each length, as plain data."""
        return [
            {
                "plies": plies,
                "winner": "red" if plies % 2 else "blue",
                "deals": deals,
                "different": self.classes[plies],
            }
            for plies, deals in self.lengths.items()
        ]
