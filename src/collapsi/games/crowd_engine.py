"""The engine of the big board: better and better answers about any position, exact as soon as that can be.

An `Estimate` is what the engine thinks: points that each player may expect, with decimals. It is another type
than the exact answers (`CrowdAnalysis` with two players left, `EndgameAnalysis` with more), it always says
that it is an estimate, and nothing here makes one out of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from collapsi.analysis import warnings_json
from collapsi.games.crowd_analysis import CrowdAnalysis, analyse_crowd, crowd_json
from collapsi.games.crowd_endgame import MOST_JUDGED, EndgameAnalysis, analyse_endgame
from collapsi.games.crowd_players import guess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd

Expected = tuple[float, ...]
"""Round points by seat that may be expected."""

NODES = 1_000_000
"""Positions looked at for one estimate where nothing else is said: about a second."""


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


def think(state: Crowd, *, seed: int = 1, nodes: int = NODES) -> Iterator[Thought]:
    """Better and better answers about a position, deterministic for a seed and a number of nodes.

    It ends when so many positions have been looked at, or with an exact answer as soon as there is one. Who
    wants to stop it stops asking.
    """
    if len(state.left) <= 2:
        yield analyse_crowd(state)
        return
    if state.cards_left <= MOST_JUDGED:
        yield analyse_endgame(state)
        return
    found = {move: MoveEstimate(guess(state.play(move), 1), 1) for move in state.moves}
    best = max(found.values(), key=lambda one: one.points[state.to_move])
    yield Estimate(state, best.points, found, min(nodes, len(found)))
