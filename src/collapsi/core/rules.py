"""The base class of the rule sets of all kinds."""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import TYPE_CHECKING, ClassVar

from collapsi.core.players import Player

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from collapsi.core.board import Board, Grid
    from collapsi.core.cards import Card


@dataclass(frozen=True, repr=False, kw_only=True)
class RuleSet:
    """A rule set. Each kind of game has a subclass with its own fields.

    >>> import collapsi
    >>> collapsi.STANDARD.kind, collapsi.STANDARD.players, sum(collapsi.STANDARD.deck.values())
    ('classic', 2, 16)
    """

    kind: ClassVar[str]
    """The name of the kind of game in `collapsi.games.registry`."""
    name: str
    """The name in notation and on the command line."""
    title: str = ""
    """The name that players see."""
    summary: str = ""
    """One line for a list of rule sets."""
    text: str = ""
    """The difference from the standard rules, in sentences for players."""
    board: Board
    cards: tuple[tuple[Card, int], ...] = ()
    """The deck: each card and its count. Empty if decks vary."""
    players: int = 2
    official: bool = True
    """Whether it is on the designer's rule sheet."""
    uncounted: int = 0
    """The number of moves at the start that are not plies: the choices of a card to start on."""

    @property
    def deck(self) -> dict[Card, int]:
        """The count of each card."""
        return dict(self.cards)

    def shuffled_deck(self, rng: random.Random) -> list[Card]:
        """Return the deck in random order."""
        cards = [card for card, count in self.cards for _ in range(count)]
        rng.shuffle(cards)
        return cards

    @property
    def unused_jacks(self) -> int:
        """The number of jacks without a player, which are collapsed before play."""
        return 0

    @property
    def leaves_square(self) -> bool:
        """Whether cards may be pushed out of the square, so that the board grows and has gaps."""
        return False

    def grid(self, rows: int, columns: int, cells: int) -> Grid:
        """Return the board with cards on these cells of a rectangle; by default always the same."""
        return self.board

    def allows_jacks(self, cells: Sequence[int]) -> bool:
        """Return whether a deal may have its jacks on these cells."""
        return True

    def count_jack_placements(self, cells: Sequence[int]) -> int:
        """Count the ways to put the players' jacks on some of these cells."""
        return perm(len(cells), self.players)

    @property
    def seats(self) -> tuple[Player, ...]:
        """The players in the order in which they move."""
        return tuple(Player)[: self.players]

    def steps(self, card: Card, player: Player) -> tuple[int, ...]:
        """Return the numbers of steps that a player on this card may choose from."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
