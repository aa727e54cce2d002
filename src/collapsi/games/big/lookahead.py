"""Depth-limited search with two to four pawns, and an evaluation by the number of next moves.

Like `kernel`, it runs interpreted and compiled. In max^n each player maximises its own points and, among
equals, minimises those of the others; ties go to the first move in reading order. In paranoid search all
others minimise the points of one seat, `wary`, which allows alpha-beta pruning.
"""

from __future__ import annotations

from typing import Any

from collapsi.games.big.pawns import (
    CELL_BITS,
    GONE,
    MOVER,
    NO_PAWN,
    POINTS,
    SCALE,
    SEATS,
    count_moves,
    go,
    moves_of,
    points_of,
    settle,
)

Table = Any

NODES = 0  # the word of `run` that counts nodes
NO_SEAT = -1  # as `wary`: max^n
UP, WORD, LEFT, BEST = 0, 1, 2, 3  # words of a frame; from BEST on, the best points so far by seat
FRAME = BEST + SEATS
DEPTH = 38
NOTHING = -(1 << 40)  # less than any evaluation
CUT = 1  # result of `look` if it reaches its limit of nodes


def guess(
    board: Table, steps: Table, up: int, word: int, players: int, counting: int, counts: Table, found: Table
) -> None:
    """Write the expected points of each seat, times SCALE, to `found`.

    The points that remain are shared in proportion to the number of next moves; no seat gets more than all of
    them. At the end the winner gets a bonus for each card left, so that it wins as soon as possible and the
    others hold out as long as possible.
    """
    gone = word >> GONE
    left = players - gone
    if left == 1:
        for seat in range(players):
            found[seat] = points_of(word, seat, players) * SCALE
            if word >> CELL_BITS * seat & NO_PAWN != NO_PAWN:
                found[seat] += up.bit_count() * SCALE // (2 * len(steps))
        return
    total = count_moves(board, steps, up, word, counts) if counting else left
    for seat in range(players):
        if word >> CELL_BITS * seat & NO_PAWN == NO_PAWN:
            found[seat] = (word >> POINTS + 2 * seat & 3) * SCALE
        else:
            mine = counts[seat] if counting else 1
            share = left * (left - 1) * mine * SCALE // (2 * total)
            found[seat] = gone * SCALE + min(share, (left - 1) * SCALE)


def look(
    board: Table, steps: Table, up: int, word: int, players: int, plies: int, wary: int, counting: int,
    stack: Table, counts: Table, found: Table, run: Table, limit: int,
) -> int:  # fmt: skip
    """Write the evaluation of a position after `plies` plies to `found`; return CUT after `limit` nodes."""
    depth = 0
    others = 0
    while True:
        # Enter the position (up, word).
        run[NODES] += 1
        if run[NODES] > limit:
            return CUT
        if depth == plies or word >> GONE == players - 1:
            guess(board, steps, up, word, players, counting, counts, found)
        else:
            frame = depth * FRAME
            stack[frame + UP] = up
            stack[frame + WORD] = word
            stack[frame + LEFT] = moves_of(board, steps, up, word)
            mover = word >> MOVER & 3
            for seat in range(SEATS):
                stack[frame + BEST + seat] = NOTHING
            if wary >= 0 and mover != wary:
                stack[frame + BEST + wary] = -NOTHING
            depth += 1
            bit = stack[frame + LEFT] & -stack[frame + LEFT]
            stack[frame + LEFT] ^= bit
            up &= ~(1 << (word >> CELL_BITS * mover & NO_PAWN))
            word = settle(board, steps, up, go(word, bit.bit_length() - 1, players), players)
            continue
        # Return the result to the parent, and further up while no move is left there.
        while True:
            if depth == 0:
                return 0
            frame = (depth - 1) * FRAME
            word = stack[frame + WORD]
            mover = word >> MOVER & 3
            if wary >= 0:
                new = found[wary]
                old = stack[frame + BEST + wary]
                better = new > old if mover == wary else new < old
            else:
                new = found[mover]
                old = stack[frame + BEST + mover]
                better = new > old
                if new == old:
                    others = 0
                    for seat in range(players):
                        others += stack[frame + BEST + seat] - found[seat]
                    better = others > 0
            if better:
                for seat in range(players):
                    stack[frame + BEST + seat] = found[seat]
            left = stack[frame + LEFT]
            if wary >= 0 and left:
                # The bounds of the frames above prune this one.
                best = stack[frame + BEST + wary]
                for above in range(0, (depth - 1) * FRAME, FRAME):
                    known = stack[above + BEST + wary]
                    above_is_mine = (stack[above + WORD] >> MOVER & 3) == wary
                    if above_is_mine and mover != wary and best <= known:
                        left = 0
                    if not above_is_mine and mover == wary and best >= known:
                        left = 0
            if left:
                break
            for seat in range(players):
                found[seat] = stack[frame + BEST + seat]
            depth -= 1
        bit = left & -left
        stack[frame + LEFT] = left ^ bit
        up = stack[frame + UP] & ~(1 << (word >> CELL_BITS * mover & NO_PAWN))
        word = settle(board, steps, up, go(word, bit.bit_length() - 1, players), players)
