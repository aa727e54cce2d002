"""Deals by chance: those of a seed, numbered, and those that one side can win."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, overload

from collapsi.analysis import analyse
from collapsi.errors import CollapsiError
from collapsi.position import deal
from collapsi.rules import STANDARD, CrowdRules, Player, Rules

if TYPE_CHECKING:
    from collapsi.games.crowd import Crowd
    from collapsi.position import Position

MOST_TRIES = 1000
"""After so many the side hardly ever wins."""


@overload
def nth_deal(seed: int, number: int, rules: CrowdRules) -> Crowd: ...
@overload
def nth_deal(seed: int, number: int, rules: Rules = STANDARD) -> Position: ...
def nth_deal(seed: int, number: int, rules: Rules | CrowdRules = STANDARD) -> Position | Crowd:
    """A deal of a seed, from the two numbers alone: whoever asks for it, and when, gets the same cards.

    >>> nth_deal(7, 0).text, nth_deal(7, 1).text
    ('AA2A/4323/324Jr/2AJb3 r', 'JrA3A/2423/4AA3/322Jb r')
    """
    rng = random.Random(f"{seed} {number}")
    if isinstance(rules, CrowdRules):
        from collapsi.games.crowd import deal_crowd

        return deal_crowd(rng, rules)
    return deal(rng, rules)


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
