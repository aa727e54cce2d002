"""The solo game, exactly: whether a position can be solved, in how many ways, and by which moves.

The number under a cell never changes, so a state of play is only *which numbers are face up* and *where the
pawn stands*: on sixteen cells at most 15 · 2¹⁴, a quarter of a million, and mostly far fewer. A table over
them answers every question, without a compiler: about half a millisecond for nine cards and some hundredths
of a second for sixteen. Most layouts of sixteen cards that cannot be solved do not even need that, because of
colours.

**Colours.** A board with even sides is two-coloured like a chessboard, and one step leads to the other
colour. So leaving a card changes the pawn's colour if its number is odd (the start jack's is one) and keeps
it if it is even, with one exception: from the *last* card the pawn leaves next door, so there the colour
changes whatever the number.
Let *t* be the colour of the exit. A solution is a walk over colours that begins at the pawn's, ends at *t*
and leaves each face-up card once. Every change from the other colour to *t* is followed by one from *t* back,
but for the final one. So, over all face-up cards but the exit,

    changes from cards not of colour t − changes from cards of colour t  =  1 if the pawn is not on colour t,
                                                                            0 if it is.

The last card touches the exit, so it is not of colour *t*. If it is odd it counts on the left as any other
odd card: then *odd cards not of colour t − odd cards of colour t* equals the right side. If it is even it is
a change more than odd cards show: then that difference is one less. No other difference can be solved.
A move from an even card changes neither side; one from an odd card takes it off the left side and moves the
pawn to the other colour, and both sides go down by one, or up. So the two cases never mix, and **the parity
of the last card is known from the start**: one of the cards that touch the exit and have this parity must be
kept to the end. A state without one is given up.

A state is packed as ``cards << 4 | cell``, where `cards` are the numbers still to be landed on: neither the
pawn's card nor the exit is among them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

from collapsi.board import cells_of, mask_of
from collapsi.reach import CELL_BITS, MOST_CELLS, check_fits
from collapsi.rules import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.board import Board
    from collapsi.games.solo import Solo, SoloGame

MOST_STATES = MOST_CELLS << MOST_CELLS - 2
"""States looked at before `is_solvable` leaves the question open. Sixteen cells have fewer."""

ALL_COUNTS = lcm(*range(1, MOST_CELLS))
"""A number that every possible number of moves divides: shares of random play are counted in its parts."""

_CELL = (1 << CELL_BITS) - 1


@cache
def _ways(board: Board, cell: int, steps: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """For each end of a walk, as a set: what must be face up for it, for each walk that needs other cards."""
    ways: dict[int, dict[int, None]] = {}
    for path in board.paths(cell, steps):
        ways.setdefault(1 << path[-1], {})[mask_of(path[1:])] = None
    return tuple(sorted((end, tuple(needed)) for end, needed in ways.items()))


class Layout:
    """What never changes from a position on: the numbers, the exit, and which cards may be the last."""

    def __init__(self, position: Solo) -> None:
        board = position.board
        check_fits(board)
        self.exit = position.exit
        self.around_exit = mask_of(board.neighbours(self.exit))
        self.over_exit = 1 << self.exit if position.rules.exit is Exit.OPEN else 0
        steps = [0 if card is None else position.rules.steps(card) for card in position.cards]
        self.ways = [_ways(board, cell, number) if number else () for cell, number in enumerate(steps)]
        self.root = self.state(position)
        self.lasts = self._lasts(board, steps, position.pawn)

    def state(self, position: Solo) -> int:
        """A position of this layout as a packed state."""
        cards = position.face_up & ~(1 << position.pawn) & ~(1 << self.exit)
        return cards << CELL_BITS | position.pawn

    def _lasts(self, board: Board, steps: list[int], pawn: int) -> int:
        """The cards that the pawn may leave from, as far as colours tell."""
        if not board.changes_colour(1):
            return self.around_exit
        target = board.colour(self.exit)
        left = self.root >> CELL_BITS | 1 << pawn
        difference = sum(
            board.changes_colour(steps[cell]) * (-1 if board.colour(cell) == target else 1)
            for cell in cells_of(left)
        )
        lacking = int(board.colour(pawn) != target) - difference
        if lacking not in (0, 1):  # even with the exception of the last card colours do not work out
            return 0
        changes = 1 - lacking  # what the last card's own number must do
        return mask_of(
            cell for cell in cells_of(left & self.around_exit) if board.changes_colour(steps[cell]) == changes
        )

    def ends(self, state: int) -> int:
        """The numbers where the pawn may end, as a set. (The step to the exit is not among them.)"""
        cards = state >> CELL_BITS
        face_up = cards | self.over_exit
        ends = 0
        for end, ways in self.ways[state & _CELL]:
            if end & cards:
                for needed in ways:
                    if needed & face_up == needed:
                        ends |= end
                        break
        return ends

    def after(self, state: int, end: int) -> int:
        """The state after a move to a cell."""
        return (state >> CELL_BITS & ~(1 << end)) << CELL_BITS | end

    def can_leave(self, state: int) -> bool:
        """Whether the pawn, on the last card, is next to the exit."""
        return bool(self.around_exit >> (state & _CELL) & 1)


class _TooManyError(Exception):
    """The search has looked at as many states as it was allowed to."""


def is_solvable(position: Solo, *, most_states: int = MOST_STATES) -> bool | None:
    """Whether the position can be solved, as soon as one way is found; None if `most_states` did not suffice.

    >>> from collapsi.games.solo_notation import parse_solo
    >>> is_solvable(parse_solo("A2X/3Jr2/A2A"))
    True
    """
    if position.solved:
        return True
    layout = Layout(position)
    lost: set[int] = set()
    looked_at = 0

    def search(state: int) -> bool:
        nonlocal looked_at
        cards = state >> CELL_BITS
        if not cards:
            return layout.can_leave(state)
        if not cards & layout.lasts or state in lost:
            return False
        looked_at += 1
        if looked_at > most_states:
            raise _TooManyError
        for end in cells_of(layout.ends(state)):
            if search(layout.after(state, end)):
                return True
        lost.add(state)
        return False

    try:
        return search(layout.root)
    except _TooManyError:
        return None


class Table:
    """Everything that can follow from a position, counted; it answers for every later position too.

    >>> from collapsi.games.solo_notation import parse_solo
    >>> position = parse_solo("A2X/3Jr2/A2A")
    >>> table = Table(position)
    >>> table.count(position), [position.move_text(move) for move in table.keeping(position)]
    (92, ['b1', 'a2', 'c2', 'b3'])
    """

    def __init__(self, position: Solo) -> None:
        self.layout = Layout(position)
        self.first = position
        self._solutions: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._shares: dict[int, int] = {}
        self._forced: dict[int, int] = {}

    def _state(self, position: Solo) -> int:
        first = self.first
        fits = position.rules == first.rules and position.exit == first.exit
        if not fits or any(card not in (None, first.cards[cell]) for cell, card in enumerate(position.cards)):
            msg = f"{position!r} does not follow from {first!r}"
            raise ValueError(msg)
        return self.layout.state(position)

    def _count(self, state: int) -> int:
        """The number of solutions from a state: the one place where they are counted."""
        cards = state >> CELL_BITS
        layout = self.layout
        if not cards:
            return int(layout.can_leave(state))
        if not cards & layout.lasts:
            return 0
        found = self._solutions.get(state)
        if found is None:
            ends = layout.ends(state)
            found = 0
            for end in cells_of(ends):
                found += self._count(layout.after(state, end))
            self._solutions[state] = found
            if found:
                self._ends[state] = ends
        return found

    def count(self, position: Solo) -> int:
        """The number of solutions: different orders of landing on the cards. One if it is solved already."""
        return 1 if position.solved else self._count(self._state(position))

    def keeping(self, position: Solo) -> tuple[int, ...]:
        """The moves that keep the position solvable, in reading order."""
        if position.is_last:
            return position.moves
        state = self._state(position)
        return tuple(move for move in position.moves if self._count(self.layout.after(state, move)))

    def solutions(self, position: Solo) -> Iterator[tuple[int, ...]]:
        """Every solution, as the cells where the moves end, one by one in reading order."""
        return iter([()]) if position.solved else self._orders(self._state(position))

    def _orders(self, state: int) -> Iterator[tuple[int, ...]]:
        if not self._count(state):
            return
        if not state >> CELL_BITS:
            yield (self.layout.exit,)
            return
        for end in cells_of(self._ends[state]):
            for rest in self._orders(self.layout.after(state, end)):
                yield (end, *rest)

    def share(self, position: Solo) -> Fraction:
        """The share of random play that solves the position: every legal move is as likely as any other.

        >>> from collapsi.games.solo_notation import parse_solo
        >>> position = parse_solo("A2X/3Jr2/A2A")
        >>> Table(position).share(position)
        Fraction(1619, 6400)
        """
        if position.solved:
            return Fraction(1)
        state = self._state(position)
        return Fraction(self._weight(state), ALL_COUNTS ** (state >> CELL_BITS).bit_count())

    def _weight(self, state: int) -> int:
        """The share of random play that succeeds, times `ALL_COUNTS` for each move before the pawn leaves."""
        if not self._count(state):
            return 0
        if not state >> CELL_BITS:
            return 1
        found = self._shares.get(state)
        if found is None:
            ends = self._ends[state]
            found = 0
            for end in cells_of(ends):
                found += self._weight(self.layout.after(state, end))
            found *= ALL_COUNTS // ends.bit_count()
            self._shares[state] = found
        return found

    def forced(self, position: Solo) -> int:
        """How often only one of several moves keeps it solvable, on the solution where that is rarest."""
        if position.solved or not self.count(position):
            return 0
        return self._narrow(self._state(position))

    def _narrow(self, state: int) -> int:
        if not state >> CELL_BITS:
            return 0
        found = self._forced.get(state)
        if found is None:
            ends = self._ends[state]
            afters = [self.layout.after(state, end) for end in cells_of(ends)]
            keeping = [after for after in afters if self._count(after)]
            found = min(self._narrow(after) for after in keeping) + (len(keeping) == 1 < len(afters))
            self._forced[state] = found
        return found


def count_solutions(position: Solo) -> int:
    """The number of different orders in which the cards can be landed on so that the position is solved.

    >>> from collapsi.games.solo_notation import parse_solo
    >>> count_solutions(parse_solo("A2X/3Jr2/A2A"))
    92
    """
    return Table(position).count(position)


def solutions(position: Solo) -> Iterator[tuple[int, ...]]:
    """Every solution, as the cells where the moves end, one by one in reading order.

    >>> from collapsi.games.solo_notation import parse_solo
    >>> position = parse_solo("..X/.Ar2/..A")
    >>> [" ".join(map(position.move_text, solution)) for solution in solutions(position)]
    ['c2 c3 c1']
    """
    return Table(position).solutions(position)


def moves_to_take_back(game: SoloGame, table: Table | None = None) -> int | None:
    """How many moves lead back to the nearest position that can be solved; None if the game never had one.

    >>> from collapsi.games.solo_notation import parse_solo_game
    >>> moves_to_take_back(parse_solo_game("A2X/3Jr2/A2A b1 c3 c2"))
    2
    """
    table = table or Table(game.positions[0])
    for back, position in enumerate(reversed(game.positions)):
        if table.count(position):
            return back
    return None
