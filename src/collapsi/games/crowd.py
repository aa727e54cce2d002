"""The big board: two to four pawns, and who cannot move on their turn is out while the others play on.

A walk is that of the classic game; other pawns may be passed, as many as there are, never landed on. Who is
to move and cannot is out at once: the pawn leaves, its card stays face up, and the next player's turn it is.
So several may go out one after the other, and a state in which the side to move is stuck is never built. The
last one left has won, also where no move would be left to it.

Points go by the order of going out: none to the first, one to the second, and so on (`points`). With two
players the state's `result` is that of the classic game instead, the cards left to the winner, so that
perfect play wins as soon as possible and holds out as long as possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.rules import BIG, PAIR, Card, CrowdRules, Player
from collapsi.state import Outcome, Refusal
from collapsi.walking import Walking

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.board import Board
    from collapsi.faults import Reason

OUT = -1
"""In place of a cell: the pawn has left the board."""


class StuckError(IllegalPositionError):
    """Several are left, and the one to move cannot: no state, because who is stuck is out at once."""


@dataclass(frozen=True, repr=False)
class Crowd(Walking):
    """Cards by cell (None has collapsed), each player's pawn or `OUT`, the side to move, who is out in order.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
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
    rules: CrowdRules = field(default=BIG, hash=False)

    def __post_init__(self) -> None:
        if len(self.cards) != self.board.size:
            msg = f"{self.rules} is played with {self.board.size} cards, not {len(self.cards)}"
            raise IllegalPositionError(msg)
        if len(self.pawns) != self.rules.players:
            msg = f"{self.rules} is played with {self.rules.players} pawns, not {len(self.pawns)}"
            raise IllegalPositionError(msg)
        missing = {player for player in self.rules.seats if self.pawns[player] == OUT}
        if missing != set(self.out) or len(missing) != len(self.out):
            msg = f"those who are out must be those without a pawn, each once: {_names(self.out) or 'nobody'}"
            raise IllegalPositionError(msg)
        if self.to_move not in self.left:
            msg = (
                f"{self.to_move} cannot be to move: it is {'out' if self.to_move in self.out else 'not here'}"
            )
            raise IllegalPositionError(msg)
        for player in self.left:
            cell = self.pawns[player]
            if not 0 <= cell < self.board.size:
                msg = f"the {player} pawn is off the board"
                raise IllegalPositionError(msg)
            if self.cards[cell] is None:
                msg = f"the {player} pawn stands on a collapsed card at {self.board.square(cell)}"
                raise IllegalPositionError(msg)
            first = Player(self.pawns.index(cell))
            if first is not player:
                msg = f"the {first} and the {player} pawn both stand on {self.board.square(cell)}"
                raise IllegalPositionError(msg)
        if not self.over and not self.ends:
            msg = f"{self.to_move} cannot move and so is out: `Crowd.at` says who plays on"
            raise StuckError(msg)

    @classmethod
    def at(
        cls,
        cards: tuple[Card | None, ...],
        pawns: tuple[int, ...],
        to_move: Player,
        out: tuple[Player, ...] = (),
        rules: CrowdRules = BIG,
    ) -> Crowd:
        """The state that follows from these cards and pawns: who is to move and cannot goes out."""
        while True:
            try:
                return cls(cards, pawns, to_move, out, rules)
            except StuckError:
                pawns = (*pawns[:to_move], OUT, *pawns[to_move + 1 :])
                out = (*out, to_move)
                to_move = _next(to_move, pawns)

    @property
    def board(self) -> Board:
        """The torus it is played on."""
        return self.rules.board

    @property
    def left(self) -> tuple[Player, ...]:
        """The players who are not out, in the order in which they move."""
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
        """Who has won, or None while several are left."""
        return self.to_move if self.over else None

    @property
    def points(self) -> tuple[int, ...] | None:
        """What the round is worth to each player when it is over: as many points as went out before."""
        if not self.over:
            return None
        order = (*self.out, self.to_move)
        return tuple(order.index(player) for player in self.rules.seats)

    @property
    def result(self) -> tuple[int, ...] | None:
        """The points of each player when the game is over; with two players the cards left to the winner."""
        if self.over and self.rules.players == len(PAIR):
            return tuple(self.cards_left if player is self.to_move else 0 for player in PAIR)
        return self.points

    def outcome(self, points: int) -> Outcome:
        """What it means, for two players, that the side to move ends so many points ahead under perfect play.

        The winner's points are the cards left, and every move collapses one: so they tell how long it takes.
        """
        if self.rules.players != len(PAIR):
            msg = f"only with two players does one number say how it ends, and {self.rules} has more"
            raise IllegalPositionError(msg)
        winner = self.to_move if points > 0 else self.to_move.other
        left = abs(points)
        return Outcome(winner, self.cards_left - left, left if winner is Player.RED else -left)

    def refusal(self, to: int | str) -> tuple[Refusal, str] | None:
        """Why the side to move may not go there, as a kind and a sentence; None for a legal move."""
        end = self.cell_named(to)
        if self.over:
            return Refusal.OVER, f"the game is over: {self.to_move} is the last one left"
        return self.walk_refusal(end)

    def path(self, to: int | str) -> tuple[int, ...]:
        """The cells a move walks over, start and end included; of several ways the plainest."""
        self._allow(to)
        return self.walk(self.cell_named(to))

    def play(self, to: int | str) -> Crowd:
        """The state after the side to move has gone to a cell (a number) or square (a name)."""
        self._allow(to)
        end, start = self.cell_named(to), self.pawns[self.to_move]
        cards = (*self.cards[:start], None, *self.cards[start + 1 :])
        pawns = (*self.pawns[: self.to_move], end, *self.pawns[self.to_move + 1 :])
        return Crowd.at(cards, pawns, _next(self.to_move, pawns), self.out, self.rules)

    def _allow(self, to: int | str) -> None:
        refusal = self.refusal(to)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])

    @property
    def turn(self) -> str:
        """Whose turn it is and who is out, or who has won, in words."""
        if self.over:
            last = self.out[-1]
            before = f" ({_names(self.out[:-1])} went out before)" if self.out[:-1] else ""
            return f"{self.to_move} has won: {last} cannot move{before}"
        gone = f"; out: {_names(self.out)}" if self.out else ""
        return f"{self.to_move} to move{gone}"

    @property
    def dealt(self) -> bool:
        """Whether it is a deal as it comes from the pack; then whatever is played from it can arise too."""
        return self.cards_left == self.board.size - self.rules.unused_jacks and not self.faults

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Reasons why it cannot arise in play, as `collapsi.faults` names them."""
        from collapsi.faults import crowd_status

        return crowd_status(self)

    @property
    def text(self) -> str:
        """The state in our notation, as `collapsi.games.crowd_notation` writes it."""
        from collapsi.games.crowd_notation import format_crowd

        return format_crowd(self)

    def __repr__(self) -> str:
        return f"Crowd({self.text!r})"


def deal_crowd(rng: random.Random, rules: CrowdRules = BIG) -> Crowd:
    """Shuffle and deal: cards in reading order, each player on the next jack; unused jacks are collapsed.

    >>> import random
    >>> deal_crowd(random.Random(1), BIG).text
    '43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big'
    """
    cards = [card for card, count in rules.cards for _ in range(count)]
    rng.shuffle(cards)
    return lay_crowd(cards, rules)


def lay_crowd(cards: Sequence[Card], rules: CrowdRules = BIG) -> Crowd:
    """The deal of these cards, laid down in reading order.

    >>> from collapsi.rules import FIVE3
    >>> cards = [card for card, count in FIVE3.cards for _ in range(count)]
    >>> lay_crowd(cards, FIVE3).text
    'JrJbJgAA/AAAA2/22222/33333/34444 r five3'
    """
    jacks = [cell for cell, card in enumerate(cards) if card is Card.JACK]
    unused = jacks[rules.players :]
    left = tuple(None if cell in unused else card for cell, card in enumerate(cards))
    return Crowd.at(left, tuple(jacks[: rules.players]), Player.RED, (), rules)


def went_out(before: Crowd, after: Crowd) -> list[str]:
    """Who went out by a move, in words.

    >>> from collapsi.games.crowd_notation import parse_crowd
    >>> state = parse_crowd("..A.../..3.../..A.../.2rA.../..2b.../...... r big")
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


def _next(player: Player, pawns: tuple[int, ...]) -> Player:
    """Whose turn it is after a player's: the next who is not out."""
    return next(
        Player(seat % len(pawns))
        for seat in range(player + 1, player + 1 + len(pawns))
        if pawns[seat % len(pawns)] != OUT
    )


def _names(players: tuple[Player, ...]) -> str:
    return ", ".join(map(str, players))
