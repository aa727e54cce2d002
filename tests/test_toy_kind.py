"""A new kind of game in one file, `tests/toy_kind.py`, through every part of the program.

Service and page are in `tests/browser/test_toy_kind.py`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import collapsi
from collapsi.games import registry
from collapsi.games.kind import Can, UnsupportedError
from collapsi.games.levels import Level
from collapsi.play.levels import choose_move, levels_for
from collapsi.solving import reference
from tests import typed
from tests.toy_kind import KIND, STRAIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

DEAL = "23Jr2/A2A3/AJb2A r straight"
LINE = "d1 a3 d2 a2 c2 a1 b2"
ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a user would: one environment variable."""
    monkeypatch.setenv("COLLAPSI_KINDS", "tests.toy_kind")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    _clear_caches()
    yield
    _clear_caches()


def _clear_caches() -> None:
    registry._plugged_in.cache_clear()
    vars(collapsi).pop("RULE_SETS", None)  # the package caches public names


def test_notation() -> None:
    assert collapsi.parse_rules("straight") is STRAIGHT
    assert "straight" in collapsi.RULE_SETS
    game = collapsi.parse_game(f"{DEAL} {LINE}")
    assert game.text == f"{DEAL} {LINE}"
    assert collapsi.parse_position("23Jr2/A2A3/AJb2A r", rules="straight").text == DEAL
    assert collapsi.deal(random.Random(1), "straight").text == DEAL
    with pytest.raises(collapsi.IllegalMoveError, match="move 1, 'a1': no straight walk"):
        collapsi.parse_game(f"{DEAL} a1")


def test_solving_review_and_capabilities() -> None:
    analysis = collapsi.analyse(DEAL)
    assert analysis.score == reference.score(analysis.position)
    assert analysis.line == tuple(LINE.split())
    assert collapsi.count_games_many([analysis.line_of_play.positions[3]])[0] > 1
    (judged,) = collapsi.review(collapsi.parse_game(f"{DEAL} c2")).moves
    assert judged.verdict is collapsi.Verdict.THREW_AWAY
    assert judged.why is not None
    assert "<svg" in analysis._repr_svg_()
    with pytest.raises(UnsupportedError, match="puzzles are not supported for straight"):
        registry.require(STRAIGHT, Can.PUZZLES)


@pytest.mark.parametrize("level", Level)
def test_opponents(level: Level) -> None:
    assert level in levels_for(STRAIGHT)
    rng, state = random.Random(2), KIND.deal(random.Random(5), STRAIGHT)
    while state.moves:
        state = state.play(choose_move(state, level, rng))
    assert state.result


def test_command_line() -> None:
    assert "red wins in 7 plies" in typed.ok("solve", DEAL)
    assert typed.ok("deal", "--rules", "straight", "--seed", "1") == f"{DEAL}\n"
    assert json.loads(typed.ok("solve", "--json", DEAL))["line"] == LINE.split()
    assert "blue (perfect) goes to" in typed.ok("play", DEAL, "--red", "perfect", "--blue", "perfect")
    assert "7. red to b2" in typed.ok("line", DEAL)
    assert typed.ok("show", DEAL, "--svg").startswith("<svg")
    assert "straight" in typed.refused("puzzles", "--rules", "straight")


def test_openspiel() -> None:
    """In a process of its own: OpenSpiel keeps its games for the life of a process."""
    pytest.importorskip("pyspiel")
    code = """
import random, pyspiel
import collapsi.ecosystem.openspiel
game = pyspiel.load_game("collapsi(rules=straight)")
state, rng = game.new_initial_state(), random.Random(1)
while not state.is_terminal():
    state.apply_action(rng.choice(state.legal_actions()))
print(game.num_players(), game.num_distinct_actions(), sum(state.returns()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "12", "0.0"]


def test_a_module_without_a_kind_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("no.such.module", "tests.typed"):
        monkeypatch.setenv("COLLAPSI_KINDS", module)
        registry._plugged_in.cache_clear()
        with pytest.raises(collapsi.MalformedError, match=f"COLLAPSI_KINDS names '{module}'"):
            collapsi.parse_rules("straight")
