"""Moves, paths, refusals, play and undo."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi import (
    JOKER,
    STANDARD,
    Card,
    IllegalPositionError,
    Player,
    Position,
    Refusal,
    Rules,
    deal,
    parse_position,
)
from tests.strategies import played

EXAMPLE = parse_position("A223/4A2Jr/3A23/Jb3A4 r")


@pytest.mark.parametrize(
    ("text", "square", "refusal"),
    [
        ("A223/4A2Jr/3A23/Jb3A4 r", "d2", Refusal.OWN_CARD),
        ("A223/4A2Jr/3A23/Jb3A4 r a2", "d2", Refusal.COLLAPSED),
        ("ArAb22/...2/..../.... r", "b1", Refusal.OCCUPIED),
        ("A223/4A2Jr/3A23/Jb3A4 r", "b4", Refusal.TOO_FAR),
        ("2rA2A/Ab.../..../.... r", "b1", Refusal.WRONG_COUNT),
        ("2r.A./.Ab../..../.... r", "c1", Refusal.BLOCKED),
        ("3rA2./.Ab../..../.... r", "b1", Refusal.NO_RETURN),
    ],
)
def test_why_a_move_is_refused(text: str, square: str, refusal: Refusal) -> None:
    found = parse_position(text).refusal(square)
    assert found is not None
    assert found[0] is refusal, found[1]
    assert square in found[1]


def test_play_collapses_the_card_left_and_changes_the_turn() -> None:
    after = EXAMPLE.play("d1")
    assert after.cards[7] is None
    assert after.pawns == (3, 12)
    assert after.to_move is Player.BLUE
    assert EXAMPLE.cards[7] is Card.JACK


def test_pawns_may_be_passed_but_not_landed_on() -> None:
    position = parse_position("2rAb2./..../..../.... r")
    assert position.moves == (2,)
    assert position.path(2) == (0, 1, 2)


def test_of_several_ways_the_plainest_is_drawn() -> None:
    """Straight rather than round corners, and round the other pawn rather than through it."""
    straight = parse_position("2rAA./AAA./..../...Ab r")
    assert straight.path("c1") == (0, 1, 2)
    around = parse_position("2rAbA./AAA./..../.... r")
    assert around.path("b2") == (0, 4, 5)


def test_who_has_won() -> None:
    assert EXAMPLE.winner is None
    assert parse_position("AbA../..../..Ar./.... r").winner is Player.BLUE
    assert parse_position("ArA../..../..Ab./.... b").winner is Player.RED


@pytest.mark.parametrize(
    ("cards", "pawns", "message"),
    [
        ((Card.ACE,) * 15, (0, 1), "16 cards, not 15"),
        ((Card.ACE,) * 16, (3, 3), "both pawns stand on d1"),
        ((Card.ACE,) * 16, (0, 16), "the blue pawn is off the board"),
        ((None, *(Card.ACE,) * 15), (0, 1), "the red pawn stands on a collapsed card at a1"),
    ],
)
def test_what_has_no_meaning_cannot_be_built(
    cards: tuple[Card | None, ...], pawns: tuple[int, int], message: str
) -> None:
    with pytest.raises(IllegalPositionError, match=message):
        Position(cards, pawns)


@pytest.mark.parametrize("rules", [STANDARD, JOKER], ids=str)
def test_a_deal_is_the_whole_deck_with_red_on_the_first_jack(rules: Rules) -> None:
    for seed in range(50):
        position = deal(random.Random(seed), rules)
        assert Counter(position.cards) == STANDARD.deck
        assert position.pawns[0] < position.pawns[1]
        assert position.card(Player.RED) is position.card(Player.BLUE) is Card.JACK
        assert deal(random.Random(seed), position.rules) == position


@given(played(rules=st.just(JOKER), most=0))
def test_the_first_joker_move_goes_anywhere_but_the_start_cards(position: Position) -> None:
    assert set(position.moves) == set(range(16)) - set(position.pawns)
    position = position.play(position.moves[0])
    assert set(position.moves) == set(range(16)) - set(position.pawns) - {
        cell for cell, card in enumerate(position.cards) if card is None
    }


def test_games_are_at_most_fourteen_plies() -> None:
    rng = random.Random(0)
    for _ in range(200):
        position = deal(rng)
        plies = 0
        while position.moves:
            position = position.play(rng.choice(position.moves))
            plies += 1
        assert plies <= 14
        assert position.cards_left == 16 - plies
