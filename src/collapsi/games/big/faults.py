"""Reasons why a state of the big board cannot arise in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.core.faults import too_many_cards
from collapsi.core.reasons import Fault, Reason
from collapsi.core.state import count_plies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.big.state import BigState


def find_faults(state: BigState) -> tuple[Reason, ...]:
    """Return reasons why the state cannot arise in play.

    Checks cards, jacks and, while all players are in, the side to move. Whether moves lead to it is not
    searched.

    >>> from collapsi.games.big.notation import parse_big
    >>> for reason in find_faults(parse_big("JrJJbJ22/AAAAAA/AA2222/222333/333334/444444 b big")):
    ...     print(reason)
    9 twos are face up, and the deck has 8
    the jack on b1 is face up without its pawn
    the jack on d1 is face up without its pawn
    """
    return (*too_many_cards(state), *_wrong_turn(state), *_wrong_jacks(state))


def _wrong_turn(state: BigState) -> Iterator[Reason]:
    plies = state.board.size - state.rules.unused_jacks - state.cards_left
    if (
        plies >= 0
        and not state.out
        and (due := state.rules.seats[plies % state.rules.players]) is not state.to_move
    ):
        text = f"{state.to_move} is to move, but after {count_plies(plies)} it is {due}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)


def _wrong_jacks(state: BigState) -> Iterator[Reason]:
    """Yield faults of jacks: each is face up until its owner moves, and for good if the owner never does."""
    plies = state.board.size - state.rules.unused_jacks - state.cards_left
    for player in state.left:
        cell = state.pawns[player]
        on_jack, square = state.cards[cell] is Card.JACK, state.board.square(cell)
        if plies <= player and not on_jack:
            text = f"{player} stands on {square} and not on a jack, but cannot have moved yet"
            yield Reason(Fault.PAWN_OFF_JACK, text)
        if not state.out and plies > player and on_jack:
            yield Reason(Fault.PAWN_ON_JACK, f"{player} stands on a jack on {square}, but must have left it")
    stray = [cell for cell, card in enumerate(state.cards) if card is Card.JACK and cell not in state.pawns]
    for cell in stray[len(state.out) :]:
        yield Reason(Fault.STRAY_JACK, f"the jack on {state.board.square(cell)} is face up without its pawn")
