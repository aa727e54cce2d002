"""Positions of the big board for tests, and the definition of secured points."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.core.players import Player
from collapsi.games.big.state import BigState

if TYPE_CHECKING:
    from collapsi.games.big.rules import BigRules


def endgames(rules: BigRules, cards: int, count: int) -> list[BigState]:
    """Positions whose cards hang together, so that there is much to play, with all pawns on them."""
    rng = random.Random(9)
    found: list[BigState] = []
    deck = [card for card, _ in rules.cards[1:]]
    while len(found) < count:
        cells = {0}
        while len(cells) < cards:
            cells.add(rng.choice([there for cell in sorted(cells) for there in rules.board.neighbours(cell)]))
        laid = tuple(rng.choice(deck) if cell in cells else None for cell in range(rules.board.size))
        pawns = tuple(rng.sample(sorted(cells), rules.players))
        state = BigState.at(laid, pawns, Player.RED, (), rules)
        if len(state.left) == rules.players:
            found.append(state)
    return found


def secured(state: BigState, player: Player, known: dict[BigState, int] | None = None) -> int:
    """Return the points that a player gets at least, whatever the others play."""
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
