"""Canonical positions: one for each class under the symmetries of the board."""

from __future__ import annotations

import random

import pytest

from collapsi import Position, deal, parse_position, parse_rules, symmetries, transform


def some_positions(rules: str, count: int, seed: int) -> list[Position]:
    """Positions of random games, from deals to endgames."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = deal(rng, rules)
        for _ in range(rng.randrange(9)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        found.append(position)
    return found


@pytest.mark.parametrize("rules", ["standard", "joker@3x4"])
def test_every_image_has_the_same_canonical_position_and_number(rules: str) -> None:
    rng = random.Random(2)
    for position in some_positions(rules, 12, 1):
        known = position.canonical()
        assert known in {transform(position, way) for way in symmetries(position.board)}
        assert known.canonical() == known
        for way in rng.sample(symmetries(position.board), 12):
            image = transform(position, way)
            assert image.canonical() == known
            assert image.symmetry_class == position.symmetry_class


def test_different_classes_have_different_numbers() -> None:
    positions = some_positions("standard", 150, 4)
    classes = {position.canonical() for position in positions}
    assert len({position.symmetry_class for position in positions}) == len(classes)


def test_the_numbers_stay_what_they_are() -> None:
    """Files of others may have them."""
    position = parse_position("A223/4A2Jr/3A23/Jb3A4 r")
    assert position.canonical().text == "Jr3A4/34Jb3/2A3A/222A r"
    assert position.symmetry_class == 0o0_06_1425_4514_3242_3332
    after = position.play("d1")
    assert after.canonical().pawns[0] == 0
    assert after.symmetry_class >> 56 == 1, "blue to move"
    assert parse_rules("standard").board.size * 3 + 9 <= 63, "it fits into 64 bits"
