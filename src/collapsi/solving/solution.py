"""The answer of the search kernels, which all kinds of games share."""

from __future__ import annotations

from typing import NamedTuple


class Solution(NamedTuple):
    """A solved position in the terms of the kernels; `collapsi.games.analysis` translates it."""

    values: tuple[int, ...]
    """By move: cards left face up, negative if the side to move loses; 0 where the move is illegal."""
    line: tuple[int, ...]
    """Perfect play to the end, move by move."""
