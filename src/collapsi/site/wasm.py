"""The kernels as one WebAssembly module: their C (`translate`), room for their tables, and the compiler.

The compiler is Zig's, from the package `ziglang`. What it makes depends on the kernels alone, so it is kept
in the cache folder, by the C that it was made from.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from collapsi.errors import CollapsiError
from collapsi.extras import needs
from collapsi.files import cache_folder, check_writable, write_whole
from collapsi.rules import Wrap
from collapsi.site import tables, translate
from collapsi.solve import (
    crowd_ahead,
    crowd_judge,
    crowd_kernel,
    crowd_pawns,
    crowd_tree,
    kernel,
    search,
    shift_kernel,
    shift_search,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Any

FLAGS = ("-target", "wasm32-freestanding", "-O3", "-fwrapv", "-mcpu=generic", "-s", "-nostdlib")
LINKED = ("-Wl,--no-entry", "-Wl,--export-memory")


class Part(NamedTuple):
    """A kernel: its functions in the order in which they call each other, and what is called from outside.

    `room` has the words of every table by its name; a table of `sized` is given its length with each call. A
    table that has no room anywhere is given with each call: its address and its length.
    """

    before: str
    functions: tuple[Callable[..., Any], ...]
    called: tuple[Callable[..., Any], ...]
    room: Mapping[str, int] = {}
    types: Mapping[str, str] = {}
    sized: tuple[str, ...] = ()


def _of(module: ModuleType, names: str) -> tuple[Callable[..., Any], ...]:
    return tuple(getattr(module, name) for name in names.split())


PARTS = (
    Part(
        "tables_",
        _of(tables, "spread_row spread"),
        (tables.spread,),
        {"reach": tables.ROWS * tables.SETS},
        {"reach": "uint16_t"},
    ),
    Part(
        "classic_",
        _of(kernel, "reach_from decided search exact_value solve count_games"),
        (kernel.solve, kernel.count_games),
        {
            "rows": 32,
            "table": search.SLOTS,
            "stack": kernel.DEPTH * kernel.FRAME,
            "todo": kernel.DEPTH * kernel.DEPTH,
            "nodes": 1,
            "values": 16,
            "line": 16,
            "keys": search.GAME_SLOTS,
            "counts": search.GAME_SLOTS,
        },
        {"reach": "uint16_t"},
    ),
    Part(
        "shift_",
        _of(shift_kernel, "slide next_to counting neighbours reach search exact_value solve lay"),
        (shift_kernel.lay, shift_kernel.solve),
        {
            "patch": shift_kernel.PATCH,
            "grid": shift_kernel.GRID,
            "places": shift_kernel.CARDS,
            "numbers": shift_kernel.CARDS,
            "table": shift_search.SLOTS[Wrap.ROTATE] * shift_kernel.ENTRY,
            "stack": shift_kernel.DEPTH * shift_kernel.FRAME,
            "todo": shift_kernel.DEPTH * shift_kernel.MOVES,
            "nodes": 2,
            "values": 4 * shift_kernel.CARDS,
            "line": shift_kernel.CARDS,
        },
        {"grid": "int8_t"},
        ("table",),
    ),
    Part(
        "crowd_",
        (
            *_of(crowd_kernel, "spread reach region place_of store longest apart search"),
            *_of(crowd_pawns, "next_random below pawns_of points_of turn_to_next go moves_of settle"),
            *_of(crowd_pawns, "count_moves all_apart run_out turn_of_other exact_end merit"),
            *_of(crowd_ahead, "guess look"),
            *_of(crowd_tree, "weigh play_out expand pick settled_by_children grow"),
            *_of(crowd_judge, "slot_of all_points judge secures"),
        ),
        (crowd_kernel.search, crowd_ahead.look, crowd_tree.grow, crowd_judge.judge, crowd_judge.secures),
    ),
)
"""`classic_` has no reach table of its own: it reads the one that `tables_` completes. Those of
the big board are given with each call: several questions are worked on side by side, each with its own.
"""


@cache
def source() -> str:
    """All of it in C. Numbers come and go as doubles, which JavaScript has: none is beyond 53 bits."""
    parts = [translate.PRELUDE]
    room = {f"{part.before}{name}" for part in PARTS for name in part.room}
    for part in PARTS:
        parts.append(translate.c_functions(part.functions, before=part.before, types=part.types))
        for name, words in part.room.items():
            kind = part.types.get(name, "i64")
            parts.append(f"static {kind} at_{part.before}{name}[{words}];")
            parts.append(_export(f"{part.before}{name}", "void *", "void", f"at_{part.before}{name}"))
            parts.append(_export(f"{part.before}{name}_words", "i64", "void", str(words)))
        parts += [_call(part, function, room) for function in part.called]
    return "\n".join(parts)


def _export(name: str, kind: str, given: str, answer: str) -> str:
    return f'__attribute__((export_name("{name}"))) {kind} export_{name}({given}) {{ return {answer}; }}'


def _call(part: Part, function: Callable[..., Any], room: set[str]) -> str:
    """A function for JavaScript that calls one of the kernel, on the tables there are or on given ones."""
    given, passed = [], []
    for name, is_table in translate.parameters(function):
        if not is_table:
            given.append(f"double {name}")
            passed.append(f"(i64){name}")
            continue
        at = f"{part.before}{name}" if f"{part.before}{name}" in room else f"tables_{name}"
        if at not in room:
            given += [f"double {name}", f"double {name}_len"]
            passed.append(f"(i64 *)(uintptr_t){name}, (i64){name}_len")
            continue
        length = f"sizeof at_{at} / sizeof *at_{at}"
        if name in part.sized:
            given.append(f"double {name}_len")
            length = f"(i64){name}_len"
        passed.append(f"at_{at}, {length}")
    called = f"{part.before}{function.__name__}"
    call = f"{called}({', '.join(passed)})"
    answer = call if translate.answers(function) else f"({call}, 0)"
    return _export(called, "double", ", ".join(given) or "void", answer)


def module() -> bytes:
    """The WebAssembly module: as it was kept, or compiled now."""
    code = source()
    folder = cache_folder() / "site"
    kept = folder / f"kernels-{sha256((code + repr(FLAGS + LINKED)).encode()).hexdigest()[:16]}.wasm"
    if not kept.exists():
        compiled = _compile(code)
        check_writable(folder)
        write_whole(kept, compiled)
    return kept.read_bytes()


def _compile(code: str) -> bytes:
    with needs("site"):
        import ziglang  # noqa: F401 - it is run as a program
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
