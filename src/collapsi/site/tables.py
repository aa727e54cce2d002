"""Completion of the reach table for the WebAssembly kernel, in the subset of Python that is translated."""

from __future__ import annotations

from typing import Any

Table = Any
ROWS = 64  # of the reach table: four numbers of steps on sixteen cells
SETS = 1 << 16  # of face-up cards, with the entries of all rows for each


def spread(reach: Table) -> None:
    """Complete a table that has each end of a walk only for the set of exactly the cards of that walk.

    A cell that can be reached with some cards face up can be reached with more of them too, so one pass for
    each card adds the ends of every subset (a subset-sum transform with OR).
    """
    sets = len(reach) // ROWS
    card = 1
    while card < sets:
        for face_up in range(sets):
            if face_up & card:
                for row in range(ROWS):
                    reach[face_up * ROWS + row] |= reach[(face_up ^ card) * ROWS + row]
        card <<= 1
