"""The layers of the census: numberings, shapes and the sweep, each compared with a plain version."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi import CollapsiError
from collapsi.census.layers import shapes
from collapsi.census.layers.numberings import OFFICIAL, Decks, count_numberings, numberings
from collapsi.census.layers.sweep import GAMES, ONE_LINE, VALUES, Question, places_of, sweep
from collapsi.census.verify import position_at
from collapsi.core.board import cells_of
from collapsi.solving import reference as definition
from tests.one_line import line_kind
from tests.service import HANG_SECONDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent


DECKS: list[Decks] = [OFFICIAL, ((14, 0, 0, 0),), ((0, 6, 1, 7),), ((5, 4, 3, 2), (0, 0, 7, 7), (4, 4, 4, 2))]
"""Decks of the rule sheet, of one number, without one, and several together."""


def plain_numberings(cells: int, decks: Decks = OFFICIAL) -> list[tuple[int, ...]]:
    """All ways to lay numbers 0 to 3 on cells, by trying all."""
    every = product(range(4), repeat=cells)
    return [
        some
        for some in every
        if any(all(some.count(number) <= limit for number, limit in enumerate(deck)) for deck in decks)
    ]


def code_of(numbers: tuple[int, ...]) -> int:
    code = 0
    for number in numbers:
        code = code << 2 | number
    return code


@pytest.mark.parametrize("cells", range(1, 9))
@pytest.mark.parametrize("decks", DECKS)
def test_numberings_are_all_there_are_in_order(cells: int, decks: Decks) -> None:
    plain = plain_numberings(cells, decks)
    assert numberings(cells, decks).codes.tolist() == [code_of(numbers) for numbers in plain]
    assert count_numberings(cells, decks) == len(plain)


def test_how_many_numberings_there_are() -> None:
    """The figures of the design: for 1 to 14 cells."""
    assert [len(numberings(cells)) for cells in range(1, 15)] == [
        4, 16, 63, 243, 915, 3345, 11760, 39270, 122640, 350700, 889350, 1905750, 3153150, 3153150,
    ]  # fmt: skip


@pytest.mark.parametrize("cells", range(1, 8))
@pytest.mark.parametrize("decks", DECKS)
def test_renaming_cells_moves_numberings_where_it_should(cells: int, decks: Decks) -> None:
    plain = plain_numberings(cells, decks)
    rank = {numbers: place for place, numbers in enumerate(plain)}
    orders = list(permutations(range(cells)))
    for order in random.Random(cells).sample(orders, min(len(orders), 20)):
        expected = []
        for numbers in plain:
            moved = [0] * cells
            for place, number in zip(order, numbers, strict=True):
                moved[place] = number
            expected.append(rank[tuple(moved)])
        assert places_of(numberings(cells, decks).codes, order, decks=decks).tolist() == expected


def test_renaming_and_back_is_nothing_on_fourteen_cells() -> None:
    order = list(range(14))
    random.Random(3).shuffle(order)
    back = [order.index(place) for place in range(14)]
    codes = numberings(14).codes
    there, again = places_of(codes, order), places_of(codes, back)
    assert (again[there] == np.arange(len(codes))).all()
    assert (there != np.arange(len(codes))).any()


@given(st.permutations(range(16)), st.integers(1, 14), st.integers(0, 383))
def test_symmetric_shapes_have_one_canonical_form(cells: list[int], size: int, number: int) -> None:
    mover, other, *more = cells
    rest = sum(1 << cell for cell in [other, *more[: size - 1]])
    child = shapes.canonical(rest, mover, other)
    symmetry = shapes.GROUP[number].tolist()
    image = sum(1 << symmetry[cell] for cell in cells_of(rest))
    assert shapes.canonical(image, symmetry[mover], symmetry[other]).shape == child.shape
    assert child.cells in {tuple(row) for row in shapes.GROUP.tolist()}
    assert sum(1 << child.cells[cell] for cell in cells_of(rest)) == child.shape.rest
    assert (child.cells[mover], child.cells[other]) == child.shape[1:]


def test_how_many_shapes_there_are() -> None:
    """The figures of the design, from 16 face-up cards down to 2."""
    standard = shapes.layers([1], [1])
    assert [len(layer.index) for layer in standard.values()] == [
        4, 6, 14, 58, 150, 833, 1838, 2334, 2134, 1476, 784, 313, 94, 22, 4,
    ]  # fmt: skip
    joker = shapes.layers([1, 2, 3, 4], [1, 2, 3, 4])
    for cards in range(2, 15):
        assert set(standard[cards].index) <= set(joker[cards].index), (
            "every opening leads into the same layers"
        )


def answers(question: Question, most: int, jobs: int = 1) -> dict[int, NDArray[Any]]:
    layers = {cards: layer for cards, layer in shapes.layers([1], [1]).items() if cards <= most}
    return {layer.cards: found.copy() for layer, found in sweep(layers, question, jobs=jobs)}


@pytest.mark.parametrize(
    ("question", "oracle"),
    [(VALUES, definition.score), (GAMES, definition.count_games), (ONE_LINE, line_kind)],
    ids=["values", "games", "one line"],
)
@pytest.mark.parametrize("most", [7, pytest.param(8, marks=pytest.mark.slow)])
def test_small_layers_are_as_defined(question: Question, oracle: Any, most: int) -> None:
    """Every position of up to four cards, and of every larger shape one."""
    rng = random.Random(1)
    layers = shapes.layers([1], [1])
    for cards, found in answers(question, most).items():
        codes = numberings(cards).codes.tolist()
        for shape, row in layers[cards].index.items():
            columns = range(len(codes)) if cards <= 4 else [rng.randrange(len(codes))]
            for column in columns:
                assert found[row, column] == oracle(position_at(shape, cards, codes[column]))


@pytest.mark.parametrize("question", [VALUES, GAMES, ONE_LINE], ids=["values", "games", "one line"])
def test_results_do_not_depend_on_jobs(question: Question) -> None:
    alone, together = answers(question, 7, jobs=1), answers(question, 7, jobs=4)
    assert alone.keys() == together.keys()
    for cards, found in alone.items():
        assert found.tobytes() == together[cards].tobytes()


def test_numbers_that_do_not_fit_stop_the_sweep() -> None:
    """Some ten-card position has 456 games, which do not fit a byte: the sweep must not go on."""
    layers = {cards: layer for cards, layer in shapes.layers([1], [1]).items() if cards <= 10}
    narrow = GAMES._replace(dtype=lambda _: np.uint8)
    with pytest.raises(CollapsiError, match="games from 10 cards are more than can be counted"):
        list(sweep(layers, narrow))


def test_threads_are_those_asked_for() -> None:
    """Three threads meet in the kernel of a large layer, where there is work for more; and no other comes."""
    meeting, met, threads = threading.Barrier(3, timeout=HANG_SECONDS), threading.local(), set()

    def family(*arguments: Any) -> int:
        layer = arguments[8]
        threads.add(threading.get_ident())
        if len(layer) > 1000 and not hasattr(met, "others"):
            met.others = meeting.wait()
        return int(VALUES.family(*arguments))

    asked, plain = answers(VALUES._replace(family=family), 8, jobs=3), answers(VALUES, 8)
    assert len(threads) == 3
    assert all(found.tobytes() == plain[cards].tobytes() for cards, found in asked.items())


UNCOMPILED = """
import numpy as np
from collapsi.census.layers import GAMES, ONE_LINE, VALUES, histogram, tally
from tests.test_layers import answers

assert not hasattr(VALUES.family, "py_func"), "this is the plain function"
for question in (VALUES, GAMES, ONE_LINE):
    for cards, found in answers(question, 4).items():
        print(cards, found.tobytes().hex())
values, weights = (np.arange(33) % 29 - 14).astype(np.int8), np.arange(20)
print(histogram(values, weights + 7, weights).tolist())
least, unchanged = np.ones(6, np.bool_), np.zeros(6, np.uint8)
for places in ([0, 2, 1, 3, 5, 4], [0, 1, 2, 3, 4, 5]):
    tally.mark_images(np.array(places, np.uint32), least, unchanged)
print(least.tolist(), unchanged.tolist())
"""


def test_sweep_and_tally_do_the_same_uncompiled() -> None:
    """Compiled code checks no index and no overflow; Python does."""

    def written(compiler: str) -> str:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": compiler}
        script = UNCOMPILED if compiler == "1" else UNCOMPILED.replace("assert not", "assert")
        command = [sys.executable, "-W", "error", "-c", script]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment, cwd=ROOT
        ).stdout

    plain = written("1")
    assert plain == written("0")
    assert plain.endswith("[True, True, False, True, True, False] [2, 1, 1, 2, 1, 1]\n")
