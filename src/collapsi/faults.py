"""Every reason why a position cannot arise in play.

Such a position still has a meaning and is solved; the reasons travel with the answer as warnings.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.history import can_be_reached
from collapsi.rules import Card, Player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.position import Position


class Fault(StrEnum):
    """The kinds of reason."""

    TOO_MANY = "too many of a card"
    WRONG_SIDE = "wrong side to move"
    PAWN_OFF_JACK = "pawn off its jack"
    PAWN_ON_JACK = "pawn still on a jack"
    STRAY_JACK = "stray jack"
    NO_WAY_HERE = "no way here"


@dataclass(frozen=True)
class Reason:
    """One reason: its kind, and a line that says it with squares and numbers."""

    fault: Fault
    text: str

    def __str__(self) -> str:
        return self.text


def status(position: Position) -> tuple[Reason, ...]:
    """Every reason why the position cannot arise in play; none for a position of a real game.

    Whether any moves lead to it is asked only where cards, turn and jacks are in order: otherwise none do.

    >>> import collapsi
    >>> for reason in status(collapsi.parse_position("AAAA/4A2Jr/3A23/Jb3A4 b")):
    ...     print(reason)
    7 aces are face up, and the deck has 4
    blue is to move, but with no card collapsed it is red's turn
    """
    reasons = (*_cards(position), *_turn(position), *_jacks(position))
    if not reasons and not can_be_reached(position):
        reasons = (
            Reason(Fault.NO_WAY_HERE, "no legal moves lead from a deal to these pawns and collapsed cards"),
        )
    return reasons


def is_deal(position: Position) -> bool:
    """Whether the position is a deal as it comes from the pack: then all that is played from it can arise.

    Told at once, while to say whether a position in the middle of a game can arise may take a search.
    """
    return position.cards_left == position.board.size and not status(position)


def _cards(position: Position) -> Iterator[Reason]:
    counts = Counter(position.cards)
    for card, most in position.rules.cards:
        if counts[card] > most:
            yield Reason(Fault.TOO_MANY, f"{counts[card]} {card.plural} are face up, and the deck has {most}")


def _turn(position: Position) -> Iterator[Reason]:
    plies = position.board.size - position.cards_left
    if Player(plies % 2) is not position.to_move:
        collapsed = f"{plies or 'no'} card{'s' * (plies > 1)} collapsed"
        text = f"{position.to_move} is to move, but with {collapsed} it is {position.to_move.other}'s turn"
        yield Reason(Fault.WRONG_SIDE, text)


def _jacks(position: Position) -> Iterator[Reason]:
    """A jack is face up exactly as long as its owner has not moved, and its owner stands on it."""
    plies = position.board.size - position.cards_left
    for player, cell in zip(Player, position.pawns, strict=True):
        on_jack = position.cards[cell] is Card.JACK
        square = position.board.square(cell)
        if plies <= player and not on_jack:
            text = f"{player} stands on {square} and not on a jack, but cannot have moved yet"
            yield Reason(Fault.PAWN_OFF_JACK, text)
        if plies > player and on_jack:
            yield Reason(Fault.PAWN_ON_JACK, f"{player} stands on a jack on {square}, but must have left it")
    for cell, card in enumerate(position.cards):
        if card is Card.JACK and cell not in position.pawns:
            yield Reason(
                Fault.STRAY_JACK, f"the jack on {position.board.square(cell)} is face up without its pawn"
            )
