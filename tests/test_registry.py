"""A rule set is added in one place: here one of its own goes through notation, solver, census, service and commands."""

from __future__ import annotations

import json
import random

import pytest

from collapsi import RULE_SETS, Rules, analyse, deal, format_position, parse_game, parse_position, parse_rules
from collapsi.census import take_census
from collapsi.rules import STANDARD, STEPS
from collapsi.solve import definition
from collapsi.web import questions

HALF = Rules(
    name="half",
    summary="red goes one step first, blue as many as it likes",
    board=STANDARD.board,
    cards=STANDARD.cards,
    first_steps=((1,), STEPS),
    title="Half a joker",
    text="Red's first move goes one step, blue's one to four.",
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULE_SETS, "half", HALF)


def test_notation() -> None:
    assert parse_rules("half") is HALF
    assert parse_rules("1|1-4") is HALF  # the same first moves written out
    dealt = deal(random.Random(1), HALF)
    text = format_position(dealt)
    assert text.endswith(" r half")
    assert parse_position(text) == dealt


def test_solver() -> None:
    rng = random.Random(2)
    position = deal(rng, HALF)
    while position.cards_left > 11:
        position = position.play(rng.choice(position.moves))
    assert analyse(position).score == definition.score(position)


def test_census() -> None:
    """Blue's free choice helps blue: red wins fewer deals than under `standard`, and all deals are counted."""
    census = take_census(HALF)
    assert census.deals == 47_297_250
    assert census.red_wins < 36_752_487
    assert census.to_json()["rules"] == "half"


def test_service() -> None:
    """What the service answers; asked of its functions, as its process does not know what a test has registered."""
    dealt = format_position(deal(random.Random(5), HALF))
    solved = json.loads(questions.analysis(parse_game(dealt)))
    assert solved == json.loads(json.dumps(analyse(dealt).to_json()))
    game = parse_game(f"{dealt} {solved['moves'][0]['to']}")
    shown = json.loads(questions.shown_game(game, ply=None, match="0-0", dealt=True))
    assert (shown["rules"], shown["game"]) == ("half", game.text)
    assert json.loads(questions.reviewed(game))["moves"][0]["to"] == solved["moves"][0]["to"]
    assert json.loads(questions.computer_move(game, level="perfect", seed=1))["rules"] == "half"
    assert json.loads(questions.won_deal(None, rules="half", winner="blue", seed=1))["rules"] == "half"
