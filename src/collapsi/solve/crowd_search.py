"""States of the big board to its kernel and back: who wins, how soon, and what is known so far.

With two players left everything can be known, but a whole deal takes seconds and sometimes minutes. So a
search runs in slices and can be watched and stopped between them: `solve` answers with what it has learned,
for each move its `Bounds`: the exact value, or who wins and not yet when, or neither. What is not known is
never a number.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from collapsi.board import mask_of
from collapsi.errors import IllegalPositionError
from collapsi.rules import Player
from collapsi.solve import crowd_forms
from collapsi.solve import crowd_kernel as kernel
from collapsi.solve.search import Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collapsi.board import Board
    from collapsi.games.crowd import Crowd

MEGABYTES = 1024
"""The compiled search's table at the most; it is only as large as the position asks for."""

FEW_PLACES = 1 << 10
"""Places of the interpreted search's table, which is for endgames."""

PLACE_BYTES = 32

SLICE = 200_000
"""Nodes that are entered between two looks at the clock, compiled: some 80 ms."""

SMALL_SLICE = 1_000
"""The same, interpreted."""

FEW_CARDS = 12
"""With so many cards the interpreted kernel is quicker than to load the compiled one."""


class Win(Enum):
    """Whether a move wins, as far as that is known."""

    WINS = "wins"
    LOSES = "loses"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Bounds:
    """What is known of one move, or of a position, for the side to move.

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
        """With the kernel's answer to "is the value at least `goal`?" taken in."""
        if found >= goal:
            return replace(self, lower=max(self.lower, found))
        return replace(self, upper=min(self.upper, found))

    def __neg__(self) -> Bounds:
        return Bounds(-self.upper, -self.lower)


@dataclass(frozen=True)
class Progress:
    """How far a search is: what is known of every move, and which move is being settled."""

    moves: dict[int, Bounds]
    """By move."""
    settling: int | None
    """The move that is being looked at; None when nothing is."""
    nodes: int
    seconds: float

    @property
    def bounds(self) -> Bounds:
        """What is known of the position: the best of its moves."""
        return Bounds(
            max(bounds.lower for bounds in self.moves.values()),
            max(bounds.upper for bounds in self.moves.values()),
        )

    @property
    def exact(self) -> bool:
        """Whether every move's value is known."""
        return all(bounds.exact is not None for bounds in self.moves.values())


@dataclass(frozen=True)
class Answer(Progress):
    """What a search found until it was done, or stopped."""

    finished: bool
    """Whether all that was asked is known."""


class Room:
    """The memory that searches need, for one search at a time.

    The table is made as large as the largest position so far asks for, `megabytes` at the most, and kept.
    What it knows of one deal is used for later positions of the same deal.

    >>> Room(megabytes=64).bytes
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
        """From now on no table is larger; one that is larger already stays."""
        self.places = 1 << (megabytes * 2**20 // PLACE_BYTES).bit_length() - 1

    @property
    def bytes(self) -> int:
        """How large the table is now."""
        return 0 if self._whole is None else int(self._whole.nbytes)

    def open(self, steps: list[int]) -> tuple[Any, int]:
        """The table for a position with these cards (steps by cell, 0 for collapsed), and its stamp.

        The table's entries speak of face-up cards only. So they hold for every position whose cards agree
        with those of the last ones, wherever both have cards: a later position of the same game, or an
        earlier one.
        """
        cards = sum(map(bool, steps))
        places = min(self.places, 1 << max(cards - 8, 10))
        same_deal = len(steps) == len(self._steps) and all(
            0 in both or both[0] == both[1] for both in zip(steps, self._steps, strict=True)
        )
        if not same_deal or self._used is None or len(self._used) < 4 * places:
            if self._whole is None or len(self._whole) < 4 * places:
                self._used = self._whole = None  # before there is a new one
                self._whole = crowd_forms.quickest().zeros(4 * places)
                self._stamp = 0
            # No more of it than the position needs: what lies close together is found sooner.
            self._used = self._whole[: 4 * places]
        if not same_deal or not self._stamp:
            self._steps = [0] * len(steps)
            self._stamp += 1
            if self._stamp > kernel.LAST_STAMP:
                self._whole[:] = 0
                self._stamp = 1
        self._steps = [max(both) for both in zip(steps, self._steps, strict=True)]
        return self._used, self._stamp

    def forget(self) -> None:
        """Give the memory back."""
        with self.lock:
            self._whole = self._used = None
            self._stamp = 0


class Search:
    """One position under investigation: questions to the kernel, in slices.

    With `compiled` false the kernel runs as it stands, with a small table of its own.
    """

    def __init__(self, state: Crowd, *, room: Room | None = None, compiled: bool | None = None) -> None:
        self.state = state
        steps, self.face_up, mover, other = arguments(state)
        self.after = self.face_up & ~(1 << mover)
        self.mover, self.other = mover, other
        self.cards = self.face_up.bit_count()
        if compiled is None:
            compiled = self.cards > FEW_CARDS or crowd_forms.is_loaded()
        form = crowd_forms.form(compiled=compiled)
        self.compiled, self.search, zeros = form.compiled, form.of.search, form.zeros
        self.slice = SLICE if self.compiled else SMALL_SLICE
        self.board, self.steps = board_table(state.board), steps
        table, stamp = (room or ROOM).open(steps) if self.compiled else (zeros(4 * FEW_PLACES), 1)
        self.run = zeros(kernel.RUN)
        self.arguments = (
            form.table(self.board),
            form.table(steps),
            table,
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
        """Is a move's value, for the side to move, at least `goal`? None after each slice, then the answer.

        The answer is v ≥ goal: the value is at least v; or v < goal: it is at most v.
        """
        self.run[kernel.STATE] = kernel.FRESH
        while True:
            found = int(self.search(*self.arguments, self.after, self.other, move, 1 - goal, self.slice))
            if found != kernel.UNFINISHED:
                yield -found
                return
            yield None

    def order(self) -> list[int]:
        """The moves, likely winners first: what takes a reply away and leaves many next moves."""
        board, steps = self.board, self.steps
        after = self.after & ~(1 << self.other)
        replies = kernel.reach(board, self.other, steps[self.other], self.after)

        def merit(end: int) -> tuple[int, int]:
            follow = kernel.reach(board, end, steps[end], after)
            beyond = kernel.spread(board, follow) & after
            return kernel.TAKEN * (replies >> end & 1) + follow.bit_count() + beyond.bit_count(), -end

        return sorted(self.state.moves, key=merit, reverse=True)


ROOM = Room()
"""What is used where no other room is given."""


def solve(
    state: Crowd,
    *,
    winner_only: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
    room: Room | None = None,
    compiled: bool | None = None,
) -> Answer:
    """What perfect play makes of every move: first who wins, then in how many plies.

    With `winner_only` it ends when the winner is known: with the first move that wins, or when all lose. It
    is stopped after `seconds` or `nodes`, about, or when `progress`, which is told how far it is
    after every question and slice, returns False; the answer then has what was learned until then.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> answer = solve(parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big"))
    >>> answer.finished, answer.bounds.exact
    (True, 5)
    """
    if len(state.left) != 2:
        msg = f"exact play is known with two players left, and here {len(state.left)} are"
        raise IllegalPositionError(msg)
    used = room or ROOM
    with used.lock:
        return _Solving(
            state,
            winner_only=winner_only,
            room=used,
            seconds=seconds,
            nodes=nodes,
            progress=progress,
            compiled=compiled,
        ).answer()


def learn(state: Crowd, *, room: Room, compiled: bool | None = None) -> Iterator[Progress]:
    """What `solve` learns, bit by bit, until all is known: who wants to stop it stops asking.

    Nobody else may use the room meanwhile.
    """
    return _Solving(state, winner_only=False, room=room, compiled=compiled).learn()


class _Solving:
    """One call of `solve`, or of `learn`."""

    def __init__(
        self,
        state: Crowd,
        *,
        winner_only: bool,
        room: Room,
        seconds: float | None = None,
        nodes: int | None = None,
        progress: Callable[[Progress], bool | None] | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.search = Search(state, room=room, compiled=compiled)
        self.began = time.monotonic()
        self.seconds, self.most, self.progress = seconds, nodes, progress
        self.winner_only = winner_only
        cards = self.search.cards
        self.moves = dict.fromkeys(state.moves, Bounds(2 - cards, cards - 1))
        self.settling: int | None = None

    def answer(self) -> Answer:
        """Ask until all is known, or somebody says stop."""
        for progress in self.learn():
            if self._stopped(progress):
                break
        return self._answer()

    def learn(self) -> Iterator[Progress]:
        """How far it is, after every question and slice."""
        for move, goal in self._questions():
            self.settling = move
            for found in self.search.ask(move, goal):
                if found is not None:
                    self.moves[move] = self.moves[move].learn(goal, found)
                yield Progress(**self._so_far())

    def _questions(self) -> Iterator[tuple[int, int]]:
        """Moves and goals: first who wins by each move, then how soon, winning moves first.

        From who wins outwards: every question about a move but the last is answered yes, the cheap answer.
        """
        moves = self.moves
        for move in self.search.order():
            yield move, 1
            if self.winner_only and moves[move].win is Win.WINS:
                return
        if self.winner_only:
            return
        for move in sorted(moves, key=lambda move: moves[move].win is not Win.WINS):
            while moves[move].exact is None:
                known = moves[move]
                yield move, known.lower + 1 if known.win is Win.WINS else known.upper

    def _answer(self) -> Answer:
        self.settling = None
        found = Progress(**self._so_far())
        known = found.bounds.win is not Win.UNKNOWN if self.winner_only else found.exact
        return Answer(**self._so_far(), finished=known)

    def _stopped(self, progress: Progress) -> bool:
        told = self.progress(progress) if self.progress is not None else None
        return (
            told is False
            or (self.seconds is not None and time.monotonic() - self.began >= self.seconds)
            or (self.most is not None and self.search.nodes >= self.most)
        )

    def _so_far(self) -> dict[str, Any]:
        return {
            "moves": dict(self.moves),
            "settling": self.settling,
            "nodes": self.search.nodes,
            "seconds": time.monotonic() - self.began,
        }


def line(state: Crowd, *, room: Room | None = None, compiled: bool | None = None) -> tuple[int, ...]:
    """Perfect play to the end; of equally good moves the first in reading order.

    A position must be solved first to know its value, so this takes as long as `solve`.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> state.line_text(line(state))
    ('c3',)
    """
    if not state.moves:
        return ()
    value = solve(state, room=room, compiled=compiled).bounds.exact
    assert value is not None  # nothing stopped it
    moves: list[int] = []
    while state.moves:
        best = next(move for move in state.moves if _is_worth(state, move, value, room, compiled))
        moves.append(best)
        state = state.play(best)
        value = -value
    return tuple(moves)


def _is_worth(state: Crowd, move: int, value: int, room: Room | None, compiled: bool | None) -> bool:
    used = room or ROOM
    with used.lock:
        answers = Search(state, room=used, compiled=compiled).ask(move, value)
        return next(found for found in answers if found is not None) >= value


def solution(state: Crowd, *, room: Room | None = None, compiled: bool | None = None) -> Solution:
    """Every move's value and perfect play, as `search.solve` says it of the classic game."""
    values = [0] * state.board.size
    for move, bounds in solve(state, room=room, compiled=compiled).moves.items():
        assert bounds.exact is not None  # nothing stopped it
        values[move] = bounds.exact
    return Solution(tuple(values), line(state, room=room, compiled=compiled))


def arguments(state: Crowd) -> tuple[list[int], int, int, int]:
    """What the kernel asks: the steps of each card (0 for collapsed), the face-up cards, mover, other."""
    (other,) = state.others
    return steps_of(state), state.face_up, state.pawns[state.to_move], other


def steps_of(state: Crowd) -> list[int]:
    """The steps of the card on each cell, 0 for collapsed."""
    return [0 if card is None else state.rules.steps(card, Player.RED)[0] for card in state.cards]


@cache
def board_table(board: Board) -> tuple[int, ...]:
    """What the kernel has to know of a board, whose sides must be five or longer."""
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
