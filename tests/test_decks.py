"""Censuses of other decks than the official one, compared with the other solvers."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from collapsi import Card, CollapsiError, Player, Position, analyse, analyse_many, deal
from collapsi.census import burnside
from collapsi.census.atlas import write_atlas
from collapsi.census.deals import count_deals, deal_at
from collapsi.census.different import class_of, count_different
from collapsi.census.games import count_all_games
from collapsi.census.layers import NUMBERED, VALUES, codes_of, counts_of, layers_of, packed, solve_deals
from collapsi.census.lengths import take_census, take_census_by_search
from collapsi.census.verify import verify
from collapsi.cli.census import census_by_layers
from collapsi.core.decks import deck_of, format_deck
from collapsi.games.classic.made_up import classic_rules
from collapsi.play.analysis import count_games_many
from tests.typed import ok, refused, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from collapsi import Rules

TINY = ("standard@14,0,0,0", "joker@13,0,0,1", "1,3|2@0,1,0,13", "choice@0,13,1,0", "standard@0,0,13,1")
"""Decks with so few numberings that every deal can be dealt by hand; some have none of a number."""

SMALL = "1,3|2@10,2,1,1"
"""More than four of a number, and 12,012 numberings."""


def every_deal(rules: Rules) -> list[Position]:
    """All deals with red's jack on a1, dealt by hand."""
    numbers = [card for card, count in rules.cards for _ in range(count) if card is not Card.JACK]
    found = []
    for numbering in orders(numbers):
        for blue in range(1, 16):
            rest = iter(numbering)
            cards = tuple(Card.JACK if cell in (0, blue) else next(rest) for cell in range(16))
            found.append(Position(cards, (0, blue), Player.RED, rules))
    return found


def orders(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """The different orders of some cards."""
    if not cards:
        return [()]
    return [
        (first, *rest)
        for first in sorted(set(cards))
        for rest in orders([*cards[: cards.index(first)], *cards[cards.index(first) + 1 :]])
    ]


@pytest.mark.parametrize(
    "name", [*TINY[:3], *(pytest.param(name, marks=pytest.mark.slow) for name in TINY[3:])]
)
def test_every_deal_dealt_by_hand(name: str) -> None:
    rules = classic_rules(name)
    deals = every_deal(rules)
    found = take_census(rules)
    assert found.deals == len(deals) == count_deals(rules)
    solved = list(analyse_many(deals))
    assert found.lengths == dict(sorted(Counter(analysis.plies for analysis in solved).items()))
    assert found.red_wins == sum(analysis.winner is Player.RED for analysis in solved)
    assert found.different == len(set(map(class_of, deals))) == burnside.count_different(rules)
    by_search = take_census_by_search(rules)
    assert (by_search.lengths, by_search.classes) == (found.lengths, found.classes)
    assert count_all_games(rules).total == sum(count_games_many(deals))


@pytest.mark.parametrize(
    "name", [SMALL, "joker@2,1,1,10", pytest.param("standard@5,4,3,2", marks=pytest.mark.slow)]
)
def test_layers_search_and_definition_agree(name: str) -> None:
    found = verify(classic_rules(name), 200, np.random.default_rng(7))
    assert found.differences == []
    assert found.deals == 200
    assert found.positions > 5000


def test_truly_different_deals_counted_in_two_ways() -> None:
    rules = classic_rules(SMALL)
    found = take_census(rules)
    assert found.different == burnside.count_different(rules) == count_different(rules)
    assert found.deals == 15 * 12_012
    assert found.to_json()["listed_deals"] == 5 * 12_012


def test_decks_solved_together_are_as_alone() -> None:
    decks = ((8, 3, 2, 1), (9, 3, 1, 1), (8, 4, 2, 0), (0, 0, 0, 14))
    together = solve_deals(classic_rules("standard"), VALUES, decks=decks)
    numbers = counts_of(NUMBERED, decks)
    for deck in decks:
        ranks = np.flatnonzero(numbers == packed(deck))
        alone = take_census(classic_rules(f"standard@{format_deck(deck)}")).parts
        assert (codes_of(NUMBERED, decks)[ranks] == codes_of(NUMBERED, (deck,))).all()
        for one, all_of_them in zip(alone, together, strict=True):
            assert (one.answers == all_of_them.answers[ranks]).all()
            assert {end: values.tobytes() for end, values in one.moves.items()} == {
                end: values[ranks].tobytes() for end, values in all_of_them.moves.items()
            }


def test_games_of_decks_with_the_most_moves() -> None:
    """With fours only, a position of fourteen cards has more games than two bytes hold."""
    rules = classic_rules("joker@0,0,1,13")
    found = count_all_games(rules)
    assert found.largest > 3_000_000
    rng = random.Random(3)
    deals = [deal(rng, rules) for _ in range(20)]
    games = {part.jacks.blue: part.answers for part in found.parts}
    for dealt, count in zip(deals, count_games_many(deals), strict=True):
        blue, code = class_of(dealt)
        assert games[blue][np.searchsorted(codes_of(NUMBERED, (deck_of(rules),)), code)] == count


def test_the_atlas_of_a_deck(tmp_path: Path) -> None:
    rules = classic_rules(SMALL)
    census = take_census(rules)
    atlas = write_atlas(tmp_path / "atlas", census, count_all_games(rules))
    assert atlas.rules == SMALL
    assert list(atlas.faults()) == []
    assert len(atlas.frame) == census.different
    assert atlas.frame["weight"].cast(pl.Int64).sum() == census.deals
    dealt = deal(random.Random(2), rules)
    found, analysis = atlas.find(dealt), analyse(dealt)
    assert (found.score, found.games) == (analysis.score, analysis.games)
    fewest = atlas.frame["games"].min()
    assert set(atlas.filter(pl.col("games") <= fewest)["games"]) == {fewest}
    assert str(analysis.games) in ok("atlas", "show", dealt.text, "--atlas", str(atlas.folder), "--json")
    verified = ok("atlas", "verify", "--atlas", str(atlas.folder))
    assert verified.endswith(f": {census.different:,} rows, {census.deals:,} deals, whole\n")
    drawn = atlas.draw(random.Random(3), winner="blue")
    assert analyse(drawn).winner is Player.BLUE
    assert drawn.rules == rules


def test_any_deal_of_a_deck_is_found() -> None:
    rules = classic_rules(SMALL)
    parts = {part.jacks.blue: part for part in take_census(rules).parts}
    rng = random.Random(12)
    for _ in range(5):
        blue, code = class_of(deal(rng, rules))
        rank = int(np.searchsorted(codes_of(NUMBERED, (deck_of(rules),)), code))
        analysis = analyse(deal_at(blue, code, rules))
        assert parts[blue].answers[rank] == analysis.score


def test_other_boards_are_not_counted() -> None:
    with pytest.raises(CollapsiError, match="4×4 board only, not on 3×4"):
        layers_of(classic_rules("standard@3x4"))


# The command


def test_the_census_of_a_deck_says_what_it_takes_first() -> None:
    done = run("census", "--deck", "12,1,1,0", "--red-first", "1,3", "--blue-first", "2", "--json")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert (data["rules"], data["deals"]) == ("1,3|2@12,1,1,0", 15 * 182)
    said = done.stderr.decode()
    assert "1,3|2@12,1,1,0: 2,730 deals" in said
    assert "GB of memory" in said
    named = json.loads(ok("census", "--rules", "1,3|2@12,1,1,0", "--method", "search", "--json"))
    assert named["lengths"] == data["lengths"]


def test_the_paper_lists_deals_of_the_official_deck_only() -> None:
    said = ok("census", "--deck", "12,1,1,0")
    assert "2,730 deals; " in said
    assert "paper" not in said


def test_what_the_census_refuses() -> None:
    assert "needs the 4×4 board" in refused("census", "--rules", "joker@3x5", "--method", "search")
    assert "official deck" in refused("census", "--rules", "shift-rotate", "--deck", "5,4,3,2")


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collapsi.system.memory.available_bytes", lambda: 2_500_000_000)
    with pytest.raises(
        CollapsiError, match=r"standard@4,4,3,3 needs about 2\.8 GB of memory, and 2\.5 GB are free"
    ):
        census_by_layers(classic_rules("standard@4,4,3,3"), 1)
