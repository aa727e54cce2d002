"""Traps: how likely the winner of a position is to keep its win, and the moves that make it hardest.

The winner errs by a stated model, the loser never does and plays for those errors. There are two kinds of
model:

- *slips*: each move of the winner is random with probability `SLIP`, otherwise the winning move with the best
  chances;
- a player (`play.characters`), such as the one that follows the card of rules: each move is a random one of
  those that it considers equally good.

The chance of the winner is exact for its model: all lines are followed to the end of the game. A line ends
early where the winner throws its win away, because the other side then keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collapsi.games.registry import kind_of
from collapsi.play.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collapsi.core.state import Duel
    from collapsi.play.characters import Character

    Chances = tuple[float, ...]
    """For each model, slips first."""

SLIP = 0.2
"""The probability of a random move in the model of slips."""

DIGITS = 9
"""Chances that are equal to this many decimal places are considered equal."""


class Traps:
    """The chances of the winner to keep its win, by model of error. Results are cached by position.

    >>> import collapsi
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r a2")  # red wins, blue is to move
    >>> [round(chance, 3) for chance in Traps().loser_to_move(position)]
    [0.514]
    """

    def __init__(self, players: Sequence[Character] = ()) -> None:
        self.players = tuple(players)
        self._known: dict[Any, Chances] = {}
        self._sure: Chances = (1.0,) * (1 + len(self.players))
        self._lost: Chances = (0.0,) * (1 + len(self.players))

    def winner_to_move(self, state: Duel) -> Chances:
        """Return the chances in a position that the side to move wins by force."""
        known = self._known.get(state)
        if known is not None:
            return known
        after = {
            move.move: self.loser_to_move(state.play(move.move)) if move.wins else self._lost
            for move in analyse(state).moves
        }
        slips = [chances[0] for chances in after.values()]
        found = [(1 - SLIP) * max(slips) + SLIP * _mean(slips)]
        for number, player in enumerate(self.players, start=1):
            found.append(_mean([after[move][number] for move in player.allowed(state)]))
        self._known[state] = tuple(found)
        return self._known[state]

    def loser_to_move(self, state: Duel) -> Chances:
        """Return the chances in a position that the side to move loses by force: it takes the best trap."""
        after = [self.winner_to_move(state.play(move)) for move in state.moves]
        return tuple(map(min, zip(*after, self._sure, strict=True)))


def tempting_moves(state: Duel, players: Sequence[Character] = ()) -> tuple[int, ...]:
    """Return the best moves of a perfect player who sets traps, in reading order.

    When winning, those that would keep the win most likely if its own moves slipped, so that the opponent has
    the fewest ways back. When losing, those after which the opponent is least likely to keep its win, on
    average over slips and the errors of `players`. Of equal moves, the quickest win or the slowest loss.
    Where following all lines takes too long (`Kind.finds_traps`), all best moves of the perfect player.

    >>> import collapsi
    >>> position = collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r a2")
    >>> collapsi.analyse(position).best
    ('a3', 'b4', 'd4')
    >>> [position.move_text(move) for move in tempting_moves(position)]
    ['d4']
    """
    analysis = analyse(state)
    moves = analysis.moves
    wins = [move for move in moves if move.wins]
    left = wins or list(moves)
    if len(left) > 1 and kind_of(state).finds_traps(state):
        traps = Traps(() if wins else players)

        def chance(move: int) -> float:
            """Return the chance that the side to move wins."""
            after = state.play(move)
            if wins:
                return round(traps.loser_to_move(after)[0], DIGITS)
            return -round(_mean(traps.winner_to_move(after)), DIGITS)

        chances = {move.move: chance(move.move) for move in left}
        left = [move for move in left if chances[move.move] == max(chances.values())]
    return tuple(sorted(move.move for move in left if move.outcome == left[0].outcome))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
