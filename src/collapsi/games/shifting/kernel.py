"""The search of the shifting board, as plain functions over ints and flat tables.

Like `games.classic.kernel`, it runs interpreted for a small problem and compiled by Numba for a large one: no
classes, no recursion, no allocation, every table an argument.

Model
-----
A card keeps its number (0 to 15), and only its place changes. So pawns move with their cards at no cost, the
face-up cards are a set of sixteen bits as in the classic game, and a walk is the same walk over other
neighbours. One table, `patch`, holds the layout; `slide` changes it and can be undone:

- the place of each card: row · 64 + column. A search starts around the middle and never reaches the edge:
  there are at most eighteen rows, and a line moves one space per ply;
- for each row the set of its occupied columns, and for each column the set of its rows, which give the ends
  of a line;
- working memory of `reach`;
- the grid: for each place the card there as a set, or 0.

A node is (layout, face-up cards, card under the mover, card under the other). Values are those of the classic
kernel: +k if the mover wins with k cards left face up, −k if it loses with k; 0 marks "not decided".

Why it is fast
--------------
- The opponent's replies to my move depend on the shift, and on my end card only in that the opponent cannot
  land there too. So moves are not examined one by one: each *line* with one of my end cards is shifted once
  in each direction, and one walk of the opponent gives the replies for all end cards on it. About fifteen
  lines cover about thirty moves.
- A move without replies wins at once; all moves are tested for that before any is searched. This ends three
  of four nodes, after three lines of about fifteen.
- Moves with few replies come first; among those, in the opening, moves that give me many next moves (a
  quarter fewer nodes; near the end it costs more than it saves).
- The shift of a line is not carried out to find the replies to it. It moves all cards of the line together,
  so which cards touch along the lines parallel to it stays the same for all shifts of a node (`BESIDE`), and
  only what touches across them is computed for each. Cards are sets, so a gap needs no branch.
- A small table of bounds with a complete key: the places of all cards relative to card 0 (so that boards that
  differ by a translation are equal), modulo 32. That is sufficient: after n plies, the same n for all nodes
  with the same number of cards, the distance between two cards differs by at most n < 16 from the root.
  One node in 150 is found there. So nodes with fewer than ten cards, five of six, do not use it: 1 % more
  nodes in `shift`, 4 % in `shift-rotate`, for 5 and 24 % less time.
- First the winner, then the length by null windows outwards from there, as in the classic kernel.

A node takes about three walks and two shifts (`make bench-shift`). Without gain: another key that ignores
which of the equal cards is where and what was on collapsed ones (0.1 % fewer nodes, 6 % in `shift-rotate`);
the line that won against the sibling first (same nodes, 1 % more time); killer moves (3 % fewer nodes, 2 %
less time); the share of successes of each end card (2 to 4 % fewer nodes, 2 % less time in `shift`, 2 % more
in `shift-rotate`); one's own next moves at nodes of eight cards too (11 % fewer nodes, 20 % more time).

Transposition table
-------------------
Four words for each slot: three of key, then stamp, lower bound + 32, upper bound + 32 (8 bits each).
"""

from __future__ import annotations

from typing import Any

# A flat sequence of ints: a list or an array. Numba compiles each type separately.
Table = Any

LINE, BOX, ROTATE = range(3)  # the readings, in the order of `collapsi.core.patch.Wrap`
REMOVED = 4  # added to LINE or BOX: lines end at face-up cards, because collapsed cards are removed
EVERY = 0xFFFF  # the set of all cards
STILL = 4  # the way of no shift

CARDS = 16
SIDE = 64  # columns of the grid, and rows
MIDDLE = 20  # row and column of a patch's first place in the grid, a multiple of four

# Words of `patch`.
PLACE = 0
ROWS = PLACE + CARDS
COLUMNS = ROWS + SIDE
NEAR = COLUMNS + SIDE
BESIDE = NEAR + CARDS
KNOWN = BESIDE + 2 * CARDS
GRID = KNOWN + 2
PATCH = GRID + SIDE * SIDE

# Words of a stack frame.
UP, MOVER, OTHER, KEY, SLOT, GOAL, BEST, BOUNDS, LAST, COUNT = 0, 1, 2, 3, 6, 7, 8, 9, 10, 11
FRAME = 12
DEPTH = 16  # frames of a stack
MOVES = 64  # most moves of a node
ENTRY = 4  # words of a slot

NOTHING = -99  # below every value
STOPPED = 0  # instead of a value: the caller has set `nodes[1]`
PATIENCE = 0xFFF  # mask: `nodes[1]` is read every 4096 nodes, some milliseconds
ALL = 1 << 62  # above every move
OPENING = 11  # from this many cards on, ordering by one's own next moves pays off
STORED = 10  # from this many cards on, the table of bounds pays off


def put(patch: Table, card: int) -> None:
    """Put a card on its place, or take it away if it is there."""
    patch[KNOWN] = 0
    patch[KNOWN + 1] = 0
    place = patch[PLACE + card]
    patch[GRID + place] ^= 1 << card
    patch[ROWS + (place >> 6)] ^= 1 << (place & 63)
    patch[COLUMNS + (place & 63)] ^= 1 << (place >> 6)


def line_of(patch: Table, card: int, way: int) -> int:
    """Return the cards of the line that a shift moves."""
    place = patch[PLACE + card]
    bits = patch[COLUMNS + (place & 63)] if way & 2 else patch[ROWS + (place >> 6)]
    first = GRID + (place & 63 if way & 2 else place & ~63)
    step = SIDE if way & 2 else 1
    found = 0
    for index in range((bits & -bits).bit_length() - 1, bits.bit_length()):
        found |= patch[first + index * step]
    return found


def slide(patch: Table, reading: int, card: int, way: int) -> None:
    """Shift the line of a card: its row right (0) or left (1), its column down (2) or up (3).

    The same call with `way ^ 1` undoes it.
    """
    patch[KNOWN] = 0
    patch[KNOWN + 1] = 0
    place = patch[PLACE + card]
    # A line is the set of its occupied places (`bits`), which start at `first` and are `step` apart; `across`
    # has the sets of the lines that cross it, in which this line is `bit`.
    along = ROWS + (place >> 6)
    across = COLUMNS
    first = place & ~63
    step = 1
    bit = 1 << (place >> 6)
    if way & 2:
        along = COLUMNS + (place & 63)
        across = ROWS
        first = place & 63
        step = SIDE
        bit = 1 << (place & 63)
    bits = patch[along]
    start = (bits & -bits).bit_length() - 1
    count = bits.bit_length() - start
    onward = step
    shifted = bits << 1
    if way & 1:
        start += count - 1
        onward = -step
        shifted = bits >> 1
    at = first + start * step
    carried = 0
    if reading == ROTATE:
        carried = patch[GRID + at + (count - 1) * onward]
    else:
        count += 1
        patch[along] = shifted
        changed = bits ^ shifted
        while changed:
            low = changed & -changed
            changed ^= low
            patch[across + low.bit_length() - 1] ^= bit
    for _ in range(count):
        found = patch[GRID + at]
        patch[GRID + at] = carried
        if carried:
            patch[PLACE + carried.bit_length() - 1] = at
        carried = found
        at += onward


def ahead_of(bits: int, index: int) -> int:
    """Return the place after this one on a line with the places `bits`; after the last, the first."""
    return index + 1 if bits >> index + 1 else (bits & -bits).bit_length() - 1


def behind(bits: int, index: int) -> int:
    """Return the place before this one on a line with the places `bits`; before the first, the last."""
    return index - 1 if bits & (1 << index) - 1 else bits.bit_length() - 1


def reach(patch: Table, reading: int, card: int, steps: int, face_up: int, pivot: int, way: int) -> int:
    """Return the cards where a walk can end after a shift; the card of the other pawn is not excluded.

    The shift is that of `slide(patch, reading, pivot, way)`, or none if `way` is STILL. It is not made: a
    shift moves a whole line, so it changes only which cards touch across the lines that are parallel to it.
    """
    by = 0 if way == STILL else 1 - 2 * (way & 1)
    # A place is the number of its line, of those parallel to the shifted one (`moved`), and its index there.
    along = ROWS
    across = COLUMNS
    step = 1
    apart = SIDE
    beside = BESIDE
    known = KNOWN
    moved = patch[PLACE + pivot] >> 6
    if way & 2:
        along = COLUMNS
        across = ROWS
        step = SIDE
        apart = 1
        beside = BESIDE + CARDS
        known = KNOWN + 1
        moved = patch[PLACE + pivot] & 63
    places = patch[along + moved]
    if reading != ROTATE:
        places = places << 1 if by > 0 else places >> -by
    box = 0
    box_across = 0
    if reading & ~REMOVED == BOX:
        counted = face_up if reading & REMOVED else EVERY
        for other in range(CARDS):
            if counted >> other & 1:
                place = patch[PLACE + other]
                line = place & 63 if way & 2 else place >> 6
                index = place >> 6 if way & 2 else place & 63
                box_across |= 1 << line
                box |= 1 << (index + by if line == moved else index)
        # The whole range between the first and the last: a gap inside does not end a line.
        box_across = (1 << box_across.bit_length()) - (box_across & -box_across)
        box = (1 << box.bit_length()) - (box & -box)
    face_up &= ~(1 << card)
    seen = 0
    left = 1 << card
    for _ in range(steps):  # the neighbours of all cards that a walk can leave, from near to far
        seen |= left
        further = 0
        while left:
            bit = left & -left
            left ^= bit
            at = bit.bit_length() - 1
            place = patch[PLACE + at]
            line = place >> 6
            index = place & 63
            if way & 2:
                line = place & 63
                index = place >> 6
            if patch[known] & bit:
                near = patch[beside + at]
            else:
                bits = patch[along + line]
                if box:  # instead of the line, the box is shifted, the other way
                    bits = box
                    if line == moved:
                        bits = box >> 1 if by > 0 else box << -by
                near = patch[GRID + line * apart + ahead_of(bits, index) * step]
                near |= patch[GRID + line * apart + behind(bits, index) * step]
                if box == 0:
                    patch[known] |= bit
                    patch[beside + at] = near
            if line == moved:
                index = index & ~3 | index + by & 3 if reading == ROTATE else index + by
            before = index & ~3 | index - by & 3 if reading == ROTATE else index - by
            bits = box_across
            if box == 0:
                bits = patch[across + index] & ~(1 << moved) | (places >> index & 1) << moved
            touched = ahead_of(bits, line)
            near |= patch[GRID + touched * apart + (before if touched == moved else index) * step]
            touched = behind(bits, line)
            near |= patch[GRID + touched * apart + (before if touched == moved else index) * step]
            near &= face_up & ~bit
            patch[NEAR + at] = near
            further |= near
        left = further & ~seen
    first_left = patch[NEAR + card]
    if steps == 1:
        return first_left  # type: ignore[no-any-return]
    ends = 0
    while first_left:
        first = first_left & -first_left
        first_left ^= first
        second_left = patch[NEAR + first.bit_length() - 1]
        if steps == 2:
            ends |= second_left
            continue
        while second_left:
            second = second_left & -second_left
            second_left ^= second
            third_left = patch[NEAR + second.bit_length() - 1] & ~first
            if steps == 3:
                ends |= third_left
                continue
            while third_left:
                third = third_left & -third_left
                third_left ^= third
                ends |= patch[NEAR + third.bit_length() - 1] & ~(first | second)
    return ends


def search(
    patch: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, moves: int, goal: int,
) -> int:  # fmt: skip
    """Test whether the value of a node, whose moves are known, is at least `goal` (a null-window search).

    Returns v ≥ goal, a lower bound of the value, or v < goal, an upper bound. `numbers` are the steps of each
    card. The layout is restored, unless the result is `STOPPED`.
    """
    depth = 0
    cards = face_up.bit_count()
    slots = len(table) // ENTRY - 1
    modulus = 3 if reading == ROTATE else 31  # with rotating lines the board is a 4×4 torus
    entered = 0
    while True:
        # Enter a node: the layout, face_up, mover, other, and the moves.
        entered += 1
        if entered & PATIENCE == 0 and nodes[1]:
            nodes[0] += entered
            return STOPPED
        value = NOTHING
        slot = 0
        key_0 = 0
        key_1 = 0
        key_2 = 0
        lower = -cards
        upper = cards - 1
        if moves == 0:
            value = -cards
        elif upper < goal:
            value = upper
        elif 2 - cards >= goal:
            value = 2 - cards  # there is a move
        elif cards >= STORED:
            origin = patch[PLACE]
            for index in range(1, CARDS):
                place = patch[PLACE + index]
                seen = ((place >> 6) - (origin >> 6) & modulus) << 5 | (place - origin) & modulus
                if index < 7:
                    key_0 = key_0 << 10 | seen
                elif index < 13:
                    key_1 = key_1 << 10 | seen
                else:
                    key_2 = key_2 << 10 | seen
            key_2 |= (face_up << 8 | mover << 4 | other) << 30
            mixed = key_0 * 0x1E3779B97F4A7C15 ^ key_1 * 0x42B2AE3D27D4EB4F ^ key_2 * 0x165667B19E3779F9
            slot = (mixed >> 30 & slots) * ENTRY
            word = table[slot + 3]
            known = table[slot] == key_0 and table[slot + 1] == key_1 and table[slot + 2] == key_2
            if known and word >> 16 == stamp:
                lower = (word >> 8 & 255) - 32
                upper = (word & 255) - 32
            if upper < goal:
                value = upper
            elif lower >= goal:
                value = lower
        if value == NOTHING:
            # Each move is one word: merit (22…), end card (18…21), way (16, 17), the replies left (0…15).
            base = depth * MOVES
            count = 0
            after = face_up & ~(1 << mover)
            if reading & REMOVED:
                put(patch, mover)
            for way in range(4):
                left = moves
                while left and value == NOTHING:
                    end = (left & -left).bit_length() - 1
                    line = line_of(patch, end, way) & moves
                    left &= ~line
                    replies = reach(patch, reading, other, numbers[other], after, end, way)
                    while line:
                        end_bit = line & -line
                        line ^= end_bit
                        index = end_bit.bit_length() - 1
                        answers = replies & ~end_bit
                        if answers == 0:
                            value = cards - 1
                        merit = 64 - 4 * answers.bit_count()
                        if cards >= OPENING:
                            nexts = reach(
                                patch, reading, index, numbers[index], after & ~(1 << other), end, way
                            )
                            merit += nexts.bit_count()
                        todo[base + count] = merit << 22 | index << 18 | way << 16 | answers
                        count += 1
            if value == NOTHING:
                upper = min(upper, cards - 3)
                if upper < goal:
                    value = upper
                    if cards >= STORED:
                        table[slot] = key_0
                        table[slot + 1] = key_1
                        table[slot + 2] = key_2
                        table[slot + 3] = stamp << 16 | lower + 32 << 8 | upper + 32
                else:
                    frame = depth * FRAME
                    stack[frame + UP] = face_up
                    stack[frame + MOVER] = mover
                    stack[frame + OTHER] = other
                    stack[frame + KEY] = key_0
                    stack[frame + KEY + 1] = key_1
                    stack[frame + KEY + 2] = key_2
                    stack[frame + SLOT] = slot
                    stack[frame + GOAL] = goal
                    stack[frame + BEST] = NOTHING
                    stack[frame + BOUNDS] = lower + 32 << 8 | upper + 32
                    stack[frame + LAST] = ALL
                    stack[frame + COUNT] = count
                    depth += 1
            if value != NOTHING and reading & REMOVED:
                put(patch, mover)
        # Return a known value to the parent, and further up as long as it settles the parents too.
        move = 0
        while move == 0:
            if value != NOTHING:
                if depth == 0:
                    nodes[0] += entered
                    return value
                frame = (depth - 1) * FRAME
                last = stack[frame + LAST]
                slide(patch, reading, last >> 18 & 15, (last >> 16 & 3) ^ 1)
                stack[frame + BEST] = max(stack[frame + BEST], -value)
                value = NOTHING
            frame = (depth - 1) * FRAME
            base = (depth - 1) * MOVES
            best = stack[frame + BEST]
            goal = stack[frame + GOAL]
            if best < goal:  # the next move in order of merit; no two are the same word
                last = stack[frame + LAST]
                for index in range(stack[frame + COUNT]):
                    found = todo[base + index]
                    if found < last and found > move:
                        move = found
            if move == 0:
                if reading & REMOVED:
                    put(patch, stack[frame + MOVER])
                slot = stack[frame + SLOT]
                bounds = stack[frame + BOUNDS]
                lower = best + 32 << 8 | bounds & 255
                upper = bounds & 255 << 8 | best + 32
                if stack[frame + UP].bit_count() >= STORED:
                    table[slot] = stack[frame + KEY]
                    table[slot + 1] = stack[frame + KEY + 1]
                    table[slot + 2] = stack[frame + KEY + 2]
                    table[slot + 3] = stamp << 16 | (lower if best >= goal else upper)
                value = best
                depth -= 1
        # Descend: the line slides, and the opponent moves next.
        stack[frame + LAST] = move
        face_up = stack[frame + UP] & ~(1 << stack[frame + MOVER])
        mover = stack[frame + OTHER]
        other = move >> 18 & 15
        moves = move & 0xFFFF
        slide(patch, reading, other, move >> 16 & 3)
        cards = face_up.bit_count()
        goal = 1 - goal


def exact_value(
    patch: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, moves: int,
) -> int:  # fmt: skip
    """Return the value of a node: first the winner, then the length by null windows outwards from there."""
    cards = face_up.bit_count()
    goal = 1
    value = 0
    while True:
        found = search(
            patch, numbers, reading, table, stamp, stack, todo, nodes,
            face_up, mover, other, moves, goal,
        )  # fmt: skip
        if found == STOPPED:
            return STOPPED
        if goal == 1 or (found > value if value > 0 else found < value):
            value = found  # the first answer, a quicker win, or a quicker loss
        else:
            return value
        if value in (cards - 1, -cards):
            return value
        goal = value + 1 if value > 0 else value


def solve(
    patch: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, values: Table, line: Table,
) -> int:  # fmt: skip
    """Write the value of each move to `values` (by 4 · end card + way, 0 for none), perfect play to `line`.

    Returns the length of the line. Among equally good moves, it has the first in reading order of the current
    places, then in the order of the ways. The layout is that of the end of the line afterwards.
    """
    best = NOTHING
    length = 0
    moves = reach(patch, reading, mover, numbers[mover], face_up, mover, STILL) & ~(1 << other)
    while moves:
        after = face_up & ~(1 << mover)
        chosen = -1
        left = moves
        while left and (length == 0 or chosen < 0):
            # The next end card in reading order of the places.
            end = (left & -left).bit_length() - 1
            more = left
            while more:
                bit = more & -more
                more ^= bit
                index = bit.bit_length() - 1
                if patch[PLACE + index] < patch[PLACE + end]:
                    end = index
            left ^= 1 << end
            for way in range(4):
                if length > 0 and chosen >= 0:
                    break
                replies = reach(patch, reading, other, numbers[other], after, end, way) & ~(1 << end)
                slide(patch, reading, end, way)
                if length == 0:
                    value = -exact_value(
                        patch, numbers, reading, table, stamp, stack, todo, nodes,
                        after, other, end, replies,
                    )  # fmt: skip
                    if value == STOPPED:
                        return length
                    values[4 * end + way] = value
                    if value > best:
                        best = value
                        chosen = 4 * end + way
                else:
                    # Most of the values are still in the table.
                    value = -search(
                        patch, numbers, reading, table, stamp, stack, todo, nodes,
                        after, other, end, replies, 1 - best,
                    )  # fmt: skip
                    if value == STOPPED:
                        return length
                    if value >= best:
                        chosen = 4 * end + way
                slide(patch, reading, end, way ^ 1)
        line[length] = chosen
        length += 1
        best = -best
        slide(patch, reading, chosen >> 2, chosen & 3)
        face_up = after
        mover, other = other, chosen >> 2
        moves = reach(patch, reading, mover, numbers[mover], face_up, mover, STILL) & ~(1 << other)
    return length


def winner_and_length(
    patch: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int,
) -> int:  # fmt: skip
    """Return the value of a position, which is less work than the values of all its moves."""
    moves = reach(patch, reading, mover, numbers[mover], face_up, mover, STILL) & ~(1 << other)
    return exact_value(
        patch, numbers, reading, table, stamp, stack, todo, nodes, face_up, mover, other, moves
    )


def lay(patch: Table, places: Table, present: int) -> None:
    """Initialise `patch` with each card at its place, those of `present` on the table."""
    for index in range(PATCH):
        patch[index] = 0
    for card in range(CARDS):
        patch[PLACE + card] = places[card]
        if present >> card & 1:
            put(patch, card)


def solve_many(
    places: Table, numbers: Table, roots: Table, patch: Table, table: Table, stamp: int,
    stack: Table, todo: Table, nodes: Table, values: Table, lines: Table, lengths: Table,
) -> None:  # fmt: skip
    """Call `solve` for each root: reading, face-up cards, card under the mover, card under the other."""
    for index in range(len(roots)):
        lay(patch, places[index], EVERY)
        lengths[index] = solve(
            patch, numbers[index], roots[index, 0], table, stamp + index, stack, todo, nodes,
            roots[index, 1], roots[index, 2], roots[index, 3], values[index], lines[index],
        )  # fmt: skip


def value_many(
    places: Table, numbers: Table, roots: Table, patch: Table, table: Table, stamp: int,
    stack: Table, todo: Table, nodes: Table, values: Table,
) -> None:  # fmt: skip
    """Call `winner_and_length` for each root."""
    for index in range(len(roots)):
        removed = roots[index, 0] & REMOVED
        lay(patch, places[index], roots[index, 1] if removed else EVERY)
        values[index] = winner_and_length(
            patch, numbers[index], roots[index, 0], table, stamp + index, stack, todo, nodes,
            roots[index, 1], roots[index, 2], roots[index, 3],
        )  # fmt: skip
