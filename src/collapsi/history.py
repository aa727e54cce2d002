"""Could play have led here? A search backwards, from a position to some deal.

The numbers on collapsed cards are not known, only which numbers they must have been: the deck without what is
still face up. Going back, a pawn returns to a collapsed card, and that card is given one of those numbers
(or the jack, for a player's first move) such that the move was legal.

Three things keep the search to some ten steps, where a plain one needs up to a million:

- The numbers are not tried one by one. A *spread* says how many of each number are still to be given out, and
  a state keeps all spreads that are possible there as one set of bits; giving out a number is a shift.
- Boards with even sides are two-coloured like a chessboard. An odd number takes a pawn to the other colour,
  an even one does not: so how many collapsed cards of each colour and how many odd numbers are left must fit
  together, which a small table tells before any way is looked for.
- The card with the most face-up cards around it returns first: it leads to positions that are easy to reach.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from collapsi.board import cells_of, mask_of
from collapsi.rules import ANYWHERE, PAIR, Card, Player

if TYPE_CHECKING:
    from collapsi.board import Board
    from collapsi.position import Position

MOST_STATES = 400
"""How many states are looked at before the question is left open, at some 20 µs each.

Of 120,000 random positions, reached in play or made up, none needed 200, and boards made ever harder step by
step came to 255.
"""


def can_be_reached(position: Position) -> bool:
    """Whether some deal and some legal moves end in this position; True also where the search gives up.

    The position must pass the other checks of `collapsi.faults`: cards, side to move and jacks.

    >>> import collapsi
    >>> can_be_reached(collapsi.parse_position("A2r23/4Ab2./3A23/.3A4 r"))
    False
    """
    nothing_collapsed = position.cards_left == position.board.size  # a game begins so: every deal is asked
    return nothing_collapsed or Search(position).finds_a_deal()


class Search:
    """One question: the way back from one position."""

    def __init__(self, position: Position) -> None:
        board, rules = position.board, position.rules
        self.board = board
        self.face_up = position.face_up
        plies = board.size - position.cards_left
        last = Player((plies - 1) % 2)
        self.pawns = position.pawns[last], position.pawns[last.other]
        """Of who moved last, and of the other."""
        counts = Counter(position.cards)
        hidden = {card: rules.deck[card] - counts[card] for card in rules.deck if card is not Card.JACK}
        self.numbers = numbers_of(tuple((int(card), count) for card, count in hidden.items()), board)
        self.first_steps = rules.first_steps
        self.first_changes = tuple(
            frozenset((0, 1) if ANYWHERE in steps else map(board.changes_colour, steps))
            for steps in rules.first_steps
        )
        """By player, whether the first move may keep the colour (0) and change it (1)."""
        self.hopeless: dict[tuple[int, int, int], int] = {}
        """By face-up cards and pawns: the spreads from which no deal is found."""
        self.colours, self.dark, self.around = look_of(board)
        self.fitting: dict[tuple[int, int, int, int], int] = {}
        self.states = 0

    def finds_a_deal(self) -> bool:
        """Whether the way back ends in a deal, or is too long to tell."""
        return self._back(self.face_up, *self.pawns, self.numbers.all_hidden)

    def _back(self, face_up: int, end: int, other: int, spreads: int) -> bool:
        """Whether a deal is found from here. `end` is where the last move ended, `other` the other pawn."""
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
        """What was still to be given out before the move from `start` to `end`, in all ways to make it."""
        if plies <= len(PAIR):  # the first move of the player: from a jack, and no number is given out
            steps = self.first_steps[plies - 1]
            return spreads if any(can_walk(self.board, start, end, n, face_up) for n in steps) else 0
        before = 0
        for number, place, given in self.numbers.each:
            if spreads & given and can_walk(self.board, start, end, number, face_up):
                before |= (spreads & given) >> place
        return before

    def _fitting(self, plies: int, dark: int, end: int, other: int) -> int:
        """The spreads whose odd numbers fit the colours: see `colours_fit`."""
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
    """How spreads of hidden numbers are written: as a place in a set of bits, in mixed radix."""

    each: tuple[tuple[int, int, int], ...]
    """A number, how far its place is shifted when one is given out, and the spreads that have one."""
    by_changes: tuple[tuple[int, int], ...]
    """A count of numbers that change a pawn's colour, and the spreads with so many."""
    all_hidden: int
    """The set that holds one spread: nothing given out."""


@cache
def numbers_of(hidden: tuple[tuple[int, int], ...], board: Board) -> Numbers:
    """The numbers that have to be given out, and how many of each."""
    places, room = [], 1
    for _, count in hidden:
        places.append(room)
        room *= count + 1
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
    return Numbers(each, tuple(by_changes.items()), 1 << room - 1)


@cache
def _walks(board: Board, start: int, end: int, steps: int) -> tuple[int, ...]:
    """The cards that must be face up for a walk from start to end, for each walk that needs others."""
    return tuple({mask_of(path[1:]): None for path in board.paths(start, steps) if path[-1] == end})


def can_walk(board: Board, start: int, end: int, steps: int, face_up: int) -> bool:
    """Whether a walk of so many steps over face-up cards leads from start to end."""
    return steps == ANYWHERE or any(needed & face_up == needed for needed in _walks(board, start, end, steps))


@cache
def look_of(board: Board) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """The colour of each cell, the cells of colour 1, and the cells around each cell."""
    cells = range(board.size)
    colours = tuple(board.colour(cell) for cell in cells)
    around = tuple(mask_of(board.neighbours(cell)) for cell in cells)
    return colours, mask_of(cell for cell in cells if colours[cell]), around


@cache
def colours_fit(
    plies: int, dark: int, changes: int, end: int, other: int, first_changes: tuple[frozenset[int], ...]
) -> bool:
    """Whether the colours of the two pawns' ways back can work out.

    So many plies are to be taken back, and as many cards return, `dark` of them of colour 1; `changes` of the
    numbers to be given out take a pawn to the other colour. `end` is the colour of the pawn that moved last,
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
