"""Exact endgames with three or four pawns: the points of every player, and what one player can secure.

Like `kernel`, it runs interpreted and compiled; the reference implementations are `solving.reference.points`
and `endgame.secured`. Both searches end where two players are left (the exact search for two gives the
winner) or where pawns can never meet again (each makes its longest run). The points of all are eight bits,
two for each seat.

A search that reaches its limit stores its state in `run` and `frames`, and the same call continues it; before
another search the caller sets `run[WAITING]` to 0. Two words for each slot of the table::

    word 0:  59 … 24       │ 23 … 0        word 1:  … 13  │ 12 … 10 │ 9 … 8 │ 7 … 0
             face-up cards │ pawns' cells           stamp │ about   │ mover │ found

In entries of `judge`, about is 0 and found the points of all; in those of `secures`, about is seat + 1 and
found the upper and the lower bound of the points of that seat.
"""

from __future__ import annotations

from typing import Any

from collapsi.games.big.kernel import NODES
from collapsi.games.big.pawns import (
    CELL_BITS,
    GONE,
    MOVER,
    NO_PAWN,
    POINTS,
    SEATS,
    exact_end,
    go,
    moves_of,
    points_of,
    settle,
)

Table = Any

UP, WORD, LEFT, BEST, PLACE = range(5)
FRAME = 5
DEPTH = 40
CUT = -1
ALL_POINTS = 255
CELLS = (1 << CELL_BITS * SEATS) - 1
WAITING, WAITING_UP, WAITING_WORD = 9, 10, 11  # words of `run` that `search` does not use
ENOUGH = 1 << 50  # nodes for the exact search of two: no limit in practice


def slot_of(key: int, slots: int) -> int:
    """Return the index of a position in the table; all products fit 63 bits."""
    return ((key >> 30) * 0x1545F491 + (key & 0x3FFFFFFF) * 0x1B873593 >> 20 & slots) * 2


def all_points(word: int, players: int) -> int:
    """Return the points of all seats at the end of a round, two bits each."""
    found = 0
    for seat in range(players):
        found |= points_of(word, seat, players) << 2 * seat
    return found


def judge(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    kept: Table, frames: Table, counts: Table, up: int, word: int, players: int, limit: int,
) -> int:  # fmt: skip
    """Return the points of all if each player maximises its own; ties go to the first move in reading order.

    Returns CUT if `run` has counted `limit` nodes before the result is known.
    """
    slots = len(kept) // 2 - 1
    top = players - 1
    depth = 0
    if run[WAITING]:
        depth = run[WAITING] - 1
        up = run[WAITING_UP]
        word = run[WAITING_WORD]
        run[WAITING] = 0
    while True:
        # Enter the position (up, word).
        if run[NODES] >= limit:
            run[WAITING] = depth + 1
            run[WAITING_UP] = up
            run[WAITING_WORD] = word
            return CUT
        run[NODES] += 1
        mover = word >> MOVER & 3
        value = -1
        key = up << CELL_BITS * SEATS | word & CELLS
        place = slot_of(key, slots)
        if word >> GONE == top:
            value = all_points(word, players)
        elif kept[place] == key and kept[place + 1] >> 8 == stamp << 5 | mover:
            value = kept[place + 1] & ALL_POINTS
        else:
            end = exact_end(
                board, steps, table, stamp, stack, todo, deep, run, up, word, players, ENOUGH, counts
            )
            if end:
                value = all_points(end, players)
        if value < 0:
            frame = depth * FRAME
            frames[frame + UP] = up
            frames[frame + WORD] = word
            frames[frame + LEFT] = moves_of(board, steps, up, word)
            frames[frame + BEST] = -1
            frames[frame + PLACE] = place
            depth += 1
        # Return a known value to the parent, and further up while the mover there cannot get more.
        while True:
            frame = (depth - 1) * FRAME
            if value >= 0:
                if depth == 0:
                    return value
                mover = frames[frame + WORD] >> MOVER & 3
                best = frames[frame + BEST]
                if best < 0 or value >> 2 * mover & 3 > best >> 2 * mover & 3:
                    best = value
                    frames[frame + BEST] = value
                if best >> 2 * mover & 3 == top:
                    frames[frame + LEFT] = 0
                value = -1
            if frames[frame + LEFT]:
                break
            depth -= 1
            word = frames[frame + WORD]
            value = frames[frame + BEST]
            kept[frames[frame + PLACE]] = frames[frame + UP] << CELL_BITS * SEATS | word & CELLS
            kept[frames[frame + PLACE] + 1] = (stamp << 5 | word >> MOVER & 3) << 8 | value
        bit = frames[frame + LEFT] & -frames[frame + LEFT]
        frames[frame + LEFT] ^= bit
        word = frames[frame + WORD]
        up = frames[frame + UP] & ~(1 << (word >> CELL_BITS * (word >> MOVER & 3) & NO_PAWN))
        word = settle(board, steps, up, go(word, bit.bit_length() - 1, players), players)


def secures(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    kept: Table, frames: Table, counts: Table, up: int, word: int, players: int, limit: int,
    seat: int, goal: int,
) -> int:  # fmt: skip
    """Return 1 if a seat gets at least `goal` points against all others, 0 if not; or CUT, as `judge`."""
    slots = len(kept) // 2 - 1
    depth = 0
    if run[WAITING]:
        depth = run[WAITING] - 1
        up = run[WAITING_UP]
        word = run[WAITING_WORD]
        run[WAITING] = 0
    while True:
        # Enter the position (up, word).
        if run[NODES] >= limit:
            run[WAITING] = depth + 1
            run[WAITING_UP] = up
            run[WAITING_WORD] = word
            return CUT
        run[NODES] += 1
        mover = word >> MOVER & 3
        gone = word >> GONE
        value = -1
        key = up << CELL_BITS * SEATS | word & CELLS
        place = slot_of(key + seat + 1, slots)
        if word >> CELL_BITS * seat & NO_PAWN == NO_PAWN:
            value = 1 if (word >> POINTS + 2 * seat & 3) >= goal else 0
        elif gone >= goal or gone == players - 1:
            value = 1
        elif kept[place] == key and kept[place + 1] >> 8 == stamp << 5 | (seat + 1) << 2 | mover:
            if kept[place + 1] & 3 >= goal:
                value = 1
            elif kept[place + 1] >> 2 & 3 < goal:
                value = 0
        if value < 0:
            end = exact_end(
                board, steps, table, stamp, stack, todo, deep, run, up, word, players, ENOUGH, counts
            )
            if end:
                value = 1 if points_of(end, seat, players) >= goal else 0
        if value < 0:
            frame = depth * FRAME
            frames[frame + UP] = up
            frames[frame + WORD] = word
            frames[frame + LEFT] = moves_of(board, steps, up, word)
            frames[frame + PLACE] = place
            depth += 1
        # Return a known value to the parent, and further up while it settles the position there.
        while True:
            frame = (depth - 1) * FRAME
            if value >= 0:
                if depth == 0:
                    return value
                word = frames[frame + WORD]
                if frames[frame + LEFT] == 0 or value == (1 if word >> MOVER & 3 == seat else 0):
                    depth -= 1
                    place = frames[frame + PLACE]
                    key = frames[frame + UP] << CELL_BITS * SEATS | word & CELLS
                    tag = stamp << 5 | (seat + 1) << 2 | word >> MOVER & 3
                    lower = 0
                    upper = 3
                    if kept[place] == key and kept[place + 1] >> 8 == tag:
                        lower = kept[place + 1] & 3
                        upper = kept[place + 1] >> 2 & 3
                    if value:
                        lower = goal
                    else:
                        upper = goal - 1
                    kept[place] = key
                    kept[place + 1] = tag << 8 | upper << 2 | lower
                    continue
                value = -1
            break
        bit = frames[frame + LEFT] & -frames[frame + LEFT]
        frames[frame + LEFT] ^= bit
        word = frames[frame + WORD]
        up = frames[frame + UP] & ~(1 << (word >> CELL_BITS * (word >> MOVER & 3) & NO_PAWN))
        word = settle(board, steps, up, go(word, bit.bit_length() - 1, players), players)
