"""The plain definition of perfect play: what every other solver is held to.

The side to move loses if it cannot move. Otherwise it takes the move that is best for it: the winner wins as
soon as possible, the loser holds out as long as possible. Nothing here is clever, and nothing is shared with
the fast solvers: positions, moves and play come from `collapsi.position`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.rules import Player

if TYPE_CHECKING:
    from collapsi.position import Position

Values = dict["Position", int]


def score(position: Position, known: Values | None = None) -> int:
    """The score under perfect play: the number of face-up cards at the end, negative if blue wins.

    `known` collects the score of every position looked at; pass a dict to see them, or to go on with them.

    >>> import collapsi
    >>> score(collapsi.parse_position("..../.2r../.Ab../.2.. r"))
    2
    """
    if known is None:
        known = {}
    if position not in known:
        if not position.moves:
            loses = -position.cards_left
            known[position] = loses if position.to_move is Player.RED else -loses
        else:
            best = max if position.to_move is Player.RED else min
            known[position] = best(score(position.play(to), known) for to in position.moves)
    return known[position]


def count_games(position: Position, known: Values | None = None) -> int:
    """The number of ways to play on to the end; two games differ if some move ends on another card.

    >>> import collapsi
    >>> count_games(collapsi.parse_position("..../.2r../.Ab../.2.. r"))
    1
    """
    if known is None:
        known = {}
    if position not in known:
        known[position] = sum(count_games(position.play(to), known) for to in position.moves) or 1
    return known[position]
