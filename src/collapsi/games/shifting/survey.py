"""What a player who looks a few plies ahead sees of every move: outcomes within sight, and next moves.

The functions are compiled like those of `kernel`. They use its search with bounds that end it at the horizon;
without a horizon they find the best moves only, which takes half the time of all values.
"""

from __future__ import annotations

from collapsi.games.shifting.kernel import (
    EVERY,
    NOTHING,
    STILL,
    Table,
    exact_value,
    lay,
    reach,
    search,
    slide,
)

UNLIMITED = -1
"""The sight of a player who sees to the end of the game."""


def survey(
    patch: Table, numbers: Table, reading: int, table: Table, stamp: int, stack: Table,
    todo: Table, nodes: Table, face_up: int, mover: int, other: int, sight: int, values: Table, own: Table,
    replies: Table,
) -> None:  # fmt: skip
    """Write for each move (4 · end card + way) its value, and the numbers of next moves of both players.

    The value is that of `kernel.solve` if the game ends within `sight` plies, else 0; if `sight` is
    `UNLIMITED`, the values of the best moves are written, and `kernel.NOTHING` for all others. The next moves
    are the cards that the mover could end on if it were to move again (`own`), and the opponent's `replies`.
    """
    cards = face_up.bit_count()
    after = face_up & ~(1 << mover)
    left = reach(patch, reading, mover, numbers[mover], face_up, mover, STILL) & ~(1 << other)
    best = 0
    if sight == UNLIMITED:
        best = exact_value(
            patch, numbers, reading, table, stamp, stack, todo, nodes, face_up, mover, other, left
        )
    while left:
        end = (left & -left).bit_length() - 1
        left &= left - 1
        for way in range(4):
            move = 4 * end + way
            slide(patch, reading, end, way)
            answers = reach(patch, reading, other, numbers[other], after, end, STILL) & ~(1 << end)
            again = reach(patch, reading, end, numbers[end], after, end, STILL) & ~(1 << other)
            own[move] = again.bit_count()
            replies[move] = answers.bit_count()
            values[move] = 0
            if sight == UNLIMITED:
                found = search(
                    patch, numbers, reading, table, stamp, stack, todo, nodes,
                    after, other, end, answers, 1 - best,
                )  # fmt: skip
                values[move] = best if found < 1 - best else NOTHING
            for plies in range(1, sight + 1):
                # A win in this many plies leaves `cards - plies` cards, a loss as many for the opponent.
                wins = plies & 1
                goal = plies - cards + 1 if wins else cards - plies
                found = search(
                    patch, numbers, reading, table, stamp, stack, todo, nodes,
                    after, other, end, answers, goal,
                )  # fmt: skip
                if (found < goal) == (wins == 1):
                    values[move] = cards - plies if wins else plies - cards
                    break
            slide(patch, reading, end, way ^ 1)


def survey_many(
    places: Table, numbers: Table, roots: Table, patch: Table, table: Table, stamp: int,
    stack: Table, todo: Table, nodes: Table, sight: int, values: Table, own: Table, replies: Table,
) -> None:  # fmt: skip
    """Call `survey` for each root, as `kernel.value_many` does."""
    for index in range(len(roots)):
        lay(patch, places[index], EVERY)
        survey(
            patch, numbers[index], roots[index, 0], table, stamp + index, stack, todo, nodes,
            roots[index, 1], roots[index, 2], roots[index, 3], sight, values[index], own[index],
            replies[index],
        )  # fmt: skip
