"""Which rule sets the commands support: help texts, completion and refusals say what the commands do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from collapsi import CollapsiError, cli
from collapsi.cli.rule_sets import ALSO, NEEDS, complete_rules, rules_help, supported
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.registry import rule_sets
from collapsi.play.strategy.samples import Split, deals_of
from tests.rule_sets import FOR_TWO
from tests.test_cli import every_command
from tests.typed import refused, run

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDGAMES = {
    **dict.fromkeys(FOR_TWO, "..../.2r../.Ab../.2.. r"),
    **dict.fromkeys(["1,3|2", "standard@5,4,3,2"], "..../.2r../.Ab../.2.. r"),
    "joker@3x4": ".A../.2r../.Ab.. r",
    "big": "..A.../..3.../..A.../.2rA.../..2b.../...... r",
    "big3": "....../....../4g2Ar23./..334./....../...... r out:b",
    "big4": "....../....../4g2Ar23./..334./....../...... r out:by",
    "five3": "...../4g2Ar2./..33./...../..... r out:b",
    "solo": "A2X/3Jr2/A2A",
}
"""Quickly solved positions by the rules that they are for; the rules are not written."""
ARGUMENTS = {
    "show": ("show", "{endgame}", "--rules", "{rules}"),
    "deal": ("deal", "--rules", "{rules}"),
    "solve": ("solve", "{endgame}", "--rules", "{rules}"),
    "line": ("line", "{endgame}", "--rules", "{rules}"),
    "review": ("review", "{endgame} {move}", "--rules", "{rules}"),
    "bench": ("bench", "--count", "1", "--rules", "{rules}"),
    "play": ("play", "{endgame}", "--rules", "{rules}"),
    "puzzles": ("puzzles", "--seed", "1", "--count", "1", "--rules", "{rules}"),
    "strategy": ("strategy", "--card", "kept", "--games", "30", "--rules", "{rules}"),
    "ladder": ("ladder", "--games", "1", "--players", "random,1", "--rules", "{rules}"),
    "census": ("census", "--rules", "{rules}"),
    "lab": ("lab", "--cards", "0", "--rules", "{rules}"),
    "facts": ("facts", "{rules}"),
    "study": ("study", "{rules}", "--deals", "1", "--part", "1"),
    "dataset": ("dataset", "--out", "never written", "--rules", "{rules}"),
}
MOVES = {**dict.fromkeys(FOR_TWO, "b4"), "shift": "b4r", "shift-box": "b4r", "shift-rotate": "b4r"}
MOVES |= {"1,3|2": "b4", "standard@5,4,3,2": "b4", "joker@3x4": "b1", "big": "c3"}
MOVES |= {"big3": "d3", "big4": "d3", "five3": "d2", "solo": "b1"}
"""A legal move of each endgame."""
LONG_WORK = ("census", "lab", "facts", "dataset")
LONG = {("bench", "shift"), ("bench", "shift-rotate"), ("bench", "big"), ("study", "big")}
LONG |= {(command, name) for command in ("puzzles", "strategy") for name in ("joker", "choice")}
LONG |= {("ladder", name) for name in ("joker", "choice", "shift", "shift-rotate", "big3", "big4")}
"""They take long, and other rule sets of the same kind are quicker."""


def named(command: str) -> list[str]:
    """The rule sets that a command's help text names."""
    return re.findall(r"[a-z]+[-\w]*@[\dx,]+|\d,\d\|\d|(?<=[ :])[a-z]+[-\w]*(?=[,;.])", rules_help(command))


def arguments(command: str, rules: str) -> list[str]:
    """A call of a command with these rules."""
    return [
        word.format(rules=rules, endgame=ENDGAMES[rules], move=MOVES[rules]) for word in ARGUMENTS[command]
    ]


def cases() -> Iterator[object]:
    for command in NEEDS:
        for rules in named(command):
            marks = [pytest.mark.slow] if (command, rules) in LONG else []
            yield pytest.param(command, rules, marks=marks)


def test_the_names_are_found_in_help_texts() -> None:
    assert named("lab") == [*CLASSIC_RULE_SETS, "1,3|2"]
    assert named("solve") == [*rule_sets(), "1,3|2", "standard@5,4,3,2", "joker@3x4"]
    for command in NEEDS:
        assert set(named(command)) >= set(supported(command))


def test_every_command_with_rules_is_in_the_table() -> None:
    from typer.main import get_group

    app = get_group(cli.load())  # built anew: a test that ran before may have plugged in a kind
    found = set()
    for path in every_command(app):
        command: Any = app
        for word in path:
            command = command.commands[word]
        for parameter in command.params:
            if parameter.name == "rules":
                name = " ".join(path)
                assert getattr(parameter, "help", None) == rules_help(name)
                found.add(name)
    assert found == set(NEEDS)


@pytest.mark.parametrize(("command", "rules"), list(cases()))
def test_a_command_supports_what_its_help_names(
    command: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command in LONG_WORK:
        _stop_before_the_work(monkeypatch)
    given = arguments(command, rules)
    done = run(*given)
    said = done.stderr.decode()
    if command in LONG_WORK:
        assert said == "collapsi: supported\n"
    else:
        assert done.returncode == 0, said
        assert done.stdout


def _stop_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise where the deals would be counted, which takes minutes: by then the rules are accepted."""

    def stop(*_: object, **__: object) -> None:
        msg = "supported"
        raise CollapsiError(msg)

    monkeypatch.setattr("collapsi.cli.census.census_by_layers", stop)
    monkeypatch.setattr("collapsi.cli.census_rotate.take", stop)
    monkeypatch.setattr("collapsi.cli.census.solo_census", stop)
    monkeypatch.setattr("collapsi.cli.lab.facts_of", stop)
    monkeypatch.setattr("collapsi.cli.facts.shifting_facts", stop)
    monkeypatch.setattr("collapsi.cli.facts.big_facts", stop)
    monkeypatch.setattr("collapsi.study.dataset.folder.make_dataset", stop)


@pytest.mark.parametrize("command", NEEDS)
def test_what_is_not_supported_is_refused_with_what_is(command: str) -> None:
    for rules in {*rule_sets()} - set(supported(command)):
        said = refused(*arguments(command, rules))
        assert f"not supported for {rules}: use " in said
        advised = re.split(", | or ", said.partition(": use ")[2].strip())
        assert advised == [name for name in supported(command) if name not in ALSO.get(command, ())]


@pytest.mark.parametrize("command", ["census", "lab", "strategy", "ladder"])
def test_boards_that_are_not_supported_are_refused(command: str) -> None:
    assert "not supported for joker@3x4: it needs the 4×4 board" in refused(*arguments(command, "joker@3x4"))


def test_cards_of_rules_are_for_the_board_of_the_rule_sheet() -> None:
    with pytest.raises(CollapsiError, match="not supported for joker@3x4: it needs the 4×4 board"):
        deals_of(Split.FRESH, 1, np.random.default_rng(1), classic_rules("joker@3x4"))


def test_completion_offers_what_is_supported() -> None:
    assert [name for name, _ in complete_rules("census")("")] == supported("census")
    assert [name for name, _ in complete_rules("study")("big")] == ["big", "big3", "big4"]
    assert complete_rules("lab")("big") == []
