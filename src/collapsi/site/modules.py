"""Find the modules of this package that the page without a service needs, by following imports."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import collapsi

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = "collapsi"
START = "collapsi.site.answering"
"""The module that the page imports."""
PACKAGE = Path(collapsi.__file__).parent
UNUSED = {
    "collapsi.draw.film",  # for notebooks
    "collapsi.games.shifting.symmetry",  # for studies
}
"""Modules whose import is in a function that no question of the page calls."""


def modules() -> dict[str, Path]:
    """Return the modules that `START` can import in a browser, by name, and their files.

    Imports inside functions and by name count; imports for the type checker alone do not. A module that needs
    a library outside the standard one as soon as it is loaded, itself or through its imports, cannot be
    loaded in the browser and is left out: every use of such a module has an alternative there.

    >>> found = modules()
    >>> "collapsi.play.analysis" in found, "collapsi.solving.jit" in found, "collapsi.cli" in found
    (True, False, False)
    """
    found: set[str] = set()
    todo = {START}
    while todo:
        name = todo.pop()
        found.add(name)
        imported = {each for each in _imports(name, later=True) if each.partition(".")[0] == ROOT}
        todo |= set(filter(_is_loadable, imported - found - UNUSED))
    return {name: _file(name) for name in sorted(found)}


def _is_loadable(name: str) -> bool:
    """Return whether a module and all that it imports when it is loaded need only the standard library."""
    todo, seen = {name}, set()
    while todo:
        each = todo.pop()
        seen.add(each)
        top = each.partition(".")[0]
        if top == ROOT:
            todo |= _imports(each, later=False) - seen
        elif top not in sys.stdlib_module_names:
            return False
    return True


def _file(name: str) -> Path:
    path = PACKAGE.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@lru_cache(maxsize=1024)
def _imports(name: str, *, later: bool) -> frozenset[str]:
    """Return the modules that a module imports when it is loaded, or `later` when its functions run too."""
    nodes = _executed(ast.parse(_file(name).read_text(encoding="utf-8")), later=later)
    package = name.rpartition(".")[0] or ROOT  # loaded before the modules in it
    return frozenset([package, *(imported for node in nodes for imported in _imported(node))])


def _executed(node: ast.AST, *, later: bool) -> Iterator[ast.AST]:
    """Yield the nodes that run; those of functions if `later`, those for the type checker never."""
    for child in ast.iter_child_nodes(node):
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not for_types and (later or not is_function):
            yield child
            yield from _executed(child, later=later)


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that a statement imports; of `import_module(f"…")`, every module that fits."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module":
        if isinstance(name := node.args[0], ast.JoinedStr):
            parts = (str(each.value) if isinstance(each, ast.Constant) else "*" for each in name.values)
            pattern = "".join(parts).removeprefix(f"{ROOT}.").replace(".", "/")
            for path in PACKAGE.glob(pattern.replace("*", "[!_]*") + ".py"):
                yield ".".join((ROOT, *path.relative_to(PACKAGE).with_suffix("").parts))
    elif isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        if node.module.partition(".")[0] == ROOT:
            inside = (f"{node.module}.{each.name}" for each in node.names)
            yield from (each for each in inside if _file(each).exists())
