"""The exact search of the big board for two pawns, as plain functions over ints and flat tables.

Like `games.classic.kernel`, it runs interpreted for a small problem and compiled by Numba for a large one: no
classes, no recursion, no allocation, every table an argument, and no number beyond 63 bits.

Model
-----
A node is (face-up cards, cell of the mover, cell of the other): sets of up to 36 bits, too many for a table
of reachable cells. `reach` computes them from the sets of neighbours, with a few dozen operations on whole
sets. Values are those of the classic kernel: +k if the mover wins with k cards left face up, −k if it loses
with k; 0 marks "not decided". Its two facts hold: replies do not depend on where I land, except that the
opponent cannot land there too; and I win at once if there are none, or a single one that I can land on.

Why it is fast
--------------
- A node is entered with its moves and the opponent's replies known, and only if neither side wins at once.
- Moves are ordered by my next moves (their number and the number of cards next to them) and by whether they
  take a reply from the opponent. Counting the cards next to them saves a sixth of the nodes. On 36 positions
  of 30 and 32 cards a killer move for each ply saved 4 to 7 % of the nodes and probing the table for all
  children 2 to 6 %, which is within the noise of the time; refutations stored by the pawns' cells saved
  nothing. None of these is used. History was not measured.
- When the pawns' regions are disconnected, the side that can make more moves alone wins: `longest` computes
  the longest run of each side separately.
- The transposition table fits the processor's cache, and only the upper part of the tree uses it: nodes up to
  13 plies below the root. Only one node in thirty is found in the table, and with a gigabyte, which holds all
  nodes, waiting for memory was more than half of the time. With 16 MB and 13 plies a search enters a tenth to
  a fifth more nodes in less than half the time. Nodes that lose at once are not stored, because they are
  found as quickly again.

Transposition table
-------------------
Two words for each slot, two slots for each place: the first has the node with more cards face up, the second
the newest::

    word 0:  62 … 48 │ 47 … 12       │ 11 … 6 │ 5 … 0      word 1:  15 … 8     │ 7 … 0
             stamp   │ face-up cards │ mover  │ other               lower + 64 │ upper + 64

The key is complete, so there are no collisions. The stamp numbers the deal. Entries of `longest` have the
same cell for mover and other, and both bounds are the number of moves.
"""

from __future__ import annotations

from typing import Any

# A flat sequence of ints: a list or an array. Numba compiles each type separately.
Table = Any

# Words of `board`, filled by `search.board_table`: those of the board, then those of each cell.
COLUMNS, SIZE, ALL, FIRST, LAST = range(5)
CELLS = 8
NEAR, SECOND, CORNER, LEFT, RIGHT, RING, BETWEEN, ROUND = 0, 1, 2, 6, 10, 14, 22, 30
WORDS = 38  # of a cell

# Words of a stack frame of `search`.
AFTER, KEY, PLACE, REPLIES, GOAL, BEST, BOUNDS, TRIED, COUNT = range(9)
FRAME = 10
DEPTH = 38  # frames of a stack
MOVES = 32  # most moves of a node

# Words of `run`: where a search was interrupted.
STATE, NODES, AT = 0, 1, 2
FRESH, INTERRUPTED = 0, 1
RUN = 12

NOTHING = -99  # below every value
UNFINISHED = 99  # above every value
KEY_BITS = (1 << 48) - 1
LAST_STAMP = (1 << 15) - 1
STORED = 13  # plies below the root: the bounds of deeper nodes are not stored
TAKEN = 4  # in the order of moves, taking a reply away counts as much as this many next moves
SHORTEST_SIDE = 5  # of a board for which `reach` is correct
MOST_CELLS = 36


def spread(board: Table, cells: int) -> int:
    """Return the neighbours of any of these cells."""
    columns = board[COLUMNS]
    size = board[SIZE]
    first = cells & board[FIRST]
    last = cells & board[LAST]
    sides = (cells ^ last) << 1 | last >> (columns - 1) | (cells ^ first) >> 1 | first << (columns - 1)
    ends = cells << columns | cells >> (size - columns) | cells >> columns | cells << (size - columns)
    return sides | ends & board[ALL]  # type: ignore[no-any-return]


def reach(board: Table, cell: int, steps: int, up: int) -> int:
    """Return the cells where a walk of 1 to 4 steps over the cells of `up` can end (see `Grid.reach`).

    On boards of at least five rows and columns, a walk of four steps can revisit a cell only by going
    straight back or around a square of four cells. So three steps lead to a neighbour only around one of the
    two squares next to it (CORNER is the neighbour, LEFT and RIGHT the other two cells of each square). Four
    steps lead to a card at distance two only through another such card: for each of the eight (RING; BETWEEN
    are the cells between, ROUND its neighbours) `third` is where the third step can end, which is not where
    the second came from. No branch depends on the cards: that made walks of four steps three times as fast, a
    whole search hardly faster.
    """
    base = CELLS + cell * WORDS
    near = board[base + NEAR]
    one = near & up
    if steps == 1:
        return one  # type: ignore[no-any-return]
    if steps == 2:
        return spread(board, one) & up & ~(1 << cell)
    if steps == 3:
        two = spread(board, one) & up & ~(1 << cell)
        ends = spread(board, two) & ~near
        for corner in range(base + CORNER, base + LEFT):
            left = board[corner + LEFT - CORNER] & ~up
            right = board[corner + RIGHT - CORNER] & ~up
            ends |= board[corner] if (left == 0) | (right == 0) else 0
        return ends & up  # type: ignore[no-any-return]
    once = 0
    twice = 0
    for ring in range(base + RING, base + BETWEEN):
        between = board[ring + BETWEEN - RING] & up
        back = between if between & (between - 1) == 0 else 0
        third = board[ring + ROUND - RING] & up & ~back
        third = third if (board[ring] & up != 0) & (between != 0) else 0
        twice |= once & third
        once |= third
    ends = spread(board, once) & ~board[base + SECOND]
    for ring in range(base + RING, base + BETWEEN):
        between = board[ring + BETWEEN - RING] & up
        back = between if between & (between - 1) == 0 else 0
        third = board[ring + ROUND - RING] & up & ~back
        third = third if (board[ring] & up != 0) & (between != 0) else 0
        ends |= board[ring] if board[ring + ROUND - RING] & (twice | once & ~third) else 0
    return ends & up & ~(1 << cell)  # type: ignore[no-any-return]


def region(board: Table, cell: int, up: int) -> int:
    """Return the cells of `up` that are connected with a cell, including the cell."""
    found = 1 << cell
    edge = found
    while edge:
        edge = spread(board, edge) & up & ~found
        found |= edge
    return found


def place_of(key: int, places: int) -> int:
    """Return the index of a node's place in the table; all products fit 63 bits."""
    return ((key >> 24) * 0x1545F4914F + (key & 0xFFFFFF) * 0x1B873593D5 >> 23 & places) * 4


def store(table: Table, place: int, word: int, bounds: int) -> None:
    """Store a node: in the first slot if it has at least as many cards as the one there, else the second."""
    first = table[place]
    if first == word or first >> 48 != word >> 48:
        table[place] = word
        table[place + 1] = bounds
    elif table[place + 2] != word and (word & KEY_BITS).bit_count() >= (first & KEY_BITS).bit_count():
        table[place + 2] = first
        table[place + 3] = table[place + 1]
        table[place] = word
        table[place + 1] = bounds
    else:
        table[place + 2] = word
        table[place + 3] = bounds


def longest(
    board: Table, steps: Table, table: Table, stamp: int, deep: Table, run: Table, up: int, cell: int
) -> int:
    """Return the most moves that a pawn can make alone on the cards of `up`."""
    depth = 0
    places = len(table) // 4 - 1
    here = region(board, cell, up)
    while True:
        # Enter the pawn on `cell` in its region `here`.
        value = -1
        size = here.bit_count()
        word = stamp << 48 | here << 12 | cell << 6 | cell
        place = place_of(word & KEY_BITS, places)
        ends = reach(board, cell, steps[cell], here)
        if ends == 0:
            value = 0
        elif size <= 3:
            # One move is possible; after it at most two cards are left, and they must touch for a second.
            value = 1
            if size == 3:
                left = ends
                while left:
                    bit = left & -left
                    left ^= bit
                    end = bit.bit_length() - 1
                    if reach(board, end, steps[end], here & ~(1 << cell)):
                        value = 2
        elif table[place] == word:
            value = table[place + 1] & 255
        elif table[place + 2] == word:
            value = table[place + 3] & 255
        else:
            run[NODES] += 1
            frame = depth * FRAME
            deep[frame] = here
            deep[frame + 1] = cell
            deep[frame + 2] = word
            deep[frame + 3] = place
            deep[frame + 4] = ends
            deep[frame + 5] = 0
            depth += 1
        # Return a known number to the parent, and further up while it cannot improve; then try the next end.
        while True:
            if value >= 0:
                if depth == 0:
                    return value
                frame = (depth - 1) * FRAME
                deep[frame + 5] = max(deep[frame + 5], value + 1)
                value = -1
            frame = (depth - 1) * FRAME
            best = deep[frame + 5]
            left = deep[frame + 4]
            after = deep[frame] & ~(1 << deep[frame + 1])
            if best == after.bit_count():
                left = 0
            while left:
                bit = left & -left
                left ^= bit
                cell = bit.bit_length() - 1
                here = region(board, cell, after)
                if here.bit_count() > best:
                    break
                cell = -1
            else:
                cell = -1
            if cell >= 0:
                deep[frame + 4] = left
                break
            store(table, deep[frame + 3], deep[frame + 2], best << 8 | best)
            value = best
            depth -= 1


def apart(
    board: Table, steps: Table, table: Table, stamp: int, deep: Table, run: Table,
    face_up: int, mover: int, other: int, moves: int, replies: int,
) -> int:  # fmt: skip
    """Return the value of a node whose pawns can never meet, where more moves win; 0 if they can meet.

    `moves` and `replies` are where the two can go, which have no cell in common. They are connected with the
    pawns, so the region of the mover starts with all of its moves, and grows until it touches one of theirs.
    """
    here = 1 << mover | moves
    there = 1 << other | replies
    edge = here
    while edge:
        edge = spread(board, edge) & face_up & ~here
        if edge & there:
            return 0
        here |= edge
    cards = face_up.bit_count()
    mine = longest(board, steps, table, stamp, deep, run, here, mover)
    theirs = longest(board, steps, table, stamp, deep, run, face_up & ~here, other)
    return 2 * mine - cards if mine <= theirs else cards - 2 * theirs - 1


def search(
    board: Table, steps: Table, table: Table, stamp: int, stack: Table, todo: Table, deep: Table, run: Table,
    face_up: int, mover: int, other: int, goal: int, budget: int,
) -> int:  # fmt: skip
    """Test whether the value of a node is at least `goal`, with about `budget` nodes at most.

    Returns v ≥ goal, a lower bound of the value, or v < goal, an upper bound; or UNFINISHED: then `stack`,
    `todo` and `run` have the state of the search, and the same call continues it.
    """
    places = len(table) // 4 - 1
    limit = run[NODES] + budget
    value = NOTHING
    move = 0
    if run[STATE] == INTERRUPTED:
        depth = run[AT]
        face_up = run[AT + 1]
        mover = run[AT + 2]
        other = run[AT + 3]
        moves = run[AT + 4]
        replies = run[AT + 5]
        goal = run[AT + 6]
        cards = face_up.bit_count()
        run[STATE] = FRESH
    else:
        depth = 0
        cards = face_up.bit_count()
        moves = reach(board, mover, steps[mover], face_up) & ~(1 << other)
        replies = reach(board, other, steps[other], face_up & ~(1 << mover))
        if moves == 0:
            return -cards
        if (replies & (replies - 1) | replies & ~moves) == 0:
            return cards - 1
    while True:
        if run[NODES] >= limit:
            run[STATE] = INTERRUPTED
            run[AT] = depth
            run[AT + 1] = face_up
            run[AT + 2] = mover
            run[AT + 3] = other
            run[AT + 4] = moves
            run[AT + 5] = replies
            run[AT + 6] = goal
            return UNFINISHED
        # Enter the node (face_up, mover, other). It has no win at once, so the quickest takes three plies.
        run[NODES] += 1
        word = stamp << 48 | face_up << 12 | mover << 6 | other
        place = place_of(word & KEY_BITS, places)
        lower = -cards
        upper = cards - 3
        bounds = 0
        if depth <= STORED:
            if table[place] == word:
                bounds = table[place + 1]
            elif table[place + 2] == word:
                bounds = table[place + 3]
        if bounds:
            lower = (bounds >> 8) - 64
            upper = (bounds & 255) - 64
        value = NOTHING
        if upper < goal:
            value = upper
        elif lower >= goal:
            value = lower
        elif moves & replies == 0 and bounds == 0:
            value = apart(
                board, steps, table, stamp, deep, run, face_up, mover, other, moves, replies
            )  # fmt: skip
            if value == 0:
                value = NOTHING
            elif depth <= STORED:
                store(table, place, word, value + 64 << 8 | value + 64)
        if value == NOTHING:
            # Each move is one word: merit (42…), end cell (36…41), the child's replies (0…35).
            base = depth * MOVES
            count = 0
            first = 0
            after = face_up & ~(1 << mover | 1 << other)
            left = moves
            while left:
                bit = left & -left
                left ^= bit
                end = bit.bit_length() - 1
                next_moves = reach(board, end, steps[end], after)
                answers = replies & ~bit
                # Lost at once without next moves, or with a single one that the opponent can take.
                if next_moves & (next_moves - 1) | next_moves & ~answers:
                    beyond = spread(board, next_moves) & after
                    merit = next_moves.bit_count() + beyond.bit_count() + TAKEN * (replies >> end & 1)
                    move = merit << 42 | end << 36 | next_moves
                    todo[base + count] = move
                    count += 1
                    first = max(first, move)
            if count == 0:
                value = 2 - cards
            elif 4 - cards >= goal:
                value = 4 - cards  # a move that does not lose at once lasts four plies
            else:
                frame = depth * FRAME
                stack[frame + AFTER] = face_up ^ 1 << mover
                stack[frame + KEY] = word
                stack[frame + PLACE] = place
                stack[frame + REPLIES] = replies
                stack[frame + GOAL] = goal
                stack[frame + BEST] = 2 - cards if count < moves.bit_count() else NOTHING
                stack[frame + BOUNDS] = lower + 64 << 8 | upper + 64
                stack[frame + TRIED] = first
                stack[frame + COUNT] = count
                move = first
                face_up ^= 1 << mover
                mover = other
        # Return a known value to the parent, and further up as long as it settles the parents too.
        while value != NOTHING:
            if depth == 0:
                return value
            depth -= 1
            cards += 1
            frame = depth * FRAME
            base = depth * MOVES
            best = max(stack[frame + BEST], -value)
            goal = stack[frame + GOAL]
            value = NOTHING
            move = 0
            if best < goal:  # the next move in order of merit; no two are the same word
                tried = stack[frame + TRIED]
                for index in range(stack[frame + COUNT]):
                    found = todo[base + index]
                    if found < tried and found > move:
                        move = found
            if move == 0:
                bounds = stack[frame + BOUNDS]
                lower = best + 64 << 8 | bounds & 255
                upper = bounds & 255 << 8 | best + 64
                bounds = lower if best >= goal else upper
                if depth <= STORED:
                    store(table, stack[frame + PLACE], stack[frame + KEY], bounds)
                value = best
            else:
                stack[frame + BEST] = best
                stack[frame + TRIED] = move
                face_up = stack[frame + AFTER]
                mover = stack[frame + KEY] & 63
                replies = stack[frame + REPLIES]
        # Descend: the opponent moves next.
        other = move >> 36 & 63
        moves = replies & ~(1 << other)
        replies = move & (1 << MOST_CELLS) - 1
        goal = 1 - goal
        depth += 1
        cards -= 1
