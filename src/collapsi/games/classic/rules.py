"""The rule sets of the classic game, as data.

To add one (another first move): add a `Rules` to `CLASSIC_RULE_SETS`. Notation, commands, census, API, page
and tests read it from there. Other decks, boards and first moves are written as text: see `made_up`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collapsi.core.board import Board
from collapsi.core.cards import ANYWHERE, DECK, STEPS, Card
from collapsi.core.rules import RuleSet

if TYPE_CHECKING:
    from collapsi.core.players import Player


@dataclass(frozen=True, repr=False, kw_only=True)
class Rules(RuleSet):
    """The board, the deck, and the numbers of steps of each player's first move.

    A pawn on a jack makes its first move; the number of steps of every later move is that of the card.

    >>> from collapsi import Player
    >>> STANDARD.first_steps[Player.RED], sum(STANDARD.deck.values())
    ((1,), 16)
    """

    kind = "classic"
    first_steps: tuple[tuple[int, ...], tuple[int, ...]] = ((1,), (1,))
    """The steps that red's and blue's first moves may be chosen from."""

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """Return the numbers of steps that a player on this card may choose from."""
        return self.first_steps[player] if card == Card.JACK else (int(card),)

    @property
    def first_walks(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first moves as walks: 1 to 4 steps for `ANYWHERE`, as they reach every cell of a full board."""
        red, blue = (STEPS if ANYWHERE in steps else steps for steps in self.first_steps)
        return red, blue


STANDARD = Rules(
    name="standard",
    summary="the rule sheet since v1.2: from its jack a pawn goes one step",
    board=Board(4, 4),
    cards=DECK,
    title="Standard",
    text="From its jack a pawn goes exactly one step.",
)
JOKER = Rules(
    name="joker",
    summary="the rules before v1.2: the first move of each player goes 1, 2, 3 or 4 steps by choice",
    board=Board(4, 4),
    cards=DECK,
    first_steps=(STEPS, STEPS),
    title="Joker",
    text="The old rules: the first move of each player goes 1, 2, 3 or 4 steps, as they like.",
)
CHOICE = Rules(
    name="choice",
    summary="Player's Choice: both jacks collapse, and each player picks a card to start on",
    board=Board(4, 4),
    cards=DECK,
    first_steps=((ANYWHERE,), (ANYWHERE,)),
    uncounted=2,
    title="Player’s Choice",
    text="First red, then blue picks any card to start on, and the jacks collapse. Then red moves. "
    "Picking a card is not a move, so this is Joker two moves shorter.",
)
CLASSIC_RULE_SETS = {rules.name: rules for rules in (STANDARD, JOKER, CHOICE)}
