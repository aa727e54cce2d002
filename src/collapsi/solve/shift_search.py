"""Positions of the shifting board to its kernel and back: what `search` is for the classic game."""

from __future__ import annotations

import sys
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from collapsi.errors import IllegalPositionError
from collapsi.machine import cores
from collapsi.rules import Player, Wrap
from collapsi.solve import shift_kernel as kernel
from collapsi.solve.search import Solution, may_compile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from collapsi.games.shifting import Shifting

    Told = Callable[[int, int], None]
    """Hears how many moves are settled, and of how many."""

Result = TypeVar("Result")

SLOTS = {Wrap.LINE: 1 << 17, Wrap.BOX: 1 << 17, Wrap.ROTATE: 1 << 20}
"""Slots of the search's table, 32 bytes each. A whole deal enters some 300,000 nodes for all its moves, with
turning lines some millions."""

FEW_SLOTS = 1 << 13
"""The same for endgames."""

FEW_CARDS = 11
"""With so many cards face up it is an endgame: some thousand nodes."""


TOLD_SECONDS = 0.2
"""How often progress is told."""


def solve(position: Shifting, nodes: list[int] | None = None) -> Solution:
    """Solve one position, interpreted: no compiler, no heavy import. `nodes[0]` counts the nodes entered."""
    return solution(position, *_interpreted(position, [0] if nodes is None else nodes))


def _interpreted(position: Shifting, nodes: list[int]) -> tuple[list[int], list[int]]:
    """Values and line as the kernel gives them."""
    counted = [0, 0]
    places, numbers, root = arguments(position)
    patch, grid = [0] * kernel.PATCH, [0] * kernel.GRID
    kernel.lay(patch, grid, places)
    values, line = [0] * (4 * kernel.CARDS), [0] * kernel.CARDS
    length = kernel.solve(
        patch,
        grid,
        numbers,
        root[0],
        [0] * (slots(position) * kernel.ENTRY),
        1,
        [0] * (kernel.DEPTH * kernel.FRAME),
        [0] * (kernel.DEPTH * kernel.MOVES),
        counted,
        *root[1:],
        values,
        line,
    )
    nodes[0] += counted[0]
    return values, line[:length]


def solve_many(
    positions: Sequence[Shifting],
    *,
    jobs: int | None = None,
    nodes: list[int] | None = None,
    told: Told | None = None,
) -> Iterator[Solution]:
    """Solve positions with the compiled kernel, in order, on `jobs` threads (default: every core).

    `told` hears now and then how many moves are settled, of how many; never of work that is soon done.
    """
    if not may_compile():
        yield from _solve_each(positions, nodes, told)
        return
    for task, found in _in_threads(_solved, positions, jobs, told):
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
        yield solution(task.position, *found)


def _solve_each(
    positions: Sequence[Shifting], nodes: list[int] | None, told: Told | None
) -> Iterator[Solution]:
    """The same interpreted, one after the other."""
    moves = [len(position.moves) for position in positions]
    for done, position in enumerate(positions):
        if told is not None:
            told(sum(moves[:done]), sum(moves))
        yield solve(position, nodes)


def value_many(
    positions: Sequence[Shifting],
    *,
    jobs: int | None = None,
    nodes: list[int] | None = None,
    removed: bool = False,
) -> Iterator[int]:
    """The value of each position for the side to move, and nothing else: the quickest way to many.

    With `removed` only face-up cards count for where a line or the rectangle ends. No rules that one can play
    say so; `collapsi.shifting_facts` asks what it would change.
    """
    for task, value in _in_threads(partial(_valued, removed=removed), positions, jobs):
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
        yield value


def value_batch(positions: Sequence[Shifting], nodes: list[int] | None = None) -> list[int]:
    """What `value_many` says, here and now, on this thread."""
    found = []
    for position in positions:
        task = Task(position)
        found.append(_in_a_room(partial(_valued, removed=False), task))
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
    return found


def slots(position: Shifting) -> int:
    """How large a table a position is solved with: in both forms, so that they enter the same nodes."""
    return FEW_SLOTS if position.cards_left <= FEW_CARDS else SLOTS[position.rules.shift or Wrap.LINE]


def compiled_is_loaded() -> bool:
    """Whether this process has the machine code at hand."""
    module = sys.modules.get("collapsi.solve.shift_compiled")
    return bool(getattr(getattr(module, "solve_many", None), "overloads", None))


def arguments(position: Shifting) -> tuple[list[int], list[int], tuple[int, int, int, int]]:
    """What the kernel asks: the place of each card, its steps, and the root.

    Cards are numbered in reading order. The root is the reading, the face-up cards, the card under the mover
    and the card under the other.
    """
    if any(steps != (1,) for steps in position.rules.first_steps):
        msg = "on the shifting board the search handles first moves of one step only"
        raise IllegalPositionError(msg)
    board = position.board
    cells = [cell for cell in range(board.size) if not board.is_gap(cell)]
    number = {cell: card for card, cell in enumerate(cells)}
    start = kernel.MIDDLE * (kernel.SIDE + 1)
    places = [start + cell // board.columns * kernel.SIDE + cell % board.columns for cell in cells]
    cards = [position.cards[cell] for cell in cells]
    steps = [0 if card is None else position.rules.steps(card, Player.RED)[0] for card in cards]
    face_up = sum(1 << index for index, card in enumerate(cards) if card is not None)
    reading = list(Wrap).index(position.rules.shift or Wrap.LINE)
    player = position.to_move
    mover, other = (number[position.pawns[who]] for who in (player, player.other))
    return places, steps, (reading, face_up, mover, other)


def solution(position: Shifting, values: Sequence[int], line: Sequence[int]) -> Solution:
    """The kernel's answer by cells: a card is where it lies now, and along the line where it lies by then."""
    board = position.board
    cells = [cell for cell in range(board.size) if not board.is_gap(cell)]
    by_move = [0] * (4 * board.size)
    for index, value in enumerate(values):
        if value:
            by_move[4 * cells[index // 4] + index % 4] = value
    moves = []
    for code in line:
        move = 4 * cells[code // 4] + code % 4
        moves.append(move)
        places = position.slides(move)
        position = position.play(move)
        top = min(row for row, _ in places.values())
        left = min(column for _, column in places.values())
        columns = position.board.columns
        cells = [(places[cell][0] - top) * columns + places[cell][1] - left for cell in cells]
    return Solution(tuple(by_move), tuple(moves))


class Room:
    """What one thread needs to solve: tables, kept from one question to the next, and stamps for them."""

    def __init__(self) -> None:
        self.tables: dict[Wrap, Any] = {}
        self.stamps = count(1)


_rooms: list[Room] = []
"""Those that no thread uses just now. To take and to put back are each one step of the interpreter."""


class Task:
    """A position that is being solved: what of it is known so far, and the means to stop it."""

    def __init__(self, position: Shifting) -> None:
        import numpy as np

        self.position = position
        self.nodes = np.zeros(2, np.int64)
        self.values = np.zeros((1, 4 * kernel.CARDS), np.int64)
        """Written by the kernel move by move."""

    def stop(self) -> None:
        """Have the kernel give up, some thousand nodes from now."""
        self.nodes[1] = 1


def _in_a_room(work: Callable[[Task, Room], Result], task: Task) -> Result:
    """Work in a room that nobody else uses meanwhile."""
    room = _rooms.pop() if _rooms else Room()
    try:
        return work(task, room)
    finally:
        _rooms.append(room)


def _in_threads(
    work: Callable[[Task, Room], Result],
    positions: Sequence[Shifting],
    jobs: int | None,
    told: Told | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Each position through `work` on several threads, each in a room of its own; results in order.

    Whoever stops listening, as after Ctrl-C, stops the kernels too.
    """
    from concurrent.futures import ThreadPoolExecutor

    one = partial(_in_a_room, work)
    tasks = [Task(position) for position in positions]
    if tasks and not compiled_is_loaded():
        # On this thread, because Ctrl-C cannot stop another one that compiles. A task that is stopped before
        # it begins is soon over.
        if told is not None:
            told(0, sum(len(position.moves) for position in positions))
        first = Task(positions[0])
        first.stop()
        one(first)
    with ThreadPoolExecutor(min(jobs or cores(), max(len(positions), 1))) as pool:
        futures = [pool.submit(one, task) for task in tasks]
        try:
            for task, future in zip(tasks, futures, strict=True):
                if told is not None:
                    _tell(told, tasks, future)
                yield task, future.result()
        finally:
            for task, future in zip(tasks, futures, strict=True):
                future.cancel()
                task.stop()


def _tell(told: Told, tasks: Sequence[Task], future: Future[Any]) -> None:
    """Say again and again how far the work is, until one part of it is done."""
    from concurrent.futures import wait

    moves = 0
    while not wait([future], TOLD_SECONDS).done:
        moves = moves or sum(len(task.position.moves) for task in tasks)
        told(sum(int((task.values != 0).sum()) for task in tasks), moves)


def _solved(task: Task, room: Room) -> tuple[list[int], list[int]]:
    """Values and line as the compiled kernel gives them."""
    import numpy as np

    from collapsi.solve import shift_compiled

    lines = np.zeros((1, kernel.CARDS), np.int64)
    lengths = np.zeros(1, np.int64)
    shift_compiled.solve_many(*_arrays(task.position, room), task.nodes, task.values, lines, lengths)
    return task.values[0].tolist(), lines[0, : lengths[0]].tolist()


def _valued(task: Task, room: Room, *, removed: bool) -> int:
    """The value alone."""
    import numpy as np

    from collapsi.solve import shift_compiled

    values = np.zeros(1, np.int64)
    arrays = _arrays(task.position, room)
    if removed:
        arrays[2][:, 0] |= kernel.REMOVED
    shift_compiled.value_many(*arrays, task.nodes, values)
    return int(values[0])


def _arrays(position: Shifting, room: Room) -> tuple[Any, ...]:
    """What the compiled kernels take first."""
    import numpy as np

    places, numbers, root = arguments(position)
    wrap = position.rules.shift or Wrap.LINE
    if wrap not in room.tables:
        room.tables[wrap] = np.zeros(SLOTS[wrap] * kernel.ENTRY, np.int64)
    return (
        np.array([places], np.int64),
        np.array([numbers], np.int64),
        np.array([root], np.int64),
        np.zeros(kernel.PATCH, np.int64),
        np.zeros(kernel.GRID, np.int8),
        room.tables[wrap][: slots(position) * kernel.ENTRY],
        next(room.stamps),
        np.zeros(kernel.DEPTH * kernel.FRAME, np.int64),
        np.zeros(kernel.DEPTH * kernel.MOVES, np.int64),
    )
