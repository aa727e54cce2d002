"""Whether only one line wins, by definition: the plain version of `ONE_LINE` of the layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi import Player
from collapsi.solving import reference as definition

if TYPE_CHECKING:
    from collapsi import Position

KINDS = {(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}


def line_kind(position: Position) -> int:
    """As the layers number it: 1 and 2 if only one line wins, the mover's or the opponent's; else 0 and 3."""
    known: definition.Values = {}
    return KINDS[mover_wins(position, known), has_one_line(position, known, {})]


def mover_wins(position: Position, known: definition.Values) -> bool:
    return (definition.score(position, known) > 0) == (position.to_move is Player.RED)


def has_one_line(position: Position, known: definition.Values, lines: dict[Position, bool]) -> bool:
    """Whether the loser can play so that the winner has exactly one winning move at every turn."""
    if position not in lines:
        after = [position.play(move) for move in position.moves]
        if mover_wins(position, known):
            winning = [child for child in after if not mover_wins(child, known)]
            lines[position] = len(winning) == 1 and has_one_line(winning[0], known, lines)
        else:
            lines[position] = not after or any(has_one_line(child, known, lines) for child in after)
    return lines[position]
