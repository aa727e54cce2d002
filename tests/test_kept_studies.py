"""Results of long studies that are kept as data: consistent, reproducible, and updated from folders."""

from __future__ import annotations

import re
import shlex
from datetime import date
from typing import TYPE_CHECKING

import pytest

from collapsi import analyse, parse_rules
from collapsi.games.levels import Level
from collapsi.games.registry import kind_of
from collapsi.play.dealing import nth_deal
from collapsi.report.skill import DECKS, LEVELS, RULES, share_text
from collapsi.study import kept, sample
from collapsi.study.kept import kept_differences, kept_nodes, kept_studies, kept_study, update
from tests.test_census import PUBLISHED
from tests.test_docs import DOCS
from tests.test_study import JOKER
from tests.typed import ok

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi.study.kept import KeptDifference, KeptNodes, KeptStudy

CLASSIC = [rules for rules in dict.fromkeys((*RULES, *DECKS)) if rules != "shift"]


def test_every_row_adds_up_and_has_its_date_and_command() -> None:
    for study in kept_studies():
        assert len(study.wins) == len(parse_rules(study.rules).seats)
        assert sum(study.wins) == study.deals
        words = shlex.split(study.command)
        if not study.exact:
            assert words[:3] == ["collapsi", "study", study.rules]
            assert words[words.index("--deals") + 1] == str(study.deals)
            level = words[words.index("--level") + 1] if "--level" in words else "perfect"
            assert study.level == level
    rows: list[KeptStudy | KeptDifference | KeptNodes] = [
        *kept_studies(),
        *kept_differences(),
        *kept_nodes(),
    ]
    for row in rows:
        assert date.fromisoformat(row.date) >= date(2026, 11, 18)
        assert row.command.startswith("collapsi ")
    assert len({(study.rules, study.level) for study in kept_studies()}) == len(kept_studies())


@pytest.mark.parametrize("rules", CLASSIC)
def test_every_level_of_the_classic_games_is_known_to_one_point(rules: str) -> None:
    for level in set(LEVELS) - {Level.PERFECT}:
        found = kept_study(rules, level)
        assert found is not None, level
        assert found.red.width <= 0.02
    perfect = kept_study(rules)
    assert perfect is not None
    assert perfect.exact


def test_perfect_play_is_that_of_the_census() -> None:
    for rules, lengths in (("standard", PUBLISHED), ("joker", JOKER), ("choice", JOKER)):
        found = kept_study(rules)
        assert found is not None
        assert found.wins[0] == sum(deals for plies, deals in lengths.items() if plies % 2)


def replay(rules: str, level: str) -> None:
    """Run the command of a row again."""
    found = kept_study(rules, level)
    assert found is not None
    seed = re.search(r"--seed (\d+)", found.command)
    assert seed is not None
    again = sample(rules, deals=found.deals, seed=int(seed[1]), level=Level(level))
    assert tuple(rate.found for rate in again.wins.values()) == found.wins


def test_a_row_is_what_its_command_gives() -> None:
    """The level card: if its card changes, the studies must run again."""
    replay("standard", "card")


@pytest.mark.slow
@pytest.mark.parametrize("rules", CLASSIC)
def test_rows_are_what_their_commands_give(rules: str) -> None:
    for level in set(LEVELS) - {Level.PERFECT}:
        replay(rules, level)


def test_rows_are_updated_from_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_studies()
    for name in ("STUDIES", "READINGS"):
        copy = tmp_path / f"{name}.csv"
        copy.write_bytes(getattr(kept, name).read_bytes())
        monkeypatch.setattr(update, name, copy)
        monkeypatch.setattr(kept, name, copy)
    studies = {"shift-box": 5, "shift": 3}
    for rules, deals in studies.items():
        ok(
            "study",
            rules,
            "--deals",
            f"{deals}",
            "--seed",
            "3",
            "--part",
            "2",
            "--out",
            f"{tmp_path / rules}",
        )
    (last,) = (tmp_path / "shift-box" / "parts").glob("part-000002-*")
    last.unlink()  # as if the study had been stopped
    kept_studies.cache_clear()
    kept_differences.cache_clear()
    try:
        update.main([str(tmp_path / rules) for rules in studies])
        box, line = kept_study("shift-box"), kept_study("shift")
        (compared,) = (row for row in kept_differences() if {row.first, row.second} == {*studies})
        others = [study for study in kept_studies() if study not in (box, line)]
    finally:
        kept_studies.cache_clear()
        kept_differences.cache_clear()
    assert box is not None
    assert box.command == "collapsi study shift-box --deals 4 --seed 3"
    assert line is not None
    assert line.deals == 3
    answers = [[analyse(nth_deal(3, number, parse_rules(rules))) for number in range(3)] for rules in studies]
    winners = [[answer.winner for answer in found] for found in answers]
    plies = [[answer.plies for answer in found] for found in answers]
    assert line.wins == tuple(winners[1].count(seat) for seat in parse_rules("shift").seats)
    assert compared.winner.cases == 3
    assert compared.winner.found == sum(map(lambda a, b: a is not b, *winners))
    assert compared.length.found == sum(map(lambda a, b: a != b, *plies))
    assert [study for study in before if study.rules in CLASSIC] == [
        study for study in others if study.rules in CLASSIC
    ]


def test_the_manual_shows_the_kept_shares() -> None:
    """The table of shares by level is the kept data, cell by cell."""
    text = (DOCS / "findings.md").read_text(encoding="utf-8")
    names = list(dict.fromkeys((*RULES, *DECKS)))
    head = [name.replace("|", "\\|").removeprefix("standard@") for name in names]
    shares = [[share_text(kept_study(name, level)) or "–" for name in names] for level in LEVELS]
    rows = [["level", *head], *([level, *row] for level, row in zip(LEVELS, shares, strict=True))]
    first, *others = (f"| {' | '.join(row)} |" for row in rows)
    assert "\n".join([first, f"|{'---|' * len(rows[0])}", *others]) in text


def test_more_nodes_are_measured_at_the_same_table() -> None:
    for rules in {row.rules for row in kept_nodes()}:
        rows = [row for row in kept_nodes() if row.rules == rules]
        assert kind_of(parse_rules(rules)).name == "big"
        assert [row.nodes for row in rows] == sorted(row.nodes for row in rows)
        assert all(f"--nodes {row.nodes} --games {row.won.cases}" in row.command for row in rows)
        assert all(row.points_low < row.points < row.points_high for row in rows)
    text = (DOCS / "findings.md").read_text(encoding="utf-8")
    three, four = ([row for row in kept_nodes() if row.rules == rules] for rules in ("big3", "big4"))
    shown = [f"| {row.nodes:,} | {row.won} | {other.won} |" for row, other in zip(three, four, strict=True)]
    assert "\n".join(shown) in text
