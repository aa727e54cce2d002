"""The kernel compiled by Numba, for batches of positions.

Importing this module imports Numba; the first call compiles (some seconds) and caches the machine code, which
later runs load. Without Numba these are the interpreted functions.
"""

from __future__ import annotations

from collapsi.games.classic import kernel
from collapsi.solving.jit import machine_code, register_jitable

for _helper in (
    kernel.reach_from,
    kernel.decided,
    kernel.search,
    kernel.exact_value,
    kernel.solve,
    kernel.value,
    kernel.count_games,
    kernel.set_rows,
):
    register_jitable(_helper)

# Compiled functions are defined in kernel.py, because the cache is checked against the file of the function.
solve_many = machine_code(kernel.solve_many)
value_many = machine_code(kernel.value_many)
count_many = machine_code(kernel.count_many)
