"""The sweep of `shift-rotate`: from two face-up cards up, two layers for each number of cards.

For a shape and its numbers::

    before a shift   value = min over the four shifts of the value before the next walk
    before a walk    value = −min over end cells of the value before the shift, numbers without the mover's

and −(cards face up) where the mover cannot walk. It is fast because the minimum over the shifts is a layer of
its own: four random reads per position, however many moves there are. The minimum over end cells is computed
over whole rows sequentially (SIMD), and read once through a table. The tables, which map each numbering to
its rank after a renaming of cells, depend only on the face-up cells and a symmetry, and serve all pairs of
pawns.

Layers use two blocks of memory: one for those before a walk, one for those before a shift.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from collapsi.census.layers.numberings import NUMBERED, numberings, renaming
from collapsi.census.layers.sweep import lower_to, places_of, take
from collapsi.census.rotate.plans import plan_shifts, plan_walks
from collapsi.census.rotate.shapes import CARDS, choices, layers
from collapsi.solving.jit import is_cached, machine_code
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from collapsi.census.rotate.plans import Order, ShiftPlan, WalkPlan, WalkRow
    from collapsi.census.rotate.shapes import Layer
    from collapsi.census.rotate.storage import LayerStore

SWEPT = range(CARDS[0], CARDS[-1])
"""The layers that are arrays; the layer of sixteen cards consists of the deals (`deals`)."""

WORKING_BYTES = 1_200_000_000
"""Memory of tables, scratch arrays and the program itself."""

CHUNK = 1 << 14
"""Numberings per step, so that data that is read again is still in a core's cache."""


@machine_code
def find_places_by_mover(  # type: ignore[no-untyped-def]
    codes,
    low_bits,
    low_mask,
    high_move,
    low_move,
    rest_bits,
    below_bits,
    base,
    class_of,
    within,
    stride,
    places,
):
    """Compute for every renamed code the rank of all but its first digit, in the block of the first digit.

    `rest_bits` is the number of bits of all but the first digit, `below_bits` that of the second half of such
    a code.
    """
    rest_mask = (np.uint32(1) << rest_bits) - np.uint32(1)
    below_mask = (np.uint32(1) << below_bits) - np.uint32(1)
    for index in range(len(codes)):
        code = codes[index]
        moved = high_move[code >> low_bits] | low_move[code & low_mask]
        rest = moved & rest_mask
        high = rest >> below_bits
        rank = base[high] + within[class_of[high] + (rest & below_mask)]
        places[index] = (moved >> rest_bits) * stride + rank


@machine_code
def child(below, moved, row):  # type: ignore[no-untyped-def]
    """Return the array of a child: a row of `below`, or, if `row` is negative, row ~row of `moved`."""
    return below[row] if row >= 0 else moved[~row]


@machine_code
def walk(below, moved, begins, members, places, scratch, nothing, target):  # type: ignore[no-untyped-def]
    """Compute a row before a walk: set s of `members` are the children for the s-th number of steps.

    `scratch` has a block for each set, and `places` are indices into it.
    """
    size = below.shape[1]
    for start in range(0, size, CHUNK):
        stop = min(start + CHUNK, size)
        for number in range(len(begins) - 1):
            least = scratch[number * size + start : number * size + stop]
            begin, end = begins[number], begins[number + 1]
            if begin == end:
                least[:] = nothing
                continue
            least[:] = child(below, moved, members[begin])[start:stop]
            for member in range(begin + 1, end):
                lower_to(least, child(below, moved, members[member])[start:stop])
    for index in range(len(target)):
        target[index] = -scratch[places[index]]


@machine_code
def shift(walks, first, second, third, last, rows, target):  # type: ignore[no-untyped-def]
    """Compute rows before a shift: the minimum of four rows before a walk, each read through its table."""
    size = walks.shape[1]
    for start in range(0, size, CHUNK):
        stop = min(start + CHUNK, size)
        for number in range(len(rows)):
            least = target[rows[number, 0]]
            one, two = walks[rows[number, 1]], walks[rows[number, 2]]
            three, four = walks[rows[number, 3]], walks[rows[number, 4]]
            for index in range(start, stop):
                left = min(one[first[index]], two[second[index]])
                right = min(three[third[index]], four[last[index]])
                least[index] = min(left, right)


def is_ready() -> bool:
    """Whether the compiled kernels are in the cache."""
    return is_cached(walk) and is_cached(shift)


class WorkDone(NamedTuple):
    """A finished piece of work: some positions of a layer."""

    layer: Layer
    positions: int


def places_by_mover(cards: int, order: Order, places: NDArray[np.uint32]) -> None:
    """Compute the table for a walk: the block of the mover's number plus the rank of the other numbers."""
    codes = numberings(min(cards, NUMBERED)).codes
    if cards > NUMBERED:  # from the jack: one block
        places_of(codes, order, places)
        return
    own, rest = numberings(cards), numberings(cards - 1)
    low_bits, low_mask = np.uint32(own.low_bits), np.uint32((1 << own.low_bits) - 1)
    find_places_by_mover(
        codes, low_bits, low_mask, *renaming(order), np.uint32(2 * (cards - 1)), np.uint32(rest.low_bits),
        rest.base, rest.class_of, rest.within, np.uint32(len(rest)), places,
    )  # fmt: skip


def solve_walks(
    layer: Layer,
    below: tuple[Layer, Any] | None,
    values: Any,
    pool: ThreadPoolExecutor,
    progress: Callable[[WorkDone], None],
) -> None:
    """Compute a layer before a walk from the one before a shift with one card less."""
    if below is None:  # two cards, both under pawns
        values[:] = -layer.cards
        progress(WorkDone(layer, layer.positions))
        return
    layer_below, source = below
    plans = sorted(plan_walks(layer, layer_below), key=lambda plan: -len(plan.rows))
    sizes = [len(plan.rows) * layer.columns for plan in plans]
    buffers = threading.local()  # of each thread

    def solve(plan: WalkPlan) -> None:
        if not hasattr(buffers, "places"):
            buffers.places = np.empty(layer.columns, np.uint32)
            buffers.scratch = np.empty(len(choices(layer.cards)) * layer_below.columns, np.int8)
            buffers.moved = np.empty((layer.cards, layer_below.columns), np.int8)
            buffers.table = np.empty(layer_below.columns, np.uint32)
        if plan.order:
            places_by_mover(layer.cards, plan.order, buffers.places)
        else:  # no walk at all, whatever the numbers
            buffers.places[:] = 0
        for row in plan.rows:
            begins, members = read_children(row, layer_below, source, buffers)
            walk(
                source, buffers.moved, begins, members, buffers.places, buffers.scratch, np.int8(layer.cards),
                values[row.row],
            )  # fmt: skip

    for size, _ in zip(sizes, pool.map(solve, plans), strict=True):
        progress(WorkDone(layer, size))


def read_children(
    row: WalkRow, below: Layer, source: Any, buffers: Any
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Copy the moved children of a row to `buffers.moved`; return the starts and members of its sets."""
    codes = numberings(min(below.cards, NUMBERED)).codes
    for target, (number, order) in zip(buffers.moved, row.moved, strict=False):
        places_of(codes, order, buffers.table)
        take(source[number], buffers.table, target)
    begins = np.cumsum([0, *map(len, row.sets)])
    return begins, np.array([member for members in row.sets for member in members], np.int64)


def solve_shifts(
    layer: Layer,
    walks: tuple[Layer, Any],
    values: Any,
    pool: ThreadPoolExecutor,
    progress: Callable[[WorkDone], None],
) -> None:
    """Compute a layer before a shift from the one before a walk with as many cards."""
    layer_walks, source = walks
    codes = numberings(min(layer.cards, NUMBERED)).codes
    tables: list[NDArray[np.uint32]] = []
    for plan in plan_shifts(layer, layer_walks):
        tables.extend(np.empty(len(codes), np.uint32) for _ in range(len(plan.orders) - len(tables)))
        for _ in pool.map(lambda order, room: places_of(codes, order, room), plan.orders, tables):
            pass

        def solve(numbers: tuple[int, int, int, int], plan: ShiftPlan = plan) -> None:
            rows = np.array(plan.groups[numbers], np.int64)
            shift(source, *(tables[number] for number in numbers), rows, values)

        groups = sorted(plan.groups, key=lambda numbers: -len(plan.groups[numbers]))
        for _ in pool.map(solve, groups):
            pass
        progress(WorkDone(layer, layer.columns * sum(map(len, plan.groups.values()))))


class SolvedLayers(NamedTuple):
    """Both layers with one number of cards, with the values of every position, a row for each shape."""

    walks: tuple[Layer, Any]
    shifts: tuple[Layer, Any]

    @property
    def cards(self) -> int:
        """The number of face-up cards."""
        return self.walks[0].cards


def sweep(
    *,
    most: int = SWEPT[-1],
    jobs: int | None = None,
    store: LayerStore | None = None,
    progress: Callable[[WorkDone], None] = lambda _: None,
) -> Iterator[SolvedLayers]:
    """Yield the values of every position of up to `most` cards, smallest layers first.

    The values are valid until the next iteration. With `store` each layer before a walk is written to disk
    when it is done, and the sweep starts after the newest layer in the store.
    """
    every = layers()
    cards_of_all = range(SWEPT[0], most + 1)
    memory = [
        np.empty(max(kind[cards].positions for cards in cards_of_all), np.int8)
        for kind in (every.walks, every.shifts)
    ]

    def view(layer: Layer, block: Any) -> Any:
        return block[: layer.positions].reshape(len(layer.index), layer.columns)

    below = None
    with ThreadPoolExecutor(1) as writer, ThreadPoolExecutor(jobs or cores()) as pool:
        first = SWEPT[0]
        if store is not None and (found := store.newest()) is not None and found <= most:
            values = view(every.walks[found], memory[0])
            if store.read(every.walks[found], values):
                first = found
        for cards in range(first, most + 1):
            walks, shifts = every.walks[cards], every.shifts[cards]
            before_walk, before_shift = view(walks, memory[0]), view(shifts, memory[1])
            written = None
            if cards > first or cards == SWEPT[0]:
                solve_walks(walks, below, before_walk, pool, progress)
                if store is not None:  # while the shifts are solved, which only read it
                    written = writer.submit(store.write, walks, before_walk)
            solve_shifts(shifts, (walks, before_walk), before_shift, pool, progress)
            if written is not None:
                written.result()
            below = shifts, before_shift
            yield SolvedLayers((walks, before_walk), below)


def bytes_needed() -> int:
    """Estimate the memory of a sweep of all layers, in bytes."""
    every = layers()
    return (
        sum(max(kind[cards].positions for cards in SWEPT) for kind in (every.walks, every.shifts))
        + WORKING_BYTES
    )


def positions_after(cards: int | None) -> int:
    """Count the positions left to solve after the layer before a walk with `cards` cards; all for None."""
    every = layers()
    return sum(
        (every.walks[number].positions if cards is None or number > cards else 0)
        + (every.shifts[number].positions if cards is None or number >= cards else 0)
        for number in SWEPT
    )
