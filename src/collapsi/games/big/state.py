"""States of the big board: two to four pawns, and a player who cannot move is out while the others play on.

A walk is that of the classic game; it may pass any number of other pawns, but not end on one. A player who
is to move and cannot is out at once: the pawn leaves, its card stays face up, and it is the next player's
turn. So several players may go out one after the other, and in a valid state the side to move can move. The
last player left has won, even without a legal move.

Points follow the order of going out: none for the first, one for the second, and so on (`points`). With two
players the `result` of a state is that of the classic game instead, the cards left to the winner, so that
perfect play wins as soon as possible and loses as late as possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.core.board import mask_of
from collapsi.core.cards import jacks_of
from collapsi.core.errors import IllegalPositionError
from collapsi.core.players import PAIR, Player
from collapsi.core.rows import format_cells
from collapsi.core.state import Outcome, Refusal
from collapsi.core.stuck import find_stuck
from collapsi.core.walking import Walking
from collapsi.games.big.rules import BIG, BigRules
from collapsi.games.registry import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.board import Board
    from collapsi.core.cards import Card
    from collapsi.core.reasons import Reason
    from collapsi.core.state import AnyMove
    from collapsi.core.stuck import Stuck

OUT = -1
"""In place of a cell: the player is out."""


class StuckError(IllegalPositionError):
    """The side to move cannot move and is out, so this is not a valid state."""


@dataclass(frozen=True, repr=False)
class BigState(Walking):
    """A state: cards (None has collapsed), pawns (or `OUT`), the side to move, the players out in order.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    >>> print(state.play("c3"))
       a  b  c  d  e  f
    1  .  .  .  .  .  .
    2  .  .  .  3  .  .
    3  .  A  Ar .  .  .
    4  .  3b 4g .  .  .
    5  .  .  3  .  .  .
    6  .  .  .  .  .  .
    blue to move
    """

    cards: tuple[Card | None, ...]
    pawns: tuple[int, ...]
    to_move: Player = Player.RED
    out: tuple[Player, ...] = ()
    rules: BigRules = field(default=BIG, hash=False)

    def __post_init__(self) -> None:
        if len(self.cards) != self.board.size:
            msg = f"{self.rules} is played with {self.board.size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        if len(self.pawns) != self.rules.players:
            msg = f"{self.rules} is played with {self.rules.players} pawns, not {len(self.pawns)}"
            raise IllegalPositionError(msg)
        missing = {player for player in self.rules.seats if self.pawns[player] == OUT}
        if missing != set(self.out) or len(missing) != len(self.out):
            msg = f"exactly the players without a pawn must be out, each once: {_names(self.out) or 'none'}"
            raise IllegalPositionError(msg)
        if self.to_move not in self.left:
            msg = (
                f"{self.to_move} cannot be to move: it is {'out' if self.to_move in self.out else 'not here'}"
            )
            raise IllegalPositionError(msg)
        self.check_pawns(self.left)
        for player in self.left:
            cell = self.pawns[player]
            first = Player(self.pawns.index(cell))
            if first is not player:
                msg = f"the {first} and the {player} pawn both stand on {self.board.square(cell)}"
                raise IllegalPositionError(msg)
        if not self.over and not self.ends:
            msg = f"{self.to_move} cannot move and so is out: `BigState.at` returns the state that follows"
            raise StuckError(msg)

    @classmethod
    def at(
        cls,
        cards: tuple[Card | None, ...],
        pawns: tuple[int, ...],
        to_move: Player,
        out: tuple[Player, ...] = (),
        rules: BigRules = BIG,
    ) -> BigState:
        """Return the state with these cards and pawns; a player who is to move and cannot goes out."""
        while True:
            try:
                return cls(cards, pawns, to_move, out, rules)
            except StuckError:
                pawns = (*pawns[:to_move], OUT, *pawns[to_move + 1 :])
                out = (*out, to_move)
                to_move = _next(to_move, pawns)

    @property
    def board(self) -> Board:
        """The board, a torus."""
        return self.rules.board

    @property
    def left(self) -> tuple[Player, ...]:
        """The players who are not out, in the order of their turns."""
        return tuple(player for player in self.rules.seats if self.pawns[player] != OUT)

    @property
    def others(self) -> tuple[int, ...]:
        """The cells of the pawns that are not to move."""
        return tuple(self.pawns[player] for player in self.left if player is not self.to_move)

    @property
    def over(self) -> bool:
        """Whether only one player is left."""
        return len(self.out) == self.rules.players - 1

    @property
    def moves(self) -> tuple[int, ...]:
        """The cells where the side to move may end, in reading order; none when the game is over."""
        return () if self.over else self.ends

    @property
    def winner(self) -> Player | None:
        """The winner, or None while several players are left."""
        return self.to_move if self.over else None

    @property
    def points(self) -> tuple[int, ...] | None:
        """The points of each player once the round is over: the number of players who went out before."""
        if not self.over:
            return None
        order = (*self.out, self.to_move)
        return tuple(order.index(player) for player in self.rules.seats)

    @property
    def result(self) -> tuple[int, ...] | None:
        """The points of each player once the game is over; with two players the cards left to the winner."""
        if self.over and self.rules.players == len(PAIR):
            return tuple(self.cards_left if player is self.to_move else 0 for player in PAIR)
        return self.points

    def outcome(self, points: int) -> Outcome:
        """Return the outcome of a game for two in which the side to move ends this many points ahead.

        The winner's points are the cards left, and every ply collapses one, so they determine the length.
        """
        if self.rules.players != len(PAIR):
            msg = f"only with two players does one number describe the outcome, and {self.rules} has more"
            raise IllegalPositionError(msg)
        winner = self.to_move if points > 0 else self.to_move.other
        left = abs(points)
        return Outcome(winner, self.cards_left - left, left if winner is Player.RED else -left)

    def refusal(self, to: AnyMove) -> tuple[Refusal, str] | None:
        """Return why a move is illegal, as a kind and a sentence; None for a legal move."""
        if self.over:
            self.number(to)  # raises if the board has no such cell
            return Refusal.OVER, f"the game is over: {self.to_move} is the last one left"
        return super().refusal(to)

    def play(self, to: AnyMove) -> BigState:
        """Return the state after a move to a cell (a number) or square (a name)."""
        end, start = self.legal(to), self.pawns[self.to_move]
        cards = (*self.cards[:start], None, *self.cards[start + 1 :])
        pawns = (*self.pawns[: self.to_move], end, *self.pawns[self.to_move + 1 :])
        return BigState.at(cards, pawns, _next(self.to_move, pawns), self.out, self.rules)

    @property
    def turn(self) -> str:
        """The side to move and the players out, or the winner, in words."""
        if self.over:
            last = self.out[-1]
            before = f" ({_names(self.out[:-1])} went out before)" if self.out[:-1] else ""
            return f"{self.to_move} has won: {last} cannot move{before}"
        gone = f"; out: {_names(self.out)}" if self.out else ""
        return f"{self.to_move} to move{gone}"

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Reasons why the state cannot arise in play."""
        return kind_of(self).find_faults(self)

    @property
    def text(self) -> str:
        """The state in the notation of `collapsi.games.big.notation`."""
        text = f"{format_cells(self)} {self.to_move.letter} {self.rules}"
        return f"{text} out:{''.join(player.letter for player in self.out)}" if self.out else text

    def __repr__(self) -> str:
        return f"BigState({self.text!r})"


def lay_big(cards: Sequence[Card], rules: BigRules = BIG) -> BigState:
    """Return the deal of these cards in reading order, each player on the next jack; unused jacks collapse.

    >>> from collapsi.games.big.rules import FIVE3
    >>> cards = [card for card, count in FIVE3.cards for _ in range(count)]
    >>> lay_big(cards, FIVE3).text
    'JrJbJgAA/AAAA2/22222/33333/34444 r five3'
    """
    jacks = jacks_of(cards)
    unused = jacks[rules.players :]
    left = tuple(None if cell in unused else card for cell, card in enumerate(cards))
    return BigState.at(left, tuple(jacks[: rules.players]), Player.RED, (), rules)


def went_out(before: BigState, after: BigState) -> list[str]:
    """Return a sentence for each player who goes out by a move.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> went_out(state, state.play("c3"))
    ['blue cannot move and is out, with no points; the card on c5 stays face up']
    """
    lines = []
    for player in after.out[len(before.out) :]:
        points = after.out.index(player)
        many = "no points" if not points else "1 point" if points == 1 else f"{points} points"
        square = before.board.square(before.pawns[player])
        lines.append(f"{player} cannot move and is out, with {many}; the card on {square} stays face up")
    return lines


def find_stuck_players(before: BigState, after: BigState) -> list[Stuck]:
    """Return why each player who goes out by a move cannot move.

    >>> from collapsi.games.big.notation import parse_big
    >>> state = parse_big("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
    >>> [stuck.walks for stuck in find_stuck_players(state, state.play("c3"))]
    [((26, 20, 14),)]
    """
    mover = before.to_move
    found = []
    pawns = list(before.pawns)
    pawns[mover] = after.pawns[mover]
    for player in after.out[len(before.out) :]:
        cell, pawns[player] = pawns[player], OUT
        card = after.cards[cell]
        assert card is not None  # the card of a player who goes out stays face up
        stuck = find_stuck(
            after.board,
            player,
            cell,
            after.rules.steps(card, player),
            passable=after.face_up,
            barred=mask_of(other for other in pawns if other != OUT),
        )
        found += [stuck] if stuck else []
    return found


def _next(player: Player, pawns: tuple[int, ...]) -> Player:
    """Return the next player who is not out."""
    return next(
        Player(seat % len(pawns))
        for seat in range(player + 1, player + 1 + len(pawns))
        if pawns[seat % len(pawns)] != OUT
    )


def _names(players: tuple[Player, ...]) -> str:
    return ", ".join(map(str, players))
