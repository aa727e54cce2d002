"""Compile all kernels to one WebAssembly module: their C code (`translate`), their tables, the compiler.

The compiler is Zig's, from the package `ziglang`. The module depends only on the kernels, so it is cached
under the hash of the C code.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from collapsi.core.errors import CollapsiError
from collapsi.core.patch import Wrap
from collapsi.games.big import judge as big_judge
from collapsi.games.big import kernel as big_kernel
from collapsi.games.big import lookahead as big_lookahead
from collapsi.games.big import pawns as big_pawns
from collapsi.games.big import tree as big_tree
from collapsi.games.classic import kernel as classic_kernel
from collapsi.games.classic import search
from collapsi.games.shifting import kernel as shift_kernel
from collapsi.games.shifting import search as shift_search
from collapsi.site import tables, translate
from collapsi.system.extras import needs
from collapsi.system.files import cache_folder, check_writable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Any

FLAGS = ("-target", "wasm32-freestanding", "-O3", "-fwrapv", "-mcpu=generic", "-s", "-nostdlib")
LINKED = ("-Wl,--no-entry", "-Wl,--export-memory")


class Kernel(NamedTuple):
    """The functions of a kernel, each after those that it calls, and what JavaScript gets of it.

    A table in neither `tables` of this kernel nor of `tables_` is passed with each call, as its address and
    its length: so several requests can run concurrently, each with its own tables.
    """

    prefix: str
    functions: tuple[Callable[..., Any], ...]
    exported: tuple[Callable[..., Any], ...]
    tables: Mapping[str, int] = {}
    """The number of elements of each static table, by the name of its parameter."""
    types: Mapping[str, str] = {}
    """The element type of a table where that is not `i64`."""
    sized: tuple[str, ...] = ()
    """Static tables whose length is passed with each call, because only a part is used."""


def _of(module: ModuleType, names: str) -> tuple[Callable[..., Any], ...]:
    return tuple(getattr(module, name) for name in names.split())


KERNELS = (
    Kernel(
        "tables_",
        _of(tables, "spread"),
        (tables.spread,),
        {"reach": tables.ROWS * tables.SETS},
        {"reach": "uint16_t"},
    ),
    Kernel(
        "classic_",
        _of(classic_kernel, "reach_from decided search exact_value solve count_games"),
        (classic_kernel.solve, classic_kernel.count_games),
        {
            "rows": 32,
            "table": search.SLOTS,
            "stack": classic_kernel.DEPTH * classic_kernel.FRAME,
            "todo": classic_kernel.DEPTH * classic_kernel.DEPTH,
            "nodes": 1,
            "values": 16,
            "line": 16,
            "keys": search.GAME_SLOTS,
            "counts": search.GAME_SLOTS,
        },
        {"reach": "uint16_t"},
    ),
    Kernel(
        "shift_",
        _of(shift_kernel, "put line_of slide ahead_of behind reach search exact_value solve lay"),
        (shift_kernel.lay, shift_kernel.solve),
        {
            "patch": shift_kernel.PATCH,
            "places": shift_kernel.CARDS,
            "numbers": shift_kernel.CARDS,
            "table": shift_search.SLOTS[Wrap.ROTATE] * shift_kernel.ENTRY,
            "stack": shift_kernel.DEPTH * shift_kernel.FRAME,
            "todo": shift_kernel.DEPTH * shift_kernel.MOVES,
            "nodes": 2,
            "values": 4 * shift_kernel.CARDS,
            "line": shift_kernel.CARDS,
        },
        sized=("table",),
    ),
    Kernel(
        "big_",
        (
            *_of(big_kernel, "spread reach region place_of store longest apart search"),
            *_of(big_pawns, "next_random below pawns_of points_of turn_to_next go moves_of settle"),
            *_of(big_pawns, "count_moves all_apart run_out turn_of_other exact_end merit"),
            *_of(big_lookahead, "guess look"),
            *_of(big_tree, "weigh play_out expand pick settled_by_children grow"),
            *_of(big_judge, "slot_of all_points judge secures"),
        ),
        (big_kernel.search, big_lookahead.look, big_tree.grow, big_judge.judge, big_judge.secures),
    ),
)
"""`classic_` has no reach table of its own: it reads the one that `tables_` completes."""


@cache
def source() -> str:
    """Return the C code of all kernels. Exported functions take and return doubles: all fit 53 bits."""
    code = [translate.PRELUDE]
    static = {f"{kernel.prefix}{name}" for kernel in KERNELS for name in kernel.tables}
    for kernel in KERNELS:
        code.append(translate.c_functions(kernel.functions, prefix=kernel.prefix, types=kernel.types))
        for name, words in kernel.tables.items():
            table = f"{kernel.prefix}{name}"
            code.append(f"static {kernel.types.get(name, 'i64')} at_{table}[{words}];")
            code.append(_export(table, "void *", "void", f"at_{table}"))
            code.append(_export(f"{table}_words", "i64", "void", str(words)))
        code += [_export_call(kernel, function, static) for function in kernel.exported]
    return "\n".join(code)


def _export(name: str, kind: str, parameters: str, value: str) -> str:
    """Return an exported C function that returns an expression."""
    return f'__attribute__((export_name("{name}"))) {kind} export_{name}({parameters}) {{ return {value}; }}'


def _export_call(kernel: Kernel, function: Callable[..., Any], static: set[str]) -> str:
    """Return an exported C function that calls a kernel function, on static tables or on given ones."""
    given, passed = [], []
    for name, is_table in translate.parameters(function):
        if not is_table:
            given.append(f"double {name}")
            passed.append(f"(i64){name}")
            continue
        at = f"{kernel.prefix}{name}" if f"{kernel.prefix}{name}" in static else f"tables_{name}"
        if at not in static:
            given += [f"double {name}", f"double {name}_len"]
            passed.append(f"(i64 *)(uintptr_t){name}, (i64){name}_len")
            continue
        length = f"sizeof at_{at} / sizeof *at_{at}"
        if name in kernel.sized:
            given.append(f"double {name}_len")
            length = f"(i64){name}_len"
        passed.append(f"at_{at}, {length}")
    called = f"{kernel.prefix}{function.__name__}"
    call = f"{called}({', '.join(passed)})"
    answer = call if translate.returns_number(function) else f"({call}, 0)"
    return _export(called, "double", ", ".join(given) or "void", answer)


def module() -> bytes:
    """Return the WebAssembly module, from the cache or compiled."""
    code = source()
    folder = cache_folder() / "site"
    cached = folder / f"kernels-{sha256((code + repr(FLAGS + LINKED)).encode()).hexdigest()[:16]}.wasm"
    if not cached.exists():
        compiled = _compile(code)
        check_writable(folder)
        write_atomically(cached, compiled)
    return cached.read_bytes()


def _compile(code: str) -> bytes:
    with needs("site"):
        import ziglang  # noqa: F401 - run as a program below
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernels.c").write_text(code, encoding="utf-8")
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *LINKED, "-Wno-parentheses-equality"]
        done = subprocess.run(
            [*command, str(Path(folder) / "kernels.c"), "-o", str(Path(folder) / "kernels.wasm")],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            reason = (done.stderr.strip() or "no reason given").splitlines()[0]
            msg = f"the kernels could not be compiled: {reason}"
            raise CollapsiError(msg)
        return (Path(folder) / "kernels.wasm").read_bytes()
