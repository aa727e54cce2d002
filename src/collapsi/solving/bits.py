"""Numba implementations, one instruction each, of `int.bit_count`, `int.bit_length` and `prefetch`.

The first two are for sets of bits, which are never negative: the absolute value that Python takes would cost
two more instructions, and a tenth of the time of a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, overload_method

from collapsi.solving.prefetch import prefetch

if TYPE_CHECKING:
    from collections.abc import Callable


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
    return lambda number: _ones(number)  # noqa: PLW0108 - Numba needs a function with the name of the argument


@overload_method(types.Integer, "bit_length", strict=False)  # type: ignore[untyped-decorator]
def _bit_length(number: Any) -> Callable[[Any], Any]:
    width = number.bitwidth
    return lambda number: width - _leading_zeros(number)


@intrinsic  # type: ignore[untyped-decorator]
def _fetch_line(_context: Any, table: Any, index: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        hint = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        )
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        to_read, keep, is_data = (ir.Constant(word, number) for number in (0, 3, 1))
        builder.call(hint, [address, to_read, keep, is_data])
        return target.get_dummy_value()

    return types.void(table, index), generate


@overload(prefetch, strict=False)  # type: ignore[untyped-decorator]
def _prefetch(table: Any, index: Any) -> Callable[[Any, Any], None]:  # noqa: ARG001
    return lambda table, index: _fetch_line(table, index)  # noqa: PLW0108 - Numba needs a Python function
