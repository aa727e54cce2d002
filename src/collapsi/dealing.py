"""Deals that one side can win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.analysis import analyse
from collapsi.errors import CollapsiError
from collapsi.position import deal
from collapsi.rules import STANDARD, Player, Rules

if TYPE_CHECKING:
    import random

    from collapsi.position import Position

MOST_TRIES = 1000
"""After so many the side hardly ever wins."""


def deal_won_by(winner: Player, rng: random.Random, rules: Rules = STANDARD) -> Position:
    """Deal until that side wins under perfect play.

    Under `standard` rules red wins three deals in four, under `joker` rules one in three.

    >>> import random
    >>> analyse(deal_won_by(Player.BLUE, random.Random(1))).winner
    <Player.BLUE: 1>
    """
    for _ in range(MOST_TRIES):
        dealt = deal(rng, rules)
        if analyse(dealt).winner is winner:
            return dealt
    msg = f"none of {MOST_TRIES:,} random deals is won by {winner} under {rules} rules"
    raise CollapsiError(msg)
