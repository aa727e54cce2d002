"""Averages over games in which both players move at random, over all deals: computed, not sampled.

A random move depends on no number but the one under the pawn. So the numbers still face up are equally likely
in every order, whatever was played. It is enough to compute the probability of each *shape* (see
`collapsi.census.layers`) with each multiset of used numbers: some hundred thousand cases instead of billions
of positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collapsi.census.layers import JACKS, NUMBERED, OFFICIAL, Shape, layers_of
from collapsi.core.board import cells_of
from collapsi.core.decks import deck_of
from collapsi.games.classic.made_up import with_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from collapsi.census.layers import Layer
    from collapsi.core.decks import Deck
    from collapsi.games.classic.rules import Rules


@dataclass(frozen=True)
class RandomPlay:
    """Averages over games in which both players move at random."""

    choices: float
    """Legal moves per ply, over all plies that are played."""
    plies: float
    """Length of a game."""
    red_share: float
    """Share of games that red wins."""


class Transitions(NamedTuple):
    """Moves from the shapes of one layer to the next, for one number under the mover: a row per move."""

    start: NDArray[np.int64]
    """The shape before the move; moves that lead to the same shape are adjacent."""
    share: NDArray[np.float64]
    """Probability of the move among all moves of that shape."""
    end: NDArray[np.int64]
    """The distinct shapes that are reached."""
    begin: NDArray[np.int64]
    """For each of these, the row where its moves begin."""
    moves: NDArray[np.int64]
    """Number of moves of each shape of this layer."""
    shapes_below: int


def random_play(rules: Rules) -> RandomPlay:
    """Return the averages over all deals under these rules.

    >>> from collapsi.games.classic.made_up import classic_rules
    >>> round(random_play(classic_rules("standard@14,0,0,0")).choices, 2)  # aces only
    2.24
    """
    deck = deck_of(rules)
    likely = np.array([[jacks.places] for jacks in JACKS]) / sum(jacks.places for jacks in JACKS)
    choices = plies = red = 0.0
    for cards, numbers in _transitions_of(with_options(rules, deck=OFFICIAL[0])).items():
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
    return RandomPlay(choices / plies, plies, red)


def _used(deck: Deck, cards: int) -> NDArray[np.int64]:
    """Return all ways to have used `cards` cards of a deck: a row each, with the count of every number."""
    every = product(*(range(count + 1) for count in deck))
    return np.array([counts for counts in every if sum(counts) == cards], np.int64)


def _one_more(
    deck: Deck, used: NDArray[np.int64], after: NDArray[np.int64], number: int
) -> tuple[list[int], list[int]]:
    """Map rows of `used` to rows of `after` when one more card of a number is used."""
    places = {tuple(counts): place for place, counts in enumerate(after.tolist())}
    pairs = []
    for place, counts in enumerate(used.tolist()):
        if counts[number] < deck[number]:
            counts[number] += 1
            pairs.append((place, places[tuple(counts)]))
    return [place for place, _ in pairs], [place for _, place in pairs]


@lru_cache(maxsize=4)
def _transitions_of(rules: Rules) -> dict[int, list[Transitions]]:
    """Return the transitions for each number of cards and each number under the mover (or its jack).

    They are the same for all decks. Call it with the deck of the rule sheet, so that the cache is hit.
    """
    every = layers_of(rules)
    return {
        cards: [
            _transitions(layer, every.get(cards - 1), block)
            for block in range(len(layer.families[0].ends[0]))
        ]
        for cards, layer in every.items()
    }


def _transitions(layer: Layer, below: Layer | None, block: int) -> Transitions:
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
    return Transitions(
        pairs[:, 1], 1 / moves[pairs[:, 1]], end, begin, moves, len(below.index) if below else 0
    )
