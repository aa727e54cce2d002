"""The search as WebAssembly: the third form of one source enters the same nodes and says the same."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

import pytest

import collapsi
from collapsi import bench, parse_position
from collapsi.errors import CollapsiError
from collapsi.extras import MissingExtraError
from collapsi.reach import full_reach, marks
from collapsi.rules import RULE_SETS, STANDARD, Wrap
from collapsi.site import kernels, tables, translate, wasm
from collapsi.solve import answers, search, shift_search
from tests import node
from tests.node_room import NodeRoom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import Position

CLASSIC = [rules for rules in RULE_SETS.values() if rules.shift is None]
SHIFTING = [rules for rules in RULE_SETS.values() if rules.shift is not None]
SIGNATURES = {"standard": (100, 325868), "shift": (2, 748132), "shift-box": (30, 193913)}
"""The node totals of `collapsi bench`, as in `test_cli`; turning lines take longer."""


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kernels.WebAssembly]:
    """The compiled kernels, run by Node."""
    node.required()
    with NodeRoom(tmp_path_factory.mktemp("kernels"), wasm.module()) as room:
        yield kernels.WebAssembly(room)


def check_signature(form: kernels.WebAssembly, name: str, count: int, nodes: int) -> None:
    rng = random.Random(bench.SEED)
    deals: list[Any] = [collapsi.deal(rng, RULE_SETS[name]) for _ in range(count)]
    before = form.nodes
    solve: Any = form.solve if name == "standard" else form.solve_shifting
    solver: Any = search if name == "standard" else shift_search
    assert [solve(deal) for deal in deals] == list(solver.solve_many(deals, jobs=1))
    assert form.nodes - before == nodes


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_nodes_are_those_of_bench(form: kernels.WebAssembly, name: str) -> None:
    check_signature(form, name, *SIGNATURES[name])


@pytest.mark.slow
def test_the_nodes_are_those_of_bench_with_turning_lines(form: kernels.WebAssembly) -> None:
    check_signature(form, "shift-rotate", 1, 3607748)


def positions(rng: random.Random, count: int) -> Iterator[Position]:
    """From games of all classic rule sets, and boards that nobody deals: with stray jacks, and smaller."""
    for number in range(count):
        position: Any = collapsi.deal(rng, CLASSIC[number % len(CLASSIC)])
        for _ in range(rng.randrange(12)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        yield position
    yield parse_position("A2J3/4J2Jr/3A2./Jb3A4 r joker")
    yield parse_position("J2J3/4A2Jr/.A2./Jb3A4 b choice")


def test_it_says_what_the_other_two_forms_say_node_for_node(form: kernels.WebAssembly) -> None:
    chosen = list(positions(random.Random(5), 60))
    compiled = list(search.solve_many(chosen, jobs=1))
    for position, wanted in zip(chosen, compiled, strict=True):
        nodes, before = [0], form.nodes
        assert form.solve(position) == search.solve(position, nodes) == wanted
        assert form.nodes - before == nodes[0]


@pytest.mark.slow
def test_it_says_what_the_compiled_form_says_of_thousands(form: kernels.WebAssembly) -> None:
    chosen = list(positions(random.Random(6), 4000))
    assert list(map(form.solve, chosen)) == list(search.solve_many(chosen))


def test_it_counts_games_as_the_others_do(form: kernels.WebAssembly) -> None:
    chosen = list(positions(random.Random(7), 6))
    assert list(map(form.count_games, chosen)) == list(search.count_games_many(chosen, jobs=1))
    assert form.count_games(chosen[0]) == search.count_games(chosen[0])


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
def test_endgames_of_the_shifting_board(form: kernels.WebAssembly, rules: collapsi.Rules) -> None:
    rng = random.Random(8)
    for _ in range(12):
        position = bench._endgame(rng, rules)
        nodes, before = [0], form.nodes
        assert form.solve_shifting(position) == shift_search.solve(position, nodes)
        assert form.nodes - before == nodes[0]


def test_stamps_begin_anew_before_they_run_out(form: kernels.WebAssembly) -> None:
    position = parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    form._stamp = kernels.MOST_STAMPS - 1
    assert form.solve(position) == form.solve(position) == search.solve(position)
    assert form._stamp == 1


def test_the_table_of_what_is_reached_is_completed_right() -> None:
    """In plain Python, for one row: what the compiled form is made from."""
    whole = full_reach(STANDARD.board)
    row = tables.SETS * 37  # three steps from b2
    reach = [0] * tables.SETS
    for index, end in marks(STANDARD.board):
        if row <= index < row + tables.SETS:
            reach[index - row] |= end
    tables.spread_row(reach, 0)
    assert reach == whole[row : row + tables.SETS].tolist()


def test_all_answers_come_from_a_form_that_was_taken(form: kernels.WebAssembly) -> None:
    classic, shifting = "A223/4A2Jr/3A23/Jb3A4 r", "..../.2r2./.Ab3./.2.. r shift"
    said = [collapsi.analyse(text).to_json() for text in (classic, shifting)]
    deal = parse_position(classic)
    games = list(answers.count_games([deal]))
    answers.take(form)
    try:
        before = form.nodes
        assert [collapsi.analyse(text).to_json() for text in (classic, shifting)] == said
        assert form.nodes > before
        assert list(answers.count_games([deal])) == games
        assert answers.is_loaded()
        quick = answers.expected_seconds(deal)
        answers.take(kernels.Interpreted())
        assert [collapsi.analyse(text).to_json() for text in (classic, shifting)] == said
        assert list(answers.count_games([deal])) == games
        assert answers.expected_seconds(deal) > 10 * quick
    finally:
        answers.take(None)


def strange(table: translate.Table, number: int) -> int:
    """Something that no kernel does."""
    table[0] = [number]
    return 0


def guessed(number: int) -> int:
    """A name that is neither given, set, nor a number of the module."""
    return number + unknown  # type: ignore[name-defined,no-any-return] # noqa: F821 - on purpose


def valued(one: int, two: int) -> int:
    """In Python the answer is one of the two numbers, in C it would be 0 or 1."""
    return one or two


def chained(one: int, two: int) -> int:
    """In C this would compare the first answer with the last number."""
    return one < two < 5


@pytest.mark.parametrize("function", [strange, guessed, valued, chained])
def test_what_means_something_else_in_c_is_refused_by_name(function: Any) -> None:
    with pytest.raises(CollapsiError, match="not put into C: "):
        translate.c_functions(sys.modules[__name__], [function.__name__])


def test_the_kernels_put_into_c_are_all_that_the_page_asks_for() -> None:
    code = wasm.source()
    for name in ("classic_solve", "classic_count_games", "shift_lay", "shift_solve", "tables_spread"):
        assert f'export_name("{name}")' in code
    assert Wrap.ROTATE in shift_search.SLOTS  # the largest table there is room for


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(MissingExtraError, match=r'pip install "collapsi\[site\]"'):
        wasm._compile("int x;")
