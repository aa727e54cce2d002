"""What the solvers of all kinds share: the kernels' answer, and whether machine code is available."""

from __future__ import annotations

import sys
from typing import NamedTuple


class Solution(NamedTuple):
    """A solved position in the terms of the kernels; `collapsi.play.analysis` translates it."""

    values: tuple[int, ...]
    """By move: cards left face up, negative if the side to move loses; 0 where the move is illegal."""
    line: tuple[int, ...]
    """Perfect play to the end, move by move."""


def may_compile() -> bool:
    """Return whether Numba is installed and enabled; if not, the interpreted kernels are used."""
    from collapsi.solving import jit  # loads Numba

    return jit.may_compile()


def has_machine_code(module: str, function: str) -> bool:
    """Return whether this process has loaded the machine code of a kernel, without importing anything."""
    return bool(getattr(getattr(sys.modules.get(module), function, None), "overloads", None))
