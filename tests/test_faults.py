"""Every reason why a position cannot arise; and none for those that do."""

from __future__ import annotations

import random
from itertools import permutations, product

import pytest
from hypothesis import given

from collapsi import Board, Fault, Player, Position, Rules, deal, parse_position, status
from collapsi.history import can_be_reached
from collapsi.rules import Card
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


TINY = Rules("tiny", "", Board(2, 3), ((Card.JACK, 2), (Card.ACE, 2), (Card.TWO, 2)), ((1,), (1,)))


def test_the_search_backwards_finds_all_that_play_reaches_and_nothing_else() -> None:
    """On a board of six cards: every deal played out in every way, against every position that looks possible."""
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


def test_no_way_here_after_two_plies_is_exact() -> None:
    """Of all ways to put pawns and two collapsed cards on a board, those that two plies lead to, and no others.

    With the first moves of `standard` the jacks must have touched the pawns, one each.
    """
    numbers = list(deal(random.Random(3)).cards)
    numbers.remove(Card.JACK)
    numbers.remove(Card.JACK)
    checked = 0
    for gaps in [(0, 1), (0, 2), (0, 5), (0, 10)]:
        rest = iter(numbers)
        cards = tuple(None if cell in gaps else next(rest) for cell in range(16))
        for red in range(16):
            for blue in range(16):
                if red == blue or red in gaps or blue in gaps:
                    continue
                position = Position(cards, (red, blue))
                touching = position.board.neighbours
                possible = any(
                    red in touching(mine) and blue in touching(other) for mine, other in (gaps, gaps[::-1])
                )
                assert can_be_reached(position) == possible
                checked += 1
    assert checked == 4 * 14 * 13
