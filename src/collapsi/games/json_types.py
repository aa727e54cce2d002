"""Typed dicts for the JSON of solved positions of the games for two."""

from __future__ import annotations

from typing import Annotated

from collapsi.core.json_types import *


class Move(Played, Outcome):
    """A legal move and its outcome under perfect play; the move counts as the first ply."""

    path: list[Square]


class Analysis(OfPosition, Outcome, Warned):
    """A solved position."""

    best: Annotated[list[MoveText], Doc("All best moves.")]
    line: Annotated[list[MoveText], Doc("Perfect play to the end.")]
    moves: Annotated[list[Move], Doc("Every legal move, best first.")]


class PossibleGames(OfPosition, Warned):
    """The number of possible games from a position."""

    games: int
