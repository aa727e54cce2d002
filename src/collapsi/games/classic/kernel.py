"""The search of the classic game, as plain functions over ints and flat tables.

The same source runs interpreted, which answers one position without start-up cost, and compiled by Numba
(`compiled`), for many positions. It therefore uses no classes, no recursion (explicit stacks) and no
allocation, and every table is an argument: lists and a lazy dict interpreted, arrays compiled.

Model
-----
A node is (face-up cards, cell of the mover, cell of the other). `player` is 0 or 16, the offset of the
mover's half in `rows`: a card's row in the reach table depends on the player who stands on it, because each
player has its own first move. A negative row stands for several numbers of steps; −row is their set: bit
n − 1 for n steps, bit 4 for any face-up card.

Values are from the mover's view: +k if it wins with k cards left face up, −k if it loses with k. Larger is
better: a quick win leaves many cards, a slow loss few. 0 is not a value of any node and marks "no move" or
"not decided".

Speed rests on two facts, which hold because pawns may pass through each other:
- The cells that the opponent can reach after my move do not depend on where I land, except that it cannot
  land there too. So one look-up, `replies`, gives the moves of every child: `replies` without my end cell.
- I win at once if `replies` is empty, or is a single cell that I can land on.

So a node is entered with `moves` and `replies` known, and only if neither side can win at once: before
descending to a child, one look-up gives the child's `replies`, and moves that lose to an immediate answer are
dropped.

Transposition table
-------------------
One word for each slot; a new node replaces the old one::

    63 … 40 │ 39 … 24       │ 23 … 20 │ 19 … 16 │ 15 … 8     │ 7 … 0
    stamp   │ face-up cards │ mover   │ other   │ lower + 32 │ upper + 32

The stamp numbers the root position: entries of other roots never match. So the table is not cleared, and the
node count of a position does not depend on the positions solved before it. Within one deal the face-up set
determines the cards, so the key is complete.
"""

from __future__ import annotations

from typing import Any

from collapsi.solving.prefetch import prefetch

# A flat sequence of ints: a list, an array, or a lazy dict. Numba compiles each type separately.
Table = Any

# Words of a stack frame: those of both loops, then those of `search`, which `count_games` uses differently.
AFTER, KEY, SLOT, REPLIES = range(4)
GOAL, BEST, BOUNDS, LAST, COUNT = range(4, 9)
UNTRIED, GAMES = range(4, 6)
FRAME = 9
DEPTH = 16  # most frames of a stack, and most moves of a node
NOTHING = -99  # below every value

# The slot of a node is a multiplicative hash: the key times a large odd number, of which bits from the middle
# are used. Both loops repeat the formula: interpreted, a function call would cost 1 % of their time.
NODE = 0xFFFFFF  # the key without the stamp
SPREAD = 0x9E3779B1
MIDDLE = 13

ALL = 0xFFFF << 6  # the rows of the reach table with all cards face up


def reach_from(reach: Table, rows: Table, player: int, cell: int, face_up: int) -> int:
    """Return the cells where `player` can end from `cell`; the cell of the other pawn is not excluded."""
    row = rows[player + cell]
    if row >= 0:
        return reach[face_up << 6 | row]  # type: ignore[no-any-return]
    ends = 0
    for steps in range(4):
        if -row >> steps & 1:
            ends |= reach[face_up << 6 | steps << 4 | cell]
    if -row >> 4 & 1:
        ends |= face_up & ~(1 << cell)
    return ends


def decided(moves: int, replies: int, cards: int) -> int:
    """Return the value of a node that is lost or won at once, else 0."""
    if moves == 0:
        return -cards
    if (replies & (replies - 1) | replies & ~moves) == 0:
        return cards - 1
    return 0


def search(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, moves: int, replies: int, player: int, goal: int,
) -> int:  # fmt: skip
    """Test whether the value of an undecided node is at least `goal` (a null-window search).

    Returns v ≥ goal, a lower bound of the value, or v < goal, an upper bound.
    """
    depth = 0
    cards = face_up.bit_count()
    slots = len(table) - 1
    entered = 0
    while True:
        # Enter the node (face_up, mover, other). It has no win at once, so the quickest takes three plies.
        entered += 1
        key = stamp << 24 | face_up << 8 | mover << 4 | other
        slot = ((key & NODE) * SPREAD >> MIDDLE) & slots
        word = table[slot]
        lower = -cards
        upper = cards - 3
        if word >> 16 == key:
            lower = (word >> 8 & 255) - 32
            upper = (word & 255) - 32
        value = NOTHING
        if upper < goal:
            value = upper
        elif lower >= goal:
            value = lower
        else:
            # Each move is one word: merit (20…), end cell (16…19), the child's replies (0…15).
            # Merit prefers moves that take a reply away from the opponent, have many neighbours face up, and
            # leave many next moves. docs/speed.md lists the orders that did not pay for their time.
            # The loop has no branch to mispredict: the next move overwrites one that loses at once, and the
            # list is not sorted, because most nodes need only its largest word. That makes the search 1.5
            # times as fast as skipping and sorting. Nearly every node needs a part of the reach table that is
            # not in the cache yet; while the parent ranks its moves, that of each child is loaded.
            # Masks that change nothing tell the compiler that a number is not negative: 9 % of the time.
            base = (depth & 15) * DEPTH
            count = 0
            first = 0
            after = face_up & ~(1 << mover | 1 << other) & 0xFFFF
            entries = after << 6
            left = moves
            while left:
                end_bit = left & -left
                left ^= end_bit
                end = (end_bit & 0xFFFF).bit_length() - 1
                prefetch(reach, entries ^ end_bit << 6)
                prefetch(reach, entries ^ end_bit << 6 | 32)
                row = rows[(player | end) & 31]
                next_moves = reach[entries | row] if row >= 0 else reach_from(reach, rows, player, end, after)
                # Lost at once without next moves, or with a single one that the opponent can take.
                alive = (next_moves & (next_moves - 1) | next_moves & ~replies) != 0
                neighbours = reach[ALL | end] & after
                options = (next_moves & 0xFFFF).bit_count()
                merit = (replies >> end & 1) * 4 + neighbours.bit_count() * 2 + options
                move = (merit << 20 | end << 16 | next_moves) * alive
                todo[base + count] = move
                count += alive
                first = move if move > first else first  # noqa: FURB136  (interpreted, max() costs a call)
            if count == 0:
                value = 2 - cards  # not stored: that would cost more than to find it again
            elif 4 - cards >= goal:
                value = 4 - cards  # a move that does not lose at once lasts four plies
            else:
                frame = depth * FRAME
                stack[frame + AFTER] = face_up ^ 1 << mover
                stack[frame + KEY] = key
                stack[frame + SLOT] = slot
                stack[frame + REPLIES] = replies
                stack[frame + GOAL] = goal
                stack[frame + BEST] = 2 - cards if count < moves.bit_count() else NOTHING
                stack[frame + BOUNDS] = lower + 32 << 8 | upper + 32
                stack[frame + LAST] = first
                stack[frame + COUNT] = count
                move = first
                face_up ^= 1 << mover
                mover = other
        # Return a known value to the parent, and further up as long as it settles the parents too.
        while value != NOTHING:
            if depth == 0:
                nodes[0] += entered
                return value
            depth -= 1
            cards += 1
            player ^= 16
            frame = depth * FRAME
            base = depth * DEPTH
            best = max(stack[frame + BEST], -value)
            goal = stack[frame + GOAL]
            value = NOTHING
            move = 0
            if best < goal:  # the next move in order of merit; no two are the same word
                last = stack[frame + LAST]
                for index in range(stack[frame + COUNT]):  # also without a branch to mispredict
                    found = todo[base + index]
                    found = found if found < last else 0
                    move = found if found > move else move  # noqa: FURB136
            if move == 0:
                key = stack[frame + KEY]
                bounds = stack[frame + BOUNDS]
                lower = best + 32 << 8 | bounds & 255
                upper = bounds & 255 << 8 | best + 32
                table[stack[frame + SLOT]] = key << 16 | (lower if best >= goal else upper)
                value = best
            else:
                stack[frame + BEST] = best
                stack[frame + LAST] = move
                face_up = stack[frame + AFTER]
                mover = stack[frame + KEY] & 15
                replies = stack[frame + REPLIES]
        # Descend: the opponent moves next.
        other = move >> 16 & 15
        moves = replies & ~(1 << other)
        replies = move & 0xFFFF
        goal = 1 - goal
        depth += 1
        cards -= 1
        player ^= 16


def exact_value(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, moves: int, replies: int, player: int,
) -> int:  # fmt: skip
    """Return the value of a node: first the winner, then the length by null windows outwards from there.

    This order needs the fewest nodes: every test but the last succeeds, which is the cheap answer.
    """
    cards = face_up.bit_count()
    value = decided(moves, replies, cards)
    if value != 0:
        return value
    goal = 1  # does the mover win?
    while True:
        found = search(
            reach, rows, table, stamp, stack, todo, nodes,
            face_up, mover, other, moves, replies, player, goal,
        )  # fmt: skip
        if goal == 1 or (found > value if value > 0 else found < value):
            value = found  # the first answer, a quicker win, or a quicker loss
        else:
            return value
        if value == cards - 3:
            return value  # the quickest win that is not at once
        goal = value + 1 if value > 0 else value  # a quicker win? or can the mover hold out this long?


def solve(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, player: int, values: Table, line: Table,
) -> int:  # fmt: skip
    """Write the value of every move to `values` (by end cell, 0 for no move) and perfect play to `line`.

    Returns the length of the line. Among equally good moves, the line has the first in reading order.
    """
    moves = reach_from(reach, rows, player, mover, face_up) & ~(1 << other)
    best = NOTHING
    length = 0
    cards = face_up.bit_count()
    after = face_up & ~(1 << mover)
    replies = reach_from(reach, rows, player ^ 16, other, after)
    left = moves
    while left:
        end_bit = left & -left
        left ^= end_bit
        end = end_bit.bit_length() - 1
        next_moves = reach_from(reach, rows, player, end, after & ~(1 << other))
        value = -exact_value(
            reach, rows, table, stamp, stack, todo, nodes,
            after, other, end, replies & ~end_bit, next_moves, player ^ 16,
        )  # fmt: skip
        values[end] = value
        if value > best:
            best = value
            line[0] = end
    # Follow the best move. Most of the values are still in the table.
    while moves:
        if length > 0:
            left = moves
            while left:
                end_bit = left & -left
                left ^= end_bit
                end = end_bit.bit_length() - 1
                next_moves = reach_from(reach, rows, player, end, after & ~(1 << other))
                value = -decided(replies & ~end_bit, next_moves, cards - 1)
                if value == 0:
                    value = -search(
                        reach, rows, table, stamp, stack, todo, nodes,
                        after, other, end, replies & ~end_bit, next_moves, player ^ 16, 1 - best,
                    )  # fmt: skip
                if value >= best:
                    line[length] = end
                    break
        end = line[length]
        length += 1
        best = -best
        moves = replies & ~(1 << end)
        replies = reach_from(reach, rows, player, end, after & ~(1 << other))
        player ^= 16
        mover = other
        other = end
        cards -= 1
        after &= ~(1 << mover)
    return length


def value(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, player: int,
) -> int:  # fmt: skip
    """Return the value of a position: about half the nodes of `solve`, which values every move."""
    moves = reach_from(reach, rows, player, mover, face_up) & ~(1 << other)
    replies = reach_from(reach, rows, player ^ 16, other, face_up & ~(1 << mover))
    return exact_value(
        reach, rows, table, stamp, stack, todo, nodes,
        face_up, mover, other, moves, replies, player,
    )  # fmt: skip


def count_games(
    reach: Table, rows: Table, keys: Table, counts: Table, stack: Table,
    face_up: int, mover: int, other: int, player: int,
) -> int:  # fmt: skip
    """Return the number of ways to play on to the end; `keys` must be cleared for each position."""
    slots = len(keys) - 1
    depth = 0
    moves = reach_from(reach, rows, player, mover, face_up) & ~(1 << other)
    while True:
        # Enter a node with the given moves.
        key = face_up << 8 | mover << 4 | other
        slot = (key * SPREAD >> MIDDLE) & slots
        games = 0
        if moves == 0:
            games = 1
        elif keys[slot] == key:
            games = counts[slot]
        else:
            frame = depth * FRAME
            after = face_up & ~(1 << mover)
            stack[frame + AFTER] = after
            stack[frame + KEY] = key
            stack[frame + SLOT] = slot
            stack[frame + REPLIES] = reach_from(reach, rows, player ^ 16, other, after)
            stack[frame + UNTRIED] = moves
            stack[frame + GAMES] = 0
            depth += 1
            player ^= 16
        # Add a known number to the parent, and go further up while parents have no move left.
        while True:
            if games:
                if depth == 0:
                    return games
                stack[(depth - 1) * FRAME + GAMES] += games
            frame = (depth - 1) * FRAME
            moves = stack[frame + UNTRIED]
            if moves:
                break
            slot = stack[frame + SLOT]
            games = stack[frame + GAMES]
            keys[slot] = stack[frame + KEY]
            counts[slot] = games
            depth -= 1
            player ^= 16
        end_bit = moves & -moves
        stack[frame + UNTRIED] = moves ^ end_bit
        face_up = stack[frame + AFTER]
        mover = stack[frame + KEY] & 15
        other = end_bit.bit_length() - 1
        moves = stack[frame + REPLIES] & ~end_bit


def set_rows(rows: Table, row_of: Table, cards: Table) -> None:
    """Fill `rows` for a position: `row_of[card]` has a card's rows on all cells, red's 16 then blue's."""
    for index in range(32):
        rows[index] = row_of[cards[index & 15], index]


def solve_many(
    reach: Table, row_of: Table, cards: Table, roots: Table, rows: Table,
    table: Table, stack: Table, todo: Table, nodes: Table, values: Table, lines: Table, lengths: Table,
) -> None:  # fmt: skip
    """Call `solve` for each root: face-up cards, mover, other, player, and index of its rules in `row_of`."""
    for index in range(len(roots)):
        set_rows(rows, row_of[roots[index, 4]], cards[index])
        lengths[index] = solve(
            reach, rows, table, index + 1, stack, todo, nodes,
            roots[index, 0], roots[index, 1], roots[index, 2], roots[index, 3], values[index], lines[index],
        )  # fmt: skip


def value_many(
    reach: Table, row_of: Table, cards: Table, roots: Table, rows: Table,
    table: Table, stack: Table, todo: Table, nodes: Table, values: Table,
) -> None:  # fmt: skip
    """Call `value` for each root."""
    for index in range(len(roots)):
        set_rows(rows, row_of[roots[index, 4]], cards[index])
        values[index] = value(
            reach, rows, table, index + 1, stack, todo, nodes,
            roots[index, 0], roots[index, 1], roots[index, 2], roots[index, 3],
        )  # fmt: skip


def count_many(
    reach: Table, row_of: Table, cards: Table, roots: Table, rows: Table,
    keys: Table, counts: Table, stack: Table, games: Table,
) -> None:  # fmt: skip
    """Call `count_games` for each root."""
    for index in range(len(roots)):
        set_rows(rows, row_of[roots[index, 4]], cards[index])
        keys[:] = 0
        games[index] = count_games(
            reach, rows, keys, counts, stack,
            roots[index, 0], roots[index, 1], roots[index, 2], roots[index, 3],
        )  # fmt: skip
