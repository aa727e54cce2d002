"""Similar deals: those with the jacks equally far apart and the same cards beside them.

Two deals are *similar* if the distance of the jacks is the same, and so are the cards beside red's jack
alone, beside blue's jack alone, and beside both (only jacks two steps apart have such cards), each in any
order. Symmetries of the board preserve all of this. First moves are grouped likewise: by the card they end on
and by the `Place` of that card.

`similar.json` has the results of all groups of similar deals; `collapsi.census.similar_table` writes it.
Groups have the order of `all_surroundings`, and their first moves that of `first_moves_of`. For each group
there are the deals that red wins, then for each first move the deals where it is best and where it wins. All
these are multiples of the number of cells where blue's jack may be (`PLACES`). Divided by it, each is at most
`Surroundings.layouts`, and is written with just as many bits as that::

    layouts 210 = 0b11010010     deals won, best, wins, best, wins, …: eight bits each
    layouts 840 = 0b1101001000   the next group, without a gap: ten bits each

The bits are stored as text in base 85.
"""

from __future__ import annotations

import json
from base64 import b85decode
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import factorial, prod
from pathlib import Path
from typing import TYPE_CHECKING

from collapsi.core.cards import Card
from collapsi.core.decks import NUMBERS, deck_of
from collapsi.core.symmetry import corner
from collapsi.games.classic.faults import refuse_partial
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.kind import Can
from collapsi.games.registry import require
from collapsi.play.enums import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collapsi.core.decks import Deck
    from collapsi.games.classic.position import Position
    from collapsi.games.classic.rules import Rules
    from collapsi.play import json_types

FILE = Path(__file__).parent / "similar.json"

BESIDE = {1: (0, 3, 3), 2: (2, 2, 2), 3: (0, 4, 4), 4: (0, 4, 4)}
"""By distance of the jacks: the number of cards beside both, beside red's alone and beside blue's alone."""
PLACES = {1: 4, 2: 6, 3: 4, 4: 1}
"""By distance of the jacks: the cells where blue's jack may be if red's is on a1."""

Cards = tuple[Card, ...]
"""Cards in ascending order."""


Walks = tuple[tuple[int, ...], tuple[int, ...]]
"""The first moves of red and blue as walks."""
Kind = tuple[Place, Card]
"""A group of first moves: the place and the card that they end on."""


@dataclass(frozen=True)
class Surroundings:
    """What similar deals have in common."""

    distance: int
    both: Cards
    """The cards beside both jacks."""
    red: Cards
    """The cards beside red's jack alone."""
    blue: Cards

    @property
    def text(self) -> str:
        """The surroundings in words.

        >>> Surroundings(2, (Card.ACE, Card.TWO), (Card.THREE,) * 2, (Card.TWO, Card.FOUR)).text
        "jacks two steps apart, A-2 between them, 3-3 beside red's and 2-4 beside blue's"
        """
        both, red, blue = (
            "-".join(card.letter for card in cards) for cards in (self.both, self.red, self.blue)
        )
        apart = ("side by side", "two steps apart", "three steps apart", "four steps apart")[
            self.distance - 1
        ]
        between = f"{both} between them, " if both else ""
        return f"jacks {apart}, {between}{red} beside red's and {blue} beside blue's"

    @property
    def parts(self) -> dict[Place, Cards]:
        """The cards beside the jacks, by place."""
        return {Place.OWN: self.red, Place.BOTH: self.both, Place.OTHER: self.blue}

    def rest(self, deck: Deck) -> Deck:
        """Return the cards of a deck that are not beside a jack."""
        used = (*self.both, *self.red, *self.blue)
        aces, twos, threes, fours = (
            count - used.count(card) for card, count in zip(NUMBERS, deck, strict=True)
        )
        return aces, twos, threes, fours

    def layouts(self, deck: Deck) -> int:
        """Count the similar deals with the jacks on two given cells.

        >>> Surroundings(1, (), (Card.ACE,) * 3, (Card.FOUR, Card.FOUR, Card.ACE)).layouts((4, 4, 4, 2))
        210
        """
        counts = [[cards.count(number) for number in NUMBERS] for cards in self.parts.values()]
        return prod(map(_orders, [*counts, self.rest(deck)]))


def _orders(counts: Sequence[int]) -> int:
    """Count the ways to lay some cards in a row."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def all_surroundings(deck: Deck) -> Iterator[Surroundings]:
    """Yield the surroundings that occur with a deck, nearest jacks first.

    >>> sum(1 for _ in all_surroundings((4, 4, 4, 2)))
    2205
    """
    for distance, sizes in BESIDE.items():
        for parts in product(*(combinations_with_replacement(NUMBERS, size) for size in sizes)):
            found = Surroundings(distance, *parts)
            if min(found.rest(deck)) >= 0:
                yield found


def steps_between(one: int, two: int) -> int:
    """Return the distance of two cells of the 4×4 board."""
    return (corner(one) ^ corner(two)).bit_count()


def place_of(cell: int, jacks: tuple[int, int]) -> Place:
    """Return where a cell lies, seen from the jacks of red and blue."""
    near_red, near_blue = (steps_between(cell, jack) == 1 for jack in jacks)
    if near_red:
        return Place.BOTH if near_blue else Place.OWN
    return Place.OTHER if near_blue else Place.NEITHER


def surroundings_of(deal: Position) -> Surroundings:
    """Return the surroundings of a whole deal.

    >>> import collapsi
    >>> surroundings_of(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r")).red
    (<Card.TWO: 2>, <Card.THREE: 3>, <Card.THREE: 3>, <Card.FOUR: 4>)
    """
    refuse_partial(deal)
    found: dict[Place, list[Card]] = {place: [] for place in Place}
    for cell, card in enumerate(deal.cards):
        if card is not None and card is not Card.JACK:
            found[place_of(cell, deal.pawns)].append(card)
    both, red, blue = (tuple(sorted(found[place])) for place in (Place.BOTH, Place.OWN, Place.OTHER))
    return Surroundings(steps_between(*deal.pawns), both, red, blue)


def first_moves_of(surroundings: Surroundings, rules: Rules) -> tuple[Kind, ...]:
    """Return the first moves of red, grouped; all deals with these surroundings have them.

    The first move goes one step or, as with `joker`, to any card.
    """
    parts = surroundings.parts
    if rules.first_walks[0] == (1,):
        del parts[Place.OTHER]
    else:
        rest = zip(NUMBERS, surroundings.rest(deck_of(rules)), strict=True)
        parts[Place.NEITHER] = tuple(card for card, count in rest if count)
    return tuple((place, card) for place, cards in parts.items() for card in sorted(set(cards)))


@dataclass(frozen=True)
class FirstMoves:
    """A group of first moves over similar deals."""

    place: Place
    card: Card
    best: int
    """Deals where one of them is a best move: it wins soonest or, if all lose, loses last."""
    wins: int
    """Deals where one of them wins."""


@dataclass(frozen=True)
class SimilarDeals:
    """The results of all deals with the same surroundings."""

    surroundings: Surroundings
    deals: int
    wins: int
    """Deals that red, who starts, wins."""
    moves: tuple[FirstMoves, ...]
    """The most often best first."""
    all_deals: int
    """All deals of the rules, for comparison."""
    all_wins: int

    @property
    def text(self) -> str:
        """The result in sentences, for players.

        >>> import collapsi
        >>> similar = similar_deals(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"))
        >>> for sentence in similar.text.split(". "):
        ...     print(sentence)
        Of the 11,520 deals with jacks three steps apart, 2-3-3-4 beside red's and A-3-3-4 beside blue's, the starter wins 67.0 % (of all deals 77.7 %)
        Perfect players can begin with a 3 in 65.2 % of them, a 4 in 60.4 % and a 2 in 52.0 %: often several moves are equally good.
        """  # noqa: E501
        shares = [f"{self.describe(move)} in {percent(move.best, self.deals)}" for move in self.moves[:3]]
        shares[0] += " of them"
        listed = " and ".join(filter(None, [", ".join(shares[:-1]), shares[-1]]))
        return (
            f"Of the {self.deals:,} deals with {self.surroundings.text}, the starter wins "
            f"{percent(self.wins, self.deals)} (of all deals {percent(self.all_wins, self.all_deals)}). "
            f"Perfect players can begin with {listed}: often several moves are equally good."
        )

    def describe(self, move: FirstMoves) -> str:
        """Return the card that a first move ends on, in words, and its place if there are several."""
        card = "an ace" if move.card is Card.ACE else f"a {move.card.letter}"
        several = len({each.place for each in self.moves}) > 1
        return f"{card} {move.place.text}" if several else card

    def to_json(self, deal: Position) -> json_types.SimilarDeals:
        """Return the result as JSON, for one of the deals: with the squares of its first moves."""
        squares: dict[Kind, list[str]] = {}
        for cell in deal.moves:
            card = deal.cards[cell]
            assert card is not None  # a legal move ends on a card
            squares.setdefault((place_of(cell, deal.pawns), card), []).append(deal.board.square(cell))
        found = self.surroundings
        return {
            "asked": deal.text,
            "rules": deal.rules.name,
            "distance": found.distance,
            "beside_red": [card.letter for card in found.red],
            "beside_blue": [card.letter for card in found.blue],
            "beside_both": [card.letter for card in found.both],
            "deals": self.deals,
            "wins": self.wins,
            "all_deals": self.all_deals,
            "all_wins": self.all_wins,
            "first_moves": [
                {
                    "card": move.card.letter,
                    "place": move.place,
                    "text": self.describe(move),
                    "squares": squares.get((move.place, move.card), []),
                    "best": move.best,
                    "wins": move.wins,
                }
                for move in self.moves
            ],
            "text": self.text,
        }


def percent(part: int, whole: int) -> str:
    """Return a share in percent, with one decimal.

    >>> percent(36_752_487, 47_297_250)
    '77.7 %'
    """
    return f"{100 * part / whole:.1f} %"


def sort_moves(moves: Iterable[FirstMoves]) -> tuple[FirstMoves, ...]:
    """Return first moves in their order: the most often best first."""
    return tuple(sorted(moves, key=lambda move: (-move.best, -move.wins, list(Place).index(move.place))))


class Table:
    """The results of all similar deals under some rules."""

    def __init__(self, rules: Rules, packed: bytes) -> None:
        self.rules = rules
        self._packed = packed

    @cached_property
    def _starts(self) -> dict[Surroundings, int]:
        """The first bit of each group."""
        starts, bit = {}, 0
        deck = deck_of(self.rules)
        for group in all_surroundings(deck):
            starts[group] = bit
            bit += group.layouts(deck).bit_length() * (1 + 2 * len(first_moves_of(group, self.rules)))
        return starts

    def _numbers(self, group: Surroundings, count: int) -> list[int]:
        """Return the first numbers of a group."""
        width = group.layouts(deck_of(self.rules)).bit_length()
        start = self._starts[group]
        end = start + count * width
        word = int.from_bytes(self._packed[start // 8 : -(-end // 8)]) >> -end % 8
        return [
            (word >> width * place & (1 << width) - 1) * PLACES[group.distance]
            for place in reversed(range(count))
        ]

    @cached_property
    def _totals(self) -> tuple[int, int]:
        """All deals, and those that red wins."""
        deck = deck_of(self.rules)
        deals = sum(group.layouts(deck) * PLACES[group.distance] for group in self._starts)
        return deals, sum(self._numbers(group, 1)[0] for group in self._starts)

    def find(self, group: Surroundings) -> SimilarDeals:
        """Return the results of the deals with these surroundings."""
        kinds = first_moves_of(group, self.rules)
        wins, *numbers = self._numbers(group, 1 + 2 * len(kinds))
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        moves = (FirstMoves(*kind, best, won) for kind, (best, won) in zip(kinds, pairs, strict=True))
        deals = group.layouts(deck_of(self.rules)) * PLACES[group.distance]
        return SimilarDeals(group, deals, wins, sort_moves(moves), *self._totals)


@cache
def tables() -> dict[Walks, Table]:
    """Return the stored tables by the first moves of red and blue; `choice` has those of `joker`."""
    stored: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    found = [Table(CLASSIC_RULE_SETS[name], b85decode(text)) for name, text in stored.items()]
    return {table.rules.first_walks: table for table in found}


def similar_deals(deal: Position) -> SimilarDeals:
    """Return the results of the deals that are similar to a whole deal, from the stored table.

    >>> import collapsi
    >>> found = similar_deals(collapsi.parse_position("A223/4A2Jr/3A23/Jb3A4 r"))
    >>> found.deals, found.wins
    (11520, 7716)
    """
    require(deal.rules, Can.SIMILAR)
    return tables()[deal.rules.first_walks].find(surroundings_of(deal))
