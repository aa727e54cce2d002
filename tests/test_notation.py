"""Parsing and formatting of positions; every malformed text gives one line that names the place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collapsi import (
    JOKER,
    Card,
    CollapsiError,
    IllegalMoveError,
    IllegalPositionError,
    MalformedError,
    Player,
    Position,
    Rules,
    analyse,
    deal,
    format_position,
    format_published,
    format_rules,
    parse_game,
    parse_position,
    parse_published,
    parse_rules,
)
from collapsi.core.players import PAIR
from collapsi.games.classic.made_up import classic_rules
from collapsi.solving import reference as definition
from tests.rule_sets import FOR_TWO
from tests.strategies import played, rule_sets, set_up

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


@given(played())
def test_the_published_form_round_trips(position: Position) -> None:
    text = format_published(position)
    assert parse_position(text) == position
    assert format_published(parse_position(text)) == text


def in_masks(position: Position) -> str:
    """A position as huynd2210's solver reads it: sets of cells in hexadecimal."""
    masks = [0, 0, 0, 0]
    for cell, card in enumerate(position.cards):
        assert card is not None
        masks[max(card, 1) - 1] |= 1 << cell  # jacks count as aces
    return ",".join(f"{mask:04x}" for mask in masks)


def test_masks_of_another_solver_are_read() -> None:
    """Through a whole game: the cards stay in the masks after they have collapsed."""
    game = parse_game(f"{EXAMPLE} a2 b4 b3 d1 b2 a1 b1")
    cards = in_masks(game.positions[0])
    for position in game.positions:
        red, blue = (f"{1 << pawn:04x}" for pawn in position.pawns)
        collapsed = sum(1 << cell for cell, card in enumerate(position.cards) if card is None)
        text = f"{cards},{red},{blue},{collapsed:04x},{int(position.to_move)}"
        assert parse_position(text) == position
        assert parse_position(text.upper()) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("52a1,0446,2908,8010,0081,1000,0000,0", "needs sixteen cards and a cell for each pawn"),
        ("52a1,0447,2908,8010,0080,1000,0000,0", "has 2 cards on a1 instead of one"),
        ("52a0,0446,2908,8010,0080,1000,0000,0", "has 0 cards on a1 instead of one"),
        ("52a1,0446,2908,8010,0080,1000,0000,0 joker@3x4", "needs sixteen cards"),
    ],
)
def test_wrong_masks_are_refused(text: str, said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        parse_position(text)


def reads_back(text: str, position: Position) -> bool:
    """Whether a text is understood, and as that position."""
    try:
        return parse_position(text) == position
    except MalformedError:
        return False


def every_published_text(position: Position) -> list[str]:
    """What the published form could write for a position: its cards as digits, and any number of plies."""
    written = [
        "0" if card is None else "1" if card is Card.JACK else str(int(card)) for card in position.cards
    ]
    for player, letter in zip(PAIR, "rb", strict=True):
        written[position.pawns[player]] += letter
    rows = "/".join("".join(written[start : start + 4]) for start in range(0, 16, 4))
    return [f"{rows}/{plies} {position.rules}" for plies in range(17)]


@given(st.one_of(set_up(), played(most=4)))
def test_the_published_form_is_refused_only_where_nothing_would_be_read_back(position: Position) -> None:
    try:
        text = format_published(position)
    except IllegalPositionError:
        assert not any(reads_back(text, position) for text in every_published_text(position))
    else:
        assert reads_back(text, position)


@given(rule_sets)
def test_rules_round_trip(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


def test_the_papers_example() -> None:
    position = parse_position(EXAMPLE)
    assert position.to_move is Player.RED
    assert position.pawns == (7, 12)
    assert format_published(position) == "1223/4121r/3123/1b314/0"


@pytest.mark.parametrize(
    "text",
    [
        "1223/4121r/3123/1b314/0",
        "1223/4120r/3123/0b314/0",
        "1223/4121r/3123/0b314/0",
        "A223/4A2Jr/3A23/Jb3A4_r",
        "A223/4A2Jr/3A23/Jb3A4+r",
        "A223%2F4A2Jr%2F3A23%2fJb3A4%20r",
        "a223/4a2jR/3a23/jB3a4 RED",
        "  A223/4A2Jr/3A23/Jb3A4   r \n",
        "A223/4A2Jr/3A23/Jb3A4 r standard",
        "\ufeffA223/4A2Jr/3A23/Jb3A4 r",
    ],
)
def test_other_ways_to_write_it(text: str) -> None:
    assert format_position(parse_position(text)) == EXAMPLE


def test_the_published_form_in_mid_game() -> None:
    after_one = parse_position(f"{EXAMPLE} d1")
    assert format_published(after_one) == "1223r/4120/3123/1b314/1"
    assert parse_position("1223r/4120/3123/0b314/1") == after_one
    after_two = parse_position(f"{EXAMPLE} d1 a3")
    assert format_published(after_two) == "1223r/4120/3b123/0314/2"
    assert parse_position("1223r/4120/3b123/0314/2 joker").rules == JOKER


def test_rules_are_assumed_only_where_the_text_is_silent() -> None:
    assert parse_position(EXAMPLE, rules="joker").rules == JOKER
    assert parse_position(f"{EXAMPLE} standard", rules="joker").rules.name == "standard"
    assert parse_position(f"{EXAMPLE} joker").rules == JOKER
    assert parse_position(f"{EXAMPLE} joker c1").rules == JOKER
    assert format_position(parse_position(EXAMPLE, rules=JOKER)) == f"{EXAMPLE} joker"


BAD = {
    "": "the text is empty",
    "   ": "the text is empty",
    "A223/4A2Jr/3A23 r": "3 rows instead of 4",
    "A223/4A2Jr/3A23/Jb3A4/A223 r": "5 rows instead of 4",
    "hello": "1 row instead of 4: 'hello'",
    "A223/4A2Jr/3A2/Jb3A4 r": "row 3 has 3 cards instead of 4: '3A2'",
    "A223/4A2Jr/3A234/Jb3A4 r": "row 3 has 5 cards instead of 4",
    "A223/4A2Jr//Jb3A4 r": "row 3 has 0 cards instead of 4: ''",
    "A223/4A2Jr/3A2x/Jb3A4 r": "'x' in row 3, column 4 is no card",
    "A253/4A2Jr/3A23/Jb3A4 r": "'5' in row 1, column 3 is no card",
    "1223/4121r/3123/1b314 r": "'1' in row 1, column 1 is no card.*published form",
    "A223/4A2J/3A23/Jb3A4 r": "no red pawn",
    "A223/4A2Jr/3A23/J3A4 r": "no blue pawn",
    "A223/4A2J/3A23/J3A4 r": "no red pawn",
    "Ar223/4A2Jr/3A23/Jb3A4 r": "a second red pawn in row 2, column 4: the first is on a1",
    "A223/4A2Jr/3A23/Jb3A4b r": "a second blue pawn in row 4, column 4",
    "rA223/4A2J/3A23/Jb3A4 r": "pawn 'r' in row 1, column 1 has no card before it",
    "A223/4A2Jrb/3A23/J3A4 r": "pawn 'b' in row 2, column 4 has another pawn before it",
    "A223/4A2.r/3A23/Jb3A4 r": "the red pawn stands on a collapsed card at d2",
    "A223/4A2Jr/3A23/.b3A4 r": "the blue pawn stands on a collapsed card at a4",
    "A223/4A2Jr/3A23/Jb3A4": "the side to move is missing",
    "A223/4A2Jr/3A23/Jb3A4 x": "'x' is no side to move",
    "A223/4A2Jr/3A23/Jb3A4 r jokr": "'jokr' is neither rules",
    "A223/4A2Jr/3A23/Jb3A4 r e1": "'e1' is neither rules .* nor a move",
    "A223/4A2Jr/3A23/Jb3A4 r a2 z": "move 2, 'z': 'z' is no square",
    "A223/4A2Jr/3A23/Jb3A4 r b1": "move 1, 'b1': b1 is 3 steps from d2",
    "1223/4121r/3123/1b314/1": "1 ply played and 0 collapsed cards do not agree",
    "1223/4120/3123r/1b314/2": "2 plies played and 1 collapsed card do not agree",
    "1223/4121r/3123/1b314/x": "'x' is no number of plies",
    "1223/4121r/3123/1b314/100": "'100' is no number of plies",
    "1223/4122r/3123/1b314/0": "red has not moved after 0 plies, so its card on d2",
    "1220r/4120/3120/1b314/3": "the red pawn stands on a collapsed card at d1",
    "1223/41X1r/3123/1b314/0": "'X' in row 2, column 3 is no card of the published form",
    "1223/4.21r/3123/1b314/0": "'.' in row 2, column 2 is no card of the published form",
    "A223/4A2Jr/3A23/Jb3A4 r \udcff": "neither rules",
    "A223/4A2Jr/3A23/Jb3A4 r joker standard": "move 1, 'standard': 'standard' is no square",
    "\u01f0/4A2Jr/3A23/Jb3A4 r": "in row 1, column 1 is no card",
    "\u01f0223/4A2Jr/3A23/Jb3A4 r": "in row 1, column 1 is no card",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_nonsense_is_named(text: str, message: str) -> None:
    with pytest.raises(CollapsiError, match=message) as caught:
        parse_position(text)
    assert "\n" not in str(caught.value)
    str(caught.value).encode()


def test_endless_text_is_not_even_looked_at() -> None:
    with pytest.raises(MalformedError, match="10,000,000 characters are too many") as caught:
        parse_position("A" * 10_000_000)
    assert len(str(caught.value)) < 200


def complaint_about(text: str) -> str:
    """What is wrong with a text; nothing if it is a position, which then must round trip."""
    try:
        game = parse_game(text)
    except CollapsiError as error:
        return str(error)
    assert parse_game(game.text) == game
    return ""


@pytest.mark.parametrize(
    ("letters", "end"),
    [
        (None, ""),
        ("AJ234.rb/01 abcd+_%", ""),
        ("A234J.-rb/ ud shift1", " r shift"),
        ("A234J.-rb/ ud shift1", " r shift-rotate"),
        ("AJX234.r/ abc123+_%closed", ""),
        ("AJ234.rbgy/ abcdef123out:", " r big3"),
    ],
)
@given(st.data())
def test_any_text_is_a_game_or_one_clear_line(letters: str | None, end: str, data: st.DataObject) -> None:
    text = data.draw(st.text() if letters is None else st.text(letters, min_size=8, max_size=60))
    complaint = complaint_about(text + end)
    assert "\n" not in complaint
    assert len(complaint) < 300
    complaint.encode()


def test_the_published_form_alone() -> None:
    assert format_position(parse_published("1223/4121r/3123/1b314/0 joker")) == f"{EXAMPLE} joker"
    with pytest.raises(MalformedError, match="not in the published form"):
        parse_published(EXAMPLE)


def test_illegal_moves_in_a_game_are_illegal_not_malformed() -> None:
    with pytest.raises(IllegalMoveError):
        parse_game(f"{EXAMPLE} d1 d1")


MADE_UP = (
    "1,3|1",
    "2|1,2,4",
    "1,2,3|3,4",
    "standard@5,4,3,2",
    "joker@14,0,0,0",
    "choice@0,0,0,14",
    "1,3|2@0,5,5,4",
    "shift@5,4,3,2",
    "shift-rotate@6,6,1,1",
    "standard@3x4",
    "joker@5x3@1,2,3,7",
    "1|2,3@2x8",
    "choice@3x3@4,3,0,0",
)


@pytest.mark.parametrize("name", ["standard", "joker", "choice", *MADE_UP])
def test_rules_read_back_as_they_are_written(name: str) -> None:
    rules = parse_rules(name)
    assert format_rules(rules) == name
    assert parse_rules(name.upper()) == rules
    assert sum(rules.deck.values()) == rules.board.size
    assert rules.deck[Card.JACK] == 2
    text = format_position(deal(random.Random(5), rules))
    assert parse_position(text).rules == rules
    assert format_position(parse_position(text)) == text
    assert format_position(parse_position(text.replace(" ", "_").replace("|", "%7C"))) == text
    assert format_position(parse_position(text.replace(",", "%2C").replace("@", "%40"))) == text


def test_options_come_in_any_order_and_only_what_differs_is_written() -> None:
    assert parse_rules("1|1@4,4,4,2") is FOR_TWO["standard"]
    assert parse_rules("shift@4x4") is FOR_TWO["shift"]
    assert parse_rules("joker@4,3,2,1@3×4").name == "joker@3x4@4,3,2,1"
    assert parse_rules("standard@3x4@3,3,3,1").name == "standard@3x4"
    deck = classic_rules("1-4|1-4@5,4,3,2")
    assert (deck.name, deck.deck[Card.ACE], deck.first_steps) == (
        "joker@5,4,3,2",
        5,
        FOR_TWO["joker"].first_steps,
    )
    assert deck.text.endswith("The deck: 2 jacks, 5 aces, 4 twos, 3 threes and 2 fours.")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("standard@", "is neither a board"),
        ("standard@5432", "is neither a board"),
        ("standard@5,4,3", "is no deck"),
        ("standard@5,4,3,-2", "is no deck"),
        ("standard@5,4,3,3", "has 15 cards with a number, and the 4×4 board has room for 14"),
        ("standard@5x5", "at most 16 cards"),
        ("standard@1x9", "at least 2 rows and columns"),
        ("joker@3x4@3x4", "two boards"),
        ("joker@4,4,4,2@5,4,3,2", "two decks"),
        ("shift@3x4", "4×4 board only"),
        ("choice@2x8", "four steps lead everywhere"),
        ("hoker@5,4,3,2", "unknown rules"),
    ],
)
def test_options_that_cannot_be_had(wrong: str, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        parse_rules(wrong)
    with pytest.raises(MalformedError, match=why):
        parse_game(f"{EXAMPLE} {wrong}")


@pytest.mark.parametrize("name", ["1,3|2@0,5,5,4", "joker@5x3@1,2,3,7", "1|2,3@2x8", "choice@3x4"])
def test_made_up_rules_are_played_as_by_definition(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3):
        position = deal(rng, parse_rules(name))
        while position.cards_left > 9 and position.moves:
            position = position.play(rng.choice(position.moves))
        assert not position.faults
        assert analyse(position).score == definition.score(position)


def test_first_moves_written_out_are_the_rules_of_that_name() -> None:
    assert parse_rules("1|1") is FOR_TWO["standard"]
    assert parse_rules("1-4|4,3,2,1") is FOR_TWO["joker"]
    for wrong in ("1", "|", "1|", "5|1", "0|0", "1|1|1", "3-1|1", "1,|2", ""):
        with pytest.raises(MalformedError, match="unknown rules"):
            parse_rules(wrong)
