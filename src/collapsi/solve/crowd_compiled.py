"""The big board's kernel, compiled by Numba: see `compiled` for what that costs."""

from __future__ import annotations

from collapsi.solve import compiled, crowd_kernel
from collapsi.solve.jit import machine_code, register_jitable

__all__ = ["compiled", "search"]  # `compiled` teaches Numba the methods of ints

for _helper in (
    crowd_kernel.spread,
    crowd_kernel.reach,
    crowd_kernel.region,
    crowd_kernel.place_of,
    crowd_kernel.store,
    crowd_kernel.longest,
    crowd_kernel.apart,
):
    register_jitable(_helper)

search = machine_code(crowd_kernel.search)
