"""Reasons why a position of the classic game cannot arise in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.errors import AtlasError
from collapsi.core.faults import too_many_cards, wrong_jacks, wrong_turn
from collapsi.core.reasons import Fault, Reason
from collapsi.games.classic.history import can_be_reached

if TYPE_CHECKING:
    from collapsi.games.classic.position import Position


def find_faults(position: Position) -> tuple[Reason, ...]:
    """Return the reasons why the position cannot arise in play; empty for a position of a real game.

    Searches for moves that lead to it only if cards, turn and jacks are in order: otherwise there are none.

    >>> import collapsi
    >>> for reason in find_faults(collapsi.parse_position("AAAA/4A2Jr/3A23/Jb3A4 b")):
    ...     print(reason)
    7 aces are face up, and the deck has 4
    blue is to move, but with no card collapsed it is red's turn
    """
    reasons = (*too_many_cards(position), *wrong_turn(position), *wrong_jacks(position))
    if not reasons and not can_be_reached(position):
        text = "no legal moves lead from a deal to these pawns and collapsed cards"
        reasons = (Reason(Fault.NO_WAY_HERE, text),)
    return reasons


def refuse_partial(deal: Position) -> None:
    """Raise if the position is not a whole deal: a census contains only those."""
    reasons = find_faults(deal)
    if reasons or deal.cards_left != deal.board.size:
        msg = f"{deal.text} is not a whole deal: {reasons[0] if reasons else 'some cards have collapsed'}"
        raise AtlasError(msg)
