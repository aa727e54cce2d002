"""Count similar deals (`collapsi.play.similar`) in an atlas. `similar_table` stores the counts of all."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from collapsi.census.deals import cards_of
from collapsi.core.decks import NUMBERS
from collapsi.core.symmetry import NEAREST
from collapsi.games.classic.rules import STANDARD
from collapsi.play.enums import Place
from collapsi.play.similar import FirstMoves, SimilarDeals, Surroundings, place_of, sort_moves

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    from collapsi.core.cards import Card

NO_MOVE = -128
"""Below every score."""
BASE = 5
"""More than the most cards that can lie beside a jack."""
KEY = tuple(product((Place.BOTH, Place.OWN, Place.OTHER), NUMBERS))
"""The digits of a key of surroundings: the number of such cards in such a place."""


def count_similar(frame: pl.DataFrame, only: Surroundings | None = None) -> dict[Surroundings, SimilarDeals]:
    """Count the deals of an atlas by surroundings, or those with certain surroundings `only`."""
    totals = int(frame["weight"].sum()), int(frame.filter(frame["score"] > 0)["weight"].sum())
    found = {}
    for distance, blue in enumerate(NEAREST, start=1):
        if only is not None and only.distance != distance:
            continue
        rows = frame.filter(frame["distance"] == distance)
        cards = cards_of(blue, rows["numbering"].to_numpy().astype(np.uint32))
        keys = _keys(cards, blue)
        if only is not None:
            chosen = keys == _key(only)
            rows, cards, keys = rows.filter(chosen), cards[chosen], keys[chosen]
        groups, group_of = np.unique(keys, return_inverse=True)
        weights, scores = rows["weight"].to_numpy(), rows["score"].to_numpy()
        deals, wins = _totals(group_of, [weights, weights * (scores > 0)])
        moves: list[list[FirstMoves]] = [[] for _ in groups]
        for place, card, values in _first_moves(rows, cards, blue):
            masks = values > NO_MOVE, values == scores, values > 0
            for index, counts in enumerate(
                zip(*_totals(group_of, [weights * mask for mask in masks]), strict=True)
            ):
                legal, best, won = counts
                if legal:
                    moves[index].append(FirstMoves(place, card, best, won))
        for index, key in enumerate(groups.tolist()):
            group = _surroundings(distance, key)
            found[group] = SimilarDeals(group, deals[index], wins[index], sort_moves(moves[index]), *totals)
    return found


def _totals(group_of: NDArray[np.int64], weights: list[NDArray[Any]]) -> list[list[int]]:
    """Sum weights by group."""
    return [np.bincount(group_of, each).astype(np.int64).tolist() for each in weights]


def _first_moves(
    rows: pl.DataFrame, cards: NDArray[np.uint8], blue: int
) -> Iterator[tuple[Place, Card, NDArray[np.int32]]]:
    """Yield the first moves by place and card, each with its best score, or `NO_MOVE`, for every row."""
    cells = {STANDARD.board.cell(name[3:]): name for name in rows.columns if name.startswith("to_")}
    values = {
        cell: rows[name].fill_null(NO_MOVE).to_numpy() for cell, name in cells.items() if cell is not None
    }
    for place, card in product(Place, NUMBERS):
        those = [cell for cell in values if place_of(cell, (0, blue)) is place]
        if those:
            scores = [np.where(cards[:, cell] == card, values[cell], NO_MOVE) for cell in those]
            yield place, card, np.max(scores, axis=0)


def _keys(cards: NDArray[np.uint8], blue: int) -> NDArray[np.int64]:
    """Return the key of the surroundings of each deal: how many of each card lie beside the jacks."""
    keys = np.zeros(len(cards), np.int64)
    for place, card in KEY:
        those = [cell for cell in range(16) if place_of(cell, (0, blue)) is place]
        keys = keys * BASE + (cards[:, those] == card).sum(axis=1)
    return keys


def _key(group: Surroundings) -> int:
    key = 0
    for place, card in KEY:
        key = key * BASE + group.parts[place].count(card)
    return key


def _surroundings(distance: int, key: int) -> Surroundings:
    """Return the surroundings with a key."""
    parts: dict[Place, tuple[Card, ...]] = dict.fromkeys((place for place, _ in KEY), ())
    for place, card in reversed(KEY):
        key, count = divmod(key, BASE)
        parts[place] = (card,) * count + parts[place]
    return Surroundings(distance, parts[Place.BOTH], parts[Place.OWN], parts[Place.OTHER])
