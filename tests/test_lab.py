"""The rule laboratory: counts compared with plain enumeration, and stored results."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from collapsi import CollapsiError, Player, analyse_many, deal
from collapsi.api import json_types
from collapsi.census.deals import deal_at
from collapsi.census.lab.chance import random_play
from collapsi.census.lab.decks import QUESTIONS, batches, decks_near, exchanged, memory_for
from collapsi.census.lab.facts import DeckFacts, find_facts
from collapsi.census.lab.orders import OFFICIAL, Order, official_among
from collapsi.census.lab.storage import FactsStore
from collapsi.census.lab.tables import DEFINITIONS, row_of
from collapsi.census.layers import JACKS, NUMBERED, ONE_LINE, bytes_needed, codes_of, layers_of, solve_deals
from collapsi.cli import lab as lab_command
from collapsi.core.board import cells_of
from collapsi.games.classic.made_up import classic_rules
from collapsi.games.classic.rules import STANDARD
from tests.fitting import fitting
from tests.one_line import line_kind
from tests.test_decks import every_deal
from tests.typed import refused, run

if TYPE_CHECKING:
    from pathlib import Path

    from collapsi import Position
    from collapsi.core.decks import Deck

TWO: tuple[Deck, Deck] = ((13, 0, 0, 1), (0, 1, 0, 13))
"""Decks with so few deals that they can be looked at one by one."""


@cache
def two_decks() -> tuple[DeckFacts, ...]:
    return tuple(find_facts(STANDARD, TWO))


def test_which_decks_are_near() -> None:
    every = decks_near(OFFICIAL, 2)
    assert len(every) == len(set(every)) == 55
    assert Counter(exchanged(OFFICIAL, deck) for deck in every) == {0: 1, 1: 12, 2: 42}
    assert all(sum(deck) == 14 and min(deck) >= 0 for deck in every)


def test_batches_hold_every_deck_once_and_fit() -> None:
    every = decks_near(OFFICIAL, 2)
    groups = list(batches(every, STANDARD, 6_000_000_000))
    assert sorted(deck for group in groups for deck in group) == every
    assert 1 < len(groups) < 12
    assert all(memory_for(STANDARD, group) <= 6_000_000_000 for group in groups)
    assert all(len(group) == 1 for group in batches(every, STANDARD, 0)), "one always goes"


def test_memory_is_enough_for_every_question() -> None:
    every = tuple(decks_near(OFFICIAL, 1))
    for question in QUESTIONS:
        assert memory_for(STANDARD, every) >= bytes_needed(layers_of(STANDARD, every), question)


def test_facts_counted_deal_by_deal() -> None:
    for facts in two_decks():
        deals = every_deal(facts.rules)
        solved = list(analyse_many(deals))
        winning = [sum(move.score > 0 for move in analysis.moves) for analysis in solved]
        assert facts.deals == len(deals)
        assert facts.lengths == Counter(analysis.plies for analysis in solved)
        assert facts.winning_first_moves == Counter(winning)
        assert facts.first_move_decides == sum(
            0 < wins < len(analysis.moves) for wins, analysis in zip(winning, solved, strict=True)
        )
        assert facts.red_share == sum(analysis.winner is Player.RED for analysis in solved) / len(deals)
        assert facts.mean_plies == pytest.approx(sum(analysis.plies for analysis in solved) / len(deals))
        assert facts.mean_winning_first_moves == pytest.approx(sum(winning) / len(deals))


def test_only_one_line_wins_as_by_definition() -> None:
    """Of whole deals, a deal of each kind that there is; with fours their games are short."""
    rules = classic_rules("standard@0,1,0,13")
    parts = {part.jacks.blue: part.answers for part in solve_deals(rules, ONE_LINE)}
    kinds = [(line, blue, rank) for blue in (5, 10) for rank, line in enumerate(parts[blue].tolist())]
    tried = {line: (blue, rank) for line, blue, rank in kinds}
    assert len(tried) > 1
    for line, (blue, rank) in tried.items():
        code = int(codes_of(NUMBERED, (TWO[1],))[rank])
        assert line_kind(deal_at(blue, code, rules)) == line
    facts = two_decks()[1]
    assert facts.one_line == sum(
        jacks.places * sum(line in (1, 2) for line in parts[jacks.blue].tolist()) for jacks in JACKS
    )


def by_hand(position: Position) -> tuple[float, float, float]:
    """Random play of one deal, by trying everything: choices and plies expected, and how often red wins."""
    board, rules = position.board, position.rules

    @cache
    def follow(face_up: int, mover: int, other: int, player: Player) -> tuple[float, float, float]:
        card = position.cards[mover]
        assert card is not None
        ends = 0
        for steps in rules.steps(card, player):
            ends |= board.reach(mover, steps, face_up)
        moves = list(cells_of(ends & ~(1 << other)))
        if not moves:
            return 0.0, 0.0, float(player is Player.BLUE)
        after = [follow(face_up & ~(1 << mover), other, end, player.other) for end in moves]
        choices, plies, red = (sum(some) / len(moves) for some in zip(*after, strict=True))
        return choices + len(moves), plies + 1, red

    return follow(0xFFFF, *position.pawns, Player.RED)


def test_random_play_with_aces_only_followed_by_hand() -> None:
    """There is one deal for each place of blue's jack, and for alike places one of them will do."""
    rules = classic_rules("standard@14,0,0,0")
    deals = {dealt.pawns[1]: dealt for dealt in every_deal(rules)}
    places = [jacks.places for jacks in JACKS]
    followed = [by_hand(deals[jacks.blue]) for jacks in JACKS]
    choices, plies, red = (
        sum(number * times for number, times in zip(column, places, strict=True)) / sum(places)
        for column in zip(*followed, strict=True)
    )
    found = random_play(rules)
    assert (found.choices, found.plies, found.red_share) == pytest.approx((choices / plies, plies, red))


@pytest.mark.slow
def test_random_play_followed_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all deals with one card that is no four, and the jacks four steps apart."""
    rules = classic_rules("standard@0,0,1,13")
    some = [jacks for jacks in JACKS if jacks.distance == 4]
    monkeypatch.setattr(
        "collapsi.census.lab.chance.JACKS",
        tuple(jacks if jacks in some else jacks._replace(places=0) for jacks in JACKS),
    )
    every = every_deal(rules)
    totals = [0.0, 0.0, 0.0]
    for jacks in some:
        deals = [dealt for dealt in every if dealt.pawns[1] == jacks.blue]
        assert len(deals) == 14
        for dealt in deals:
            for place, number in enumerate(by_hand(dealt)):
                totals[place] += number * jacks.places / (sum(one.places for one in some) * len(deals))
    found = random_play(rules)
    assert found.choices == pytest.approx(totals[0] / totals[1])
    assert found.plies == pytest.approx(totals[1])
    assert found.red_share == pytest.approx(totals[2])


@pytest.mark.parametrize("name", ["standard", "joker@11,1,1,1"])
def test_random_play_is_what_random_games_come_to(name: str) -> None:
    rules, rng = classic_rules(name), random.Random(5)
    choices = plies = 0
    for _ in range(400):
        position = deal(rng, rules)
        while position.moves:
            choices, plies = choices + len(position.moves), plies + 1
            position = position.play(rng.choice(position.moves))
    found = random_play(rules)
    assert choices / plies == pytest.approx(found.choices, rel=0.05)
    assert plies / 400 == pytest.approx(found.plies, rel=0.05)


def test_choosing_a_start_is_no_ply_of_random_play() -> None:
    rules, rng = classic_rules("choice@0,1,0,13"), random.Random(5)
    choices = plies = 0
    for _ in range(200):
        position = deal(rng, rules)
        while position.moves:
            chosen = rng.choice(position.moves)
            if len(position.path(chosen)) > 1:
                choices, plies = choices + len(position.moves), plies + 1
            position = position.play(chosen)
    found = random_play(rules)
    assert choices / plies == pytest.approx(found.choices, rel=0.05)
    assert plies / 200 == pytest.approx(found.plies, rel=0.05)


def test_facts_as_data() -> None:
    lengths, first_moves = {8: 30, 9: 60, 11: 10}, {0: 30, 2: 70}
    data = DeckFacts(classic_rules("standard@5,4,3,2"), lengths, first_moves, 40, 5, 2.5).to_json()
    assert (data["deals"], data["red_wins"], data["red_share"]) == (100, 70, 0.7)
    assert (data["shortest"], data["longest"], data["mean_plies"]) == (8, 11, 8.9)
    assert (data["first_move_decides"], data["decisive_share"]) == (40, 0.4)
    assert (data["one_line"], data["one_line_share"]) == (5, 0.05)
    assert data["mean_winning_first_moves"] == 1.4


def test_orders() -> None:
    fair = DeckFacts(classic_rules("standard@5,4,3,2"), {8: 51, 9: 49}, {}, 10, 0, 1.0)
    long = replace(fair, rules=STANDARD, lengths={12: 30, 13: 70})
    decided = replace(fair, rules=classic_rules("standard@4,4,5,1"), lengths={9: 100}, first_move_decides=90)
    every = [long, decided, fair]
    assert [order.sort(every)[0] for order in Order] == [fair, long, decided]
    assert [order.place(long, every) for order in Order] == [2, 1, 2]
    assert set(DEFINITIONS) == set(row_of(fair)) - {"from–to"}
    assert (official_among(every), official_among([fair, decided])) == (long, None)


def test_what_is_kept_is_found_again_if_it_is_whole(tmp_path: Path) -> None:
    kept = FactsStore(tmp_path / "lab")
    one, two = two_decks()
    assert kept.find(one.rules) is None
    kept.save([one, two])
    assert (kept.find(one.rules), kept.find(two.rules)) == (one, two)
    assert kept.find(STANDARD) is None
    path = next(path for path in kept.folder.iterdir() if "13,0,0,1" in path.name)
    whole = path.read_text(encoding="utf-8")
    for damaged in (
        whole[:-40],
        "",
        "[]",
        whole.replace('"0": ', '"0": 1'),
        whole.replace('"format": 1', '"format": 0'),
    ):
        assert damaged != whole
        path.write_text(damaged, encoding="utf-8")
        assert kept.find(one.rules) is None
    assert kept.clear() == 2
    assert list(kept.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("choices", 2), ("choices", None), ("one_line", 1.5), ("first_move_decides", True)],
)
def test_kept_facts_of_another_type_are_not_found(name: str, value: object, tmp_path: Path) -> None:
    kept, (one, _) = FactsStore(tmp_path), two_decks()
    kept.save([one])
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), name: value}))
    assert kept.find(one.rules) is None


# The command


def lab(*arguments: str) -> tuple[int, str, str]:
    """The exit code of the command, what it wrote, and what it said beside that."""
    done = run("lab", *arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    decks = [word for deck in ("13,0,0,1", "0,1,0,13") for word in ("--only", deck)]
    code, written, said = lab(*decks, "--json")
    assert code == 0, said
    assert "2 decks to solve" in said
    rows = [json.loads(line) for line in written.splitlines()]
    found = {facts.rules.name: facts.to_json() for facts in two_decks()}
    assert {row["rules"]: fitting(json_types.DeckFacts, row) for row in rows} == found
    assert abs(rows[0]["red_share"] - 0.5) <= abs(rows[1]["red_share"] - 0.5)
    code, written, said = lab(*decks, "--sort", "longest", "--out", str(tmp_path / "out"))
    assert code == 0, said
    assert "to solve" not in said
    assert "13,0,0,1" in written
    assert all(f"{name}: {text}" in written for name, text in DEFINITIONS.items())
    assert (tmp_path / "out" / "decks.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "out" / "decks.svg").read_bytes().startswith(b"<?xml")
    table = list(csv.DictReader(io.StringIO((tmp_path / "out" / "decks.csv").read_text(encoding="utf-8"))))
    assert {row["rules"]: int(row["red_wins"]) for row in table} == {
        name: data["red_wins"] for name, data in found.items()
    }
    assert "add --force" in refused("lab", *decks, "--out", str(tmp_path / "out"))
    assert "removed the facts about 2 decks" in lab("--forget")[1]


def test_what_was_solved_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is stopped after a part has that part; the next one solves the rest only."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("collapsi.cli.lab.MOST_MEMORY", 0)  # one deck a part
    one, two = two_decks()
    asked: list[tuple[Deck, ...]] = []

    def broken(_: object, decks: tuple[Deck, ...], **__: object) -> list[DeckFacts]:
        asked.append(decks)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return [facts for facts in (one, two) if facts.deck in decks]

    monkeypatch.setattr("collapsi.census.lab.facts.find_facts", broken)
    with pytest.raises(KeyboardInterrupt):
        lab_command.facts_of([one.rules, two.rules], 1)
    assert lab_command.facts_of([one.rules, two.rules], 1) == [one, two]
    assert len(asked) == 3
    assert asked[2] == asked[1] != asked[0]
    assert lab_command.facts_of([two.rules, one.rules], 1) == [two, one]
    assert len(asked) == 3


def test_what_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("collapsi.system.memory.available_bytes", lambda: 1_000_000_000)
    monkeypatch.setattr("collapsi.cli.lab.available_bytes", lambda: 1_000_000_000)
    with pytest.raises(CollapsiError, match="the laboratory needs about"):
        lab_command.facts_of([STANDARD], 1)
