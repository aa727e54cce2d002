"""Games in which both players move at random, over all deals: calculated, not sampled.

Who moves at random looks at no number but the one under the pawn. So all that is known of the numbers still
face up is which they are, not where they lie: each order of them is equally likely, whatever was played. It
is enough to follow how likely each *shape* is (`collapsi.solve.layers`) with each set of numbers used up,
some hundred thousand cases in place of billions of positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.board import cells_of
from collapsi.made_up import deck_of, with_options
from collapsi.solve.layers import JACKS, NUMBERED, OFFICIAL, Shape, layers_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.made_up import Deck
    from collapsi.rules import Rules
    from collapsi.solve.layers import Layer


@dataclass(frozen=True)
class Chance:
    """What happens on average if both play at random."""

    choices: float
    """Moves to choose from, over all plies that are played."""
    plies: float
    """Length of a game."""
    red_share: float
    """How often red wins."""


class Steps(NamedTuple):
    """How shapes of one layer lead to those of the next, for one number under the mover: a row a move."""

    start: NDArray[np.int64]
    """The shape that is left, moves that lead to the same one together."""
    share: NDArray[np.float64]
    """How likely the move is among all of that shape."""
    end: NDArray[np.int64]
    """Each shape that is reached, once, and where its moves begin."""
    begin: NDArray[np.int64]
    moves: NDArray[np.int64]
    """By shape of this layer: how many moves it has."""
    shapes_below: int


def at_random(rules: Rules) -> Chance:
    """The averages over all deals of some rules.

    >>> from collapsi.notation import parse_rules
    >>> round(at_random(parse_rules("standard@14,0,0,0")).choices, 2)  # aces only
    2.24
    """
    deck = deck_of(rules)
    likely = np.array([[jacks.places] for jacks in JACKS]) / sum(jacks.places for jacks in JACKS)
    choices = plies = red = 0.0
    for cards, numbers in _steps_of(with_options(rules, deck=OFFICIAL[0])).items():
        on_jack = cards > NUMBERED
        used = _used(deck, NUMBERED - min(cards, NUMBERED))
        after = used if on_jack else _used(deck, NUMBERED - cards + 1)
        below = np.zeros((numbers[0].shapes_below, len(after)))
        for number, steps in enumerate(numbers):
            mover = likely if on_jack else likely * (deck[number] - used[:, number]) / cards
            of_shape = mover.sum(axis=1)
            if cards <= rules.board.size - rules.uncounted:
                choices += float((of_shape * steps.moves).sum())
                plies += float(of_shape[steps.moves > 0].sum())
            if cards % 2 == 1:  # blue's turn: where blue cannot move, red has won
                red += float(of_shape[steps.moves == 0].sum())
            if len(steps.end):
                moved = np.add.reduceat(mover[steps.start] * steps.share[:, None], steps.begin)
                if on_jack:
                    below[steps.end] += moved
                else:
                    before, behind = _one_more(deck, used, after, number)
                    below[steps.end[:, None], behind] += moved[:, before]
        likely = below
    return Chance(choices / plies, plies, red)


def _used(deck: Deck, cards: int) -> NDArray[np.int64]:
    """The ways to have used up so many cards of a deck: a row each, how many of every number."""
    every = product(*(range(count + 1) for count in deck))
    return np.array([counts for counts in every if sum(counts) == cards], np.int64)


def _one_more(
    deck: Deck, used: NDArray[np.int64], after: NDArray[np.int64], number: int
) -> tuple[list[int], list[int]]:
    """Which ways to have used cards become which if one more of a number is used."""
    places = {tuple(counts): place for place, counts in enumerate(after.tolist())}
    pairs = []
    for place, counts in enumerate(used.tolist()):
        if counts[number] < deck[number]:
            counts[number] += 1
            pairs.append((place, places[tuple(counts)]))
    return [place for place, _ in pairs], [place for _, place in pairs]


@lru_cache(maxsize=4)
def _steps_of(rules: Rules) -> dict[int, list[Steps]]:
    """For each number of cards, and each number under the mover (or its jack), what random play leads to.

    It is the same for all decks: ask with that of the rule sheet, as what is found is kept.
    """
    every = layers_of(rules)
    return {
        cards: [
            _steps_from(layer, every.get(cards - 1), block) for block in range(len(layer.families[0].ends[0]))
        ]
        for cards, layer in every.items()
    }


def _steps_from(layer: Layer, below: Layer | None, block: int) -> Steps:
    moves = np.zeros(len(layer.index), np.int64)
    found = []
    for family in layer.families:
        for mover, ends in zip(family.movers, family.ends, strict=True):
            start = layer.index[Shape(family.rest, mover, family.other)]
            moves[start] = ends[block].bit_count()
            if below is not None:
                found += [(below.index[family.children[end].shape], start) for end in cells_of(ends[block])]
    pairs = np.array(sorted(found), np.int64).reshape(-1, 2)
    end, begin = np.unique(pairs[:, 0], return_index=True)
    return Steps(pairs[:, 1], 1 / moves[pairs[:, 1]], end, begin, moves, len(below.index) if below else 0)
