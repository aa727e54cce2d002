"""Pawns on a board of cards: where the one to move may walk, how, why not, and what the end is worth.

`Walking` is what all games with several pawns share, whatever else a move does; `Walkers` adds what the games
for two have in common: the classic game (`collapsi.position`), where a walk is the whole move, and the
shifting board (`collapsi.games.shifting`). With up to four pawns: `collapsi.games.crowd`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.board import cells_of, mask_of
from collapsi.errors import IllegalMoveError, IllegalPositionError
from collapsi.lazy import lazy
from collapsi.rules import ANYWHERE, PAIR, Card, Player
from collapsi.state import Outcome, Refusal, board_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

    from collapsi.games.shifting import Shifting
    from collapsi.rules import CrowdRules, Rules
    from collapsi.state import Duel, State
else:
    State = Duel = object  # what a kind of game offers is for it to say: `collapsi.state`


def shifts(state: State) -> TypeGuard[Shifting]:
    """Whether a state is of the shifting board; asked so that nobody loads that kind who does not play it.

    >>> import collapsi
    >>> shifts(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"))
    False
    """
    return getattr(state.rules, "shift", None) is not None


class Walking(State):
    """Cards by cell, the pawn of each player, and the side to move, which a kind of game has as fields."""

    if TYPE_CHECKING:
        cards: tuple[Card | None, ...]
        to_move: Player

        @property
        def rules(self) -> Rules | CrowdRules:
            """By which rules it is played."""

        @property
        def others(self) -> tuple[int, ...]:
            """The cells of the pawns that are not to move."""

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
        assert card is not None  # `check` refuses a pawn on a collapsed card
        return card

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of steps that the side to move may choose from."""
        return self.rules.steps(self.card(self.to_move), self.to_move)

    @lazy
    def ends(self) -> tuple[int, ...]:
        """The cells where the side to move may end, in reading order."""
        start = self.pawns[self.to_move]
        ends = 0
        for steps in self.steps:
            anywhere = steps == ANYWHERE
            ends |= self.face_up if anywhere else self.board.reach(start, steps, self.face_up)
        return tuple(cells_of(ends & ~(mask_of(self.others) | 1 << start)))

    def shift(self, move: int) -> str | None:  # noqa: ARG002
        """Where a move shifts the line that it ends on; None where boards stay as they are."""
        return None

    def move_text(self, move: int) -> str:
        """How a move is written: its end square, where a walk is all of it."""
        return self.board.square(move)

    def line_text(self, moves: Sequence[int]) -> tuple[str, ...]:
        """How moves are written that are played one after the other from here."""
        return tuple(map(self.board.square, moves))

    def parse_move(self, text: str) -> int:
        """The move that is written so, legal or not."""
        return self.cell_named(text)

    def end(self, move: int) -> int:
        """The cell where a move ends: a move is its end cell."""
        return move

    def cell_named(self, to: int | str) -> int:
        """The cell of a number or name, which must be one of this board."""
        cell = self.board.cell(to) if isinstance(to, str) else to
        if cell is None or not 0 <= cell < self.board.size:
            last = self.board.square(self.board.size - 1)
            msg = f"{to!r:.40} is no square of this board (squares are a1 to {last})"
            raise IllegalMoveError(msg)
        return cell

    def walk_refusal(self, end: int) -> tuple[Refusal, str] | None:
        """Why the side to move may not go to a cell, as a kind and a sentence; None where it may."""
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
        # No walk without a detour is longer than there are cards, and gaps may cut a card off from all.
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

    def walk(self, end: int) -> tuple[int, ...]:
        """The cells that the pawn walks over to a cell, start and end included; of several ways the plainest.

        Plainest: fewest steps, then round other pawns rather than through them, then fewest turns. A pawn
        that may start anywhere does not walk: then only the end.
        """
        refusal = self.walk_refusal(end)
        if refusal is not None:
            raise IllegalMoveError(refusal[1])
        if ANYWHERE in self.steps:
            return (end,)
        start, others = self.pawns[self.to_move], set(self.others)
        ways = [
            path
            for steps in self.steps
            for path in self.board.paths(start, steps)
            if path[-1] == end and mask_of(path) & ~self.face_up == 0
        ]
        return (
            ways[0]
            if len(ways) == 1
            else min(
                ways, key=lambda path: (len(path), len(others.intersection(path)), self.board.turns(path))
            )
        )

    def __str__(self) -> str:
        return board_text(self)

    def cell_text(self, cell: int) -> str:
        """One cell as it is written: the card, a dot or a dash, and the pawn on it."""
        card = self.cards[cell]
        if card is None:
            return "-" if self.board.is_gap(cell) else "."
        return card.letter + (Player(self.pawns.index(cell)).letter if cell in self.pawns else "")

    def _repr_svg_(self) -> str:
        from collapsi.drawing import draw_position

        return draw_position(self)


class Walkers(Walking, Duel):
    """Two pawns; who cannot move loses."""

    if TYPE_CHECKING:
        pawns: tuple[int, int]
        rules: Rules

    def check(self) -> None:
        """Refuse what cannot be understood: pawns that stand nowhere, on a collapsed card, on each other."""
        for player, cell in zip(PAIR, self.pawns, strict=True):
            if not 0 <= cell < self.board.size:
                msg = f"the {player} pawn is off the board"
                raise IllegalPositionError(msg)
            if self.cards[cell] is None:
                what = "in a gap" if self.board.is_gap(cell) else "on a collapsed card"
                msg = f"the {player} pawn stands {what} at {self.board.square(cell)}"
                raise IllegalPositionError(msg)
        if self.pawns[0] == self.pawns[1]:
            msg = f"both pawns stand on {self.board.square(self.pawns[0])}"
            raise IllegalPositionError(msg)

    @property
    def others(self) -> tuple[int, ...]:
        """The cell of the pawn that is not to move."""
        return (self.pawns[self.to_move.other],)

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
        return None if self.ends else self.to_move.other

    @property
    def result(self) -> tuple[int, int] | None:
        """The points of red and blue when the game is over: one for each card left, to the winner."""
        if self.winner is None:
            return None
        return (self.cards_left, 0) if self.winner is Player.RED else (0, self.cards_left)

    @property
    def turn(self) -> str:
        """Whose turn it is, or who has won, in words."""
        if self.winner is not None:
            return f"{self.winner} has won: {self.to_move} cannot move"
        what = "choose a card to start on" if self._starts(self.to_move) else "move"
        return f"{self.to_move} to {what}"
