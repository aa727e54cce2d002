"""Tempo: who wins if the other player starts. The twin of the count is the solver, deal by deal."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from collapsi import analyse, analyse_many
from collapsi.census.deals import deal_at
from collapsi.census.different import representatives
from collapsi.census.layers import NUMBERED, codes_of
from collapsi.census.lengths import take_census
from collapsi.census.tempo import (
    count_tempo,
    kinds_of,
    positions_after,
    sample_passing,
    values_if_blue_starts,
)
from collapsi.core.decks import deck_of
from collapsi.core.players import Player
from collapsi.games.classic.made_up import classic_rules
from collapsi.play.tempo import Tempo, tempo_of
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collapsi.census.lengths import Census
    from collapsi.games.classic.position import Position

SMALL = "standard@8,3,2,1"


@pytest.fixture(scope="module")
def small() -> Census:
    """The census of a deck with few different deals."""
    return take_census(classic_rules(SMALL))


def tempo_by_solver(deals: list[Position]) -> list[Tempo]:
    """The twin: solve each deal with red to move and with blue to move."""
    blue_starts = [replace(deal, to_move=Player.BLUE) for deal in deals]
    winners = [answer.winner for answer in analyse_many([*deals, *blue_starts])]
    names = {
        (Player.RED, Player.BLUE): Tempo.STARTER,
        (Player.RED, Player.RED): Tempo.RED,
        (Player.BLUE, Player.BLUE): Tempo.BLUE,
        (Player.BLUE, Player.RED): Tempo.SECOND,
    }
    return [names[pair] for pair in zip(winners[: len(deals)], winners[len(deals) :], strict=True)]


def some_deals(census: Census, every: int) -> tuple[list[Position], list[Tempo]]:
    """Some of the truly different deals, and their kinds by the count."""
    deals: list[Position] = []
    kinds: list[Tempo] = []
    codes = codes_of(NUMBERED, (deck_of(census.rules),))
    for part in census.parts:
        ranks = representatives(part.jacks.blue, census.rules)[0]
        deals += [deal_at(part.jacks.blue, int(code), census.rules) for code in codes[ranks[::every]]]
        other = values_if_blue_starts(part, census.rules)
        kinds += kinds_of(part, census.rules, other)[::every].tolist()
    return deals, kinds


def test_each_deal_is_of_the_kind_that_the_solver_finds(small: Census) -> None:
    deals, kinds = some_deals(small, 40)
    assert len(deals) > 300
    assert set(kinds) == set(Tempo)
    assert tempo_by_solver(deals) == kinds
    assert [tempo_of(deal) for deal in deals[:20]] == kinds[:20]


def test_the_kinds_add_up_to_the_census(small: Census) -> None:
    counts = {count.tempo: sum(count.deals.values()) for count in count_tempo(small)}
    assert sum(counts.values()) == small.deals
    assert counts[Tempo.STARTER] + counts[Tempo.RED] == small.red_wins
    assert counts[Tempo.RED] == counts[Tempo.BLUE], "exchanging the colours maps one to the other"
    assert sum(count.different for count in count_tempo(small)) == small.different


def test_examples_are_of_their_kind_and_have_the_stated_lengths(small: Census) -> None:
    for count in count_tempo(small):
        assert tempo_by_solver([count.example]) == [count.tempo]
        other = replace(count.example, to_move=Player.BLUE)
        assert (analyse(count.example).plies, analyse(other).plies) == count.plies


def test_a_pass_is_what_the_solver_says_with_the_other_side_to_move() -> None:
    (found,) = sample_passing(classic_rules("joker"), plies=[5], size=60, seed=3)
    losing = would_pass = 0
    for position in positions_after(classic_rules("joker"), 5, 60, 3):
        assert position.cards_left == 11
        if analyse(position).winner is position.to_move:
            continue
        losing += 1
        after = replace(position, to_move=position.to_move.other)
        would_pass += analyse(after).winner is position.to_move
    assert (found.losing, found.would_pass.found) == (losing, would_pass)
    assert 0 < would_pass < losing


def test_the_command_prints_the_counts() -> None:
    data = json.loads(ok("census", "--tempo", "--rules", SMALL, "--sample", "50", "--json"))
    assert [row["tempo"] for row in data["counts"]] == ["starter", "red", "blue", "second"]
    assert sum(row["deals"] for row in data["counts"]) == data["deals"]
    assert [row["plies"] for row in data["passing"]] == [4, 8]
    text = ok("census", "--tempo", "--rules", SMALL, "--sample", "50")
    assert "whoever starts loses" in text
    assert "would win by passing" in text


@pytest.mark.parametrize("options", [["--rules", "1|2"], ["--out", "atlas"], ["--rules", "solo"]])
def test_what_has_no_tempo_is_refused(options: list[str]) -> None:
    assert refused("census", "--tempo", *options)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "joker"])
def test_ten_thousand_deals_of_the_official_deck(rules: str) -> None:
    census = take_census(classic_rules(rules))
    deals, kinds = some_deals(census, census.different // 10_000)
    assert len(deals) >= 10_000
    assert tempo_by_solver(deals) == kinds
