"""Deals that one side can win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collapsi.analysis import analyse
from collapsi.position import deal
from collapsi.rules import STANDARD, Player, Rules

if TYPE_CHECKING:
    import random

    from collapsi.position import Position


def deal_won_by(winner: Player, rng: random.Random, rules: Rules = STANDARD) -> Position:
    """Deal until that side wins under perfect play; under either rule set about one deal in four or more will do.

    >>> import random
    >>> analyse(deal_won_by(Player.BLUE, random.Random(1))).winner
    <Player.BLUE: 1>
    """
    while True:
        dealt = deal(rng, rules)
        if analyse(dealt).winner is winner:
            return dealt
