"""The engine of the big board: a sequence of improving answers about a position, exact where possible.

An `Estimate` has the expected points of each player, with decimals. It is another type than the exact answers
(`BigAnalysis` with two players left, `EndgameAnalysis` with more), its printed form says so, and
neither is ever converted to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from collapsi.games.analysis import warnings_json
from collapsi.games.big import backends
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis, big_json
from collapsi.games.big.endgame import EndgameAnalysis, analyse_endgame, judging
from collapsi.games.big.multiplayer import Tree
from collapsi.games.big.search import TranspositionTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.big import json_types
    from collapsi.games.big.state import BigState

Expected = tuple[float, ...]
"""Expected round points by seat."""

NODES = 4_000_000
"""Default number of positions to search: about a second."""

SLICE = 250_000
"""Positions searched between two answers: about 60 ms."""

SMALL_SLICE = 1_000
"""The same for interpreted kernels."""

MOST_TRIED = 30
"""Most cards with which an exact answer is tried if more than two players are left."""

QUICKLY_JUDGED = 20
"""Most cards with which the exact answer takes a few milliseconds if more than two players are left."""

MEGABYTES = 16
"""Largest default table of the exact search."""


@dataclass(frozen=True)
class MoveEstimate:
    """The engine's estimate of one move."""

    points: Expected
    """Expected round points of each player after it."""
    visits: int
    """Number of visits in the tree: more visits are more certain."""


@dataclass(frozen=True, repr=False)
class Estimate:
    """The engine's estimate of a position, which is never shown as an exact value."""

    position: BigState
    points: Expected
    """Expected round points of each player."""
    by_move: dict[int, MoveEstimate]
    nodes: int
    """Positions searched so far."""

    finished = False
    """A better answer may follow."""

    @property
    def caption(self) -> str:
        """The answer in a few words, for a picture."""
        return f"{self.position.turn}, {self.status}"

    @property
    def status(self) -> str:
        """How far the engine is, in one line."""
        return f"{self.text} (an estimate)"

    @property
    def moves(self) -> list[tuple[int, MoveEstimate]]:
        """Every move, the engine's choice first."""
        return sorted(self.by_move.items(), key=lambda found: (-found[1].visits, found[0]))

    @property
    def best(self) -> tuple[str, ...]:
        """The engine's choice, as a tuple like that of exact answers."""
        return (self.position.move_text(self.moves[0][0]),)

    @property
    def text(self) -> str:
        """The expected points of the mover in words."""
        return f"{self.position.to_move} may expect {expected_text(self.points[self.position.to_move])}"

    @property
    def seats_text(self) -> str:
        """The expected points of every player in words."""
        seats = ", ".join(f"{player} {self.points[player]:.2f}" for player in self.position.rules.seats)
        return f"expected points after {self.nodes:,} positions: {seats}"

    @property
    def notes(self) -> list[str]:
        """The lines below the board."""
        return [
            f"an estimate: {self.seats_text}",
            *(f"warning: {reason}" for reason in self.position.faults),
        ]

    @property
    def rows(self) -> Iterator[str]:
        """A line for every move."""
        mover = self.position.to_move
        for move, found in self.moves:
            path = " ".join(map(self.position.board.square, self.position.path(move)))
            words = expected_text(found.points[mover]) if found.visits else "not looked at yet"
            yield f"{self.position.move_text(move):<4}{words}  {path}"

    def to_json(self) -> json_types.BigEstimate:
        """Return the estimate as plain data."""
        return {
            **big_json(self.position),
            "estimate": True,
            "nodes": self.nodes,
            "expected": expected_json(self.position, self.points),
            "best": list(self.best),
            "moves": [
                {
                    "move": self.position.move_text(move),
                    "to": self.position.move_text(move),
                    "path": list(map(self.position.board.square, self.position.path(move))),
                    "expected": expected_json(self.position, found.points),
                    "visits": found.visits,
                }
                for move, found in self.moves
            ],
            **warnings_json(self.position.faults),
        }

    def __str__(self) -> str:
        return "\n".join([str(self.position), *self.notes, *self.rows])

    def __repr__(self) -> str:
        return f"Estimate({self.position.text!r}: {self.text})"


BigAnswer: TypeAlias = Estimate | BigAnalysis | EndgameAnalysis
"""An answer of the engine: an estimate, or one of the exact answers."""


def expected_text(points: float) -> str:
    """Return expected points in words; the caller says once that they are an estimate.

    >>> expected_text(1.437)
    'about 1.4 points'
    """
    return f"about {points:.1f} points"


def expected_json(state: BigState, points: Expected) -> json_types.BigExpected:
    """Return the expected points of each player as plain data."""
    return cast(
        "json_types.BigExpected", {str(player): round(points[player], 4) for player in state.rules.seats}
    )


def answers(
    state: BigState,
    *,
    seed: int = 1,
    nodes: int = NODES,
    table: TranspositionTable | None = None,
    estimate_first: bool = True,
    winner_only: bool = False,
) -> Iterator[BigAnswer]:
    """Yield improving answers about a position, deterministic for a seed and a number of nodes.

    Ends after `nodes` positions, or with an exact answer. The caller may stop iterating at any time. With a
    `table`, earlier results are reused, and what is known after `nodes` depends on them.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> [type(answer).__name__ for answer in answers(state)]
    ['EndgameAnalysis']
    """
    if state.over:
        yield BigAnalysis(state, None)
    elif len(state.left) > 2 and state.cards_left <= QUICKLY_JUDGED:
        yield analyse_endgame(state)
    elif len(state.left) > 2:
        yield from _with_more_left(state, seed, nodes)
    else:
        yield from _with_two_left(
            state, seed, nodes, table, estimate_first=estimate_first, winner_only=winner_only
        )


def _with_two_left(
    state: BigState,
    seed: int,
    nodes: int,
    table: TranspositionTable | None,
    *,
    estimate_first: bool,
    winner_only: bool,
) -> Iterator[BigAnswer]:
    """Yield an estimate, then what the exact search has learned after each half slice."""
    slice_ = SLICE if backends.fastest().compiled else SMALL_SLICE
    spent = 0
    if estimate_first:
        tree = Tree(state, seed=seed)
        tree.grow(min(slice_, nodes))
        spent = tree.nodes
        yield estimate_of(tree)
    if table is None:
        table = TranspositionTable(megabytes=MEGABYTES)
    progress, shown = big_search.nothing_known(state), 0
    for progress in big_search.learn(state, table=table, winner_only=winner_only):
        if spent + progress.nodes >= nodes:
            break
        if progress.nodes - shown >= slice_ // 2 and not progress.exact:
            shown = progress.nodes
            yield BigAnalysis(state, progress)
    yield BigAnalysis(state, progress)


def _with_more_left(state: BigState, seed: int, nodes: int) -> Iterator[BigAnswer]:
    """Yield estimates; with few cards, half of the nodes go into an exact answer."""
    tree = Tree(state, seed=seed)
    tried = state.cards_left <= MOST_TRIED
    slice_ = SLICE if tree.compiled else SMALL_SLICE
    if tried:
        slice_ = min(slice_, max(nodes // 2, 1))
    judge = judging(state, slice_=slice_)
    spent = 0
    while spent < nodes:
        part = min(slice_, nodes - spent)
        tree.grow(part)
        spent += part
        if tried:
            found = next(judge)
            spent += slice_
            if found is not None:
                yield found
                return
        yield estimate_of(tree)


def estimate_of(tree: Tree) -> Estimate:
    """Return the estimate of a tree."""
    moves = {move: MoveEstimate(points, visits) for move, (points, visits) in tree.moves().items()}
    return Estimate(tree.state, tree.points, moves, tree.nodes)


def estimate(state: BigState, *, seed: int = 1, nodes: int = NODES, compiled: bool | None = None) -> Estimate:
    """Return the engine's estimate of a position after `nodes` nodes, even if the exact answer is known.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> estimate(state, nodes=100, compiled=False).text
    'red may expect about 2.0 points'
    """
    tree = Tree(state, seed=seed, compiled=compiled)
    tree.grow(nodes)
    return estimate_of(tree)
