"""The levels of the computer, for all kinds of games."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """The strength of the computer, from the weakest level to the strongest.

    The order is measured: each level wins more than half of its games against the one before it
    (`collapsi ladder --neighbours`; the table is in docs/strategy.md). The last two never err, so they are
    equal against each other, but `TEMPTING` wins back more lost positions (`collapsi ladder --won-back`).
    """

    RANDOM = "random"
    ONE = "1"
    TWO = "2"
    ROAMER = "roamer"
    POCKET = "pocket"
    POINTS = "points"
    FOUR = "4"
    CARD = "card"
    EXPERT = "expert"
    DREAMER = "dreamer"
    MASTER = "master"
    PERFECT = "perfect"
    TEMPTING = "tempting"

    @property
    def never_errs(self) -> bool:
        """Whether the level always plays perfectly, so that the deal decides between two such players."""
        return self in (Level.PERFECT, Level.TEMPTING)

    @property
    def text(self) -> str:
        """The description for players.

        >>> Level.TWO.text
        'careful (takes a win at once, and lets you have none)'
        """
        return _TEXTS[self]


_TEXTS = {
    Level.RANDOM: "random (moves at random)",
    Level.ONE: "beginner (takes a win at once)",
    Level.TWO: "careful (takes a win at once, and lets you have none)",
    Level.ROAMER: "roamer (careful, and keeps many ways open)",
    Level.POCKET: "newcomer (follows the pocket card)",
    Level.POINTS: "learner (follows the points card)",
    Level.FOUR: "calculating (sees four moves ahead)",
    Level.CARD: "student (follows the expert card)",
    Level.EXPERT: "expert (follows the expert card, and sees four moves ahead)",
    Level.DREAMER: "dreamer (plays perfectly, except 3 random moves in 10)",
    Level.MASTER: "master (plays perfectly, except 1 random move in 10)",
    Level.PERFECT: "perfect (never makes a mistake)",
    Level.TEMPTING: "perfect, and sets traps (when it is losing, it plays for your mistakes)",
}

FIRST_LEVEL = Level.ONE
"""The default level for new players."""
