"""Positions of the big board for tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.games.crowd import Crowd
from collapsi.rules import Player

if TYPE_CHECKING:
    from collapsi.rules import CrowdRules


def endgames(rules: CrowdRules, cards: int, count: int) -> list[Crowd]:
    """Positions whose cards hang together, so that there is much to play, with all pawns on them."""
    rng = random.Random(9)
    found: list[Crowd] = []
    deck = [card for card, _ in rules.cards[1:]]
    while len(found) < count:
        cells = {0}
        while len(cells) < cards:
            cells.add(rng.choice([there for cell in sorted(cells) for there in rules.board.neighbours(cell)]))
        laid = tuple(rng.choice(deck) if cell in cells else None for cell in range(rules.board.size))
        pawns = tuple(rng.sample(sorted(cells), rules.players))
        state = Crowd.at(laid, pawns, Player.RED, (), rules)
        if len(state.left) == rules.players:
            found.append(state)
    return found
