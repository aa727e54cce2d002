"""A board with gaps: the shifting board after lines have been pushed out of the square."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.core.board import Grid
from collapsi.core.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Sequence

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Right, left, down and up, each as (rows down, columns right)."""


class Wrap(StrEnum):
    """The readings of the shifting board: where a line continues after a shift out of the square.

    The rule sheet leaves this open. In all readings collapsed cards count like face-up ones.
    """

    LINE = "line"
    """Each line continues at the first card of its opposite end."""
    BOX = "box"
    """A line continues at the opposite side of the bounding rectangle; a gap there blocks the way."""
    ROTATE = "rotate"
    """The card that is pushed out re-enters at the opposite end: the board stays a square."""


@dataclass(frozen=True)
class Patch(Grid):
    """Cards in their bounding rectangle.

    >>> patch = Patch(2, 3, 0b111_110, Wrap.LINE)          # -22
    >>> [patch.square(cell) for cell in patch.neighbours(1)]  # 222
    ['c1', 'b2']
    """

    rows: int
    columns: int
    places: int
    """The set of cells with a card, face up or collapsed; the others are gaps."""
    wrap: Wrap

    def is_gap(self, cell: int) -> bool:
        return not self.places >> cell & 1

    def neighbours(self, cell: int) -> tuple[int, ...]:
        return tuple(self._steps[cell])

    def heading(self, here: int, there: int) -> tuple[int, int]:
        return self._steps[here][there]

    @cached_property
    def _steps(self) -> list[dict[int, tuple[int, int]]]:
        """The neighbours of each cell, each with the first direction that leads to it."""
        found: list[dict[int, tuple[int, int]]] = [{} for _ in range(self.size)]
        for cell in self._cards(range(self.size)):
            for way in WAYS:
                there = self._step(cell, way)
                if there is not None and there != cell:
                    found[cell].setdefault(there, way)
        return found

    def _step(self, cell: int, way: tuple[int, int]) -> int | None:
        """Return the end cell of a step, or None if a gap blocks it."""
        row, column = divmod(cell, self.columns)
        if way[0] == 0:
            line = range(row * self.columns, (row + 1) * self.columns)
        else:
            line = range(column, self.size, self.columns)
        ahead = line if sum(way) > 0 else line[::-1]
        beyond = ahead[ahead.index(cell) + 1 :]
        if self.wrap is Wrap.BOX:  # from an edge of the rectangle to the opposite edge
            there = beyond[0] if beyond else ahead[0]
            return None if self.is_gap(there) else there
        if self._cards(beyond):
            return None if self.is_gap(beyond[0]) else beyond[0]
        return self._cards(ahead)[0]  # from the outermost card to the first at the opposite end

    def _cards(self, cells: Sequence[int]) -> list[int]:
        return [cell for cell in cells if not self.is_gap(cell)]
