"""What the WebAssembly kernel does before its first search, in the same plain Python as the search itself."""

from __future__ import annotations

from typing import Any

Table = Any
ROWS = 64  # of the reach table: four numbers of steps on sixteen cells
SETS = 1 << 16  # of face-up cards: the entries of a row


def spread_row(reach: Table, start: int) -> None:
    """Complete a row of a reach table that has the end of every walk only where just its own cards are up.

    Whatever can be reached with some cards face up can be reached with more of them, too: one pass for each
    card.
    """
    for card in range(16):
        bit = 1 << card
        for face_up in range(SETS):
            if face_up & bit:
                reach[start + face_up] |= reach[start + (face_up ^ bit)]


def spread(reach: Table) -> None:
    """Complete a whole table."""
    for row in range(ROWS):
        spread_row(reach, row * SETS)
