"""Reference minimax: the definition of perfect play that every other solver is tested against.

In a finished game the state has the points of each player. Otherwise the side to move chooses the move with
the most points for itself and, among equals, the fewest for the others; so a winner wins as soon as possible,
and a loser holds out as long as possible. There is no pruning, and no code is shared with the fast solvers:
this module uses only the protocol in `collapsi.core.state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.core.players import Player

if TYPE_CHECKING:
    from collapsi.core.state import State

Values = dict[Any, int]


def points(state: State, known: dict[Any, tuple[int, ...]] | None = None) -> tuple[int, ...]:
    """Return the points of each player under perfect play, for any number of players.

    >>> from collapsi.games.solo.notation import parse_solo
    >>> points(parse_solo("A2X/3Jr2/A2A"))
    (1,)
    """
    if known is None:
        known = {}
    if state not in known:
        mover = state.to_move
        known[state] = state.result or max(
            (points(state.play(move), known) for move in state.moves),
            key=lambda found: (found[mover], found[mover] - sum(found)),
        )
    return known[state]


def score(state: State, known: Values | None = None) -> int:
    """Return the score of a game for two under perfect play: red's points minus blue's.

    `known` collects the score of every visited position; pass a dict to inspect or to reuse them.

    >>> import collapsi
    >>> score(collapsi.parse_position("..../.2r../.Ab../.2.. r"))
    2
    """
    if known is None:
        known = {}
    if state not in known:
        if state.result is not None:
            red, blue = state.result
            known[state] = red - blue
        else:
            best = max if state.to_move is Player.RED else min
            known[state] = best(score(state.play(move), known) for move in state.moves)
    return known[state]


def count_games(state: State, known: dict[Any, int] | None = None) -> int:
    """Return the number of ways to play on to the end; two games differ if some move differs.

    >>> import collapsi
    >>> count_games(collapsi.parse_position("..../.2r../.Ab../.2.. r"))
    1
    """
    if known is None:
        known = {}
    if state not in known:
        known[state] = sum(count_games(state.play(to), known) for to in state.moves) or 1
    return known[state]
