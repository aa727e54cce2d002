"""Programs that solve one position after another get the compiled solver without asking for it."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import count, islice
from typing import Any

import pytest

import collapsi
from collapsi.games.classic import search as classic_search
from collapsi.games.classic.solver import ClassicSolver
from collapsi.games.shifting import search as shifting_search
from collapsi.games.shifting.solver import ShiftingSolver

ENDGAME = "..A./.2rA./.AbA./.2.. r"
LOOP = """
import random, collapsi
from collapsi.games.registry import kind_named
rng = random.Random(3)
solver, rules = kind_named({kind!r}).solver, {rules!r}
assert not solver.is_warm()
positions, interpreted = [], 0
while not solver.is_warm():
    position = collapsi.deal(rng, rules)
    while position.cards_left > {cards} and position.moves:
        position = position.play(rng.choice(position.moves))
    positions.append((position, collapsi.analyse(position)))
    assert len(positions) < 5000
for _ in range(20):
    position, answer = rng.choice(positions)
    assert collapsi.analyse(position).to_json() == answer.to_json()
print(len(positions))
"""


@pytest.mark.parametrize(("kind", "rules", "cards"), [("classic", "standard", 16), ("shifting", "shift", 10)])
def test_a_loop_loads_the_compiled_solver(kind: str, rules: str, cards: int) -> None:
    script = LOOP.format(kind=kind, rules=rules, cards=cards)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 5, "the first positions are solved without loading anything"


@pytest.mark.parametrize("solver", [ClassicSolver, ShiftingSolver])
def test_a_solver_that_must_be_compiled_waits_longer(
    solver: type[ClassicSolver | ShiftingSolver], monkeypatch: pytest.MonkeyPatch
) -> None:
    search = classic_search if solver is ClassicSolver else shifting_search
    position = collapsi.parse_position(ENDGAME, rules="shift" if solver is ShiftingSolver else "standard")
    loaded: list[Any] = []
    monkeypatch.setattr(search, "compiled_is_loaded", lambda: False)
    monkeypatch.setattr(search, "machine_code_is_cached", lambda: False)
    monkeypatch.setattr(solver, "warm_up", lambda solver: loaded.append(type(solver)))
    waiting = solver()
    for patience, expected in ((0.1, 0), (-1.0, 0), (-20.0, 1)):
        waiting.patience = patience
        assert list(waiting.solutions([position])) == [search.solve(position)]
        assert len(loaded) == expected


def test_without_a_compiler_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classic_search, "compiled_is_loaded", lambda: False)
    monkeypatch.setattr("collapsi.games.kernel_solver.may_compile", lambda: False)
    monkeypatch.setattr(ClassicSolver, "warm_up", lambda _: pytest.fail("there is nothing to load"))
    waiting = ClassicSolver()
    waiting.patience = -1.0
    position = collapsi.parse_position(ENDGAME)
    assert list(waiting.solutions([position])) == [classic_search.solve(position)]
    assert waiting.patience > 0


def test_warm_up_loads_the_solver_of_each_kind() -> None:
    script = """
import sys, collapsi
from collapsi.games.registry import kind_named
for rules, kind in (("standard", "classic"), ("shift-box", "shifting"), ("big", "big")):
    assert not kind_named(kind).solver.is_warm()
    collapsi.warm_up(rules)
    assert kind_named(kind).solver.is_warm()
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_answers_come_in_order_from_an_endless_source() -> None:
    rng = random.Random(4)
    seen: list[int] = []
    deals = [collapsi.deal(rng) for _ in range(10)]
    endless = (deals[number % len(deals)] for number in count())
    found = list(islice(collapsi.iter_analyses(endless, progress=seen.append), 2100))
    expected = [analysis.score for analysis in collapsi.analyse_many(deals)]
    assert [analysis.score for analysis in found] == [expected[number % 10] for number in range(2100)]
    assert seen == [1024, 2048]


def test_an_error_names_the_number_of_the_position() -> None:
    texts = [ENDGAME] * 1500 + ["nonsense"]
    with pytest.raises(collapsi.MalformedError, match="position 1501: "):
        list(collapsi.iter_analyses(texts))
