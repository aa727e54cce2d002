"""Selection of the backend of the big board's kernels: compiled by Numba, interpreted, or a custom one.

A backend has the kernels as functions, and makes the tables that they work on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from collapsi.games.big import judge as big_judge
from collapsi.games.big import kernel as big_kernel
from collapsi.games.big import lookahead as big_lookahead
from collapsi.games.big import tree as big_tree
from collapsi.solving.machine_code import has_machine_code, may_compile

if TYPE_CHECKING:
    from collections.abc import Iterable

INTERPRETED_SLOWER = 100
"""Approximate slowdown of the interpreted kernels."""


class Backend(Protocol):
    """An implementation of the kernels and of their tables."""

    @property
    def compiled(self) -> bool:
        """Whether the kernels are fast: then they get large tables and long time slices."""

    @property
    def slower(self) -> int:
        """Divisor of the nodes of players who search, so that a move takes about as long."""

    @property
    def of(self) -> Any:
        """The kernels: an object with `search`, `look`, `grow`, `judge` and `secures`."""

    def table(self, words: Iterable[int]) -> Any:
        """Make a table with these words."""

    def zeros(self, size: int) -> Any:
        """Make a table of zeros."""


class _Compiled:
    """The kernels compiled by Numba, on arrays."""

    compiled = True
    slower = 1

    @property
    def of(self) -> Any:
        from collapsi.games.big import compiled as big_compiled

        return big_compiled

    def table(self, words: Iterable[int]) -> Any:
        import numpy as np

        return np.array(words, np.int64)

    def zeros(self, size: int) -> Any:
        import numpy as np

        return np.zeros(size, np.int64)


class InterpretedKernels:
    """The interpreted kernels."""

    search = staticmethod(big_kernel.search)
    look = staticmethod(big_lookahead.look)
    grow = staticmethod(big_tree.grow)
    judge = staticmethod(big_judge.judge)
    secures = staticmethod(big_judge.secures)


class Interpreted:
    """The interpreted kernels, on plain lists."""

    compiled = False
    of = InterpretedKernels

    def __init__(self, slower: int = INTERPRETED_SLOWER) -> None:
        self.slower = slower

    def table(self, words: Iterable[int]) -> list[int]:
        """Make a list of these words."""
        return list(words)

    def zeros(self, size: int) -> list[int]:
        """Make a list of zeros."""
        return [0] * size


_backend: list[Backend] = []
"""The backend that `use_backend` set, if any."""


def use_backend(backend: Backend | None) -> None:
    """Use this backend instead of the compiled kernels; None restores the default."""
    _backend[:] = [backend] if backend else []


def fastest() -> Backend:
    """Return the backend that was set; or the compiled one, if there is a compiler."""
    if _backend:
        return _backend[0]
    return _Compiled() if may_compile() else Interpreted()


def backend(*, compiled: bool) -> Backend:
    """Return the fastest backend, or the interpreted one.

    >>> backend(compiled=False).zeros(3)
    [0, 0, 0]
    """
    return fastest() if compiled else Interpreted()


def is_loaded() -> bool:
    """Return whether a fast backend is loaded: one that was set, or the machine code."""
    if _backend:
        return _backend[0].compiled
    return has_machine_code("collapsi.games.big.compiled", "search")
