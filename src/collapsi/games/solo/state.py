"""Positions of the solo game: one pawn collapses every card, then leaves by the exit.

The pawn starts on a jack, and the other jack is the *exit*. As in the game for two, the card under the pawn
gives the number of steps of a move (one from the start jack) and collapses. No move ends on the exit while
other cards are face up. When only the pawn's card and the exit are left, the pawn leaves if it stands next to
the exit, whatever the number of its card. That last move ends on the exit, and the board is solved.

The rule sheet does not say whether a walk may *pass over* the exit before. It may with `Exit.OPEN`, which
makes every layout of the official deck solvable, as the designer says; `Exit.CLOSED` is the stricter reading.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.core.board import cells_of, mask_of
from collapsi.core.cached import cached_property
from collapsi.core.cards import Card
from collapsi.core.errors import IllegalPositionError
from collapsi.core.game import Game
from collapsi.core.players import Player
from collapsi.core.rows import format_cells
from collapsi.core.state import Refusal
from collapsi.core.stuck import find_stuck
from collapsi.core.walking import Walking
from collapsi.games.solo.rules import SOLO, Exit, SoloRules

if TYPE_CHECKING:
    from collapsi.core.board import Board
    from collapsi.core.state import AnyMove
    from collapsi.core.stuck import Stuck


@dataclass(frozen=True, repr=False)
class Solo(Walking):
    """A position: cards (None has collapsed), the pawn's cell, the rules. The jack without pawn is the exit.

    >>> from collapsi.games.solo.notation import parse_solo
    >>> position = parse_solo("A2X/3Jr2/A2A")
    >>> [position.move_text(cell) for cell in position.moves]
    ['b1', 'a2', 'c2', 'b3']
    >>> print(position.play("b3"))
       a  b  c
    1  A  2  X
    2  3  .  2
    3  A  2r A
    7 cards to collapse
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int]
    rules: SoloRules = field(default=SOLO, hash=False)

    def __post_init__(self) -> None:
        size = self.board.size
        if len(self.cards) != size:
            msg = f"{self.rules} on {self.board.rows} rows is played with {size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        pawn = self.pawn
        if not 0 <= pawn < size:
            msg = "the pawn is off the board"
            raise IllegalPositionError(msg)
        if self.cards[pawn] is None:
            msg = f"the pawn stands on a collapsed card at {self.board.square(pawn)}"
            raise IllegalPositionError(msg)
        exits = [cell for cell, card in enumerate(self.cards) if card is Card.JACK and cell != pawn]
        if len(exits) > 1:
            squares = " and ".join(map(self.board.square, exits))
            msg = f"there are {len(exits)} exits, on {squares}: a board has one"
            raise IllegalPositionError(msg)
        if not exits and (self.cards[pawn] is not Card.JACK or self.cards_left > 1):
            msg = "there is no exit: one jack must be face up without the pawn until the pawn leaves"
            raise IllegalPositionError(msg)

    @property
    def board(self) -> Board:
        """The board, a torus."""
        return self.rules.board

    @property
    def to_move(self) -> Player:
        """Always red, the only player."""
        return Player.RED

    @property
    def pawn(self) -> int:
        """The cell of the pawn."""
        return self.pawns[0]

    @cached_property
    def exit(self) -> int:
        """The cell of the exit; once the pawn has left, the cell of the pawn."""
        stray = (cell for cell, card in enumerate(self.cards) if card is Card.JACK and cell != self.pawn)
        return next(stray, self.pawn)

    @property
    def solved(self) -> bool:
        """Whether every card has collapsed and the pawn has left."""
        return self.pawn == self.exit

    @property
    def is_last(self) -> bool:
        """Whether only the pawn's card and the exit are left, so that the pawn must leave now."""
        return self.cards_left == 2

    @property
    def result(self) -> tuple[int, ...] | None:
        """One point if the board is solved, none if the pawn is stuck, and None while play goes on."""
        if self.solved:
            return (1,)
        return None if self.moves else (0,)

    @property
    def _passable(self) -> int:
        """The cards that a walk may go over."""
        return self.face_up & ~(1 << self.exit) if self.rules.exit is Exit.CLOSED else self.face_up

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The cells where the pawn may end, in reading order."""
        if self.solved:
            return ()
        if self.is_last:
            return (self.exit,) if self.exit in self.board.neighbours(self.pawn) else ()
        ends = self.board.reach(self.pawn, self.steps[0], self._passable)
        return tuple(cells_of(ends & ~(1 << self.exit)))

    @property
    def stuck(self) -> Stuck | None:
        """Why the pawn cannot move; None if it can, or has left."""
        if self.moves or self.solved:
            return None
        passable, barred = self._passable, 1 << self.exit
        return find_stuck(self.board, self.to_move, self.pawn, self.steps, passable=passable, barred=barred)

    def refusal(self, to: AnyMove) -> tuple[Refusal, str] | None:
        """Return why a move is illegal, as a kind and a sentence; None for a legal move."""
        end = self.number(to)
        if end in self.moves:
            return None
        board, start, (steps,) = self.board, self.pawn, self.steps
        square, here = board.square(end), board.square(start)
        count = f"{steps} step{'s' * (steps != 1)}"
        if end == start:
            if self.solved:
                return Refusal.OWN_CARD, f"the pawn has left by {square}: the board is solved"
            return Refusal.OWN_CARD, f"the pawn stands on {square} already: a move ends on another card"
        if self.cards[end] is None:
            return Refusal.COLLAPSED, f"{square} has collapsed"
        if end == self.exit:
            if self.is_last:
                return (
                    Refusal.TOO_FAR,
                    f"{here} is not next to the exit on {square}, so the pawn cannot leave",
                )
            others = self.cards_left - 2
            cards = f"{others} other card{'s are' if others > 1 else ' is'} still face up"
            return Refusal.EXIT, f"{square} is the exit: it comes last, and {cards}"
        distance = next(far for far in range(board.size) if board.whole_reach(start, far) >> end & 1)
        if distance > steps:
            return Refusal.TOO_FAR, f"{square} is {distance} steps from {here}, and the pawn goes {count}"
        if not board.whole_reach(start, steps) >> end & 1:
            return Refusal.WRONG_COUNT, f"no way from {here} to {square} has exactly {count}"
        if self._can_stroll(end):
            return Refusal.NO_RETURN, f"{count} from {here} end on {square} only by crossing a card twice"
        blocking = "collapsed cards" if self.rules.exit is Exit.OPEN else "collapsed cards or the closed exit"
        return Refusal.BLOCKED, f"{blocking} block every way of {count} from {here} to {square}"

    def _can_stroll(self, end: int) -> bool:
        """Return whether a walk of the right length, with repeated cards allowed, ends there."""
        here = 1 << self.pawn
        for _ in range(self.steps[0]):
            here = mask_of(there for cell in cells_of(here) for there in self.board.neighbours(cell))
            here &= self._passable
        return bool(here >> end & 1)

    def path(self, to: AnyMove) -> tuple[int, ...]:
        """Return the cells of a move, start and end included.

        Of several walks it is one that avoids the exit if possible, and then has the fewest turns.
        """
        end = self.legal(to)
        if self.is_last:
            return (self.pawn, end)
        ways = (
            path
            for needed, path in self.board.walks(self.pawn, self.steps[0], end)
            if needed & ~self._passable == 0
        )
        return min(ways, key=lambda path: (self.exit in path, self.board.turns(path)))

    def play(self, to: AnyMove) -> Solo:
        """Return the position after a move to a cell (a number) or square (a name)."""
        end = self.legal(to)
        cards = (*self.cards[: self.pawn], None, *self.cards[self.pawn + 1 :])
        return Solo(cards, (end,), self.rules)

    def cell_text(self, cell: int) -> str:
        """Return the notation of a cell: the card, X for the exit, or a dot, and r for the pawn on it."""
        card = self.cards[cell]
        if card is None:
            return "."
        return ("X" if cell == self.exit else card.letter) + ("r" if cell == self.pawn else "")

    @property
    def turn(self) -> str:
        """The state of the game in words."""
        if self.solved:
            return "solved"
        left = self.cards_left - 1
        cards = f"{left} card{'s' * (left != 1)} to collapse"
        return cards if self.moves else f"stuck with {cards}"

    @property
    def text(self) -> str:
        """The position in the notation of `collapsi.games.solo.notation`."""
        return format_cells(self) + (" closed" if self.rules.exit is Exit.CLOSED else "")

    def __repr__(self) -> str:
        return f"Solo({self.text!r})"


SoloGame = Game[Solo]
