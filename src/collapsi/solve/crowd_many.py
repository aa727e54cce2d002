"""States of the big board to the kernels for two to four pawns and back: look ahead, grow a tree, judge.

Each has memory of its own while it works, some 30 MB at the most, so nothing that was asked before changes an
answer: it depends on the position, the seed and the number of nodes, compiled or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.games.crowd import OUT
from collapsi.solve import crowd_ahead, crowd_forms, crowd_judge, crowd_kernel, crowd_tree
from collapsi.solve import crowd_pawns as pawns
from collapsi.solve.crowd_search import board_table, steps_of

if TYPE_CHECKING:
    from collapsi.games.crowd import Crowd
    from collapsi.rules import Player

PLACES = 1 << 16
"""Of the table of the exact search for two, inside: 2 MB, which stays in the processor's caches."""

TREE_NODES = 200_000
"""Of a tree; when it is full it grows no more, and leaves are played out."""

SLOTS = 1 << 20
"""Of the table of exact endgames: 16 MB."""

NOT_STOPPED = 1 << 60
"""More nodes than anybody waits for."""


def word_of(state: Crowd) -> int:
    """Pawns, turn and who is out, as `crowd_pawns` draws it."""
    word = int(state.to_move) << pawns.MOVER | len(state.out) << pawns.GONE
    for seat in range(pawns.SEATS):
        cell = state.pawns[seat] if seat < state.rules.players else OUT
        word |= (pawns.NO_PAWN if cell == OUT else cell) << pawns.CELL_BITS * seat
    for points, player in enumerate(state.out):
        word |= points << pawns.POINTS + 2 * player
    return word


class Kernels:
    """The kernels with what each call of theirs needs, compiled or as they stand."""

    def __init__(self, state: Crowd, *, compiled: bool | None = None) -> None:
        self.state = state
        self.players = state.rules.players
        form = crowd_forms.form(compiled=compiled is not False)
        self.compiled, self.of, self.table, self.zeros = form.compiled, form.of, form.table, form.zeros
        self.board = self.table(board_table(state.board))
        self.steps = self.table(steps_of(state))
        self.run = self.zeros(crowd_kernel.RUN)

    @property
    def nodes(self) -> int:
        """The positions looked at so far."""
        return int(self.run[crowd_kernel.NODES])

    def exact_arguments(self) -> tuple[Any, ...]:
        """What every kernel that calls the exact search for two is given first."""
        return (
            self.board,
            self.steps,
            self.zeros(4 * PLACES),
            1,
            self.zeros(crowd_kernel.DEPTH * crowd_kernel.FRAME),
            self.zeros(crowd_kernel.DEPTH * crowd_kernel.MOVES),
            self.zeros(crowd_kernel.DEPTH * crowd_kernel.FRAME),
            self.run,
        )


class Tree(Kernels):
    """A tree that grows from one position, the same for the same seed and nodes."""

    def __init__(self, state: Crowd, *, seed: int, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.tree = self.zeros(TREE_NODES * crowd_tree.NODE)
        self.tree[crowd_tree.UP], self.tree[crowd_tree.WORD] = state.face_up, word_of(state)
        hand = self.zeros(crowd_tree.HAND)
        hand[crowd_tree.USED] = crowd_tree.NODE
        hand[crowd_tree.LUCK] = pawns.next_random(pawns.next_random(seed & (1 << pawns.RANDOM_BITS) - 1))
        self.arguments = (
            *self.exact_arguments(), self.players, self.tree, self.zeros(crowd_tree.PATH), hand,
        )  # fmt: skip

    def grow(self, nodes: int) -> None:
        """Try moves for about so many nodes more."""
        self.of.grow(*self.arguments, nodes)

    @property
    def visits(self) -> int:
        """How many rounds were played out."""
        return int(self.tree[crowd_tree.VISITS])

    @property
    def points(self) -> tuple[float, ...]:
        """Points of each seat, on average."""
        return self._points(crowd_tree.ROOT)

    def moves(self) -> dict[int, tuple[tuple[float, ...], int]]:
        """By move, in reading order: points of each seat on average, and how often it was tried."""
        first, count = int(self.tree[crowd_tree.FIRST]), int(self.tree[crowd_tree.COUNT])
        children = range(first, first + count * crowd_tree.NODE, crowd_tree.NODE)
        return {
            int(self.tree[child + crowd_tree.MOVE]): (
                self._points(child),
                int(self.tree[child + crowd_tree.VISITS]),
            )
            for child in children
        }

    def _points(self, node: int) -> tuple[float, ...]:
        visits = int(self.tree[node + crowd_tree.VISITS]) or 1
        sums = node + crowd_tree.SUMS
        return tuple(int(self.tree[sums + seat]) / visits for seat in range(self.players))


class Endgame(Kernels):
    """Exact answers about one position and those after it, as far as so many nodes go."""

    def __init__(self, state: Crowd, *, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.arguments = (
            *self.exact_arguments(),
            self.zeros(2 * SLOTS),
            self.zeros(crowd_judge.DEPTH * crowd_judge.FRAME),
            self.zeros(pawns.SEATS),
        )
        self.answered: dict[tuple[int, ...], int] = {}
        self.asked: tuple[int, ...] = ()

    def points(self, state: Crowd, limit: int = NOT_STOPPED) -> tuple[int, ...] | None:
        """Everybody's points under the rule for ties; None if `limit` nodes, all counted, do not suffice."""
        found = self._ask(self.of.judge, (state.face_up, word_of(state)), limit)
        if found is None:
            return None
        return tuple(found >> 2 * seat & 3 for seat in range(self.players))

    def secured(self, state: Crowd, player: Player, limit: int = NOT_STOPPED) -> int | None:
        """What a player gets at the least, whatever all others do; None as for `points`."""
        secure = 0
        for goal in range(1, self.players):
            question = state.face_up, word_of(state), int(player), goal
            found = self._ask(self.of.secures, question, limit)
            if found is None:
                return None
            if not found:
                break
            secure = goal
        return secure

    def _ask(self, kernel: Any, question: tuple[int, ...], limit: int) -> int | None:
        """Ask for the first time, or go on where the same question was cut; None if it is cut again."""
        if question not in self.answered:
            if question != self.asked:
                self.run[crowd_judge.WAITING] = 0
                self.asked = question
            up, word, *about = question
            found = int(kernel(*self.arguments, up, word, self.players, limit, *about))
            if found == crowd_judge.CUT:
                return None
            self.answered[question] = found
        return self.answered[question]


class Ahead(Kernels):
    """Looking ahead from one position and those after it."""

    def __init__(self, state: Crowd, *, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.found = self.zeros(pawns.SEATS)
        self.memory = (
            self.zeros(crowd_ahead.DEPTH * crowd_ahead.FRAME), self.zeros(pawns.SEATS), self.found, self.run,
        )  # fmt: skip

    def guess(
        self,
        state: Crowd,
        plies: int,
        *,
        wary: Player | None = None,
        counting: bool = True,
        limit: int = NOT_STOPPED,
    ) -> tuple[int, ...] | None:
        """Points of each player, times `SCALE`; None if `limit` nodes, all counted, do not suffice."""
        cut = self.of.look(
            self.board, self.steps, state.face_up, word_of(state), self.players,
            plies, crowd_ahead.NOBODY if wary is None else int(wary), int(counting), *self.memory, limit,
        )  # fmt: skip
        return None if cut else tuple(int(self.found[seat]) for seat in range(self.players))


def guess(
    state: Crowd, plies: int, *, counting: bool = True, compiled: bool | None = None
) -> tuple[int, ...]:
    """Points of each player, times `SCALE`, as they look from so many plies ahead: max^n.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> [points / SCALE for points in guess(state, 0, compiled=False)]
    [1.5, 1.5, 0.0]
    """
    found = Ahead(state, compiled=compiled).guess(state, plies, counting=counting)
    assert found is not None  # nothing stopped it
    return found


def best_for(mover: Player, guesses: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The moves with most for the mover, and of those the ones with least for the others."""
    worth = {move: (found[mover], found[mover] - sum(found)) for move, found in guesses.items()}
    most = max(worth.values())
    return tuple(move for move in worth if worth[move] == most)


def deepening(
    state: Crowd, nodes: int, *, wary: bool = False, compiled: bool | None = None
) -> tuple[int, ...]:
    """The moves that look best from as many plies ahead as so many nodes allow: max^n, or paranoid if `wary`.

    The levels do not use it: the tree is stronger (`benchmarks/crowd_tournament.py`).
    """
    ahead = Ahead(state, compiled=compiled)
    mover = state.to_move
    after = {move: state.play(move) for move in state.moves}
    best = state.moves
    for plies in range(state.cards_left):
        guesses: dict[int, tuple[int, ...]] = {}
        for move, then in after.items():
            found = ahead.guess(then, plies, wary=mover if wary else None, limit=nodes)
            if found is None:
                return best
            guesses[move] = found
        best = best_for(mover, guesses)
    return best


SCALE = pawns.SCALE
"""What `guess` makes of one point."""
