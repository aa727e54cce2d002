"""Enumerations that answers and their JSON types share.

They have their own module so that `json_types` need not import the modules that use it.
"""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The kinds of verdict."""

    BEST = "best"
    ONLY = "only move"
    SLOWER_WIN = "slower win"
    FASTER_LOSS = "faster loss"
    THREW_AWAY = "threw the win away"


class WhyKind(StrEnum):
    """The kinds of reason, most concrete first."""

    AT_ONCE = "at once"
    FORCED = "forced"
    ONLY_MOVE = "only move"
    EVERY_MOVE = "every move"
    OTHERS_LOSE = "others lose"
    NEXT_CARDS = "next cards"
    CARD = "card of rules"
    CALCULATION = "calculation"

    @property
    def is_concrete(self) -> bool:
        """Whether the reason can be seen on the board."""
        return self is not WhyKind.CALCULATION


class PuzzleKind(StrEnum):
    """What a puzzle asks: for the only winning move, by the plies to look ahead, or whether to pass."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    PASS = "pass"

    @property
    def asks_for_move(self) -> bool:
        """Whether the answer is a move."""
        return self is not PuzzleKind.PASS

    @property
    def least(self) -> int:
        """The fewest plies to look ahead."""
        return {PuzzleKind.MEDIUM: 3, PuzzleKind.HARD: 5, PuzzleKind.EXPERT: 7}.get(self, 1)

    @property
    def text(self) -> str:
        """The description for players.

        >>> PuzzleKind.EASY.text, PuzzleKind.EXPERT.text, PuzzleKind.PASS.text
        ('look 1 or 2 plies ahead', 'look 7 or more plies ahead', 'would you rather pass?')
        """
        if self is PuzzleKind.PASS:
            return "would you rather pass?"
        most = "more" if self is PuzzleKind.EXPERT else self.least + 1
        return f"look {self.least} or {most} plies ahead"


class Turn(StrEnum):
    """The two answers to "would you rather pass?"."""

    MOVE = "move"
    PASS = "pass"


class Mark(StrEnum):
    """How good a move was: a symbol that does not give away the move."""

    __module__ = "collapsi.play.daily"  # its name in the OpenAPI description

    KEPT = "●"
    THREW = "✗"
    LOST = "○"

    @property
    def text(self) -> str:
        """What the symbol means."""
        return {
            Mark.KEPT: "kept the win",
            Mark.THREW: "threw it away",
            Mark.LOST: "there was no win to keep",
        }[self]


class Place(StrEnum):
    """Where the card lies that a first move of red ends on."""

    OWN = "own"
    BOTH = "both"
    OTHER = "other"
    NEITHER = "neither"

    @property
    def text(self) -> str:
        """The place in words, after the name of a card."""
        return _PLACE_TEXTS[self]


_PLACE_TEXTS = {
    Place.OWN: "beside red's jack",
    Place.BOTH: "between the jacks",
    Place.OTHER: "beside blue's jack",
    Place.NEITHER: "further away",
}
