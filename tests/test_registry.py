"""A rule set is registered in one place and works in notation, solver, census and service."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from collapsi import Rules, analyse, deal, format_position, parse_game, parse_position, parse_rules
from collapsi.api import models
from collapsi.census.lengths import take_census
from collapsi.core.cards import STEPS
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import CLASSIC_RULE_SETS, STANDARD
from collapsi.games.registry import rule_sets
from collapsi.site import answering
from collapsi.solving import reference as definition
from tests.fitting import fitting

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
    monkeypatch.setitem(CLASSIC_RULE_SETS, "half", HALF)


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
    """Blue's free choice helps blue: red wins fewer deals than under `standard`; of a small deck."""
    standard = classic_rules("standard@11,1,1,1")
    census = take_census(replace(HALF, cards=standard.cards))
    plain = take_census(standard)
    assert census.deals == plain.deals == 15 * 2_184
    assert census.red_wins < plain.red_wins
    assert census.to_json()["rules"] == "half"


def answered(path: str, **query: object) -> str:
    """The answer of the API, made in this process."""
    return answering.answer(path, urlencode(query))[2]


def test_service() -> None:
    """What the service answers; asked of its functions, as its process does not know what a test has
    registered.
    """
    dealt = format_position(deal(random.Random(5), HALF))
    solved = json.loads(answered("analysis", position=dealt))
    assert solved == json.loads(json.dumps(analyse(dealt).to_json()))
    game = parse_game(f"{dealt} {solved['moves'][0]['to']}")
    shown = json.loads(answered("game", game=game.text))
    assert (shown["rules"], shown["game"]) == ("half", game.text)
    assert json.loads(answered("review", game=game.text))["moves"][0]["to"] == solved["moves"][0]["to"]
    assert (
        json.loads(answered("computer-move", position=game.text, level="perfect", seed="1"))["rules"]
        == "half"
    )
    assert json.loads(answered("deal", rules="half", winner="blue", seed="1"))["rules"] == "half"


def test_editor() -> None:
    dealt = format_position(deal(random.Random(3), HALF))
    data = fitting(models.Draft, answered("edit", draft=dealt))
    assert (data["draft"], data["rules"], data["error"], data["warnings"]) == (dealt, "half", None, [])
    changed = fitting(models.Draft, answered("edit", draft=dealt, lay=".", side="b"))
    assert changed["draft"] == "..../..../..../.... b half"
    assert changed["error"] == "no red pawn"
    taken = fitting(
        models.Draft, answered("edit", draft=format_position(deal(random.Random(3))), rules="half")
    )
    assert taken["draft"] == dealt  # the same cards under other rules


def test_what_the_page_is_told_of_it() -> None:
    data = fitting(models.Service, answered("about"))
    others = {"solo", *(rules["name"] for rules in data["big"]["rules"])}
    assert [rules["name"] for rules in data["rules"]] == [name for name in rule_sets() if name not in others]
    told = next(rules for rules in data["rules"] if rules["name"] == "half")
    assert (told["name"], told["title"], told["text"]) == ("half", HALF.title, HALF.text)
    assert told["board"]["squares"] == [HALF.board.square(cell) for cell in range(HALF.board.size)]
    example = parse_position(told["example"]["position"])
    assert example.rules is HALF
    assert example.refusal(told["example"]["move"]) is None
