"""States of several kinds in one call, how long each is expected to take, and what can be counted."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import analyse_many, count_games_many, deal, parse_position
from collapsi.core.cards import Card
from collapsi.core.errors import CollapsiError
from collapsi.games.big.rules import BIG
from collapsi.games.classic.rules import JOKER, STANDARD
from collapsi.games.registry import kind_named
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.play.analysis import expected_seconds
from collapsi.solving import reference as definition
from tests.big_positions import endgames
from tests.shifting_positions import endgame

if TYPE_CHECKING:
    from collapsi.games.classic.rules import Rules


def classic_endgames(count: int, seed: int) -> list[Any]:
    """Positions of random games with nine cards."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = deal(rng, rng.choice((STANDARD, JOKER)))
        while position.moves and position.cards_left > 9:
            position = position.play(rng.choice(position.moves))
        if position.cards_left == 9 and position.moves:
            found.append(position)
    return found


def shifting_endgames(count: int, seed: int) -> list[Any]:
    rng = random.Random(seed)
    return [endgame(rng, rng.choice((SHIFT, SHIFT_BOX, SHIFT_ROTATE)), 7) for _ in range(count)]


@pytest.mark.parametrize("with_big", [False, True])
def test_states_of_several_kinds_are_solved_in_one_call_in_their_order(with_big: bool) -> None:
    classic, shifting = classic_endgames(4, 1), shifting_endgames(4, 2)
    big = endgames(BIG, 8, 2) if with_big else []
    states = [
        classic[0],
        shifting[0],
        shifting[1],
        *big[:1],
        *classic[1:3],
        shifting[2],
        *big[1:],
        classic[3],
    ]
    answers = analyse_many(states)
    assert [found.position for found in answers] == states
    for state, found in zip(states, answers, strict=True):
        scores = {move: definition.score(state.play(move)) for move in state.moves}
        assert found.score == definition.score(state)
        names = {state.move_text(move) for move, score in scores.items() if score == found.score}
        assert set(found.best) == names


def test_games_of_several_kinds_are_counted_in_one_call() -> None:
    states = [*classic_endgames(2, 3), *shifting_endgames(2, 4), *classic_endgames(1, 5)]
    assert list(count_games_many(states)) == [definition.count_games(state) for state in states]


def test_games_of_the_shifting_board_are_counted_up_to_eight_cards() -> None:
    rng = random.Random(6)
    sizes = set()
    for _ in range(60):
        state = endgame(rng, SHIFT_BOX, 10)
        sizes.add(state.cards_left)
        if state.cards_left <= 8:
            assert count_games_many([state]) == [definition.count_games(state)]
        else:
            with pytest.raises(
                CollapsiError, match=f"with {state.cards_left} cards face up, games of shift-box"
            ):
                count_games_many([state])
    assert {8, 9} <= sizes


@pytest.mark.parametrize(
    ("slower", "faster"), [(SHIFT_ROTATE, SHIFT), (SHIFT, SHIFT_BOX), (SHIFT_BOX, JOKER), (JOKER, STANDARD)]
)
def test_deals_of_some_rules_are_expected_to_take_longer(slower: Rules, faster: Rules) -> None:
    kind_named("classic").solver.warm_up()
    kind_named("shifting").solver.warm_up()
    first, second = (expected_seconds(deal(random.Random(1), rules)) for rules in (slower, faster))
    assert first > second > 0


def test_a_third_of_the_work_for_each_card_less_and_thrice_for_each_jack_more() -> None:
    kind_named("shifting").solver.warm_up()
    state: Any = deal(random.Random(1), SHIFT)
    after = state.play(state.moves[0])
    assert expected_seconds(state) == pytest.approx(3 * expected_seconds(after))
    joker = deal(random.Random(1), JOKER)
    number = next(cell for cell, card in enumerate(joker.cards) if card is not Card.JACK)
    cards = tuple(Card.JACK if cell == number else card for cell, card in enumerate(joker.cards))
    stray = replace(joker, cards=cards)
    assert expected_seconds(stray) == pytest.approx(3 * expected_seconds(joker))
    plain = deal(random.Random(1))
    assert expected_seconds(joker) == pytest.approx(7 * expected_seconds(plain))
    played = parse_position("..../.2r../.Ab../.2.. r joker")
    assert expected_seconds(played) == expected_seconds(plain)
