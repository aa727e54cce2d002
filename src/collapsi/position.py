"""One moment of a game: the cards, the pawns, whose turn it is, and what may be played.

A `Position` never changes: `play` returns the next one. What cannot be understood as a position (two pawns on
one card, a pawn on a collapsed card) cannot be built; what can be understood but never arises in play can,
and `collapsi.faults` names every reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.board import cells_of, mask_of
from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.lazy import lazy
from collapsi.rules import ANYWHERE, STANDARD, Card, Player, Rules
from collapsi.state import Outcome, Refusal, board_text

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.board import Board
    from collapsi.faults import Reason


@dataclass(frozen=True, repr=False)
class Position:
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
        size = self.board.size
        if len(self.cards) != size:
            msg = f"{self.rules} is played with {size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        for player, cell in zip(Player, self.pawns, strict=True):
            if not 0 <= cell < size:
                msg = f"the {player} pawn is off the board"
                raise IllegalPositionError(msg)
            if self.cards[cell] is None:
                msg = f"the {player} pawn stands on a collapsed card at {self.board.square(cell)}"
                raise IllegalPositionError(msg)
        if self.pawns[0] == self.pawns[1]:
            msg = f"both pawns stand on {self.board.square(self.pawns[0])}"
            raise IllegalPositionError(msg)

    @property
    def board(self) -> Board:
        """The torus it is played on."""
        return self.rules.board

    @lazy
    def face_up(self) -> int:
        """The set of cards that have not collapsed, those under the pawns included."""
        return mask_of(cell for cell, card in enumerate(self.cards) if card is not None)

    @property
    def cards_left(self) -> int:
        """The number of face-up cards."""
        return self.face_up.bit_count()

    def card(self, player: Player) -> Card:
        """The card that a player stands on."""
        card = self.cards[self.pawns[player]]
        assert card is not None  # __post_init__ refuses a pawn on a collapsed card
        return card

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of steps that the side to move may choose from."""
        return self.rules.steps(self.card(self.to_move), self.to_move)

    @lazy
    def moves(self) -> tuple[int, ...]:
        """The cells where the side to move may end, in reading order. A move is its end card."""
        start, other = self.pawns[self.to_move], self.pawns[self.to_move.other]
        ends = 0
        for steps in self.steps:
            anywhere = steps == ANYWHERE
            ends |= self.face_up if anywhere else self.board.reach(start, steps, self.face_up)
        return tuple(cells_of(ends & ~(1 << other | 1 << start)))

    def outcome(self, points: int) -> Outcome:
        """What it means that the side to move ends so many points ahead under perfect play.

        The winner's points are the cards left, and every move collapses one: so they tell how long it takes.
        To choose where one starts is a move, but no ply.
        """
        left = abs(points)
        winner = self.to_move if points > 0 else self.to_move.other
        moves = self.cards_left - left
        plies = moves - sum(self._starts(player) for player in (self.to_move, self.to_move.other)[:moves])
        return Outcome(winner, plies, left if winner is Player.RED else -left)

    def _starts(self, player: Player) -> bool:
        """Whether a player has yet to choose where to start."""
        return bool(self.rules.uncounted) and self.card(player) is Card.JACK

    @property
    def winner(self) -> Player | None:
        """Who has won, or None while the side to move can move."""
        return None if self.moves else self.to_move.other

    @property
    def result(self) -> tuple[int, int] | None:
        """The points of red and blue when the game is over: one for each card left, to the winner."""
        if self.winner is None:
            return None
        return (self.cards_left, 0) if self.winner is Player.RED else (0, self.cards_left)

    def move_text(self, move: int) -> str:
        """How a move is written: its end square."""
        return self.board.square(move)

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """How moves are written that are played one after the other from here."""
        return tuple(map(self.board.square, moves))

    def parse_move(self, text: str) -> int:
        """The move that is written so, legal or not."""
        return self._cell(text)

    def end(self, move: int) -> int:
        """The cell where a move ends: a move is its end cell."""
        return move

    @property
    def dealt(self) -> bool:
        """Whether it is a deal as it comes from the pack; then whatever is played from it can arise too."""
        from collapsi.faults import is_deal

        return is_deal(self)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Every reason why it cannot arise in play, as `collapsi.faults` names them."""
        from collapsi.faults import status

        return status(self)

    def _cell(self, to: int | str) -> int:
        cell = self.board.cell(to) if isinstance(to, str) else to
        if cell is None or not 0 <= cell < self.board.size:
            last = self.board.square(self.board.size - 1)
            msg = f"{to!r:.40} is no square of this board (squares are a1 to {last})"
            raise IllegalMoveError(msg)
        return cell

    def refusal(self, to: int | str) -> tuple[Refusal, str] | None:
        """Why the side to move may not go there, as a kind and a sentence; None for a legal move."""
        end = self._cell(to)
        if end in self.moves:
            return None
        board, start = self.board, self.pawns[self.to_move]
        square, here = board.square(end), board.square(start)
        count = " or ".join(map(str, self.steps)) + (" step" if self.steps == (1,) else " steps")
        if end == start:
            return Refusal.OWN_CARD, f"{self.to_move} stands on {square} already: a move ends on another card"
        if end == self.pawns[self.to_move.other]:
            return Refusal.OCCUPIED, f"{square} is occupied: a pawn may pass the other pawn but not end there"
        if self.cards[end] is None:
            return Refusal.COLLAPSED, f"{square} has collapsed"
        distance = next(steps for steps in range(board.size) if board.whole_reach(start, steps) >> end & 1)
        if distance > max(self.steps):
            return (
                Refusal.TOO_FAR,
                f"{square} is {distance} steps from {here}, and {self.to_move} goes {count}",
            )
        if not any(board.whole_reach(start, steps) >> end & 1 for steps in self.steps):
            return Refusal.WRONG_COUNT, f"no way from {here} to {square} has exactly {count}"
        if any(board.reach(start, steps, self.face_up) >> end & 1 for steps in range(max(self.steps))):
            return Refusal.NO_RETURN, f"{count} from {here} end on {square} only by crossing a card twice"
        return Refusal.BLOCKED, f"collapsed cards block every way of {count} from {here} to {square}"

    def path(self, to: int | str) -> tuple[int, ...]:
        """The cells a move walks over, start and end included; of several ways the plainest.

        Plainest: fewest steps, then round the other pawn rather than through it, then fewest turns. A pawn
        that may start anywhere does not walk: then only the end.
        """
        end = self._cell(to)
        if end not in self.moves:
            raise IllegalMoveError(self._refused(end))
        if ANYWHERE in self.steps:
            return (end,)
        start, other = self.pawns[self.to_move], self.pawns[self.to_move.other]
        ways = [
            path
            for steps in self.steps
            for path in self.board.paths(start, steps)
            if path[-1] == end and mask_of(path) & ~self.face_up == 0
        ]
        return (
            ways[0]
            if len(ways) == 1
            else min(ways, key=lambda path: (len(path), other in path, self.board.turns(path)))
        )

    def _refused(self, end: int) -> str:
        refusal = self.refusal(end)
        assert refusal is not None  # only asked of a move that is not legal
        return refusal[1]

    def play(self, to: int | str) -> Position:
        """The position after the side to move has gone to a cell (a number) or square (a name)."""
        end = self._cell(to)
        if end not in self.moves:
            raise IllegalMoveError(self._refused(end))
        start = self.pawns[self.to_move]
        cards = (*self.cards[:start], None, *self.cards[start + 1 :])
        pawns = (end, self.pawns[1]) if self.to_move is Player.RED else (self.pawns[0], end)
        return Position(cards, pawns, self.to_move.other, self.rules)

    def __str__(self) -> str:
        return board_text(self)

    @property
    def turn(self) -> str:
        """Whose turn it is, or who has won, in words."""
        if self.winner is not None:
            return f"{self.winner} has won: {self.to_move} cannot move"
        what = "choose a card to start on" if self._starts(self.to_move) else "move"
        return f"{self.to_move} to {what}"

    def cell_text(self, cell: int) -> str:
        """One cell as it is written: the card, or a dot, and the pawn on it."""
        card = self.cards[cell]
        pawn = Player(self.pawns.index(cell)).letter if cell in self.pawns else ""
        return ("." if card is None else card.letter) + pawn

    @property
    def text(self) -> str:
        """The position in our notation, as `collapsi.notation` writes it."""
        from collapsi.notation import format_position

        return format_position(self)

    def __repr__(self) -> str:
        return f"Position({self.text!r})"

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_position

        return draw_position(self)


def deal(rng: random.Random, rules: Rules = STANDARD) -> Position:
    """Shuffle and deal: cards in reading order, red on the first jack, blue on the second.

    >>> import collapsi, random
    >>> collapsi.format_position(collapsi.deal(random.Random(1)))
    'A3Jr4/2AA2/234Jb/332A r'
    """
    cards = [card for card, count in rules.cards for _ in range(count)]
    rng.shuffle(cards)
    red, blue = (cell for cell, card in enumerate(cards) if card is Card.JACK)
    return Position(tuple(cards), (red, blue), Player.RED, rules)
