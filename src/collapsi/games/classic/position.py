"""Positions of the classic game: the cards, the pawns, the side to move and the legal moves.

A `Position` is immutable: `play` returns a new one. The constructor raises for cards and pawns that do not
form a position (two pawns on one card, a pawn on a collapsed card). It accepts positions that cannot arise in
play; `collapsi.games.classic.faults` lists the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from collapsi.core.cards import jacks_of
from collapsi.core.errors import IllegalPositionError, wrong_type
from collapsi.core.players import Player
from collapsi.core.rows import format_cells
from collapsi.core.symmetry import canonical_ways
from collapsi.core.walking import Walkers
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.core.board import Board
    from collapsi.core.cards import Card
    from collapsi.core.reasons import Reason
    from collapsi.core.state import AnyMove
    from collapsi.core.symmetry import Symmetry


@lru_cache(maxsize=512)
def _inverse(way: Symmetry) -> tuple[int, ...]:
    """Return, for each cell, the cell that a symmetry takes there."""
    return tuple(sorted(range(len(way)), key=way.__getitem__))


@dataclass(frozen=True, repr=False)
class Position(Walkers):
    """Cards by cell (None has collapsed), the cells of the red and the blue pawn, and the side to move.

    >>> import collapsi
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    >>> [position.board.square(cell) for cell in position.moves]
    ['d1', 'a2', 'c2', 'd3']
    >>> print(position.play("d1"))
       a  b  c  d
    1  A  2  2  3r
    2  4  A  2  .
    3  3  A  2  3
    4  Jb 3  A  4
    blue to move
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int, int]
    to_move: Player = Player.RED
    rules: Rules = field(default=STANDARD, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise wrong_type(self.rules, "rules, such as collapsi.STANDARD")
        if not isinstance(self.cards, tuple):
            raise wrong_type(self.cards, "a tuple of cards, a card or None for each cell")
        if not isinstance(self.pawns, tuple):
            raise wrong_type(self.pawns, "a tuple of two cells, of the red and the blue pawn")
        if not isinstance(self.to_move, Player):
            raise wrong_type(self.to_move, "a player, such as collapsi.Player.RED")
        if len(self.cards) != self.board.size:
            msg = f"{self.rules} is played with {self.board.size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        self.check()

    @property
    def board(self) -> Board:
        """The board, a torus."""
        return self.rules.board

    @property
    def faults(self) -> tuple[Reason, ...]:
        """The reasons why it cannot arise in play."""
        return kind_of(self).find_faults(self)

    def play(self, to: AnyMove) -> Position:
        """Return the position after a move: its end cell (a number), a `MoveValue`, or its end square."""
        end, start = self.legal(to), self.pawns[self.to_move]
        cards = (*self.cards[:start], None, *self.cards[start + 1 :])
        pawns = (end, self.pawns[1]) if self.to_move is Player.RED else (self.pawns[0], end)
        return Position(cards, pawns, self.to_move.other, self.rules)

    @property
    def text(self) -> str:
        """The position in notation (see `collapsi.games.classic.notation`)."""
        suffix = "" if self.rules == STANDARD else f" {self.rules}"
        return f"{format_cells(self)} {self.to_move.letter}{suffix}"

    def canonical(self) -> Position:
        """Return the position that represents all those that a symmetry of the board maps to this one.

        Red's pawn is on a1 and, on the 4×4 board, blue's on b1, b2, c2 or c3; among those the cards are the
        least in reading order, collapsed ones first. Of a deal it is the one that the atlas lists.

        >>> import collapsi
        >>> collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r").canonical().text
        'Jr3A4/34Jb3/2A3A/222A r'
        """
        red, blue = self.pawns
        ways = canonical_ways(self.board, red, blue)
        images = (tuple(self.cards[cell] for cell in _inverse(way)) for way in ways)
        cards = min(images, key=lambda cards: tuple(-1 if card is None else card for card in cards))
        return Position(cards, (ways[0][red], ways[0][blue]), self.to_move, self.rules)

    @property
    def symmetry_class(self) -> int:
        """A number that two positions of one board share exactly if a symmetry maps one to the other.

        From the lowest bits: three for each cell from the last to the first (0 if it has collapsed, 1 for a
        jack, 2 for an ace, up to 5 for a four), four for each pawn, one for the side to move. It will not
        change in later versions.
        """
        found = self.canonical()
        number = int(found.to_move is Player.BLUE)
        for pawn in found.pawns:
            number = number << 4 | pawn
        for card in found.cards:
            number = number << 3 | (0 if card is None else card + 1)
        return number

    def __repr__(self) -> str:
        return f"Position({self.text!r})"


def deal(rng: random.Random, rules: Rules = STANDARD) -> Position:
    """Shuffle and deal: cards in reading order, red on the first jack, blue on the second.

    >>> import random
    >>> deal(random.Random(1)).text
    'A3Jr4/2AA2/234Jb/332A r'
    """
    return lay(rules.shuffled_deck(rng), rules)


def lay(cards: Sequence[Card], rules: Rules = STANDARD) -> Position:
    """Return the deal of these cards, laid in reading order: red on the first jack, blue on the second.

    >>> import collapsi
    >>> lay(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r").cards).pawns
    (7, 12)
    """
    red, blue = jacks_of(cards)
    return Position(tuple(cards), (red, blue), Player.RED, rules)
