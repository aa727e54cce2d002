"""The rules of the solo game: the board and the reading of the exit. Decks are in `deals`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.rules import RuleSet

if TYPE_CHECKING:
    from collapsi.core.players import Player


class Exit(StrEnum):
    """The two readings of the exit while other cards are face up."""

    OPEN = "open"
    """It may be passed over, but not landed on."""
    CLOSED = "closed"
    """It may not even be passed over."""


@dataclass(frozen=True, repr=False, kw_only=True)
class SoloRules(RuleSet):
    """The board and the reading of the exit.

    >>> SOLO.board.size, SOLO.exit, SOLO.steps(Card.JACK, SOLO.seats[0])
    (9, <Exit.OPEN: 'open'>, (1,))
    """

    kind = "solo"
    name: str = "solo"
    players: int = 1
    exit: Exit = Exit.OPEN

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """Return the number of steps of a pawn on this card."""
        return (1 if card is Card.JACK else int(card),)


HOW_TO_PLAY_SOLO = (
    "A game for one. Your pawn starts on a jack; the other jack, X, is the exit. Collapse every other card, "
    "then leave by the exit from a card next to it, whatever its number."
)
_TITLES = {Exit.OPEN: "Solo", Exit.CLOSED: "Solo, exit closed"}
_TEXTS = {
    Exit.OPEN: "Until then you may pass over the exit, but not end on it.",
    Exit.CLOSED: "Until then you may neither end on the exit nor pass over it.",
}
SOLO_BOARDS = (Board(3, 3), Board(4, 4))
SOLO_RULES = {
    (board, exit): SoloRules(
        board=board,
        exit=exit,
        title=_TITLES[exit],
        summary="the game for one: collapse every card, then leave by the exit",
        text=_TEXTS[exit],
    )
    for board in SOLO_BOARDS
    for exit in Exit
}
SOLO = SOLO_RULES[Board(3, 3), Exit.OPEN]
SOLO_RULE_SETS = {SOLO.name: SOLO}
