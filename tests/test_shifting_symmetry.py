"""The symmetries of each reading of the shifting board preserve moves and values."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from collapsi.core.patch import WAYS
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.state import Way
from collapsi.games.shifting.symmetry import moved, symmetries, transform
from tests.rule_sets import SHIFTING
from tests.shifting_positions import made_up, random_game

if TYPE_CHECKING:
    from collapsi.core.symmetry import Symmetry
    from collapsi.games.shifting.rules import ShiftingRules

readings = pytest.mark.parametrize("rules", SHIFTING, ids=str)


def moved_way(symmetry: Symmetry, way: Way, rules: ShiftingRules) -> Way:
    """The way of a shift after a symmetry."""
    (row, column), (down, right) = (moved(symmetry, place, rules) for place in ((0, 0), WAYS[way]))
    return Way(WAYS.index(((down - row + 1) % 4 - 1, (right - column + 1) % 4 - 1)))


@readings
def test_they_are_a_group(rules: ShiftingRules) -> None:
    group = set(symmetries(rules))
    assert tuple(range(16)) in group
    assert all(tuple(one[cell] for cell in two) in group for one in group for two in group)


@readings
def test_moves_are_moved_alike(rules: ShiftingRules) -> None:
    """Played and then moved is moved and then played, in games and on boards that somebody made up."""
    rng = random.Random(1)
    positions = [*random_game(rng, rules), *(made_up(rng, rules, 12) for _ in range(4))]
    for position in positions:
        for symmetry in rng.sample(symmetries(rules), 2):
            image = transform(position, symmetry)
            assert len(image.moves) == len(position.moves)
            for move in position.moves:
                assert transform(position.play(move), symmetry) in {image.play(one) for one in image.moves}


@pytest.mark.parametrize("name", ["shift", "shift-box"])
def test_a_deals_moves_keep_their_values(name: str) -> None:
    """Move by move: the end square and the way of the shift are moved too."""
    rules = next(rules for rules in SHIFTING if rules.name == name)
    deal = next(iter(random_game(random.Random(3), rules)))
    images = [transform(deal, symmetry) for symmetry in symmetries(rules)]
    values = next(iter(shift_search.solve_many([deal]))).values
    for symmetry, image, solution in zip(
        symmetries(rules), images, shift_search.solve_many(images), strict=True
    ):
        assert image.rules is rules
        for move in deal.moves:
            there = [moved(symmetry, divmod(cell, 4), rules) for cell in (deal.end(move), *range(16))]
            top, left = min(row for row, _ in there), min(column for _, column in there)
            end = (there[0][0] - top) * 4 + there[0][1] - left
            assert solution.values[4 * end + moved_way(symmetry, deal.way(move), rules)] == values[move]
