"""The kernels, compiled by Numba for whole batches.

Importing this module costs the import of Numba; the first use ever compiles (some seconds) and leaves the
machine code in Numba's cache, from where later runs load it. Without Numba these are the kernels themselves.
"""

from __future__ import annotations

from collapsi.solve import kernel
from collapsi.solve.jit import machine_code, numba, register_jitable

if numba is not None:
    from collapsi.solve import bits  # noqa: F401 - teaches Numba the methods of ints

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

# Numba's cache is renewed when the file of the function changes; so all that is compiled stands in kernel.py.
solve_many = machine_code(kernel.solve_many)
value_many = machine_code(kernel.value_many)
count_many = machine_code(kernel.count_many)
