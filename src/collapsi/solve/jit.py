"""How we use Numba: one way to compile, for all kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba


def compiled(function: Any) -> Any:
    """A function compiled when first called, for threads to run side by side.

    The machine code is cached beside the source or in the user's cache folder; where neither can be written, it is
    compiled in every process.
    """
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # Numba's word for "no folder to cache in"
        return numba.njit(nogil=True)(function)


def is_cached(function: Any) -> bool:
    """Whether a compiled function was compiled before and its machine code is at hand."""
    folder = function.stats.cache_path
    return folder is not None and any(Path(folder).glob(f"*.{function.py_func.__name__}-*.nbi"))
