"""Studies: the same rows in any order, estimates of cost, folders that survive damage, the command."""

from __future__ import annotations

import errno
import json
import math
import os
import random
import re
import statistics
import threading
import time
from collections import Counter
from itertools import islice, permutations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import analyse, parse_rules
from collapsi.api import json_types
from collapsi.census import deals as census_deals
from collapsi.census import different as census_different
from collapsi.census.burnside import count_deals, count_different
from collapsi.cli import run as run_here
from collapsi.cli import study as study_command
from collapsi.core.cards import Card
from collapsi.core.errors import BusyError, CollapsiError, MalformedError, OutputError
from collapsi.core.intervals import (
    Rate,
    enough_cases,
)
from collapsi.core.players import Player
from collapsi.core.symmetry import symmetries
from collapsi.games.big import levels as big_players
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.games.classic import search
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import STANDARD
from collapsi.games.levels import Level
from collapsi.games.registry import parse_position
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE
from collapsi.play.dealing import nth_deal
from collapsi.play.strategy.players import character
from collapsi.solving import reference as definition
from collapsi.study import engines, parts, solving
from collapsi.study.engines import ATTEMPTS, Threads
from collapsi.study.estimate import census_seconds, estimate
from collapsi.study.folder import open_folder, part_size, read_costs
from collapsi.study.parts import read_plan
from collapsi.study.plan import Part, Plan, default_part_size, make_plan
from collapsi.study.result import Result
from collapsi.study.run import run, sample
from collapsi.study.solving import Cost, Ending, FailedPart, SolvedPart, solve_part
from collapsi.system.files import FolderLock, write_atomically
from collapsi.system.machine import cores
from tests.fitting import fitting
from tests.service import HANG_SECONDS
from tests.study_cluster import (
    contents,
    parts_in,
)
from tests.test_census import PUBLISHED
from tests.test_files import put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JOKER = {
    7: 24, 8: 142_686, 9: 87_936, 10: 3_238_032,
    11: 5_505_996, 12: 23_147_802, 13: 12_127_044, 14: 3_047_730,
}  # fmt: skip
"""Deals by plies: `tests/test_census.py` counts them."""

PLAN = Plan("standard", 7, None, lengths=True, part=40)


class Scrambled:
    """An engine that takes many parts at once, and finishes them in an odd order."""

    def __init__(self, seed: int, at_once: int = 7) -> None:
        self.rng = random.Random(seed)
        self.at_once = at_once
        self.solved: list[int] = []

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[SolvedPart | FailedPart | None]:
        """The parts of a handful, shuffled."""
        while handful := [part for _, part in zip(range(self.at_once), parts, strict=False)]:
            self.rng.shuffle(handful)
            for part in handful:
                self.solved.append(part.number)
                yield None
                yield solve_part(plan, part)


class Nobody:
    """An engine that must not be asked for anything."""

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[SolvedPart | FailedPart | None]:  # noqa: ARG002 - an engine's
        """Nothing, as there is nothing to do."""
        assert list(parts) == []
        yield None


# What is drawn and solved


@pytest.mark.parametrize(
    "rules",
    [
        *("standard", "joker", "choice", "1,3|2", "standard@3x4", "1,3|2@5,4,3,2", "joker@3x3"),
        "shift",
        "shift-box@5,4,3,2",
    ],
)
def test_a_part_says_what_the_analysis_of_each_deal_says(rules: str) -> None:
    plan = make_plan(rules, seed=3)
    count = 1 if rules == "shift" else 20
    found = solve_part(plan, Part(2, 100, 100 + count))
    agreed = parse_rules(rules)
    assert [position for position, _ in found.rows] == [
        nth_deal(3, 100 + n, agreed).text for n in range(count)
    ]
    for position, ending in found.rows:
        analysis = analyse(position)
        assert ending == (analysis.winner, analysis.plies, None)
    nodes = [0]
    deals = [parse_position(position) for position, _ in found.rows]
    (shift_search if agreed.kind == "shifting" else search).value_batch(deals, nodes)
    assert found.cost[::2] == (count, nodes[0])
    assert 0 < found.cost.cpu_seconds < time.thread_time()


@pytest.mark.parametrize("lengths", [True, False])
def test_the_big_board_for_two_is_solved(lengths: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Endgames in place of deals, which take seconds; the judge says how they end."""
    states = [
        parse_big(text)
        for text in (
            "..A.../..3.../..A.../.2rA.../..2b.../...... r big",
            "....../.2r.3../.AA.../.3b4.../..3.../...... r big",
        )
    ]
    monkeypatch.setattr(solving, "nth_deal", lambda _seed, number, _rules: states[number])
    found = solve_part(make_plan("big", lengths=lengths), Part(0, 0, 2))
    for state, (_, ending) in zip(states, found.rows, strict=True):
        red, blue = definition.points(state)
        assert found.cost.nodes > 0
        assert ending.winner is (Player.RED if red > blue else Player.BLUE)
        assert ending.plies == (state.cards_left - max(red, blue) if lengths else None)


@pytest.mark.parametrize("rules", ["big", "big3", "five3"])
def test_players_stand_in_where_nobody_knows_perfect_play(rules: str) -> None:
    plan = make_plan(rules, seed=5, level=Level.ONE)
    found = solve_part(plan, Part(0, 0, 4))
    assert found.cost.nodes == sum(ending.plies or 0 for _, ending in found.rows)
    for number, (position, ending) in enumerate(found.rows):
        state = nth_deal(5, number, BIG_RULE_SETS[rules])
        assert position == state.text
        rng, plies = random.Random(f"5 {number} play"), 0
        while not state.over:
            state = state.play(big_players.choose(state, Level.ONE, rng).move)
            plies += 1
        assert ending == (state.to_move, plies, state.out[0] if rules != "big" else None)
    assert make_plan(rules).level == ("2" if rules != "big" else None)


@pytest.mark.parametrize("rules", ["standard", "joker", "choice", "3|1,2", "standard@6,4,4,0"])
def test_games_played_together_are_the_games_played_one_by_one(rules: str) -> None:
    deals = [nth_deal(7, number, parse_rules(rules)) for number in range(40)]
    for level in set(Level) - {Level.TEMPTING}:
        together, one_by_one = (
            list(play(deals, level, [random.Random(f"7 {number} play") for number in range(40)]))
            for play in (solving.play_fast, solving.play_one_by_one)
        )
        assert together == one_by_one, level


@pytest.mark.parametrize(("rules", "count"), [("shift", 1), ("shift-box", 8), ("shift-box@5,4,3,2", 4)])
def test_games_of_the_shifting_board_are_the_same_with_its_look_ahead(rules: str, count: int) -> None:
    deals = [nth_deal(7, number, parse_rules(rules)) for number in range(count)]
    slow = {Level.EXPERT, Level.DREAMER, Level.MASTER} if rules == "shift" else set()
    for level in set(Level) - {Level.TEMPTING} - slow:
        fast, one_by_one = (
            list(play(deals, level, [random.Random(f"7 {number} play") for number in range(count)]))
            for play in (solving.play_fast, solving.play_one_by_one)
        )
        assert fast == one_by_one, level


@pytest.mark.parametrize(
    ("rules", "level", "count"),
    [("standard", Level.CARD, 30), ("joker@3x4", Level.TWO, 10), ("shift-box", Level.ROAMER, 3)],
)
def test_a_level_plays_both_sides(rules: str, level: Level, count: int) -> None:
    """Single games by the levels' own choices, whichever way the study plays them."""
    plan = make_plan(rules, seed=5, level=level)
    found = solve_part(plan, Part(3, 20, 20 + count))
    assert found.cost.nodes == sum(ending.plies or 0 for _, ending in found.rows)
    for number, (text, ending) in enumerate(found.rows, 20):
        state = nth_deal(5, number, parse_rules(rules))
        assert text == state.text
        rng, plies = random.Random(f"5 {number} play"), 0
        while state.moves:
            state = state.play(character(level.value).choose(state, rng))
            plies += 1
        assert ending == (state.winner, plies, None)


def test_a_deal_depends_on_seed_and_number_only() -> None:
    texts = [nth_deal(4, number).text for number in range(30)]
    assert len({*texts, nth_deal(5, 0).text}) == 31
    assert [nth_deal(4, number).text for number in reversed(range(30))] == texts[::-1]
    assert nth_deal(4, 3, SHIFT_BOX).cards == nth_deal(4, 3, SHIFT).cards


def test_what_there_is_no_study_of() -> None:
    with pytest.raises(MalformedError, match="unknown rules"):
        make_plan("chess")
    for rules in ("big", "standard", "shift"):
        with pytest.raises(CollapsiError, match="leave the level out"):
            make_plan(rules, level=Level.PERFECT)
    with pytest.raises(CollapsiError, match="leave the level out"):
        make_plan("standard", level=Level.TEMPTING)
    with pytest.raises(CollapsiError, match="solo"):
        make_plan("solo", level=Level.ONE)
    with pytest.raises(MalformedError, match="nobody knows perfect play"):
        make_plan("big4", level=Level.PERFECT)
    with pytest.raises(CollapsiError, match="another version of collapsi"):
        solve_part(PLAN, Part(0, 0, 1), form=0)
    with pytest.raises(ValueError, match="a number of deals"):
        run(PLAN, engine=Nobody())


def test_lengths_are_studied_where_they_cost_nothing() -> None:
    plans = [make_plan("standard", lengths=lengths) for lengths in (None, False, True)]
    assert [plan.lengths for plan in plans] == [True] * 3
    assert [make_plan("big", lengths=lengths).lengths for lengths in (None, False, True)] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("seconds", "deals"),
    [(0.00018, 5000), (0.0003, 2000), (0.0006, 1000), (0.02, 50), (0.4, 2), (0.6, 1), (60.0, 1)],
)
def test_a_part_is_a_round_number_of_deals_within_a_second(
    seconds: float, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collapsi.study.plan._seconds", lambda *_: seconds)
    assert default_part_size(STANDARD) == deals


# Order, parts and workers change nothing


def test_the_same_study_whoever_does_it_in_whatever_order() -> None:
    first = run(PLAN, deals=500, engine=Threads(1)).result
    assert first.deals == 500
    for size, engine in ((40, Threads(3)), (7, Scrambled(1)), (500, Threads()), (1000, Scrambled(2))):
        other = Plan("standard", 7, None, lengths=True, part=size)
        found = run(other, deals=500, engine=engine).result
        assert found.to_json() == first.to_json()
    assert sample("standard", deals=500, seed=7).to_json() == first.to_json()


def test_until_the_interval_is_narrow_ends_at_the_same_deal_in_any_order() -> None:
    studies = [run(PLAN, until=0.1, engine=engine) for engine in (Threads(1), Threads(4), Scrambled(3, 5))]
    results = [study.result for study in studies]
    assert len({result.deals for result in results}) == 1
    assert results[0].to_json() == results[1].to_json() == results[2].to_json()
    assert results[0].width <= 0.1
    before = run(PLAN, until=0.1, deals=results[0].deals - PLAN.part, engine=Threads()).result
    assert before.width > 0.1
    assert run(PLAN, until=0.1, deals=90, engine=Threads()).result.deals == 90
    assert [result.is_narrow for result in (results[0], before)] == [True, False]


def test_what_fails_after_the_goal_is_reached_is_not_missed() -> None:
    """A cluster solves some parts ahead: those behind the goal do not matter."""
    reached = run(PLAN, until=0.2, engine=Threads(1)).result
    needed = reached.deals // PLAN.part

    class Hasty:
        def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[SolvedPart | FailedPart | None]:
            *first, last = islice(parts, needed + 1)
            yield FailedPart(last, "no luck")
            for part in first:
                yield solve_part(plan, part)

    found = run(PLAN, until=0.2, engine=Hasty())
    assert (found.failed, found.result) == ((), reached)


def test_the_widest_interval_of_a_table_of_three_is_its_width() -> None:
    plan = make_plan("big3", level=Level.ONE)
    wins = zip(plan.rule_set.seats, (25, 50, 5), strict=True)
    found = Result(plan, Counter({Ending(seat, 20, None): count for seat, count in wins}))
    widths = {seat: rate.width for seat, rate in found.wins.items()}
    assert found.width == widths[Player.BLUE] > widths[Player.RED] > widths[Player.GREEN]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_thread_takes_a_part_when_it_is_free_and_ends_with_the_last(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that take longer than a tick."""
    monkeypatch.setattr(engines, "TICK_SECONDS", 0.001)
    before, ticked = set(threading.enumerate()), threading.Event()
    taken, found = [], []

    def numbers() -> Iterator[int]:
        for number in range(8):
            taken.append(number)
            yield number

    def square(number: int) -> int:
        ticked.wait(HANG_SECONDS)
        return number**2

    for done in engines.in_threads(square, numbers(), jobs):
        if done is None:
            threads = set(threading.enumerate()) - before
            assert len(threads) == jobs
            ticked.set()
            continue
        found.append(done)
        assert len(taken) == min(jobs + len(found) - 1, 8)
    assert sorted(found) == [number**2 for number in range(8)]
    for thread in threads:
        thread.join(HANG_SECONDS)
        assert not thread.is_alive()


def test_there_are_as_many_threads_as_wanted_or_else_as_cores() -> None:
    assert (Threads(3).jobs, Threads().jobs) == (3, cores())


def test_progress_tells_parts_interval_rate_and_time() -> None:
    told: list[Any] = []
    run(PLAN, deals=200, engine=Threads(1), progress=told.append)
    assert (told[0].parts, told[0].of, told[0].seconds_left) == (0, 5, None)
    assert (told[-1].parts, told[-1].result.deals, told[-1].seconds_left) == (5, 200, 0)
    assert str(told[-1]).startswith("5 of 5 parts, 200 deals, red ")
    assert str(told[-1]).endswith("deals a second, 0 s left")
    assert str(told[0]) == "0 of 5 parts, 0 deals"


def test_progress_tells_how_long_the_rest_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which a part takes four seconds. The second one fails: it is not tried again."""
    now = 0
    monkeypatch.setattr("collapsi.study.run.time", SimpleNamespace(monotonic=lambda: now))

    class Slow:
        def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[SolvedPart | FailedPart | None]:
            nonlocal now
            for part in parts:
                now += 4
                yield FailedPart(part, "no luck") if part.number == 1 else solve_part(plan, part)

    told: list[Any] = []
    run(PLAN, deals=200, engine=Slow(), progress=told.append)
    assert [each.parts for each in told] == [0, 1, 1, 2, 3, 4]
    assert [each.rate for each in told] == pytest.approx([0, 40 / 4, 40 / 8, 80 / 12, 120 / 16, 160 / 20])
    left = [4 * 4, 3 * 8, 2 * 6, 1 * 16 / 3, 0]
    assert [each.seconds_left for each in told[1:]] == pytest.approx(left)


def test_progress_towards_a_width_is_by_the_square_of_the_width() -> None:
    told: list[Any] = []
    run(PLAN, until=0.1, engine=Scrambled(1, at_once=1), progress=told.append)
    most = PLAN.parts(enough_cases(0.1))
    assert (told[0].of, told[-1].of) == (most, told[-1].parts)
    for each in told[2:]:
        deals = each.result.deals * (each.result.width / 0.1) ** 2
        assert each.of == min(max(math.ceil(deals / PLAN.part), each.parts), most)


# Intervals


@pytest.mark.parametrize(("rules", "exact"), [("standard", PUBLISHED), ("joker", JOKER)])
def test_a_study_contains_what_the_census_counted(rules: str, exact: dict[int, int]) -> None:
    every = sum(exact.values())
    found = sample(rules, deals=4000 if rules == "standard" else 1500, seed=1)
    red = sum(deals for plies, deals in exact.items() if plies % 2)
    low, high = found.wins[Player.RED].interval
    assert low <= red / every <= high
    for plies, deals in exact.items():
        low, high = found.lengths.get(plies, Rate(0, found.deals)).interval
        assert low <= deals / every <= high
    mean = found.mean_plies
    assert mean is not None
    assert mean.low <= sum(plies * deals for plies, deals in exact.items()) / every <= mean.high


@pytest.mark.parametrize(("exact", "deals"), [(PUBLISHED, 100), (JOKER, 1000)])
def test_intervals_of_simulated_studies_are_honest(exact: dict[int, int], deals: int) -> None:
    """Studies drawn from the census: nineteen of twenty intervals contain what was counted."""
    plies = np.array(list(exact))
    shares = np.array(list(exact.values())) / sum(exact.values())
    studies = np.random.default_rng(1).multinomial(deals, shares, size=1500)
    plan = make_plan("standard")
    covered: Counter[str] = Counter()
    for study in studies:
        tally = Counter(
            {
                Ending(Player.RED if length % 2 else Player.BLUE, int(length), None): int(count)
                for length, count in zip(plies, study, strict=True)
                if count
            }
        )
        found = Result(plan, tally)
        low, high = found.wins[Player.RED].interval
        covered["red"] += bool(low <= shares[plies % 2 == 1].sum() <= high)
        low, high = found.lengths[12].interval
        covered["twelve plies"] += bool(low <= shares[plies == 12][0] <= high)
        mean = found.mean_plies
        assert mean is not None
        covered["mean"] += bool(mean.low <= (plies * shares).sum() <= mean.high)
    for what, count in covered.items():
        assert 0.93 <= count / len(studies) <= 0.97, what  # 0.95 and three standard deviations


def test_a_study_that_ends_short_of_its_goal_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["study", "standard", "--until", "5%", "--deals", "500", "--part", "250"]
    assert run_here([*options, "--out", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "with 95 % intervals that hold at any time\n" in text
    last = text.splitlines()[-1]
    assert re.fullmatch(
        r"goal missed: the interval of the wins is \d+(\.\d+)? % wide after 500 deals, not 5 %; "
        r"about \d,\d00 deals are needed \(--deals\)",
        last,
    )
    found = fitting(json_types.StudyResult, (tmp_path / "result.json").read_bytes())
    low, high = found["wins"]["red"]["interval"]
    assert found["until"] == {"wanted": 0.05, "width": pytest.approx(high - low), "reached": False}
    assert f"{100 * (high - low):.3g} % wide" in last
    assert run_here([*options[:2], "--until", "20%", "--json", "--estimate"]) == 0
    first, _ = capsys.readouterr().out.splitlines()
    assert fitting(json_types.StudyResult, first)["until"]["reached"] is True
    assert run_here([*options[:2], "--until", "20%"]) == 0
    assert "goal missed" not in capsys.readouterr().out
    assert "until" not in sample("standard", deals=50).to_json()


# What all deals would take


def test_the_estimate_counts_as_the_census_does() -> None:
    for rules in (STANDARD, classic_rules("joker"), classic_rules("standard@5,4,3,2")):
        assert count_deals(rules) == census_deals.count_deals(rules)
        assert count_different(rules) == census_different.count_different(rules)
    assert (count_deals(SHIFT), count_deals(SHIFT_ROTATE)) == (454_053_600, 454_053_600 // 16)
    assert count_deals(BIG_RULE_SETS["big3"]) == 140_751_507_618_966_764_520_000 // 36


@pytest.mark.parametrize("rules", ["standard@3x3", "standard@2x3"])
def test_the_estimate_counts_as_one_would_by_hand(rules: str) -> None:
    """Every deal of a small board, sorted into those that a symmetry turns into each other."""
    found = parse_rules(rules)
    cards = [card for card, count in found.cards for _ in range(count) if card is not Card.JACK]
    left = set(permutations(["red", "blue", *map(int, cards)]))
    assert len(left) == count_deals(found) * found.board.size
    different = 0
    while left:
        deal = left.pop()
        for symmetry in symmetries(found.board):
            left.discard(tuple(deal[cell] for cell in symmetry))
        different += 1
    assert different == count_different(found)


@pytest.mark.parametrize("rules", ["big", "big3", "big4", "five3"])
def test_few_deals_of_the_big_board_have_a_symmetry(rules: str) -> None:
    found = BIG_RULE_SETS[rules]
    about = count_deals(found) * found.board.size / len(symmetries(found.board))
    assert about < count_different(found) < about * 1.001


def test_what_the_census_takes_is_said_by_what_it_took() -> None:
    """Within a factor of two of what docs/how-it-works.md says that was measured."""
    for rules, seconds in ((STANDARD, 9), (parse_rules("joker"), 23), (SHIFT_ROTATE, 190)):
        assert seconds / 2 < (census_seconds(rules) or 0) < 2 * seconds
    assert census_seconds(SHIFT) is None
    assert census_seconds(BIG_RULE_SETS["big"]) is None


def test_the_estimate_of_all_deals() -> None:
    costs = [Cost(10, 0.5, 1000), Cost(10, 0.7, 3000), Cost(5, 0.3, 500)]
    found = estimate(SHIFT, costs)
    assert (found.measured, found.cpu_seconds, found.nodes) == (25, 0.06, 180)
    assert found.low < 0.06 < found.high
    assert found.core_days == pytest.approx(56_758_590 * 0.06 / 86_400)
    assert (found.machines(16), found.machines(64)) == (3, 1)
    assert fitting(json_types.StudyEstimate, found.to_json())["deals"] == 454_053_600
    seconds = (1e4, 1e6)  # a deal: thousands of years of one core, and millions
    assert [estimate(SHIFT, [Cost(1, each, 1)]).is_out_of_reach for each in seconds] == [False, True]
    alone = estimate(SHIFT, costs[:1])
    assert alone.low == alone.cpu_seconds == alone.high


def test_the_interval_of_an_estimate_is_that_of_the_mean_of_its_parts() -> None:
    seconds = [0.5, 0.7, 0.6, 1.0, 0.3]
    found = estimate(SHIFT, [Cost(10, each, 1) for each in seconds])
    mean, deviation = statistics.fmean(seconds), statistics.stdev(seconds)
    reach = statistics.NormalDist().inv_cdf(0.975) * deviation / math.sqrt(len(seconds))
    assert (found.low, found.high) == pytest.approx(((mean - reach) / 10, (mean + reach) / 10))
    assert estimate(SHIFT, [Cost(1, 0, 1), Cost(1, 9, 1)]).low == 0


# The folder


def done(
    path: Path, engine: Any = None, deals: int = 200, plan: Plan = PLAN, *, picture: bool = False
) -> list[str]:
    """Do a study in a folder; the names of the files that were found damaged."""
    with open_folder(path, plan) as folder:
        found = run(plan, deals=deals, engine=engine or Threads(), folder=folder)
        assert not found.failed
        if picture:
            folder.write_result(found.result)
        return folder.damaged


def test_a_study_that_is_there_is_not_solved_again(tmp_path: Path) -> None:
    done(tmp_path / "one", Scrambled(5), picture=True)
    done(tmp_path / "two", Threads(1), picture=True)
    before = contents(tmp_path / "one")
    assert before == contents(tmp_path / "two")
    assert len(parts_in(tmp_path / "one")) == 5
    done(tmp_path / "one", Nobody())
    assert contents(tmp_path / "one") == before
    done(tmp_path / "one", engine := Scrambled(1), deals=250)  # the last part is longer now
    assert sorted(engine.solved) == [5, 6]
    done(tmp_path / "one", engine := Scrambled(1), deals=270)
    assert engine.solved == [6]
    done(tmp_path / "one", Nobody(), deals=130, picture=True)  # part of a part is there
    result = fitting(json_types.StudyResult, (tmp_path / "one" / "result.json").read_bytes())
    assert result == sample("standard", deals=130, seed=7).to_json()


def test_of_two_files_of_a_part_the_longer_is_read_and_the_shorter_removed(tmp_path: Path) -> None:
    done(tmp_path, deals=230)
    short = parts_in(tmp_path)[-1]
    content = (tmp_path / "parts" / short).read_bytes()
    done(tmp_path, deals=240)
    before = contents(tmp_path)
    assert short not in parts_in(tmp_path)
    (tmp_path / "parts" / short).write_bytes(content)  # as if its writer had been stopped before removing it
    assert done(tmp_path, Nobody(), deals=240) == []
    assert contents(tmp_path) == before


def test_a_part_that_is_too_short_now_is_not_damaged_and_a_longer_one_stays(tmp_path: Path) -> None:
    done(tmp_path, deals=230)
    short = parts_in(tmp_path)[-1]
    content = (tmp_path / "parts" / short).read_bytes()
    assert done(tmp_path, engine := Scrambled(1), deals=240) == []
    assert engine.solved == [5]
    before = contents(tmp_path)
    (tmp_path / "parts" / short).write_bytes(content)
    assert done(tmp_path, Nobody(), deals=230) == []
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("manifest", "size"),
    [
        ({"part": 1}, 1),
        ({"part": 40}, 40),
        *(({"part": size}, None) for size in (0, -40, 4.0, True, "40", None)),
        ({}, None),
        ([], None),
    ],
)
def test_the_size_of_the_parts_is_read_if_it_is_one(
    tmp_path: Path, manifest: object, size: int | None
) -> None:
    assert part_size(tmp_path) is None
    (tmp_path / "study.json").write_text(json.dumps(manifest))
    assert part_size(tmp_path) == size


def test_what_is_in_the_files(tmp_path: Path) -> None:
    done(tmp_path, picture=True)
    rows = pl.read_parquet(tmp_path / "parts" / "*.parquet").sort("number")
    assert rows["number"].to_list() == list(range(200))
    first = rows.row(0, named=True)
    assert first["position"] == nth_deal(7, 0).text
    assert (first["winner"], first["plies"]) == ("red", analyse(first["position"]).plies)
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["wins"]["red"]["found"] == rows.filter(pl.col("winner") == "red").height
    shares = pl.read_parquet(tmp_path / "result.parquet")
    red = shares.row(0, named=True)
    assert (red["what"], red["which"], red["found"]) == ("wins", "red", result["wins"]["red"]["found"])
    assert [red["low"], red["high"]] == result["wins"]["red"]["interval"]
    manifest = fitting(json_types.StudyPlan, (tmp_path / "study.json").read_bytes())
    assert manifest == PLAN.to_json()
    costs = read_costs(tmp_path)
    assert [cost.deals for cost in costs] == [40] * 5
    assert all(cost.cpu_seconds > 0 and cost.nodes > 0 for cost in costs)
    assert (tmp_path / "result.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "result.svg").read_bytes()


@pytest.mark.parametrize("damage", ["a bit", "cut", "empty", "of another study", "gone"])
def test_damage_is_noticed_and_made_good(tmp_path: Path, damage: str) -> None:
    done(tmp_path / "study")
    before = contents(tmp_path / "study")
    name = parts_in(tmp_path / "study")[2]
    path = tmp_path / "study" / "parts" / name
    content = bytearray(path.read_bytes())
    if damage == "a bit":
        content[len(content) // 2] ^= 1
    elif damage == "cut":
        content = content[:-5]
    elif damage == "empty":
        content.clear()
    elif damage == "of another study":
        done(tmp_path / "other", plan=Plan("standard", 8, None, lengths=True, part=40))
        path.unlink()
        other = parts_in(tmp_path / "other")[2]
        path = path.with_name(other)
        content = bytearray((tmp_path / "other" / "parts" / other).read_bytes())
    path.write_bytes(content)
    if damage == "gone":
        path.unlink()
    found = done(tmp_path / "study", engine := Scrambled(1))
    assert engine.solved == [2]
    assert found == ([] if damage == "gone" else [path.name])
    assert contents(tmp_path / "study") == before


def test_what_killed_writers_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    done(tmp_path)
    before = contents(tmp_path)
    left = [
        tmp_path / "parts" / ".partial-123-part-000007-40-0123456789abcdef.parquet",
        tmp_path / ".partial-123-result.json",
        tmp_path / ".partial-123-study.json",
        tmp_path / ".probe-5",
    ]
    for path in left:
        path.write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    with (tmp_path / "costs.jsonl").open("ab") as file:
        file.write(b'{"part": 9, "dea')
    done(tmp_path, Nobody())
    assert contents(tmp_path) == {**before, "notes.txt": b"mine"}
    assert len(read_costs(tmp_path)) == 5


def test_folders_that_are_refused(tmp_path: Path) -> None:
    done(tmp_path / "study", deals=40)
    for other, said in (
        (
            Plan("joker", 7, None, lengths=True, part=40),
            r"another study \(standard, seed 7, not joker, seed 7\)",
        ),
        (Plan("standard", 8, None, lengths=True, part=40), "another study"),
        (Plan("standard", 7, None, lengths=True, part=41), r"another study \(40 deals a part, not 41\)"),
        (Plan("big3", 7, "1", lengths=True, part=40), "players of level 1"),
        (Plan("big", 7, None, lengths=False, part=40), "winners only"),
    ):
        with pytest.raises(OutputError, match=said):
            done(tmp_path / "study", plan=other)
    for content, said in (
        (b"", "is damaged"),
        (b"[1]", "is damaged"),
        (b"[" * 200_000, "is damaged"),
        (b'{"format": 1, "rules": "standard"}', "is damaged"),
        (b'{"format": 99}', "of format 99, and this program writes 1"),
    ):
        (tmp_path / "study" / "study.json").write_bytes(content)
        with pytest.raises(OutputError, match=said):
            done(tmp_path / "study")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write to"):
        done(tmp_path / "file")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "parts").write_text("")
    with pytest.raises(OutputError, match="cannot write to"):
        done(tmp_path / "odd")
    with FolderLock(tmp_path), pytest.raises(BusyError, match="another process is writing"):
        done(tmp_path)


DAMAGED_COSTS = [
    b'{"part": 0, "deals": 40, "cpu_seconds": 1e999, "nodes": 9}',
    b'{"part": 0, "deals": 40, "cpu_seconds": NaN, "nodes": 9}',
    b'{"part": 0, "deals": 0, "cpu_seconds": 0.5, "nodes": 9}',
    b'{"part": 0, "deals": -40, "cpu_seconds": 0.5, "nodes": 9}',
    b'{"part": 0, "deals": 40, "cpu_seconds": -0.5, "nodes": 9}',
    b'{"part": 0, "deals": 40, "cpu_seconds": 1e300, "nodes": 9}',
    b'{"part": 0, "deals": 40, "cpu_seconds": 0.5, "nodes": 1%s}' % (b"0" * 290),
    b'{"part": 0, "deals": true, "cpu_seconds": "0.5", "nodes": 9}',
    b'{"part": [0], "deals": 40, "cpu_seconds": 0.5, "nodes": 9}',
    b"[" * 200_000,
]


GOOD_COST = b'{"part": 1, "deals": 40, "cpu_seconds": 2000, "nodes": 80}\n'


@pytest.mark.parametrize("line", DAMAGED_COSTS)
def test_damaged_costs_are_left_out(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "costs.jsonl").write_bytes(line + b"\n")
    assert read_costs(tmp_path) == []
    (tmp_path / "costs.jsonl").write_bytes(line + b"\n" + GOOD_COST)
    assert read_costs(tmp_path) == [Cost(40, 2000, 80)]


def test_the_least_costs_are_read(tmp_path: Path) -> None:
    """A clock may not move while one deal is solved."""
    least = b'{"part": 0, "deals": 1, "cpu_seconds": 0, "nodes": 0}'
    (tmp_path / "costs.jsonl").write_bytes(least + b"\n")
    assert read_costs(tmp_path) == [Cost(1, 0, 0)]


def test_the_command_says_which_costs_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done(tmp_path, deals=40)
    again = ["study", "standard", "--seed", "7", "--deals", "40", "--out", str(tmp_path), "--estimate"]
    damaged = b"\n".join([*DAMAGED_COSTS, b""])
    (tmp_path / "costs.jsonl").write_bytes(damaged)
    assert run_here(again) == 0
    said = capsys.readouterr()
    assert said.err == "collapsi: the cost of the parts is unknown: costs.jsonl is missing or damaged\n"
    (tmp_path / "costs.jsonl").write_bytes(damaged + GOOD_COST)
    assert run_here(again) == 0
    text = capsys.readouterr().out.partition("To ")[2]
    spent = estimate(STANDARD, [Cost(40, 2000, 80)])
    days = 1_982_769 * 50 / 86_400
    assert text.startswith("solve every deal of standard one by one, estimated from 40 deals:\n")
    assert f"  a deal                    50,000.0 ms of CPU ({1000 * spent.low:,.1f} to " in text
    assert f" to {1000 * spent.high:,.1f}), 2 nodes\n" in text
    assert f"  all of them               {days:,.0f} days of one core\n" in text
    assert f"  in a day, 16 cores each   {math.ceil(days / 16)} machines\n" in text


@settings(max_examples=50)
@given(
    st.lists(
        st.binary(max_size=30)
        | st.fixed_dictionaries(
            {},
            optional={
                name: st.integers() | st.floats() | st.none() | st.text(max_size=3) | st.booleans()
                for name in ("part", "deals", "cpu_seconds", "nodes")
            },
        ).map(lambda facts: json.dumps(facts).encode()),
        max_size=6,
    )
)
def test_whatever_is_in_the_costs_an_estimate_can_be_made_of_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp()
    (path / "costs.jsonl").write_bytes(b"\n".join(lines))
    if costs := read_costs(path):
        found = estimate(STANDARD, costs)
        assert 0 <= found.low <= found.cpu_seconds <= found.high < math.inf


@given(st.binary() | st.text().map(lambda text: json.dumps({"format": 1, "rules": text}).encode()))
def test_whatever_is_in_the_manifest_it_is_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp()
    (path / "study.json").write_bytes(content)
    with pytest.raises(OutputError, match="is damaged"):
        read_plan(path, PLAN)


@pytest.mark.parametrize("file", ["study.json", "costs.jsonl", "parts"])
@pytest.mark.parametrize("kind", ["fifo", "folder", "device"])
def test_what_is_no_regular_file_in_the_folder_is_one_line(
    tmp_path: Path, file: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done(tmp_path, deals=40)
    path = tmp_path / file if file != "parts" else tmp_path / "parts" / parts_in(tmp_path)[0]
    path.unlink()
    put(path, kind)
    code = run_here(["study", "standard", "--seed", "7", "--deals", "80", "--out", str(tmp_path)])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    if file == "parts" and kind != "folder":
        assert (code, said) == (0, f"collapsi: {path.name} was damaged and has been made again\n")
    else:
        assert code == 2
        assert said.startswith("collapsi: cannot ")


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = write_atomically
    written: list[Path] = []

    def full(path: Path, content: bytes) -> None:
        if len(written) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(parts, "write_atomically", full)
        with pytest.raises(OutputError, match=f"cannot write to {tmp_path}: No space left on device"):
            done(tmp_path, Threads(1))
    assert len(parts_in(tmp_path)) == 3  # and the manifest
    done(tmp_path, engine := Scrambled(2))
    assert sorted(engine.solved) == [3, 4]


# Parts that fail


def test_a_part_that_always_fails_is_named_and_the_rest_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: Counter[int] = Counter()

    def solve(plan: Plan, part: Part, form: int) -> SolvedPart:
        tried[part.number] += 1
        if part.number == 1 or (part.number == 3 and tried[3] == 1):
            msg = "no luck\nat all"
            raise RuntimeError(msg)
        return solve_part(plan, part, form)

    with open_folder(tmp_path, PLAN) as folder, monkeypatch.context() as patch:
        patch.setattr(solving, "solve_part", solve)
        found = run(PLAN, deals=200, engine=Threads(2), folder=folder)
        narrow = run(PLAN, until=0.2, engine=Threads(2), folder=folder)
    assert [str(part) for part in found.failed] == ["part 1 (deals 40 to 79) failed: RuntimeError: no luck"]
    assert found.result.deals == 160
    assert tried[3] == 2
    assert [part[5:11] for part in parts_in(tmp_path)][:4] == ["000000", "000002", "000003", "000004"]
    assert [part.part.number for part in narrow.failed] == [1]
    with monkeypatch.context() as patch:
        patch.setattr(solving, "solve_part", solve)
        assert (
            run_here(["study", "standard", "--deals", "300", "--part", "40", "--out", str(tmp_path / "new")])
            == 1
        )
    assert not (tmp_path / "new" / "result.json").exists(), "no result of some of the deals"
    assert narrow.result.width <= 0.2
    done(tmp_path, engine := Scrambled(1))
    assert engine.solved == [1]
    with pytest.raises(ZeroDivisionError):
        run(PLAN, deals=200, engine=Threads(2), progress=lambda _: 1 // 0)  # type: ignore[arg-type]


def test_a_part_is_tried_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: Counter[int] = Counter()

    def solve(_plan: Plan, part: Part, _form: int) -> SolvedPart:
        tried[part.number] += 1
        raise RuntimeError

    monkeypatch.setattr(solving, "solve_part", solve)
    found = run(PLAN, deals=80, engine=Threads(2))
    assert [str(part) for part in found.failed] == [
        "part 0 (deals 0 to 39) failed: RuntimeError",
        "part 1 (deals 40 to 79) failed: RuntimeError",
    ]
    assert tried == {0: ATTEMPTS, 1: ATTEMPTS}


# The command


def test_the_command_prints_a_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ok(*arguments: str) -> str:
        assert run_here(list(arguments)) == 0
        return capsys.readouterr().out

    text = ok("study", "joker", "--deals", "300", "--out", str(tmp_path / "new" / "study"))
    assert text.startswith("joker: 300 random deals (seed 1), each solved exactly; shares are estimates with")
    assert f"written to {tmp_path / 'new' / 'study'}: result.json" in text
    found = sample("joker", deals=300, seed=1)
    rate = found.wins[Player.RED]
    assert f"red wins     {rate.found}  {100 * rate.share:.2f} %  {100 * rate.interval[0]:.2f} %" in text
    lines = ok("study", "joker", "--deals", "300", "--json", "--estimate", "--jobs", "1").splitlines()
    assert fitting(json_types.StudyResult, lines[0]) == found.to_json()
    assert fitting(json_types.StudyEstimate, lines[1])["measured"] == 300
    text = ok("study", "joker", "--deals", "300", "--out", str(tmp_path / "new" / "study"), "--estimate")
    assert "  all deals                 47,297,250\n  truly different deals     1,982,769\n" in text
    assert "in a day, 64 cores each   1 machine\n" in text
    assert re.search(r"  collapsi census counts them all at once: about \d\d s of CPU\n$", text)


@pytest.mark.parametrize(
    ("options", "at_work"),
    [(["--jobs", "1"], 1), (["--workers", "7"], 7), ([], None), (["--jobs", "1", "--level", "1"], 0)],
)
def test_memory_is_checked_for_each_that_solves_the_big_board(
    options: list[str], at_work: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[tuple[int, str]] = []
    at_work = cores() if at_work is None else at_work

    def stop(*_: object, **__: object) -> None:
        msg = "enough"
        raise CollapsiError(msg)

    monkeypatch.setattr(study_command, "check_memory", lambda *given: checked.append(given))
    monkeypatch.setattr(study_command, "_engine", stop)
    assert run_here(["study", "big", *options]) == 2
    wanted = (at_work * 16 * 2**20, f"big solved by {at_work} at a time")
    assert checked == ([wanted] if at_work else [])


def test_what_is_out_of_reach_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(["study", "big3", "--level", "random", "--deals", "3", "--estimate"]) == 0
    _, _, said = capsys.readouterr().out.partition("To ")
    assert said.startswith("play a game of every deal of big3 one by one, estimated from 3 deals:\n")
    assert re.search(r"  all deals +about 3\.9 × 10\^21\n", said)
    assert re.search(r"  all of them +out of reach: about \d\.\d × 10\^\d+ years of one core\n$", said)
    assert "machine" not in said
    assert max(map(len, re.findall(r"[\d,]+", said))) < 10


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def no(*arguments: str) -> str:
        """What is said of a study that is refused: a line."""
        assert run_here(["study", *arguments]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n"), said.err[:10]) == ("", 1, "collapsi: ")
        return said.err

    done(tmp_path, deals=40)
    assert "holds another study" in no("standard", "--seed", "2", "--out", str(tmp_path))
    assert "is not a width of an interval" in no("standard", "--until", "half")
    assert "is not a width of an interval" in no("standard", "--until", "0%")
    assert "choose one of --jobs" in no("shift", "--jobs", "1", "--workers", "2")
    assert "unknown rules" in no("chess")
    missing = tmp_path / "no.json"
    assert f"cannot read {missing}" in no("standard", "--cluster", str(missing))
    missing.write_text("{}")
    assert "has no address of a scheduler" in no("standard", "--cluster", str(missing))
    assert "is no address of a scheduler" in no("standard", "--cluster", "gopher://x")
    assert "no scheduler answers at tcp://127.0.0.1:1 (Connection" in no(
        "shift", "--cluster", "tcp://127.0.0.1:1"
    )
