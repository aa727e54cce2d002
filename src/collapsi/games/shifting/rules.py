"""The rule sets of the shifting board: three readings of how a shifted line wraps around."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

from collapsi.core.board import Board
from collapsi.core.cards import DECK, Card
from collapsi.core.patch import Patch, Wrap
from collapsi.core.rules import RuleSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.board import Grid
    from collapsi.core.players import Player


@dataclass(frozen=True, repr=False, kw_only=True)
class ShiftingRules(RuleSet):
    """The board, the deck, and how lines wrap after a shift out of the square."""

    kind = "shifting"
    wrap: Wrap = Wrap.LINE

    @property
    def leaves_square(self) -> bool:
        """Whether cards may be pushed out of the square, so that gaps open."""
        return self.wrap is not Wrap.ROTATE

    def grid(self, rows: int, columns: int, cells: int) -> Grid:
        """Return the board with cards on these cells of a rectangle."""
        return Patch(rows, columns, cells, self.wrap) if self.leaves_square else self.board

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """Return the number of steps of a player on this card, as a tuple of one."""
        return (1,) if card == Card.JACK else (int(card),)

    def allows_jacks(self, cells: Sequence[int]) -> bool:
        """Return whether a deal may have its jacks on these cells: not in one row or column.

        >>> SHIFT.allows_jacks((0, 3)), SHIFT.allows_jacks((0, 5))
        (False, True)
        """
        rows, columns = zip(*(divmod(cell, self.board.columns) for cell in cells), strict=True)
        return len(set(rows)) == len(set(columns)) == len(cells)

    def count_jack_placements(self, cells: Sequence[int]) -> int:
        """Count the ways to put the players' jacks on some of these cells."""
        return sum(map(self.allows_jacks, permutations(cells, self.players)))


_SHIFT_TEXT = (
    "After your walk, shift the row or the column you ended on by one space, either way: every card of it, "
    "collapsed ones too, and the pawns that stand on it, both of them. "
)
_GAPS_TEXT = (
    "Cards may leave the square, as far as they are pushed, and gaps open: no pawn can enter or cross a gap. "
)
SHIFT = ShiftingRules(
    name="shift",
    summary="the Shifting Board: each move also shifts a row or column; a line wraps from end to end",
    board=Board(4, 4),
    cards=DECK,
    wrap=Wrap.LINE,
    title="Shifting Board",
    text=f"{_SHIFT_TEXT}{_GAPS_TEXT}A line goes on at the first card of its other end; if that one has "
    "collapsed, the way round is blocked. The jacks start in different rows and columns.",
)
SHIFT_BOX = replace(
    SHIFT,
    name="shift-box",
    summary="the Shifting Board where lines wrap at the rectangle around all cards: gaps at its edge block",
    wrap=Wrap.BOX,
    title="Shifting Board, wrapping at the box",
    text=f"{_SHIFT_TEXT}{_GAPS_TEXT}The board wraps at the rectangle around all cards, collapsed ones too, "
    "so a gap at its edge blocks the way round. "
    "The jacks start in different rows and columns.",
)
SHIFT_ROTATE = replace(
    SHIFT,
    name="shift-rotate",
    summary="the Shifting Board where lines turn: the card pushed out comes in at the other end",
    wrap=Wrap.ROTATE,
    title="Shifting Board, turning lines",
    text=f"{_SHIFT_TEXT}The card that is pushed out comes in again at the other end, so the board stays a "
    "square. The jacks start in different rows and columns.",
)
SHIFTING_RULE_SETS = {rules.name: rules for rules in (SHIFT, SHIFT_BOX, SHIFT_ROTATE)}
