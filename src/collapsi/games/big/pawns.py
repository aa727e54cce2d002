"""The state of two to four pawns in the kernels: one word in addition to the set of face-up cards.

Plain functions over ints and flat tables, interpreted or compiled, like `kernel`, whose `reach` they use. The
word has everything but the cards::

    36 … 34   │ 33 … 26             │ 25 … 24 │ 23 … 18 │ 17 … 12 │ 11 … 6 │ 5 … 0
    number of │ points of each seat │ seat to │ cell of each seat's pawn, seat 0 at the right;
    seats out │ that is out, 2 bits │ move    │ 63 if there is none
"""

from __future__ import annotations

from typing import Any

from collapsi.games.big.kernel import FRESH, STATE, UNFINISHED, longest, reach, region, search, spread

Table = Any

CELL_BITS = 6
NO_PAWN = 63
MOVER = 24
POINTS = 26
GONE = 34
SEATS = 4

RANDOM_BITS = 62
RANDOM_FACTOR = 0x2C6F_E96E_E78B_6955  # below 2**62, odd, and 5 modulo 8: the longest period
RANDOM_STEP = 0x14057B7EF767814F
SCALE = 1 << 16  # fixed-point representation of one point


def next_random(luck: int) -> int:
    """Return the next state of a linear congruential generator: only its upper bits are random enough."""
    return luck * RANDOM_FACTOR + RANDOM_STEP & (1 << RANDOM_BITS) - 1


def below(luck: int, count: int) -> int:
    """Return a random number from 0 to count − 1, derived from the generator's state."""
    return (luck >> 30) * count >> 32


def pawns_of(word: int) -> int:
    """Return the set of cells with pawns."""
    found = 0
    for seat in range(SEATS):
        cell = word >> CELL_BITS * seat & NO_PAWN
        if cell != NO_PAWN:
            found |= 1 << cell
    return found


def points_of(word: int, seat: int, players: int) -> int:
    """Return the points of a seat when all but one are out."""
    if word >> CELL_BITS * seat & NO_PAWN != NO_PAWN:
        return players - 1
    return word >> POINTS + 2 * seat & 3


def turn_to_next(word: int, players: int) -> int:
    """Return the word with the turn passed to the next seat that is not out."""
    seat = word >> MOVER & 3
    while True:
        seat = seat + 1 if seat + 1 < players else 0
        if word >> CELL_BITS * seat & NO_PAWN != NO_PAWN:
            return word & ~(3 << MOVER) | seat << MOVER


def go(word: int, end: int, players: int) -> int:
    """Return the word after the mover has moved to a cell; the next seat may have no move."""
    shift = CELL_BITS * (word >> MOVER & 3)
    return turn_to_next(word & ~(NO_PAWN << shift) | end << shift, players)


def moves_of(board: Table, steps: Table, up: int, word: int) -> int:
    """Return the cells where the mover can end."""
    cell = word >> CELL_BITS * (word >> MOVER & 3) & NO_PAWN
    return reach(board, cell, steps[cell], up) & ~pawns_of(word)


def settle(board: Table, steps: Table, up: int, word: int, players: int) -> int:
    """Return the word after each seat that is to move and cannot has gone out; at least one is left."""
    while word >> GONE < players - 1 and moves_of(board, steps, up, word) == 0:
        seat = word >> MOVER & 3
        word |= NO_PAWN << CELL_BITS * seat | (word >> GONE) << POINTS + 2 * seat
        word = turn_to_next(word + (1 << GONE), players)
    return word


def count_moves(board: Table, steps: Table, up: int, word: int, counts: Table) -> int:
    """Write the number of moves that each seat would have now to `counts`; return their sum."""
    pawns = pawns_of(word)
    total = 0
    for seat in range(SEATS):
        counts[seat] = 0
        cell = word >> CELL_BITS * seat & NO_PAWN
        if cell != NO_PAWN:
            counts[seat] = (reach(board, cell, steps[cell], up) & ~pawns).bit_count()
            total += counts[seat]
    return total


def all_apart(board: Table, up: int, word: int) -> int:
    """Return 1 if no pawn can ever meet another, else 0."""
    pawns = pawns_of(word)
    for seat in range(SEATS):
        cell = word >> CELL_BITS * seat & NO_PAWN
        if cell != NO_PAWN and region(board, cell, up) & pawns & ~(1 << cell):
            return 0
    return 1


def run_out(
    board: Table, steps: Table, table: Table, stamp: int, deep: Table, run: Table,
    up: int, word: int, players: int, counts: Table,
) -> int:  # fmt: skip
    """Return the word at the end if no pawn can ever meet another: each makes its longest run of moves."""
    for seat in range(SEATS):
        cell = word >> CELL_BITS * seat & NO_PAWN
        if cell != NO_PAWN:
            counts[seat] = longest(board, steps, table, stamp, deep, run, up, cell)
    while word >> GONE < players - 1:
        seat = word >> MOVER & 3
        if counts[seat] == 0:
            word |= NO_PAWN << CELL_BITS * seat | (word >> GONE) << POINTS + 2 * seat
            word += 1 << GONE
        counts[seat] -= 1
        word = turn_to_next(word, players)
    return word


def exact_end(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    up: int, word: int, players: int, nodes: int, counts: Table,
) -> int:  # fmt: skip
    """Return the word at the end of the round if it is known exactly, else 0.

    With two pawns, if the exact search finishes within `nodes`; with more, if they can never meet.
    """
    if players - (word >> GONE) == 2:
        mover = word >> MOVER & 3
        there = turn_of_other(word, players)
        run[STATE] = FRESH
        cell = word >> CELL_BITS * mover & NO_PAWN
        other = word >> CELL_BITS * there & NO_PAWN
        value = search(board, steps, table, stamp, stack, todo, deep, run, up, cell, other, 1, nodes)
        run[STATE] = FRESH
        if value == UNFINISHED:
            return 0
        loser = there if value > 0 else mover
        return (word | NO_PAWN << CELL_BITS * loser | players - 2 << POINTS + 2 * loser) + (1 << GONE)
    if all_apart(board, up, word):
        return run_out(board, steps, table, stamp, deep, run, up, word, players, counts)
    return 0


def turn_of_other(word: int, players: int) -> int:
    """Return the seat that is not to move, of the two that are left."""
    mover = word >> MOVER & 3
    for seat in range(players):
        if seat != mover and word >> CELL_BITS * seat & NO_PAWN != NO_PAWN:
            return seat
    return mover


def merit(board: Table, steps: Table, up: int, pawns: int, end: int, replies: int) -> int:
    """Return the merit of moving to a cell; `up` and `pawns` exclude the cell of the mover.

    As in `kernel`: the number of next moves, of cards next to those, and whether it takes a reply.
    """
    follow = reach(board, end, steps[end], up) & ~pawns
    beyond = spread(board, follow) & up & ~pawns
    return follow.bit_count() + beyond.bit_count() + 4 * (replies >> end & 1) if follow else 0
