"""Measurements of the big board (ladder, seats, calibration of estimates) and how they are shown."""

from __future__ import annotations

import json
import random
import re
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from pydantic import TypeAdapter

from collapsi.api import json_types
from collapsi.core.intervals import Mean, Rate
from collapsi.core.players import Player
from collapsi.facts.big import calibration, rounds, seats, two
from collapsi.facts.big.calibration import Calibration, calibrate, exact_points, position_with
from collapsi.facts.big.facts import BigFacts, find_facts, steps_of
from collapsi.facts.big.rounds import measure, measure_ladder, pairings
from collapsi.facts.big.seats import SeatValues, measure_seats
from collapsi.games.big.levels import levels
from collapsi.games.big.rules import BIG, BIG3, BIG4
from collapsi.games.big.search import TranspositionTable
from collapsi.games.levels import Level
from collapsi.games.registry import deal
from collapsi.report import big, big_figures, big_tables
from collapsi.report.style import draw
from collapsi.solving import reference as definition
from tests.big_positions import endgames
from tests.typed import ok, refused

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.games.big.rules import BigRules
    from collapsi.games.big.state import BigState


def facts_by_hand() -> BigFacts:
    """Facts that nobody measured, to be shown."""
    points = dict.fromkeys(BIG3.seats, Mean(1.0, 0.5, 1.5))
    seats = SeatValues(BIG3, 2, 100, points, dict.fromkeys(BIG3.seats, Rate(1, 3)))
    return BigFacts(
        2,
        5,
        two.TwoPlayerGames(
            Rate(3, 4), 1, Rate(2, 4), ((19, 1), (20, 3)), ((26, Rate(3, 4)), (24, Rate(4, 4)))
        ),
        (seats,),
        tuple(Calibration(rules, 20, 100, ((0.1, 0), (0.2, 1), (0.9, 1))) for rules in (BIG, BIG3, BIG4)),
    )


def test_who_is_measured_against_whom() -> None:
    names = [(str(level), str(others)) for level, others in pairings(levels(BIG3))]
    assert names == [
        ("1", "random"),
        ("2", "1"),
        ("4", "2"),
        ("expert", "4"),
        ("master", "expert"),
        ("master", "2"),
        ("master", "random"),
    ]
    assert pairings([Level.RANDOM, Level.MASTER]) == [(Level.MASTER, Level.RANDOM)]


def test_a_rung_counts_rounds_and_points_and_is_the_same_for_a_seed() -> None:
    first, again = (measure(Level.MASTER, Level.RANDOM, BIG4, 8, seed=3, nodes=1_000) for _ in range(2))
    assert (first.won, first.points) == (again.won, again.points)
    assert first.won.cases == 8
    assert first.won.share > first.fair == 0.25
    (rung,) = measure_ladder([Level.RANDOM, Level.ONE], BIG3, 6, seed=3)
    assert (rung.level, rung.others, rung.won.cases) == (Level.ONE, Level.RANDOM, 6)


def test_a_rung_times_the_moves_of_its_level_and_gives_nodes_to_the_strongest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that goes on a quarter of a second with every look."""
    clock = count(0, 0.25)
    asked: dict[Level, set[int | None]] = {}

    def choose(state: BigState, level: Level, rng: random.Random, nodes: int | None) -> SimpleNamespace:
        asked.setdefault(level, set()).add(nodes)
        return SimpleNamespace(move=rng.choice(state.moves))

    monkeypatch.setattr(rounds, "choose", choose)
    monkeypatch.setattr(rounds, "time", SimpleNamespace(process_time=lambda: next(clock)))
    rung = measure(Level.MASTER, Level.RANDOM, BIG3, 3, seed=1, nodes=77)
    assert rung.milliseconds == 250
    assert asked == {Level.MASTER: {77}, Level.RANDOM: {None}}


def test_seats_share_all_points() -> None:
    found = measure_seats(BIG4, 4, 2, nodes=200)
    assert found == measure_seats(BIG4, 4, 2, nodes=200)
    assert sum(mean.value for mean in found.points.values()) == pytest.approx(6)
    assert sum(share.found for share in found.won.values()) == 4


def test_exact_points_are_the_judge_s() -> None:
    room = TranspositionTable(megabytes=1)
    for state in endgames(BIG, 9, 6):
        assert exact_points(state, room) == (two.winner_of(state, room) is state.to_move)
        wins = definition.score(state) > 0
        assert (two.winner_of(state, room) is Player.RED) == wins
    for state in endgames(BIG3, 9, 6):
        assert exact_points(state, room) == definition.points(state)[state.to_move]


def test_estimates_beside_exact_points() -> None:
    state = position_with(BIG4, 24, random.Random(3))
    assert state.cards_left == 24
    assert len(state.left) >= 3
    found, more = calibrate(BIG3, 4, 2, cards=20, nodes=(300, 600))
    assert (found, more) == calibrate(BIG3, 4, 2, cards=20, nodes=(300, 600))
    assert [exact for _, exact in found.pairs] == [exact for _, exact in more.pairs]
    assert sum(part.positions for part in found.bins) == len(found.pairs) == 4
    by_hand = Calibration(BIG, 20, 1, ((0.0, 0), (0.05, 1), (1.0, 1)))
    assert [(round(part.expected, 3), part.exact.value) for part in by_hand.bins] == [
        (0.025, 0.5),
        (1.0, 1.0),
    ]
    assert by_hand.error == pytest.approx((0 + 0.95 + 0) / 3)


@pytest.mark.parametrize("rules", [BIG, BIG3, BIG4], ids=str)
def test_bins_are_equally_wide_and_the_last_has_the_best_estimate_too(rules: BigRules) -> None:
    most = rules.players - 1
    pairs = (*(((number + 0.5) / 16 * most, number % 2) for number in range(16)), (float(most), 1))
    bins = Calibration(rules, 20, 1, pairs).bins
    assert [part.positions for part in bins] == [2] * 7 + [3]
    assert [part.expected for part in bins[:7]] == pytest.approx(
        [(number + 0.5) / 8 * most for number in range(7)]
    )


def test_positions_have_three_players_or_all_of_two() -> None:
    assert len(position_with(BIG, 28, random.Random(3)).left) == 2
    left = [len(position_with(BIG4, 16, random.Random(seed)).left) for seed in range(8)]
    assert set(left) == {3, 4}


def test_two_players_are_studied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two, "MOST_NODES", 1_000)
    monkeypatch.setattr(two, "STRONG_NODES", 500)
    told: list[str] = []
    found = two.measure_two(1, 4, progress=told.append)
    assert (found.red.cases, found.unsolved) == (0, 1), "a deal takes more nodes"
    assert sum(games for _, games in found.plies) == found.red_in_play.cases == two.GAMES
    red = sum(games for plies, games in found.plies if plies % 2)
    assert red == found.red_in_play.found, "who makes the last move has won"
    assert len(told) == 1 + two.GAMES
    last_cards, last = found.decided[-1]
    assert last.found == last.cases, "near the end nothing is left to decide"
    assert last_cards < two.FIRST_SOLVED


def test_every_step_is_told_and_games_are_solved_at_every_other_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """With players that make the first move, and an oracle that always says red."""

    def first(state: BigState, **_: object) -> SimpleNamespace:
        return SimpleNamespace(moves=[(state.moves[0],)], points=dict.fromkeys(state.rules.seats, 1.0))

    for module in (calibration, seats, two):
        monkeypatch.setattr(module, "estimate", first)
    monkeypatch.setattr(two, "winner_of", lambda *_: Player.RED)
    monkeypatch.setattr(calibration, "position_with", lambda rules, _cards, rng: deal(rng, rules))
    monkeypatch.setattr(calibration, "exact_points", lambda *_: 1)
    told: list[str] = []
    found = find_facts(3, 5, progress=told.append).two
    assert len(told) == steps_of(3)
    cards, (first_solved, *_) = [cards for cards, _ in found.decided], found.decided
    assert cards == list(range(two.FIRST_SOLVED, cards[-1] - 1, -two.STEP))
    assert first_solved[1] == found.red_in_play
    assert 0 < found.red_in_play.found < found.red_in_play.cases == 3 * two.GAMES


def test_facts_are_shown_with_their_intervals() -> None:
    facts = facts_by_hand()
    TypeAdapter(json_types.BigFacts).validate_python(json.loads(json.dumps(facts.to_json())), strict=True)
    drawings = dict.fromkeys(("big_decided", "big_calibration", "big_nodes"), "data:,")
    html = big.chapter(facts, drawings)
    assert html.count(facts.command.replace("&", "&amp;")) == 3
    assert "75.0 % (30.1–95.4)" in html
    assert "1 more deals were not solved" in html
    assert set(big_tables.TABLES) >= {"big_two", "big_seats", "big_calibration"}
    for made in big_tables.TABLES.values():
        assert made(facts).height
    for chart in (big_figures.calibration, big_figures.decided):
        svg, png = draw(chart, facts)
        assert b"<svg" in svg
        assert png.startswith(b"\x89PNG")
    assert steps_of(2) == 2 * steps_of(1)


def test_ladder_and_facts_on_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = ok("ladder", "--rules", "big3", "--players", "1,random", "--games", "3")
    assert re.search(r"^1 +random +3 ", said, re.MULTILINE)
    data = json.loads(ok("ladder", "--rules", "big4", "--players", "1,random", "--games", "4", "--json"))
    TypeAdapter(json_types.BigLadder).validate_python(data)
    assert [rung["won"]["cases"] for rung in data["rungs"]] == [4]
    assert "choose one of" in refused("ladder", "--rules", "big3", "--players", "perfect,1")
    assert "is no player" in refused("ladder", "--rules", "big3", "--players", "who,1")
    assert "at least two" in refused("ladder", "--rules", "big3", "--players", "1")
    monkeypatch.setattr("collapsi.facts.big.facts.find_facts", lambda *_, **__: facts_by_hand())
    picture = tmp_path / "curve.svg"
    said = ok("facts", "big", "--deals", "2", "--out", str(picture))
    assert "red wins, per cent" in said
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert json.loads(ok("facts", "big3", "--json"))["two"]["unsolved"] == 1
    assert "no such folder" in refused("facts", "big", "--out", str(tmp_path / "none" / "curve.svg"))
