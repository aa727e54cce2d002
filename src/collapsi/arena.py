"""A game as the libraries for learning and search ask for it: dealt card by card, moves and board in numbers.

`collapsi.openspiel` and `collapsi.pettingzoo` are made of it; who may move where, and who has won, it asks of
the state (`collapsi.state`).

*Actions.* A move has the number of its end cell, as the rows are read. Where moves also shift a line it is
four times that, and the number of the way: right, left, down, up. Boards that may grow are numbered in a
frame so large that nothing that is played leaves it, with the board in its upper left corner.

*Planes.* A board is seen as planes of its size, of noughts and ones: a plane for each card (jack, ace, two,
three, four), one for collapsed cards, one for each pawn, and one for each player that is all ones when it is
that player's turn. Who looks comes first among the players, then who moves after, and so on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.errors import CollapsiError, IllegalMoveError
from collapsi.lazy import lazy
from collapsi.notation import is_of_crowd, parse_position, parse_rules
from collapsi.position import deal, lay
from collapsi.rules import PAIR, STANDARD, Card, CrowdRules, Rules
from collapsi.state import few

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.state import State

WAYS = "rldu"
"""The ways to shift a line, in the order of their numbers."""

ON_CARDS = len(Card) + 1
"""The planes that say what lies on a cell: each card, and one for those that have collapsed."""


@dataclass(frozen=True)
class Arena:
    """A game to be played many times: by which rules, from which deal if not a new one each time, for what.

    >>> arena = make_arena("shift-rotate")
    >>> arena.players, arena.actions, arena.shape
    (2, 64, (10, 4, 4))
    >>> import random
    >>> state = arena.deal(random.Random(1))
    >>> [(number, state.move_text(move)) for number, move in arena.numbered(state).items()][:3]
    [(4, 'b1r'), (5, 'b1l'), (6, 'b1d')]
    """

    rules: Rules | CrowdRules
    start: State | None = None
    """Where each game begins; None: with a new deal."""
    points: bool = False
    """Whether points count, not only who wins."""

    @property
    def players(self) -> int:
        """How many play."""
        return self.rules.players if isinstance(self.rules, CrowdRules) else len(PAIR)

    @property
    def cards(self) -> int:
        """How many cards are face up at the start at the most: each move collapses one."""
        if self.start is None:
            return self.rules.board.size
        return sum(card is not None for card in self.start.cards)

    @property
    def most_moves(self) -> int:
        """No game has more: two cards are left, one that somebody cannot leave and one under the winner."""
        return self.cards - len(PAIR)

    @lazy
    def frame(self) -> tuple[int, int]:
        """The rows and columns that hold every board of the game; a shift makes one longer by one at most."""
        board = self.rules.board if self.start is None else self.start.board
        grows = isinstance(self.rules, Rules) and self.rules.leaves_square
        more = self.most_moves if grows else 0
        return board.rows + more, board.columns + more

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many planes, rows and columns."""
        return (ON_CARDS + 2 * self.players, *self.frame)

    @property
    def actions(self) -> int:
        """How many numbers moves have."""
        rows, columns = self.frame
        return rows * columns * (len(WAYS) if self.shifts else 1)

    @property
    def shifts(self) -> bool:
        """Whether moves shift a line."""
        return isinstance(self.rules, Rules) and self.rules.shift is not None

    def numbered(self, state: State) -> dict[int, int]:
        """The moves that may be played, by their numbers, which ascend."""
        return {self.number(state, move): move for move in state.moves}

    def number(self, state: State, move: int) -> int:
        """The number of a move: a state may call it something else."""
        row, column = divmod(state.end(move), state.board.columns)
        cell = row * self.frame[1] + column
        if not self.shifts:
            return cell
        return len(WAYS) * cell + WAYS.index(state.move_text(move)[-1])

    def play(self, state: State, number: int) -> State:
        """The state after the move of that number."""
        moves = self.numbered(state)
        if number not in moves:
            choice = f"choose one of {', '.join(few(list(map(str, moves))))}" if moves else state.turn
            msg = f"{number} is no move of {state.to_move}: {choice}"
            raise IllegalMoveError(msg)
        return state.play(moves[number])

    def planes(
        self, cards: Sequence[Card | None], state: State | None, observer: int
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a player sees: of a state, or of the cards that have been dealt so far."""
        board = self.rules.board if state is None else state.board
        planes = np.zeros(self.shape, np.float32)
        for cell, card in enumerate(cards):
            if not board.is_gap(cell):
                planes[(ON_CARDS - 1 if card is None else int(card), *divmod(cell, board.columns))] = 1
        if state is not None:
            for seat, cell in enumerate(state.pawns):
                if cell >= 0:
                    plane = ON_CARDS + (seat - observer) % self.players
                    planes[(plane, *divmod(cell, board.columns))] = 1
            planes[ON_CARDS + self.players + (state.to_move - observer) % self.players] = 1
        return planes

    def deal(self, rng: random.Random) -> State:
        """Where a game begins."""
        if self.start is not None:
            return self.start
        if isinstance(self.rules, Rules):
            return deal(rng, self.rules)
        from collapsi.games.crowd import deal_crowd

        return deal_crowd(rng, self.rules)

    def lay(self, cards: Sequence[Card]) -> State:
        """The deal of these cards."""
        if isinstance(self.rules, Rules):
            return lay(cards, self.rules)
        from collapsi.games.crowd import lay_crowd

        return lay_crowd(cards, self.rules)

    def next_card(self, cards: Sequence[Card]) -> dict[Card, float]:
        """How likely each card is to be dealt next after these, such that every possible deal is as likely as
        any other.

        >>> make_arena("standard").next_card([Card.JACK] * 2)[Card.ACE] * 14
        4.0
        """
        left = Counter(self.rules.deck) - Counter(cards)
        if isinstance(self.rules, Rules):
            laid = tuple(cell for cell, card in enumerate(cards) if card is Card.JACK)
            jack = _share_of_jack(self.rules, laid, len(cards))
        else:
            jack = left[Card.JACK] / left.total()
        numbers = left.total() - left[Card.JACK]
        shares = {Card.JACK: jack}
        shares.update(
            (card, (1 - jack) * left[card] / numbers) for card in sorted(left) if card is not Card.JACK
        )
        return {card: share for card, share in shares.items() if share}

    def returns(self, state: State | None) -> list[float]:
        """What a game is worth to each player; nothing before it is over.

        If only winning counts, the winner has 1, and the others share -1. If points count, two players have
        the difference of theirs, and three or four have what the round brings them.
        """
        result = None if state is None else state.result
        if result is None:
            return [0.0] * self.players
        if not self.points:
            return [1.0 if points == max(result) else -1 / (self.players - 1) for points in result]
        if self.players == len(PAIR):
            return [float(result[0] - result[1]), float(result[1] - result[0])]
        return [float(points) for points in result]

    @property
    def extremes(self) -> tuple[float, float]:
        """The least and the most that a game can be worth to a player."""
        if not self.points:
            return -1 / (self.players - 1), 1.0
        if self.players == len(PAIR):
            return 1.0 - self.cards, self.cards - 1.0  # a game has at least one move, which collapses a card
        return 0.0, self.players - 1.0

    @property
    def total(self) -> float:
        """What a game is worth to all players together: the points of a round, or else nothing."""
        return sum(range(self.players)) if self.points and self.players > len(PAIR) else 0.0


def make_arena(rules: str = STANDARD.name, deal: str = "", *, points: bool = False) -> Arena:
    """The game by the rules of that name, from new deals or from the position that is written so.

    >>> make_arena(deal="A223/4A2Jr/3A23/Jb3A4 r joker d1").rules.name
    'joker'
    >>> make_arena("big3").players
    3
    """
    start = read_state(deal, rules) if deal else None
    if start is not None and not start.moves:
        msg = f"there is nothing to play from {start.text}: {start.turn}"
        raise CollapsiError(msg)
    return Arena(_read_rules(rules) if start is None else start.rules, start, points)


def read_state(text: str, rules: str = STANDARD.name) -> State:
    """The state that is written so, of any game for two to four players; `rules` if the text does not say.

    >>> read_state("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3").turn
    'red to move'
    """
    if is_of_crowd(text, rules):
        from collapsi.games.crowd_notation import parse_crowd

        return parse_crowd(text, rules=rules)
    return parse_position(text, rules=rules)


def _read_rules(name: str) -> Rules | CrowdRules:
    if is_of_crowd(None, name):
        from collapsi.games.crowd_notation import parse_crowd_rules

        return parse_crowd_rules(name)
    return parse_rules(name)


@cache
def _share_of_jack(rules: Rules, laid: tuple[int, ...], cell: int) -> float:
    """How likely a jack is on a cell, if all before are dealt and have jacks on those that are laid."""
    count = rules.deck[Card.JACK]
    possible = [
        jacks
        for jacks in combinations(range(rules.board.size), count)
        if tuple(jack for jack in jacks if jack < cell) == laid and rules.allows_jacks(jacks)
    ]
    return sum(cell in jacks for jacks in possible) / len(possible)
