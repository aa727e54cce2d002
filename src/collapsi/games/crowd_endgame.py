"""Endgames of the big board with three or four left: the judge's answer, and what is beyond argument."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from collapsi.analysis import warnings_json
from collapsi.errors import CollapsiError
from collapsi.games.crowd_analysis import crowd_json, points_json, points_text
from collapsi.solve.crowd_many import Endgame
from collapsi.solve.crowd_search import FEW_CARDS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from collapsi import json_shapes
    from collapsi.games.crowd import Crowd
    from collapsi.games.crowd_analysis import Points
    from collapsi.rules import Player

MOST_JUDGED = 24
"""With more than two players left, the cards up to which an exact answer takes hundredths of a second."""

SLICE = 250_000
"""Nodes that are entered between two looks at the clock: some 70 ms, compiled."""

Known = TypeVar("Known")

TIE_RULE = "of moves worth the same to the mover, the first in reading order is taken"
"""What the judge does where more than two are left: others may get more or less by it."""


@dataclass(frozen=True, repr=False)
class EndgameAnalysis:
    """An endgame with three or four players left: what the judge makes of it, and what is beyond argument.

    With more than two players "perfect play" hangs on what somebody does to whom it is all the same
    (`TIE_RULE`). What a player can secure, whatever all the others do, does not: where that is what the
    judge says, for everybody, the result is exact.
    """

    state: Crowd
    points: Points
    """Under the judge's rule for ties."""
    secured: Points
    """What each player gets at the least, even if all others play together against them."""
    by_move: dict[int, tuple[Points, int]]
    """After each move the points of all, and what the mover has secured."""

    @property
    def exact(self) -> bool:
        """Whether nobody's points depend on the rule for ties."""
        return self.points == self.secured

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that give the mover most under the rule for ties."""
        mover = self.state.to_move
        most = max(points[mover] for points, _ in self.by_move.values())
        moves = (move for move, (points, _) in self.by_move.items() if points[mover] == most)
        return tuple(map(self.state.move_text, moves))

    @property
    def safest(self) -> list[int]:
        """The moves with which the mover secures most, whatever the others do, in reading order."""
        most = max(safe for _, safe in self.by_move.values())
        return [move for move, (_, safe) in self.by_move.items() if safe == most]

    def to_json(self) -> json_shapes.CrowdEndgame:
        """The analysis as plain data."""
        return {
            **crowd_json(self.state),
            "tie_rule": TIE_RULE,
            "exact": self.exact,
            "points": points_json(self.state, self.points),
            "secured": points_json(self.state, self.secured),
            "best": list(self.best),
            "moves": [
                {
                    "move": self.state.move_text(move),
                    "to": self.state.move_text(move),
                    "path": list(map(self.state.board.square, self.state.path(move))),
                    "points": points_json(self.state, points),
                    "secures": secures,
                }
                for move, (points, secures) in self.by_move.items()
            ],
            **warnings_json(self.state.faults),
        }

    def __repr__(self) -> str:
        return f"EndgameAnalysis({self.state.text!r}: {points_text(self.state, self.points)})"

    @property
    def notes(self) -> list[str]:
        """What is said under the board."""
        kind = "exact: nobody's points depend on a rule for ties" if self.exact else f"tie rule: {TIE_RULE}"
        return [
            f"perfect play: {points_text(self.state, self.points)}",
            f"secured against all others: {points_text(self.state, self.secured)}",
            kind,
            *(f"warning: {reason}" for reason in self.state.faults),
        ]

    @property
    def rows(self) -> Iterator[str]:
        """A line for every move."""
        mover = self.state.to_move
        for move, (points, secures) in self.by_move.items():
            name = self.state.move_text(move)
            path = " ".join(map(self.state.board.square, self.state.path(move)))
            yield f"{name:<4}{points_text(self.state, points)}; {mover} secures {secures}  {path}"

    def __str__(self) -> str:
        return "\n".join([str(self.state), *self.notes, *self.rows])


def analyse_endgame(state: Crowd) -> EndgameAnalysis:
    """An endgame with three or four players left, by the definition of perfect play.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> found = analyse_endgame(parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"))
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
    state: Crowd, *, slice_: int = SLICE, compiled: bool | None = None
) -> Iterator[EndgameAnalysis | None]:
    """The same with any number of cards, however long it takes: None after each slice, then the answer."""
    if compiled is None:
        compiled = state.cards_left > FEW_CARDS
    endgame = Endgame(state, compiled=compiled)
    by_move: dict[int, tuple[Points, int]] = {}
    mover = state.to_move
    for move in state.moves:
        then = state.play(move)
        points = yield from _patiently(partial(endgame.points, then), endgame, slice_)
        safe = yield from _patiently(partial(endgame.secured, then, mover), endgame, slice_)
        by_move[move] = points, safe
    secured_by = []
    for player in state.rules.seats:
        if player is mover:
            secured_by.append(max(safe for _, safe in by_move.values()))
        else:
            least = yield from _patiently(partial(endgame.secured, state, player), endgame, slice_)
            secured_by.append(least)
    points = max((points for points, _ in by_move.values()), key=lambda points: points[mover])
    yield EndgameAnalysis(state, points, tuple(secured_by), by_move)


def _patiently(
    ask: Callable[[int], Known | None], endgame: Endgame, slice_: int
) -> Generator[None, None, Known]:
    """Ask for so many nodes more each time until there is an answer; None is yielded in between."""
    while (found := ask(endgame.nodes + slice_)) is None:
        yield None
    return found


def secured(state: Crowd, player: Player, known: dict[Crowd, int] | None = None) -> int:
    """The points that a player gets at the least, whatever all the others do."""
    if known is None:
        known = {}
    if state not in known:
        if player in state.out:
            known[state] = state.out.index(player)
        elif state.over:
            known[state] = len(state.out)
        else:
            best = max if state.to_move is player else min
            known[state] = best(secured(state.play(move), player, known) for move in state.moves)
    return known[state]
