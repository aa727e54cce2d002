"""Exact analysis of endgames of the big board with three or four players left."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from collapsi.core.errors import CollapsiError
from collapsi.games.analysis import warnings_json
from collapsi.games.big.analysis import big_json, points_json, points_text
from collapsi.games.big.multiplayer import Endgame
from collapsi.games.big.search import FEW_CARDS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from collapsi.games.big import json_types
    from collapsi.games.big.analysis import Points
    from collapsi.games.big.state import BigState

MOST_JUDGED = 24
"""Most cards with which `analyse_endgame` takes some hundredths of a second."""

SLICE = 250_000
"""Nodes searched between two checks of the time: about 70 ms if compiled."""

Result = TypeVar("Result")

TIE_RULE = "of moves worth the same to the mover, the first in reading order is taken"
"""How the judge breaks ties, which affects the points of the other players."""


@dataclass(frozen=True, repr=False)
class EndgameAnalysis:
    """The analysis of an endgame with three or four players left.

    With more than two players, perfect play depends on how players choose among moves that are worth the same
    to them (`TIE_RULE`). The points that a player can secure against all others do not depend on it. Where
    both agree for every player, the result is exact.
    """

    position: BigState
    points: Points
    """The points of each player under perfect play with the rule for ties."""
    secured: Points
    """The points that each player gets at least, even if all others play against that player."""
    by_move: dict[int, tuple[Points, int]]
    """By move: the points of each player after it, and the points that the mover secures."""

    finished = True
    """No better answer follows."""
    status = "exact"

    @property
    def caption(self) -> str:
        """The answer in a few words, for a picture."""
        return f"{self.position.turn}, perfect play: {points_text(self.position, self.points)}"

    @property
    def exact(self) -> bool:
        """Whether the points of all players are independent of the rule for ties."""
        return self.points == self.secured

    @property
    def best(self) -> tuple[str, ...]:
        """The moves with the most points for the mover under the rule for ties."""
        mover = self.position.to_move
        most = max(points[mover] for points, _ in self.by_move.values())
        moves = (move for move, (points, _) in self.by_move.items() if points[mover] == most)
        return tuple(map(self.position.move_text, moves))

    @property
    def safest(self) -> list[int]:
        """The moves that secure the most points for the mover, in reading order."""
        most = max(safe for _, safe in self.by_move.values())
        return [move for move, (_, safe) in self.by_move.items() if safe == most]

    def to_json(self) -> json_types.BigEndgame:
        """Return the analysis as plain data."""
        return {
            **big_json(self.position),
            "tie_rule": TIE_RULE,
            "exact": self.exact,
            "points": points_json(self.position, self.points),
            "secured": points_json(self.position, self.secured),
            "best": list(self.best),
            "moves": [
                {
                    "move": self.position.move_text(move),
                    "to": self.position.move_text(move),
                    "path": list(map(self.position.board.square, self.position.path(move))),
                    "points": points_json(self.position, points),
                    "secures": secures,
                }
                for move, (points, secures) in self.by_move.items()
            ],
            **warnings_json(self.position.faults),
        }

    def __repr__(self) -> str:
        return f"EndgameAnalysis({self.position.text!r}: {points_text(self.position, self.points)})"

    @property
    def notes(self) -> list[str]:
        """The lines below the board."""
        kind = "exact: nobody's points depend on a rule for ties" if self.exact else f"tie rule: {TIE_RULE}"
        return [
            f"perfect play: {points_text(self.position, self.points)}",
            f"secured against all others: {points_text(self.position, self.secured)}",
            kind,
            *(f"warning: {reason}" for reason in self.position.faults),
        ]

    @property
    def rows(self) -> Iterator[str]:
        """A line for every move."""
        mover = self.position.to_move
        for move, (points, secures) in self.by_move.items():
            name = self.position.move_text(move)
            path = " ".join(map(self.position.board.square, self.position.path(move)))
            yield f"{name:<4}{points_text(self.position, points)}; {mover} secures {secures}  {path}"

    def __str__(self) -> str:
        return "\n".join([str(self.position), *self.notes, *self.rows])


def analyse_endgame(state: BigState) -> EndgameAnalysis:
    """Analyse an endgame with three or four players left.

    >>> from collapsi.games.big.notation import parse_big
    >>> found = analyse_endgame(parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"))
    >>> found.points, found.secured, found.exact
    ((2, 1, 0), (2, 1, 0), True)
    """
    if state.cards_left > MOST_JUDGED:
        msg = (
            f"{len(state.left)} players are left and {state.cards_left} cards: with more than two left "
            f"perfect play is known with up to {MOST_JUDGED} cards"
        )
        raise CollapsiError(msg)
    return next(found for found in judging(state) if found is not None)


def judging(
    state: BigState, *, slice_: int = SLICE, compiled: bool | None = None
) -> Iterator[EndgameAnalysis | None]:
    """Analyse an endgame with any number of cards; yield None after each slice of nodes, then the answer."""
    if compiled is None:
        compiled = state.cards_left > FEW_CARDS
    endgame = Endgame(state, compiled=compiled)
    by_move: dict[int, tuple[Points, int]] = {}
    mover = state.to_move
    for move in state.moves:
        then = state.play(move)
        points = yield from _in_slices(partial(endgame.points, then), endgame, slice_)
        safe = yield from _in_slices(partial(endgame.secured, then, mover), endgame, slice_)
        by_move[move] = points, safe
    secured_by = []
    for player in state.rules.seats:
        if player is mover:
            secured_by.append(max(safe for _, safe in by_move.values()))
        else:
            least = yield from _in_slices(partial(endgame.secured, state, player), endgame, slice_)
            secured_by.append(least)
    points = max((points for points, _ in by_move.values()), key=lambda points: points[mover])
    yield EndgameAnalysis(state, points, tuple(secured_by), by_move)


def _in_slices(
    search: Callable[[int], Result | None], endgame: Endgame, slice_: int
) -> Generator[None, None, Result]:
    """Call `search` with a limit that grows by `slice_` nodes until it returns a result; yield in between."""
    while (found := search(endgame.nodes + slice_)) is None:
        yield None
    return found
