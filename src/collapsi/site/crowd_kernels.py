"""The big board's kernels as WebAssembly: tables that come and go in its memory, and functions over them.

Several questions are worked on side by side, each with tables of its own. What a question no longer holds is
given to the next: the memory never shrinks, and grows only where nothing that is free is large enough.
"""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, overload

from collapsi.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from collapsi.site.kernels import Room

MEGABYTES = 32
"""The exact search's table in the browser, at the most; whoever thinks holds some 40 more while thinking."""
MOST_MEGABYTES = 160
"""What all tables take together at the most: an analysis, a look back and a move of the computer at once."""
WORD_BYTES = 8
STEP = 1 << 17
"""The memory grows by so many words at the least: a megabyte."""
FUNCTIONS = ("search", "look", "grow", "judge", "secures")


class Memory:
    """The part of the memory that tables are put into, held or free.

    >>> class Endless:
    ...     more = staticmethod(lambda words: 1024)
    >>> memory = Memory(Endless())
    >>> first = memory.hold(100)
    >>> second = memory.hold(50)
    >>> memory.free(first, 100)
    >>> first, second, memory.hold(60)
    (1024, 1824, 1024)
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self.words = 0
        """All of it, held and free."""
        self._free: list[tuple[int, int]] = []
        """What nobody holds: addresses in order, and how many words are free from each on."""

    def hold(self, words: int) -> int:
        """The address of so many words that nobody else holds."""
        at = next((at for at, (_, size) in enumerate(self._free) if size >= words), None)
        if at is None:
            more = max(words, STEP)
            if (self.words + more) * WORD_BYTES > MOST_MEGABYTES * 2**20:
                msg = "too much is being thought about at once: stop some of it, and ask again"
                raise CollapsiError(msg)
            self.words += more
            self.free(self.room.more(more), more)
            return self.hold(words)
        address, size = self._free[at]
        self._free[at : at + 1] = [(address + words * WORD_BYTES, size - words)] if size > words else []
        return address

    def free(self, address: int, words: int) -> None:
        """Nobody holds these words any more."""
        joined: list[tuple[int, int]] = []
        for start, size in sorted([*self._free, (address, words)]):
            if joined and joined[-1][0] + joined[-1][1] * WORD_BYTES == start:
                joined[-1] = joined[-1][0], joined[-1][1] + size
            else:
                joined.append((start, size))
        self._free = joined


class Words:
    """A table in the memory, or the beginning of one: read and written word by word like a list."""

    def __init__(self, memory: Memory, size: int, whole: Words | None = None) -> None:
        self._memory, self._size, self._whole = memory, size, whole
        if whole is not None:
            self.address: int = whole.address
            return
        self.address = memory.hold(size)
        weakref.finalize(self, memory.free, self.address, size)
        memory.room.blank(self.address, size)

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """How large it is."""
        return self._size * WORD_BYTES

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Words: ...
    def __getitem__(self, at: int | slice) -> int | Words:
        if isinstance(at, slice):
            assert at.start is None  # a beginning
            return Words(self._memory, len(range(*at.indices(self._size))), self._whole or self)
        return int(self._memory.room.read(self.address + at * WORD_BYTES, 1))

    def __setitem__(self, at: int | slice, number: int) -> None:
        if isinstance(at, slice):
            assert (at, number) == (slice(None), 0)  # all of it
            self._memory.room.blank(self.address, self._size)
        else:
            self._memory.room.write(self.address + at * WORD_BYTES, str(number))


class CrowdWebAssembly:
    """The compiled kernels, as `solve.crowd_forms` takes them."""

    compiled = True
    slower = 1

    def __init__(self, room: Room) -> None:
        self.memory = Memory(room)
        self.of = SimpleNamespace(**{name: self._function(name) for name in FUNCTIONS})

    def table(self, words: Iterable[int]) -> Words:
        """A table with these words."""
        given = list(words)
        made = self.zeros(len(given))
        self.memory.room.write(made.address, " ".join(map(str, given)))
        return made

    def zeros(self, size: int) -> Words:
        """A table of so many zeros."""
        return Words(self.memory, size)

    def _function(self, name: str) -> Any:
        def function(*given: int | Words) -> int:
            numbers: list[float] = []  # ints beyond 53 bits would reach JavaScript as another type
            for each in given:
                numbers += map(float, (each.address, len(each)) if isinstance(each, Words) else (each,))
            return int(self.memory.room.call(f"crowd_{name}", *numbers))

        return function
