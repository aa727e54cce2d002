"""The engine of the big board: better and better answers about any position, exact as soon as that can be.

An `Estimate` is what the engine thinks: points that each player may expect, with decimals. It is another type
than the exact answers (`CrowdAnalysis` with two players left, `EndgameAnalysis` with more), it always says
that it is an estimate, and nothing here makes one out of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from collapsi.analysis import warnings_json
from collapsi.games.crowd_analysis import CrowdAnalysis, crowd_json, nothing_known
from collapsi.games.crowd_endgame import EndgameAnalysis, analyse_endgame, judging
from collapsi.solve import crowd_search
from collapsi.solve.crowd_many import Tree
from collapsi.solve.crowd_search import Room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd

Expected = tuple[float, ...]
"""Round points by seat that may be expected."""

NODES = 4_000_000
"""Positions looked at where nothing else is said: about a second."""

SLICE = 250_000
"""Positions looked at between two answers: some 60 ms."""

SMALL_SLICE = 1_000
"""The same where nothing is compiled."""

MOST_TRIED = 30
"""With more than two players left, the cards up to which an exact answer is tried for."""

QUICKLY_JUDGED = 20
"""With more than two players left, the cards up to which the exact answer takes a few milliseconds."""

MEGABYTES = 512
"""The exact search's table at the most, where no room is given."""


@dataclass(frozen=True)
class MoveEstimate:
    """What the engine thinks of one move."""

    points: Expected
    """Round points that each player may expect after it."""
    visits: int
    """How often it was tried: what was tried more is more certain."""


@dataclass(frozen=True, repr=False)
class Estimate:
    """What the engine thinks of a position: no exact value, and never shown as one."""

    state: Crowd
    points: Expected
    """Round points that each player may expect."""
    by_move: dict[int, MoveEstimate]
    nodes: int
    """Positions looked at so far."""

    @property
    def moves(self) -> list[tuple[int, MoveEstimate]]:
        """Every move, the one that the engine would make first."""
        return sorted(self.by_move.items(), key=lambda found: (-found[1].visits, found[0]))

    @property
    def best(self) -> tuple[str, ...]:
        """The move that the engine would make, as a tuple like that of exact answers."""
        return (self.state.move_text(self.moves[0][0]),)

    @property
    def text(self) -> str:
        """What the mover may expect, in words."""
        return f"{self.state.to_move} may expect {about(self.points[self.state.to_move])}"

    @property
    def notes(self) -> list[str]:
        """What is said under the board."""
        seats = ", ".join(f"{player} {self.points[player]:.2f}" for player in self.state.rules.seats)
        return [
            f"expected points, an estimate after {self.nodes:,} positions: {seats}",
            *(f"warning: {reason}" for reason in self.state.faults),
        ]

    @property
    def rows(self) -> Iterator[str]:
        """A line for every move."""
        mover = self.state.to_move
        for move, found in self.moves:
            path = " ".join(map(self.state.board.square, self.state.path(move)))
            said = about(found.points[mover]) if found.visits else "not looked at yet"
            yield f"{self.state.move_text(move):<4}{said}  {path}"

    def to_json(self) -> json_shapes.CrowdEstimate:
        """The estimate as plain data."""
        return {
            **crowd_json(self.state),
            "estimate": True,
            "nodes": self.nodes,
            "expected": expected_json(self.state, self.points),
            "best": list(self.best),
            "moves": [
                {
                    "move": self.state.move_text(move),
                    "to": self.state.move_text(move),
                    "path": list(map(self.state.board.square, self.state.path(move))),
                    "expected": expected_json(self.state, found.points),
                    "visits": found.visits,
                }
                for move, found in self.moves
            ],
            **warnings_json(self.state.faults),
        }

    def __str__(self) -> str:
        return "\n".join([str(self.state), *self.notes, *self.rows])

    def __repr__(self) -> str:
        return f"Estimate({self.state.text!r}: {self.text})"


Thought: TypeAlias = Estimate | CrowdAnalysis | EndgameAnalysis
"""What the engine answers with: an estimate, or one of the exact answers."""


def about(points: float) -> str:
    """An estimate of points in words.

    >>> about(1.437)
    'about 1.4 points (an estimate)'
    """
    return f"about {points:.1f} points (an estimate)"


def expected_json(state: Crowd, points: Expected) -> json_shapes.CrowdExpected:
    """Expected points of each player as plain data."""
    return cast(
        "json_shapes.CrowdExpected", {str(player): round(points[player], 4) for player in state.rules.seats}
    )


def think(
    state: Crowd, *, seed: int = 1, nodes: int = NODES, room: Room | None = None, compiled: bool | None = None
) -> Iterator[Thought]:
    """Better and better answers about a position, deterministic for a seed and a number of nodes.

    It ends when so many positions have been looked at, or with an exact answer as soon as there is one. Who
    wants to stop it stops asking. In a `room` what was learned before is used, and how much is known after so
    many nodes then depends on that; without one nothing is remembered.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> [type(thought).__name__ for thought in think(state)]
    ['EndgameAnalysis']
    """
    if state.over:
        yield CrowdAnalysis(state, None)
    elif len(state.left) > 2 and state.cards_left <= QUICKLY_JUDGED:
        yield analyse_endgame(state)
    elif len(state.left) > 2:
        yield from _think_of_many(state, seed, nodes, compiled)
    else:
        yield from _think_of_two(state, seed, nodes, room, compiled)


def _think_of_two(
    state: Crowd, seed: int, nodes: int, room: Room | None, compiled: bool | None
) -> Iterator[Thought]:
    """An estimate, then what the exact search learns; not every little thing is told."""
    tree = Tree(state, seed=seed, compiled=compiled)
    slice_ = SLICE if tree.compiled else SMALL_SLICE
    tree.grow(min(slice_, nodes))
    yield estimate_of(tree)
    if room is None:
        room = Room(megabytes=MEGABYTES)
    progress, told = nothing_known(state), 0
    for progress in crowd_search.learn(state, room=room, compiled=compiled):
        if tree.nodes + progress.nodes >= nodes:
            break
        if progress.nodes - told >= slice_ // 2 and not progress.exact:
            told = progress.nodes
            yield CrowdAnalysis(state, progress)
    yield CrowdAnalysis(state, progress)


def _think_of_many(state: Crowd, seed: int, nodes: int, compiled: bool | None) -> Iterator[Thought]:
    """Estimates; if the cards are not too many an exact answer is worked out beside, with half the nodes."""
    tree = Tree(state, seed=seed, compiled=compiled)
    tried = state.cards_left <= MOST_TRIED
    slice_ = SLICE if tree.compiled else SMALL_SLICE
    if tried:
        slice_ = min(slice_, max(nodes // 2, 1))
    judge = judging(state, slice_=slice_, compiled=compiled)
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
    """What a tree has come to think."""
    moves = {move: MoveEstimate(points, visits) for move, (points, visits) in tree.moves().items()}
    return Estimate(tree.state, tree.points, moves, tree.nodes)


def estimate(state: Crowd, *, seed: int = 1, nodes: int = NODES, compiled: bool | None = None) -> Estimate:
    """What the engine thinks of a position after so many nodes, whether the exact answer is known or not.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> estimate(state, nodes=100, compiled=False).text
    'red may expect about 2.0 points (an estimate)'
    """
    tree = Tree(state, seed=seed, compiled=compiled)
    tree.grow(nodes)
    return estimate_of(tree)
