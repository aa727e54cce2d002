"""Games of the Shifting Board between players of one level, with the compiled look-ahead.

`Character` solves each position, because one solution serves every depth. Thousands of games need less: a
player who sees four plies ahead needs only four plies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.games.shifting import search
from collapsi.games.shifting.heuristics import Heuristic
from collapsi.play.characters import SURE

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.games.shifting.search import SeenMove
    from collapsi.games.shifting.state import Shifting
    from collapsi.play.characters import Character


def lengths_played(player: Character, deals: Sequence[Shifting], rngs: Sequence[random.Random]) -> list[int]:
    """Let a player play both sides of every deal; return the numbers of plies. Red wins the odd ones.

    Random numbers are drawn as by `Character.choose`, so the games are the same.
    """
    lengths = []
    for dealt, rng in zip(deals, rngs, strict=True):
        state, plies = dealt, 0
        while state.moves:
            slips = player.slips > 0 and rng.random() < player.slips
            state = state.play(rng.choice(state.moves if slips else allowed(player, state)))
            plies += 1
        lengths.append(plies)
    return lengths


def allowed(player: Character, state: Shifting) -> tuple[int, ...]:
    """Return `Character.allowed` of a player."""
    if player.tempts:
        return player.allowed(state)
    sight = player.sight
    if sight is not None and player.heuristic is not None:
        sight = max(sight, SURE)
    seen = search.survey(state, sight)
    best = max(move.value for move in seen.values())
    if best < 0 and any(move.value == 0 for move in seen.values()):
        best = 0
    moves = [move for move in state.moves if seen[move].value == best]
    if best or player.heuristic is None:
        return tuple(moves)
    most = max(_worth(player, seen[move]) for move in moves)
    return tuple(move for move in moves if _worth(player, seen[move]) == most)


def _worth(player: Character, move: SeenMove) -> int:
    """Return what the heuristic of a player maximises."""
    return move.own if player.heuristic == Heuristic.WAYS else move.own - move.replies
