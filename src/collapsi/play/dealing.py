"""Random deals: numbered deals of a seed, and deals that a given side wins."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from collapsi.core.errors import CollapsiError
from collapsi.games.classic.rules import STANDARD
from collapsi.games.registry import deal
from collapsi.play.analysis import analyse

if TYPE_CHECKING:
    from collapsi.core.players import Player
    from collapsi.core.rules import RuleSet

MOST_TRIES = 1000
"""The number of deals after which the search for a deal won by one side fails."""


def nth_deal(seed: int, number: int, rules: RuleSet = STANDARD) -> Any:
    """Return a deal that depends only on the seed, the number and the rules.

    >>> nth_deal(7, 0).text, nth_deal(7, 1).text
    ('AA2A/4323/324Jr/2AJb3 r', 'JrA3A/2423/4AA3/322Jb r')
    """
    return deal(random.Random(f"{seed} {number}"), rules)


def deal_won_by(winner: Player, rng: random.Random, rules: RuleSet = STANDARD) -> Any:
    """Deal until the given side wins under perfect play.

    Under `standard` rules red wins three deals in four, under `joker` rules one in three.

    >>> import random
    >>> from collapsi import Player
    >>> analyse(deal_won_by(Player.BLUE, random.Random(1))).winner
    <Player.BLUE: 1>
    """
    for _ in range(MOST_TRIES):
        dealt = deal(rng, rules)
        if analyse(dealt).winner is winner:
            return dealt
    msg = f"none of {MOST_TRIES:,} random deals is won by {winner} under {rules} rules"
    raise CollapsiError(msg)
