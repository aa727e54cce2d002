"""One moment of a game: the cards, the pawns, whose turn it is, and what may be played.

A `Position` never changes: `play` returns the next one. What cannot be understood as a position (two pawns on
one card, a pawn on a collapsed card) cannot be built; what can be understood but never arises in play can,
and `collapsi.faults` names every reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.lazy import lazy
from collapsi.rules import STANDARD, Card, Player, Rules
from collapsi.walking import Walkers

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.board import Board
    from collapsi.faults import Reason
    from collapsi.state import Refusal


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
        if self.rules.shift is not None:
            msg = f"{self.rules} is played on a board that shifts: see collapsi.games.shifting"
            raise IllegalPositionError(msg)
        if len(self.cards) != self.board.size:
            msg = f"{self.rules} is played with {self.board.size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        self.check()

    @property
    def board(self) -> Board:
        """The torus it is played on."""
        return self.rules.board

    @property
    def moves(self) -> tuple[int, ...]:
        """The cells where the side to move may end, in reading order. A move is its end card."""
        return self.ends

    @lazy
    def dealt(self) -> bool:
        """Whether it is a deal as it comes from the pack; then whatever is played from it can arise too."""
        from collapsi.faults import is_deal

        return is_deal(self)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Every reason why it cannot arise in play, as `collapsi.faults` names them."""
        from collapsi.faults import status

        return status(self)

    def refusal(self, to: int | str) -> tuple[Refusal, str] | None:
        """Why the side to move may not go there, as a kind and a sentence; None for a legal move."""
        return self.walk_refusal(self.cell_named(to))

    def path(self, to: int | str) -> tuple[int, ...]:
        """The cells a move walks over, start and end included; of several ways the plainest."""
        return self.walk(self.cell_named(to))

    def play(self, to: int | str) -> Position:
        """The position after the side to move has gone to a cell (a number) or square (a name)."""
        end = self.cell_named(to)
        refusal = self.walk_refusal(end)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])
        start = self.pawns[self.to_move]
        cards = (*self.cards[:start], None, *self.cards[start + 1 :])
        pawns = (end, self.pawns[1]) if self.to_move is Player.RED else (self.pawns[0], end)
        return Position(cards, pawns, self.to_move.other, self.rules)

    @property
    def text(self) -> str:
        """The position in our notation, as `collapsi.notation` writes it."""
        from collapsi.notation import format_position

        return format_position(self)

    def __repr__(self) -> str:
        return f"Position({self.text!r})"


def deal(rng: random.Random, rules: Rules = STANDARD) -> Position:
    """Shuffle and deal: cards in reading order, red on the first jack, blue on the second.

    On the shifting board a deal whose jacks share a row or column is dealt again, and the position is of that
    kind (`collapsi.games.shifting`).

    >>> import collapsi, random
    >>> collapsi.format_position(collapsi.deal(random.Random(1)))
    'A3Jr4/2AA2/234Jb/332A r'
    """
    while True:
        cards = [card for card, count in rules.cards for _ in range(count)]
        rng.shuffle(cards)
        if rules.allows_jacks(_jacks(cards)):
            return lay(cards, rules)


def lay(cards: Sequence[Card], rules: Rules = STANDARD) -> Position:
    """The deal of these cards, laid down in reading order: red on the first jack, blue on the second.

    >>> import collapsi
    >>> lay(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r").cards).pawns
    (7, 12)
    """
    red, blue = _jacks(cards)
    if rules.shift is None:
        return Position(tuple(cards), (red, blue), Player.RED, rules)
    from collapsi.games.shifting import Shifting

    columns = rules.board.columns
    laid = {divmod(cell, columns): card for cell, card in enumerate(cards)}
    pawns = divmod(red, columns), divmod(blue, columns)
    return cast("Position", Shifting.at(laid, pawns, Player.RED, rules))


def _jacks(cards: Sequence[Card]) -> list[int]:
    """The cells where jacks lie."""
    return [cell for cell, card in enumerate(cards) if card is Card.JACK]
