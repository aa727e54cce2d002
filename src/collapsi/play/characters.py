"""Computer players as traits, from random moves to perfect play.

Four traits define a player. *Sight*: the look-ahead in plies; the player takes the fastest win and avoids
the fastest loss within it. *Card*: if the look-ahead decides nothing, the player follows a strategy card, or
a heuristic (`Kind.heuristic`) on the shifting board, for which there is no card. *Slips*: the share of random
moves. *Tempts*: a perfect player sets traps for opponents who slip, or who play like these players
(`play.traps`). Ties are broken at random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from collapsi.core.errors import CollapsiError, IllegalMoveError
from collapsi.games.kind import Can
from collapsi.games.registry import can, kind_of
from collapsi.play.analysis import analyse, expected_seconds
from collapsi.play.traps import tempting_moves

if TYPE_CHECKING:
    import random

    from collapsi.core.state import Duel
    from collapsi.play.strategy.rulecard import RuleCard

SURE = 2
"""The look-ahead in plies that every strategy card includes."""

QUICK_SECONDS = 0.1
"""States that take longer to solve are searched two plies deep instead."""


@dataclass(frozen=True, repr=False)
class Character:
    """A computer player, defined by its traits.

    >>> import collapsi, random
    >>> perfect = Character("perfect", "never errs", sight=None)
    >>> perfect.choose(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), random.Random(1))
    4
    """

    name: str
    """The name on the command line."""
    text: str
    """The description for players: a verb phrase, such as "never errs"."""
    sight: int | None = 0
    """The look-ahead in plies; None searches to the end."""
    card: RuleCard | None = None
    """The strategy card, for the classic game."""
    heuristic: str | None = None
    """The name of the heuristic (`Kind.heuristic`) for kinds without strategy cards."""
    slips: float = 0.0
    """The share of random moves."""
    tempts: tuple[Character, ...] = ()
    """The players whose errors a perfect player plays for, as well as for slips; empty: it sets no traps."""

    def __repr__(self) -> str:
        return f"Character({self.name!r})"

    def allowed(self, state: Duel) -> tuple[int, ...]:
        """Return the moves that the player considers equally good, apart from slips."""
        if self.tempts and state.moves:
            return tempting_moves(state, self.tempts)
        sight = self.sight
        follows_card = self.card is not None and can(state.rules, Can.FOLLOW_CARD)
        if self.heuristic is not None and sight is not None and not follows_card:
            sight = max(sight, SURE)  # the first lines of every strategy card look this far ahead
        moves, decided = within_sight(state, sight)
        if decided or not moves:
            return moves
        if follows_card:
            assert self.card is not None
            return self.card.choose(cast("Any", state), moves)
        if self.heuristic is None:
            return moves
        return kind_of(state).heuristic(state, moves, self.heuristic)

    def choose(self, state: Duel, rng: random.Random) -> int:
        """Choose a move."""
        if not state.moves:
            msg = f"{state.to_move} cannot move: the game is over"
            raise IllegalMoveError(msg)
        slips = self.slips > 0 and rng.random() < self.slips
        return rng.choice(state.moves if slips else self.allowed(state))

    def slipping(self, share: float) -> Character:
        """Return the same player with this share of random moves."""
        if not 0 <= share <= 1:
            msg = f"the share of moves at random is between 0 and 1, not {share:g}"
            raise CollapsiError(msg)
        return replace(
            self,
            name=f"{self.name}~{100 * share:g}",
            text=f"{self.text}, but makes {100 * share:g} of 100 moves at random",
            slips=share,
        )


def within_sight(state: Duel, sight: int | None) -> tuple[tuple[int, ...], bool]:
    """Return the best moves at this look-ahead, in reading order, and whether it decides the game.

    A side can force a win within `sight` plies exactly if perfect play ends within them. So the result of a
    look-ahead follows from the exact values, and one solution serves every depth.
    """
    if sight == 0:
        return state.moves, False
    if sight is not None and sight <= SURE and expected_seconds(state) > QUICK_SECONDS:
        return _within_two(state, sight)
    moves = analyse(state).moves  # best first: quick wins, slow wins, slow losses, quick losses
    seen = [move for move in moves if sight is None or move.plies <= sight]
    wins = [move for move in seen if move.wins]
    if not wins and len(seen) < len(moves):
        return tuple(sorted(move.move for move in moves if move not in seen)), False
    best = wins or seen
    return tuple(sorted(move.move for move in best if move.outcome == best[0].outcome)), True


def _within_two(state: Duel, sight: int) -> tuple[tuple[int, ...], bool]:
    """Search one or two plies by playing them, for states that are slow to solve."""
    after = {move: state.play(move) for move in state.moves}
    wins = tuple(move for move, then in after.items() if not then.moves)
    if wins or sight == 1:
        return wins or state.moves, bool(wins)
    safe = tuple(
        move
        for move, then in after.items()
        if all(then.play(reply).moves for reply in then.moves)  # otherwise the move loses in two plies
    )
    return safe or state.moves, not safe
