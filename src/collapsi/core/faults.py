"""Reasons why a position cannot arise in play: checks shared by all kinds with several pawns.

Such a position is still solved; its answer includes the reasons as warnings. Each kind adds its own checks
in its `faults` module.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from collapsi.core.cards import Card, jacks_of
from collapsi.core.players import PAIR, Player
from collapsi.core.reasons import Fault, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collapsi.core.walking import Walkers, Walking


def too_many_cards(position: Walking) -> Iterator[Reason]:
    """Check that no card is face up more often than the deck has it."""
    counts = Counter(position.cards)
    for card, most in position.rules.cards:
        if counts[card] > most:
            yield Reason(Fault.TOO_MANY, f"{counts[card]} {card.plural} are face up, and the deck has {most}")


def plies_played(position: Walking) -> int:
    """Return the number of plies played: each collapses one card."""
    return position.rules.board.size - position.rules.unused_jacks - position.cards_left


def wrong_turn(position: Walkers) -> Iterator[Reason]:
    """Check that the side to move matches the number of collapsed cards."""
    plies = plies_played(position)
    if Player(plies % 2) is not position.to_move:
        collapsed = f"{plies or 'no'} card{'s' * (plies > 1)} collapsed"
        text = f"{position.to_move} is to move, but with {collapsed} it is {position.to_move.other}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)


def wrong_jacks(position: Walking, players: Sequence[Player] = PAIR) -> Iterator[Reason]:
    """Check that a jack is face up, with its pawn on it, exactly until its player has moved.

    `players` have a pawn. Each other player is out, perhaps without a move: its jack may be face up, and a
    turn may have been skipped.
    """
    plies = plies_played(position)
    out = position.rules.players - len(players)
    for player in players:
        cell = position.pawns[player]
        on_jack = position.cards[cell] is Card.JACK
        square = position.board.square(cell)
        if plies <= player and not on_jack:
            text = f"{player} stands on {square} and not on a jack, but cannot have moved yet"
            yield Reason(Fault.PAWN_OFF_JACK, text)
        if plies > player and on_jack and not out:
            yield Reason(Fault.PAWN_ON_JACK, f"{player} stands on a jack on {square}, but must have left it")
    stray = [cell for cell in jacks_of(position.cards) if cell not in position.pawns]
    for cell in stray[out:]:
        square = position.board.square(cell)
        yield Reason(Fault.STRAY_JACK, f"the jack on {square} is face up without its pawn")
