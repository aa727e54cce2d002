"""Retrograde search: whether a position can be reached by play from some deal.

The numbers of collapsed cards are unknown; only their multiset is known: the deck without the face-up cards.
A step backwards returns a pawn to a collapsed card and assigns that card one of the remaining numbers (or the
jack, for a player's first move) such that the move was legal.

Three ideas reduce the search to about ten steps, where a plain one needs up to a million:

- The numbers are not tried one by one. A *spread* is the count of each number that remains to be assigned,
  and a state has the set of all spreads that are possible there, as bits; assigning a number is a shift.
- Boards with even sides are two-coloured like a chessboard. An odd number moves a pawn to the other colour,
  an even one does not. So the number of collapsed cards of each colour and the number of remaining odd
  numbers must match, which a small table tests first.
- The card with the most face-up neighbours returns first: it leads to positions that are easy to reach.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from collapsi.core.board import cells_of, mask_of
from collapsi.core.cards import ANYWHERE, Card
from collapsi.core.players import PAIR, Player

if TYPE_CHECKING:
    from collapsi.core.board import Board
    from collapsi.games.classic.position import Position

MOST_STATES = 400
"""The search gives up after this many states, of about 20 µs each.

Of 120,000 random positions, reached in play or constructed, none needed 200; positions optimised to be hard
needed up to 255.
"""


def can_be_reached(position: Position) -> bool:
    """Return whether legal moves from some deal lead to this position; True also if the search gives up.

    The position must pass the other checks of `collapsi.games.faults`: cards, side to move and jacks.

    >>> import collapsi
    >>> can_be_reached(collapsi.parse_position("A2r23/4Ab2./3A23/.3A4 r"))
    False
    """
    nothing_collapsed = position.cards_left == position.board.size  # a deal
    return nothing_collapsed or BackwardSearch(position).finds_a_deal()


class BackwardSearch:
    """The search from one position back to a deal."""

    def __init__(self, position: Position) -> None:
        board, rules = position.board, position.rules
        self.board = board
        self.face_up = position.face_up
        plies = board.size - position.cards_left
        last = Player((plies - 1) % 2)
        self.pawns = position.pawns[last], position.pawns[last.other]
        """The pawn that moved last, and the other one."""
        counts = Counter(position.cards)
        hidden = {card: rules.deck[card] - counts[card] for card in rules.deck if card is not Card.JACK}
        self.numbers = numbers_of(tuple((int(card), count) for card, count in hidden.items()), board)
        self.first_steps = rules.first_steps
        self.first_changes = tuple(
            frozenset((0, 1) if ANYWHERE in steps else map(board.changes_colour, steps))
            for steps in rules.first_steps
        )
        """For each player, whether the first move can keep the colour (0) or change it (1)."""
        self.hopeless: dict[tuple[int, int, int], int] = {}
        """By face-up cards and pawns, the spreads from which no deal is found."""
        self.colours, self.dark, self.around = colouring(board)
        self.fitting: dict[tuple[int, int, int, int], int] = {}
        self.states = 0

    def finds_a_deal(self) -> bool:
        """Return whether a deal is found, or the search gives up."""
        return self._back(self.face_up, *self.pawns, self.numbers.all_hidden)

    def _back(self, face_up: int, end: int, other: int, spreads: int) -> bool:
        """Return whether a deal is found from here; the pawn on `end` moved last."""
        collapsed = (1 << self.board.size) - 1 & ~face_up
        plies = collapsed.bit_count()
        if plies == 0:
            return True
        state = face_up, end, other
        spreads &= ~self.hopeless.get(state, 0)
        if not spreads:
            return False
        self.states += 1
        if self.states > MOST_STATES:
            return True
        ways = []
        colours = self.colours
        dark = (collapsed & self.dark).bit_count()
        for start in cells_of(collapsed):
            fitting = self._fitting(plies - 1, dark - colours[start], colours[other], colours[start])
            before = fitting and fitting & self._spreads_before(face_up, start, end, plies, spreads)
            if before:
                ways.append((-(face_up & self.around[start]).bit_count(), start, before))
        for _, start, before in sorted(ways):
            if self._back(face_up | 1 << start, other, start, before):
                return True
        self.hopeless[state] = self.hopeless.get(state, 0) | spreads
        return False

    def _spreads_before(self, face_up: int, start: int, end: int, plies: int, spreads: int) -> int:
        """Return the spreads before the move from `start` to `end`, for all numbers that allow it."""
        if plies <= len(PAIR):  # the first move of the player, from a jack: no number is assigned
            steps = self.first_steps[plies - 1]
            return spreads if any(can_walk(self.board, start, end, n, face_up) for n in steps) else 0
        before = 0
        for number, place, given in self.numbers.each:
            if spreads & given and can_walk(self.board, start, end, number, face_up):
                before |= (spreads & given) >> place
        return before

    def _fitting(self, plies: int, dark: int, end: int, other: int) -> int:
        """Return the spreads whose odd numbers match the colours: see `colours_fit`."""
        colours = plies, dark, end, other
        found = self.fitting.get(colours)
        if found is None:
            found = sum(
                spreads
                for changes, spreads in self.numbers.by_changes
                if colours_fit(plies, dark, changes, end, other, self.first_changes)
            )
            self.fitting[colours] = found
        return found


class Numbers(NamedTuple):
    """The encoding of spreads: a spread is a bit, its index in mixed radix."""

    each: tuple[tuple[int, int, int], ...]
    """For each number: the number, the shift that assigns one of it, and the spreads that have one."""
    by_changes: tuple[tuple[int, int], ...]
    """Pairs of a count of numbers that change a pawn's colour, and the spreads with that count."""
    all_hidden: int
    """The set of the one spread in which nothing is assigned."""


@lru_cache(maxsize=256)  # one for each set of hidden cards
def numbers_of(hidden: tuple[tuple[int, int], ...], board: Board) -> Numbers:
    """Return the encoding for these hidden numbers, with the count of each."""
    places, size = [], 1
    for _, count in hidden:
        places.append(size)
        size *= count + 1
    given = [0] * len(hidden)
    by_changes: dict[int, int] = {}
    for spread in product(*(range(count + 1) for _, count in hidden)):
        bit = 1 << sum(count * place for count, place in zip(spread, places, strict=True))
        changes = 0
        for index, count in enumerate(spread):
            given[index] |= bit if count else 0
            changes += count * board.changes_colour(hidden[index][0])
        by_changes[changes] = by_changes.get(changes, 0) | bit
    each = tuple((hidden[index][0], places[index], given[index]) for index in range(len(hidden)))
    return Numbers(each, tuple(by_changes.items()), 1 << size - 1)


def can_walk(board: Board, start: int, end: int, steps: int, face_up: int) -> bool:
    """Return whether a walk of `steps` steps over face-up cards leads from start to end."""
    return steps == ANYWHERE or any(needed & ~face_up == 0 for needed, _ in board.walks(start, steps, end))


@lru_cache(maxsize=32)
def colouring(board: Board) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Return the colour of each cell, the cells of colour 1, and the neighbours of each cell."""
    cells = range(board.size)
    colours = tuple(board.colour(cell) for cell in cells)
    around = tuple(mask_of(board.neighbours(cell)) for cell in cells)
    return colours, mask_of(cell for cell in cells if colours[cell]), around


@lru_cache(maxsize=16384)
def colours_fit(
    plies: int, dark: int, changes: int, end: int, other: int, first_changes: tuple[frozenset[int], ...]
) -> bool:
    """Return whether the colours of the two pawns' paths back to a deal are possible.

    `plies` moves are taken back, and as many cards return, `dark` of them of colour 1; `changes` of the
    remaining numbers move a pawn to the other colour. `end` is the colour of the pawn that moved last,
    `other` that of the other one.
    """
    if plies == 0:
        return changes == 0
    for start in (0, 1):
        if not (dark if start else plies - dark):
            continue
        change = int(start != end)
        if plies <= len(PAIR):
            if change not in first_changes[plies - 1]:
                continue
            left = changes
        else:
            left = changes - change
        if left >= 0 and colours_fit(plies - 1, dark - start, left, other, start, first_changes):
            return True
    return False
