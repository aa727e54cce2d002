"""Positions of the shifting board for property tests: deals, games, and some laid out by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

from hypothesis import strategies as st

from collapsi import Game, deal
from tests.rule_sets import SHIFTING
from tests.shifting_positions import made_up

if TYPE_CHECKING:
    from collapsi.games.shifting.rules import ShiftingRules
    from collapsi.games.shifting.state import Shifting

shift_rules = st.sampled_from(SHIFTING)


@st.composite
def shift_deals(draw: st.DrawFn, rules: st.SearchStrategy[ShiftingRules] = shift_rules) -> Shifting:
    """A whole deal."""
    return cast("Shifting", deal(random.Random(draw(st.integers(0, 2**32))), draw(rules)))


@st.composite
def shift_games(
    draw: st.DrawFn, *, most: int = 14, rules: st.SearchStrategy[ShiftingRules] = shift_rules
) -> Game[Shifting]:
    """A game after some plies of any play; sooner if it ends."""
    game = Game.start(draw(shift_deals(rules)))
    for _ in range(draw(st.integers(0, most))):
        if game.position.moves:
            game = game.play(draw(st.sampled_from(game.position.moves)))
    return game


@st.composite
def shift_set_up(draw: st.DrawFn, *, most_cards: int = 16) -> Shifting:
    """Any cards on any patch, either side to move: most cannot arise in play."""
    return made_up(random.Random(draw(st.integers(0, 2**32))), draw(shift_rules), most_cards)
