"""Hostile games sent to the API: refused in one short line, or returned as text."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from collapsi import deal
from tests.wide_tree import EXAMPLE, wide_tree

if TYPE_CHECKING:
    from tests.service import Server

API = "/api/v1"
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
STARTS = {
    "game": EXAMPLE,
    "solo/game": "A2X/3Jr2/A2A",
    "big/game": "..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big",
}
REFUSED = {
    "deep nesting": "{start} " + "(d1 " * 900 + ")" * 900,
    "never closed": "{start} " + "(" * 5000,
    "script for a move": "{start} " + SCRIPT,
    "script alone": SCRIPT,
    "a long comment that is not closed": "{start} {{" + "x" * 10_000,
    "braces": "{{" * 4000,
    "tags": '[Event "x"] ' * 600,
}


@pytest.mark.parametrize("path", STARTS)
@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_game_is_refused_in_one_line(server: Server, path: str, name: str) -> None:
    answer = server.get(f"{API}/{path}", game=REFUSED[name].format(start=STARTS[path]))
    assert answer.status == 422
    assert answer.headers["content-type"] == "application/problem+json"
    detail = json.loads(answer.body)["detail"]
    assert "\n" not in detail
    assert len(detail) < 400


@pytest.mark.parametrize("path", STARTS)
def test_script_in_a_comment_is_returned_as_text(server: Server, path: str) -> None:
    answer = server.get(f"{API}/{path}", game=f"{STARTS[path]} {{{SCRIPT}}}")
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert json.loads(answer.body)["tree"][0]["comment"] == SCRIPT


@pytest.mark.parametrize(("path", "rules"), [("game", "standard"), ("game", "shift"), ("big/game", "big")])
def test_a_large_tree_is_shown(server: Server, path: str, rules: str) -> None:
    tree = wide_tree(1500, deal(random.Random(1), rules).text)
    assert len(server.get_json(f"{API}/{path}", game=tree)["tree"]) == 1501


def test_ten_megabytes_are_not_read(server: Server) -> None:
    with suppress(OSError):  # the connection is closed while the request is sent
        assert server.get(f"{API}/game", game="(" * 10_000_000).status == 431
    assert server.get(f"{API}/game", game=EXAMPLE).status == 200, "it goes on answering"
