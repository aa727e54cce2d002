"""The arena compared with the states it is built from: action numbers, planes, chances, returns."""

from __future__ import annotations

import random
from math import factorial, prod
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import Card, CollapsiError, IllegalMoveError
from collapsi.core.board import Board
from collapsi.core.patch import Patch
from collapsi.core.players import Player
from collapsi.core.rows import format_rows
from collapsi.ecosystem.arena import ON_CARDS, make_arena
from collapsi.games.big.rules import BIG_RULE_SETS, BigRules
from tests.rule_sets import FOR_TWO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.state import State
    from collapsi.ecosystem.arena import Arena

ALL_RULES = [*FOR_TWO, "joker@3x4", "1,3|2@5,4,3,2", *BIG_RULE_SETS]


def states(arena: Arena, games: int = 5) -> Iterator[State]:
    """Every moment of some games that are played at random."""
    rng = random.Random(7)
    for _ in range(games):
        state = arena.deal(rng)
        yield state
        while state.moves:
            state = state.play(rng.choice(state.moves))
            yield state


@pytest.mark.parametrize("rules", ALL_RULES)
def test_numbers_of_moves_ascend_and_say_where_the_move_ends(rules: str) -> None:
    arena = make_arena(rules)
    columns = arena.frame[1]
    for state in states(arena):
        numbered = arena.legal_actions(state)
        assert tuple(numbered.values()) == state.moves
        assert list(numbered) == sorted(numbered)
        assert all(0 <= number < arena.actions for number in numbered)
        for number, move in numbered.items():
            cell, way = divmod(number, 4) if arena.shifts else (number, 0)
            square = "abcdefghijklmnopqrstuvwxyz"[cell % columns] + str(cell // columns + 1)
            assert state.move_text(move) == square + ("rldu"[way] if arena.shifts else "")


def test_a_number_that_is_no_move_is_refused() -> None:
    arena = make_arena(deal="A223/4A2Jr/3A23/Jb3A4 r")
    assert arena.start is not None
    assert arena.play(arena.start, 4) == arena.start.play("a2")
    with pytest.raises(IllegalMoveError, match="5 is no move of red: choose one of 3, 4, 6, 11"):
        arena.play(arena.start, 5)
    over = make_arena(deal="..../.2r../.Ab../.2.. r").deal(random.Random(1)).play("b4")
    with pytest.raises(IllegalMoveError, match="5 is no move of blue: red has won: blue cannot move"):
        arena.play(over, 5)


def read_planes(planes: Any, arena: Arena, observer: int) -> tuple[str, Player]:
    """The board as text, and who is to move, from nothing but the planes."""
    players = arena.players
    rows = max(int(row) for row in planes[:ON_CARDS].any(axis=(0, 2)).nonzero()[0]) + 1
    columns = max(int(column) for column in planes[:ON_CARDS].any(axis=(0, 1)).nonzero()[0]) + 1
    texts = []
    for row in range(rows):
        for column in range(columns):
            here = planes[:, row, column]
            assert here[:ON_CARDS].sum() <= 1
            text = "-" if not here[:ON_CARDS].any() else "JA234."[here[:ON_CARDS].argmax()]
            pawns = here[ON_CARDS : ON_CARDS + players]
            assert pawns.sum() <= 1
            texts.append(text + ("rbgy"[(pawns.argmax() + observer) % players] if pawns.any() else ""))
    turns = planes[ON_CARDS + players :].reshape(players, -1)
    assert set(turns.sum(axis=1).tolist()) == {0, turns.shape[1]}
    return format_rows(texts, Board(rows, columns)), Player((turns[:, 0].argmax() + observer) % players)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_planes_tell_the_whole_state_to_everybody(rules: str) -> None:
    arena = make_arena(rules)
    for state in states(arena):
        for observer in range(arena.players):
            planes = arena.planes(state.cards, state, observer)
            assert planes.shape == arena.shape
            assert set(planes.ravel().tolist()) == {0, 1}
            assert read_planes(planes, arena, observer) == (state.text.split()[0], state.to_move)


@pytest.mark.parametrize("rules", ["shift", "shift-box"])
def test_no_game_leaves_the_frame_also_if_both_want_to(rules: str) -> None:
    arena = make_arena(rules)
    rng = random.Random(3)
    widest = 0
    for _ in range(20):
        state = arena.deal(rng)
        plies = 0
        while state.moves:
            after = [state.play(move) for move in state.moves]
            state = max(after, key=lambda one: (max(one.board.rows, one.board.columns), rng.random()))
            plies += 1
            assert isinstance(state.board, Patch)
            assert state.board.rows <= arena.frame[0]
            assert state.board.columns <= arena.frame[1]
            widest = max(widest, state.board.rows, state.board.columns)
            arena.planes(state.cards, state, 0)
        assert plies <= arena.max_game_length
    assert widest > 6


def deals_there_are(rules: str) -> int:
    """How many different deals there are; on the shifting board jacks share no line: 16 · 9 / 2 places."""
    deck = make_arena(rules).rules.deck
    numbers = factorial(sum(deck.values()) - deck[Card.JACK]) // prod(
        factorial(count) for card, count in deck.items() if card is not Card.JACK
    )
    size, jacks = sum(deck.values()), deck[Card.JACK]
    places = 72 if rules.startswith("shift") else prod(range(size - jacks + 1, size + 1)) // factorial(jacks)
    return numbers * places


@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_deal_is_as_likely_as_any_other(rules: str) -> None:
    arena = make_arena(rules)
    rng = random.Random(5)
    for _ in range(20):
        cards: list[Card] = []
        likelihood = 1.0
        while len(cards) < arena.cards:
            shares = arena.next_card(cards)
            assert sum(shares.values()) == pytest.approx(1)
            cards.append(rng.choice(list(shares)))
            likelihood *= shares[cards[-1]]
        assert likelihood * deals_there_are(rules) == pytest.approx(1)
        state = arena.lay(cards)
        assert (state.turn, state.to_move) == (arena.deal(rng).turn, Player.RED)
    for state in (arena.deal(rng) for _ in range(20)):
        if not isinstance(arena.rules, BigRules) or not arena.rules.unused_jacks:
            dealt = [card for card in state.cards if card is not None]
            assert all(card in arena.next_card(dealt[:cell]) for cell, card in enumerate(dealt))
            assert arena.lay(dealt) == state


def test_jacks_of_the_shifting_board_share_no_line() -> None:
    arena = make_arena("shift")
    for cell in range(16):
        cards = [Card.JACK, *(card for card in 4 * [Card.ACE, Card.TWO, Card.THREE] + 2 * [Card.FOUR])]
        share = arena.next_card(cards[: max(cell, 1)]).get(Card.JACK, 0)
        assert (share > 0) == (cell // 4 > 0 and cell % 4 > 0), cell


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("points", [False, True])
def test_what_a_game_is_worth(rules: str, points: bool) -> None:
    arena = make_arena(rules, points=points)
    least, most = arena.utility_range
    for state in states(arena):
        worth = arena.returns(state)
        if state.result is None:
            assert worth == [0] * arena.players
            continue
        assert sum(worth) == pytest.approx(arena.utility_sum)
        assert all(least <= one <= most for one in worth)
        winner = state.result.index(max(state.result))
        assert worth.index(max(worth)) == winner
        left = sum(card is not None for card in state.cards)
        if not points:
            assert worth[winner] == 1
            assert {one for one in worth if one != 1} == {-1 / (arena.players - 1)}
        elif arena.players == 2:
            assert worth[winner] == left
            assert worth[1 - winner] == -left
        else:
            assert sorted(worth) == list(range(arena.players))


def test_a_deal_says_by_which_rules_it_is_played() -> None:
    assert make_arena("joker", "A223/4A2Jr/3A23/Jb3A4 r").rules.name == "joker"
    assert make_arena("joker", "A223/4A2Jr/3A23/Jb3A4 r shift").rules.name == "shift"
    assert make_arena("joker", "....../.2r.3../.AA.../.3b4g.../..3.../...... r big3").players == 3
    start = make_arena(deal="A223/4A2Jr/3A23/Jb3A4 r d1").start
    assert start is not None
    assert start.to_move is Player.BLUE


@pytest.mark.parametrize(
    ("rules", "deal", "message"),
    [
        ("chess", "", "unknown rules 'chess'"),
        ("solo", "", "a game for one"),
        ("standard", "A223", "1 row instead of 4"),
        ("standard", "..../.2r../.Ab../.... r", "there is nothing to play from"),
        ("big", "....../.2r.3../.AA.../.3b..../....../...... r c3", "there is nothing to play from"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(rules: str, deal: str, message: str) -> None:
    with pytest.raises(CollapsiError, match=message) as error:
        make_arena(rules, deal)
    assert "\n" not in str(error.value)
