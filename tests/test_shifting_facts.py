"""Facts about the shifting board compared with plain counting, and a golden sample."""

from __future__ import annotations

import io
import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import matplotlib as mpl
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch

from collapsi import analyse, parse_position
from collapsi.api import json_types
from collapsi.census.deals import count_numberings
from collapsi.core.errors import MalformedError
from collapsi.core.intervals import Rate, wilson
from collapsi.core.players import Player
from collapsi.core.symmetry import symmetries as board_symmetries
from collapsi.facts.shifting.different import DifferentDeals, different_deals, enumerate_different
from collapsi.facts.shifting.facts import ShiftingFacts, find_facts, read_census, total_cost
from collapsi.facts.shifting.first_move import FirstMoveWins, first_move_wins, jack_placements
from collapsi.facts.shifting.readings import (
    BOX,
    BOX_REMOVED,
    FLAT,
    LINE,
    LINE_REMOVED,
    PAIRS,
    READINGS,
    ROTATE,
    Difference,
    Outcomes,
    Reading,
    ReadingSample,
    take_sample,
    values_of,
    without_shift,
)
from collapsi.facts.shifting.worth import ShiftWorth, plies_of, walk_only, worth_of
from collapsi.games.registry import deal
from collapsi.games.shifting import search as shift_search
from collapsi.games.shifting.rules import SHIFT, SHIFT_BOX, SHIFT_ROTATE, ShiftingRules
from collapsi.games.shifting.state import Shifting
from collapsi.games.shifting.symmetry import symmetries
from collapsi.play.dealing import nth_deal
from collapsi.report import shifting, shifting_figures, shifting_tables
from collapsi.report.style import STYLE
from collapsi.solving import reference as definition
from tests import naive_removed
from tests.fitting import fitting
from tests.typed import ok


def positions_with(cards: int, count: int, rules: ShiftingRules, seed: int) -> list[Shifting]:
    """Positions of random games with so many cards left."""
    rng = random.Random(seed)
    found: list[Shifting] = []
    while len(found) < count:
        position = deal(rng, rules)
        while position.cards_left > cards and position.moves:
            position = position.play(rng.choice(position.moves))
        if position.cards_left == cards:
            found.append(position)
    return found


@pytest.mark.parametrize("rules", [SHIFT, SHIFT_BOX], ids=str)
def test_if_collapsed_cards_were_gone(rules: ShiftingRules) -> None:
    positions = [found for cards in (8, 7) for found in positions_with(cards, 15, rules, cards)]
    plain = []
    for position in positions:
        places = {
            divmod(cell, position.board.columns): position.rules.steps(card, Player.RED)[0]
            for cell, card in enumerate(position.cards)
            if card is not None
        }
        mover, other = (
            divmod(position.pawns[player], position.board.columns)
            for player in (position.to_move, position.to_move.other)
        )
        plain.append(naive_removed.value(places, mover, other, box=rules is SHIFT_BOX))
    assert list(shift_search.value_many(positions, removed=True)) == plain
    assert list(shift_search.value_many(positions)) != plain


# Deals by length, under every reading


GOLDEN = Path(__file__).parent / "golden" / "shifting.txt"


CENSUS = json.dumps(
    {"rules": "shift-rotate", "lengths": [{"plies": 12, "deals": 1}, {"plies": 11, "deals": 3}]}
)


@cache
def small() -> ShiftingFacts:
    """Few deals, as many as take some seconds, and a census that somebody has taken."""
    return find_facts(4, 3, exact=[read_census(CENSUS)])


def facts_by_hand(exact: Outcomes) -> ShiftingFacts:
    """Facts that nobody measured, but for the exact outcomes and what the charts have examples of."""
    half, most = Rate(2, 4), Rate(3, 4)
    lengths = ((7, 1), (12, 1), (13, 2))
    jacks = jack_placements()
    return ShiftingFacts(
        4,
        3,
        tuple(exact if reading == exact.reading else Outcomes(reading, lengths) for reading in READINGS),
        tuple(Difference(*pair, half, most) for pair in PAIRS),
        tuple(
            first_move_wins(BOX) if reading == BOX else FirstMoveWins(reading, dict.fromkeys(jacks, ()))
            for reading in READINGS
            if reading.shifts
        ),
        tuple(DifferentDeals(rules, 8, 800, 100, 100) for rules in (SHIFT, SHIFT_BOX, SHIFT_ROTATE)),
        tuple(
            ShiftWorth(rules, plies, most, half, Rate(1, 4), half, (1, 2, 3, 4))
            for rules in (SHIFT, SHIFT_BOX, SHIFT_ROTATE)
            for plies in plies_of(rules)
        ),
    )


def test_json_is_what_its_typed_dict_says() -> None:
    fitting(json_types.ShiftingFacts, small().to_json())


def test_threads_do_not_matter_and_a_smaller_sample_is_the_beginning_of_a_larger_one() -> None:
    larger, smaller = (
        take_sample(deals, 5, readings=(FLAT, BOX, LINE), jobs=jobs) for deals, jobs in ((6, 2), (3, 1))
    )
    for reading, values in smaller.values.items():
        assert len(values) == reading.sample_size(3)
        assert larger.values[reading][: len(values)] == values


def test_the_same_deals_whatever_the_reading() -> None:
    for number in range(20):
        deals = [nth_deal(4, number, rules) for rules in (SHIFT, SHIFT_BOX, SHIFT_ROTATE)]
        assert len({(dealt.cards, dealt.pawns) for dealt in deals}) == 1
        assert not any(dealt.faults for dealt in deals)
        assert without_shift(deals[0]).cards == deals[0].cards
    assert len({nth_deal(4, number, SHIFT).text for number in range(20)} | {nth_deal(5, 0, SHIFT).text}) == 21


@pytest.mark.parametrize("reading", [FLAT, BOX, LINE], ids=str)
def test_lengths_and_winners_are_those_of_the_analysis(reading: Reading) -> None:
    sample = take_sample(2, 9, readings=[reading])
    plies: Counter[int] = Counter()
    for number, value in enumerate(sample.values[reading]):
        dealt = nth_deal(9, number, reading.rules)
        outcome = analyse(without_shift(dealt) if reading is FLAT else dealt).outcome
        assert outcome.score == value
        plies[outcome.plies] += 1
    found = sample.outcomes(reading)
    assert dict(found.lengths) == plies
    assert found.red.found == sum(count for length, count in plies.items() if length % 2)
    assert found.mean_plies == pytest.approx(
        plies.total() and sum(k * n for k, n in plies.items()) / plies.total()
    )


def test_differences_are_counted_deal_by_deal() -> None:
    sample = ReadingSample(1, {LINE: (5, -4, 3, 7), BOX: (5, 4, 9), ROTATE: (-2, -4)})
    beside = sample.difference(LINE, BOX)
    assert (beside.winner, beside.length) == (Rate(1, 3), Rate(2, 3))
    assert sample.difference(LINE, ROTATE).winner == Rate(1, 2)


def test_an_exact_share_has_no_interval_and_an_estimate_has_wilsons() -> None:
    assert Rate(3, 4, is_sample=False).interval == (0.75, 0.75)
    assert Rate(3, 4).interval == wilson(3, 4)
    assert Rate(0, 0).interval == (0.0, 1.0)


def test_a_census_in_place_of_a_sample() -> None:
    exact = read_census(CENSUS)
    assert (exact.reading, exact.lengths) == (ROTATE, ((11, 3), (12, 1)))
    assert exact.red == Rate(3, 4, is_sample=False)
    assert small().outcome(ROTATE) == exact
    assert all(found.is_sample for found in small().outcomes if found.reading != ROTATE)
    for wrong in (
        "",
        "[]",
        '{"rules": "shift-rotate"}',
        '{"rules": "joker", "lengths": []}',
        CENSUS.replace("12", '"x"'),
    ):
        with pytest.raises(MalformedError, match="census"):
            read_census(wrong)


def test_the_costs_of_all_steps_are_the_whole_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("readings.values_of", "worth.worth_of", "facts.first_move_wins", "facts.different_deals"):
        monkeypatch.setattr(f"collapsi.facts.shifting.{name}", lambda *_, **__: iter(lambda: 2, 0))
    spent: list[int] = []
    find_facts(9, 3, progress=lambda _text, cost: spent.append(cost))
    assert sum(spent) == total_cost(9)


# Won with the first move


@pytest.mark.parametrize("reading", [LINE, BOX, ROTATE, LINE_REMOVED, BOX_REMOVED], ids=str)
def test_wins_at_once_do_not_depend_on_the_numbers(reading: Reading) -> None:
    """The solver finds a win in one ply exactly where the jacks say so, whatever the numbers."""
    wins = first_move_wins(reading)
    assert set(wins.moves) == set(jack_placements())
    count = {LINE: 8, BOX: 200, ROTATE: 2, LINE_REMOVED: 2, BOX_REMOVED: 100}[reading]
    deals = [nth_deal(2, number, reading.rules) for number in range(count)]
    for dealt, value in zip(deals, values_of(deals, reading), strict=True):
        assert (value == 15) == bool(wins.moves[dealt.pawns])
        if not reading.removed:
            at_once = [move for move in dealt.moves if not dealt.play(move).ends]
            assert tuple(map(dealt.move_text, at_once)) == wins.moves[dealt.pawns]


def test_in_the_box_blue_is_pushed_out_past_red() -> None:
    """The derivation: blue at the end of a line, red diagonally next to it and further in."""
    derived = set()
    for red, blue in jack_placements():
        (red_row, red_column), (row, column) = divmod(red, 4), divmod(blue, 4)
        inner = {0: 1, 3: 2}
        beside_row, beside_column = (red_row - row) % 4 in (1, 3), (red_column - column) % 4 in (1, 3)
        if (red_column == inner.get(column) and beside_row) or (red_row == inner.get(row) and beside_column):
            derived.add((red, blue))
    assert set(first_move_wins(BOX).placements) == derived
    assert len(derived) == 4 * 4 * 2 - 4
    first = [red < blue for red, blue in derived]
    assert first.count(True) == first.count(False), "so the share is the same if red has the first jack dealt"


# What a shift is worth


def lost(position: Shifting) -> bool:
    """Whether the side to move loses, by the judge."""
    return (definition.score(position) > 0) != (position.to_move is Player.RED)


@pytest.mark.parametrize("rules", [SHIFT, SHIFT_BOX, SHIFT_ROTATE], ids=str)
def test_what_a_shift_is_worth_by_playing_it_out(rules: ShiftingRules) -> None:
    positions = [found for cards in (7, 6) for found in positions_with(cards, 12, rules, cards)]
    positions = [position for position in positions if position.ends]
    own = none = theirs = 0
    ways: Counter[int] = Counter()
    for position in positions:
        wins = [[lost(position.play(4 * end + way)) for way in range(4)] for end in position.ends]
        own += any(map(any, wins))
        theirs += any(map(all, wins))
        ways.update(map(sum, wins))
        none += any(lost(walk_only(position, end)) for end in position.ends)
    found = worth_of(rules, 9, positions, [], None)
    assert [rate.found for rate in (found.own, found.none, found.theirs)] == [own, none, theirs]
    assert found.ways == (ways[1], ways[2], ways[3], ways[4])
    assert found.own.cases == len(positions) > 4


def test_wins_by_the_standard_rules_are_those_of_the_judge() -> None:
    flat = []
    for number in range(12):
        position, rng = without_shift(nth_deal(3, number, SHIFT)), random.Random(number)
        while position.cards_left > 8 and position.moves:
            position = position.play(rng.choice(position.moves))
        flat += [position] if position.moves else []
    won = sum((definition.score(position) > 0) == (position.to_move is Player.RED) for position in flat)
    assert 0 < won < len(flat)
    assert worth_of(SHIFT, 8, [], flat, None).standard == Rate(won, len(flat))


def test_a_walk_without_a_shift() -> None:
    dealt = cast("Shifting", parse_position("A223/4A2Jr/3A23/A3Jb4 r shift"))
    assert walk_only(dealt, dealt.ends[0]).text == "A223r/4A2./3A23/A3Jb4 b shift"


# Deals up to symmetry


@pytest.mark.parametrize("rules", [SHIFT, SHIFT_BOX, SHIFT_ROTATE], ids=str)
def test_burnside_and_enumeration_agree(rules: ShiftingRules) -> None:
    found = different_deals(rules)
    assert found.by_burnside == found.by_enumeration
    assert found.deals == 144 * count_numberings()
    assert sum(int(weights.sum()) for _, weights in enumerate_different(symmetries(rules))) == found.deals


def test_hidden_symmetries_of_the_square_do_not_keep_values() -> None:
    """Of those that a shift does away with, each changes the value of some deal."""
    lost = [renaming for renaming in board_symmetries(SHIFT.board) if renaming not in symmetries(SHIFT_BOX)]
    deals = [nth_deal(8, number, SHIFT_BOX) for number in range(40)]
    values = list(shift_search.value_many(deals))
    for renaming in random.Random(1).sample(lost, 20):
        images = []
        for dealt, value in zip(deals, values, strict=True):
            cards = {divmod(renaming[cell], 4): card for cell, card in enumerate(dealt.cards)}
            red, blue = (divmod(renaming[cell], 4) for cell in dealt.pawns)
            images.append((Shifting.at(cards, (red, blue), Player.RED, SHIFT_BOX), value))
        found = shift_search.value_many([image for image, _ in images])
        assert any(one != value for one, (_, value) in zip(found, images, strict=True))


# As people are shown it


def test_what_people_are_shown() -> None:
    facts = small()
    assert set(shifting_tables.TITLES) == set(READINGS)
    for _, frame, names in shifting_tables.display_tables(facts).values():
        assert set(names) <= set(frame.columns)
        known = "known" in names or any("estimate" in name or "exact" in name for name in names.values())
        assert known, "every table says what is exact and what is an estimate"
    for name, made in shifting_tables.TABLES.items():
        assert len(made(facts)), name
    with mpl.rc_context(STYLE):
        for chart in (shifting_figures.lengths, shifting_figures.worth, shifting_figures.first_move):
            chart(facts).savefig(io.BytesIO(), format="svg")
    html = shifting.chapter(
        facts, dict.fromkeys(("shifting_lengths", "shifting_worth", "shifting_first_move"), "")
    )
    for piece in (
        "28 of 144",
        "19.4 %",
        "56,758,590",
        "3,552,909",
        "collapsi facts shift --deals 4 --seed 3",
    ):
        assert piece in html


def test_wins_at_once_are_drawn_with_collapsed_cards_grey_and_hatched() -> None:
    """Of the quickest win: all cards are face up before the move, and red's jack is collapsed after it."""
    *places, before, after = shifting_figures.first_move(small()).axes
    titles = [axes.get_title() for axes in places]
    assert [title.partition(":")[0] for title in titles] == [
        f"red’s jack {where}" for where in ("in a corner", "at a side", "in the middle")
    ]
    boards = before, after
    drawn = [[patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)] for axes in boards]
    assert [len(cards) for cards in drawn] == [16, 16]
    assert [[patch.get_hatch() or "" for patch in cards].count("xxx") for cards in drawn] == [0, 1]
    for patch in (*drawn[0], *drawn[1]):
        assert (to_hex(patch.get_facecolor()) == "#c9cdd3") == bool(patch.get_hatch())


def told_of_small(folder: Path) -> str:
    """What the command prints of it."""
    census = folder / "census.json"
    census.write_text(CENSUS, encoding="utf-8")
    return ok("facts", "shift", "--deals", "4", "--seed", "3", "--jobs", "1", "--census", str(census))


def test_the_small_sample_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same seed, same deals, same result: `python -m tests.test_shifting_facts` writes it anew."""

    def measured(deals: int, seed: int, *, exact: object, **_: object) -> ShiftingFacts:
        assert (deals, seed, exact) == (4, 3, [read_census(CENSUS)])
        return small()

    monkeypatch.setattr("collapsi.facts.shifting.facts.find_facts", measured)
    told = told_of_small(tmp_path)
    assert told == GOLDEN.read_text(encoding="utf-8")
    assert "…" not in told.replace("this once …", ""), "no column is cut"
    for found in small().outcomes:
        low, high = found.red.interval
        share = (
            f"{100 * found.red.share:.1f} ({100 * low:.1f}–{100 * high:.1f})" if found.is_sample else "75.00"
        )
        assert re.search(rf"{found.deals} +{re.escape(share)} +{found.mean_plies:.2f} ", told)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        GOLDEN.write_text(told_of_small(Path(name)), encoding="utf-8")
