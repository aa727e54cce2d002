"""The reasons why a position cannot arise in play."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given

from collapsi import (
    JOKER,
    STANDARD,
    Board,
    Card,
    Fault,
    IllegalPositionError,
    Player,
    Position,
    Rules,
    analyse,
    deal,
    parse_position,
    status,
)
from collapsi.games.classic.history import MOST_STATES, BackwardSearch, can_be_reached
from tests.strategies import played


@given(played())
def test_positions_of_real_games_have_no_fault(position: Position) -> None:
    assert status(position) == ()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("A223/4A2Jr/3A23/Jb3A4 r", set()),
        ("A223/4A2Jr/3A23/Jb3A4 b", {Fault.WRONG_SIDE}),
        ("AAAA/4A2Jr/3A23/Jb3A4 r", {Fault.TOO_MANY}),
        ("A223/4A2Jr/3A23/Jb3JA r", {Fault.TOO_MANY, Fault.STRAY_JACK}),
        ("A223/4A2Jr/3A23/2b3A4 r", {Fault.PAWN_OFF_JACK, Fault.TOO_MANY}),
        ("A223/4A2Jr/3A23/.3A4b b", {Fault.PAWN_ON_JACK, Fault.PAWN_OFF_JACK}),
        ("A223r/4A2J/3A23/.3A4b b", {Fault.STRAY_JACK, Fault.PAWN_OFF_JACK}),
        ("A2r23/4Ab2./3A23/.3A4 r", {Fault.NO_WAY_HERE}),
        ("A2r23/4Ab2./3A23/.3A4 r joker", set()),
        ("..../.2r../.Ab../.2.. r", {Fault.WRONG_SIDE}),
    ],
)
def test_reasons(text: str, faults: set[Fault]) -> None:
    reasons = status(parse_position(text))
    assert {reason.fault for reason in reasons} == faults
    assert all(str(reason) and "\n" not in str(reason) for reason in reasons)


TINY = Rules(name="tiny", board=Board(2, 3), cards=((Card.JACK, 2), (Card.ACE, 2), (Card.TWO, 2)))


def test_the_search_backwards_finds_all_that_play_reaches_and_nothing_else() -> None:
    """On six cards: every deal played out in every way, against every position that looks possible."""
    reached: set[Position] = set()

    def play_on(position: Position) -> None:
        if position not in reached:
            reached.add(position)
            for to in position.moves:
                play_on(position.play(to))

    cards = [card for card, count in TINY.cards for _ in range(count)]
    for order in set(permutations(cards)):
        jacks = [cell for cell, card in enumerate(order) if card is Card.JACK]
        for red, blue in permutations(jacks):
            play_on(Position(order, (red, blue), Player.RED, TINY))

    looked_at = 0
    for faces in product([None, *Card][:4], repeat=6):
        up = [cell for cell, card in enumerate(faces) if card is not None]
        for red, blue in permutations(up, 2):
            position = Position(faces, (red, blue), Player((6 - len(up)) % 2), TINY)
            reasons = {reason.fault for reason in status(position)}
            if reasons <= {Fault.NO_WAY_HERE}:
                looked_at += 1
                assert (position in reached) == (not reasons)
    assert looked_at > len(reached)


def plainly_reached(position: Position) -> bool:
    """The search backwards as one would first write it: every collapsed card, every number, no short cut."""
    rules, board = position.rules, position.board
    hidden = Counter(dict(rules.cards))
    hidden.subtract(card for card in position.cards if card is not None)
    hopeless = set()

    def back(face_up: int, pawns: tuple[int, int], numbers: tuple[Card, ...]) -> bool:
        collapsed = [cell for cell in range(board.size) if not face_up >> cell & 1]
        if not collapsed:
            return True
        if (face_up, pawns, numbers) in hopeless:
            return False
        mover = Player((len(collapsed) - 1) % 2)
        first = len(collapsed) <= 2
        for start in collapsed:
            before = (start, pawns[1]) if mover is Player.RED else (pawns[0], start)
            for number in [Card.JACK] if first else sorted(set(numbers)):
                rest = list(numbers)
                if not first:
                    rest.remove(number)
                if any(
                    board.reach(start, steps, face_up) >> pawns[mover] & 1
                    for steps in rules.steps(number, mover)
                ) and back(face_up | 1 << start, before, tuple(rest)):
                    return True
        hopeless.add((face_up, pawns, numbers))
        return False

    numbers = tuple(sorted(card for card in hidden.elements() if card is not Card.JACK))
    return back(position.face_up, position.pawns, numbers) if position.cards_left < board.size else True


def made_up(rng: random.Random, rules: Rules, fewest: int, most: int) -> Position:
    """Numbers of the deck on random cells, pawns on two of them, the turn as it must be."""
    numbers = [card for card, count in rules.cards for _ in range(count) if card is not Card.JACK]
    rng.shuffle(numbers)
    size = rules.board.size
    cells = rng.sample(range(size), size - rng.randint(fewest, most))
    cards: list[Card | None] = [None] * size
    for cell, number in zip(cells, numbers, strict=False):
        cards[cell] = number
    return Position(tuple(cards), (cells[0], cells[1]), Player((size - len(cells)) % 2), rules)


SEMI = replace(STANDARD, name="semi", first_steps=((1, 3), (2,)))  # first moves of one colour each


@pytest.mark.parametrize("rules", [STANDARD, JOKER, SEMI], ids=str)
def test_the_quick_search_backwards_says_what_the_plain_one_says(rules: Rules) -> None:
    rng = random.Random(11)
    found = Counter(
        (can_be_reached(position), plainly_reached(position))
        for position in (made_up(rng, rules, 2, 6) for _ in range(200))
    )
    assert found[True, False] == found[False, True] == 0
    assert found[True, True] > 20
    assert found[False, False] > 5


HARD = [
    "..../4r.../.2.A/2b... r",
    ".4b../...3/2.../.3r.2 b",
    ".A.3/.22r./.3.3b/2... b",
    ".4r.2/.2.3b/3.3./A22. b",
]


def test_hard_boards_stay_far_below_the_bound() -> None:
    """Boards of former attacks, the hardest that a climb found, and random ones.

    States are counted, not seconds: one costs some 20 µs.
    """
    rng = random.Random(12)
    boards = [parse_position(text) for text in HARD]
    boards += [made_up(rng, rules, 2, 14) for rules in (STANDARD, JOKER) for _ in range(300)]
    states = []
    for board in boards:
        search = BackwardSearch(board)
        search.finds_a_deal()
        states.append(search.states)
    assert max(states) < MOST_STATES * 3 // 4
    assert sorted(states)[len(states) // 2] < 20


def test_a_board_of_more_than_sixteen_cards_is_looked_at_or_refused_in_words() -> None:
    cards = ((Card.JACK, 2), (Card.ACE, 10), (Card.TWO, 8), (Card.THREE, 8), (Card.FOUR, 8))
    large = deal(random.Random(1), Rules(name="large", board=Board(6, 6), cards=cards))
    assert status(large) == ()
    assert status(large.play(large.moves[0])) == ()
    with pytest.raises(IllegalPositionError, match="16 cards"):
        analyse(large)
