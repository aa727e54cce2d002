"""The search of the shifting board, as plain functions over ints and flat tables.

Like `games.classic.kernel`, it runs interpreted for a small problem and compiled by Numba for a large one: no
classes, no recursion, no allocation, every table an argument.

Model
-----
A card keeps its number (0 to 15), and only its place changes. So pawns move with their cards at no cost, the
face-up cards are a set of sixteen bits as in the classic game, and a walk is the same walk over other
neighbours. Two tables hold the layout; `slide` changes both and can be undone:

- `grid`: the card at each place, or `EMPTY`. A place is row · 64 + column. A search starts around the middle
  and never reaches the edge: there are at most eighteen rows, and a line moves one space per ply.
- `patch`: the place of each card; for each row the set of its occupied columns, and for each column the set
  of its rows, which give the ends of a line; working memory of `reach`.

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
  quarter fewer nodes; near the end it costs more than it saves). History and killer moves gave no gain: wins
  at once are found as quickly without them.
- A small table of bounds with a complete key: the places of all cards relative to card 0 (so that boards that
  differ by a translation are equal), modulo 32. That is sufficient: after n plies, the same n for all nodes
  with the same number of cards, the distance between two cards differs by at most n < 16 from the root.
- First the winner, then the length by null windows outwards from there, as in the classic kernel.

A node takes about four walks and as many shifts with their undoing: 0.8 µs in all (`make bench-shift`).
Without gain: computing the neighbours after a shift without making it; and with that, computing one's own
next moves only if there is no win at once. Same nodes, and no difference in time above the noise.

Transposition table
-------------------
Four words for each slot: three of key, then stamp, lower bound + 32, upper bound + 32 (8 bits each).
"""

from __future__ import annotations

from typing import Any

# A flat sequence of ints: a list or an array. Numba compiles each type separately.
Table = Any

LINE, BOX, ROTATE = range(3)  # the readings, in the order of `collapsi.core.patch.Wrap`
REMOVED = 4  # added to LINE or BOX: lines end at face-up cards, as if collapsed cards were removed
EVERY = 0xFFFF  # the set of all cards

CARDS = 16
SIDE = 64  # columns of the grid, and rows
GRID = SIDE * SIDE
EMPTY = -1
MIDDLE = 20  # row and column of a patch's first place in the grid

# Words of `patch`.
PLACE = 0
ROWS = PLACE + CARDS
COLUMNS = ROWS + SIDE
NEAR = COLUMNS + SIDE
PATCH = NEAR + CARDS

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


def slide(patch: Table, grid: Table, reading: int, card: int, way: int) -> int:
    """Shift the line of a card: its row right (0) or left (1), its column down (2) or up (3).

    Returns the cards of the line. The same call with `way ^ 1` undoes it.
    """
    here = patch[PLACE + card]
    # A line is the set of its occupied places (`bits`), which start at `first` and are `step` apart; `across`
    # has the sets of the lines that cross it, in which this line is `bit`.
    if way < 2:
        along = ROWS + (here >> 6)
        across = COLUMNS
        first = here & ~63
        step = 1
        bit = 1 << (here >> 6)
    else:
        along = COLUMNS + (here & 63)
        across = ROWS
        first = here & 63
        step = SIDE
        bit = 1 << (here & 63)
    bits = patch[along]
    moved: int = 0
    if reading == ROTATE:  # the occupied places stay the same: only the cards rotate
        low = (bits & -bits).bit_length() - 1
        count = bits.bit_count()
        start = low if way & 1 else low + count - 1
        onward = 1 if way & 1 else -1
        carried = grid[first + start * step]
        index = start
        for _ in range(count - 1):
            found = grid[first + (index + onward) * step]
            grid[first + index * step] = found
            patch[PLACE + found] = first + index * step
            moved |= 1 << found
            index += onward
        grid[first + index * step] = carried
        patch[PLACE + carried] = first + index * step
        moved |= 1 << carried
        return moved
    if way & 1:  # towards the start: from the first card on, so that none is overwritten
        left = bits
        while left:
            low = left & -left
            left ^= low
            index = low.bit_length() - 1
            place = first + index * step
            found = grid[place]
            grid[place] = EMPTY
            grid[place - step] = found
            patch[PLACE + found] = place - step
            patch[across + index] ^= bit
            patch[across + index - 1] ^= bit
            moved |= 1 << found
        patch[along] = bits >> 1
    else:
        left = bits
        while left:
            index = left.bit_length() - 1
            left ^= 1 << index
            place = first + index * step
            found = grid[place]
            grid[place] = EMPTY
            grid[place + step] = found
            patch[PLACE + found] = place + step
            patch[across + index] ^= bit
            patch[across + index + 1] ^= bit
            moved |= 1 << found
        patch[along] = bits << 1
    return moved


def next_to(grid: Table, bits: int, index: int, first: int, step: int) -> int:
    """Return the cards next to a place on its line; past an end, the card at the other end.

    `bits` are the occupied places of the line, `index` is this place. In a line of one card it is that card.
    """
    ahead = index + 1
    if bits >> ahead == 0:
        ahead = (bits & -bits).bit_length() - 1
    behind = index - 1
    if bits & ((1 << index) - 1) == 0:
        behind = bits.bit_length() - 1
    found = 0
    card = grid[first + ahead * step]
    if card >= 0:
        found |= 1 << card
    card = grid[first + behind * step]
    if card >= 0:
        found |= 1 << card
    return found


def counting(grid: Table, bits: int, first: int, step: int, counted: int) -> int:
    """Return the occupied places of a line whose cards are in `counted`: they determine where it ends."""
    found = 0
    while bits:
        low = bits & -bits
        bits ^= low
        if counted >> grid[first + (low.bit_length() - 1) * step] & 1:
            found |= low
    return found


def neighbours(patch: Table, grid: Table, counted: int, box_rows: int, box_columns: int, card: int) -> int:
    """Return the cards that touch a card, including collapsed ones and possibly the card itself.

    `counted` are the cards that determine where a line ends. `box_rows` and `box_columns` are 0, or the
    ranges in which lines wrap independently of the cards.
    """
    place = patch[PLACE + card]
    row = place >> 6
    column = place & 63
    if box_rows:
        along_row = box_columns
        along_column = box_rows
    else:
        along_row = patch[ROWS + row]
        along_column = patch[COLUMNS + column]
        if counted != EVERY:
            along_row = counting(grid, along_row, place & ~63, 1, counted)
            along_column = counting(grid, along_column, column, SIDE, counted)
    beside = next_to(grid, along_row, column, place & ~63, 1)
    return beside | next_to(grid, along_column, row, column, SIDE)


def reach(patch: Table, grid: Table, reading: int, card: int, steps: int, face_up: int) -> int:
    """Return the cards where a walk from a card can end; the card of the other pawn is not excluded.

    Neighbours are computed when the walk reaches a card, once each, and cached at `NEAR`.
    """
    box_rows = 0
    box_columns = 0
    counted = face_up if reading & REMOVED else EVERY
    if reading & ~REMOVED == BOX:
        for index in range(CARDS):
            if counted >> index & 1:
                box_rows |= 1 << (patch[PLACE + index] >> 6)
                box_columns |= 1 << (patch[PLACE + index] & 63)
        # The whole range between the first and the last: a gap inside does not end a line.
        box_rows = (1 << box_rows.bit_length()) - (box_rows & -box_rows)
        box_columns = (1 << box_columns.bit_length()) - (box_columns & -box_columns)
    face_up &= ~(1 << card)
    ends = neighbours(patch, grid, counted, box_rows, box_columns, card) & face_up
    if steps == 1:
        return ends
    for index in range(CARDS):
        patch[NEAR + index] = -1
    first_left = ends
    ends = 0
    while first_left:
        first = first_left & -first_left
        first_left ^= first
        index = first.bit_length() - 1
        near = patch[NEAR + index]
        if near < 0:
            near = neighbours(patch, grid, counted, box_rows, box_columns, index) & face_up & ~first
            patch[NEAR + index] = near
        if steps == 2:
            ends |= near
            continue
        second_left = near
        while second_left:
            second = second_left & -second_left
            second_left ^= second
            index = second.bit_length() - 1
            near = patch[NEAR + index]
            if near < 0:
                near = neighbours(patch, grid, counted, box_rows, box_columns, index) & face_up & ~second
                patch[NEAR + index] = near
            near &= ~first
            if steps == 3:
                ends |= near
                continue
            third_left = near
            while third_left:
                third = third_left & -third_left
                third_left ^= third
                index = third.bit_length() - 1
                near = patch[NEAR + index]
                if near < 0:
                    near = neighbours(patch, grid, counted, box_rows, box_columns, index) & face_up & ~third
                    patch[NEAR + index] = near
                ends |= near & ~(first | second)
    return ends


def search(
    patch: Table, grid: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
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
        else:
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
            for way in range(4):
                left = moves
                while left and value == NOTHING:
                    end = (left & -left).bit_length() - 1
                    line = slide(patch, grid, reading, end, way) & moves
                    left &= ~line
                    replies = reach(patch, grid, reading, other, numbers[other], after)
                    while line:
                        end_bit = line & -line
                        line ^= end_bit
                        index = end_bit.bit_length() - 1
                        answers = replies & ~end_bit
                        if answers == 0:
                            value = cards - 1
                        merit = 64 - 4 * answers.bit_count()
                        if cards >= OPENING:
                            nexts = reach(patch, grid, reading, index, numbers[index], after & ~(1 << other))
                            merit += nexts.bit_count()
                        todo[base + count] = merit << 22 | index << 18 | way << 16 | answers
                        count += 1
                    slide(patch, grid, reading, end, way ^ 1)
            if value == NOTHING:
                upper = min(upper, cards - 3)
                if upper < goal:
                    value = upper
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
        # Return a known value to the parent, and further up as long as it settles the parents too.
        move = 0
        while move == 0:
            if value != NOTHING:
                if depth == 0:
                    nodes[0] += entered
                    return value
                frame = (depth - 1) * FRAME
                last = stack[frame + LAST]
                slide(patch, grid, reading, last >> 18 & 15, (last >> 16 & 3) ^ 1)
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
                slot = stack[frame + SLOT]
                bounds = stack[frame + BOUNDS]
                lower = best + 32 << 8 | bounds & 255
                upper = bounds & 255 << 8 | best + 32
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
        slide(patch, grid, reading, other, move >> 16 & 3)
        cards = face_up.bit_count()
        goal = 1 - goal


def exact_value(
    patch: Table, grid: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, moves: int,
) -> int:  # fmt: skip
    """Return the value of a node: first the winner, then the length by null windows outwards from there."""
    cards = face_up.bit_count()
    goal = 1
    value = 0
    while True:
        found = search(
            patch, grid, numbers, reading, table, stamp, stack, todo, nodes,
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
    patch: Table, grid: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, values: Table, line: Table,
) -> int:  # fmt: skip
    """Write the value of each move to `values` (by 4 · end card + way, 0 for none), perfect play to `line`.

    Returns the length of the line. Among equally good moves, it has the first in reading order of the current
    places, then in the order of the ways. The layout is that of the end of the line afterwards.
    """
    best = NOTHING
    length = 0
    moves = reach(patch, grid, reading, mover, numbers[mover], face_up) & ~(1 << other)
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
                slide(patch, grid, reading, end, way)
                replies = reach(patch, grid, reading, other, numbers[other], after) & ~(1 << end)
                if length == 0:
                    value = -exact_value(
                        patch, grid, numbers, reading, table, stamp, stack, todo, nodes,
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
                        patch, grid, numbers, reading, table, stamp, stack, todo, nodes,
                        after, other, end, replies, 1 - best,
                    )  # fmt: skip
                    if value == STOPPED:
                        return length
                    if value >= best:
                        chosen = 4 * end + way
                slide(patch, grid, reading, end, way ^ 1)
        line[length] = chosen
        length += 1
        best = -best
        slide(patch, grid, reading, chosen >> 2, chosen & 3)
        face_up = after
        mover, other = other, chosen >> 2
        moves = reach(patch, grid, reading, mover, numbers[mover], face_up) & ~(1 << other)
    return length


def winner_and_length(
    patch: Table, grid: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int,
) -> int:  # fmt: skip
    """Return the value of a position, which is less work than the values of all its moves."""
    moves = reach(patch, grid, reading, mover, numbers[mover], face_up) & ~(1 << other)
    return exact_value(
        patch, grid, numbers, reading, table, stamp, stack, todo, nodes, face_up, mover, other, moves
    )


def lay(patch: Table, grid: Table, places: Table) -> None:
    """Initialise `patch` and `grid` with each card at its place."""
    for index in range(PATCH):
        patch[index] = 0
    for index in range(GRID):
        grid[index] = EMPTY
    for card in range(CARDS):
        place = places[card]
        patch[PLACE + card] = place
        patch[ROWS + (place >> 6)] |= 1 << (place & 63)
        patch[COLUMNS + (place & 63)] |= 1 << (place >> 6)
        grid[place] = card


def solve_many(
    places: Table, numbers: Table, roots: Table, patch: Table, grid: Table, table: Table, stamp: int,
    stack: Table, todo: Table, nodes: Table, values: Table, lines: Table, lengths: Table,
) -> None:  # fmt: skip
    """Call `solve` for each root: reading, face-up cards, card under the mover, card under the other."""
    for index in range(len(roots)):
        lay(patch, grid, places[index])
        lengths[index] = solve(
            patch, grid, numbers[index], roots[index, 0], table, stamp + index, stack, todo, nodes,
            roots[index, 1], roots[index, 2], roots[index, 3], values[index], lines[index],
        )  # fmt: skip


def value_many(
    places: Table, numbers: Table, roots: Table, patch: Table, grid: Table, table: Table, stamp: int,
    stack: Table, todo: Table, nodes: Table, values: Table,
) -> None:  # fmt: skip
    """Call `winner_and_length` for each root."""
    for index in range(len(roots)):
        lay(patch, grid, places[index])
        values[index] = winner_and_length(
            patch, grid, numbers[index], roots[index, 0], table, stamp + index, stack, todo, nodes,
            roots[index, 1], roots[index, 2], roots[index, 3],
        )  # fmt: skip
