"""The solo game: one pawn, every card to be collapsed, and last the way out.

The pawn starts on a jack, and the other jack is the *exit*. A move goes as many steps as the card under the
pawn says, as in the game for two (from the start jack one step), and the card it leaves collapses. The exit
is never landed on while other cards are face up. When only the pawn's card and the exit are left, the pawn
leaves if it stands next to the exit: its number no longer matters. That last move ends on the exit, and the
board is solved.

The rule sheet does not say whether the exit may be *passed over* before. `Exit.OPEN`, where it may, is what
makes every layout of the official deck solvable, as the designer says; `Exit.CLOSED` is the stricter reading.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.board import cells_of, mask_of
from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.game import Game
from collapsi.lazy import lazy
from collapsi.rules import SOLO, Card, Exit, Player, SoloRules
from collapsi.state import Refusal, board_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.board import Board


@dataclass(frozen=True, repr=False)
class Solo:
    """Cards by cell (None has collapsed), the pawn's cell, the rules. The jack without the pawn is the exit.

    >>> from collapsi.games.solo_notation import parse_solo
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
        """The torus it is played on."""
        return self.rules.board

    @property
    def to_move(self) -> Player:
        """Always red: nobody else plays."""
        return Player.RED

    @property
    def pawn(self) -> int:
        """Where the pawn stands."""
        return self.pawns[0]

    @lazy
    def exit(self) -> int:
        """The cell of the exit, which is the pawn's own once it has left."""
        stray = (cell for cell, card in enumerate(self.cards) if card is Card.JACK and cell != self.pawn)
        return next(stray, self.pawn)

    @lazy
    def face_up(self) -> int:
        """The set of cards that have not collapsed, the pawn's and the exit included."""
        return mask_of(cell for cell, card in enumerate(self.cards) if card is not None)

    @property
    def cards_left(self) -> int:
        """The number of face-up cards."""
        return self.face_up.bit_count()

    @property
    def steps(self) -> int:
        """The number of steps that the pawn goes."""
        card = self.cards[self.pawn]
        assert card is not None  # __post_init__ refuses a pawn on a collapsed card
        return self.rules.steps(card)

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

    @lazy
    def moves(self) -> tuple[int, ...]:
        """The cells where the pawn may end, in reading order. A move is its end card."""
        if self.solved:
            return ()
        if self.is_last:
            return (self.exit,) if self.exit in self.board.neighbours(self.pawn) else ()
        ends = self.board.reach(self.pawn, self.steps, self._passable)
        return tuple(cells_of(ends & ~(1 << self.exit)))

    def move_text(self, move: int) -> str:
        """How a move is written: the name of its end square."""
        return self.board.square(move)

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """How moves are written that are played one after the other from here."""
        return tuple(map(self.board.square, moves))

    def end(self, move: int) -> int:
        """The cell where a move ends: a move is its end cell."""
        return move

    def parse_move(self, text: str) -> int:
        """The move that is written so, legal or not."""
        cell = self.board.cell(text)
        if cell is None:
            raise IllegalMoveError(self._no_square(text))
        return cell

    def _no_square(self, move: int | str) -> str:
        last = self.board.square(self.board.size - 1)
        return f"{move!r:.40} is no square of this board (squares are a1 to {last})"

    def _cell(self, move: int | str) -> int:
        if isinstance(move, str):
            return self.parse_move(move)
        if not 0 <= move < self.board.size:
            raise IllegalMoveError(self._no_square(move))
        return move

    def refusal(self, move: int | str) -> tuple[Refusal, str] | None:
        """Why the pawn may not go there, as a kind and a sentence; None for a legal move."""
        end = self._cell(move)
        if end in self.moves:
            return None
        board, start, steps = self.board, self.pawn, self.steps
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
        """Whether a walk of the right length leads there that may cross cards twice."""
        here = 1 << self.pawn
        for _ in range(self.steps):
            here = mask_of(there for cell in cells_of(here) for there in self.board.neighbours(cell))
            here &= self._passable
        return bool(here >> end & 1)

    def _legal(self, move: int | str) -> int:
        end = self._cell(move)
        refusal = self.refusal(end)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])
        return end

    def path(self, move: int | str) -> tuple[int, ...]:
        """The cells a move walks over, start and end included; of several ways the plainest.

        Plainest: round the exit rather than over it, then fewest turns.
        """
        end = self._legal(move)
        if self.is_last:
            return (self.pawn, end)
        ways = (
            path
            for path in self.board.paths(self.pawn, self.steps)
            if path[-1] == end and mask_of(path[1:]) & ~self._passable == 0
        )
        return min(ways, key=lambda path: (self.exit in path, self.board.turns(path)))

    def play(self, move: int | str) -> Solo:
        """The position after the pawn has gone to a cell (a number) or square (a name)."""
        end = self._legal(move)
        cards = (*self.cards[: self.pawn], None, *self.cards[self.pawn + 1 :])
        return Solo(cards, (end,), self.rules)

    def cell_text(self, cell: int) -> str:
        """One cell as it is written: the card, X for the exit, or a dot, and r for the pawn on it."""
        card = self.cards[cell]
        if card is None:
            return "."
        return ("X" if cell == self.exit else card.letter) + ("r" if cell == self.pawn else "")

    @property
    def turn(self) -> str:
        """How the game stands, in words."""
        if self.solved:
            return "solved"
        left = self.cards_left - 1
        cards = f"{left} card{'s' * (left != 1)} to collapse"
        return cards if self.moves else f"stuck with {cards}"

    def __str__(self) -> str:
        return board_text(self)

    @property
    def text(self) -> str:
        """The position in our notation, as `collapsi.games.solo_notation` writes it."""
        from collapsi.games.solo_notation import format_solo

        return format_solo(self)

    def __repr__(self) -> str:
        return f"Solo({self.text!r})"

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_position

        return draw_position(self)


SoloGame = Game[Solo]
