"""The sweep: from two face-up cards up to sixteen, each layer's arrays out of those of the layer below.

For a shape and a number under its mover::

    value(numbers) = max over end cells of −value(child, numbers without the mover's, cells renamed)
                   = −min over end cells of the children's arrays, looked up where the renaming leads

and −(cards face up) where the mover cannot move. Number of possible games: the sum over end cells instead,
and 1. Whether the winner never has a choice: see `join_to`.

Why it is fast
--------------
- A family (see `shapes`) needs one table of *places*, the renaming of every numbering, for all its shapes and
  numbers.
- The minimum is taken over whole arrays in order, many bytes an instruction, *before* one look-up through
  `places`; and once for all shapes and numbers of the family that have the same end cells.
- So each of the 2.3 billion positions costs about one random read, from an array that mostly fits a core's
  cache.
- Threads take whole groups of families: nothing is shared but the layer below, which is only read, and
  results do not depend on the number of threads.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from collapsi.board import cells_of
from collapsi.errors import CollapsiError
from collapsi.machine import cores
from collapsi.solve.jit import is_cached, machine_code
from collapsi.solve.layers.numberings import NUMBERED, OFFICIAL, Decks, count_numberings, numberings, renaming
from collapsi.solve.layers.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from collapsi.solve.layers.shapes import Child, Family, Layer

PROGRAM_BYTES = 500_000_000
"""The program itself, and what does not grow with the deck."""

BYTES_A_NUMBERING = 130
"""Tables, scratch arrays and answers, for each numbering of a whole deal."""

# Numba renews a cached kernel when this file changes; so all that a kernel calls stands in this file too.


@machine_code
def find_places(codes, mask, low_bits, low_mask, high_move, low_move, base, class_of, within, places):  # type: ignore[no-untyped-def]
    """For every code the rank of its last digits (`mask`) after they were moved: see `numberings`."""
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
    """Copy an array in another order and with the other sign."""
    for index in range(len(target)):
        target[index] = -source[places[index]]


@machine_code
def lower_to(target, other):  # type: ignore[no-untyped-def]
    """Bring an array down to another where that is less.

    Written so that the compiler does 32 at a time. With the target also as a second source, under another
    name, it would have to assume that they overlap, and do one at a time.
    """
    for index in range(len(target)):
        left, right = target[index], other[index]
        target[index] = min(right, left)


@machine_code
def child(below, moved, row):  # type: ignore[no-untyped-def]
    """The array of a child: a row of the layer below, or, for a number below zero, row ~row of `moved`."""
    return below[row] if row >= 0 else moved[~row]


@machine_code
def solve_family(below, moved, set_begins, set_rows, uses, blocks, places, scratch, layer, nothing):  # type: ignore[no-untyped-def]
    """Fill in the arrays of a family; see `Plan` for the sets and their uses."""
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
    """Add an array to another, and return the greatest sum."""
    greatest = total[0]
    for index in range(len(total)):
        total[index] += more[index]
        greatest = max(greatest, total[index])
    return greatest


@machine_code
def count_family(below, moved, set_begins, set_rows, uses, blocks, places, scratch, layer, nothing):  # type: ignore[no-untyped-def]
    """As `solve_family`, for the number of possible games: the sum over end cells, with no change of sign.

    `scratch` has room for every sum; what is stored may have less. Returns the greatest sum, to be checked.
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


# Whether only one line wins: whether the loser can play so that the winner has but one winning move each
# time. Of a position, as its mover sees it, one of four kinds::
#
#     0  the mover wins, and can avoid that              1  the mover wins, by one line only
#     2  the mover loses, and can make it one line       3  the mover loses, and cannot
#
# Joined over the moves of a position (`join_to`): without a winning move 0, or 1 if some move leads to a 1;
# with one winning move what that leads to, 2 or 3; with more of them 3. That is the position's own kind
# counted the other way (`^ 3`). Where there is no move, the mover has lost, and no choice was left: 2.

LAST_OF_LINE, OTHER_WAY = 2, 3


@machine_code
def join_to(target, other):  # type: ignore[no-untyped-def]
    """Join the moves of an array to those of another: the higher kind, or 3 if both hold a winning move."""
    for index in range(len(target)):
        left, right = target[index], other[index]
        target[index] = max(left, right) | (left & right) >> 1


@machine_code
def take_reversed(source, places, target):  # type: ignore[no-untyped-def]
    """Copy an array in another order and counted the other way."""
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
    return 0  # kinds need no room


def joined(kinds: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The kind of positions from those of all their moves."""
    found: NDArray[Any] = kinds[0].copy()
    for more in kinds[1:]:
        join_to(found, more)
    found ^= found.dtype.type(OTHER_WAY)
    return found


class Plan(NamedTuple):
    """What one family needs, as numbers and arrays."""

    moved: list[tuple[int, tuple[int, ...]]]
    """Children that are seen by another renaming than the rest: their row below, and where their cells go."""
    to: tuple[int, ...]
    """The renaming: where each cell of `rest`, in reading order, stands in the children's order of cells."""
    set_begins: NDArray[np.int64]
    """Different sets of end cells in a row: set s is `set_rows[set_begins[s] : set_begins[s + 1]]`."""
    set_rows: NDArray[np.int64]
    """Its members, as rows of the layer below; `~n` stands for the n-th of `moved`."""
    uses: NDArray[np.int64]
    """Where each set is needed, sets in order: (set, row of this layer, block of that row)."""


Groups = dict[tuple[int, ...], list[Plan]]


def prepare(family: Family, layer: Layer, below: Layer | None) -> Plan:
    """Turn a family's cells and sets into rows and orders."""
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
            # From the order of cells as the family sees them to the order in which this child has them. Say
            # rest is (x, y, z), the family finds them at to = (2, 0, 1), that is in the order y z x, and this
            # child at (0, 1, 2), in the order x y z: then what the family sees first, y, this child has at 1,
            # and so on: (1, 2, 0).
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
    """Where cells of `rest` stand in the child's array: the next mover's first (unless it is on its jack)."""
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
    """The ranks of numberings (the last cells of the codes) after cells were renamed; in `room` if given."""
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
    """Where the blocks of an array begin: one for each number under the mover, or for a jack."""
    if cards <= NUMBERED:
        return numberings(cards, decks).first
    return np.array([0, len(numberings(NUMBERED, decks))])


def positions_in(layer: Layer) -> int:
    """The number of positions of a layer: every numbering of every shape."""
    return len(layer.index) * count_numberings(min(layer.cards, NUMBERED), layer.decks)


def bytes_needed(layers: dict[int, Layer], question: Question) -> int:
    """About how much memory a sweep takes: the two largest neighbouring layers, and room to work."""
    working = PROGRAM_BYTES + BYTES_A_NUMBERING * count_numberings(NUMBERED, layers[2].decks)
    sizes = [
        positions_in(layers[cards]) * np.dtype(question.dtype(cards)).itemsize for cards in sorted(layers)
    ]
    return max(one + two for one, two in pairwise(sizes)) + working


class Question(NamedTuple):
    """What is asked of every position: its value, or its number of possible games."""

    family: Callable[..., int]
    """The kernel that answers it for a family, and returns its greatest number."""
    scratch: type[np.integer[Any]]
    """How numbers are put together in that kernel."""
    dtype: Callable[[int], type[np.integer[Any]]]
    """How an answer is stored in the layer of so many cards."""
    nothing: Callable[[int], int]
    """The answer where the mover cannot move, by cards face up."""
    first_move: Callable[[NDArray[Any]], NDArray[Any]]
    """What a child's answer is to the player who moves to it."""
    together: Callable[[Sequence[NDArray[Any]]], NDArray[Any]]
    """The answer from those of all first moves."""


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
"""The number of possible games. Up to nine cards it fits one byte, up to thirteen two, whatever the deck; a
number that does not fit would stop the sweep."""


ONE_LINE = Question(
    family=line_family,
    scratch=np.uint8,
    dtype=lambda _: np.uint8,
    nothing=lambda _: LAST_OF_LINE,
    first_move=lambda kinds: kinds,
    together=joined,
)
"""Whether only one line wins: 1 (the mover's) and 2 (the opponent's); 0 and 3 where there are more."""


def is_ready(question: Question) -> bool:
    """Whether the kernel for a question was compiled before."""
    return is_cached(question.family)


def sweep(
    layers: dict[int, Layer],
    question: Question,
    *,
    jobs: int | None = None,
    progress: Callable[[Layer], None] = lambda _: None,
) -> Iterator[tuple[Layer, NDArray[Any]]]:
    """The answers for every position of the layers up to 15 cards, smallest layer first, one row a shape.

    `progress` is told of each layer before it is solved. The answers of a layer are good until the next but
    one: layers take turns in two blocks of memory. (Memory fresh from the system has to be cleared first,
    which took a third of the time when every layer and every table had its own.)
    """
    swept = [layers[cards] for cards in sorted(layers) if cards < 16]
    memory = [
        np.empty(max((_answer_bytes(layer, question) for layer in swept[turn::2]), default=0), np.uint8)
        for turn in (0, 1)
    ]
    answers: NDArray[Any] = np.zeros((0, 0), question.dtype(1))
    with ThreadPoolExecutor(1) as ahead, ThreadPoolExecutor(jobs or cores()) as pool:
        # Done in the background while the first layers are solved, which are small.
        pool.submit(numberings, NUMBERED, swept[0].decks)
        prepared = ahead.map(group, swept, [None, *swept])
        for turn, (layer, groups) in enumerate(zip(swept, prepared, strict=True)):
            progress(layer)
            block = memory[turn % 2][: _answer_bytes(layer, question)].view(question.dtype(layer.cards))
            room = block.reshape(len(layer.index), -1)
            answers = solve_layer(layer, groups, answers, question, pool, room)
            yield layer, answers


def group(layer: Layer, layer_below: Layer | None) -> Groups:
    """The families of a layer by the renaming through which they see the layer below."""
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
    """Fill in the answers for every position of a layer out of those of the layer below."""
    cards, decks = layer.cards, layer.decks
    codes = numberings(min(cards, NUMBERED), decks).codes
    codes_below = numberings(min(cards - 1, NUMBERED), decks).codes
    blocks = blocks_of(cards, decks)
    orders = {order for plans in groups.values() for plan in plans for _, order in plan.moved}
    places_below = dict(
        zip(orders, pool.map(lambda order: places_of(codes_below, order, decks=decks), orders), strict=True)
    )
    most_moved = max(len(plan.moved) for plans in groups.values() for plan in plans)
    own = threading.local()  # each thread's room to work, kept from group to group

    def solve_group(to: tuple[int, ...]) -> None:
        """All families that see the layer below through the same renaming."""
        if not hasattr(own, "places"):
            own.places = np.empty(len(codes), np.uint32)
            own.scratch = np.empty(below.shape[1], question.scratch)
            own.moved = np.empty((most_moved, below.shape[1]), below.dtype)
        if to:  # without children there is nothing to see
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
