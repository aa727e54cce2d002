"""Players for a person to meet: from one that moves at random to one that never errs.

Three traits make a player. *Sight*: it sees every game that ends within so many plies and nothing beyond,
takes a win in sight as soon as possible and puts a loss in sight off as long as possible. *Card*: where
nothing is decided in sight, it follows a card of rules, or on the shifting board, for which there is no card,
a *wish* (`collapsi.wishes`). *Slips*: how often it moves at random instead. What none of these settles is
left to chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from collapsi.analysis import analyse
from collapsi.errors import CollapsiError, IllegalMoveError
from collapsi.position import Position
from collapsi.solve import answers
from collapsi.walking import shifts

if TYPE_CHECKING:
    import random

    from collapsi.rules import Rules
    from collapsi.state import Duel
    from collapsi.strategy.rulecard import RuleCard
    from collapsi.wishes import Wish

SURE = 2
"""Plies within which everybody who follows rules sees a win or a loss."""

QUICK_SECONDS = 0.1
"""A state that takes longer to solve is not solved to look two plies ahead."""


@dataclass(frozen=True, repr=False)
class Character:
    """A way to play.

    >>> import collapsi, random
    >>> perfect = Character("perfect", "never errs", sight=None)
    >>> perfect.choose(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), random.Random(1))
    4
    """

    name: str
    """What it is called on the command line."""
    text: str
    """What people are told of it: how it plays, as a sentence would go on after "it"."""
    sight: int | None = 0
    """How many plies it looks ahead; None is to the end."""
    card: RuleCard | None = None
    """It speaks of the classic game."""
    wish: Wish | None = None
    """What it goes by on the shifting board; in other games neither settles anything."""
    slips: float = 0.0
    """The share of its moves that are made at random."""

    def __repr__(self) -> str:
        return f"Character({self.name!r})"

    def allowed(self, state: Duel) -> tuple[int, ...]:
        """The moves between which it makes no difference, when it does not slip."""
        sight = self.sight
        if self.wish is not None and sight is not None and shifts(state):
            sight = max(sight, SURE)  # what the first lines of every card of rules see
        moves, decided = within_sight(state, sight)
        if not decided and moves:
            if self.card is not None and isinstance(state, Position):
                return self.card.choose(state, moves)
            if self.wish is not None and shifts(state):
                return self.wish.choose(state, moves)
        return moves

    def choose(self, state: Duel, rng: random.Random) -> int:
        """Its move."""
        if not state.moves:
            msg = f"{state.to_move} cannot move: the game is over"
            raise IllegalMoveError(msg)
        slips = self.slips > 0 and rng.random() < self.slips
        return rng.choice(state.moves if slips else self.allowed(state))

    def slipping(self, share: float) -> Character:
        """The same, but so large a share of its moves is made at random."""
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
    """The best moves for who looks so many plies ahead, in reading order, and whether an end is in sight.

    Whoever wins within sight under perfect play can force it, and is seen to; where perfect play lasts
    longer, nobody can force an end within sight. So what a look-ahead finds is the exact value of near ends
    and nothing of far ones, and one solution does for all who look ahead.
    """
    if sight == 0:
        return state.moves, False
    if sight is not None and sight <= SURE and answers.expected_seconds(state) > QUICK_SECONDS:
        return _within_two(state, sight)
    moves = analyse(state).moves  # best first: quick wins, slow wins, slow losses, quick losses
    seen = [move for move in moves if sight is None or move.plies <= sight]
    wins = [move for move in seen if move.wins]
    if not wins and len(seen) < len(moves):
        return tuple(sorted(move.move for move in moves if move not in seen)), False
    best = wins or seen
    return tuple(sorted(move.move for move in best if move.outcome == best[0].outcome)), True


def _within_two(state: Duel, sight: int) -> tuple[tuple[int, ...], bool]:
    """The same for who looks one or two plies ahead, by playing them: for states that are hard to solve."""
    after = {move: state.play(move) for move in state.moves}
    wins = tuple(move for move, then in after.items() if not then.moves)
    if wins or sight == 1:
        return wins or state.moves, bool(wins)
    safe = tuple(
        move
        for move, then in after.items()
        if all(then.play(reply).moves for reply in then.moves)  # else it loses in two
    )
    return safe or state.moves, not safe


class Level(StrEnum):
    """How well the computer plays, from the weakest to the strongest as `collapsi ladder` measures them."""

    RANDOM = "random"
    ONE = "1"
    TWO = "2"
    ROAMER = "roamer"
    FOUR = "4"
    CARD = "card"
    DREAMER = "dreamer"
    EXPERT = "expert"
    MASTER = "master"
    PERFECT = "perfect"

    @property
    def character(self) -> Character:
        """How it plays."""
        from collapsi.strategy.players import character

        return character(self.value)

    @property
    def text(self) -> str:
        """What people are told of it.

        >>> Level.TWO.text
        'careful (takes a win at once, and lets you have none)'
        """
        return _TEXTS[self]

    def text_for(self, rules: Rules) -> str:
        """What people are told of it where they play by these rules: no card of rules knows a board that
        shifts.

        >>> from collapsi.rules import SHIFT
        >>> Level.CARD.text_for(SHIFT)
        'student (careful, and keeps many ways open for itself and few for you)'
        """
        return self.text if rules.shift is None else _SHIFTING_TEXTS.get(self, self.text)


_TEXTS = {
    Level.RANDOM: "random (any move will do)",
    Level.ONE: "beginner (takes a win at once)",
    Level.TWO: "careful (takes a win at once, and lets you have none)",
    Level.FOUR: "calculating (sees four moves ahead)",
    Level.ROAMER: "roamer (careful, and keeps many ways open)",
    Level.DREAMER: "dreamer (never errs, but for 3 moves in 10 made at random)",
    Level.CARD: "student (follows the card of rules)",
    Level.EXPERT: "expert (follows the card, and sees four moves ahead)",
    Level.MASTER: "master (never errs, but for 1 move in 10 made at random)",
    Level.PERFECT: "perfect (never errs)",
}

_SHIFTING_TEXTS = {
    Level.CARD: "student (careful, and keeps many ways open for itself and few for you)",
    Level.EXPERT: "expert (the same, and sees four moves ahead)",
}
"""Where it is something else on a shifting board."""

FIRST_MET = Level.ONE
"""Who meets somebody that plays for the first time."""


def choose_move(state: Duel, level: Level, rng: random.Random) -> int:
    """The computer's move; among equally good ones by chance.

    >>> import collapsi, random
    >>> choose_move(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"), Level.PERFECT, random.Random(1))
    4
    """
    return level.character.choose(state, rng)


def liked_moves(state: Duel, level: Level) -> tuple[int, ...]:
    """The moves that are all the same to the level, in reading order; one that slips may make others too."""
    return level.character.allowed(state)
