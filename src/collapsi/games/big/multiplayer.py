"""The interface to the kernels for two to four pawns: look-ahead, tree search, exact endgames.

Each object has its own memory, at most about 30 MB, so results do not depend on earlier searches: only on the
position, the seed and the number of nodes, with every backend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.games.big import backends as big_backends
from collapsi.games.big import judge as big_judge
from collapsi.games.big import kernel as big_kernel
from collapsi.games.big import lookahead as big_lookahead
from collapsi.games.big import pawns
from collapsi.games.big import tree as big_tree
from collapsi.games.big.search import board_table, steps_of
from collapsi.games.big.state import OUT

if TYPE_CHECKING:
    from collapsi.core.players import Player
    from collapsi.games.big.state import BigState

PLACES = 1 << 16
"""Places of the table of the inner exact search: 2 MB, which stays in the processor's caches."""

TREE_NODES = 200_000
"""Most nodes of a tree; when it is full, leaves are only played out."""

SLOTS = 1 << 20
"""Slots of the table of exact endgames: 16 MB."""

UNLIMITED = 1 << 60
"""A limit of nodes that is never reached."""


def word_of(state: BigState) -> int:
    """Return the word of a state, as described in `pawns`."""
    word = int(state.to_move) << pawns.MOVER | len(state.out) << pawns.GONE
    for seat in range(pawns.SEATS):
        cell = state.pawns[seat] if seat < state.rules.players else OUT
        word |= (pawns.NO_PAWN if cell == OUT else cell) << pawns.CELL_BITS * seat
    for points, player in enumerate(state.out):
        word |= points << pawns.POINTS + 2 * player
    return word


class KernelCalls:
    """The kernels of a backend with the tables that every call needs."""

    def __init__(self, state: BigState, *, compiled: bool | None = None) -> None:
        self.state = state
        self.players = state.rules.players
        backend = big_backends.backend(compiled=compiled is not False)
        self.compiled, self.of, self.table, self.zeros = (
            backend.compiled,
            backend.of,
            backend.table,
            backend.zeros,
        )
        self.board = self.table(board_table(state.board))
        self.steps = self.table(steps_of(state))
        self.run = self.zeros(big_kernel.RUN)

    @property
    def nodes(self) -> int:
        """The number of positions searched so far."""
        return int(self.run[big_kernel.NODES])

    def exact_arguments(self) -> tuple[Any, ...]:
        """Return the first arguments of every kernel that calls the exact search for two."""
        return (
            self.board,
            self.steps,
            self.zeros(4 * PLACES),
            1,
            self.zeros(big_kernel.DEPTH * big_kernel.FRAME),
            self.zeros(big_kernel.DEPTH * big_kernel.MOVES),
            self.zeros(big_kernel.DEPTH * big_kernel.FRAME),
            self.run,
        )


class Tree(KernelCalls):
    """A search tree from one position, deterministic for a seed and a number of nodes."""

    def __init__(self, state: BigState, *, seed: int, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.tree = self.zeros(TREE_NODES * big_tree.NODE)
        self.tree[big_tree.UP], self.tree[big_tree.WORD] = state.face_up, word_of(state)
        hand = self.zeros(big_tree.HAND)
        hand[big_tree.USED] = big_tree.NODE
        hand[big_tree.LUCK] = pawns.next_random(pawns.next_random(seed & (1 << pawns.RANDOM_BITS) - 1))
        self.arguments = (
            *self.exact_arguments(), self.players, self.tree, self.zeros(big_tree.PATH), hand,
        )  # fmt: skip

    def grow(self, nodes: int) -> None:
        """Search about `nodes` more positions."""
        self.of.grow(*self.arguments, nodes)

    @property
    def visits(self) -> int:
        """The number of iterations."""
        return int(self.tree[big_tree.VISITS])

    @property
    def points(self) -> tuple[float, ...]:
        """The mean points of each seat."""
        return self._points(big_tree.ROOT)

    def moves(self) -> dict[int, tuple[tuple[float, ...], int]]:
        """Return the mean points of each seat and the visits, by move in reading order."""
        first, count = int(self.tree[big_tree.FIRST]), int(self.tree[big_tree.COUNT])
        children = range(first, first + count * big_tree.NODE, big_tree.NODE)
        return {
            int(self.tree[child + big_tree.MOVE]): (
                self._points(child),
                int(self.tree[child + big_tree.VISITS]),
            )
            for child in children
        }

    def _points(self, node: int) -> tuple[float, ...]:
        visits = int(self.tree[node + big_tree.VISITS]) or 1
        sums = node + big_tree.SUMS
        return tuple(int(self.tree[sums + seat]) / visits for seat in range(self.players))


class Endgame(KernelCalls):
    """Exact results of one position and those after it, within a limit of nodes."""

    def __init__(self, state: BigState, *, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.arguments = (
            *self.exact_arguments(),
            self.zeros(2 * SLOTS),
            self.zeros(big_judge.DEPTH * big_judge.FRAME),
            self.zeros(pawns.SEATS),
        )
        self.results: dict[tuple[int, ...], int] = {}
        self.current: tuple[int, ...] = ()

    def points(self, state: BigState, limit: int = UNLIMITED) -> tuple[int, ...] | None:
        """Return the points of each player under the rule for ties; None after `limit` nodes in total."""
        found = self._call(self.of.judge, (state.face_up, word_of(state)), limit)
        if found is None:
            return None
        return tuple(found >> 2 * seat & 3 for seat in range(self.players))

    def secured(self, state: BigState, player: Player, limit: int = UNLIMITED) -> int | None:
        """Return the points that a player gets at least against all others; None as for `points`."""
        secure = 0
        for goal in range(1, self.players):
            arguments = state.face_up, word_of(state), int(player), goal
            found = self._call(self.of.secures, arguments, limit)
            if found is None:
                return None
            if not found:
                break
            secure = goal
        return secure

    def _call(self, kernel: Any, arguments: tuple[int, ...], limit: int) -> int | None:
        """Call a kernel, or continue the same call; None if it reaches its limit."""
        if arguments not in self.results:
            if arguments != self.current:
                self.run[big_judge.WAITING] = 0
                self.current = arguments
            up, word, *about = arguments
            found = int(kernel(*self.arguments, up, word, self.players, limit, *about))
            if found == big_judge.CUT:
                return None
            self.results[arguments] = found
        return self.results[arguments]


class LookAhead(KernelCalls):
    """Depth-limited search from one position and those after it."""

    def __init__(self, state: BigState, *, compiled: bool | None = None) -> None:
        super().__init__(state, compiled=compiled)
        self.found = self.zeros(pawns.SEATS)
        self.memory = (
            self.zeros(big_lookahead.DEPTH * big_lookahead.FRAME),
            self.zeros(pawns.SEATS), self.found, self.run,
        )  # fmt: skip

    def guess(
        self,
        state: BigState,
        plies: int,
        *,
        wary: Player | None = None,
        counting: bool = True,
        limit: int = UNLIMITED,
    ) -> tuple[int, ...] | None:
        """Return the expected points of each player, times `SCALE`; None after `limit` nodes in total."""
        cut = self.of.look(
            self.board, self.steps, state.face_up, word_of(state), self.players,
            plies, big_lookahead.NO_SEAT if wary is None else int(wary), int(counting), *self.memory, limit,
        )  # fmt: skip
        return None if cut else tuple(int(self.found[seat]) for seat in range(self.players))


def guess(
    state: BigState, plies: int, *, counting: bool = True, compiled: bool | None = None
) -> tuple[int, ...]:
    """Return the expected points of each player, times `SCALE`, by max^n to a depth of `plies`.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> [points / SCALE for points in guess(state, 0, compiled=False)]
    [1.5, 1.5, 0.0]
    """
    found = LookAhead(state, compiled=compiled).guess(state, plies, counting=counting)
    assert found is not None  # nothing stopped it
    return found


def best_for(mover: Player, guesses: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the moves with the most points for the mover, and of those the fewest for the others."""
    worth = {move: (found[mover], found[mover] - sum(found)) for move, found in guesses.items()}
    most = max(worth.values())
    return tuple(move for move in worth if worth[move] == most)


SCALE = pawns.SCALE
"""The value of one point in the results of `guess`."""
