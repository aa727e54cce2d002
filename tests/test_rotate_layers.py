"""The layers of `shift-rotate`, each compared with a plain version; the whole census is slow."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache
from itertools import permutations, product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

import collapsi
from collapsi.census import rotate
from collapsi.census.deals import count_numberings
from collapsi.census.layers import DealAnswers, Jacks, codes_of
from collapsi.census.layers.sweep import places_of
from collapsi.census.lengths import count_by_length
from collapsi.census.rotate import storage as kept_layers
from collapsi.census.rotate.deals import first_moves
from collapsi.census.rotate.plans import plan_shifts, plan_walks
from collapsi.census.rotate.shapes import EVERYTHING, SHIFT_MAPS, canonical, form
from collapsi.census.rotate_census import RotateCensus, different_deals, take_rotate_census
from collapsi.census.verify import differing_deals, rotate_position_at
from collapsi.cli import load
from collapsi.core.board import cells_of, mask_of
from collapsi.core.errors import BusyError, OutputError
from collapsi.core.players import Player
from collapsi.core.symmetry import symmetries
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT_ROTATE
from collapsi.games.shifting.state import Shifting
from collapsi.solving import reference as definition
from collapsi.system.memory import available_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

BOARD = SHIFT_ROTATE.board


def moved(position: Shifting, cells: tuple[int, ...] | list[int]) -> Shifting:
    """The position with every card elsewhere, pawns and all."""
    cards = list(position.cards)
    for cell, card in enumerate(position.cards):
        cards[cells[cell]] = card
    red, blue = position.pawns
    return Shifting(BOARD, tuple(cards), (cells[red], cells[blue]), position.to_move, SHIFT_ROTATE)


def guise(position: Shifting) -> tuple[Any, ...]:
    """One of all the forms that symmetries give a position, with the side to move as red: always the same."""
    mover = position.to_move
    red, blue = position.pawns[mover], position.pawns[mover.other]
    numbers = [-1 if card is None else int(card) for card in position.cards]
    forms = []
    for way in rotate.group().tolist():
        cards = [0] * 16
        for cell in range(16):
            cards[way[cell]] = numbers[cell]
        forms.append((way[red], way[blue], tuple(cards)))
    return min(forms)


def random_position(rng: random.Random, cards: int) -> Shifting:
    """A position of random play with so many cards face up."""
    while True:
        position: Any = collapsi.deal(rng, SHIFT_ROTATE)
        while position.moves and position.cards_left > cards:
            position = position.play(rng.choice(position.moves))
        if position.cards_left == cards:
            return position


def shape_of(position: Shifting) -> rotate.Shape:
    face_up = mask_of(cell for cell, card in enumerate(position.cards) if card is not None)
    mover = position.to_move
    return canonical(face_up, position.pawns[mover], position.pawns[mover.other])


# The symmetries


def keeps_turns(symmetry: tuple[int, ...]) -> bool:
    """Whether a symmetry of the board makes the shifts at a cell into those at its image."""

    def image(turn: tuple[int, ...]) -> tuple[int, ...]:
        cells = [0] * 16
        for cell in range(16):
            cells[symmetry[cell]] = symmetry[turn[cell]]
        return tuple(cells)

    return all(set(map(image, SHIFT_MAPS[cell])) == set(SHIFT_MAPS[symmetry[cell]]) for cell in range(16))


def test_the_symmetries_are_those_of_the_grid() -> None:
    """Those of the board that keep turns of lines; said plainly, what moves, turns and mirrors the square."""
    plain = set()
    for down, right, flip, mirror, swap in product(range(4), range(4), (1, -1), (1, -1), (False, True)):
        places = [((flip * (cell // 4) + down) % 4, (mirror * (cell % 4) + right) % 4) for cell in range(16)]
        plain.add(tuple(4 * x + y if swap else 4 * y + x for y, x in places))
    assert set(map(tuple, rotate.group().tolist())) == plain
    assert {way for way in symmetries(BOARD) if keeps_turns(way)} == plain
    assert len(plain) == 128


def test_symmetries_leave_values_and_others_do_not() -> None:
    rng = random.Random(4)
    positions = [random_position(rng, 7) for _ in range(25)]
    values = list(shift_search.value_many(positions))
    for way in rng.sample(rotate.group().tolist(), 6):
        assert list(shift_search.value_many([moved(position, way) for position in positions])) == values
    hidden = [way for way in symmetries(BOARD) if not keeps_turns(way)]
    assert len(hidden) == 256
    for way in rng.sample(hidden, 3):
        assert list(shift_search.value_many([moved(position, way) for position in positions])) != values


# Shapes


def test_shapes_of_random_play_are_all_there() -> None:
    rng = random.Random(8)
    every = rotate.layers().walks
    for _ in range(20):
        position: Any = collapsi.deal(rng, SHIFT_ROTATE)
        while position.moves:
            assert shape_of(position) in every[position.cards_left].index
            position = position.play(rng.choice(position.moves))


@pytest.mark.parametrize("cards", [8, 10])
def test_middle_layers_have_every_shape(cards: int) -> None:
    """By then play can have led to whatever can be laid out."""
    masks = (mask for mask in range(1 << 16) if mask.bit_count() == cards)
    every = {
        canonical(mask, mover, other)
        for mask in {form(mask).face_up for mask in masks}
        for mover, other in permutations(cells_of(mask), 2)
    }
    assert set(rotate.layers().walks[cards].index) == every


# Plans: what is read for a position is what its moves lead to, in every layer


@pytest.mark.parametrize(
    "cards", [16, 14, 12, 6, 4, *(pytest.param(cards, marks=pytest.mark.slow) for cards in (15, 13, 9))]
)
def test_plans_read_what_moves_lead_to(cards: int) -> None:
    """Of some rows the numbering that each entry is read from, walk and shift, as positions."""
    rng = random.Random(cards)
    every = rotate.layers()
    walks, shifts, below = every.walks[cards], every.shifts[cards - 1], every.walks[cards - 1]
    shapes, shapes_below = list(walks.index), list(below.index)
    shift_rows = {
        row[0]: [(plan.orders[table], source) for table, source in zip(tables, row[1:], strict=True)]
        for plan in plan_shifts(shifts, below)
        for tables, rows in plan.groups.items()
        for row in rows
    }
    assert sorted(shift_rows) == list(range(len(shifts.index)))
    plans = [(plan.order, row) for plan in plan_walks(walks, shifts) for row in plan.rows]
    assert sorted(row.row for _, row in plans) == list(range(len(shapes)))
    codes = codes_of(min(cards, 14))
    for order, row in rng.sample(plans, min(len(plans), 12)):
        code = int(codes[rng.randrange(len(codes))])
        position = rotate_position_at(shapes[row.row], code)
        digits = digits_of(code, min(cards, 14))
        seen = arrange(digits, order) if order else []
        number, rest = (seen[0], seen[1:]) if cards <= 14 and seen else (0, seen)
        children = []
        for member in row.sets[number] if order else ():
            source, numbers = member, rest
            if member < 0:
                source, again = row.moved[~member]
                numbers = arrange(rest, again)
            for table, target in shift_rows[source]:
                children.append(rotate_position_at(shapes_below[target], code_of(arrange(numbers, table))))
        expected = [position.play(move) for move in position.moves]
        assert sorted(map(guise, children)) == sorted(map(guise, expected))


def digits_of(code: int, cells: int) -> list[int]:
    return [code >> 2 * (cells - 1 - place) & 3 for place in range(cells)]


def code_of(digits: list[int]) -> int:
    return sum(digit << 2 * (len(digits) - 1 - place) for place, digit in enumerate(digits))


def arrange(digits: list[int], order: tuple[int, ...]) -> list[int]:
    found = [0] * len(digits)
    for place, digit in zip(order, digits, strict=True):
        found[place] = digit
    return found


# The sweep


def swept(most: int, **options: Any) -> dict[int, tuple[bytes, bytes]]:
    return {
        solved.cards: (solved.walks[1].tobytes(), solved.shifts[1].tobytes())
        for solved in rotate.sweep(most=most, **options)
    }


@cache
def undisturbed(most: int) -> dict[int, tuple[bytes, bytes]]:
    """The layers of a sweep that nothing interrupts."""
    return swept(most)


def test_small_layers_are_as_defined() -> None:
    """Every position of up to three cards, of larger shapes some; before a shift as before a walk."""
    rng = random.Random(1)
    for solved in rotate.sweep(most=5):
        layer, values = solved.walks
        codes = codes_of(layer.cards).tolist()
        known: definition.Values = {}
        shapes = list(layer.index.items())
        for shape, row in shapes if layer.cards <= 4 else rng.sample(shapes, 120):
            for column in range(len(codes)) if layer.cards <= 3 else [rng.randrange(len(codes))]:
                position = rotate_position_at(shape, codes[column])
                assert values[row, column] == definition.score(position, known), position


def test_middle_layers_are_as_searched() -> None:
    rng = random.Random(2)
    for solved in rotate.sweep(most=7):
        layer, values = solved.walks
        if layer.cards < 6:
            continue
        codes = codes_of(layer.cards).tolist()
        chosen = [
            (shape, row, rng.randrange(len(codes)))
            for shape, row in rng.sample(list(layer.index.items()), 200)
        ]
        positions = [rotate_position_at(shape, codes[column]) for shape, _, column in chosen]
        found = [int(values[row, column]) for _, row, column in chosen]
        assert list(shift_search.value_many(positions)) == found


def test_values_before_a_shift_are_the_least_after_it() -> None:
    """Asked of the search: the one who walked takes the shift that is worst for the next."""
    rng = random.Random(3)
    for solved in rotate.sweep(most=7):
        layer, values = solved.shifts
        if layer.cards < 6:
            continue
        codes = codes_of(layer.cards).tolist()
        for shape, row in rng.sample(list(layer.index.items()), 30):
            column = rng.randrange(len(codes))
            position = rotate_position_at(shape, codes[column])
            after = [
                moved(position, [4 * y + x for y, x in position.slides(4 * shape.other + way).values()])
                for way in range(4)
            ]
            assert values[row, column] == min(shift_search.value_many(after))


def test_results_do_not_depend_on_jobs() -> None:
    assert swept(6, jobs=1) == swept(6, jobs=3) == undisturbed(6)


UNCOMPILED = """
from collapsi.census.rotate import sweep
from collapsi.census.rotate.sweep import walk
assert not hasattr(walk, "py_func"), "this is the plain function"
for solved in sweep(most=4):
    print(solved.cards, solved.walks[1].tobytes().hex(), solved.shifts[1].tobytes().hex())
"""


def test_the_sweep_does_the_same_uncompiled() -> None:
    """Compiled code checks no index and no overflow; Python does."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", UNCOMPILED]
    plain = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert plain.splitlines() == [
        f"{cards} {walks.hex()} {shifts.hex()}" for cards, (walks, shifts) in swept(4).items()
    ]


def test_first_moves_are_read_from_the_layer_of_fifteen() -> None:
    """With made-up values before red's first shift, a first move has the value that stands there for it."""
    below = rotate.layers().shifts[15]
    source = np.random.default_rng(5).integers(-15, 16, (len(below.index), below.columns), dtype=np.int8)
    codes, shapes = codes_of(14), list(below.index)
    parts = first_moves(below, source)
    assert [(part.jacks.blue, part.jacks.places) for part in parts] == [(5, 4), (6, 4), (10, 1)]
    rng = random.Random(5)
    for part in parts:
        shape = rotate.Shape(EVERYTHING, 0, part.jacks.blue)
        assert sorted(part.moves) == [1, 3, 4, 12]
        assert (part.answers == np.maximum.reduce(list(part.moves.values()))).all()
        for rank in rng.sample(range(len(codes)), 5):
            dealt = rotate_position_at(shape, int(codes[rank]))
            for end, values in part.moves.items():
                cards = (None, *dealt.cards[1:])
                left = Shifting(BOARD, cards, (end, part.jacks.blue), Player.BLUE, SHIFT_ROTATE)
                row = below.index[shape_of(left)]
                assert -int(values[rank]) in entries_like(left, shapes[row], source[row])


def entries_like(position: Shifting, shape: rotate.Shape, row: NDArray[np.int8]) -> set[int]:
    """The entries of a row that stand for a position: one for each symmetry that brings it there."""
    codes, cells = codes_of(14), rotate.numbered(shape)
    mover = position.to_move
    found = set()
    for way in rotate.group().tolist():
        image = moved(position, way)
        there = mask_of(cell for cell, card in enumerate(image.cards) if card is not None)
        if (there, image.pawns[mover], image.pawns[mover.other]) == shape:
            numbers = [int(image.cards[cell] or 0) - 1 for cell in cells]
            found.add(int(row[np.searchsorted(codes, code_of(numbers))]))
    return found


# Finished layers on disk


class Stopped(Exception):
    """As if somebody had pressed Ctrl-C."""


def stop_at(cards: int) -> Any:
    def progress(piece: rotate.WorkDone) -> None:
        if piece.layer is rotate.layers().walks[cards]:
            raise Stopped

    return progress


def begun(folder: Path, cards: int) -> None:
    """A sweep that was broken off in the layer after this one."""
    with rotate.LayerStore(folder) as kept, pytest.raises(Stopped):
        swept(6, store=kept, progress=stop_at(cards + 1))


def test_a_sweep_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    begun(tmp_path / "kept", 4)
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["layer-04.values"]
    with rotate.LayerStore(tmp_path / "kept") as kept:
        assert kept.newest() == 4
        assert kept.size() > rotate.layers().walks[4].positions
        pieces: list[rotate.WorkDone] = []
        found = swept(6, store=kept, progress=pieces.append)
        assert kept.newest() == 6
        assert kept.elapsed.cpu_seconds > 0
    assert found == {cards: both for cards, both in undisturbed(6).items() if cards >= 4}
    every = rotate.layers()
    done = [every.shifts[4], *(some[cards] for cards in (5, 6) for some in (every.walks, every.shifts))]
    assert sum(piece.positions for piece in pieces) == sum(layer.positions for layer in done)


def test_time_is_that_of_all_runs(tmp_path: Path) -> None:
    begun(tmp_path, 4)
    line = json.loads((tmp_path / "layer-04.values").read_bytes().partition(b"\n")[0])
    with rotate.LayerStore(tmp_path) as kept:
        swept(4, store=kept)
        assert kept.elapsed.seconds > line["seconds"] > 0


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a bit": lambda data: data[:5000] + bytes([data[5000] ^ 4]) + data[5001:],
    "its end": lambda data: data[:-40],
    "nothing": lambda _: b"",
    "more": lambda data: data + b"more",
    "another format": lambda data: data.replace(b'"format": 1', b'"format": 2'),
    "no words": lambda data: b"\xff\xff\n" + data,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_layer_is_not_believed(how: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    begun(tmp_path, 5)
    path = tmp_path / "layer-05.values"
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    with rotate.LayerStore(tmp_path) as kept:
        assert swept(5, store=kept) == undisturbed(5)
    assert "starting from the beginning" in caplog.text


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_a_layer_that_is_no_regular_file_is_not_waited_for(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "layer-05.values"
    os.mkfifo(path) if kind == "fifo" else path.mkdir()
    layer = rotate.layers().walks[5]
    with rotate.LayerStore(tmp_path) as kept:
        assert not kept.read(layer, np.zeros((len(layer.index), layer.columns), np.int8))


def test_another_set_of_shapes_is_not_believed(tmp_path: Path) -> None:
    """The hash is right, but the layer is not the one that this program would write."""
    layer = rotate.layers().walks[5]
    values = np.zeros((len(layer.index), layer.columns), np.int8)
    other = rotate.Layer(5, dict(zip(reversed(layer.index), layer.index.values(), strict=True)))
    with rotate.LayerStore(tmp_path) as kept:
        kept.write(other, values)
        assert kept.read(other, values)
        assert not kept.read(layer, values)
        assert kept.newest() is None


def test_what_is_kept_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that is full: the layer before stays, the sweep goes on, and one line says so."""
    begun(tmp_path, 5)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with rotate.LayerStore(tmp_path) as kept:
        monkeypatch.setattr(kept_layers, "replace_atomically", full)
        assert max(swept(6, store=kept)) == 6
        assert kept.newest() == 5
    assert [path.name for path in tmp_path.iterdir()] == ["layer-05.values"]
    assert "the layer of 6 cards cannot be stored (No space left on device)" in caplog.text


def test_what_a_killed_run_left_is_swept_up_and_nothing_else(tmp_path: Path) -> None:
    for name in (".partial-77-layer-09.values", "layer-99.values", "mine.txt"):
        (tmp_path / name).write_bytes(b"half")
    with rotate.LayerStore(tmp_path) as kept:
        assert kept.newest() is None
        assert sorted(path.name for path in tmp_path.glob("*")) == [
            ".collapsi-lock",
            "layer-99.values",
            "mine.txt",
        ]
        with pytest.raises(BusyError), rotate.LayerStore(tmp_path):
            pass
        kept.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_disk_that_is_too_small_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rotate.LayerStore(tmp_path / "kept") as kept:
        assert kept.check_disk_space() == rotate.max_disk_bytes() < 8e9
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10**9))
        with pytest.raises(OutputError, match=r"need 7\.2 GB in .*, but only 1\.0 GB are free: .*--no-keep"):
            kept.check_disk_space()
    assert not (tmp_path / "kept").exists()


# The census


def made_up(value_of: Any) -> tuple[DealAnswers, ...]:
    return tuple(
        DealAnswers(Jacks(blue, 2, places), {}, value_of(np.arange(count_numberings())).astype(np.int8))
        for blue, places in rotate.JACKS.items()
    )


def test_deals_are_tallied_by_length() -> None:
    deals, classes = count_by_length(made_up(lambda ranks: np.full(len(ranks), 3)), different_deals)
    assert deals == {13: 9 * count_numberings()}
    assert classes == {13: sum(len(different_deals(blue)[0]) for blue in rotate.JACKS)}
    census = RotateCensus(SHIFT_ROTATE, (), {13: 30, 12: 10}, {13: 3, 12: 1}, 0.0, 0.0, None)
    data = census.to_json()
    assert (data["deals"], data["red_wins"], data["blue_wins"], data["different_deals"]) == (40, 30, 10, 4)


def test_different_deals_stand_for_all() -> None:
    """Each class has as many deals as it says, by trying all symmetries on some."""
    for blue, places in rotate.JACKS.items():
        ranks, weights = different_deals(blue)
        assert weights.sum() == places * count_numberings()
        shape = rotate.Shape(EVERYTHING, 0, blue)
        for index in random.Random(blue).sample(range(len(ranks)), 5):
            dealt = rotate_position_at(shape, int(codes_of(14)[ranks[index]]))
            images = {moved(dealt, way) for way in rotate.group().tolist() if way[0] == 0}
            assert len(images) == weights[index]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(load(), ["census", *arguments])
    return result.exit_code, str(result.exception) if result.exception else result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "shift-rotate", "--method", "search"], "would take weeks"),
        (["--rules", "shift-rotate", "--out", "atlas"], "leave out --out"),
        (["--rules", "shift-rotate", "--red-first", "1,3"], "need standard or joker"),
        (["--rules", "joker", "--forget"], "need shift-rotate"),
        (["--no-keep"], "need shift-rotate"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    code, said = run(*arguments)
    assert code != 0
    assert message in said
    assert "\n" not in said.strip()


def test_too_little_memory_is_said_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collapsi.system.memory.available_bytes", lambda: 10**9)
    code, said = run("--rules", "shift-rotate")
    assert (code, said) == (1, "shift-rotate needs about 8.4 GB of memory, and 1.0 GB are free")


def test_what_was_kept_can_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    begun(rotate.layer_store_folder(), 5)
    assert run("--rules", "shift-rotate", "--forget") == (
        0, f"removed 0.00 GB from {rotate.layer_store_folder()}\n"
    )  # fmt: skip
    assert run("--rules", "shift-rotate", "--forget") == (
        0,
        f"nothing is stored in {rotate.layer_store_folder()}\n",
    )
    assert not rotate.layer_store_folder().exists()


@pytest.fixture(scope="module")
def whole_census() -> RotateCensus:
    free = available_bytes()
    if free is not None and free < rotate.bytes_needed():
        pytest.skip(f"it needs {rotate.bytes_needed() / 1e9:.1f} GB of memory")
    return take_rotate_census()


@pytest.mark.slow
def test_the_whole_census(whole_census: RotateCensus) -> None:
    assert [(row["plies"], row["deals"], row["different"]) for row in whole_census.to_json()["lengths"]] == [
        (11, 2_735_537, 342_697),
        (12, 541_457, 68_271),
        (13, 23_560_878, 2_948_825),
        (14, 1_540_478, 193_116),
    ]
    assert (whole_census.deals, whole_census.different) == (28_378_350, 3_552_909)
    assert whole_census.red_wins == 26_296_415


@pytest.mark.slow
def test_a_thousand_deals_are_as_searched(whole_census: RotateCensus) -> None:
    assert differing_deals(whole_census.parts, 1000, np.random.default_rng(11)) == []


@pytest.mark.slow
def test_deals_that_symmetries_join_have_one_value(whole_census: RotateCensus) -> None:
    """The whole arrays, under every symmetry that keeps both jacks."""
    for part in whole_census.parts:
        shape = rotate.Shape(EVERYTHING, 0, part.jacks.blue)
        cells = rotate.numbered(shape)
        ways = [way for way in rotate.group().tolist() if (way[0], way[shape.other]) == (0, shape.other)]
        assert len(ways) == 8 // part.jacks.places
        for way in ways:
            places = places_of(codes_of(14), [cells.index(way[cell]) for cell in cells])
            assert (part.answers[places] == part.answers).all()
            for end, values in part.moves.items():
                assert (part.moves[way[end]][places] == values).all()
