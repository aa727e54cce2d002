"""Drills and lessons: vectorized against plain evaluation, answers against the solver, texts against both."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from collapsi import analyse, analyse_many, parse_position
from collapsi.api import lessons
from collapsi.core.errors import CollapsiError, MalformedError
from collapsi.core.players import PAIR
from collapsi.play.strategy import drills as drills_module
from collapsi.play.strategy.budget import CardKind
from collapsi.play.strategy.drills import (
    Drill,
    bundled_drills,
    cannot_fail,
    count,
    find_drills,
    make_drills,
    never_errs,
    read_drill,
    read_drills,
    write_drills,
)
from collapsi.play.strategy.rulecard import Filter, Points, RuleCard, Stage, bundled_card
from collapsi.play.strategy.samples import Split, draw_sample
from collapsi.play.strategy.vocabulary import candidates
from tests.typed import ok, refused

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi import Analysis, Position
    from collapsi.play.strategy.samples import Sample

CARD = RuleCard(
    (
        Filter("stuck", wanted=True),
        Filter("trap", wanted=False),
        Filter("taken", wanted=True),
        Points(("next",), (Stage(12, (1, 2, 3, 4)), Stage(0, (4, 3, 2, 1)))),
        Points(("landing",), (Stage(13, None), Stage(0, (1, 0, 2, 1))), ("replies",)),
    )
)
"""Every kind of line: proven ones, a filter that errs, points, points less points, points in one stage."""
LINES = range(len(CARD.lines))
TAUGHT = sorted({card for _, card, _ in lessons.TAUGHT})


@pytest.fixture(scope="module")
def sample() -> Sample:
    """Won positions with winning and losing moves, of all phases."""
    return draw_sample(Split.TRAIN, 50, np.random.default_rng(3))


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search some games at a time: a test wants few drills."""
    monkeypatch.setattr(drills_module, "GAMES", 300)


def plain(card: RuleCard, line: int, solved: Analysis[Position], *, fails: bool) -> bool:
    """What is said of drills at the top of `drills`, once more."""
    position = solved.position
    before, after = (set(card.first(lines).choose(position)) for lines in (line, line + 1))
    wins = {move.move for move in solved.moves if move.winner is position.to_move}
    if not before & wins or before <= wins:
        return False
    rule = card.lines[line]
    if fails and isinstance(rule, Filter) and (rule.word, rule.wanted) in {("stuck", True), ("trap", False)}:
        return after < before and not after <= wins
    decides = len(after) == 1 and after < before and set(card.choose(position)) == after
    return decides and (after <= wins) is not fails


def test_the_fast_reading_finds_what_the_plain_one_does(sample: Sample) -> None:
    every = analyse_many([sample.states.position(index) for index in range(len(sample))])
    for line in LINES:
        for fails in (False, True):
            fast = drills_module._indices(CARD, line, sample, fails=fails).tolist()
            slow = [index for index, solved in enumerate(every) if plain(CARD, line, solved, fails=fails)]
            assert fast == slow
            assert fast or (line == 0 and fails)  # a line that takes only winning moves cannot fail
            for index in fast[:20]:
                drill = read_drill(CARD, line, every[index])
                assert (drill.works, drill.fails) == (not fails, fails)


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("line", LINES)
def test_a_drill_is_decided_by_its_line_and_proven(line: int) -> None:
    found = find_drills(CARD, line, 6, 5)
    assert len({drill.position for drill in found}) == 6
    for drill in found:
        values = {move.move: move for move in analyse(drill.position).moves}
        assert values[drill.answer].winner is drill.position.to_move
        assert CARD.choose(drill.position) == (drill.answer,)
        left = CARD.first(line).choose(drill.position)
        assert {values[move].winner for move in left} == set(PAIR)
        assert CARD.first(line + 1).choose(drill.position) == (drill.answer,)
        assert drill.answer in left
        assert CARD.explain(drill.position).decided_by == line


@pytest.mark.usefixtures("few_games")
def test_the_same_seed_gives_the_same_drills() -> None:
    def texts(seed: int) -> list[str]:
        return [drill.position.text for drill in find_drills(CARD, 3, 9, seed)]

    assert texts(1) == texts(1) != texts(2)
    assert texts(1) == [drill.position.text for drill in find_drills(CARD, 3, 30, 1)][:9]


@pytest.mark.usefixtures("few_games")
def test_where_lines_fail() -> None:
    assert [cannot_fail(line) for line in CARD.lines] == [True, False, False, False, False]
    assert [never_errs(line) for line in CARD.lines] == [True, True, False, False, False]
    assert find_drills(CARD, 0, 3, 1, fails=True) == []
    for line in LINES[1:]:
        for drill in find_drills(CARD, line, 5, 1, fails=True, most_games=900):
            assert drill.fails
            assert not drill.works
            losing = [move for move in drill.after if move not in drill.wins]
            assert losing
            assert set(drill.before) & set(drill.wins)
            assert never_errs(CARD.lines[line]) or losing == [drill.answer]


def test_a_line_decides_nothing_among_moves_that_all_win_or_all_lose(sample: Sample) -> None:
    seen = set()
    for index in range(200):
        solved = analyse(sample.states.position(index))
        chosen = CARD.choose(solved.position)
        wins = tuple(move.move for move in solved.moves if move.wins)
        losses = tuple(move.move for move in solved.moves if not move.wins)
        if len(chosen) == 1 and wins and losses:
            alike = wins if chosen[0] in wins else losses
            drill = Drill(CARD, 4, solved, alike, chosen)
            assert (drill.decides, drill.works, drill.fails) == (False, False, False)
            drill = replace(drill, before=(*wins, *losses))
            assert (drill.decides, drill.works, drill.fails) == (True, alike == wins, alike == losses)
            seen.add(alike == wins)
    assert seen == {True, False}


def test_a_search_that_finds_nothing_ends() -> None:
    assert find_drills(RuleCard((Points(("next",), (Stage(0, None),)),)), 0, 5, 1, most_games=60) == []
    for line in (-1, len(CARD.lines)):
        with pytest.raises(MalformedError, match="lines 1 to 5"):
            find_drills(CARD, line, 1, 1)


def test_what_is_counted_is_what_the_lines_say(sample: Sample) -> None:
    for position in map(sample.states.position, range(0, len(sample), 4)):
        for move in candidates(position):
            for line in CARD.lines:
                counted = count(line, move)
                if isinstance(line, Points):
                    assert counted.total == line.points(move) == sum(number for _, number in counted.points)
                    assert counted.fits is None
                else:
                    assert counted.total is None
                    others = [each for each in candidates(position) if count(line, each).fits]
                    assert counted.fits == (move in line.left(candidates(position))) or not others


# What comes with the package


def every_kept(card: str) -> list[Drill]:
    kept = bundled_drills(card)
    return [
        read_drill(kept.card, line, analysis)
        for line, positions in enumerate(kept.drills)
        for analysis in analyse_many(positions)
    ]


@pytest.mark.parametrize("card", TAUGHT)
def test_the_kept_drills_are_for_the_kept_card_and_proven(card: str) -> None:
    kept = bundled_drills(card)
    assert kept.card == bundled_card(card)
    assert len(kept.drills) == len(kept.failures) == len(kept.card.lines)
    for line, positions in enumerate(kept.drills):
        assert len(positions) > lessons.DRILLS
        assert len(set(positions)) == len(positions)
        efforts = [kept.card.first(line + 1).effort(position) for position in positions]
        assert efforts == sorted(efforts)  # easy first
    assert all(drill.works for drill in every_kept(card))
    for line, failure in enumerate(kept.failures):
        assert failure is not None or cannot_fail(kept.card.lines[line])
        assert failure is None or read_drill(kept.card, line, failure).fails


@pytest.mark.usefixtures("few_games")
def test_drills_are_written_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "drills.json"
    made = make_drills(CARD.first(2), 2, 1)
    write_drills(path, made)
    assert read_drills(path) == made
    data = json.loads(path.read_text())
    for wrong in ("[]", "{", json.dumps({**data, "format": 9}), json.dumps({**data, "lines": []})):
        path.write_text(wrong)
        with pytest.raises(CollapsiError, match=re.escape(str(path))):
            read_drills(path)
    with pytest.raises(CollapsiError, match="cannot read"):
        read_drills(tmp_path / "none.json")
    with pytest.raises(CollapsiError, match="cannot write"):
        write_drills(tmp_path / "none" / "drills.json", made)
    write_drills(tmp_path / "pocket-drills.json", made)
    monkeypatch.setattr(drills_module, "CARDS", tmp_path)
    with pytest.raises(MalformedError, match="another card"):
        drills_module.bundled_drills.__wrapped__("pocket")


# The texts of the lessons


@pytest.mark.parametrize("card", TAUGHT)
def test_what_a_lesson_says_of_a_drill_is_true(card: str) -> None:
    for drill in every_kept(card):
        position, shown = drill.position, lessons.drill_json(1, drill)
        values = {move.name: move for move in analyse(position).moves}
        assert shown["answer"] == position.move_text(drill.answer)
        assert "Where does this rule send you?" in shown["task"]
        assert f"You are {position.to_move}." in shown["task"]
        assert f"you win in {values[shown['answer']].plies} pl" in shown["text"]
        for name in re.findall(r"[a-d][1-4]", shown["text"].partition("With")[2]):
            assert not values[name].wins
        for move in shown["moves"]:
            true = values[move["move"]]
            assert (move["wins"], move["plies"]) == (true.wins, true.plies)
            assert move["left"] == (true.move in drill.before)
            assert move["kept"] == (true.move in drill.after)
            if isinstance(drill.card.lines[drill.line], Points):
                total = sum(int(mark["text"].replace("−", "-")) for mark in move["marks"])
                assert int(move["count"].replace("−", "-")) == total
                assert f"{move['count']} point" in move["counted"]
            else:
                after = position.play(true.move)
                theirs = {each["square"] for each in move["marks"] if each["text"] != "you"}
                assert theirs in (set(), {after.move_text(reply) for reply in after.moves})
                assert not move["left"] or move["count"] == ("✓" if move["kept"] else "✗")
            right = move["move"] == shown["answer"]
            assert move["said"].startswith("Right") == right
            assert ("Try another" in move["said"]) == (move["left"] and not right)


def test_the_lesson_of_every_line() -> None:
    shown = lessons.lessons()
    lines = [(bundled_card(card), line) for _, card, line in lessons.TAUGHT]
    assert [lesson["text"] for lesson in shown["lines"]] == [card.sentences[line] for card, line in lines]
    assert [lesson["line"] for lesson in shown["lines"]] == list(range(1, len(lines) + 1))
    assert len({lesson["title"] for lesson in shown["lines"]}) == len(lines)
    for (card, number), lesson in zip(lines, shown["lines"], strict=True):
        line = card.lines[number]
        example, failure = lesson["example"], lesson["failure"]
        assert "and you win" in example["text"]
        assert ("never" in lesson["limit"]) == never_errs(line)
        if failure is None:
            assert cannot_fail(line)
        else:
            kept = [move for move in failure["moves"] if move["kept"]]
            assert any(not move["wins"] for move in kept)
            assert any(move["wins"] and move["left"] for move in failure["moves"])
        drilled = {lessons.drill(lesson["line"], seed)["position"] for seed in range(lessons.DRILLS)}
        assert len(drilled - {example["position"]}) == lessons.DRILLS
    assert lessons.drill(1, 0) == lessons.drill(1, len(bundled_drills("pocket").drills[0]) - 1)
    with pytest.raises(MalformedError, match="line"):
        lessons.drill(len(lines) + 1, 0)


def test_lessons_go_from_winning_at_once_to_the_points_card() -> None:
    """Every line of both cards is taught; looking ahead and room come before the points card."""
    taught = [(card, line) for _, card, line in lessons.TAUGHT]
    sure = [("pocket", 0), ("pocket", 1)]
    assert taught[:2] == sure
    assert taught.index(("ahead", 2)) < taught.index(("ahead", 3)) < taught.index(("points", 2))
    for name in ("pocket", "points"):
        card = bundled_card(name)
        assert card.lines[:2] == bundled_card("pocket").lines[:2]
        assert {(name, line) for line in range(2, len(card.lines))} <= set(taught)


def test_the_lessons_show_the_cards() -> None:
    cards = lessons.lessons()["cards"]
    assert [card["card"] for card in cards] == list(CardKind)
    for card in cards:
        assert tuple(card["lines"]) == bundled_card(card["card"]).sentences
    assert [card["kept"].split()[1] for card in cards] == ["62.9", "67.1", "69.3"]


def test_how_to_move_asks_what_can_be_done() -> None:
    tasks = lessons.lessons()["moving"]
    assert len(tasks) == 7
    for task in tasks:
        position = parse_position(task["position"])
        legal = {position.move_text(move) for move in position.moves}
        assert set(task["wanted"]) <= legal
        assert any(position.refusal(cell) for cell in range(16))  # there is something to get wrong
    last = parse_position(tasks[-1]["position"])
    assert len(last.moves) > 1
    assert tasks[-1]["wanted"] == [last.move_text(move) for move in last.moves if not last.play(move).moves]


# The command


def test_the_command_makes_drills(tmp_path: Path) -> None:
    lines = ok("puzzles", "--drill", "3", "--count", "4", "--seed", "7", "--json").splitlines()
    found = [json.loads(line) for line in lines]
    card = bundled_card(CardKind.POINTS)
    same = find_drills(card, 2, 4, 7)
    assert found == [json.loads(json.dumps(drill.to_json())) for drill in same]
    for data in found:
        (best,) = [move for move in data["moves"] if move["move"] == data["answer"]]
        assert best["winner"] == data["to_move"]
        assert data["rule"] == 3
        assert data["kept"] == [data["answer"]]
    text = ok("puzzles", "--drill", "3", "--count", "4", "--seed", "7", "--answers").splitlines()
    assert text == [f"{data['position']}: {data['answer']}" for data in found]
    own = tmp_path / "card.json"
    own.write_text(json.dumps(CARD.first(1).to_json()))
    out = tmp_path / "drills.json"
    assert ok("puzzles", "--drill", "all", "--count", "2", "--card", str(own), "--out", str(out)) == ""
    assert read_drills(out).card == CARD.first(1)


def test_one_line_of_drills_is_not_written(tmp_path: Path) -> None:
    assert "--out" in refused("puzzles", "--drill", "1", "--out", str(tmp_path / "drills.json"))
