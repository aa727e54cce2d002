"""The encoding of a game for libraries of learning and search: chance events, actions and observations.

`openspiel` and `pettingzoo` are built on it; legal moves and results come from the state
(`collapsi.core.state`).

*Actions.* A move has the number of its end cell, in reading order. Where moves also shift a line the number
is four times that plus the number of the direction: right, left, down, up. Boards that may grow are numbered
in a frame that is large enough for every position of the game, with the board in its upper left corner.

*Planes.* An observation consists of binary planes of the size of the frame, with players in order of play,
the observer first::

    0 to 4                jacks, aces, twos, threes, fours, face up
    5                     collapsed cards
    6 to 5 + n            the pawn of each of the n players, empty for one that is out
    6 + n to 5 + 2 n      all ones for the player whose turn it is

A gap of a board that shifts is zero in all of the planes of cards. During the deal of OpenSpiel only the
planes of cards are set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.core.cached import cached_property
from collapsi.core.cards import Card, jacks_of
from collapsi.core.errors import CollapsiError, IllegalMoveError, wrong_type
from collapsi.core.players import PAIR
from collapsi.core.state import abbreviate
from collapsi.games.classic.rules import STANDARD
from collapsi.games.registry import kind_of, parse_position, parse_rules

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.core.rules import RuleSet
    from collapsi.core.state import State

WAYS = "rldu"
"""The directions of a shift, in the order of their numbers."""

ON_CARDS = len(Card) + 1
"""The number of planes for the content of cells: each card, and collapsed cards."""


@dataclass(frozen=True)
class Arena:
    """A game to play many times: its rules, its start, and the meaning of its returns.

    >>> arena = make_arena("shift-rotate")
    >>> arena.players, arena.actions, arena.shape
    (2, 64, (10, 4, 4))
    >>> import random
    >>> state = arena.deal(random.Random(1))
    >>> [(number, state.move_text(move)) for number, move in arena.legal_actions(state).items()][:3]
    [(4, 'b1r'), (5, 'b1l'), (6, 'b1d')]
    """

    rules: RuleSet
    start: State | None = None
    """Where each game begins; None for a new deal each time."""
    points: bool = False
    """Whether returns are points, or only wins and losses."""

    @property
    def players(self) -> int:
        """The number of players."""
        return self.rules.players

    @property
    def cards(self) -> int:
        """The number of face-up cards at the start; each move collapses one."""
        if self.start is None:
            return self.rules.board.size
        return sum(card is not None for card in self.start.cards)

    @property
    def max_game_length(self) -> int:
        """The greatest possible number of moves: at the end at least two cards are left under pawns."""
        return self.cards - len(PAIR)

    @cached_property
    def frame(self) -> tuple[int, int]:
        """Rows and columns that contain every board of the game; a shift extends one of them by one."""
        board = self.rules.board if self.start is None else self.start.board
        more = self.max_game_length if self.rules.leaves_square else 0
        return board.rows + more, board.columns + more

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of planes, rows and columns."""
        return (ON_CARDS + 2 * self.players, *self.frame)

    @property
    def actions(self) -> int:
        """The number of distinct actions."""
        rows, columns = self.frame
        return rows * columns * (len(WAYS) if self.shifts else 1)

    @property
    def shifts(self) -> bool:
        """Whether moves shift a line."""
        return kind_of(self.rules).shifts

    def legal_actions(self, state: State) -> dict[int, int]:
        """Return the legal moves by their actions, ascending."""
        return {self.action(state, move): move for move in state.moves}

    def action(self, state: State, move: int) -> int:
        """Return the action of a move, which differs from the state's own number of the move."""
        row, column = divmod(state.end(move), state.board.columns)
        cell = row * self.frame[1] + column
        if not self.shifts:
            return cell
        return len(WAYS) * cell + WAYS.index(state.move_text(move)[-1])

    def play(self, state: State, number: int) -> State:
        """Return the state after an action."""
        moves = self.legal_actions(state)
        if number not in moves:
            choice = f"choose one of {', '.join(abbreviate(list(map(str, moves))))}" if moves else state.turn
            msg = f"{number} is no move of {state.to_move}: {choice}"
            raise IllegalMoveError(msg)
        return state.play(moves[number])

    def planes(
        self, cards: Sequence[Card | None], state: State | None, observer: int
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return the observation of a player: of a state, or of the cards dealt so far."""
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
        """Return the start of a game."""
        if self.start is not None:
            return self.start
        return kind_of(self.rules).deal(rng, self.rules)

    def lay(self, cards: Sequence[Card]) -> State:
        """Return the deal of these cards."""
        return kind_of(self.rules).lay(cards, self.rules)

    def next_card(self, cards: Sequence[Card]) -> dict[Card, float]:
        """Return the probability of each next card, such that all possible deals are equally likely.

        >>> make_arena("standard").next_card([Card.JACK] * 2)[Card.ACE] * 14
        4.0
        """
        left = Counter(self.rules.deck) - Counter(cards)
        jack = left[Card.JACK] / left.total()
        if self.shifts:  # not every way to lay the jacks is a deal
            jack = _share_of_jack(self.rules, tuple(jacks_of(cards)), len(cards))
        numbers = left.total() - left[Card.JACK]
        shares = {Card.JACK: jack}
        shares.update(
            (card, (1 - jack) * left[card] / numbers) for card in sorted(left) if card is not Card.JACK
        )
        return {card: share for card, share in shares.items() if share}

    def returns(self, state: State | None) -> list[float]:
        """Return the returns of each player; zeros before the game is over.

        Without points the winner gets 1, and the others share -1. With points two players get the difference
        of their points, and three or four players the points of the round.
        """
        result = None if state is None else state.result
        if result is None:
            return [0.0] * self.players
        if not self.points:
            return [1.0 if points == max(result) else -1 / (self.players - 1) for points in result]
        if self.players == len(PAIR):
            return [float(result[0] - result[1]), float(result[1] - result[0])]
        return [float(points) for points in result]

    def best_actions(self, state: State) -> list[int]:
        """Return the actions of the best moves, ascending: those that win soonest, or lose last.

        >>> arena = make_arena(deal="A223/4A2Jr/3A23/Jb3A4 r")
        >>> arena.best_actions(arena.start), arena.perfect_returns(arena.start)
        ([4], [1.0, -1.0])
        """
        best = self._solve(state).best
        actions = self.legal_actions(state)
        return [action for action, move in actions.items() if state.move_text(move) in best]

    def perfect_returns(self, state: State) -> list[float]:
        """Return the returns of each player if both play perfectly from here on."""
        if state.moves:
            for move in self._solve(state).line:
                state = state.play(move)
        return self.returns(state)

    def _solve(self, state: State) -> Any:
        """Return the exact answer of the solver; with more than two players there is none in general."""
        if self.players != len(PAIR):
            msg = f"perfect play is known for two players: {self.rules} has {self.players}"
            raise CollapsiError(msg)
        return kind_of(self.rules).solver.solve(state)

    @property
    def utility_range(self) -> tuple[float, float]:
        """The least and the greatest possible return of a player."""
        if not self.points:
            return -1 / (self.players - 1), 1.0
        if self.players == len(PAIR):
            return 1.0 - self.cards, self.cards - 1.0  # a game has at least one move, which collapses a card
        return 0.0, self.players - 1.0

    @property
    def utility_sum(self) -> float:
        """The sum of the returns of all players: the points of a round, otherwise 0."""
        return sum(range(self.players)) if self.points and self.players > len(PAIR) else 0.0


def make_arena(rules: str = STANDARD.name, deal: str = "", *, points: bool = False) -> Arena:
    """Make the arena of a rule set, with new deals or a fixed start in our notation.

    >>> make_arena(deal="A223/4A2Jr/3A23/Jb3A4 r joker d1").rules.name
    'joker'
    >>> make_arena("big3").players
    3
    """
    if not isinstance(rules, str):
        raise wrong_type(rules, "the name of a rule set, such as 'standard'")
    if not isinstance(deal, str):
        raise wrong_type(deal, "the text of a position")
    start = parse_position(deal, rules=rules) if deal else None
    played = parse_rules(rules) if start is None else start.rules
    if played.players < len(PAIR):
        msg = f"{played} is a game for one: choose rules for two to four players"
        raise CollapsiError(msg)
    if start is not None and not start.moves:
        msg = f"there is nothing to play from {start.text}: {start.turn}"
        raise CollapsiError(msg)
    return Arena(played, start, points)


@lru_cache(maxsize=4096)
def _share_of_jack(rules: RuleSet, laid: tuple[int, ...], cell: int) -> float:
    """Return the probability of a jack on a cell, given the jacks (`laid`) on the cells before it."""
    count = rules.deck[Card.JACK]
    possible = [
        jacks
        for jacks in combinations(range(rules.board.size), count)
        if tuple(jack for jack in jacks if jack < cell) == laid and rules.allows_jacks(jacks)
    ]
    return sum(cell in jacks for jacks in possible) / len(possible)
