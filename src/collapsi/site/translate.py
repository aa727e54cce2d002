"""Translate kernels to C, for compilation to WebAssembly.

The kernels (`kernel.py` of each kind) use a small subset of Python, so a short walk over the syntax tree is
enough: 64-bit ints, flat tables, `while`, `for … in range`, calls of each other, and floats that stay inside
a function. Anything else raises an error that names it. A table is passed as its address and its length.

The translation preserves Python's semantics where C differs: `//` rounds down. Sums and products wrap instead
of growing; no kernel uses a bit beyond the 64th. As in `solving.bits`, `bit_count` and `bit_length` are for
sets of bits, which are never negative. WebAssembly has no instruction for `prefetch`, so that is a read whose
result is not used.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PRELUDE = """\
#include <stdint.h>
typedef int64_t i64;
typedef uint64_t u64;
static inline i64 bit_count(i64 n) { return __builtin_popcountll((u64)n); }
static inline i64 bit_length(i64 n) { return n ? 64 - __builtin_clzll((u64)n) : 0; }
static inline i64 floor_div(i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static inline i64 larger(i64 a, i64 b) { return a > b ? a : b; }
static inline i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
static inline double root(double n) { return __builtin_elementwise_sqrt(n); }
#define prefetch(table, index) ((void)*(volatile __typeof__(*(table)) *)&(table)[index])
"""

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&",
    ast.Invert: "~", ast.USub: "-", ast.Not: "!",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "&&", ast.Or: "||",
}  # fmt: skip
FUNCTIONS = {"max": "larger", "min": "smaller"}
FLOAT_FUNCTIONS = {"sqrt": "root", "float": "(double)"}
METHODS = {"bit_count", "bit_length"}


def c_functions(
    functions: Iterable[Callable[..., Any]], *, prefix: str = "", types: Mapping[str, str] | None = None
) -> str:
    """Translate functions of a kernel, in the order given; each may call those before it.

    `prefix` starts the names of the C functions, so that several kernels fit in one file. `types` maps the
    name of a table parameter to its element type where that is not `i64`.
    """
    parsed = [(_function(each), each.__globals__) for each in functions]
    known = {each.name: [argument.arg for argument in each.args.args] for each, _ in parsed}
    tables = {
        each.name: {argument.arg for argument in each.args.args if _is_table(argument)} for each, _ in parsed
    }
    writer = _Writer(known, tables, prefix, types or {})
    return "\n".join(writer.function(each, constants) for each, constants in parsed)


def parameters(function: Callable[..., Any]) -> list[tuple[str, bool]]:
    """Return the parameters of a kernel function, each with whether it is a table."""
    return [(argument.arg, _is_table(argument)) for argument in _function(function).args.args]


def returns_number(function: Callable[..., Any]) -> bool:
    """Return whether a kernel function returns a number."""
    return not isinstance(_function(function).returns, ast.Constant)


def _function(function: Callable[..., Any]) -> ast.FunctionDef:
    found = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def _is_table(argument: ast.arg) -> bool:
    return argument.annotation is not None and ast.unparse(argument.annotation).endswith("Table")


class _Writer:
    """Generates the C code of the functions of one kernel."""

    def __init__(
        self,
        known: Mapping[str, list[str]],
        tables: Mapping[str, set[str]],
        prefix: str,
        types: Mapping[str, str],
    ) -> None:
        self.known = known
        self.tables = tables
        self.prefix = prefix
        self.types = types
        self.constants: Mapping[str, object] = {}
        """The globals of the module that defines the function."""
        self.here: set[str] = set()
        """The table parameters of the current function."""
        self.local: set[str] = set()
        self.floats: set[str] = set()
        """The local variables that are floats."""
        self.labels = 0
        self.break_labels: list[str | None] = []
        """For each enclosing loop the label that `break` jumps to; None for a plain `break`."""

    def function(self, node: ast.FunctionDef, constants: Mapping[str, object]) -> str:
        """Translate a function."""
        self.constants = constants
        self.here = self.tables[node.name]
        given = [argument.arg for argument in node.args.args]
        self.local = _assigned(node) | set(given)
        self.floats = set()
        while more := self._more_floats(node):
            self.floats |= more
        local = sorted(self.local - set(given) - self.floats)
        kind = "void" if isinstance(node.returns, ast.Constant) else "i64"
        lines = [f"static {kind} {self.prefix}{node.name}({', '.join(map(self._parameter, given))}) {{"]
        if local:
            lines.append(f"  i64 {', '.join(f'{name} = 0' for name in local)};")
        lines += [f"  double {name} = 0;" for name in sorted(self.floats)]
        lines += self._block(node.body[1:], "  ")  # without its docstring
        return "\n".join([*lines, "}", ""])

    def _more_floats(self, node: ast.FunctionDef) -> set[str]:
        """Return further names that a function assigns floats to, given those already known."""
        found = set()
        for each in ast.walk(node):
            if isinstance(each, (ast.Assign, ast.AugAssign)) and self._is_float(each.value):
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                if not all(isinstance(target, ast.Name) for target in targets):
                    raise _refusal(each)  # tables have no floats
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            if isinstance(each, ast.Return) and each.value is not None and self._is_float(each.value):
                raise _refusal(each)
        return found - self.floats

    def _is_float(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=float()) | ast.BinOp(op=ast.Div()):
                return True
            case ast.Name(id=name):
                constant = None if name in self.local else self.constants.get(name)
                return name in self.floats or isinstance(constant, float)
            case ast.Call(func=ast.Name(id=name)):
                return name in FLOAT_FUNCTIONS
            case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
                return self._is_float(left) or self._is_float(right)
            case ast.UnaryOp(operand=operand):
                return self._is_float(operand)
            case _:
                return False

    def _parameter(self, name: str) -> str:
        if name in self.here:
            return f"{self.types.get(name, 'i64')} *{name}, i64 {name}_len"
        return f"i64 {name}"

    def _block(self, body: list[ast.stmt], indent: str) -> list[str]:
        return [line for node in body for line in self._statement(node, indent)]

    def _statement(self, node: ast.stmt, indent: str) -> list[str]:
        deeper = indent + "  "
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                saved = [f"{indent}  i64 new_{at} = {self._value(each)};" for at, each in enumerate(values)]
                put = [f"{indent}  {self._value(each)} = new_{at};" for at, each in enumerate(targets)]
                return [f"{indent}{{", *saved, *put, f"{indent}}}"]
            case ast.Assign(targets=targets, value=value):
                chain = " = ".join(map(self._value, targets))
                return [f"{indent}{chain} = {self._value(value)};"]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return [f"{indent}{self._value(target)} = {self._value(value)};"]
            case ast.AugAssign(target=target, op=op, value=value):
                return [f"{indent}{self._value(target)} {_operator(op)}= {self._value(value)};"]
            case ast.Expr(value=value):
                return [f"{indent}{self._value(value)};"]
            case ast.Return(value=value):
                return [f"{indent}return{f' {self._value(value)}' if value else ''};"]
            case ast.If(test=test, body=body, orelse=orelse):
                lines = [f"{indent}if ({self._condition(test)}) {{", *self._block(body, deeper)]
                if orelse:
                    lines += [f"{indent}}} else {{", *self._block(orelse, deeper)]
                return [*lines, f"{indent}}}"]
            case ast.While(test=test, body=body, orelse=orelse):
                return self._loop(f"while ({self._condition(test)})", body, orelse, indent)
            case ast.For(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), body=body
            ):
                start, stop, by = self._range(args)
                # As in Python, the range is evaluated once and does not depend on the variable.
                at, end = f"at_{name}", f"end_{name}"
                until = f"{at} {'<' if by > 0 else '>'} {end}"
                counted = f"for (i64 {at} = {start}, {end} = {stop}; {until}; {at} += {by})"
                return self._loop(counted, body, node.orelse, indent, f"{deeper}{name} = {at};")
            case ast.Break():
                label = self.break_labels[-1]
                return [f"{indent}goto {label};" if label else f"{indent}break;"]
            case ast.Continue():
                return [f"{indent}continue;"]
            case _:
                raise _refusal(node)

    def _range(self, args: list[ast.expr]) -> tuple[str, str, int]:
        """Return start, stop and step of a range; the step must be a constant."""
        if len(args) < 3:
            start, stop = ["0", *map(self._value, args)][-2:]
            return start, stop, 1
        by: object = None
        match args[2]:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                by = -number
            case ast.Name(id=name) if name not in self.local:
                by = self.constants.get(name)
        if not isinstance(by, int) or not by:
            raise _refusal(args[2])
        return self._value(args[0]), self._value(args[1]), by

    def _loop(
        self, head: str, body: list[ast.stmt], orelse: list[ast.stmt], indent: str, first: str = ""
    ) -> list[str]:
        """Translate a loop; with `else`, `break` becomes a jump past the `else` block."""
        label = None
        if orelse:
            self.labels += 1
            label = f"left_{self.labels}"
        self.break_labels.append(label)
        inner = self._block(body, indent + "  ")
        self.break_labels.pop()
        lines = [f"{indent}{head} {{", *([first] if first else []), *inner, f"{indent}}}"]
        if label:
            lines += [*self._block(orelse, indent), f"{indent}{label}: ;"]
        return lines

    def _condition(self, node: ast.expr) -> str:
        """Translate an expression used as a truth value: there `and` and `or` mean the same in C."""
        if isinstance(node, ast.BoolOp):
            return f"({f' {_operator(node.op)} '.join(map(self._condition, node.values))})"
        return self._value(node)

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=int() as number):
                return f"INT64_C({number:d})"
            case ast.Name(id=name) if name in self.local:
                return name
            case ast.Name(id=name) if isinstance(constant := self.constants.get(name), int):
                return f"INT64_C({constant})"
            case ast.Constant(value=float() as fraction):
                return repr(fraction)
            case ast.Name(id=name) if isinstance(constant := self.constants.get(name), float):
                return repr(constant)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return f"((double){self._value(left)} / (double){self._value(right)})"
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right) if not self._is_float(node):
                return f"floor_div({self._value(left)}, {self._value(right)})"
            case ast.BinOp(left=left, op=op, right=right):
                return f"({self._value(left)} {_operator(op)} {self._value(right)})"
            case ast.UnaryOp(op=op, operand=operand):
                return f"({_operator(op)}{self._value(operand)})"
            case ast.BoolOp(values=values) if all(isinstance(each, ast.Compare) for each in values):
                return self._condition(node)
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=values)]):
                one = self._value(left)
                return f"({' || '.join(f'{one} == {self._value(each)}' for each in values)})"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return f"({self._value(left)} {_operator(op)} {self._value(right)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self._condition(test)} ? {self._value(body)} : {self._value(orelse)})"
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.here:
                return f"{name}[{self._value(index)}]"
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name in self.here:
                return f"{name}_len"
            case ast.Call(func=ast.Name(id="prefetch"), args=[ast.Name(id=name), index]) if name in self.here:
                return f"prefetch({name}, {self._value(index)})"
            case ast.Call(func=ast.Attribute(value=number, attr=method), args=[]) if method in METHODS:
                return f"{method}({self._value(number)})"
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                if any(map(self._is_float, args)):
                    raise _refusal(node)
                return f"{FUNCTIONS[name]}({', '.join(map(self._value, args))})"
            case ast.Call(func=ast.Name(id=name), args=[arg], keywords=[]) if name in FLOAT_FUNCTIONS:
                return f"{FLOAT_FUNCTIONS[name]}({self._value(arg)})"
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in self.known:
                if any(map(self._is_float, args)):
                    raise _refusal(node)
                given = zip(self.known[name], args, strict=True)
                return f"{self.prefix}{name}({', '.join(self._argument(name, *each) for each in given)})"
            case _:
                raise _refusal(node)

    def _argument(self, function: str, name: str, node: ast.expr) -> str:
        if name not in self.tables[function]:
            return self._value(node)
        if isinstance(node, ast.Name) and node.id in self.here:
            return f"{node.id}, {node.id}_len"
        raise _refusal(node)


def _operator(node: ast.AST) -> str:
    if type(node) not in OPERATORS:
        raise _refusal(node)
    return OPERATORS[type(node)]


def _assigned(node: ast.FunctionDef) -> set[str]:
    """Return the names that a function assigns."""
    return {
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _refusal(node: ast.AST) -> CollapsiError:
    """Return the error for a node that cannot be translated."""
    written = ast.unparse(node) if isinstance(node, (ast.stmt, ast.expr)) else type(node).__name__
    return CollapsiError(
        f"the kernel has something that cannot be translated to C: {written.splitlines()[0]}"
    )
