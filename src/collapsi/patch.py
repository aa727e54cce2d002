"""A board with gaps: what the shifting board becomes when lines are pushed out of the square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.board import Grid
from collapsi.lazy import lazy
from collapsi.rules import Wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Right, left, down and up, each as rows down and columns right."""


@dataclass(frozen=True)
class Patch(Grid):
    """Cards at places of the smallest rectangle that holds all of them.

    >>> patch = Patch(2, 3, 0b111_110, Wrap.LINE)          # -22
    >>> [patch.square(cell) for cell in patch.neighbours(1)]  # 222
    ['c1', 'b2']
    """

    rows: int
    columns: int
    places: int
    """The set of cells where a card lies, face up or collapsed; the others are gaps."""
    wrap: Wrap

    def is_gap(self, cell: int) -> bool:
        """Whether no card lies there, not even a collapsed one."""
        return not self.places >> cell & 1

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The cells that touch a cell: right, left, below, above; never the cell itself."""
        return tuple(self._steps[cell])

    def heading(self, here: int, there: int) -> tuple[int, int]:
        """Which way a step goes, as rows down and columns right."""
        return self._steps[here][there]

    @lazy
    def _steps(self) -> list[dict[int, tuple[int, int]]]:
        """For each cell its neighbours, and which way each lies: of two ways to one card the first."""
        found: list[dict[int, tuple[int, int]]] = [{} for _ in range(self.size)]
        for cell in self._cards(range(self.size)):
            for way in WAYS:
                there = self._step(cell, way)
                if there is not None and there != cell:
                    found[cell].setdefault(there, way)
        return found

    def _step(self, cell: int, way: tuple[int, int]) -> int | None:
        """The card that a step leads to, or None where a gap blocks it."""
        row, column = divmod(cell, self.columns)
        if way[0] == 0:
            line = range(row * self.columns, (row + 1) * self.columns)
        else:
            line = range(column, self.size, self.columns)
        ahead = line if sum(way) > 0 else line[::-1]
        beyond = ahead[ahead.index(cell) + 1 :]
        if self.wrap is Wrap.BOX:  # at the edge of the rectangle to its other edge
            there = beyond[0] if beyond else ahead[0]
            return None if self.is_gap(there) else there
        if self._cards(beyond):
            return None if self.is_gap(beyond[0]) else beyond[0]
        return self._cards(ahead)[0]  # the outermost card: on to the first of the other end

    def _cards(self, cells: Sequence[int]) -> list[int]:
        return [cell for cell in cells if not self.is_gap(cell)]
