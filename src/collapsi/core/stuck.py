"""Why a pawn cannot move: for each first step, the walk that gets furthest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.cards import ANYWHERE

if TYPE_CHECKING:
    from collapsi.core.board import Grid
    from collapsi.core.players import Player


@dataclass(frozen=True)
class Stuck:
    """A player without a legal walk.

    >>> from collapsi import parse_position
    >>> parse_position("..../.2r../.Ab../.2.. r b4").stuck
    Stuck(player=<Player.BLUE: 1>, cell=9, steps=(1,), walks=((9, 13),))
    """

    player: Player
    cell: int
    steps: tuple[int, ...]
    """The numbers of steps that the player may choose from."""
    walks: tuple[tuple[int, ...], ...]
    """For each possible first step the longest walk, start included; the fewest turns decide between equals.

    A walk ends where no step follows, or after all its steps on a card where no move may end.
    """


def find_stuck(
    board: Grid, player: Player, cell: int, steps: tuple[int, ...], *, passable: int, barred: int
) -> Stuck | None:
    """Return where the walks of a pawn end; None if one of them is a legal move.

    `passable` are the cards that a walk may go over, `barred` those of them on which it may not end.
    """
    if ANYWHERE in steps:
        return None
    found: dict[int, tuple[int, ...]] = {}
    ahead: list[tuple[int, ...]] = [(cell,)]
    for number in range(max(steps)):
        ahead = [
            (*walk, there)
            for walk in ahead
            for there in board.neighbours(walk[-1])
            if passable >> there & 1 and there not in walk
        ]
        if number + 1 in steps and any(not barred >> walk[-1] & 1 for walk in ahead):
            return None
        for walk in sorted(ahead, key=board.turns, reverse=True):
            found[walk[1]] = walk  # longer ones come later
    return Stuck(player, cell, steps, tuple(found.values()))
