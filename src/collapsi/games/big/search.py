"""Exact search of the big board with two players left, with intermediate results.

A whole deal takes seconds and sometimes minutes. So a search runs in slices, between which it can be observed
and stopped: `solve` returns `Bounds` for each move: the exact value, or the winner without the length, or
neither. An unknown value is never a number.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from collapsi.core.board import mask_of
from collapsi.core.errors import IllegalPositionError
from collapsi.core.players import Player
from collapsi.games.big import backends as big_backends
from collapsi.games.big import kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.core.board import Board
    from collapsi.games.big.state import BigState

MEGABYTES = 16
"""Largest table of the compiled search; its size depends on the position."""

FEW_PLACES = 1 << 10
"""Places of the table of the interpreted search, which is for endgames."""

PLACE_BYTES = 32

SLICE = 200_000
"""Nodes of a slice of the compiled search: about 20 ms."""

SMALL_SLICE = 1_000
"""Nodes of a slice of the interpreted search."""

FEW_CARDS = 12
"""Up to this many cards, the interpreted kernel is faster than loading the compiled one."""


class Win(Enum):
    """Whether a move wins, as far as that is known."""

    WINS = "wins"
    LOSES = "loses"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Bounds:
    """Bounds of the value of a move, or of a position, for the side to move.

    Values are cards left face up at the end, negative if the side to move loses, and never 0.

    >>> Bounds(3, 9).win, Bounds(3, 9).exact, Bounds(-5, -5).exact, Bounds(-8, 8).win
    (<Win.WINS: 'wins'>, None, -5, <Win.UNKNOWN: 'unknown'>)
    """

    lower: int
    upper: int

    @property
    def win(self) -> Win:
        """Whether it wins."""
        if self.lower > 0:
            return Win.WINS
        return Win.LOSES if self.upper < 0 else Win.UNKNOWN

    @property
    def exact(self) -> int | None:
        """The value, if it is known."""
        return self.lower if self.lower == self.upper else None

    def learn(self, goal: int, found: int) -> Bounds:
        """Return the bounds updated by the kernel's answer to "is the value at least `goal`?"."""
        if found >= goal:
            return replace(self, lower=max(self.lower, found))
        return replace(self, upper=min(self.upper, found))

    def __neg__(self) -> Bounds:
        return Bounds(-self.upper, -self.lower)


@dataclass(frozen=True)
class Progress:
    """The state of a search: the bounds of every move, and the move that is being searched."""

    moves: dict[int, Bounds]
    """Bounds by move."""
    settling: int | None
    """The move that is being searched; None if the search is over."""
    nodes: int = field(compare=False)
    seconds: float = field(compare=False)
    winner_only: bool = field(default=False, compare=False)
    """Whether only the winner is searched for."""

    @property
    def bounds(self) -> Bounds:
        """The bounds of the position: those of its best move."""
        return Bounds(
            max(bounds.lower for bounds in self.moves.values()),
            max(bounds.upper for bounds in self.moves.values()),
        )

    @property
    def exact(self) -> bool:
        """Whether the value of every move is known."""
        return all(bounds.exact is not None for bounds in self.moves.values())

    @property
    def finished(self) -> bool:
        """Whether everything that was searched for is known."""
        return self.bounds.win is not Win.UNKNOWN if self.winner_only else self.exact


class TranspositionTable:
    """A transposition table, for one search at a time.

    It grows with the largest position so far, up to `megabytes`. Its entries are reused for later positions
    of the same deal.

    >>> TranspositionTable(megabytes=64).bytes
    0
    """

    def __init__(self, *, megabytes: int = MEGABYTES) -> None:
        self.lock = Lock()
        self.limit(megabytes=megabytes)
        self._whole: Any = None
        self._used: Any = None
        self._stamp = 0
        self._steps: list[int] = []

    def limit(self, *, megabytes: int) -> None:
        """Limit the size of new tables; an existing larger table stays."""
        self.places = 1 << (megabytes * 2**20 // PLACE_BYTES).bit_length() - 1

    @property
    def bytes(self) -> int:
        """The current size in bytes."""
        return 0 if self._whole is None else int(self._whole.nbytes)

    def open(self, steps: list[int]) -> tuple[Any, int]:
        """Return the table for a position with these cards (steps by cell, 0 for collapsed), and its stamp.

        Entries depend on face-up cards only. So they are valid for every position whose cards agree with
        those of earlier positions on all cells where both have cards: a later position of the same game, or
        an earlier one.
        """
        cards = sum(map(bool, steps))
        # It fits the processor's cache: a larger table saves nodes, but every access waits for memory.
        places = min(self.places, 1 << max(cards - 15, 14))
        same_deal = len(steps) == len(self._steps) and all(
            0 in both or both[0] == both[1] for both in zip(steps, self._steps, strict=True)
        )
        if not same_deal or self._used is None or len(self._used) < 4 * places:
            if self._whole is None or len(self._whole) < 4 * places:
                self._used = self._whole = None  # freed before the new one is allocated
                self._whole = big_backends.fastest().zeros(4 * places)
                self._stamp = 0
            # Only as much as the position needs: a smaller table has more cache hits.
            self._used = self._whole[: 4 * places]
        if not same_deal or not self._stamp:
            self._steps = [0] * len(steps)
            self._stamp += 1
            if self._stamp > kernel.LAST_STAMP:
                self._whole[:] = 0
                self._stamp = 1
        self._steps = [max(both) for both in zip(steps, self._steps, strict=True)]
        return self._used, self._stamp

    def clear(self) -> None:
        """Free the memory."""
        with self.lock:
            self._whole = self._used = None
            self._stamp = 0


class Search:
    """Null-window searches of one position, in slices.

    With `compiled` false the kernel is interpreted, with a small table of its own.
    """

    def __init__(
        self, state: BigState, *, table: TranspositionTable | None = None, compiled: bool | None = None
    ) -> None:
        self.state = state
        steps, self.face_up, mover, other = arguments(state)
        self.after = self.face_up & ~(1 << mover)
        self.mover, self.other = mover, other
        self.cards = self.face_up.bit_count()
        if compiled is None:
            compiled = self.cards > FEW_CARDS or big_backends.is_loaded()
        backend = big_backends.backend(compiled=compiled)
        self.compiled, self.search, zeros = backend.compiled, backend.of.search, backend.zeros
        self.slice = SLICE if self.compiled else SMALL_SLICE
        self.board, self.steps = board_table(state.board), steps
        entries, stamp = (table or TABLE).open(steps) if self.compiled else (zeros(4 * FEW_PLACES), 1)
        self.run = zeros(kernel.RUN)
        self.arguments = (
            backend.table(self.board),
            backend.table(steps),
            entries,
            stamp,
            zeros(kernel.DEPTH * kernel.FRAME),
            zeros(kernel.DEPTH * kernel.MOVES),
            zeros(kernel.DEPTH * kernel.FRAME),
            self.run,
        )

    @property
    def nodes(self) -> int:
        """The nodes entered so far."""
        return int(self.run[kernel.NODES])

    def ask(self, move: int, goal: int) -> Iterator[int | None]:
        """Test whether a move's value is at least `goal`: yield None after each slice, then the answer.

        The answer is v ≥ goal, a lower bound of the value, or v < goal, an upper bound.
        """
        self.run[kernel.STATE] = kernel.FRESH
        while True:
            found = int(self.search(*self.arguments, self.after, self.other, move, 1 - goal, self.slice))
            if found != kernel.UNFINISHED:
                yield -found
                return
            yield None

    def order(self) -> list[int]:
        """Return the moves, likely winners first: those that take a reply away and leave many next moves."""
        board, steps = self.board, self.steps
        after = self.after & ~(1 << self.other)
        replies = kernel.reach(board, self.other, steps[self.other], self.after)

        def merit(end: int) -> tuple[int, int]:
            follow = kernel.reach(board, end, steps[end], after)
            beyond = kernel.spread(board, follow) & after
            return kernel.TAKEN * (replies >> end & 1) + follow.bit_count() + beyond.bit_count(), -end

        return sorted(self.state.moves, key=merit, reverse=True)


TABLE = TranspositionTable()
"""The default table."""


def solve(
    state: BigState,
    *,
    winner_only: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
    table: TranspositionTable | None = None,
    compiled: bool | None = None,
) -> Progress:
    """Compute the value of every move: first the winners, then the lengths.

    With `winner_only` the search ends when the winner is known: with the first winning move, or when all
    lose. It stops after about `seconds` or `nodes`, or when `progress` returns False, which is called after
    every slice; the result then has the bounds so far.

    >>> from collapsi.games.big.notation import parse_big
    >>> answer = solve(parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big"))
    >>> answer.finished, answer.bounds.exact
    (True, 5)
    """
    if len(state.left) != 2:
        msg = f"the exact search is for two players, and here {len(state.left)} are left"
        raise IllegalPositionError(msg)
    table = table or TABLE
    found = nothing_known(state)
    with table.lock:
        for found in learn(state, table=table, compiled=compiled, winner_only=winner_only):
            if (
                (progress is not None and progress(found) is False)
                or (seconds is not None and found.seconds >= seconds)
                or (nodes is not None and found.nodes >= nodes)
            ):
                break
    return replace(found, settling=None)


def nothing_known(state: BigState) -> Progress:
    """Return the progress of a search before its start."""
    cards = state.cards_left
    return Progress(dict.fromkeys(state.moves, Bounds(2 - cards, cards - 1)), None, 0, 0.0)


def learn(
    state: BigState,
    *,
    table: TranspositionTable,
    compiled: bool | None = None,
    winner_only: bool = False,
) -> Iterator[Progress]:
    """Yield the progress of `solve` after every slice until everything is known.

    The caller may stop iterating at any time. No other search may use the table meanwhile.
    """
    search = Search(state, table=table, compiled=compiled)
    began = time.monotonic()
    moves = nothing_known(state).moves
    for move, goal in _tests(search.order(), moves, winner_only=winner_only):
        for found in search.ask(move, goal):
            if found is not None:
                moves[move] = moves[move].learn(goal, found)
            yield Progress(dict(moves), move, search.nodes, time.monotonic() - began, winner_only)


def _tests(order: list[int], moves: dict[int, Bounds], *, winner_only: bool) -> Iterator[tuple[int, int]]:
    """Yield moves and goals: first the winner of each move, then the lengths, winning moves first.

    The goals go outwards from the winner: every test but the last succeeds, which is the cheap answer. The
    caller updates the bounds in `moves`.
    """
    for move in order:
        yield move, 1
        if winner_only and moves[move].win is Win.WINS:
            return
    if winner_only:
        return
    for move in sorted(moves, key=lambda move: moves[move].win is not Win.WINS):
        while moves[move].exact is None:
            known = moves[move]
            yield move, known.lower + 1 if known.win is Win.WINS else known.upper


def arguments(state: BigState) -> tuple[list[int], int, int, int]:
    """Return the kernel's arguments: steps of each card (0 for collapsed), face-up cards, mover, other."""
    (other,) = state.others
    return steps_of(state), state.face_up, state.pawns[state.to_move], other


def steps_of(state: BigState) -> list[int]:
    """Return the steps of the card on each cell, 0 for collapsed."""
    return [0 if card is None else state.rules.steps(card, Player.RED)[0] for card in state.cards]


@lru_cache(maxsize=32)
def board_table(board: Board) -> tuple[int, ...]:
    """Return the kernel's table of a board, whose sides must be five or longer."""
    if min(board.rows, board.columns) < kernel.SHORTEST_SIDE or board.size > kernel.MOST_CELLS:
        msg = (
            f"the search is for boards with sides of {kernel.SHORTEST_SIDE} or more and at most "
            f"{kernel.MOST_CELLS} cells, not {board.rows}×{board.columns}"
        )
        raise IllegalPositionError(msg)
    words = [0] * (kernel.CELLS + board.size * kernel.WORDS)
    words[kernel.COLUMNS], words[kernel.SIZE] = board.columns, board.size
    words[kernel.ALL] = mask_of(range(board.size))
    words[kernel.FIRST] = mask_of(range(0, board.size, board.columns))
    words[kernel.LAST] = mask_of(range(board.columns - 1, board.size, board.columns))
    near = [mask_of(board.neighbours(cell)) for cell in range(board.size)]
    for cell in range(board.size):
        base = kernel.CELLS + cell * kernel.WORDS
        second = sorted({path[-1] for path in board.paths(cell, 2)})
        words[base + kernel.NEAR], words[base + kernel.SECOND] = near[cell], mask_of(second)
        for index, corner in enumerate(board.neighbours(cell)):
            left, right = (mask_of(path[1:3]) for path in board.paths(cell, 3) if path[-1] == corner)
            for at, word in ((kernel.CORNER, 1 << corner), (kernel.LEFT, left), (kernel.RIGHT, right)):
                words[base + at + index] = word
        for index, there in enumerate(second):
            for at, word in (
                (kernel.RING, 1 << there),
                (kernel.BETWEEN, near[cell] & near[there]),
                (kernel.ROUND, near[there]),
            ):
                words[base + at + index] = word
    return tuple(words)
