"""Positions of the big board for tests, perfect play, and the definition of secured points."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from collapsi.core.players import Player
from collapsi.games.big import search as big_search
from collapsi.games.big.review import BigReview, review_steps
from collapsi.games.big.state import BigState

if TYPE_CHECKING:
    from collapsi.core.game import Game
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


def perfect_line(state: BigState) -> tuple[int, ...]:
    """Perfect play, with two players left: the first best move in reading order, solved at every ply."""
    moves: list[int] = []
    while state.moves:
        answer = big_search.solve(state)
        moves.append(next(move for move in state.moves if answer.moves[move].exact == answer.bounds.exact))
        state = state.play(moves[-1])
    return tuple(moves)


def review_big(game: Game[BigState]) -> BigReview:
    """The complete review of a game, with a transposition table of its own."""
    *_, last = review_steps(game)
    return last


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
