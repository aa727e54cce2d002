"""Exact solver of the solo game: whether a position can be solved, in how many ways, and by which moves.

The number on a cell never changes, so a state is only *which numbers are face up* and *where the pawn
stands*: at most 15 · 2¹⁴, a quarter of a million, on sixteen cells, and mostly far fewer. A table over these
states is fast enough without a compiler: about half a millisecond for nine cards and some hundredths of a
second for sixteen. Most unsolvable layouts of sixteen cards do not even need it, because of colours.

**Colours.** A board with even sides is two-coloured like a chessboard, and one step leads to the other
colour. So leaving a card changes the pawn's colour if its number is odd (that of the start jack is one) and
keeps it if it is even, with one exception: from the *last* card the pawn moves to the adjacent exit, which
always changes the colour.
Let *t* be the colour of the exit. A solution is a walk over colours that starts at the pawn's, ends at *t*
and leaves each face-up card once. Every change from the other colour to *t*, except the final one, is
followed by one from *t* back. So, over all face-up cards but the exit,

    changes from cards not of colour t − changes from cards of colour t  =  1 if the pawn is not on colour t,
                                                                            0 if it is.

The last card touches the exit, so it is not of colour *t*. If it is odd, it counts on the left like any other
odd card: then *odd cards not of colour t − odd cards of colour t* equals the right side. If it is even, there
is one change more than odd cards: then that difference is one less. No other difference is solvable.
A move from an even card changes neither side; one from an odd card removes it from the left side and moves
the pawn to the other colour, so both sides change by the same amount. So **the parity of the last card is
known from the start**: one of the cards that touch the exit and have this parity must remain to the end. A
state without one is pruned.

A state is packed as ``cards << 4 | cell``, where `cards` are the numbers that remain to be landed on: without
the pawn's card and the exit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

from collapsi.core.board import cells_of, mask_of
from collapsi.core.reach import CELL_BITS, MOST_CELLS, check_fits
from collapsi.games.solo.rules import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.board import Board
    from collapsi.games.solo.state import Solo, SoloGame

ALL_COUNTS = lcm(*range(1, MOST_CELLS))
"""A common multiple of all possible numbers of moves: the denominator of shares of random play."""

_CELL = (1 << CELL_BITS) - 1


@lru_cache(maxsize=1024)
def _ways(board: Board, cell: int, steps: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return for each end of a walk, as a bit, the sets of cards that must be face up, without duplicates."""
    ways: dict[int, dict[int, None]] = {}
    for path in board.paths(cell, steps):
        ways.setdefault(1 << path[-1], {})[mask_of(path[1:])] = None
    return tuple(sorted((end, tuple(needed)) for end, needed in ways.items()))


class Layout:
    """Constant data of a position and those after it: numbers, exit, and possible last cards."""

    def __init__(self, position: Solo) -> None:
        board = position.board
        check_fits(board)
        self.exit = position.exit
        self.around_exit = mask_of(board.neighbours(self.exit))
        self.over_exit = 1 << self.exit if position.rules.exit is Exit.OPEN else 0
        steps = [
            0 if card is None else position.rules.steps(card, position.to_move)[0] for card in position.cards
        ]
        self.ways = [_ways(board, cell, number) if number else () for cell, number in enumerate(steps)]
        self.root = self.state(position)
        self.lasts = self._lasts(board, steps, position.pawn)

    def state(self, position: Solo) -> int:
        """Return a position of this layout as a packed state."""
        cards = position.face_up & ~(1 << position.pawn) & ~(1 << self.exit)
        return cards << CELL_BITS | position.pawn

    def _lasts(self, board: Board, steps: list[int], pawn: int) -> int:
        """Return the cards that can be the last one, according to colours."""
        if not board.changes_colour(1):
            return self.around_exit
        target = board.colour(self.exit)
        left = self.root >> CELL_BITS | 1 << pawn
        difference = sum(
            board.changes_colour(steps[cell]) * (-1 if board.colour(cell) == target else 1)
            for cell in cells_of(left)
        )
        lacking = int(board.colour(pawn) != target) - difference
        if lacking not in (0, 1):  # unsolvable, even with the exception of the last card
            return 0
        changes = 1 - lacking  # whether the number of the last card is odd
        return mask_of(
            cell for cell in cells_of(left & self.around_exit) if board.changes_colour(steps[cell]) == changes
        )

    def ends(self, state: int) -> int:
        """Return the cells with numbers where the pawn can end, as a set, without the step to the exit."""
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
        """Return the state after a move to a cell."""
        return (state >> CELL_BITS & ~(1 << end)) << CELL_BITS | end

    def can_leave(self, state: int) -> bool:
        """Return whether the pawn, on the last card, is next to the exit."""
        return bool(self.around_exit >> (state & _CELL) & 1)


def is_solvable(position: Solo) -> bool:
    """Return whether a position can be solved.

    >>> from collapsi.games.solo.notation import parse_solo
    >>> is_solvable(parse_solo("A2X/3Jr2/A2A"))
    True
    """
    if position.solved:
        return True
    layout = Layout(position)
    lost: set[int] = set()

    def search(state: int) -> bool:
        cards = state >> CELL_BITS
        if not cards:
            return layout.can_leave(state)
        if not cards & layout.lasts or state in lost:
            return False
        for end in cells_of(layout.ends(state)):
            if search(layout.after(state, end)):
                return True
        lost.add(state)
        return False

    return search(layout.root)


class SolutionTable:
    """Memoised counts of the solutions of a position and of all positions after it.

    >>> from collapsi.games.solo.notation import parse_solo
    >>> position = parse_solo("A2X/3Jr2/A2A")
    >>> table = SolutionTable(position)
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
        """Return the number of solutions from a state."""
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
        """Return the number of solutions: orders of landing on the cards; 1 if it is solved already."""
        return 1 if position.solved else self._count(self._state(position))

    def keeping(self, position: Solo) -> tuple[int, ...]:
        """Return the moves that keep the position solvable, in reading order."""
        if position.is_last:
            return position.moves
        state = self._state(position)
        return tuple(move for move in position.moves if self._count(self.layout.after(state, move)))

    def solutions(self, position: Solo) -> Iterator[tuple[int, ...]]:
        """Yield every solution, as the end cells of its moves, in reading order."""
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
        """Return the probability that uniformly random legal moves solve the position.

        >>> from collapsi.games.solo.notation import parse_solo
        >>> position = parse_solo("A2X/3Jr2/A2A")
        >>> SolutionTable(position).share(position)
        Fraction(1619, 6400)
        """
        if position.solved:
            return Fraction(1)
        state = self._state(position)
        return Fraction(self._weight(state), ALL_COUNTS ** (state >> CELL_BITS).bit_count())

    def _weight(self, state: int) -> int:
        """Return that probability times `ALL_COUNTS` for each move before the step to the exit."""
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
        """Return the least number of forced moves of a solution: only one of several keeps it solvable."""
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


def moves_to_take_back(game: SoloGame, table: SolutionTable | None = None) -> int | None:
    """Return how many moves to take back until the position is solvable; None if it never was.

    >>> from collapsi.games.solo.notation import parse_solo_game
    >>> moves_to_take_back(parse_solo_game("A2X/3Jr2/A2A b1 c3 c2"))
    2
    """
    table = table or SolutionTable(game.positions[0])
    for back, position in enumerate(reversed(game.positions)):
        if table.count(position):
            return back
    return None
