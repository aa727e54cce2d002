"""Every JSON answer has one typed dict: functions return it, the service describes it, answers fit it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError
from typing_extensions import is_typeddict

import collapsi
from collapsi import STANDARD
from collapsi.api import about, json_types, models
from collapsi.census.atlas import DealClass
from collapsi.census.fairness import OpeningRule
from collapsi.census.games import GameCount
from collapsi.census.lengths import Census
from collapsi.census.verify import Verification
from collapsi.core.intervals import Rate
from collapsi.games.solo.census import sample_census, take_census
from collapsi.games.solo.deals import DECKS, OFFICIAL
from collapsi.games.solo.rules import Exit
from collapsi.service.app import make_app
from collapsi.service.routes import PREFIX, routes
from tests.fitting import fitting
from tests.test_cli import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

SHAPES = {"json_types": json_types, "models": models}
SAYS_JSON = re.compile(r"(?<!from)_json$")
SOURCES = Path(collapsi.__file__).parent
CONTRACT = "games/kind.py: to_json"
"""What all answers have in common: each of them returns a typed dict of its own."""
ODD = "..../.2r../.Ab../.2.. r"
"""It would be blue's turn: the answer has a warning."""
DEAL_ROW = DealClass(EXAMPLE, 2, 24, "red", 13, 3, 1, None, {"b1": 3, "d1": -4})


def functions_that_say_json() -> Iterator[tuple[str, str]]:
    """Every `to_json` and `…_json` of the package, and what it returns; not what reads JSON."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and SAYS_JSON.search(node.name) and node.returns:
                yield f"{path.relative_to(SOURCES)}: {node.name}", ast.unparse(node.returns)


def test_every_function_that_says_json_returns_a_typed_dict() -> None:
    """What the type checker then makes sure of."""
    found = [
        (name, returned)
        for name, returned in functions_that_say_json()
        if returned != "None" and name != CONTRACT
    ]
    assert len(found) > 20
    for name, returned in found:
        for each in returned.split(" | "):
            module, _, shape = each.removeprefix("list[").removesuffix("]").partition(".")
            said = getattr(SHAPES[module], shape)
            assert is_typeddict(said) or said in (json_types.Colour, json_types.Seat), name


def test_every_answer_of_the_service_is_described_by_a_typed_dict() -> None:
    shapes = {route.path: route.response_model for route in routes()}
    assert len(shapes) > 10
    streams = {f"{PREFIX}/big/analysis", f"{PREFIX}/big/review"}
    for path, shape in shapes.items():
        assert is_typeddict(shape) or path.endswith("/drawing") or path in streams, path


def test_the_description_says_what_the_typed_dicts_say(tmp_path: Path) -> None:
    schemas = make_app(tmp_path).openapi()["components"]["schemas"]
    for name, schema in schemas.items():
        assert name.endswith(schema["title"])  # where two have the same, the module comes before it
        assert schema["description"]
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False
    analysis = schemas["Analysis"]
    assert analysis["description"] == "A solved position."
    assert analysis["properties"]["plies"]["description"] == "Plies to the end."
    assert analysis["properties"]["position"]["examples"] == [EXAMPLE]
    assert set(analysis["properties"]) - set(analysis["required"]) == {"warnings"}
    assert schemas["Verdict"]["enum"] == [str(verdict) for verdict in collapsi.Verdict]


def test_the_typed_dicts_need_neither_pydantic_nor_fastapi() -> None:
    code = """
import sys
sys.modules["pydantic"] = sys.modules["fastapi"] = None  # importing them fails
import collapsi.api.json_types, collapsi.api.models
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# Answers that no other test holds against their typed dicts


@pytest.mark.parametrize("games", [None, 1000])
def test_a_row_of_the_atlas(games: int | None) -> None:
    row = DealClass(*{**vars(DEAL_ROW), "games": games}.values())
    assert fitting(json_types.DealRow, row.to_json()) == vars(row)


def test_the_census() -> None:
    census = Census(
        STANDARD, (), {7: 525, 8: 24}, {7: 25, 8: 1}, seconds=1.5, cpu_seconds=2.5, peak_bytes=None
    )
    games = GameCount(STANDARD, (), total=47_297_250 * 100, smallest=1, largest=1000)
    data = census.to_json()
    assert fitting(json_types.AllDeals, data)["peak_bytes"] is None
    assert fitting(json_types.AllGames, games.to_json())["mean"] == 100
    assert fitting(json_types.AllDeals, {**data, "possible_games": games.to_json()})


def test_opening_rules_and_comparisons() -> None:
    rule = OpeningRule(((3,), (1, 3)), ((2,),), STANDARD, 1000, 498, 11.5, 300, 200)
    assert fitting(json_types.OpeningRule, rule.to_json())["red_share"] == 0.498
    played = replace(rule, played=Rate(52, 100)).to_json()
    assert fitting(json_types.OpeningRule, played)["red_same"] == [[1, 3]]
    for differences in ([], ["7 by the layers, 8 by search"]):
        compared = Verification(100, 2000, differences).to_json()
        assert fitting(json_types.Compared, compared)["differences"] == differences
        assert fitting(json_types.Verification, {"rules": "standard", **compared})


@pytest.mark.parametrize("reading", Exit)
def test_the_census_of_the_solo_game(reading: Exit) -> None:
    assert fitting(json_types.SoloCensus, take_census(OFFICIAL, reading).to_json())["layouts"] == 1120
    sampled = sample_census(DECKS["1233444"], reading, count=5, seed=1).to_json()
    assert fitting(json_types.SoloCensus, sampled)["sample"] is True


def test_what_a_page_asks_first() -> None:
    assert fitting(models.Service, about.service())


# The check itself


@pytest.mark.parametrize(
    "answer",
    [
        '{"winner": "red", "plies": 3}',
        '{"winner": "red", "plies": 3, "score": 5, "more": 1}',
        '{"winner": "red", "plies": 3, "score": "5"}',
        '{"winner": "green?", "plies": 3, "score": 5}',
    ],
)
def test_an_answer_that_does_not_fit_is_noticed(answer: str) -> None:
    good = {"winner": "red", "plies": 3, "score": 5}
    assert fitting(json_types.Outcome, good) == good
    with pytest.raises(ValidationError):
        fitting(json_types.Outcome, answer)
