"""Player's Choice: the games of `joker` with two plies that are not counted."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi import (
    CHOICE,
    JOKER,
    Game,
    IllegalMoveError,
    Player,
    Position,
    analyse,
    analyse_many,
    deal,
    review,
)
from collapsi.games.classic import search
from tests.strategies import deals, played, set_up


def as_joker(position: Position) -> Position:
    return Position(position.cards, position.pawns, position.to_move, JOKER)


def test_values_are_those_of_joker_less_two_plies() -> None:
    rng = random.Random(4)
    dealt = [deal(rng, CHOICE) for _ in range(300)]
    for choice, joker in zip(analyse_many(dealt), analyse_many(map(as_joker, dealt)), strict=True):
        assert (choice.winner, choice.plies, choice.score) == (joker.winner, joker.plies - 2, joker.score)
        assert choice.best == joker.best
        assert [(move.to, move.plies) for move in choice.moves] == [
            (move.to, move.plies - 2) for move in joker.moves
        ]


@given(played(rules=st.just(CHOICE)))
def test_every_position_of_a_game_is_worth_what_it_is_under_joker(position: Position) -> None:
    choice, joker = analyse(position), analyse(as_joker(position))
    uncounted = max(2 - (16 - position.cards_left), 0)
    assert (choice.winner, choice.score) == (joker.winner, joker.score)
    assert choice.plies == joker.plies - uncounted


@given(deals(st.just(CHOICE)))
def test_a_start_card_is_any_that_nobody_stands_on(position: Position) -> None:
    assert set(position.moves) == set(range(16)) - set(position.pawns)
    assert position.path(position.moves[0]) == (position.moves[0],)
    placed = position.play(position.moves[0])
    assert set(placed.moves) == set(range(16)) - set(position.pawns) - {position.moves[0]}


@given(set_up(rules=st.just(CHOICE), most_cards=9))
def test_made_up_boards_compiled_and_interpreted(position: Position) -> None:
    assert search.solve(position) == search.solve_batch([position])[0]


def test_a_whole_game() -> None:
    game = Game.start(deal(random.Random(8), CHOICE))
    assert str(game.position).endswith("red to choose a card to start on")
    with pytest.raises(IllegalMoveError, match="occupied"):
        game.play(game.position.pawns[Player.BLUE])
    game = game.play(game.position.moves[3])
    assert str(game.position).endswith("blue to choose a card to start on")
    game = game.play(game.position.moves[3])
    assert str(game.position).endswith("red to move")
    while game.position.moves:
        game = game.play(game.position.moves[0])
    assert len(review(game).moves) == len(game.moves)
    assert game.position.result is not None
    assert sum(game.position.result) == game.position.cards_left
