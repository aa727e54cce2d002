"""A kind of game in one file: pawns that cannot turn, on three rows of four cards with the numbers 1 to 3.

Everything else (notation of moves, command line, API, page, review, opponents, OpenSpiel) comes from the
contract. `COLLAPSI_KINDS=tests.toy_kind collapsi deal --rules straight` deals it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from collapsi.core.board import Board
from collapsi.core.cards import Card, jacks_of
from collapsi.core.faults import too_many_cards, wrong_jacks, wrong_turn
from collapsi.core.game import Game
from collapsi.core.players import PAIR, Player
from collapsi.core.rows import CARDS, format_cells, parse_rows, parse_side, pawn_names
from collapsi.core.rules import RuleSet
from collapsi.core.state import Refusal
from collapsi.core.walking import Walkers
from collapsi.core.words import play_words
from collapsi.games.kind import Can, Kind
from collapsi.games.reference_solver import ReferenceSolver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.reasons import Reason
    from collapsi.core.state import AnyMove


class StraightRules(RuleSet):
    """A pawn goes as many steps as its card says, from a jack one."""

    kind = "straight"

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:  # noqa: ARG002
        """The number of steps that a player on this card goes."""
        return (max(int(card), 1),)


STRAIGHT = StraightRules(
    name="straight",
    title="Straight on",
    summary="pawns cannot turn, on three rows of four cards",
    text="A pawn goes straight on: it cannot turn.",
    board=Board(3, 4),
    cards=((Card.JACK, 2), (Card.ACE, 4), (Card.TWO, 4), (Card.THREE, 2)),
)


@dataclass(frozen=True, repr=False)
class Straight(Walkers):
    """Cards by cell, the cells of the two pawns, the side to move."""

    cards: tuple[Card | None, ...]
    pawns: tuple[int, int]
    to_move: Player = Player.RED
    rules: StraightRules = field(default=STRAIGHT, hash=False)

    @property
    def board(self) -> Board:
        """The torus it is played on."""
        return self.rules.board

    @property
    def ways(self) -> dict[int, tuple[int, ...]]:
        """The straight walks over face-up cards, by end cell."""
        start, (steps,), columns = self.pawns[self.to_move], self.steps, self.board.columns
        found: dict[int, tuple[int, ...]] = {}
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            rows = [(start // columns + step * down) % self.board.rows for step in range(steps + 1)]
            cells = [
                row * columns + (start % columns + step * right) % columns for step, row in enumerate(rows)
            ]
            free = all(self.cards[cell] is not None for cell in cells) and len(set(cells)) == len(cells)
            if free and cells[-1] not in self.others:
                found.setdefault(cells[-1], tuple(cells))
        return found

    @property
    def ends(self) -> tuple[int, ...]:
        """The cells where the side to move may end, in reading order."""
        return tuple(sorted(self.ways))

    moves = ends

    def refusal(self, to: AnyMove) -> tuple[Refusal, str] | None:
        """Why the side to move may not go there; None for a legal move."""
        end = self.number(to)
        if end in self.ways:
            return None
        return Refusal.BLOCKED, f"no straight walk of the right length leads to {self.board.square(end)}"

    def path(self, to: AnyMove) -> tuple[int, ...]:
        """The cells of the walk."""
        return self.ways[self.legal(to)]

    def play(self, move: AnyMove) -> Straight:
        """The state after a move."""
        start, *_, end = self.path(move)
        cards = tuple(None if cell == start else card for cell, card in enumerate(self.cards))
        pawns = (end, self.pawns[1]) if self.to_move is Player.RED else (self.pawns[0], end)
        return Straight(cards, pawns, self.to_move.other)

    @property
    def faults(self) -> tuple[Reason, ...]:
        """Reasons why it cannot arise in play."""
        return (*too_many_cards(self), *wrong_turn(self), *wrong_jacks(self))

    @property
    def text(self) -> str:
        """The state in our notation."""
        return f"{format_cells(self)} {self.to_move.letter} {self.rules}"


class StraightKind(Kind):
    """The kind as the program sees it."""

    name = "straight"
    title = "the straight game"
    rule_sets: ClassVar = {STRAIGHT.name: STRAIGHT}
    can = frozenset({Can.COUNT_GAMES, Can.COACH, Can.REVIEW, Can.OPPONENTS, Can.STUDY})
    solver = ReferenceSolver()
    opponents = None

    def parse(self, words: list[str], rules: Any, named: str | None) -> Game[Straight]:  # noqa: ARG002
        """Read a game from its words."""
        rows, side, *rest = words if len(words) > 1 else [*words, ""]
        texts, cells = parse_rows(rows.split("/"), STRAIGHT.board, "A23J.", pawn_names(PAIR), "card")
        state = Straight(tuple(map(CARDS.get, texts)), (cells["R"], cells["B"]), parse_side(side, PAIR))
        state.check()
        return play_words(Game.start(state), rest[1:] if rest and rest[0] == named else rest)

    def lay(self, cards: Sequence[Card], rules: Any) -> Straight:  # noqa: ARG002
        """The deal of these cards."""
        red, blue = jacks_of(cards)
        return Straight(tuple(cards), (red, blue))


KIND = StraightKind()
