"""Players that people understand: they follow rules, look some moves ahead, and err now and then.

Three traits make a player. *Sight*: it sees every game that ends within so many plies, takes a win in sight
as soon as possible and puts a loss in sight off as long as possible. *Card*: where nothing is decided in
sight, it follows a card of rules. *Slips*: how often it moves at random instead. What none of these settles
is left to chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collapsi.analysis import analyse
from collapsi.errors import CollapsiError, IllegalMoveError
from collapsi.strategy.rulecard import Filter, Points, RuleCard, Stage, kept_card
from collapsi.strategy.vocabulary import WORDS

if TYPE_CHECKING:
    import random

    from collapsi.position import Position


@dataclass(frozen=True)
class Character:
    """A way to play.

    >>> import collapsi, random
    >>> perfect = Character("perfect", "plays perfectly", sight=None)
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
    slips: float = 0.0
    """The share of its moves that are made at random."""

    def allowed(self, position: Position) -> tuple[int, ...]:
        """The moves between which it makes no difference, when it does not slip."""
        moves = position.moves
        if self.sight != 0:
            values = seen_values(position, self.sight)
            most = max(values.values(), default=0)
            moves = tuple(move for move in moves if values[move] == most)
            if most != 0:
                return moves
        return self.card.choose(position, moves) if self.card and moves else moves

    def choose(self, position: Position, rng: random.Random) -> int:
        """Its move, as the end cell."""
        if not position.moves:
            msg = f"{position.to_move} cannot move: the game is over"
            raise IllegalMoveError(msg)
        slips = self.slips > 0 and rng.random() < self.slips
        return rng.choice(position.moves if slips else self.allowed(position))

    def slipping(self, share: float) -> Character:
        """The same, but so large a share of its moves is made at random."""
        if not 0 <= share <= 1:
            msg = f"the share of moves at random is between 0 and 1, not {share:g}"
            raise CollapsiError(msg)
        return replace(
            self,
            name=f"{self.name}~{100 * share:g}",
            text=f"{self.text}, but makes {100 * share:g} in 100 moves at random",
            slips=share,
        )


def seen_values(position: Position, sight: int | None) -> dict[int, int]:
    """What each move is worth, by end cell: cards left, negative for a loss, 0 where no end is in sight.

    Perfect play that ends within sight can be forced, and is seen; where it lasts longer, nobody can force an
    end within sight.
    """
    return {
        move.cell: abs(move.score) * (1 if move.wins else -1) if sight is None or move.plies <= sight else 0
        for move in analyse(position).moves
    }


def sure_rules() -> RuleCard:
    """The card of the rules that are proven: win at once, do not lose at once."""
    return RuleCard(tuple(Filter(word.name, wanted=word.proof) for word in WORDS if word.proof is not None))


def roaming_rules() -> RuleCard:
    """The sure rules, and then to where one has most next moves."""
    return RuleCard((*sure_rules().lines, Points(("next",), (Stage(0, (1, 1, 1, 1)),))))


def characters(card: RuleCard | None = None) -> tuple[Character, ...]:
    """Everybody one can meet, from the weakest to the strongest as `collapsi ladder` measured them."""
    card = card or kept_card()
    perfect = Character("perfect", "never errs", sight=None)
    return (
        Character("random", "moves at random"),
        Character("1", "looks one move ahead", sight=1),
        Character("2", "looks two moves ahead", sight=2),
        Character("careful", "wins at once if it can, and does not let you win at once", card=sure_rules()),
        Character("4", "looks four moves ahead", sight=4),
        Character("roamer", "is careful, and goes where it has most next moves", card=roaming_rules()),
        perfect.slipping(0.3),
        Character("card", "follows the card of rules", card=card),
        Character("card+4", "follows the card of rules and looks four moves ahead", sight=4, card=card),
        perfect.slipping(0.1),
        perfect,
    )


def character(name: str, card: RuleCard | None = None) -> Character:
    """One of them by name; after a ~ may come how many of 100 moves it makes at random.

    >>> character("card~20").slips
    0.2
    """
    everybody = {player.name: player for player in characters(card)}
    if name in everybody:
        return everybody[name]
    base, tilde, share = name.partition("~")
    if tilde and base in everybody and share.isascii() and share.isdigit() and int(share) <= 100:
        return everybody[base].slipping(int(share) / 100)
    names = ", ".join(everybody)
    msg = f"{name!r:.40} is no player: they are {names}; card~20 is one that errs in 20 of 100 moves"
    raise CollapsiError(msg)
