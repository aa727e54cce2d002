"""The rule sets of the big board: two to four pawns on a larger board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.rules import RuleSet

if TYPE_CHECKING:
    from collapsi.core.players import Player


@dataclass(frozen=True, repr=False, kw_only=True)
class BigRules(RuleSet):
    """The board, the deck and the number of players: `collapsi.games.big.state`.

    Player *n* starts on the *n*-th jack dealt; jacks without a player are collapsed before play.

    >>> BIG3.players, BIG3.unused_jacks, sum(BIG3.deck.values())
    (3, 1, 36)
    """

    kind = "big"

    @property
    def unused_jacks(self) -> int:
        """The number of jacks without a player, which are collapsed before play."""
        return self.deck[Card.JACK] - self.players

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """Return the number of steps of a pawn on this card."""
        return (1 if card is Card.JACK else int(card),)


_BIG_DECK = ((Card.JACK, 4), (Card.ACE, 8), (Card.TWO, 8), (Card.THREE, 8), (Card.FOUR, 8))
_BIG_TEXT = (
    "Six rows of six cards: four jacks and eight of each number. From its jack a pawn goes exactly one step. "
)
_OUT_TEXT = (
    "A player who cannot move on their turn is out: the pawn leaves, its card stays face up, and the others "
    "play on. The last one left wins; the first to go out gets no point, the next one, and so on."
)
BIG = BigRules(
    name="big",
    summary="the big board for two: thirty-six cards",
    board=Board(6, 6),
    cards=_BIG_DECK,
    title="Big board, two players",
    text=f"{_BIG_TEXT}Two of the jacks are collapsed before play.",
)
BIG3 = replace(
    BIG,
    name="big3",
    summary="the big board for three: who cannot move is out, and the others play on",
    players=3,
    title="Big board, three players",
    text=f"{_BIG_TEXT}One of the jacks is collapsed before play. {_OUT_TEXT}",
)
BIG4 = replace(
    BIG,
    name="big4",
    summary="the big board for four: who cannot move is out, and the others play on",
    players=4,
    title="Big board, four players",
    text=f"{_BIG_TEXT}{_OUT_TEXT}",
)
FIVE3 = BigRules(
    name="five3",
    summary="five rows of five for three; unofficial, and the deck is our reading",
    board=Board(5, 5),
    # The small board's share of each card, 4 4 4 2, for the 22 cards that are no jacks.
    cards=((Card.JACK, 3), (Card.ACE, 6), (Card.TWO, 6), (Card.THREE, 6), (Card.FOUR, 4)),
    players=3,
    official=False,
    title="Five by five, three players",
    text="Not on the rule sheet; the deck is our reading: three jacks, six aces, six twos, six threes and "
    f"four fours. From its jack a pawn goes exactly one step. {_OUT_TEXT}",
)
BIG_RULE_SETS = {rules.name: rules for rules in (BIG, BIG3, BIG4, FIVE3)}
