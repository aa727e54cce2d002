"""The solvers as they are called in the browser: as WebAssembly, or as they stand where there is none.

Both are a `Form` of the solvers that `solve.answers` takes in place of those it would choose.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Protocol

from collapsi.reach import MOST_CELLS, marks
from collapsi.site.crowd_kernels import CrowdWebAssembly
from collapsi.solve import crowd_forms, search, shift_kernel, shift_search

if TYPE_CHECKING:
    from collapsi.board import Board
    from collapsi.games.shifting import Shifting
    from collapsi.position import Position

MOST_STAMPS = 1 << 22
"""The search's table has room for 24 bits of the stamp, with its sign."""


class Room(Protocol):
    """What `kernels.js` offers: functions, and tables that are written and read as numbers in a text."""

    def put(self, name: str, text: str) -> None:
        """Write numbers to the beginning of a table."""

    def mark(self, name: str, text: str) -> None:
        """Set bits in a table: an index and the bits, again and again."""

    def get(self, name: str, count: int) -> str:
        """The first numbers of a table."""

    def clear(self, name: str) -> None:
        """All zero."""

    def more(self, words: int) -> int:
        """The address of so much more memory."""

    def write(self, address: int, text: str) -> None:
        """Write numbers from an address on."""

    def read(self, address: int, count: int) -> str:
        """Numbers from an address on."""

    def blank(self, address: int, count: int) -> None:
        """All zero from an address on."""

    def call(self, name: str, *numbers: float) -> float:
        """Call a function."""


class WebAssembly:
    """The compiled kernels."""

    slower = 1.5
    slower_shifting = 1.5

    def __init__(self, room: Room) -> None:
        self.room = room
        self.big = CrowdWebAssembly(room)
        self.nodes = 0
        """Entered so far."""
        self._board: Board | None = None
        self._stamp = 0
        self._shift_stamp = 0

    def solve(self, position: Position) -> search.Solution:
        """Solve a position of the classic game."""
        self._prepare(position)
        if self._stamp >= MOST_STAMPS:
            self.room.clear("classic_table")
            self._stamp = 0
        self._stamp += 1
        self.room.clear("classic_values")
        length = self.room.call("classic_solve", self._stamp, *search.root_of(position))
        values, line = self._answer("classic", MOST_CELLS, int(length))
        return search.Solution(values, line)

    def count_games(self, position: Position) -> int:
        """Count the ways to play a position of the classic game to its end."""
        self._prepare(position)
        self.room.clear("classic_keys")
        return int(self.room.call("classic_count_games", *search.root_of(position)))

    def solve_shifting(self, position: Shifting) -> search.Solution:
        """Solve a position of the shifting board."""
        places, numbers, (reading, *root) = shift_search.arguments(position)
        self.room.put("shift_places", _text(places))
        self.room.put("shift_numbers", _text(numbers))
        self.room.call("shift_lay")
        self._shift_stamp += 1
        words = shift_search.slots(position) * shift_kernel.ENTRY
        self.room.clear("shift_values")
        length = self.room.call("shift_solve", reading, words, self._shift_stamp, *root)
        found = self._answer("shift", 4 * MOST_CELLS, int(length))
        return shift_search.solution(position, *found)

    def _prepare(self, position: Position) -> None:
        """Have the table of what is reached on its board, and its cards."""
        if position.board != self._board:
            self.room.clear("tables_reach")
            self.room.mark("tables_reach", _text(chain.from_iterable(marks(position.board))))
            self.room.call("tables_spread")
            self._board = position.board
        self.room.put("classic_rows", _text(search.rows_of(position)))

    def _answer(self, kernel: str, moves: int, plies: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Values and line as the kernel left them; its nodes are counted."""
        self.nodes += int(self.room.get(f"{kernel}_nodes", 1))
        self.room.clear(f"{kernel}_nodes")
        line = self.room.get(f"{kernel}_line", plies)
        values = self.room.get(f"{kernel}_values", moves)
        return tuple(map(int, values.split())), tuple(map(int, line.split()))


class Interpreted:
    """The kernels as they stand, in a browser's Python."""

    slower = 350.0
    slower_shifting = 180.0
    big = crowd_forms.Interpreted(slower=400)

    def solve(self, position: Position) -> search.Solution:
        """Solve a position of the classic game."""
        return search.solve(position)

    def count_games(self, position: Position) -> int:
        """Count the ways to play a position of the classic game to its end."""
        return search.count_games(position)

    def solve_shifting(self, position: Shifting) -> search.Solution:
        """Solve a position of the shifting board."""
        return shift_search.solve(position)


def _text(numbers: object) -> str:
    return " ".join(map(str, numbers))  # type: ignore[call-overload]
