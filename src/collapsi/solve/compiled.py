"""The kernels, compiled by Numba for whole batches.

Importing this module costs the import of Numba; the first use ever compiles (some seconds) and leaves the
machine code in Numba's cache, from where later runs load it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload_method, register_jitable

from collapsi.solve import kernel
from collapsi.solve.jit import machine_code

if TYPE_CHECKING:
    from collections.abc import Callable

# Numba knows no int methods, but the processor does: one instruction each.


@intrinsic  # type: ignore[untyped-decorator]
def _ones(_context: Any, number: Any) -> Any:
    return number(number), lambda _target, builder, _signature, arguments: builder.ctpop(arguments[0])


@intrinsic  # type: ignore[untyped-decorator]
def _leading_zeros(_context: Any, number: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return number(number), generate


@overload_method(types.Integer, "bit_count", strict=False)  # type: ignore[untyped-decorator]
def _bit_count(number: Any) -> Callable[[Any], Any]:  # noqa: ARG001
    return lambda number: _ones(abs(number))


@overload_method(types.Integer, "bit_length", strict=False)  # type: ignore[untyped-decorator]
def _bit_length(number: Any) -> Callable[[Any], Any]:
    width = number.bitwidth
    return lambda number: width - _leading_zeros(abs(number))


for _helper in (
    kernel.reach_from,
    kernel.decided,
    kernel.search,
    kernel.exact_value,
    kernel.solve,
    kernel.count_games,
    kernel.set_rows,
):
    register_jitable(_helper)

# Numba's cache is renewed when the file of the function changes; so all that is compiled stands in kernel.py.
solve_many = machine_code(kernel.solve_many)
count_many = machine_code(kernel.count_many)
