"""Moves, paths, refusals, play and undo."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi import (
    JOKER,
    STANDARD,
    Card,
    Game,
    IllegalMoveError,
    IllegalPositionError,
    Player,
    Position,
    Refusal,
    Rules,
    deal,
    parse_position,
)
from collapsi.core.board import mask_of
from collapsi.core.cards import ANYWHERE
from collapsi.games.registry import format_position
from tests import naive
from tests.strategies import played, set_up

EXAMPLE = parse_position("A223/4A2Jr/3A23/Jb3A4 r")


@given(set_up())
def test_moves_are_those_of_the_rule_sheet(position: Position) -> None:
    ends = naive.ends(naive.read(format_position(position)))
    assert position.moves == tuple(sorted(r * 4 + c for r, c in ends))


@given(set_up())
def test_a_path_is_a_legal_walk(position: Position) -> None:
    for to in position.moves:
        path = position.path(to)
        if ANYWHERE in position.steps:
            assert path == (to,)  # put down, not walked
            continue
        assert path[0] == position.pawns[position.to_move]
        assert path[-1] == to
        assert len(path) - 1 in position.steps
        assert len(set(path)) == len(path)
        assert mask_of(path) & ~position.face_up == 0
        assert all(there in position.board.neighbours(here) for here, there in pairwise(path))


@given(set_up())
def test_every_cell_is_a_move_or_refused_with_a_reason(position: Position) -> None:
    for cell in range(16):
        refusal = position.refusal(cell)
        assert (refusal is None) == (cell in position.moves)
        if refusal is not None:
            with pytest.raises(IllegalMoveError) as caught:
                position.play(cell)
            assert str(caught.value) == refusal[1]
            with pytest.raises(IllegalMoveError):
                position.path(cell)


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


def test_a_move_off_the_board_names_the_square() -> None:
    with pytest.raises(IllegalMoveError, match="'e9' is no square of this board"):
        EXAMPLE.play("e9")


@pytest.mark.parametrize("cell", [-1, 16, 99])
def test_a_cell_off_the_board_is_refused_too(cell: int) -> None:
    with pytest.raises(IllegalMoveError, match="is no square of this board"):
        EXAMPLE.play(cell)


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


@given(played(), st.data())
def test_play_and_undo_agree(position: Position, data: st.DataObject) -> None:
    game = Game.start(position)
    while bool(game.position.moves) and data.draw(st.booleans()):
        before = game
        game = game.play(data.draw(st.sampled_from(game.position.moves)))
        assert game.undo() == before
    assert Game.start(position, game.moves) == game
    assert Game.start(position, game.squares) == game


def test_nothing_to_take_back() -> None:
    with pytest.raises(IndexError, match="no move to take back"):
        Game.start(EXAMPLE).undo()


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
