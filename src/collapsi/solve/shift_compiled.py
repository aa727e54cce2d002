"""The shifting board's kernel, compiled by Numba: see `compiled` for what that costs."""

from __future__ import annotations

from collapsi.solve import compiled, shift_kernel
from collapsi.solve.jit import machine_code, register_jitable

__all__ = ["compiled", "solve_many", "value_many"]  # `compiled` teaches Numba the methods of ints

for _helper in (
    shift_kernel.slide,
    shift_kernel.next_to,
    shift_kernel.counting,
    shift_kernel.neighbours,
    shift_kernel.reach,
    shift_kernel.search,
    shift_kernel.exact_value,
    shift_kernel.solve,
    shift_kernel.winner_and_length,
    shift_kernel.lay,
):
    register_jitable(_helper)

solve_many = machine_code(shift_kernel.solve_many)
value_many = machine_code(shift_kernel.value_many)
