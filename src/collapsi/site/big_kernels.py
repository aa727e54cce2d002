"""The WebAssembly backend of the big board's kernels, with an allocator for their tables.

Several requests run concurrently, each with its own tables. Tables that are no longer referenced are reused:
the memory of the module never shrinks, and grows only when no free block is large enough.
"""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, overload

from collapsi.core.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Iterable

MEGABYTES = 32
"""Largest table of the exact search in the browser; the tree search needs about 40 more."""
MOST_MEGABYTES = 160
"""Limit of all tables together: enough for an analysis, a review and a computer move at once."""
WORD_BYTES = 8
STEP = 1 << 17
"""The least number of words by which the memory grows: a megabyte."""
FUNCTIONS = ("search", "look", "grow", "judge", "secures")


class Module(Protocol):
    """The compiled module as `kernels.js` wraps it; tables are written and read as numbers in a text."""

    def put(self, name: str, text: str) -> None:
        """Write numbers to the start of a table."""

    def mark(self, name: str, text: str) -> None:
        """Set bits in a table, given as pairs of an index and the bits."""

    def get(self, name: str, count: int) -> str:
        """Return the first numbers of a table."""

    def clear(self, name: str) -> None:
        """Fill a table with zeros."""

    def more(self, words: int) -> int:
        """Grow the memory, and return the address of the new words."""

    def write(self, address: int, text: str) -> None:
        """Write numbers at an address."""

    def read(self, address: int, count: int) -> str:
        """Return the numbers at an address."""

    def blank(self, address: int, count: int) -> None:
        """Fill words at an address with zeros."""

    def call(self, name: str, *numbers: float) -> float:
        """Call an exported function."""


class Memory:
    """Allocator of tables in the memory of the module (first fit, free blocks are merged).

    >>> class Endless:
    ...     more = staticmethod(lambda words: 1024)
    >>> memory = Memory(Endless())
    >>> first = memory.allocate(100)
    >>> second = memory.allocate(50)
    >>> memory.free(first, 100)
    >>> first, second, memory.allocate(60)
    (1024, 1824, 1024)
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.words = 0
        """Size of the managed memory, allocated and free."""
        self._free: list[tuple[int, int]] = []
        """Free blocks in the order of their addresses: address and number of words."""

    def allocate(self, words: int) -> int:
        """Return the address of a new block of `words` words."""
        at = next((at for at, (_, size) in enumerate(self._free) if size >= words), None)
        if at is None:
            more = max(words, STEP)
            if (self.words + more) * WORD_BYTES > MOST_MEGABYTES * 2**20:
                msg = "too many positions are being analysed at once: stop some of them, and try again"
                raise CollapsiError(msg)
            self.words += more
            self.free(self.module.more(more), more)
            return self.allocate(words)
        address, size = self._free[at]
        self._free[at : at + 1] = [(address + words * WORD_BYTES, size - words)] if size > words else []
        return address

    def free(self, address: int, words: int) -> None:
        """Return a block to the free list."""
        joined: list[tuple[int, int]] = []
        for start, size in sorted([*self._free, (address, words)]):
            if joined and joined[-1][0] + joined[-1][1] * WORD_BYTES == start:
                joined[-1] = joined[-1][0], joined[-1][1] + size
            else:
                joined.append((start, size))
        self._free = joined


class Words:
    """A table in the memory of the module, or a prefix of one; indexed like a list."""

    def __init__(self, memory: Memory, size: int, whole: Words | None = None) -> None:
        self._memory, self._size, self._whole = memory, size, whole
        if whole is not None:
            self.address: int = whole.address
            return
        self.address = memory.allocate(size)
        weakref.finalize(self, memory.free, self.address, size)
        memory.module.blank(self.address, size)

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return self._size * WORD_BYTES

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Words: ...
    def __getitem__(self, at: int | slice) -> int | Words:
        if isinstance(at, slice):
            assert at.start is None  # a prefix
            return Words(self._memory, len(range(*at.indices(self._size))), self._whole or self)
        return int(self._memory.module.read(self.address + at * WORD_BYTES, 1))

    def __setitem__(self, at: int | slice, number: int) -> None:
        if isinstance(at, slice):
            assert (at, number) == (slice(None), 0)  # clear the table
            self._memory.module.blank(self.address, self._size)
        else:
            self._memory.module.write(self.address + at * WORD_BYTES, str(number))


class BigWebAssembly:
    """The compiled kernels as a `Backend` of `games.big.backends`."""

    compiled = True
    slower = 1

    def __init__(self, module: Module) -> None:
        self.memory = Memory(module)
        self.of = SimpleNamespace(**{name: self._function(name) for name in FUNCTIONS})

    def table(self, words: Iterable[int]) -> Words:
        """Allocate a table with these words."""
        given = list(words)
        made = self.zeros(len(given))
        self.memory.module.write(made.address, " ".join(map(str, given)))
        return made

    def zeros(self, size: int) -> Words:
        """Allocate a table of zeros."""
        return Words(self.memory, size)

    def _function(self, name: str) -> Any:
        def function(*given: int | Words) -> int:
            # Floats, because Pyodide converts large ints to another JavaScript type.
            numbers: list[float] = []
            for each in given:
                numbers += map(float, (each.address, len(each)) if isinstance(each, Words) else (each,))
            return int(self.memory.module.call(f"big_{name}", *numbers))

        return function
