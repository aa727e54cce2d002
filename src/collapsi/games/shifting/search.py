"""The interface to the kernel: converts positions of the shifting board to tables, and results back."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from collapsi.core.patch import Wrap
from collapsi.core.players import Player
from collapsi.games.shifting import kernel
from collapsi.games.shifting.survey import UNLIMITED
from collapsi.solving.machine_code import has_machine_code, may_compile
from collapsi.solving.solution import Solution
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from collapsi.games.kind import Progress
    from collapsi.games.shifting.state import Shifting

Result = TypeVar("Result")

SLOTS = {Wrap.LINE: 1 << 17, Wrap.BOX: 1 << 17, Wrap.ROTATE: 1 << 20}
"""Slots of the search's table, 32 bytes each. A whole deal enters about 300,000 nodes for all its moves, with
rotating lines some millions."""

FEW_SLOTS = 1 << 13
"""Slots for endgames."""

FEW_CARDS = 11
"""Most cards face up in an endgame, which takes some thousand nodes."""

PROGRESS_SECONDS = 0.2
"""Time between two calls of the progress callback."""


def solve(position: Shifting, nodes: list[int] | None = None) -> Solution:
    """Solve one position, interpreted, without heavy imports. Adds the nodes entered to `nodes[0]`."""
    return solution(position, *_interpreted(position, [0] if nodes is None else nodes))


def _interpreted(position: Shifting, nodes: list[int]) -> tuple[list[int], list[int]]:
    """Return the values and the line of the interpreted kernel."""
    counted = [0, 0]
    places, numbers, root = arguments(position)
    patch = [0] * kernel.PATCH
    kernel.lay(patch, places, kernel.EVERY)
    values, line = [0] * (4 * kernel.CARDS), [0] * kernel.CARDS
    length = kernel.solve(
        patch,
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
    progress: Progress | None = None,
) -> Iterator[Solution]:
    """Solve positions with the compiled kernel, in order, on `jobs` threads (default: every core).

    `progress(done, total)` is called every `PROGRESS_SECONDS`, so not for work that is finished sooner.
    """
    if not may_compile():
        yield from _solve_each(positions, nodes, progress)
        return
    for task, found in _in_threads(_solve, positions, jobs, progress):
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
        yield solution(task.position, *found)


def _solve_each(
    positions: Sequence[Shifting], nodes: list[int] | None, progress: Progress | None
) -> Iterator[Solution]:
    """Solve the positions interpreted, one after the other."""
    moves = [len(position.moves) for position in positions]
    for done, position in enumerate(positions):
        if progress is not None:
            progress(sum(moves[:done]), sum(moves))
        yield solve(position, nodes)


def value_many(
    positions: Sequence[Shifting],
    *,
    jobs: int | None = None,
    nodes: list[int] | None = None,
    removed: bool = False,
) -> Iterator[int]:
    """Yield the value of each position for the side to move, without those of the moves.

    With `removed` only face-up cards determine where a line or the rectangle ends. No rule set uses that;
    `collapsi.facts.shifting` studies its effect.
    """
    for task, value in _in_threads(partial(_value, removed=removed), positions, jobs):
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
        yield value


def value_batch(positions: Sequence[Shifting], nodes: list[int] | None = None) -> list[int]:
    """Return the value of each position for the side to move, computed on this thread."""
    found = []
    for position in positions:
        task = SearchTask(position)
        found.append(_with_table(partial(_value, removed=False), task))
        if nodes is not None:
            nodes[0] += int(task.nodes[0])
    return found


class SeenMove(NamedTuple):
    """What `survey` says of a move."""

    value: int
    """The value of the move if the game ends within sight, else 0; without a limit only of the best moves."""
    own: int
    """Cards that the mover could end on after it, if it were to move again."""
    replies: int
    """Cards that the opponent can end on after it."""


def survey(position: Shifting, sight: int | None) -> dict[int, SeenMove]:
    """Look `sight` plies ahead with the compiled kernel, or to the end: cheaper than solving it."""
    return _with_table(partial(_survey, sight=sight), SearchTask(position))


def _survey(task: SearchTask, table: TranspositionTable, *, sight: int | None) -> dict[int, SeenMove]:
    import numpy as np

    from collapsi.games.shifting import compiled as shift_compiled

    position, board = task.position, task.position.board
    values, own, replies = (np.zeros((1, 4 * kernel.CARDS), np.int64) for _ in range(3))
    plies = UNLIMITED if sight is None else sight
    shift_compiled.survey_many(*_arrays(position, table), task.nodes, plies, values, own, replies)
    number = {cell: card for card, cell in enumerate(c for c in range(board.size) if not board.is_gap(c))}
    seen = list(map(SeenMove, values[0].tolist(), own[0].tolist(), replies[0].tolist()))
    return {move: seen[4 * number[move // 4] + move % 4] for move in position.moves}


def slots(position: Shifting) -> int:
    """Return the table size for a position: equal for all backends, so that they enter the same nodes."""
    return FEW_SLOTS if position.cards_left <= FEW_CARDS else SLOTS[position.rules.wrap]


def compiled_is_loaded() -> bool:
    """Return whether this process has loaded the machine code of the search."""
    return has_machine_code("collapsi.games.shifting.compiled", "solve_many")


def machine_code_is_cached() -> bool:
    """Return whether the search was compiled before and need only be loaded; imports Numba."""
    from collapsi.games.shifting import compiled
    from collapsi.solving import jit

    return jit.is_cached(compiled.solve_many)


def arguments(position: Shifting) -> tuple[list[int], list[int], tuple[int, int, int, int]]:
    """Return the arguments of the kernel: the place of each card, its steps, and the root.

    Cards are numbered in reading order. The root is the reading, the face-up cards, the card under the mover
    and the card under the other.
    """
    board = position.board
    cells = [cell for cell in range(board.size) if not board.is_gap(cell)]
    number = {cell: card for card, cell in enumerate(cells)}
    start = kernel.MIDDLE * (kernel.SIDE + 1)
    places = [start + cell // board.columns * kernel.SIDE + cell % board.columns for cell in cells]
    cards = [position.cards[cell] for cell in cells]
    steps = [0 if card is None else position.rules.steps(card, Player.RED)[0] for card in cards]
    face_up = sum(1 << index for index, card in enumerate(cards) if card is not None)
    reading = list(Wrap).index(position.rules.wrap)
    player = position.to_move
    mover, other = (number[position.pawns[who]] for who in (player, player.other))
    return places, steps, (reading, face_up, mover, other)


def solution(position: Shifting, values: Sequence[int], line: Sequence[int]) -> Solution:
    """Convert the kernel's result from card numbers to cells; along the line, to the cells at that time."""
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


class TranspositionTable:
    """The tables of one thread by reading, reused from one search to the next, and their stamps."""

    def __init__(self) -> None:
        self.tables: dict[Wrap, Any] = {}
        self.stamps = count(1)


_tables: list[TranspositionTable] = []
"""Tables that no thread uses. `pop` and `append` are atomic, so no lock is needed."""


class SearchTask:
    """A position that is being solved: its values so far, and a flag to stop the kernel."""

    def __init__(self, position: Shifting) -> None:
        import numpy as np

        self.position = position
        self.nodes = np.zeros(2, np.int64)
        self.values = np.zeros((1, 4 * kernel.CARDS), np.int64)
        """Written by the kernel as moves are settled."""

    def stop(self) -> None:
        """Stop the kernel within some thousand nodes."""
        self.nodes[1] = 1


def _with_table(work: Callable[[SearchTask, TranspositionTable], Result], task: SearchTask) -> Result:
    """Call `work` with a table that no other thread uses meanwhile."""
    table = _tables.pop() if _tables else TranspositionTable()
    try:
        return work(task, table)
    finally:
        _tables.append(table)


def _in_threads(
    work: Callable[[SearchTask, TranspositionTable], Result],
    positions: Sequence[Shifting],
    jobs: int | None,
    progress: Progress | None = None,
) -> Iterator[tuple[SearchTask, Result]]:
    """Call `work` for each position on several threads, each with its own table; yield results in order.

    Closing this generator, as Ctrl-C does, stops the kernels.
    """
    from concurrent.futures import ThreadPoolExecutor

    one = partial(_with_table, work)
    tasks = [SearchTask(position) for position in positions]
    if tasks and not compiled_is_loaded():
        # Compile on this thread, because Ctrl-C cannot stop another one that compiles. The task is stopped
        # before it starts, so that it only compiles.
        if progress is not None:
            progress(0, sum(len(position.moves) for position in positions))
        first = SearchTask(positions[0])
        first.stop()
        one(first)
    with ThreadPoolExecutor(min(jobs or cores(), max(len(positions), 1))) as pool:
        futures = [pool.submit(one, task) for task in tasks]
        try:
            for task, future in zip(tasks, futures, strict=True):
                if progress is not None:
                    _report_progress(progress, tasks, future)
                yield task, future.result()
        finally:
            for task, future in zip(tasks, futures, strict=True):
                future.cancel()
                task.stop()


def _report_progress(progress: Progress, tasks: Sequence[SearchTask], future: Future[Any]) -> None:
    """Call `progress` periodically until one future is done."""
    from concurrent.futures import wait

    moves = 0
    while not wait([future], PROGRESS_SECONDS).done:
        moves = moves or sum(len(task.position.moves) for task in tasks)
        progress(sum(int((task.values != 0).sum()) for task in tasks), moves)


def _solve(task: SearchTask, table: TranspositionTable) -> tuple[list[int], list[int]]:
    """Return the values and the line of the compiled kernel."""
    import numpy as np

    from collapsi.games.shifting import compiled as shift_compiled

    lines = np.zeros((1, kernel.CARDS), np.int64)
    lengths = np.zeros(1, np.int64)
    shift_compiled.solve_many(*_arrays(task.position, table), task.nodes, task.values, lines, lengths)
    return task.values[0].tolist(), lines[0, : lengths[0]].tolist()


def _value(task: SearchTask, table: TranspositionTable, *, removed: bool) -> int:
    """Return the value of the position."""
    import numpy as np

    from collapsi.games.shifting import compiled as shift_compiled

    values = np.zeros(1, np.int64)
    arrays = _arrays(task.position, table)
    if removed:
        arrays[2][:, 0] |= kernel.REMOVED
    shift_compiled.value_many(*arrays, task.nodes, values)
    return int(values[0])


def _arrays(position: Shifting, table: TranspositionTable) -> tuple[Any, ...]:
    """Return the first arguments of the compiled kernels."""
    import numpy as np

    places, numbers, root = arguments(position)
    wrap = position.rules.wrap
    if wrap not in table.tables:
        table.tables[wrap] = np.zeros(SLOTS[wrap] * kernel.ENTRY, np.int64)
    return (
        np.array([places], np.int64),
        np.array([numbers], np.int64),
        np.array([root], np.int64),
        np.zeros(kernel.PATCH, np.int64),
        table.tables[wrap][: slots(position) * kernel.ENTRY],
        next(table.stamps),
        np.zeros(kernel.DEPTH * kernel.FRAME, np.int64),
        np.zeros(kernel.DEPTH * kernel.MOVES, np.int64),
    )
