"""Reasons why a position of the shifting board cannot arise in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.core.faults import plies_played, too_many_cards, wrong_jacks, wrong_turn
from collapsi.core.reasons import Fault, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.shifting.state import Shifting


def find_faults(position: Shifting) -> tuple[Reason, ...]:
    """Return the reasons why the position cannot arise in play.

    Checks cards, turn, jacks, and the size of the board: each ply adds at most one row or column. Does not
    search for moves that lead to it.

    >>> import collapsi
    >>> for reason in find_faults(collapsi.parse_position("A223/4A3Jr/3A22/A3Jb4 b shift")):
    ...     print(reason)
    blue is to move, but with no card collapsed it is red's turn
    """
    return (
        *too_many_cards(position),
        *wrong_turn(position),
        *wrong_jacks(position),
        *_spread(position),
    )


def _spread(position: Shifting) -> Iterator[Reason]:
    """Check the size of the board, and that the jacks of a deal are not in one line."""
    board, whole = position.board, position.rules.board
    plies = plies_played(position)
    spread = board.rows + board.columns - whole.rows - whole.columns
    if spread > plies or board.size < whole.size:
        text = (
            f"{plies} shift{'s' * (plies != 1)} cannot lay out {board.rows} rows of {board.columns} columns"
        )
        yield Reason(Fault.SPREAD, text)
    if plies == 0:
        (red_row, red), (blue_row, blue) = (divmod(cell, board.columns) for cell in position.pawns)
        if red_row == blue_row or red == blue:
            line = "row" if red_row == blue_row else "column"
            yield Reason(Fault.JACKS_IN_LINE, f"both jacks are in one {line}: such a deal is dealt again")
