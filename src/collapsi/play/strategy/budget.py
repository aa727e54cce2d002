"""Budgets for cards: how many lines, words and numbers a person can read and remember."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_EFFORT = 27.0
"""Limit of cards to look at per decision. (All of the mover's next cards and the replies are about 22.)"""

NUMBERS = re.compile(
    r"\d+|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen)\b",
    re.IGNORECASE,
)
"""Numbers in a text, in digits or as words; the name of a card (a two) is one too."""


class CardKind(StrEnum):
    """The cards that come with the package, from the shortest to the strongest."""

    POCKET = "pocket"
    POINTS = "points"
    EXPERT = "expert"


@dataclass(frozen=True)
class Budget:
    """The limits of a card; None is no limit."""

    lines: int
    words: int | None = None
    numbers: int | None = None

    @property
    def is_tight(self) -> bool:
        """Whether sentences have to be short: then points have to be sayable without a table."""
        return self.words is not None or self.numbers is not None

    def allows(self, sentences: Sequence[str]) -> bool:
        """Whether a card with these sentences, one per line, is within the limits."""
        text = " ".join(sentences)
        return (
            len(sentences) <= self.lines
            and (self.words is None or count_words(text) <= self.words)
            and (self.numbers is None or count_numbers(text) <= self.numbers)
        )


BUDGETS = {
    CardKind.POCKET: Budget(lines=3, words=35, numbers=0),
    CardKind.POINTS: Budget(lines=4, words=70, numbers=5),
    CardKind.EXPERT: Budget(lines=5),
}


def count_words(text: str) -> int:
    """Return the number of words of a text; a number is a word.

    >>> count_words("Minus 2 if they can – or could – go on.")
    9
    """
    return len(re.findall(r"\w[\w’'-]*", text))


def count_numbers(text: str) -> int:
    """Return how many numbers a text contains.

    >>> count_numbers("With 12 or more cards, 5 minus its number; a four counts twice.")
    3
    """
    return len(NUMBERS.findall(text))
