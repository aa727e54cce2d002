"""The report: its page, charts and tables, made from the census of a small deck.

The report of the official deck is compared with the published figures in `tests/test_census.py`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape, unescape
from itertools import product
from typing import TYPE_CHECKING

import polars as pl
import pytest

from collapsi import STANDARD, analyse
from collapsi.census.atlas import frame_of
from collapsi.census.fairness import OpeningRule, compare_opening_rules
from collapsi.census.games import count_all_games
from collapsi.census.lab.facts import find_facts as find_facts_of_decks
from collapsi.census.lengths import take_census
from collapsi.core.errors import OutputError
from collapsi.core.intervals import Rate
from collapsi.draw.svg import draw_position
from collapsi.games.classic.made_up import classic_rules
from collapsi.play.strategy.budget import CardKind
from collapsi.play.strategy.rulecard import bundled_card, bundled_record
from collapsi.play.strategy.vocabulary import WORD
from collapsi.report.figures import FIGURES
from collapsi.report.findings import Findings, solo_commands, solo_decks
from collapsi.report.page import file_names, write_report
from collapsi.report.shifting_tables import standard_apart
from collapsi.report.strategy_tables import find_strategy
from collapsi.report.style import error_bars
from tests.test_big_facts import facts_by_hand as big_facts_by_hand
from tests.test_shifting_facts import facts_by_hand as shifting_facts_by_hand
from tests.typed import ok, refused, run

if TYPE_CHECKING:
    from pathlib import Path

DECK = (11, 1, 1, 1)
NAMES = ("standard@11,1,1,1", "joker@11,1,1,1")


def opening_rules() -> list[OpeningRule]:
    """Compare nine opening rules of one deck, by 16 names; `tests/test_census.py` compares all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collapsi.census.fairness.STEP_SETS", ((1,), (3,), (1, 3), (1, 2, 3, 4)))
        return compare_opening_rules(DECK)


@pytest.fixture(scope="module")
def findings() -> Findings:
    """All that a report shows, of a deck with 32,760 deals; the laboratory takes it for the official one."""
    standard, joker = (take_census(classic_rules(name)) for name in NAMES)
    frame = frame_of(standard, count_all_games(standard.rules))
    decks = find_facts_of_decks(STANDARD, (DECK, (13, 0, 0, 1)))
    named = (STANDARD, classic_rules("standard@5,4,3,2"))
    return Findings(
        frame,
        frame_of(joker),
        opening_rules(),
        find_strategy(20, 2, 1),
        shifting_facts_by_hand(standard_apart(frame)),
        big_facts_by_hand(),
        [replace(facts, rules=rules) for facts, rules in zip(decks, named, strict=True)],
    )


@pytest.fixture(scope="module")
def report(findings: Findings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collapsi.report.findings.SOLO_SAMPLE", 10)
        return write_report(tmp_path_factory.mktemp("report"), findings)


def test_opening_rules_of_a_deck(findings: Findings) -> None:
    assert len(findings.fairness) == 9
    assert {rule.red_sets for rule in findings.fairness} == {((1,),), ((3,), (1, 3)), ((1, 2, 3, 4),)}
    for name in (*NAMES, "1,3|1@11,1,1,1", "1|3@11,1,1,1"):
        found = take_census(classic_rules(name))
        (rule,) = (rule for rule in findings.fairness if rule.is_for(found.rules))
        assert (rule.deals, rule.red_wins) == (found.deals, found.red_wins)
        (facts,) = find_facts_of_decks(classic_rules(name.partition("@")[0]), (DECK,))
        assert (rule.first_move_decides, rule.one_line) == (facts.first_move_decides, facts.one_line)
        assert rule.mean_plies == pytest.approx(sum(p * n for p, n in found.lengths.items()) / found.deals)
    unfairness = [rule.unfairness for rule in findings.fairness]
    assert unfairness == sorted(unfairness)


def test_the_page_names_its_sources_and_commands(findings: Findings, report: Path) -> None:
    html = report.read_text(encoding="utf-8")
    assert html.count("<h2>") == 15
    for piece in (
        "Mark S. Ball",
        "arxiv.org/abs/2507.16823",
        "collapsi census --openings",
        "collapsi lab",
        findings.shifting.command,
        findings.big.command,
        findings.strategy.study_command,
        findings.strategy.ladder_command,
        findings.strategy.won_back_command,
        *(bundled_record(kind)["command"] for kind in CardKind),
    ):
        assert piece in html
    for kind in CardKind:
        assert escape(" ".join(bundled_card(kind).sentences)) in html
    card = findings.strategy.study.card
    assert all(line.text in html for line in card.filters)
    assert all(WORD[word].phrase in html for line in card.points for word in line.words)


def test_examples_are_played_out_board_by_board(findings: Findings, report: Path) -> None:
    html = report.read_text(encoding="utf-8")
    for deal in findings.examples()["deal"]:
        solved = analyse(deal)
        game = solved.line_of_play
        boards = [f"{draw_position(game.positions[0])}<figcaption>the deal</figcaption>"]
        for number, (before, square) in enumerate(zip(game.positions, solved.line, strict=False)):
            drawn = draw_position(before.play(square), path=before.path(square))
            boards.append(f"{drawn}<figcaption>{number + 1}. {before.to_move} to {square}</figcaption>")
        assert "".join(f"<figure>{board}</figure>" for board in boards) in html


def test_error_bars_end_where_the_interval_does() -> None:
    for rate in (Rate(30, 100), Rate(100, 100), Rate(30, 100, is_sample=False)):
        ((below,), (above,)) = error_bars([rate])
        low, high = rate.interval
        assert 100 * rate.share - below == pytest.approx(100 * low)
        assert 100 * rate.share + above == pytest.approx(100 * high)


def test_every_table_of_the_page_has_a_command(report: Path) -> None:
    """Before the next heading; the tables of the card to print have none."""
    html = re.sub(
        r'<section class="rules">.*?</section>', "", report.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    tables = re.findall(r"<table>.*?</table>(.*?)(?=<h[23]>|<footer>|$)", html, re.DOTALL)
    assert len(tables) > 15
    for after in tables:
        assert 'class="command">' in after, after[:200]


def test_the_commands_of_the_solo_game_give_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collapsi.report.findings.SOLO_SAMPLE", 5)
    rows = {row["deck"]: row for row in solo_decks.__wrapped__().iter_rows(named=True)}
    loop = re.compile(r"for deck in (.*?); do for exit in (.*?); do collapsi (.*?); done; done")
    loops = [loop.fullmatch(command) for command in solo_commands()]
    runs = [(found[1].split(), found[2].split(), found[3]) for found in loops if found]
    assert [deck for decks, _, _ in runs for deck in decks] == list(rows)
    for decks, exits, command in runs:
        for deck, reading in product(decks[:2], exits):
            arguments = command.replace("$deck", deck).replace("$exit", reading).split()
            found = json.loads(ok(*arguments, "--json"))
            share = 100 * found["solvable"] / found["layouts"]
            assert rows[deck][f"{reading}_percent"] == pytest.approx(share, abs=0.05)


def test_the_page_loads_nothing(report: Path) -> None:
    html = report.read_text(encoding="utf-8")
    links = re.findall(r"""(?:src|href)=["'](?!#|data:)([^"']+)""", html)
    assert {link.split("/")[2] for link in links} == {"riffleshuffleandroll.itch.io", "youtu.be", "arxiv.org"}
    assert "<script" not in html


def test_the_laboratory_has_a_row_for_each_deck(findings: Findings, report: Path) -> None:
    chapter = report.read_text(encoding="utf-8").partition("The rule laboratory")[2].partition("<h2>")[0]
    assert f"{100 * findings.decks[1].red_share:.2f}" in chapter
    assert chapter.count("4,4,4,2 (official)") == 3
    assert "collapsi lab --cards 1; collapsi census --openings" in chapter
    rows = chapter.count("<tr><td>")
    assert chapter.count("<td>exact</td>") == rows == 3 * len(findings.decks) + 2


def test_files_and_tables(findings: Findings, report: Path) -> None:
    assert {path.name for path in report.parent.iterdir()} >= set(file_names())
    lengths = pl.read_csv(report.parent / "lengths.csv")
    counted = dict(findings.standard.group_by("plies").agg(pl.col("weight").cast(int).sum()).iter_rows())
    shown = dict(zip(lengths["plies"], lengths["standard_deals"], strict=True))
    assert {plies: deals for plies, deals in shown.items() if deals} == counted


def test_the_queries_of_the_page_give_its_figures(findings: Findings, report: Path) -> None:
    chapter = report.read_text(encoding="utf-8").partition("Four distances")[2].partition("<h2>")[0]
    shown = findings.distances()
    queries = [
        (name, unescape(query))
        for name, query in re.findall(r"collapsi atlas sql --atlas (\w+) &quot;(.*?)&quot;</div>", chapter)
    ]
    assert [name for name, _ in queries] == ["standard", "joker"]
    for (name, query), frame in zip(queries, (findings.standard, findings.joker), strict=True):
        found = pl.SQLContext(deals=frame, eager=True).execute(query).cast(pl.Float64)
        for column in ("deals", "red_percent", "mean_plies"):
            assert found[column].to_list() == pytest.approx(shown[f"{name}_{column}"].to_list(), rel=1e-6)


def test_aces_and_guesses_add_up(findings: Findings) -> None:
    aces, total = findings.aces(), int(findings.standard["weight"].cast(int).sum())
    share = 100 * findings.red_share(findings.standard)
    assert aces["deals"].sum() == total
    assert (aces["deals"] * aces["red_percent"]).sum() / total == pytest.approx(share)
    by_red = findings.neighbours().filter(jack="red", card="A")
    by_number = aces.group_by("next_to_red").agg(pl.col("deals").sum()).sort("next_to_red")
    assert by_number["deals"].to_list() == by_red["deals"].to_list()
    guesses = findings.guesses()["right_percent"].to_list()
    assert guesses[0] == pytest.approx(max(share, 100 - share))
    assert guesses == sorted(guesses), "who counts more does not guess worse"
    best = aces.select(deals=pl.col("deals") * pl.max_horizontal("red_percent", 100 - pl.col("red_percent")))
    assert guesses[2] == pytest.approx(best["deals"].sum() / total)
    assert (
        findings.games()["games"][0]
        == findings.standard.select(pl.col("games") * pl.col("weight")).sum().item()
    )


def test_only_files_of_a_report_are_replaced(
    findings: Findings, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And these are the same bytes every time; one chart stands for all here."""
    with pytest.raises(OutputError, match="add --force"):
        write_report(report.parent, findings)
    name, figure = next(iter(FIGURES.items()))
    monkeypatch.setattr("collapsi.report.page.FIGURES", {name: figure})
    monkeypatch.setattr("collapsi.report.page.page", lambda *_: "page")
    folder = tmp_path / "report"
    first = write_report(folder, findings)
    chart = f"{name}.svg"
    assert (folder / chart).read_bytes() == (report.parent / chart).read_bytes()
    (folder / "precious.txt").write_text("keep", encoding="utf-8")
    first.write_text("changed", encoding="utf-8")
    write_report(folder, findings, force=True)
    assert first.read_text(encoding="utf-8") == "page"
    assert (folder / "precious.txt").read_text(encoding="utf-8") == "keep"
    assert {path.name for path in folder.iterdir()} == {*file_names(), "precious.txt"}


def test_a_report_logs_a_line_for_each_step_where_no_bar_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for long_work in (
        "collapsi.cli.census.census_by_layers",
        "collapsi.cli.census.possible_games",
        "collapsi.census.atlas.frame_of",
        "collapsi.report.shifting_tables.standard_apart",
        "collapsi.cli.facts.shifting_facts",
        "collapsi.cli.facts.big_facts",
        "collapsi.cli.lab.facts_of",
        "collapsi.cli.census.opening_rules_compared",
        "collapsi.report.strategy_tables.find_strategy",
    ):
        monkeypatch.setattr(long_work, lambda *_, **__: None)
    monkeypatch.setattr("collapsi.report.page.write_report", lambda out, *_, **__: out / "index.html")
    done = run("report", "--out", str(tmp_path))
    assert done.returncode == 0
    first, *lines = [line for line in done.stderr.decode().splitlines() if "compiling" not in line]
    assert re.fullmatch(r"collapsi: the report takes about \d+ minutes of CPU time, in 8 steps", first)
    assert all(re.search(r", about (\d+ minutes|a minute|seconds) of CPU time$", line) for line in lines)
    assert [re.match(r"collapsi: step (\d) of (\d): \w", line).groups() for line in lines] == [  # type: ignore[union-attr]
        (str(number), "8") for number in range(1, 9)
    ]


def test_a_report_touches_nothing_but_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("keep", encoding="utf-8")
    assert "add --force" in refused("report", "--out", str(tmp_path))
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "keep"
    assert "cannot write to" in refused("report", "--out", str(tmp_path / "index.html" / "below"))
