"""Positions for property tests: deals, positions of real games, and some that only a person would set up."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from collapsi import Card, Position, Rules, deal
from collapsi.core.players import PAIR
from collapsi.games.classic.rules import CLASSIC_RULE_SETS

rule_sets = st.sampled_from(list(CLASSIC_RULE_SETS.values()))
"""Of the classic kind; for the shifting board see `tests.shifting_strategies`."""


@st.composite
def deals(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = rule_sets) -> Position:
    """A whole deal."""
    return deal(random.Random(draw(st.integers(0, 2**32))), draw(rules))


@st.composite
def played(
    draw: st.DrawFn, *, fewest: int = 0, most: int = 14, rules: st.SearchStrategy[Rules] = rule_sets
) -> Position:
    """A position after some plies of any play, good or bad; sooner if the game ends."""
    position = draw(deals(rules))
    for _ in range(draw(st.integers(fewest, most))):
        if position.winner is None:
            position = position.play(draw(st.sampled_from(position.moves)))
    return position


@st.composite
def set_up(draw: st.DrawFn, *, most_cards: int = 16, rules: st.SearchStrategy[Rules] = rule_sets) -> Position:
    """Any cards anywhere, pawns on any two of them, either side to move: most cannot arise in play."""
    cells = draw(st.permutations(range(16)))
    count = draw(st.integers(2, most_cards))
    cards: list[Card | None] = [None] * 16
    for cell in cells[:count]:
        cards[cell] = draw(st.sampled_from(Card))
    return Position(tuple(cards), (cells[0], cells[1]), draw(st.sampled_from(PAIR)), draw(rules))
