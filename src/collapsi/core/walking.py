"""Base classes of states with pawns: legal walks, paths, refusals and results.

`Walking` is the base class of all kinds; a move is its end cell unless a kind defines it otherwise. `Walkers`
is the base class of the games for two: the classic game and the shifting board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.board import cells_of, mask_of
from collapsi.core.cached import cached_property
from collapsi.core.cards import ANYWHERE, Card
from collapsi.core.drawing import draw
from collapsi.core.errors import IllegalMoveError, IllegalPositionError
from collapsi.core.players import PAIR, Player
from collapsi.core.state import Outcome, Refusal, board_text, move_number
from collapsi.core.stuck import find_stuck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.reasons import Reason
    from collapsi.core.state import AnyMove, Duel, State
    from collapsi.core.stuck import Stuck
else:
    State = Duel = object  # the protocols are for the type checker only


class Walking(State):
    """A state with cards and pawns; subclasses have cards, pawns and the side to move as fields."""

    if TYPE_CHECKING:

        @property
        def others(self) -> tuple[int, ...]:
            """The cells of the pawns that are not to move."""

    @cached_property
    def face_up(self) -> int:
        """The set of face-up cards, including those under the pawns."""
        return mask_of(cell for cell, card in enumerate(self.cards) if card is not None)

    @property
    def cards_left(self) -> int:
        """The number of face-up cards."""
        return self.face_up.bit_count()

    def card(self, player: Player) -> Card:
        """Return the card that a player stands on."""
        card = self.cards[self.pawns[player]]
        assert card is not None  # `check` refuses a pawn on a collapsed card
        return card

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of steps that the side to move may choose from."""
        return self.rules.steps(self.card(self.to_move), self.to_move)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The legal end cells of the side to move, in reading order."""
        start = self.pawns[self.to_move]
        ends = 0
        for steps in self.steps:
            anywhere = steps == ANYWHERE
            ends |= self.face_up if anywhere else self.board.reach(start, steps, self.face_up)
        return tuple(cells_of(ends & ~(mask_of(self.others) | 1 << start)))

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves."""
        return self.ends

    @property
    def stuck(self) -> Stuck | None:
        """Why the side to move cannot move; None if it can, or if the kind has walks of another form."""
        if self.moves:
            return None
        cell, barred = self.pawns[self.to_move], mask_of(self.others)
        return find_stuck(self.board, self.to_move, cell, self.steps, passable=self.face_up, barred=barred)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """The reasons why it cannot arise in play; empty if the kind does not check."""
        return ()

    @cached_property
    def dealt(self) -> bool:
        """Whether it is a legal deal, so that every state played from it can arise too."""
        return self.cards_left == self.rules.board.size - self.rules.unused_jacks and not self.faults

    def shift(self, move: int) -> str | None:
        """Return the shift of a move; None if the board does not shift."""
        return None

    def move_text(self, move: int) -> str:
        """Return a move in notation: its end square."""
        return self.board.square(move)

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """Return successive moves from this state in notation."""
        return tuple(map(self.board.square, moves))

    def parse_move(self, text: str) -> int:
        """Read a move in notation; it may be illegal."""
        return self.cell_named(text)

    def end(self, move: int) -> int:
        """Return the end cell of a move, which is the move itself."""
        return move

    def cell_named(self, to: AnyMove) -> int:
        """Return the cell with this number or name; raise if the board has no such cell."""
        cell = self.board.cell(to) if isinstance(to, str) else move_number(self, to)
        if cell is None or not 0 <= cell < self.board.size:
            last = self.board.square(self.board.size - 1)
            msg = f"{to!r:.40} is no square of this board (squares are a1 to {last})"
            raise IllegalMoveError(msg)
        return cell

    def number(self, move: AnyMove) -> int:
        """Return the number of a move, legal or not; raise if the board has no such cell."""
        number = move_number(self, move)
        self.cell_named(self.end(number))
        return number

    def legal(self, move: AnyMove) -> int:
        """Return the number of a legal move; raise for an illegal one."""
        if type(move) is int and move in self.moves:  # the answers of the service have a path for every move
            return move
        number = self.number(move)
        refusal = self.refusal(number)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])
        return number

    def refusal(self, to: AnyMove) -> tuple[Refusal, str] | None:
        """Return why a move is illegal, as a type and a sentence; None for a legal move."""
        return self.walk_refusal(self.end(self.number(to)))

    def walk_refusal(self, end: int) -> tuple[Refusal, str] | None:
        """Return why the side to move may not walk to a cell, as a type and a sentence; None if it may."""
        if end in self.ends:
            return None
        board, start = self.board, self.pawns[self.to_move]
        square, here = board.square(end), board.square(start)
        count = " or ".join(map(str, self.steps)) + (" step" if self.steps == (1,) else " steps")
        if end == start:
            return Refusal.OWN_CARD, f"{self.to_move} stands on {square} already: a move ends on another card"
        if end in self.others:
            return Refusal.OCCUPIED, f"{square} is occupied: a pawn may pass the other pawn but not end there"
        if board.is_gap(end):
            return Refusal.GAP, f"{square} is a gap: there is no card"
        if self.cards[end] is None:
            return Refusal.COLLAPSED, f"{square} has collapsed"
        # A shortest walk has fewer steps than the board has cells; gaps may leave no walk at all.
        most = max(self.steps)
        near = [steps for steps in range(most + 1) if board.whole_reach(start, steps) >> end & 1]
        if not near:
            distance = next((n for n in range(board.size) if board.whole_reach(start, n) >> end & 1), None)
            if distance is None:
                return Refusal.BLOCKED, f"gaps cut {square} off from {here}"
            return (
                Refusal.TOO_FAR,
                f"{square} is {distance} steps from {here}, and {self.to_move} goes {count}",
            )
        if not any(steps in near for steps in self.steps):
            return Refusal.WRONG_COUNT, f"no way from {here} to {square} has exactly {count}"
        if any(board.reach(start, steps, self.face_up) >> end & 1 for steps in range(most)):
            return Refusal.NO_RETURN, f"{count} from {here} end on {square} only by crossing a card twice"
        return Refusal.BLOCKED, f"collapsed cards block every way of {count} from {here} to {square}"

    def path(self, to: AnyMove) -> tuple[int, ...]:
        """Return the simplest path of a move, start and end included."""
        return self.walk(self.end(self.legal(to)))

    def walk(self, end: int) -> tuple[int, ...]:
        """Return the simplest path of the pawn to a legal end cell, start and end included.

        Prefers fewest steps, then fewest pawns passed, then fewest turns. A pawn that may start anywhere does
        not walk: its path is the end cell only.
        """
        if ANYWHERE in self.steps:
            return (end,)
        start, others = self.pawns[self.to_move], set(self.others)
        ways = [
            path
            for steps in self.steps
            for needed, path in self.board.walks(start, steps, end)
            if needed & ~self.face_up == 0
        ]
        if len(ways) == 1:
            return ways[0]
        return min(ways, key=lambda path: (len(path), len(others.intersection(path)), self.board.turns(path)))

    def check_pawns(self, players: Sequence[Player]) -> None:
        """Raise if the pawn of one of these players is off the board, in a gap or on a collapsed card."""
        for player in players:
            cell = self.pawns[player]
            if not 0 <= cell < self.board.size:
                msg = f"the {player} pawn is off the board"
                raise IllegalPositionError(msg)
            if self.cards[cell] is None:
                what = "in a gap" if self.board.is_gap(cell) else "on a collapsed card"
                msg = f"the {player} pawn stands {what} at {self.board.square(cell)}"
                raise IllegalPositionError(msg)

    def __str__(self) -> str:
        return board_text(self)

    def cell_text(self, cell: int) -> str:
        """Return a cell in notation: the card, a dot or a dash, and the pawn on it."""
        card = self.cards[cell]
        if card is None:
            return "-" if self.board.is_gap(cell) else "."
        return card.letter + (Player(self.pawns.index(cell)).letter if cell in self.pawns else "")

    def _repr_svg_(self) -> str:
        return draw("svg.draw_position", self)


class Walkers(Walking, Duel):
    """A state with two pawns; the player who cannot move loses."""

    if TYPE_CHECKING:
        pawns: tuple[int, int]

    def check(self) -> None:
        """Raise if a pawn is off the board, in a gap, on a collapsed card or on the other pawn."""
        if len(self.pawns) != len(PAIR):
            msg = f"{self.rules} is played with {len(PAIR)} pawns, not {len(self.pawns)}"
            raise IllegalPositionError(msg)
        self.check_pawns(PAIR)
        if self.pawns[0] == self.pawns[1]:
            msg = f"both pawns stand on {self.board.square(self.pawns[0])}"
            raise IllegalPositionError(msg)

    @property
    def others(self) -> tuple[int, ...]:
        """The cell of the pawn that is not to move."""
        return (self.pawns[self.to_move.other],)

    def outcome(self, points: int) -> Outcome:
        """Return the outcome if the side to move ends `points` ahead under perfect play.

        The winner's points are the cards left, and every move collapses one card, so the points determine the
        number of plies. The choice of a card to start on is a move, but not a ply.
        """
        left = abs(points)
        winner = self.to_move if points > 0 else self.to_move.other
        plies = moves = self.cards_left - left
        if self.rules.uncounted:
            plies -= sum(map(self._starts, (self.to_move, self.to_move.other)[:moves]))
        return Outcome(winner, plies, left if winner is Player.RED else -left)

    def _starts(self, player: Player) -> bool:
        """Return whether a player has still to choose a card to start on."""
        return bool(self.rules.uncounted) and self.card(player) is Card.JACK

    @property
    def winner(self) -> Player | None:
        """The winner, or None while the side to move has a legal move."""
        return None if self.ends else self.to_move.other

    @property
    def result(self) -> tuple[int, int] | None:
        """The points of red and blue, one to the winner for each card left; None until the game is over."""
        if self.winner is None:
            return None
        return (self.cards_left, 0) if self.winner is Player.RED else (0, self.cards_left)

    @property
    def turn(self) -> str:
        """The side to move or the winner, in words."""
        if self.winner is not None:
            return f"{self.winner} has won: {self.to_move} cannot move"
        what = "choose a card to start on" if self._starts(self.to_move) else "move"
        return f"{self.to_move} to {what}"
