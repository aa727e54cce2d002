"""Studies: the same rows however they are solved, honest intervals, and folders that survive everything."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from collapsi import analyse, json_shapes, parse_rules
from collapsi.census.different import count_by_burnside as different_classic
from collapsi.cli import run as run_here
from collapsi.dealing import nth_deal
from collapsi.errors import BusyError, CollapsiError, MalformedError, OutputError
from collapsi.files import FolderLock, write_whole
from collapsi.games import crowd_players, shifting_symmetry
from collapsi.games.crowd_notation import parse_crowd
from collapsi.intervals import Mean, Rate
from collapsi.opponent import Level
from collapsi.rules import CROWD_RULES, RULE_SETS, SHIFT, SHIFT_BOX, SHIFT_ROTATE, STANDARD, Player
from collapsi.shifting_facts.different import count_by_burnside as different_shifting
from collapsi.solve import definition
from collapsi.study import folder as folders
from collapsi.study import solving
from collapsi.study.engines import Threads
from collapsi.study.estimate import count_deals, count_symmetries, estimate
from collapsi.study.folder import open_folder, read_costs
from collapsi.study.plan import Part, Plan, make_plan, usual_part
from collapsi.study.result import Result
from collapsi.study.run import most_deals, run, sample
from collapsi.study.solving import Cost, Ending, Failed, Solved, solve_part
from tests.fitting import fitting
from tests.study_cluster import (
    cluster,
    contents,
    kill,
    kill_all,
    parts_in,
    start_study,
    wait_until,
    workers_of,
)
from tests.test_census import PUBLISHED
from tests.test_cli import ok
from tests.test_cli import run as run_command

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

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Solved | Failed | None]:
        """The parts of a handful, shuffled."""
        while handful := [part for _, part in zip(range(self.at_once), parts, strict=False)]:
            self.rng.shuffle(handful)
            for part in handful:
                self.solved.append(part.number)
                yield None
                yield solve_part(plan, part)


class Nobody:
    """An engine that must not be asked for anything."""

    def work(self, plan: Plan, parts: Iterator[Part]) -> Iterator[Solved | Failed | None]:  # noqa: ARG002 - an engine's
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
    count = 4 if rules == "shift" else 20
    found = solve_part(plan, Part(2, 100, 100 + count))
    agreed = parse_rules(rules)
    assert [position for position, _ in found.rows] == [
        nth_deal(3, 100 + n, agreed).text for n in range(count)
    ]
    for position, ending in found.rows:
        analysis = analyse(position)
        assert ending == (analysis.winner, analysis.plies, None)
    assert found.cost.deals == count
    assert found.cost.nodes > count
    assert found.cost.cpu_seconds > 0


@pytest.mark.parametrize("lengths", [True, False])
def test_the_big_board_for_two_is_solved(lengths: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Endgames in place of deals, which take seconds; the judge says how they end."""
    states = [
        parse_crowd(text)
        for text in (
            "..A.../..3.../..A.../.2rA.../..2b.../...... r big",
            "....../.2r.3../.AA.../.3b4.../..3.../...... r big",
        )
    ]
    monkeypatch.setattr(solving, "nth_deal", lambda _seed, number, _rules: states[number])
    found = solve_part(make_plan("big", lengths=lengths), Part(0, 0, 2))
    for state, (_, ending) in zip(states, found.rows, strict=True):
        red, blue = definition.points(state)
        assert ending.winner is (Player.RED if red > blue else Player.BLUE)
        assert ending.plies == (state.cards_left - max(red, blue) if lengths else None)


@pytest.mark.parametrize("rules", ["big3", "five3"])
def test_players_stand_in_where_nobody_knows_perfect_play(rules: str) -> None:
    plan = make_plan(rules, seed=5, level=Level.ONE)
    for number, (position, ending) in enumerate(solve_part(plan, Part(0, 0, 4)).rows):
        state = nth_deal(5, number, CROWD_RULES[rules])
        assert position == state.text
        rng, plies = random.Random(f"5 {number} play"), 0
        while not state.over:
            state = state.play(crowd_players.choose(state, Level.ONE, rng).move)
            plies += 1
        assert ending == (state.to_move, plies, state.out[0])
    assert make_plan(rules).level == "2"


def test_a_deal_depends_on_seed_and_number_only() -> None:
    texts = [nth_deal(4, number).text for number in range(30)]
    assert len({*texts, nth_deal(5, 0).text}) == 31
    assert [nth_deal(4, number).text for number in reversed(range(30))] == texts[::-1]
    assert nth_deal(4, 3, SHIFT_BOX).cards == nth_deal(4, 3, SHIFT).cards


def test_what_there_is_no_study_of() -> None:
    with pytest.raises(MalformedError, match="unknown rules"):
        make_plan("chess")
    with pytest.raises(CollapsiError, match="standard is solved exactly"):
        make_plan("standard", level=Level.TWO)
    with pytest.raises(CollapsiError, match="leave the level out"):
        make_plan("big", level=Level.PERFECT)
    with pytest.raises(MalformedError, match="nobody knows perfect play"):
        make_plan("big4", level=Level.PERFECT)
    with pytest.raises(CollapsiError, match="another version of collapsi"):
        solve_part(PLAN, Part(0, 0, 1), form=0)
    with pytest.raises(ValueError, match="a number of deals"):
        run(PLAN, engine=Nobody())


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), *CROWD_RULES.values()])
def test_parts_are_of_round_sizes(rules: Any) -> None:
    assert str(usual_part(rules)).rstrip("0") in ("1", "2", "5")
    for level in (Level.RANDOM, Level.TWO, Level.FOUR):
        assert str(usual_part(rules, level)).rstrip("0") in ("1", "2", "5")


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
    before = run(PLAN, deals=results[0].deals - PLAN.part, engine=Threads()).result
    assert before.width > 0.1
    assert run(PLAN, until=0.1, deals=90, engine=Threads()).result.deals == 90


@pytest.mark.parametrize("width", [0.3, 0.1, 0.02])
def test_so_many_deals_are_enough_whatever_the_share(width: float) -> None:
    deals = most_deals(width)
    assert max(Rate(found, deals).width for found in range(deals + 1)) <= width


def test_progress_tells_parts_interval_rate_and_time() -> None:
    told: list[Any] = []
    run(PLAN, deals=200, engine=Threads(1), told=told.append)
    assert (told[0].parts, told[0].of, told[0].seconds_left) == (0, 5, None)
    assert (told[-1].parts, told[-1].result.deals, told[-1].seconds_left) == (5, 200, 0)
    assert str(told[-1]).startswith("5 of 5 parts, 200 deals, red ")
    assert str(told[-1]).endswith("deals a second, 0 s left")
    assert str(told[0]) == "0 of 5 parts, 0 deals"


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


@pytest.mark.parametrize("exact", [PUBLISHED, JOKER])
@pytest.mark.parametrize("deals", [100, 1000])
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


def test_intervals_of_real_studies_are_honest() -> None:
    share = sum(deals for plies, deals in PUBLISHED.items() if plies % 2) / sum(PUBLISHED.values())
    covered = 0
    for seed in range(60):
        low, high = sample("standard", deals=100, seed=seed, jobs=1).wins[Player.RED].interval
        covered += low <= share <= high
    assert 53 <= covered <= 60  # 57 and two and a half standard deviations


def test_a_mean_of_equal_values_is_sure() -> None:
    assert Mean.of({11: 5}) == Mean(11.0, 11.0, 11.0)
    assert Mean.of({11: 1}) == Mean(11.0, 11.0, 11.0)


# What all deals would take


def test_the_estimate_of_all_deals() -> None:
    """Deals over symmetries is a little less than Burnside's count, as few deals have a symmetry."""
    for rules, exact in (
        (STANDARD, different_classic()),
        *(
            (rules, different_shifting(shifting_symmetry.symmetries(rules)))
            for rules in (SHIFT, SHIFT_ROTATE)
        ),
    ):
        about = -(-count_deals(rules) // count_symmetries(rules))
        assert exact * 0.99 < about <= exact
    assert count_deals(CROWD_RULES["big3"]) == 140_751_507_618_966_764_520_000

    costs = [Cost(10, 0.5, 1000), Cost(10, 0.7, 3000), Cost(5, 0.3, 500)]
    found = estimate(SHIFT, costs)
    assert (found.measured, found.cpu_seconds, found.nodes) == (25, 0.06, 180)
    assert found.low < 0.06 < found.high
    assert found.core_days == pytest.approx(56_756_700 * 0.06 / 86_400)
    assert (found.machines(16), found.machines(64)) == (3, 1)
    assert fitting(json_shapes.StudyEstimate, found.to_json())["deals"] == 454_053_600
    alone = estimate(SHIFT, costs[:1])
    assert alone.low == alone.cpu_seconds == alone.high


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
    result = fitting(json_shapes.StudyResult, (tmp_path / "one" / "result.json").read_bytes())
    assert result == sample("standard", deals=130, seed=7).to_json()


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
    manifest = fitting(json_shapes.StudyPlan, (tmp_path / "study.json").read_bytes())
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


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = write_whole
    written: list[Path] = []

    def full(path: Path, content: bytes) -> None:
        if len(written) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(folders, "write_whole", full)
        with pytest.raises(OutputError, match=f"cannot write to {tmp_path}: No space left on device"):
            done(tmp_path, Threads(1))
    assert len(parts_in(tmp_path)) == 3  # and the manifest
    done(tmp_path, engine := Scrambled(2))
    assert sorted(engine.solved) == [3, 4]


TOO_LARGE = """
import resource, sys
from collapsi.cli import run
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
sys.exit(run(["study", "standard", "--deals", "500", "--out", sys.argv[1]]))
"""


def test_a_real_file_that_cannot_grow_is_one_clear_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOO_LARGE, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"collapsi: cannot write to {tmp_path}: File too large; "
        "what is done is kept, and the same command goes on from there\n"
    )
    assert parts_in(tmp_path) == []


# Parts that fail


def test_a_part_that_always_fails_is_named_and_the_rest_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: Counter[int] = Counter()

    def solve(plan: Plan, part: Part, form: int) -> Solved:
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
    assert narrow.result.width <= 0.2
    done(tmp_path, engine := Scrambled(1))
    assert engine.solved == [1]
    with pytest.raises(ZeroDivisionError):
        run(PLAN, deals=200, engine=Threads(2), told=lambda _: 1 // 0)  # type: ignore[arg-type]


# The command


def test_the_command_prints_a_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ok(*arguments: str) -> str:
        assert run_here(list(arguments)) == 0
        return capsys.readouterr().out

    text = ok("study", "joker", "--deals", "300", "--out", str(tmp_path / "new" / "study"))
    assert text.startswith("joker: 300 random deals (seed 1), each solved exactly; shares are estimates with")
    assert f"kept in {tmp_path / 'new' / 'study'}: result.json" in text
    found = sample("joker", deals=300, seed=1)
    rate = found.wins[Player.RED]
    assert f"red wins     {rate.found}  {100 * rate.share:.2f} %  {100 * rate.interval[0]:.2f} %" in text
    lines = ok("study", "joker", "--deals", "300", "--json", "--estimate", "--jobs", "1").splitlines()
    assert fitting(json_shapes.StudyResult, lines[0]) == found.to_json()
    assert fitting(json_shapes.StudyEstimate, lines[1])["measured"] == 300
    text = ok("study", "joker", "--deals", "300", "--out", str(tmp_path / "new" / "study"), "--estimate")
    assert "  all deals                 756,756,000\n" in text
    assert "in a day, 64 cores each   1 machine\n" in text


def test_what_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def no(*arguments: str) -> str:
        """What is said of a study that is refused: a line."""
        assert run_here(["study", *arguments]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n"), said.err[:10]) == ("", 1, "collapsi: ")
        return said.err

    done(tmp_path, deals=40)
    assert "holds another study" in no("standard", "--seed", "2", "--out", str(tmp_path))
    assert "is no width of an interval" in no("standard", "--until", "half")
    assert "is no width of an interval" in no("standard", "--until", "0%")
    assert "choose one of --jobs" in no("shift", "--jobs", "1", "--workers", "2")
    assert "unknown rules" in no("chess")
    missing = tmp_path / "no.json"
    assert f"cannot read {missing}" in no("standard", "--cluster", str(missing))
    missing.write_text("{}")
    assert "does not say where a scheduler is" in no("standard", "--cluster", str(missing))
    assert "is no address of a scheduler" in no("standard", "--cluster", "gopher://x")
    assert "no scheduler answers at tcp://127.0.0.1:1 (Connection" in no(
        "shift", "--cluster", "tcp://127.0.0.1:1"
    )


@pytest.mark.parametrize("library", ["polars", "distributed"])
def test_without_the_extras_a_line_says_what_installs_them(tmp_path: Path, library: str) -> None:
    code = f"""
import sys
sys.modules[{library!r}] = None
from collapsi.cli import run
sys.exit(run(["study", "standard", "--deals", "20", *sys.argv[1:]]))
"""
    options = ["--workers", "1"] if library == "distributed" else ["--out", str(tmp_path)]
    command = [sys.executable, "-c", code]
    failed = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert failed.returncode == 2
    assert (
        failed.stderr == f'collapsi: {library} is not installed: pip install "collapsi[cluster]" brings it\n'
    )
    if library == "polars":
        subprocess.run(command, capture_output=True, check=True)  # no folder, no workers: nothing is needed


# Workers that are processes of their own


BUSY = ("standard", "--seed", "3", "--deals", "3000", "--part", "50")
"""A study of many small parts."""


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What is in its folder when nothing disturbs it, done by threads."""
    path = tmp_path_factory.mktemp("undisturbed")
    ok("study", *BUSY, "--out", str(path))
    return contents(path)


def test_local_workers_are_killed_and_then_the_command(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    rng = random.Random(1)
    study = start_study(*BUSY, "--out", str(tmp_path), "--workers", "2")
    try:
        wait_until(lambda: len(parts_in(tmp_path)) >= 3 or study.poll() is not None)
        workers = workers_of(study)
        assert len(workers) == 2
        os.kill(rng.choice(workers), 9)
        before = len(parts_in(tmp_path))
        wait_until(lambda: len(parts_in(tmp_path)) >= before + 5 or study.poll() is not None)
        kill(study)
    finally:
        kill_all(study)
    assert len(parts_in(tmp_path)) < 60
    ok("study", *BUSY, "--out", str(tmp_path))
    assert contents(tmp_path) == undisturbed


def test_a_scheduler_is_killed(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    out = tmp_path / "study"
    with cluster(tmp_path, workers=1) as found:
        study = start_study(*BUSY, "--out", str(out), "--cluster", str(found.file))
        try:
            wait_until(lambda: len(parts_in(out)) >= 3 or study.poll() is not None)
            found.kill_scheduler()
            said = study.communicate()[1].decode()
        finally:
            kill_all(study)
    assert study.returncode == 2
    assert said.startswith("collapsi: the scheduler at tcp://127.0.0.1:")
    assert said.endswith(
        "does not answer any more; what is done is kept, and the same command goes on from there\n"
    )
    assert 3 <= len(parts_in(out)) < 60
    ok("study", *BUSY, "--out", str(out))
    assert contents(out) == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_kills_at_random_moments(tmp_path: Path, undisturbed: dict[str, bytes], seed: int) -> None:
    """Workers, the scheduler and the command, ten in each of two runs; a laptop has its turn in between."""
    rng = random.Random(seed)
    out = tmp_path / "study"
    kinds = ["worker", "worker", "worker", "worker", "scheduler", "scheduler", *["command"] * 4]
    rng.shuffle(kinds)
    with cluster(tmp_path) as found:
        command = ("--out", str(out), "--cluster", str(found.file))
        study = start_study(*BUSY, *command)
        try:
            for kind in kinds:
                before, more = len(parts_in(out)), rng.randrange(4)
                wait_until(lambda: len(parts_in(out)) >= before + more or study.poll() is not None)  # noqa: B023 - asked now
                time.sleep(rng.random())
                assert study.poll() is None, "the study is too small"
                if kind == "worker":
                    found.kill_worker(rng)
                    continue
                if kind == "scheduler":
                    found.kill_scheduler()
                    said = study.communicate()[1].decode()
                    assert study.returncode == 2
                    assert "Traceback" not in said
                    # It may have been killed before it was found.
                    assert re.search("scheduler at .* does not answer|no scheduler answers at", said)
                    found.restart()
                else:
                    kill_all(study)
                if rng.random() < 0.3:  # finished by a laptop, in part
                    laptop = start_study(*BUSY, "--out", str(out), "--jobs", "1")
                    before = len(parts_in(out))
                    wait_until(lambda: len(parts_in(out)) > before or laptop.poll() is not None)  # noqa: B023 - asked now
                    kill_all(laptop)
                study = start_study(*BUSY, *command)
            assert study.wait(900) == 0
        finally:
            kill_all(study)
    assert contents(out) == undisturbed


@pytest.mark.slow
def test_parts_that_kill_every_worker_or_fail_there_are_named(tmp_path: Path) -> None:
    preload = tmp_path / "deadly.py"
    preload.write_text(
        """
import os
from collapsi.study import solving
if not hasattr(solving, "solve"):  # it is loaded twice
    solving.solve = solving._rows
def rows(plan, part, nodes):
    if part.number == 2:
        os._exit(1)
    if part.number == 4:
        return rows(plan, part, nodes)  # without end
    return solving.solve(plan, part, nodes)
solving._rows = rows
"""
    )
    out = tmp_path / "study"
    with cluster(tmp_path, 6, "--preload", str(preload)) as found:
        done = run_command(
            *("study", "standard", "--deals", "500", "--part", "50", "--out", str(out)),
            *("--cluster", str(found.file)),
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "collapsi: part 2 (deals 100 to 149) failed: every worker that was at it died",
        "collapsi: part 4 (deals 200 to 249) failed: RecursionError: maximum recursion depth exceeded",
    ]
    assert "not complete: 100 deals of 2 parts missing" in done.stdout.decode()
    assert len(parts_in(out)) == 8
    assert not (out / "result.json").exists()
