"""The search, as plain functions over ints and flat tables: one source, two speeds.

Run as it stands it answers one position at once; `compiled` gives the very same functions to Numba for many.
So this file keeps to what both understand: no classes, no recursion (explicit stacks), no allocation, and
every table comes in as an argument (lists and a lazy dict interpreted, arrays compiled).

The game, seen from here
------------------------
A node is (face-up cards, cell of the mover, cell of the other). `player` is 0 or 16, the offset of the
mover's half in `rows`: a card's row in the reach table may depend on who stands on it, because each player
has a first move of their own. A row below zero stands for several numbers of steps, −row being the set of
them: bit n − 1 for n steps, bit 4 for any face-up card at all.

Values are from the mover's view: +k if it wins with k cards left face up, −k if it loses so. Larger is
better: a quick win leaves many cards, a slow loss few. 0 is no value of any node and marks "no move" or "not
decided".

Two facts carry the speed (both because pawns may be passed through):
- what the opponent can reach after I leave my card does not depend on where I land, except that it cannot
  land there too. So `replies`, one look-up, is every child's list of moves: `replies` without my end card;
- I win at once if `replies` is empty, or is one card and I can land on it.

So a node is entered with `moves` and `replies` both known, and is only entered when neither side's move
decides at once: before descending to a child, one look-up gives the child's `replies`, and moves that lose to
an immediate answer are dropped there.

The table
---------
One word for each slot, of the nodes met so far the newest::

    63 … 40 │ 39 … 24       │ 23 … 20 │ 19 … 16 │ 15 … 8     │ 7 … 0
    stamp   │ face-up cards │ mover   │ other   │ lower + 32 │ upper + 32

The stamp numbers the root position: old entries are misses, so the table is never cleared, and the nodes of
one position do not depend on what was solved before it. Cards on the board are a function of the face-up set,
so the key is complete.
"""

from __future__ import annotations

from typing import Any

# Flat int sequences: a list, an array, or a lazy dict. Numba gives each its own machine code.
Table = Any

# Words of a stack frame: those of both loops, then those of `search` or, in their place, of `count_games`.
AFTER, KEY, SLOT, REPLIES = range(4)
GOAL, BEST, BOUNDS, LAST, COUNT = range(4, 9)
UNTRIED, GAMES = range(4, 6)
FRAME = 9
DEPTH = 16  # frames of a stack, and moves of a node, at the most
NOTHING = -99  # below every value

# The slot of a node: its key times a large odd number, and of that some bits from the middle. The formula
# stands in both loops, once each: interpreted, a function for it would cost a hundredth of their time.
NODE = 0xFFFFFF  # the key without the stamp
SPREAD = 0x9E3779B1
MIDDLE = 13


def reach_from(reach: Table, rows: Table, player: int, cell: int, face_up: int) -> int:
    """The cells where `player`, standing on `cell`, may end; the other pawn's cell is not taken out."""
    row = rows[player + cell]
    if row >= 0:
        return reach[row | face_up]  # type: ignore[no-any-return]
    ends = 0
    for steps in range(4):
        if -row >> steps & 1:
            ends |= reach[(steps << 4 | cell) << 16 | face_up]
    if -row >> 4 & 1:
        ends |= face_up & ~(1 << cell)
    return ends


def decided(moves: int, replies: int, cards: int) -> int:
    """The value of a node that is lost or won at once, else 0."""
    if moves == 0:
        return -cards
    if (replies & (replies - 1) | replies & ~moves) == 0:
        return cards - 1
    return 0


def search(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, moves: int, replies: int, player: int, goal: int,
) -> int:  # fmt: skip
    """Is the value of an undecided node at least `goal`?

    Returns v ≥ goal: then the value is at least v. Or v < goal: then the value is at most v.
    """
    depth = 0
    cards = face_up.bit_count()
    slots = len(table) - 1
    entered = 0
    while True:
        # Enter the node (face_up, mover, other). It cannot be won at once, so at best in three plies.
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
            # Each move as one word: merit (20…), end cell (16…19), the child's replies (0…15).
            # Merit: take replies away from the opponent first, then keep many moves for next time. Finer
            # orders (history, killers, table moves, answers that survive) were tried; none paid for its time.
            # The loop has no branch to mispredict: moves that lose at once are overwritten by the next, and
            # the list is not sorted, because most nodes need its largest word only. That made the search 1.5
            # times as fast as skipping and sorting.
            base = depth * DEPTH
            count = 0
            first = 0
            after = face_up & ~(1 << mover | 1 << other)
            left = moves
            while left:
                end_bit = left & -left
                left ^= end_bit
                end = end_bit.bit_length() - 1
                row = rows[player + end]
                next_moves = reach[row | after] if row >= 0 else reach_from(reach, rows, player, end, after)
                answers = replies & ~end_bit
                # Lost at once if there are no next moves, or one only and the opponent can take it.
                alive = (next_moves & (next_moves - 1) | next_moves & ~answers) != 0
                merit = 64 + next_moves.bit_count() - 2 * answers.bit_count()
                move = (merit << 20 | end << 16 | next_moves) * alive
                todo[base + count] = move
                count += alive
                first = move if move > first else first  # noqa: FURB136  (interpreted, max() costs a call)
            if count == 0:
                value = 2 - cards
                table[slot] = key << 16 | value + 32 << 8 | value + 32
            elif 4 - cards >= goal:
                value = 4 - cards  # a move that does not lose at once holds out for four plies
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
        # A known value goes up to the parent, and on from there as long as it settles the parents too.
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
                for index in range(stack[frame + COUNT]):
                    found = todo[base + index]
                    if found < last and found > move:
                        move = found
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
    """The value of a node: first who wins, then, from there outwards, in how many plies.

    Going outwards needs the fewest nodes: every question but the last is answered yes, the cheap answer.
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
            value = found  # a first answer, a quicker win, or a quicker loss
        else:
            return value
        if value == cards - 3:
            return value  # no win is quicker than in three plies, if not at once
        goal = value + 1 if value > 0 else value  # quicker still? or can the mover hold out that long?


def solve(
    reach: Table, rows: Table, table: Table, stamp: int, stack: Table, todo: Table, nodes: Table,
    face_up: int, mover: int, other: int, player: int, values: Table, line: Table,
) -> int:  # fmt: skip
    """Write the value of every move to `values` (by end cell, 0 for no move) and perfect play to `line`.

    Returns the plies of the line. Of equally good moves the line takes the first in reading order.
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
    # Follow the best move. The table still knows most of what is asked here.
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
    """The value of a position, and nothing else: about half the nodes of `solve`, which asks every move's."""
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
    """The number of ways to play on to the end. `keys` and `counts` remember nodes of this position only."""
    slots = len(keys) - 1
    depth = 0
    moves = reach_from(reach, rows, player, mover, face_up) & ~(1 << other)
    while True:
        # Enter a node that has the given moves.
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
        # A known number goes up to the parent, and on from there as long as parents have no move left.
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
    """Fill in `rows` for a position: `row_of[card]` has a card's rows on all cells, red's 16 then blue's."""
    for index in range(32):
        rows[index] = row_of[cards[index & 15], index]


def solve_many(
    reach: Table, row_of: Table, cards: Table, roots: Table, rows: Table,
    table: Table, stack: Table, todo: Table, nodes: Table, values: Table, lines: Table, lengths: Table,
) -> None:  # fmt: skip
    """`solve` for each root: its face-up cards, mover, other, player, and which `row_of` its rules are."""
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
    """`value` for each root."""
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
    """`count_games` for each root."""
    for index in range(len(roots)):
        set_rows(rows, row_of[roots[index, 4]], cards[index])
        keys[:] = 0
        games[index] = count_games(
            reach, rows, keys, counts, stack,
            roots[index, 0], roots[index, 1], roots[index, 2], roots[index, 3],
        )  # fmt: skip
