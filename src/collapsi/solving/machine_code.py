"""Whether kernels can be compiled, and whether they are loaded; importing this does not load Numba."""

from __future__ import annotations

import sys


def may_compile() -> bool:
    """Return whether Numba is installed and enabled; if not, the interpreted kernels are used."""
    from collapsi.solving import jit  # loads Numba

    return jit.may_compile()


def has_machine_code(module: str, function: str) -> bool:
    """Return whether this process has loaded the machine code of a kernel, without importing anything."""
    return bool(getattr(getattr(sys.modules.get(module), function, None), "overloads", None))
