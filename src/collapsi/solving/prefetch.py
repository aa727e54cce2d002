"""A hint to the processor, for kernels: which entry of a table they will read soon."""

from __future__ import annotations

from typing import Any


def prefetch(table: Any, index: int) -> None:
    """Start loading the cache line of `table[index]`, without waiting for it.

    Interpreted, this does nothing. Numba (`solving/bits.py`) and the translation to C (`site/translate.py`)
    have their own forms. The index must not be negative.
    """
