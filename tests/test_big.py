"""The big board: its rules against the naive twin, its texts, its refusals."""

from __future__ import annotations

import random

import pytest

from collapsi import deal
from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.errors import CollapsiError, IllegalMoveError, IllegalPositionError, MalformedError
from collapsi.core.players import Player
from collapsi.core.state import Refusal
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG, BIG3, BIG4, BIG_RULE_SETS, FIVE3, BigRules
from collapsi.games.big.state import OUT, BigState, StuckError
from collapsi.games.registry import parse_rules
from collapsi.solving import reference as definition
from tests import naive_big
from tests.twins import square, twin_of


def same(state: BigState, twin: naive_big.Round) -> None:
    assert twin_of(state) == twin
    points = twin.points()
    assert state.points == (None if points is None else tuple(points[p.letter] for p in state.rules.seats))
    if points is None:
        assert state.result is None
        assert set(map(state.move_text, state.moves)) == set(map(square, twin.ends(twin.to_move)))
    else:
        assert state.moves == ()
        assert state.winner is state.to_move


def play_a_round(rules: BigRules, seed: int) -> BigState:
    rng = random.Random(seed)
    state = deal(rng, rules)
    deck = list(naive_big.DECK[rules.name])
    assert sorted(deck) == sorted(card.letter for card, count in rules.cards for _ in range(count))
    twin = naive_big.lay(rules.name, [card.letter if card is not None else "J" for card in state.cards])
    same(state, twin)
    while state.moves:
        move = rng.choice(state.moves)
        state = state.play(move)
        twin.play(divmod(move, state.board.columns))
        same(state, twin)
    return state


@pytest.mark.parametrize("rules", BIG_RULE_SETS.values(), ids=str)
def test_random_rounds_are_those_of_the_naive_twin(rules: BigRules) -> None:
    for seed in range(60):
        play_a_round(rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("rules", [BIG, BIG3, BIG4, FIVE3], ids=str)
def test_a_hundred_thousand_random_rounds(rules: BigRules, part: int) -> None:
    for seed in range(part * 2500, (part + 1) * 2500):
        play_a_round(rules, seed)


@pytest.mark.parametrize("rules", BIG_RULE_SETS.values(), ids=str)
def test_a_deal(rules: BigRules) -> None:
    state = deal(random.Random(7), rules)
    assert state.cards_left == rules.board.size - rules.unused_jacks
    assert list(state.pawns) == [cell for cell, card in enumerate(state.cards) if card is Card.JACK]


def test_who_is_stuck_is_out_and_several_may_go_at_once() -> None:
    # Blue, green and yellow stand alone: none of them can move when their turn comes.
    state = parse_big("2r.3b.../A...../A..3g../....../..3y.../...... r big4")
    assert state.to_move is Player.RED
    after = state.play("a3")
    assert after.out == (Player.BLUE, Player.GREEN, Player.YELLOW)
    assert after.pawns == (12, OUT, OUT, OUT)
    assert after.points == after.result == (3, 0, 1, 2)
    assert after.turn == "red has won: yellow cannot move (blue, green went out before)"
    assert after.cards[2] is Card.THREE  # its card stays face up
    assert after.refusal("a2") == (Refusal.OVER, "the game is over: red is the last one left")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        after.play("a2")
    with pytest.raises(StuckError):
        BigState(state.cards, (0, 2, 15, 26), Player.BLUE, (), BIG4)


def test_the_order_of_going_out_is_carried_by_the_text() -> None:
    one = parse_big("2r.3b.../A...../A..3../....../....../...... r big4 out:gy")
    two = parse_big("2r.3b.../A...../A..3../....../....../...... r big4 out:yg")
    assert one != two
    assert (one.play("a3").points, two.play("a3").points) == ((3, 2, 0, 1), (3, 2, 1, 0))


def test_with_two_players_the_result_is_that_of_the_classic_game() -> None:
    state = parse_big("2r.3b.../A...../A..3../....../....../...... r big")
    after = state.play("a3")
    assert after.points == (1, 0)
    assert after.result == (4, 0)
    assert str(state.outcome(4)) == "red wins in 1 ply"
    assert definition.score(state) == 4
    with pytest.raises(IllegalPositionError, match="only with two players"):
        parse_big("2r.3b.../A...../A..3../....../....../...... r big3 out:g").outcome(3)


def test_the_judge_knows_three_players() -> None:
    # Red decides who goes out first: blue has a card to go to, unless red takes it.
    state = parse_big("2r.Ab2../A...../..3g.../....../....../...... r big3")
    assert sum(definition.points(state)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position: the text is empty"),
        ("2r.3b.../A...../A..3../....../....../......", "the rules are missing"),
        ("2r.3b.../A...../A..3../....../....../...... r", "the rules are missing"),
        ("2r.3b.../A...../A..3../....../....../...... q big", "'q' is no side to move: add r (red) or b"),
        ("2r.3b.../A...../A..3../....../....../...... g big", "'g' is no side to move"),
        ("2r.3b.../A...../A..3../....../....../...... r bog", "the rules are missing"),
        ("2r.3b.../A...../A..3../....../....../...... r big zz", "'zz' is neither rules"),
        ("2r.3b.../A...../A..3../....../....../...... r big out:g", "'out:g' does not fit the pawns"),
        ("2r.3b.../A...../A..3../....../....../...... r big3 out:b", "'out:b' does not fit the pawns"),
        ("2r.3b.../A...../A..3../....../....../...... g big3 out:g", "green cannot be to move: it is out"),
        ("2r.3b.../A...../A..5../....../....../...... r big", "'5' in row 3, column 4 is no card"),
        ("2r.3.../A...../A..3../....../....../...... r big", "no blue pawn: write b after the card"),
        ("2r.3b.../A...../A..3../....../....../...... r big4", "no green and yellow pawn: write g after"),
        ("2rb3.../A...../A..3../....../....../...... r big", "another pawn before it"),
        ("2r.3b.../A...../A..3../....../...... r big", "5 rows instead of 6"),
        ("2r.3g.../A...../A..3../....../....../...... r big", "'g' in row 1, column 4 is no card"),
        ("2r..b.../A...../A..3../....../....../...... r big", "stands on a collapsed card at c1"),
        ("2r.3b.../A...../A..3../....../....../...... r big b1", "move 1, 'b1': b1 has collapsed"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(CollapsiError) as caught:
        parse_big(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_deck_of_each_rule_set_fills_its_board() -> None:
    for rules in BIG_RULE_SETS.values():
        assert sum(rules.deck.values()) == rules.board.size
        assert rules.unused_jacks >= 0
        assert parse_rules(rules.name) is rules is parse_rules(rules)
    assert FIVE3.board == Board(5, 5)
    assert not FIVE3.official
    with pytest.raises(
        MalformedError, match=r"unknown rules 'huge': choose one of standard.*big, big3, big4, five3"
    ):
        parse_rules("huge")


@pytest.mark.parametrize("rules", BIG_RULE_SETS.values(), ids=str)
def test_everybody_has_a_first_move(rules: BigRules) -> None:
    """Only jacks and pawns block a first move, and too few of them lie next to one jack."""
    rng = random.Random(28)
    for _ in range(200):
        state = deal(rng, rules)
        for _ in range(rules.players):
            state = state.play(rng.choice(state.moves))
        assert state.out == ()


def test_a_jack_left_by_a_player_who_is_out_is_a_card_like_any_other() -> None:
    state = parse_big("....../....../.JA2r3./..334b./....../...... r big3 out:g")
    assert "b3" in map(state.move_text, state.moves)
    on_the_jack = parse_big("....../....../.JrA23./..334b./....../...... r big3 out:g")
    assert [on_the_jack.move_text(move) for move in on_the_jack.moves] == ["c3"], "one step"
