"""Reasons why a state of the big board cannot arise in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.faults import plies_played, too_many_cards, wrong_jacks
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
    return (*too_many_cards(state), *_wrong_turn(state), *wrong_jacks(state, state.left))


def _wrong_turn(state: BigState) -> Iterator[Reason]:
    plies = plies_played(state)
    if (
        plies >= 0
        and not state.out
        and (due := state.rules.seats[plies % state.rules.players]) is not state.to_move
    ):
        text = f"{state.to_move} is to move, but after {count_plies(plies)} it is {due}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)
