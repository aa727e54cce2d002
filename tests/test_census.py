"""The census of all deals: the published table, and the atlas and report made from it.

These tests share the big results, so they run in one process (`--dist loadfile` in the Makefile).
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from collapsi import (
    JOKER,
    STANDARD,
    Atlas,
    Position,
    analyse,
    analyse_many,
    count_games_many,
    deal,
    format_position,
    parse_position,
    symmetries,
    transform,
)
from collapsi.census import burnside
from collapsi.census.atlas import content_hash, frame_of, write_atlas
from collapsi.census.atlas_files import seal
from collapsi.census.deals import count_deals, count_numberings, deal_at
from collapsi.census.different import class_of, count_different, representatives
from collapsi.census.fairness import OpeningRule, compare_opening_rules
from collapsi.census.games import GameCount, count_all_games
from collapsi.census.layers import JACKS, NUMBERED, DealAnswers, codes_of
from collapsi.census.lengths import Census, take_census, take_census_by_search
from collapsi.census.verify import verify
from collapsi.cli.census_tables import print_census
from collapsi.core.errors import AtlasError
from collapsi.core.players import Player
from collapsi.games.classic.made_up import classic_rules, with_options
from collapsi.site import examples
from collapsi.solving import reference as definition
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS
from tests.small_atlas import rows_of
from tests.test_big_facts import facts_by_hand
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collapsi import Rules

# Young, "Collapsi is strongly solved", arXiv 2507.16823: deals by plies.
PUBLISHED = {
    7: 525, 8: 9_705, 9: 641_520, 10: 1_248_372, 11: 19_830_630, 12: 7_652_868, 13: 16_279_812, 14: 1_633_818,
}  # fmt: skip
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
MANUAL = Path(__file__).parent.parent / "docs" / "atlas.md"


@cache
def census(name: str) -> Census:
    return take_census(FOR_TWO[name])


@cache
def games() -> GameCount:
    return count_all_games(STANDARD)


@cache
def fairness() -> list[OpeningRule]:
    return compare_opening_rules()


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """Without the possible games, which take long to count: those are in `tests/test_decks.py`."""
    return write_atlas(tmp_path_factory.mktemp("atlas"), census("standard"))


def test_the_papers_table_to_the_last_deal() -> None:
    found = census("standard")
    assert found.lengths == PUBLISHED
    assert found.red_wins == 36_752_487
    assert found.deals == 47_297_250
    assert found.to_json()["listed_deals"] == 15_765_750


def test_truly_different_deals_counted_in_two_ways() -> None:
    found = census("standard")
    assert found.different == burnside.count_different(STANDARD) == count_different()
    assert sum(found.classes.values()) == 1_982_769
    assert found.classes[7] == 25
    for jacks in JACKS:
        assert representatives(jacks.blue)[1].sum() == jacks.places * count_numberings()


def test_weights_of_the_distances() -> None:
    assert [(jacks.distance, jacks.places) for jacks in JACKS] == [(1, 4), (2, 6), (3, 4), (4, 1)]
    assert count_numberings() == len(codes_of(NUMBERED)) == 3_153_150
    assert count_deals() == 47_297_250


@pytest.mark.slow
def test_joker() -> None:
    """Red wins 37.5 %; the table is ours, found by layers and compared with the search below."""
    found = census("joker")
    assert round(100 * found.red_wins / found.deals, 1) == 37.5
    assert found.lengths == {
        7: 24, 8: 142_686, 9: 87_936, 10: 3_238_032,
        11: 5_505_996, 12: 23_147_802, 13: 12_127_044, 14: 3_047_730,
    }  # fmt: skip


@pytest.mark.slow
def test_choice_is_joker_two_plies_shorter() -> None:
    """Of all deals; of random ones in `tests/test_choice.py`."""
    joker, choice = census("joker"), census("choice")
    assert choice.lengths == {plies - 2: deals for plies, deals in joker.lengths.items()}
    assert choice.red_wins == joker.red_wins


@pytest.mark.parametrize("seed", range(3))
def test_choice_played_by_its_own_rules_is_that_game(seed: int) -> None:
    """Player's Choice straight: jacks gone, red picks a card, blue another, red moves. As the joker deal."""
    joker = deal(random.Random(seed), JOKER)
    cards = tuple(None if cell in joker.pawns else card for cell, card in enumerate(joker.cards))
    free = [cell for cell, card in enumerate(cards) if card is not None]
    starts = list(permutations(free, 2))
    solved = analyse_many([Position(cards, start, Player.RED, STANDARD) for start in starts])
    score = {start: analysis.score for start, analysis in zip(starts, solved, strict=True)}
    chosen = max(min(score[red, blue] for blue in free if blue != red) for red in free)
    assert chosen == analyse(joker).score
    plies = 14 - abs(chosen)
    assert plies == analyse(joker).plies - 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard", "joker"])
def test_layers_search_and_definition_agree(name: str) -> None:
    """With the official deck; with others in `tests/test_decks.py`."""
    found = verify(FOR_TWO[name], 400, np.random.default_rng(7))
    assert found.differences == []
    assert found.deals == 400
    assert found.positions > 20_000


def test_a_wrong_layer_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong values in the deals are seen by the search, wrong ones in small layers by the definition."""
    rules = classic_rules("standard@11,1,1,1")

    def wrong_deals(*_: Any, **__: Any) -> list[DealAnswers]:
        solved = take_census(rules).parts
        return [replace(one, moves={end: -values for end, values in one.moves.items()}) for one in solved]

    with monkeypatch.context() as patch:
        patch.setattr("collapsi.census.verify.solve_deals", wrong_deals)
        found = verify(rules, 20, np.random.default_rng(7))
    assert "by search" in found.differences[0]
    assert found.positions == 0, "the layers were not looked at"
    looked_at = []

    def wrong_score(position: Position) -> int:
        looked_at.append(position)
        return -position.cards_left

    monkeypatch.setattr(definition, "score", wrong_score)
    found = verify(rules, 1, np.random.default_rng(7))
    assert "by definition" in found.differences[0]
    assert found.positions == len(looked_at)


@pytest.mark.slow
def test_a_second_complete_census_by_search() -> None:
    found = take_census_by_search(STANDARD)
    assert found.lengths == PUBLISHED
    assert found.classes == census("standard").classes
    for one, two in zip(found.parts, census("standard").parts, strict=True):
        ranks = representatives(one.jacks.blue)[0]
        assert (one.answers[ranks] == two.answers[ranks]).all()
        for end, values in two.moves.items():
            assert (one.moves[end][ranks] == values[ranks]).all()


@pytest.mark.parametrize("rules", [STANDARD, pytest.param(JOKER, marks=pytest.mark.slow)], ids=str)
def test_any_deal_is_found_with_all_its_first_moves(rules: Rules) -> None:
    rng = random.Random(12)
    parts = {part.jacks.blue: part for part in census(rules.name).parts}
    for _ in range(5):
        blue, code = class_of(deal(rng, rules))
        rank = int(np.searchsorted(codes_of(NUMBERED), code))
        analysis = analyse(deal_at(blue, code, rules))
        assert parts[blue].answers[rank] == analysis.score
        assert {move.cell: move.score for move in analysis.moves} == {
            end: int(values[rank]) for end, values in parts[blue].moves.items()
        }


@pytest.mark.slow
def test_possible_games() -> None:
    """The total is ours; single deals are compared with the count for one position."""
    found = games()
    assert found.total == 4_941_085_937_496
    assert 100_000 < found.mean < 110_000
    assert (found.smallest, found.largest) == (1_876, 325_074)
    rng = random.Random(4)
    deals = [
        deal_at(jacks.blue, int(codes_of(NUMBERED)[rng.randrange(count_numberings())]), STANDARD)
        for jacks in JACKS * 8
    ]
    games_of = {part.jacks.blue: part.answers for part in found.parts}
    for position, count in zip(deals, count_games_many(deals), strict=True):
        blue, code = position.pawns[1], class_of(position)[1]
        assert games_of[blue][np.searchsorted(codes_of(NUMBERED), code)] == count


@pytest.mark.slow
def test_fairness_contains_both_published_rules() -> None:
    assert len(fairness()) == 64
    assert sum(len(rule.red_sets) * len(rule.blue_sets) for rule in fairness()) == 225
    for name in ("standard", "joker"):
        found = census(name)
        (rule,) = (rule for rule in fairness() if rule.is_for(FOR_TWO[name]))
        assert rule.rules == FOR_TWO[name]
        assert (rule.deals, rule.red_wins) == (found.deals, found.red_wins)
        assert rule.mean_plies == pytest.approx(sum(p * n for p, n in found.lengths.items()) / found.deals)
    unfairness = [rule.unfairness for rule in fairness()]
    assert unfairness == sorted(unfairness)


@pytest.mark.slow
def test_the_fairest_rule_has_a_census_of_its_own() -> None:
    best = fairness()[0]
    found = take_census(with_options(STANDARD, first_steps=(best.red_first, best.blue_first)))
    assert found.red_wins == best.red_wins
    played = found.rules
    for seed in range(3):
        blue, code = class_of(deal(random.Random(seed), played))
        part = next(part for part in found.parts if part.jacks.blue == blue)
        rank = int(np.searchsorted(codes_of(NUMBERED), code))
        assert part.answers[rank] == analyse(deal_at(blue, code, played)).score


# The atlas


def test_the_atlas_has_a_row_for_each_truly_different_deal(atlas: Atlas) -> None:
    frame = atlas.frame
    assert len(frame) == atlas.manifest["rows"] == 1_982_769
    assert frame["weight"].cast(pl.Int64).sum() == 47_297_250
    assert frame.columns[:7] == ["deal", "distance", "numbering", "weight", "winner", "plies", "score"]
    assert frame["deal"].n_unique() == len(frame)
    assert content_hash(frame) == "4111e34491f15fbb", "as when only this deck could be counted"
    moves = frame.select(pl.max_horizontal("to_b1", "to_d1", "to_a2", "to_a4")).to_series()
    assert (moves == frame["score"]).all()
    assert frame.filter(pl.col("winning_moves") == 0)["winner"].unique().to_list() == ["blue"]


def test_every_column_is_in_the_manual_and_in_the_atlases_of_tests(atlas: Atlas) -> None:
    columns = [name for name in atlas.manifest["columns"] if not name.startswith("card_")]
    assert {*rows_of(1, 1).columns} == {*columns, "games"}, "rows_of in tests/small_atlas.py makes them"
    table = re.findall(r"^\| (`.+?) \|", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    documented = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    one_of_many = {name for name in columns if not name.startswith("to_")} | {"to_b1", "card_a1"}
    assert documented == {*one_of_many, "games"}, "docs/atlas.md has a table of them"


def test_rows_are_what_the_solver_says(atlas: Atlas) -> None:
    rows = atlas.frame.sample(60, seed=5).to_dicts()
    for row, analysis in zip(rows, analyse_many([row["deal"] for row in rows]), strict=True):
        assert (row["winner"], row["plies"], row["score"]) == (
            str(analysis.winner),
            analysis.plies,
            analysis.score,
        )
        assert row["winning_moves"] == sum(move.wins for move in analysis.moves)
        for move in analysis.moves:
            assert row[f"to_{move.to}"] == move.score
        assert format_position(analysis.position) == row["deal"]


def test_a_deal_is_found_in_every_orientation(atlas: Atlas) -> None:
    position = deal(random.Random(8))
    found = atlas.find(position)
    assert found.score == analyse(position).score
    assert found.games is None
    assert atlas.find(found.deal) == found
    for symmetry in symmetries(position.board)[::17]:
        assert class_of(transform(position, symmetry)) == class_of(position)
    for symmetry in symmetries(position.board)[::61]:
        assert atlas.find(transform(position, symmetry)) == found


def test_many_positions_are_found_at_once(atlas: Atlas) -> None:
    rng = random.Random(9)
    deals = [deal(rng) for _ in range(300)]
    later = deals[0].play(deals[0].moves[0])
    asked = [deals[0], later, *deals[1:], deals[5].text]
    found = atlas.find_many(asked)
    assert found["deal"].to_list() == [
        None if position is later else atlas.find(position).deal for position in asked
    ]
    expected = analyse_many(asked)
    assert found["score"].to_list() == [analysis.score for analysis in expected]
    assert found["plies"].to_list() == [analysis.plies for analysis in expected]
    assert found["winner"].to_list() == [str(analysis.winner) for analysis in expected]
    assert atlas.find_many([]).is_empty()
    assert atlas.find_many([later])["score"].to_list() == [expected[1].score]
    with pytest.raises(AtlasError, match="atlas of standard rules, but the deal is for joker"):
        atlas.find_many([deals[0], f"{EXAMPLE} joker"])


def test_the_cards_are_columns_too(atlas: Atlas) -> None:
    rows = atlas.frame.gather_every(150_000)
    for row in rows.iter_rows(named=True):
        position = parse_position(row["deal"])
        squares = map(position.board.square, range(16))
        assert [row[f"card_{square}"] for square in squares] == list(position.cards)


def test_only_whole_deals_are_looked_up(atlas: Atlas) -> None:
    with pytest.raises(AtlasError, match="not a whole deal"):
        atlas.find(f"{EXAMPLE} d1")
    with pytest.raises(AtlasError, match="atlas of standard rules, but the deal is for joker"):
        atlas.find(f"{EXAMPLE} joker")
    with pytest.raises(AtlasError, match="7 aces"):
        atlas.find("AAAA/4A2Jr/3A23/Jb3A4 r")


def test_a_deal_of_a_kind_is_drawn(atlas: Atlas) -> None:
    rng = random.Random(4)
    for wanted in ({"plies": 7}, {"plies": 12}, {"winning_moves": 1, "plies": 9}, {"winner": "blue"}, {}):
        for _ in range(3):
            found = analyse(atlas.draw(rng, **wanted))
            for name, value in wanted.items():
                winning = sum(move.wins for move in found.moves)
                assert (
                    value
                    == {"plies": found.plies, "winning_moves": winning, "winner": str(found.winner)}[name]
                )
    with pytest.raises(AtlasError, match="there is no deal with plies 3"):
        atlas.draw(rng, plies=3)


def test_every_deal_of_a_kind_is_equally_likely(atlas: Atlas) -> None:
    """The 25 truly different deals of seven plies, drawn by their weights: 21 each if all were alike."""
    rng = random.Random(6)
    drawn = Counter(atlas.find(atlas.draw(rng, plies=7)).deal for _ in range(500))
    rows = atlas.filter(plies=7)
    total = rows["weight"].sum()
    assert total == 525
    surprise = sum(
        (drawn[deal] - 500 * weight / total) ** 2 / (500 * weight / total)
        for deal, weight in rows.select("deal", "weight").iter_rows()
    )
    assert surprise < 60  # chi squared with 24 degrees of freedom exceeds this once in ten thousand


def test_the_page_without_a_service_knows_the_same_of_a_deal(atlas: Atlas) -> None:
    """It has no atlas there, and works it out."""
    rng = random.Random(8)
    page = examples.ready("standard")
    for _ in range(20):
        dealt = deal(rng)
        assert page.find(dealt) == atlas.find(dealt).to_json()
    assert page.kinds == [
        {**kind, "winner": str(kind["winner"])} for kind in atlas.kinds().iter_rows(named=True)
    ]


def test_kinds_add_up(atlas: Atlas) -> None:
    kinds = atlas.kinds()
    assert kinds["deals"].sum() == 47_297_250
    assert kinds["different"].sum() == 1_982_769
    for row in kinds.iter_rows(named=True):
        assert (row["winner"] == "red") == (row["winning_moves"] > 0) == (row["plies"] % 2 == 1)
        few = atlas.filter(plies=row["plies"], winning_moves=row["winning_moves"])
        assert (len(few), few["weight"].sum()) == (row["different"], row["deals"])


def test_questions_by_filter_and_sql(atlas: Atlas) -> None:
    assert len(atlas.filter(plies=7, winner="red")) == 25
    assert len(atlas.filter(pl.col("winning_moves") > 3)) > 0
    table = atlas.sql("select plies, sum(weight) as deals from deals group by plies order by plies")
    assert dict(table.iter_rows()) == PUBLISHED
    plies = atlas.sql("select sum(weight * plies) from deals").item()
    assert plies == sum(length * deals for length, deals in PUBLISHED.items()), (
        "numbers have room to be multiplied"
    )
    with pytest.raises(AtlasError, match="read-only"):
        atlas.sql("delete from deals where plies = 7")
    with pytest.raises(AtlasError, match="nonsense"):
        atlas.sql("select nonsense from deals")


def test_the_content_hash_knows_rows_not_their_order(atlas: Atlas) -> None:
    frame = atlas.frame.head(1000)
    assert content_hash(frame) == content_hash(frame.reverse())
    assert content_hash(frame) != content_hash(frame.head(999))
    changed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 5).then(-pl.col("score")).otherwise(pl.col("score")).alias("score")
    )
    assert content_hash(frame) != content_hash(changed)
    assert atlas.manifest["content_hash"] == content_hash(frame_of(census("standard")))


def test_a_forged_manifest_is_noticed(tmp_path: Path, atlas: Atlas) -> None:
    (tmp_path / atlas.path.name).symlink_to(atlas.path)
    manifest = {**atlas.manifest, "rows": 5, "lengths": {"7": 1}}
    (tmp_path / "manifest.json").write_bytes(seal(manifest))
    assert [fault.split(":")[0] for fault in Atlas(tmp_path).faults()] == ["rows", "lengths"]
    manifest = {**atlas.manifest, "rules": "joker", "red_first": [1, 2, 3, 4], "blue_first": [1, 2, 3, 4]}
    (tmp_path / "manifest.json").write_bytes(seal(manifest))
    assert "by the solver" in next(Atlas(tmp_path).faults())
    manifest = {**atlas.manifest, "rules": "joker"}
    (tmp_path / "manifest.json").write_bytes(seal(manifest))
    assert "that is not joker" in next(Atlas(tmp_path).faults())


def test_an_atlas_is_not_overwritten(atlas: Atlas) -> None:
    assert "add --force" in refused("census", "--out", str(atlas.folder))


def test_folders_that_cannot_be_written() -> None:
    assert "cannot write to" in refused("census", "--out", "/proc/nowhere/atlas")


def test_a_full_disk_loses_nothing(tmp_path: Path, atlas: Atlas, monkeypatch: pytest.MonkeyPatch) -> None:
    small = atlas.frame.head(100)
    monkeypatch.setattr("collapsi.census.atlas.frame_of", lambda *_: small)
    write_atlas(tmp_path, census("standard"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(*_: Any) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("collapsi.census.atlas.frame_of", lambda *_: atlas.frame.head(200))
    for step in ("replace_atomically", "write_atomically"):
        with monkeypatch.context() as patch:
            patch.setattr(f"collapsi.census.atlas_files.{step}", full)
            with pytest.raises(AtlasError, match="No space left on device"):
                write_atlas(tmp_path, census("standard"), force=True)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


FULL = """
import resource, sys
from pathlib import Path
import numpy as np, polars as pl
from collapsi.census import atlas
from collapsi.census.lengths import Census
from collapsi.games.classic.rules import STANDARD
noise = np.random.default_rng(1).integers(0, 120, (200_000, 2)).astype(np.int64)
frame = pl.DataFrame({"weight": noise[:, 0], "plies": noise[:, 1]})
atlas.frame_of = lambda *_: frame
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    atlas.write_atlas(Path(sys.argv[1]), Census(STANDARD, (), {}, {}, 0, 0, None))
except atlas.AtlasError as error:
    print(error)
"""


def test_a_real_file_that_cannot_grow_is_one_clear_line(tmp_path: Path) -> None:
    """As on a full disk, the writing itself fails, inside Polars."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"cannot write the atlas to {tmp_path}: ")
    assert list(tmp_path.iterdir()) == []


# The command


@pytest.mark.parametrize("anew", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_census_command(monkeypatch: pytest.MonkeyPatch, *, anew: bool) -> None:
    """What it says of the census that was taken above; or of one that it takes itself."""
    if not anew:
        monkeypatch.setattr("collapsi.census.lengths.take_census", lambda rules, **_: census(rules.name))
    data = json.loads(ok("census", "--json"))
    assert {row["plies"]: row["deals"] for row in data["lengths"]} == PUBLISHED
    assert data["red_wins"] == 36_752_487
    assert data["peak_bytes"] > 0


def test_the_census_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_census(census("standard"))
    text = capsys.readouterr().out
    assert "    7  red            525    0.0011               25\n" in text
    assert "red wins     36,752,487  77.71 %" in text
    assert "47,297,250 deals, of which the paper lists 15,765,750; 1,982,769 are truly different" in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_what_the_census_refuses() -> None:
    assert "'magic' is not one of 'layers', 'search'" in refused("census", "--method", "magic")
    assert "--method search does not go with --games" in refused("census", "--method", "search", "--games")
    assert "--verify does not go with --games" in refused("census", "--verify", "5", "--games")
    assert "start anywhere" in refused("census", "--rules", "choice", "--red-first", "1")


def test_too_little_memory_is_said_before_work_starts() -> None:
    command = f'ulimit -v 1500000; "{sys.executable}" -m collapsi census --rules joker'
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=HANG_SECONDS
    )
    assert done.returncode == 2
    assert re.fullmatch(
        r"collapsi: joker needs about 3\.\d GB of memory, and 1\.\d GB are free\n", done.stderr
    )


# The report


@pytest.mark.slow
def test_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the official deck, with the published figures; what it looks like: `tests/test_report.py`."""
    monkeypatch.setattr("collapsi.report.findings.SOLO_SAMPLE", 10)  # sampled decks are not compared here
    from collapsi.census.lab.facts import find_facts as find_facts_of_decks
    from collapsi.census.lab.orders import OFFICIAL
    from collapsi.facts.shifting.facts import find_facts
    from collapsi.report.findings import Findings, solo_decks
    from collapsi.report.page import write_report
    from collapsi.report.shifting_tables import standard_apart
    from collapsi.report.strategy_tables import find_strategy

    strategy = find_strategy(60, 4, 2)
    assert find_strategy(60, 4, 2, jobs=1) == strategy, "the same samples every time"
    frame = frame_of(census("standard"), games())
    apart = standard_apart(frame)
    decks = find_facts_of_decks(STANDARD, (OFFICIAL, (5, 4, 3, 2)))
    assert (decks[0].deals, decks[0].lengths) == (sum(PUBLISHED.values()), PUBLISHED)
    shifting = find_facts(1, 1, exact=[apart])
    findings = Findings(
        frame, frame_of(census("joker")), fairness(), strategy, shifting, facts_by_hand(), decks
    )
    page = write_report(tmp_path / "report", findings)
    html = page.read_text(encoding="utf-8")
    for piece in (
        "77.7 %",
        "47,297,250",
        "12,612,600",
        "19,830,630",
        "23,147,802",
        "25 up to all symmetries",
    ):
        assert piece in html
    lengths = pl.read_csv(page.parent / "lengths.csv")
    assert dict(zip(lengths["plies"], lengths["standard_deals"], strict=True)) == PUBLISHED
    chapter = unescape(html.partition("Four distances")[2].partition("<h2>")[0])
    query = re.findall(r'collapsi atlas sql --atlas standard "(.*?)"</div>', chapter)[0]
    found = pl.SQLContext(deals=frame, eager=True).execute(query)
    shown = findings.distances()
    assert found["cells"].cast(int).to_list() == shown["cells"].to_list()
    assert found["deals"].to_list() == shown["standard_deals"].to_list()
    assert write_report(page.parent, findings, force=True).read_text(encoding="utf-8") == html, (
        "the same bytes every time"
    )
    assert findings.guesses()["right_percent"][0] == pytest.approx(
        100 * findings.red_share(findings.standard)
    )
    assert findings.games()["games"][0] == games().total
    assert apart.deals == 9 * 3_153_150, (
        "the deals with red's jack in one place and blue's in no line with it"
    )
    by_distance = shown["standard_red_percent"].to_list()
    share = (4 * by_distance[1] + 4 * by_distance[2] + by_distance[3]) / 9
    assert 100 * apart.red.share == pytest.approx(share), (
        "distance 2 is six cells, of which four are in no line"
    )
    assert len(findings.shortest()) == 25
    official = solo_decks().row(by_predicate=pl.col("deck") == "official", named=True)
    assert (official["layouts"], official["open_percent"], official["closed_percent"]) == (1120, 100.0, 97.1)


def test_compiling_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    from collapsi.cli import progress

    progress._say_compiling.cache_clear()
    progress.say_if_compiling(ready=True)
    assert capsys.readouterr().err == ""
    for _ in range(3):
        progress.say_if_compiling(ready=False)
    assert capsys.readouterr().err.count("this first time only") == 1
