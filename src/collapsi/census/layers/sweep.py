"""The sweep: computes the arrays of each layer from those of the layer below, two face-up cards to sixteen.

For a shape and a number under its mover::

    value(numbers) = max over end cells of −value(child, numbers without the mover's, cells renamed)
                   = −min over end cells of the children's arrays, indexed through the renaming

and −(cards face up) where the mover cannot move. The number of possible games is the sum over end cells
instead, and 1. For lines in which the winner never has a choice see `join_to`.

Why it is fast
--------------
- A family (see `shapes`) needs one table of *places*, the ranks of all numberings after the renaming, for all
  its shapes and numbers.
- The minimum is computed over whole arrays sequentially (SIMD) *before* one look-up through `places`; and
  once for all shapes and numbers of the family that have the same end cells.
- So each of the 2.3 billion positions costs about one random read, from an array that mostly fits into a
  core's cache.
- Each thread processes whole groups of families. Threads share only the layer below, which they only read, so
  results do not depend on the number of threads.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from collapsi.census.layers.numberings import (
    NUMBERED,
    OFFICIAL,
    Decks,
    count_numberings,
    numberings,
    renaming,
)
from collapsi.census.layers.shapes import Shape
from collapsi.core.board import cells_of
from collapsi.core.errors import CollapsiError
from collapsi.solving.jit import is_cached, machine_code
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.census.layers.shapes import Child, Family, Layer

PROGRAM_BYTES = 500_000_000
"""Memory of the program itself and of all data that does not grow with the deck."""

BYTES_A_NUMBERING = 130
"""Memory of tables, scratch arrays and answers for each numbering of a whole deal."""

# A cached kernel is recompiled when this file changes; so everything that a kernel calls is in this file.


@machine_code
def find_places(codes, mask, low_bits, low_mask, high_move, low_move, base, class_of, within, places):  # type: ignore[no-untyped-def]
    """Compute for every code the rank of its last digits (`mask`) after the renaming: see `numberings`."""
    for index in range(len(codes)):
        code = codes[index] & mask
        moved = high_move[code >> low_bits] | low_move[code & low_mask]
        high = moved >> low_bits
        places[index] = base[high] + within[class_of[high] + (moved & low_mask)]


@machine_code
def take(source, places, target):  # type: ignore[no-untyped-def]
    """Copy an array in another order."""
    for index in range(len(target)):
        target[index] = source[places[index]]


@machine_code
def take_negative(source, places, target):  # type: ignore[no-untyped-def]
    """Copy an array in another order and negate it."""
    for index in range(len(target)):
        target[index] = -source[places[index]]


@machine_code
def lower_to(target, other):  # type: ignore[no-untyped-def]
    """Replace each element of `target` by the minimum of both arrays.

    Written so that the compiler processes 32 elements at a time. If the target were also passed as a second
    source, the compiler would have to assume that they overlap, and process one at a time.
    """
    for index in range(len(target)):
        left, right = target[index], other[index]
        target[index] = min(right, left)


@machine_code
def child(below, moved, row):  # type: ignore[no-untyped-def]
    """Return the array of a child: a row of `below`, or, if `row` is negative, row ~row of `moved`."""
    return below[row] if row >= 0 else moved[~row]


@machine_code
def solve_family(below, moved, set_begins, set_rows, uses, blocks, places, scratch, layer, nothing):  # type: ignore[no-untyped-def]
    """Compute the arrays of a family; see `Plan` for the sets and their uses."""
    last = -1
    for use in range(len(uses)):
        chosen, row, block = uses[use]
        start, stop = blocks[block], blocks[block + 1]
        target = layer[row, start:stop]
        begin, end = set_begins[chosen], set_begins[chosen + 1]
        if begin == end:
            target[:] = nothing
            continue
        worst = child(below, moved, set_rows[begin])
        if end - begin > 1:
            if chosen != last:
                scratch[:] = worst
                for number in range(begin + 1, end):
                    lower_to(scratch, child(below, moved, set_rows[number]))
            worst = scratch
            last = chosen
        take_negative(worst, places[start:stop], target)
    return 0  # no value comes near the limits of a byte


@machine_code
def add_to(total, more):  # type: ignore[no-untyped-def]
    """Add `more` to `total`, and return the greatest sum."""
    greatest = total[0]
    for index in range(len(total)):
        total[index] += more[index]
        greatest = max(greatest, total[index])
    return greatest


@machine_code
def count_family(below, moved, set_begins, set_rows, uses, blocks, places, scratch, layer, nothing):  # type: ignore[no-untyped-def]
    """As `solve_family`, for the number of possible games: the sum over end cells, without negation.

    `scratch` is wide enough for every sum, the layer may not be. Returns the greatest sum, for a check.
    """
    last = -1
    greatest = np.uint32(0)
    for use in range(len(uses)):
        chosen, row, block = uses[use]
        start, stop = blocks[block], blocks[block + 1]
        target = layer[row, start:stop]
        begin, end = set_begins[chosen], set_begins[chosen + 1]
        if begin == end:
            target[:] = nothing
            continue
        first = child(below, moved, set_rows[begin])
        if end - begin == 1:
            take(first, places[start:stop], target)
            continue
        if chosen != last:
            scratch[:] = first
            for number in range(begin + 1, end):
                greatest = max(greatest, add_to(scratch, child(below, moved, set_rows[number])))
            last = chosen
        take(scratch, places[start:stop], target)
    return greatest


# Whether only one line wins: whether the loser can play so that the winner has exactly one winning move at
# every turn. Each position has one of four kinds, from the mover's point of view::
#
#     0  the mover wins, and can avoid that              1  the mover wins, by one line only
#     2  the mover loses, and can make it one line       3  the mover loses, and cannot
#
# Joined over the moves of a position (`join_to`): without a winning move 0, or 1 if some move leads to a 1;
# with one winning move the kind it leads to, 2 or 3; with several winning moves 3. The position's own kind is
# the reverse of that (`^ 3`). Where there is no move, the mover has lost, and no choice was left: 2.

LAST_OF_LINE, OTHER_WAY = 2, 3


@machine_code
def join_to(target, other):  # type: ignore[no-untyped-def]
    """Join the kinds of further moves to `target`: the higher kind, or 3 if both have a winning move."""
    for index in range(len(target)):
        left, right = target[index], other[index]
        target[index] = max(left, right) | (left & right) >> 1


@machine_code
def take_reversed(source, places, target):  # type: ignore[no-untyped-def]
    """Copy an array in another order with reversed kinds."""
    for index in range(len(target)):
        target[index] = source[places[index]] ^ OTHER_WAY


@machine_code
def line_family(below, moved, set_begins, set_rows, uses, blocks, places, scratch, layer, nothing):  # type: ignore[no-untyped-def]
    """As `solve_family`, for whether only one line wins."""
    last = -1
    for use in range(len(uses)):
        chosen, row, block = uses[use]
        start, stop = blocks[block], blocks[block + 1]
        target = layer[row, start:stop]
        begin, end = set_begins[chosen], set_begins[chosen + 1]
        if begin == end:
            target[:] = nothing
            continue
        joined = child(below, moved, set_rows[begin])
        if end - begin > 1:
            if chosen != last:
                scratch[:] = joined
                for number in range(begin + 1, end):
                    join_to(scratch, child(below, moved, set_rows[number]))
            joined = scratch
            last = chosen
        take_reversed(joined, places[start:stop], target)
    return 0  # kinds cannot overflow


def joined(kinds: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the kinds of positions from those of all their moves."""
    found: NDArray[Any] = kinds[0].copy()
    for more in kinds[1:]:
        join_to(found, more)
    found ^= found.dtype.type(OTHER_WAY)
    return found


class Plan(NamedTuple):
    """The input of the kernel for one family, as numbers and arrays."""

    moved: list[tuple[int, tuple[int, ...]]]
    """Children with another renaming than the rest: their row below, and the images of their cells."""
    to: tuple[int, ...]
    """The renaming: the place of each cell of `rest`, in reading order, in the children's order of cells."""
    set_begins: NDArray[np.int64]
    """Distinct sets of end cells, concatenated: set s is `set_rows[set_begins[s] : set_begins[s + 1]]`."""
    set_rows: NDArray[np.int64]
    """Their members, as rows of the layer below; `~n` is the n-th of `moved`."""
    uses: NDArray[np.int64]
    """The uses of each set, sorted by set: (set, row of this layer, block of that row)."""


Groups = dict[tuple[int, ...], list[Plan]]


def prepare(family: Family, layer: Layer, below: Layer | None) -> Plan:
    """Convert a family's cells and sets to rows and orders."""
    rest = list(cells_of(family.rest))
    rows: dict[int, int] = {}
    moved: list[tuple[int, tuple[int, ...]]] = []
    to: tuple[int, ...] = ()
    base: tuple[int, ...] = ()
    for end, child in family.children.items():
        assert below is not None
        row = below.index[child.shape]
        order = order_in(child, rest)
        if not base:
            base, to = child.cells, order
        if child.cells == base:
            rows[end] = row
        else:
            rows[end] = ~len(moved)
            # From the order of cells of the family to the order of this child. For example, rest is (x, y,
            # z), the family has them at to = (2, 0, 1), that is in the order y z x, and this child at (0, 1,
            # 2), in the order x y z: then the family's first cell, y, is at 1 in this child, and so on: (1,
            # 2, 0).
            moved.append((row, tuple(theirs for _, theirs in sorted(zip(to, order, strict=True)))))
    sets: dict[int, int] = {}
    uses = []
    for mover, ends in zip(family.movers, family.ends, strict=True):
        index = layer.index[Shape(family.rest, mover, family.other)]
        uses += [(sets.setdefault(cells, len(sets)), index, block) for block, cells in enumerate(ends)]
    members = [[rows[end] for end in cells_of(cells)] for cells in sets]
    return Plan(
        moved,
        to,
        np.cumsum([0, *map(len, members)]),
        np.array([row for some in members for row in some], np.int64),
        np.array(sorted(uses), np.int64),
    )


def order_in(child: Child, rest: list[int]) -> tuple[int, ...]:
    """Return the places of the cells of `rest` in the child's array: the next mover's first, if numbered."""
    images = [child.cells[cell] for cell in rest]
    order = sorted(images, key=lambda cell: (cell != child.shape.mover, cell))
    return tuple(order.index(image) for image in images)


def places_of(
    codes: NDArray[np.uint32],
    to: Sequence[int],
    room: NDArray[np.uint32] | None = None,
    *,
    decks: Decks = OFFICIAL,
) -> NDArray[np.uint32]:
    """Return the ranks of numberings (the last cells of the codes) after a renaming; in `room` if given."""
    table = numberings(len(to), decks)
    mask, low_bits, low_mask = (
        np.uint32(number) for number in ((1 << 2 * len(to)) - 1, table.low_bits, (1 << table.low_bits) - 1)
    )
    places = np.empty(len(codes), np.uint32) if room is None else room
    find_places(
        codes, mask, low_bits, low_mask, *renaming(to), table.base, table.class_of, table.within, places
    )
    return places


def blocks_of(cards: int, decks: Decks = OFFICIAL) -> NDArray[np.int64]:
    """Return the starts of the blocks of an array: one for each number under the mover, or for a jack."""
    if cards <= NUMBERED:
        return numberings(cards, decks).first
    return np.array([0, len(numberings(NUMBERED, decks))])


def positions_in(layer: Layer) -> int:
    """Return the number of positions of a layer: every numbering of every shape."""
    return len(layer.index) * count_numberings(min(layer.cards, NUMBERED), layer.decks)


def bytes_needed(layers: dict[int, Layer], question: Question) -> int:
    """Estimate the memory of a sweep: the two largest neighbouring layers, and working memory."""
    working = PROGRAM_BYTES + BYTES_A_NUMBERING * count_numberings(NUMBERED, layers[2].decks)
    sizes = [
        positions_in(layers[cards]) * np.dtype(question.dtype(cards)).itemsize for cards in sorted(layers)
    ]
    return max(one + two for one, two in pairwise(sizes)) + working


class Question(NamedTuple):
    """A quantity that is computed for every position, such as its value or its number of possible games."""

    family: Callable[..., int]
    """The kernel that computes it for a family, and returns the greatest number."""
    scratch: type[np.integer[Any]]
    """The type in which that kernel combines numbers."""
    dtype: Callable[[int], type[np.integer[Any]]]
    """The type of the stored answers, by cards face up."""
    nothing: Callable[[int], int]
    """The answer where the mover cannot move, by cards face up."""
    first_move: Callable[[NDArray[Any]], NDArray[Any]]
    """Converts a child's answers to those of the player who moves to it."""
    together: Callable[[Sequence[NDArray[Any]]], NDArray[Any]]
    """Combines the answers of all first moves."""


VALUES = Question(
    family=solve_family,
    scratch=np.int8,
    dtype=lambda _: np.int8,
    nothing=lambda cards: -cards,
    first_move=np.negative,
    together=np.maximum.reduce,
)
"""Cards left face up at the end under perfect play, negative if the mover loses."""


GAMES = Question(
    family=count_family,
    scratch=np.uint32,
    dtype=lambda cards: np.uint8 if cards <= 9 else np.uint16 if cards < NUMBERED else np.uint32,
    nothing=lambda _: 1,
    first_move=lambda games: games.astype(np.int64),
    together=np.add.reduce,
)
"""The number of possible games. Up to nine cards it fits into one byte, up to thirteen into two, for any
deck; a number that does not fit raises an error."""


ONE_LINE = Question(
    family=line_family,
    scratch=np.uint8,
    dtype=lambda _: np.uint8,
    nothing=lambda _: LAST_OF_LINE,
    first_move=lambda kinds: kinds,
    together=joined,
)
"""Whether only one line wins: 1 (the mover's) and 2 (the opponent's); 0 and 3 otherwise."""


def is_ready(question: Question) -> bool:
    """Whether the compiled kernel of a question is in the cache."""
    return is_cached(question.family)


def sweep(
    layers: dict[int, Layer],
    question: Question,
    *,
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
) -> Iterator[tuple[Layer, NDArray[Any]]]:
    """Yield the answers for every position of the layers up to 15 cards, smallest first, one row per shape.

    `progress(layer)` is called before each layer is solved. The answers of a layer are valid until the next
    but one: layers alternate between two blocks of memory. (The system clears newly allocated memory, which
    took a third of the time when every layer and every table had its own.)
    """
    swept = [layers[cards] for cards in sorted(layers) if cards < 16]
    memory = [
        np.empty(max((_answer_bytes(layer, question) for layer in swept[turn::2]), default=0), np.uint8)
        for turn in (0, 1)
    ]
    answers: NDArray[Any] = np.zeros((0, 0), question.dtype(1))
    with ThreadPoolExecutor(1) as ahead, ThreadPoolExecutor(jobs or cores()) as pool:
        # In the background while the first, small layers are solved.
        pool.submit(numberings, NUMBERED, swept[0].decks)
        prepared = ahead.map(group, swept, [None, *swept])
        for turn, (layer, groups) in enumerate(zip(swept, prepared, strict=True)):
            progress(layer)
            block = memory[turn % 2][: _answer_bytes(layer, question)].view(question.dtype(layer.cards))
            room = block.reshape(len(layer.index), -1)
            answers = solve_layer(layer, groups, answers, question, pool, room)
            yield layer, answers


def group(layer: Layer, layer_below: Layer | None) -> Groups:
    """Group the families of a layer by the renaming through which they read the layer below."""
    groups: Groups = {}
    for family in layer.families:
        plan = prepare(family, layer, layer_below)
        groups.setdefault(plan.to, []).append(plan)
    return groups


def _answer_bytes(layer: Layer, question: Question) -> int:
    return positions_in(layer) * np.dtype(question.dtype(layer.cards)).itemsize


def solve_layer(
    layer: Layer,
    groups: Groups,
    below: NDArray[Any],
    question: Question,
    pool: ThreadPoolExecutor,
    answers: NDArray[Any],
) -> NDArray[Any]:
    """Compute the answers for every position of a layer from those of the layer below."""
    cards, decks = layer.cards, layer.decks
    codes = numberings(min(cards, NUMBERED), decks).codes
    codes_below = numberings(min(cards - 1, NUMBERED), decks).codes
    blocks = blocks_of(cards, decks)
    orders = {order for plans in groups.values() for plan in plans for _, order in plan.moved}
    places_below = dict(
        zip(orders, pool.map(lambda order: places_of(codes_below, order, decks=decks), orders), strict=True)
    )
    most_moved = max(len(plan.moved) for plans in groups.values() for plan in plans)
    own = threading.local()  # each thread's buffers, reused from group to group

    def solve_group(to: tuple[int, ...]) -> None:
        """Solve all families that read the layer below through the same renaming."""
        if not hasattr(own, "places"):
            own.places = np.empty(len(codes), np.uint32)
            own.scratch = np.empty(below.shape[1], question.scratch)
            own.moved = np.empty((most_moved, below.shape[1]), below.dtype)
        if to:  # without children there is nothing to read
            places_of(codes, to, own.places, decks=decks)
        for plan in groups[to]:
            for target, (row, order) in zip(own.moved, plan.moved, strict=False):
                take(below[row], places_below[order], target)
            greatest = question.family(
                below,
                own.moved,
                plan.set_begins,
                plan.set_rows,
                plan.uses,
                blocks,
                own.places,
                own.scratch,
                answers,
                answers.dtype.type(question.nothing(cards)),
            )
            if greatest > np.iinfo(answers.dtype).max:
                msg = f"{greatest:,} games from {cards} cards are more than can be counted here"
                raise CollapsiError(msg)

    for _ in pool.map(solve_group, sorted(groups, key=lambda to: -len(groups[to]))):
        pass
    return answers
