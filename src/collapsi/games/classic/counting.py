"""Compiled features of moves for learning strategies: the fast twin of `play.strategy.vocabulary`.

The features use the same tables and functions as the search (`kernel` explains `reach`, `rows` and `player`).
Sets of cells are ints. The columns are in the order of `vocabulary.WORDS` and `vocabulary.LOOKS`; a test
compares them with the plain implementation.
"""

from __future__ import annotations

from collapsi.games.classic import compiled  # noqa: F401 - registers the functions of the kernel with Numba
from collapsi.games.classic.kernel import Table, reach_from, set_rows
from collapsi.solving.jit import machine_code


@machine_code
def count_words(
    reach: Table, row_of: Table, colours: Table, cards: Table, roots: Table, rows: Table,
    owners: Table, ends: Table, words: Table, looks: Table,
) -> None:  # fmt: skip
    """Write for each move (position and end cell) the cells of every word and the cost of every look."""
    last = -1
    face_up = mover = other = player = 0
    for index in range(len(owners)):
        owner = owners[index]
        if owner != last:
            last = owner
            set_rows(rows, row_of, cards[owner])
            face_up = roots[owner, 0]
            mover = roots[owner, 1]
            other = roots[owner, 2]
            player = roots[owner, 3]
        end = ends[index]
        here = 1 << end
        after = face_up & ~(1 << mover)
        in_reply = reach_from(reach, rows, player ^ 16, other, after)
        replies = in_reply & ~here
        later = after & ~(1 << other)
        following = reach_from(reach, rows, player, end, later)
        third = later & ~here

        lively = second = beyond = best = 0
        for cell in range(16):
            if following >> cell & 1:
                onward = reach_from(reach, rows, player, cell, third)
                lively |= (onward != 0) << cell
                second |= onward
                beyond += onward.bit_count()
                best = onward if onward.bit_count() > best.bit_count() else best
        their_lively = their_second = their_beyond = their_best = 0
        forced = replies != 0
        for cell in range(16):
            if replies >> cell & 1:
                onward = reach_from(reach, rows, player ^ 16, cell, third)
                moves = following & ~(1 << cell)
                if onward & (onward - 1) or not (moves if onward == 0 else onward & moves):
                    forced = False
                their_lively |= (onward != 0) << cell
                their_second |= onward
                their_beyond += onward.bit_count()
                their_best = onward if onward.bit_count() > their_best.bit_count() else their_best

        # One step from a cell: the first sixteen rows of the table.
        neighbours = reach[after << 6 | end]
        region = here
        before = 0
        while region != before:
            before = region
            for cell in range(16):
                if before >> cell & 1:
                    region |= reach[after << 6 | cell]
        region &= ~here

        trapped = replies != 0 and (following & (following - 1) | following & ~replies) == 0
        taken = in_reply >> end & 1
        word = words[index]
        word[0] = here if replies == 0 else 0
        word[1] = here if trapped else 0
        word[2] = here
        word[3] = following
        word[4] = here if taken else 0
        word[5] = 0 if taken else here
        word[6] = replies
        word[7] = following & ~replies
        word[8] = following & replies
        word[9] = here if following & replies else 0
        word[10] = lively
        word[11] = second
        word[12] = their_lively
        word[13] = here if their_lively == 0 else 0
        word[14] = their_second
        word[15] = best
        word[16] = their_best
        word[17] = neighbours
        word[18] = region
        word[19] = here if neighbours >> other & 1 else 0
        word[20] = here if colours[end] == colours[other] else 0
        word[21] = here if forced else 0
        word[22] = here if replies != 0 and lively == 0 and not forced else 0

        look = looks[index]
        look[0] = 1
        look[1] = in_reply.bit_count()
        look[2] = following.bit_count()
        look[3] = following.bit_count()
        look[4] = replies.bit_count()
        look[5] = beyond
        look[6] = their_beyond
        look[7] = neighbours.bit_count()
        look[8] = region.bit_count()


@machine_code
def share_kept(points: Table, begins: Table, wins: Table, kept: Table) -> None:
    """Write for each position, a range of moves, the share of winning moves among those with most points."""
    for index in range(len(begins) - 1):
        most = points[begins[index]]
        count = 0
        good = 0
        for move in range(begins[index], begins[index + 1]):
            if points[move] > most:
                most = points[move]
                count = 0
                good = 0
            if points[move] == most:
                count += 1
                good += wins[move]
        kept[index] = good / count
