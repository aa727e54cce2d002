"""Which form of the big board's kernels is used: compiled by Numba, as they stand, or one that was brought.

A form has the kernels as functions, and the tables that it wants to be given. It is decided here alone.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

from collapsi.solve import crowd_ahead, crowd_judge, crowd_kernel, crowd_tree, search

if TYPE_CHECKING:
    from collections.abc import Iterable

INTERPRETED_SLOWER = 100
"""How many times as long as the compiled kernels they take as they stand, about."""


class Form(Protocol):
    """The kernels, and the tables that they work on."""

    @property
    def compiled(self) -> bool:
        """Whether they are quick: then they get large tables, and much to do at a time."""

    @property
    def slower(self) -> int:
        """So many times fewer nodes have players who search, to take about as long."""

    @property
    def of(self) -> Any:
        """What has `search`, `look`, `grow`, `judge` and `secures`."""

    def table(self, words: Iterable[int]) -> Any:
        """A table with these words."""

    def zeros(self, size: int) -> Any:
        """A table of so many zeros."""


class _Compiled:
    """By Numba."""

    compiled = True
    slower = 1

    @property
    def of(self) -> Any:
        from collapsi.solve import crowd_compiled

        return crowd_compiled

    def table(self, words: Iterable[int]) -> Any:
        import numpy as np

        return np.array(words, np.int64)

    def zeros(self, size: int) -> Any:
        import numpy as np

        return np.zeros(size, np.int64)


class Kernels:
    """The kernels as they stand."""

    search = staticmethod(crowd_kernel.search)
    look = staticmethod(crowd_ahead.look)
    grow = staticmethod(crowd_tree.grow)
    judge = staticmethod(crowd_judge.judge)
    secures = staticmethod(crowd_judge.secures)


class Interpreted:
    """Run as they stand, on plain lists."""

    compiled = False
    of = Kernels

    def __init__(self, slower: int = INTERPRETED_SLOWER) -> None:
        self.slower = slower

    def table(self, words: Iterable[int]) -> list[int]:
        """A list of them."""
        return list(words)

    def zeros(self, size: int) -> list[int]:
        """A list of so many."""
        return [0] * size


_taken: list[Form] = []
"""The form that was brought last, if any."""


def take(form: Form | None) -> None:
    """Use this form from now on wherever the compiled kernels would be; None is as before."""
    _taken[:] = [form] if form else []


def quickest() -> Form:
    """The form that was brought; or compiled, where that can be."""
    if _taken:
        return _taken[0]
    return _Compiled() if search.may_compile() else Interpreted()


def form(*, compiled: bool) -> Form:
    """The quickest form, or the kernels as they stand.

    >>> form(compiled=False).zeros(3)
    [0, 0, 0]
    """
    return quickest() if compiled else Interpreted()


def is_loaded() -> bool:
    """Whether a quick form is at hand: one that was brought, or this process has the machine code."""
    if _taken:
        return _taken[0].compiled
    module = sys.modules.get("collapsi.solve.crowd_compiled")
    return bool(getattr(getattr(module, "search", None), "overloads", None))
