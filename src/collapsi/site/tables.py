"""Completion of the reach table for the WebAssembly kernel, in the subset of Python that is translated."""

from __future__ import annotations

from typing import Any

Table = Any
ROWS = 64  # of the reach table: four numbers of steps on sixteen cells
SETS = 1 << 16  # of face-up cards: the entries of a row


def spread_row(reach: Table, start: int) -> None:
    """Complete a row that has each end of a walk only for the set of exactly the cards of that walk.

    A cell that can be reached with some cards face up can be reached with more of them too, so one pass for
    each card adds the ends of every subset (a subset-sum transform with OR).
    """
    for card in range(16):
        bit = 1 << card
        for face_up in range(SETS):
            if face_up & bit:
                reach[start + face_up] |= reach[start + (face_up ^ bit)]


def spread(reach: Table) -> None:
    """Complete a table, row by row."""
    for row in range(ROWS):
        spread_row(reach, row * SETS)
