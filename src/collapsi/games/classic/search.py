"""The interface to the kernel: converts positions to ints and tables, and results back."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from collapsi.core.cards import ANYWHERE, STEPS, Card
from collapsi.core.errors import IllegalPositionError
from collapsi.core.players import PAIR, Player
from collapsi.core.reach import MOST_CELLS, LazyReach, check_fits, full_reach, row
from collapsi.games.classic import kernel
from collapsi.solving.machine_code import has_machine_code, may_compile
from collapsi.solving.solution import Solution
from collapsi.system.machine import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules

Result = TypeVar("Result")

COLLAPSED = len(Card)
"""The code of a collapsed card, after those of the face-up cards."""

SLOTS = 1 << 13
"""Words of the search's table. A whole deal enters about 3,000 nodes, so a larger table hardly helps, and
64 kB stay in the fastest caches of the processor."""

GAME_SLOTS = 1 << 16
"""The same for counting games, which visits every node."""

CHUNK = 256
"""Positions per task of a thread: about 50 ms of work."""


def solve(position: Position, nodes: list[int] | None = None) -> Solution:
    """Solve one position, interpreted, without heavy imports. Adds the nodes entered to `nodes[0]`."""
    values, line = [0] * MOST_CELLS, [0] * MOST_CELLS
    length = kernel.solve(*(*_interpreted(position, nodes), values, line))
    return Solution(tuple(values), tuple(line[:length]))


def value(position: Position, nodes: list[int] | None = None) -> int:
    """Return the value of one position for the side to move, interpreted."""
    return kernel.value(*_interpreted(position, nodes))


def _interpreted(position: Position, nodes: list[int] | None) -> tuple[Any, ...]:
    """Return the first arguments of the interpreted search: tables, working memory, and the root."""
    return (
        LazyReach(position.board),
        rows_of(position),
        [0] * SLOTS,
        1,
        [0] * (kernel.DEPTH * kernel.FRAME),
        [0] * (kernel.DEPTH * kernel.DEPTH),
        [0] if nodes is None else nodes,
        *root_of(position),
    )


def solve_batch(positions: Sequence[Position]) -> list[Solution]:
    """Solve positions of one board with the compiled kernel on this thread."""
    return _batch(positions)[0]


def _batch(positions: Sequence[Position]) -> tuple[list[Solution], int]:
    """Return the solutions and the number of nodes entered."""
    if not may_compile():
        nodes = [0]
        return [solve(position, nodes) for position in positions], nodes[0]
    values, lines, lengths, entered = _solve_compiled(_arguments(positions))
    rows = zip(values.tolist(), lines.tolist(), lengths.tolist(), strict=True)
    return [Solution(tuple(value), tuple(line[:length])) for value, line, length in rows], entered


def value_batch(positions: Sequence[Position], nodes: list[int] | None = None) -> list[int]:
    """Return the values of positions of one board for the side to move, on this thread."""
    if not may_compile():
        return [value(position, nodes) for position in positions]
    import numpy as np

    from collapsi.games.classic import compiled

    values, entered = np.zeros(len(positions), np.int8), np.zeros(1, np.int64)
    compiled.value_many(*_arguments(positions), *_working_memory(), entered, values)
    if nodes is not None:
        nodes[0] += int(entered[0])
    return values.tolist()


def compiled_is_loaded() -> bool:
    """Return whether this process has loaded the machine code of the search."""
    return has_machine_code("collapsi.games.classic.compiled", "solve_many")


def machine_code_is_cached() -> bool:
    """Return whether the search was compiled before and need only be loaded; imports Numba."""
    from collapsi.games.classic import compiled
    from collapsi.solving import jit

    return jit.is_cached(compiled.solve_many)


def count_games(position: Position) -> int:
    """Count the ways to play a position to its end, interpreted."""
    return kernel.count_games(
        LazyReach(position.board),
        rows_of(position),
        [0] * GAME_SLOTS,
        [0] * GAME_SLOTS,
        [0] * (kernel.DEPTH * kernel.FRAME),
        *root_of(position),
    )


def solve_many(
    positions: Sequence[Position], *, jobs: int | None = None, nodes: list[int] | None = None
) -> Iterator[Solution]:
    """Solve positions with the compiled kernel, in order, on `jobs` threads (default: every core)."""

    for solutions, entered in _in_threads(_batch, positions, jobs):
        if nodes is not None:
            nodes[0] += entered
        yield from solutions


def solve_deals(
    cards: NDArray[np.uint8], pawns: tuple[int, int], rules: Rules, *, jobs: int | None = None
) -> NDArray[np.int8]:
    """Return the values of red's first moves, by end cell, for deals (rows of cards) with the same jacks."""
    import numpy as np

    roots = np.tile(np.array([(1 << MOST_CELLS) - 1, *pawns, 0], np.int64), (len(cards), 1))
    return solve_states(cards, roots, rules, jobs=jobs)


def solve_states(
    cards: NDArray[np.uint8], roots: NDArray[np.int64], rules: Rules, *, jobs: int | None = None
) -> NDArray[np.int8]:
    """Return the values of every move, by end cell, for positions: rows of cards, and their `root_of`."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    tables = full_reach(rules.board), np.array([row_of(rules)], np.int64)

    def work(start: int) -> NDArray[np.int8]:
        some = slice(start, start + CHUNK)
        numbered = np.column_stack([roots[some], np.zeros(len(roots[some]), np.int64)])
        return _solve_compiled((*tables, cards[some], numbered, np.zeros(2 * MOST_CELLS, np.int64)))[0]

    with ThreadPoolExecutor(jobs or cores()) as pool:
        found = list(pool.map(work, range(0, len(cards), CHUNK)))
    return np.concatenate(found) if found else np.zeros((0, MOST_CELLS), np.int8)


def count_games_many(positions: Sequence[Position], *, jobs: int | None = None) -> Iterator[int]:
    """Count the games of positions with the compiled kernel, in order."""

    def work(chunk: Sequence[Position]) -> list[int]:
        if not may_compile():
            return [count_games(position) for position in chunk]
        import numpy as np

        from collapsi.games.classic import compiled

        games = np.zeros(len(chunk), np.int64)
        compiled.count_many(
            *_arguments(chunk),
            np.zeros(GAME_SLOTS, np.int64),
            np.zeros(GAME_SLOTS, np.int64),
            np.zeros(kernel.DEPTH * kernel.FRAME, np.int64),
            games,
        )
        return games.tolist()

    for counts in _in_threads(work, positions, jobs):
        yield from counts


def _solve_compiled(arguments: tuple[Any, ...]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
    """Return values, lines, their lengths, and the nodes entered, for the result of `_arguments`."""
    import numpy as np

    from collapsi.games.classic import compiled

    count = len(arguments[2])
    values = np.zeros((count, MOST_CELLS), np.int8)
    lines = np.zeros((count, MOST_CELLS), np.int8)
    lengths = np.zeros(count, np.int8)
    entered = np.zeros(1, np.int64)
    compiled.solve_many(
        *arguments,
        *_working_memory(),
        entered,
        values,
        lines,
        lengths,
    )
    return values, lines, lengths, int(entered[0])


def _working_memory() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Allocate the working memory of the compiled search: table, stack, and moves of each frame."""
    import numpy as np

    sizes = SLOTS, kernel.DEPTH * kernel.FRAME, kernel.DEPTH * kernel.DEPTH
    table, stack, todo = (np.zeros(size, np.int64) for size in sizes)
    return table, stack, todo


def _in_threads(
    work: Callable[[Sequence[Position]], Result], positions: Sequence[Position], jobs: int | None
) -> Iterator[Result]:
    """Call `work` with chunks of the positions on several threads; yield results in order."""
    from concurrent.futures import ThreadPoolExecutor

    threads = (jobs or cores()) if may_compile() else 1  # interpreted, threads would wait for the GIL
    size = min(CHUNK, max(1, -(-len(positions) // threads)))
    chunks = []
    for _, same_board in groupby(positions, key=lambda position: position.board):
        run = list(same_board)
        chunks += [run[start : start + size] for start in range(0, len(run), size)]
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, chunks)


def _arguments(chunk: Sequence[Position]) -> tuple[Any, ...]:
    """Return the first arguments of every compiled kernel: reach table, rows, cards, roots, buffer."""
    import numpy as np

    rule_sets = {id(position.rules): position.rules for position in chunk}
    number = {key: index for index, key in enumerate(rule_sets)}
    rows = np.array([row_of(rules) for rules in rule_sets.values()], np.int64)
    cards = b"".join([bytes(codes_of(position)) for position in chunk])
    roots = np.array([(*root_of(position), number[id(position.rules)]) for position in chunk], np.int64)
    return (
        full_reach(chunk[0].board),
        rows,
        np.frombuffer(cards, np.uint8).reshape(len(chunk), MOST_CELLS),
        roots,
        np.zeros(2 * MOST_CELLS, np.int64),
    )


def codes_of(position: Position) -> list[int]:
    """Return the codes of the cards, `COLLAPSED` also for cells outside the board."""
    codes = [COLLAPSED if card is None else card for card in position.cards]
    return codes + [COLLAPSED] * (MOST_CELLS - len(codes))


def root_of(position: Position) -> tuple[int, int, int, int]:
    """Return the root of a search: face-up cards, cells of the mover and of the other, offset of the mover
    (0 or 16).
    """
    player = position.to_move
    return position.face_up, position.pawns[player], position.pawns[player.other], player * MOST_CELLS


def rows_of(position: Position) -> list[int]:
    """Return the rows of the reach table for the card on each cell: red's 16 cells, then blue's."""
    rows, codes = row_of(position.rules), codes_of(position)
    return [rows[code][index] for index, code in enumerate(codes + codes)]


@lru_cache(maxsize=256)  # 6 kB each, and there are more than a million possible rule sets
def row_of(rules: Rules) -> list[list[int]]:
    """Return the rows of each card, the last for `COLLAPSED`: red's by cell, then blue's."""
    check_fits(rules.board)
    if not set(rules.first_steps[0] + rules.first_steps[1]) <= {*STEPS, ANYWHERE}:
        msg = f"the search supports first moves of {STEPS[0]} to {STEPS[-1]} steps"
        raise IllegalPositionError(msg)

    def row_on(card: Card, player: Player, cell: int) -> int:
        steps = rules.steps(card, player)
        if len(steps) == 1 and steps[0] != ANYWHERE:
            return row(steps[0], cell)
        return -sum(1 << (4 if number == ANYWHERE else number - 1) for number in steps)

    table = [[row_on(card, player, cell) for player in PAIR for cell in range(MOST_CELLS)] for card in Card]
    return [*table, [0] * (2 * MOST_CELLS)]
