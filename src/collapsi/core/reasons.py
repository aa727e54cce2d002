"""Types for the reasons why a position cannot arise in play; see `collapsi.core.faults`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """The types of faults."""

    TOO_MANY = "too many of a card"
    WRONG_SIDE = "wrong side to move"
    PAWN_OFF_JACK = "pawn off its jack"
    PAWN_ON_JACK = "pawn still on a jack"
    STRAY_JACK = "stray jack"
    NO_WAY_HERE = "no way here"
    SPREAD = "cards too far apart"
    JACKS_IN_LINE = "jacks in one line"


@dataclass(frozen=True)
class Reason:
    """A fault with a sentence that names squares and numbers."""

    fault: Fault
    text: str

    def __str__(self) -> str:
        return self.text
