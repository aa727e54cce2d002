"""Caches are bounded: the number of possible keys exceeds the memory."""

from __future__ import annotations

import ast
import itertools
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import collapsi
from collapsi.core.decks import format_deck
from tests.service import ask, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "/api/v1"
PACKAGE = Path(collapsi.__file__).parent

FINITE = {
    "api/question.py:QUESTIONS": "the questions that are declared, one for each path",
    "census/rotate/shapes.py:form": "65,536 sets of 16 cells, in the census of one rule set",
}
"""Unbounded caches whose keys are few, and how many there are."""


def decorator_name(node: ast.expr) -> str:
    """The last name of a decorator: `cache` for `@cache`, `@functools.cache` and `@cache()`."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_unbounded(node: ast.expr) -> bool:
    """Whether a decorator is a cache of functools without a limit."""
    name = decorator_name(node)
    if name != "lru_cache" or not isinstance(node, ast.Call):
        return name == "cache"  # a bare @lru_cache keeps 128
    sizes = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "maxsize")]
    return any(isinstance(size, ast.Constant) and size.value is None for size in sizes)


def unbounded_functions(tree: ast.AST) -> Iterator[str]:
    """Functions with parameters whose results are all kept."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            has_parameters = (
                given.args or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg
            )
            if has_parameters and any(map(is_unbounded, node.decorator_list)):
                yield node.name


def growing_dicts(tree: ast.Module) -> Iterator[str]:
    """Dictionaries that are empty when a module is loaded, and that its functions write to."""
    empty = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            value = node.value
            is_empty = (isinstance(value, ast.Dict) and not value.keys) or (
                isinstance(value, ast.Call)
                and decorator_name(value) in ("dict", "defaultdict", "OrderedDict")
            )
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            empty |= {target.id for target in targets if is_empty and isinstance(target, ast.Name)}
    for use in ast.walk(tree):
        stored = isinstance(use, ast.Subscript) and isinstance(use.ctx, ast.Store)
        called = isinstance(use, ast.Attribute) and use.attr in ("setdefault", "update")
        name = getattr(use, "value", None)
        if (stored or called) and isinstance(name, ast.Name) and name.id in empty:
            yield name.id


def found_in(source: str) -> set[str]:
    tree = ast.parse(source)
    return {*unbounded_functions(tree), *growing_dicts(tree)}


def test_no_cache_grows_with_what_is_asked() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{name}"
        for path in PACKAGE.rglob("*.py")
        for name in found_in(path.read_text(encoding="utf-8"))
    }
    assert found == set(FINITE)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@cache\ndef f(x): ...", {"f"}),
        ("@functools.cache\ndef f(*x): ...", {"f"}),
        ("@lru_cache(maxsize=None)\ndef f(x): ...", {"f"}),
        ("@lru_cache(None)\ndef f(*, x): ...", {"f"}),
        ("class C:\n    @cache\n    def f(self): ...", {"f"}),
        ("@lru_cache\ndef f(x): ...", set()),
        ("@lru_cache(64)\ndef f(x): ...", set()),
        ("@cache\ndef f(): ...", set()),
        ("K = {}\ndef f(x):\n    K[x] = 1", {"K"}),
        ("K: dict[int, int] = {}\ndef f(x):\n    return K.setdefault(x, 1)", {"K"}),
        ("K = {1: 2}\ndef f(x):\n    return K[x]", set()),
    ],
)
def test_such_caches_are_found(source: str, found: set[str]) -> None:
    assert found_in(source) == found


def rules_texts() -> Iterator[str]:
    """Different rules of the 4×4 board: every deck of fourteen cards with some first moves."""
    steps = [
        ",".join(map(str, some)) for size in (1, 2) for some in itertools.combinations((1, 2, 3, 4), size)
    ]
    decks = [
        (aces, twos, threes, 14 - aces - twos - threes)
        for aces, twos, threes in itertools.product(range(15), repeat=3)
        if aces + twos + threes <= 14
    ]
    for red, blue in itertools.product(steps, repeat=2):
        for deck in decks:
            yield f"{red}|{blue}@{format_deck(deck)}"


def grow(folder: Path, count: int) -> int:
    """How many bytes the server gains by questions under so many different rules."""
    every = rules_texts()
    with running_server(folder) as server, server.connection() as connection:

        def send(number: int) -> None:
            for text in itertools.islice(every, number):
                dealt = ask(connection, f"{API}/deal", rules=text, seed=1)
                assert dealt.status == 200, dealt.body
                position = json.loads(dealt.body)["position"]
                assert ask(connection, f"{API}/game", game=position).status == 200
                while (answer := ask(connection, f"{API}/analysis", position=position)).status == 503:
                    time.sleep(0.1)  # the solver is being prepared
                assert answer.status == 200, answer.body

        send(500)  # what is loaded once, and caches that are full
        before = server.memory()
        send(count)
        return server.memory() - before


@pytest.mark.slow
def test_many_rules_leave_the_memory_as_it_was(tmp_path: Path) -> None:
    """With all rows of `search.row_of` kept it would be twice as much."""
    assert grow(tmp_path, 20_000) < 20 * 2**20
