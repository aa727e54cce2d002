"""Whether only one line wins, straight from what that means: the twin of `ONE_LINE` of the layers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from collapsi.solve import definition

if TYPE_CHECKING:
    from collapsi import Position


def line_kind(position: Position) -> int:
    """As the layers number it: 1 and 2 if only one line wins, the mover's or the opponent's; else 0 and 3."""
    wins = definition.score(position) > 0
    return {(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}[
        wins, has_one_line(position)
    ]


@cache
def has_one_line(position: Position) -> bool:
    """Whether the loser can play so that the winner has exactly one winning move at every turn."""
    after = [position.play(move) for move in position.moves]
    if definition.score(position) > 0:
        winning = [child for child in after if definition.score(child) < 0]
        return len(winning) == 1 and has_one_line(winning[0])
    return not after or any(has_one_line(child) for child in after)
