"""The search as WebAssembly: the same nodes and answers as interpreted and compiled."""

from __future__ import annotations

import random
import sys
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import pytest

import collapsi
from collapsi import parse_position
from collapsi.api.questions import big as questions
from collapsi.core.errors import CollapsiError
from collapsi.core.patch import Wrap
from collapsi.core.reach import full_reach, marks
from collapsi.games.big import multiplayer as big_multiplayer
from collapsi.games.big import search as big_search
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.engine import estimate
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.classic import search
from collapsi.games.classic.rules import STANDARD
from collapsi.games.levels import Level
from collapsi.games.registry import kind_named, use_backend
from collapsi.games.shifting import search as shift_search
from collapsi.play import bench
from collapsi.play.analysis import expected_seconds
from collapsi.site import big_kernels, kernels, tables, translate, wasm
from collapsi.system.extras import MissingExtraError
from tests import node
from tests.node_module import NodeModule
from tests.rule_sets import FOR_TWO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from collapsi import Position
    from collapsi.games.big.state import BigState

CLASSIC_RULE_SETS = [rules for rules in FOR_TWO.values() if rules.kind == "classic"]
SHIFTING = [rules for rules in FOR_TWO.values() if rules.kind == "shifting"]
SIGNATURES = {"standard": (100, 294224), "shift": (2, 752814), "shift-box": (30, 194341)}
"""The node totals of `collapsi bench`, as in `test_cli`; turning lines take longer."""


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kernels.WebAssembly]:
    """The compiled kernels, run by Node."""
    node.required()
    with NodeModule(tmp_path_factory.mktemp("kernels"), wasm.module()) as room:
        yield kernels.WebAssembly(room)


def check_signature(form: kernels.WebAssembly, name: str, count: int, nodes: int) -> None:
    rng = random.Random(bench.SEED)
    deals: list[Any] = [collapsi.deal(rng, FOR_TWO[name]) for _ in range(count)]
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
    check_signature(form, "shift-rotate", 1, 3774614)


def positions(rng: random.Random, count: int) -> Iterator[Position]:
    """From games of all classic rule sets, and boards that nobody deals: with stray jacks, and smaller."""
    for number in range(count):
        position: Any = collapsi.deal(rng, CLASSIC_RULE_SETS[number % len(CLASSIC_RULE_SETS)])
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
        position = bench._unfinished(rng, rules, bench.ENDGAME)
        nodes, before = [0], form.nodes
        assert form.solve_shifting(position) == shift_search.solve(position, nodes)
        assert form.nodes - before == nodes[0]


def test_stamps_begin_anew_before_they_run_out(form: kernels.WebAssembly) -> None:
    position = parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    form._stamp = kernels.MOST_STAMPS - 1
    assert form.solve(position) == form.solve(position) == search.solve(position)
    assert form._stamp == 1


def test_the_table_of_what_is_reached_is_completed_right() -> None:
    """In plain Python, for the sets of the first nine cards: what the compiled form is made from."""
    entries = tables.ROWS << 9
    reach = [0] * entries
    for index, end in marks(STANDARD.board):
        if index < entries:
            reach[index] |= end
    tables.spread(reach)
    assert reach == full_reach(STANDARD.board)[:entries].tolist()


def test_all_answers_come_from_a_form_that_was_taken(form: kernels.WebAssembly) -> None:
    classic, shifting = "A223/4A2Jr/3A23/Jb3A4 r", "..../.2r2./.Ab3./.2.. r shift"
    said = [collapsi.analyse(text).to_json() for text in (classic, shifting)]
    deal = parse_position(classic)
    games = collapsi.count_games_many([deal])
    use_backend(form)
    try:
        before = form.nodes
        assert [collapsi.analyse(text).to_json() for text in (classic, shifting)] == said
        assert form.nodes > before
        assert collapsi.count_games_many([deal]) == games
        assert kind_named("classic").solver.is_warm()
        quick = expected_seconds(deal)
        use_backend(kernels.Interpreted())
        assert [collapsi.analyse(text).to_json() for text in (classic, shifting)] == said
        assert collapsi.count_games_many([deal]) == games
        assert expected_seconds(deal) > 10 * quick
    finally:
        use_backend(None)


# The big board


@contextmanager
def taken(form: kernels.WebAssembly | kernels.Interpreted) -> Iterator[None]:
    """All is answered by this form."""
    use_backend(form)
    try:
        yield
    finally:
        use_backend(None)


def big_states(rng: random.Random, cards: int) -> Iterator[BigState]:
    """A position from a game of every rule set of the big board, with so many cards at the most."""
    for rules in BIG_RULE_SETS.values():
        state = collapsi.deal(rng, rules)
        while state.cards_left > cards and not state.over:
            state = state.play(rng.choice(state.moves))
        if not state.over:
            yield state


def test_the_exact_search_of_the_big_board_is_the_others_node_for_node(form: kernels.WebAssembly) -> None:
    two = [
        state for seed in range(12) for state in big_states(random.Random(seed), 14) if len(state.left) == 2
    ]
    assert len(two) >= 12
    for state in two:
        said = big_search.solve(state, table=big_search.TranspositionTable(megabytes=1), compiled=True)
        with taken(form):
            found = big_search.solve(state, table=big_search.TranspositionTable(megabytes=1))
        plain = big_search.solve(state, compiled=False)
        assert (found.moves, found.nodes) == (said.moves, said.nodes) == (plain.moves, plain.nodes)


def test_the_engine_of_the_big_board_is_the_others_node_for_node(form: kernels.WebAssembly) -> None:
    """Trees of fractions, endgames of three and four, and looking ahead."""
    endgames = 0
    for state in (*big_states(random.Random(1), 36), *big_states(random.Random(2), 18)):
        with taken(form):
            found = estimate(state, seed=5, nodes=400), big_multiplayer.guess(state, 2)
        assert found == (estimate(state, seed=5, nodes=400, compiled=False), big_multiplayer.guess(state, 2))
        many = estimate(state, seed=6, nodes=30_000)
        judged = None if len(state.left) == 2 or state.cards_left > 18 else analyse_endgame(state)
        with taken(form):
            assert estimate(state, seed=6, nodes=30_000) == many
            assert judged is None or analyse_endgame(state) == judged
        endgames += judged is not None
    assert endgames >= 2


def test_thoughts_of_the_big_board_side_by_side(form: kernels.WebAssembly) -> None:
    """Two analyses that take turns, and moves in between, say what each says alone, in the same memory."""
    two = "..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big"
    three = ".2A.../.2r.3A./.AA.2./.3b4g.../.A3.A./..2.A. r big3"

    def known(line: Mapping[str, Any]) -> dict[str, Any]:
        """What it says, not how much was looked at: that depends on what was known before."""
        return {name: said for name, said in line["answer"].items() if name != "nodes"}

    def lines(text: str) -> Iterator[Mapping[str, Any]]:
        return questions.analysis(text).make(lambda: False)

    alone = [known(list(lines(text))[-2]) for text in (two, three)]
    with taken(form):
        sizes = []
        for _ in range(3):
            last: list[dict[str, Any]] = [{}, {}]
            under = [lines(text) for text in (two, three)]
            for both in zip_longest(*under):
                questions.computer_move(two, Level.PERFECT, 1).make()
                for at, line in enumerate(both):
                    last[at] = known(line) if line and "answer" in line else last[at]
            assert last == alone
            sizes.append(form.big.memory.words)
    assert sizes[0] == sizes[1] == sizes[2]
    assert sizes[0] * big_kernels.WORD_BYTES < 128 * 2**20


def test_a_part_of_the_memory_that_nobody_holds_is_used_again() -> None:
    class Endless:
        end = 0

        def more(self, words: int) -> int:
            self.end += 8 * words
            return self.end - 8 * words

    rng, memory = random.Random(3), big_kernels.Memory(Endless())  # type: ignore[arg-type] # no more is asked for
    held: dict[int, int] = {}
    for _ in range(2_000):
        if held and rng.random() < 0.5:
            address = rng.choice(list(held))
            memory.free(address, held.pop(address))
        else:
            words = rng.choice([3, 12, 400, 50_000])
            address = memory.allocate(words)
            for other, size in held.items():
                assert address + 8 * words <= other or other + 8 * size <= address
            held[address] = words
    for address, words in held.items():
        memory.free(address, words)
    assert memory._free == [(0, memory.words)]
    memory = big_kernels.Memory(Endless())  # type: ignore[arg-type] # as above
    for _ in range(big_kernels.MOST_MEGABYTES // 32):
        memory.allocate(32 * 2**20 // 8)
    with pytest.raises(CollapsiError, match="too many positions are being analysed at once"):
        memory.allocate(32 * 2**20 // 8)


def strange(table: tables.Table, number: int) -> int:
    """Something that no kernel does."""
    table[0] = [number]
    return 0


def guessed(number: int) -> int:
    """A name that is neither given, set, nor a number of the module."""
    return number + unknown  # type: ignore[name-defined] # noqa: F821 - on purpose


def valued(one: int, two: int) -> int:
    """In Python the answer is one of the two numbers, in C it would be 0 or 1."""
    return one or two


def chained(one: int, two: int) -> int:
    """In C this would compare the first answer with the last number."""
    return one < two < 5


def given_away(number: int) -> float:
    """A fraction that leaves the function."""
    return number / 2


def cut_short(one: int, two: int) -> int:
    """The larger of two is asked of ints only."""
    return max(one / two, 1)  # type: ignore[return-value] # on purpose


def going_on(number: int) -> int:
    """Steps that nobody knows beforehand: which way does it go?"""
    total = 0
    for each in range(0, 10, number):
        total += each
    return total


HALF = 0.5


def scaled(number: int) -> int:
    """A fraction that stays in the function, in a variable and in what is made of it."""
    part = HALF
    more = part + number
    return 1 if more > 2 else 0


def test_variables_for_fractions_are_found() -> None:
    code = translate.c_functions([scaled])
    assert "double part = 0;" in code
    assert "double more = 0;" in code


@pytest.mark.parametrize("function", [strange, guessed, valued, chained, given_away, cut_short, going_on])
def test_what_means_something_else_in_c_is_refused_by_name(function: Any) -> None:
    with pytest.raises(CollapsiError, match="cannot be translated to C: "):
        translate.c_functions([function])


def test_the_kernels_put_into_c_are_all_that_the_page_asks_for() -> None:
    code = wasm.source()
    for name in (
        "classic_solve",
        "classic_count_games",
        "shift_lay",
        "shift_solve",
        "tables_spread",
        "big_grow",
    ):
        assert f'export_name("{name}")' in code
    assert Wrap.ROTATE in shift_search.SLOTS  # the largest table there is room for


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(MissingExtraError, match=r'pip install "collapsi\[site\]"'):
        wasm._compile("int x;")
