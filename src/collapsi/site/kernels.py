"""The solvers in the browser: compiled to WebAssembly, or interpreted if the page has no compiled module.

Each is a backend for `games.registry.use_backend`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from collapsi.core.reach import MOST_CELLS, marks
from collapsi.games.big import backends as big_backends
from collapsi.games.classic import search
from collapsi.games.shifting import kernel as shift_kernel
from collapsi.games.shifting import search as shift_search
from collapsi.site.big_kernels import BigWebAssembly, Module
from collapsi.solving.solution import Solution

if TYPE_CHECKING:
    from collapsi.core.board import Board
    from collapsi.games.classic.position import Position
    from collapsi.games.shifting.state import Shifting

MOST_STAMPS = 1 << 22
"""The entries of the search's table have 24 bits for the stamp, with its sign."""


class WebAssembly:
    """The kernels compiled to WebAssembly."""

    slower = 1.5
    slower_shifting = 1.5

    def __init__(self, module: Module) -> None:
        self.module = module
        self.big = BigWebAssembly(module)
        self.nodes = 0
        """Nodes entered so far."""
        self._board: Board | None = None
        self._stamp = 0
        self._shift_stamp = 0

    def solve(self, position: Position) -> Solution:
        """Solve a position of the classic game."""
        self._prepare(position)
        if self._stamp >= MOST_STAMPS:
            self.module.clear("classic_table")
            self._stamp = 0
        self._stamp += 1
        self.module.clear("classic_values")
        length = self.module.call("classic_solve", self._stamp, *search.root_of(position))
        values, line = self._answer("classic", MOST_CELLS, int(length))
        return Solution(values, line)

    def count_games(self, position: Position) -> int:
        """Count the ways to play a position of the classic game to its end."""
        self._prepare(position)
        self.module.clear("classic_keys")
        return int(self.module.call("classic_count_games", *search.root_of(position)))

    def solve_shifting(self, position: Shifting) -> Solution:
        """Solve a position of the shifting board."""
        places, numbers, (reading, *root) = shift_search.arguments(position)
        self.module.put("shift_places", _text(places))
        self.module.put("shift_numbers", _text(numbers))
        self.module.call("shift_lay", shift_kernel.EVERY)
        self._shift_stamp += 1
        words = shift_search.slots(position) * shift_kernel.ENTRY
        self.module.clear("shift_values")
        length = self.module.call("shift_solve", reading, words, self._shift_stamp, *root)
        found = self._answer("shift", 4 * MOST_CELLS, int(length))
        return shift_search.solution(position, *found)

    def _prepare(self, position: Position) -> None:
        """Write the reach table of the board, unless it is there already, and the cards."""
        if position.board != self._board:
            self.module.clear("tables_reach")
            self.module.mark("tables_reach", _text(chain.from_iterable(marks(position.board))))
            self.module.call("tables_spread")
            self._board = position.board
        self.module.put("classic_rows", _text(search.rows_of(position)))

    def _answer(self, kernel: str, moves: int, plies: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Read the values and the line that the kernel wrote, and add its nodes to `nodes`."""
        self.nodes += int(self.module.get(f"{kernel}_nodes", 1))
        self.module.clear(f"{kernel}_nodes")
        line = self.module.get(f"{kernel}_line", plies)
        values = self.module.get(f"{kernel}_values", moves)
        return tuple(map(int, values.split())), tuple(map(int, line.split()))


class Interpreted:
    """The kernels interpreted by the browser's Python."""

    slower = 350.0
    slower_shifting = 180.0
    big = big_backends.Interpreted(slower=400)

    solve = staticmethod(search.solve)
    count_games = staticmethod(search.count_games)
    solve_shifting = staticmethod(shift_search.solve)


def _text(numbers: object) -> str:
    return " ".join(map(str, numbers))  # type: ignore[call-overload]
