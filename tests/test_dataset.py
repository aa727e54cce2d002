"""Datasets: rows against the library, splits without leaks, the same bytes from any run, loading."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import collapsi
from collapsi.api import json_types
from collapsi.cli import run as run_here
from collapsi.core.errors import BusyError, CollapsiError, OutputError
from collapsi.ecosystem.arena import make_arena
from collapsi.study import parts
from collapsi.study.dataset import folder as folders
from collapsi.study.dataset import games
from collapsi.study.dataset import plan as plans
from collapsi.study.dataset.card import LOADING
from collapsi.study.dataset.folder import make_dataset
from collapsi.study.dataset.games import positions_of
from collapsi.study.dataset.plan import SPLITS, DatasetPlan, Source, make_plan
from collapsi.study.dataset.rows import COLUMNS
from collapsi.system.files import FolderLock, write_atomically
from tests.fitting import fitting

if TYPE_CHECKING:
    from collapsi.study.dataset.result import Progress

PLAN = DatasetPlan("standard", 7, 1000, 300)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of five parts."""
    folder = tmp_path_factory.mktemp("dataset") / "made"
    make_dataset(folder, PLAN, jobs=1)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows_of(folder: Path, split: str) -> pl.DataFrame:
    return pl.read_parquet(folder / "data" / split / "*.parquet")


def bits(mask: int) -> set[int]:
    return {cell for cell in range(16) if mask >> cell & 1}


# Rows


def check_row(row: dict[str, Any], rules: str) -> None:
    """Compare a row with what the library says of its position."""
    position = collapsi.parse_position(row["position"])
    assert (position.text, position.rules.name, position.faults) == (row["position"], rules, ())
    assert row["cards"] == [0 if card is None else card + 1 for card in position.cards]
    assert (row["red"], row["blue"], row["to_move"]) == (*position.pawns, str(position.to_move))
    assert bits(row["legal"]) == set(position.moves) != set()
    moves = {move.move: move for move in collapsi.analyse(position).moves}
    for cell in range(16):
        value, plies = row["move_values"][cell], row["move_plies"][cell]
        if cell not in moves:
            assert value == plies == 0
            continue
        outcome = moves[cell].outcome
        assert (abs(value), value > 0, plies) == (abs(outcome.score), moves[cell].wins, outcome.plies)
    assert row["value"] == max(value for value in row["move_values"] if value)
    assert bits(row["best"]) == {
        cell for cell, value in enumerate(row["move_values"]) if value == row["value"]
    }
    assert row["ply"] == 1 + position.cards.count(None)
    assert row["symmetry_class"] == position.symmetry_class
    assert (row["deal_class"] == row["symmetry_class"]) == (row["ply"] == 1)


def test_rows_say_what_the_library_says(made: Path) -> None:
    rows = rows_of(made, "train")
    assert rows.schema == {name: kind for name, (kind, _) in COLUMNS.items()}
    for row in rows.sample(150, seed=1).iter_rows(named=True):
        check_row(row, "standard")


@pytest.mark.parametrize("rules", ["joker", "choice", "1,3|2", "standard@5,4,3,2"])
def test_rows_of_other_rules(rules: str, tmp_path: Path) -> None:
    make_dataset(tmp_path, make_plan(rules, positions=20, seed=3), jobs=1)
    for split in SPLITS:
        for row in rows_of(tmp_path, split).iter_rows(named=True):
            check_row(row, rules)


@pytest.mark.slow
def test_every_row_of_a_larger_dataset(tmp_path: Path) -> None:
    make_dataset(tmp_path, make_plan("standard", positions=20_000, seed=1))
    for split in SPLITS:
        for row in rows_of(tmp_path, split).iter_rows(named=True):
            check_row(row, "standard")


def test_positions_are_games_from_their_deals(made: Path) -> None:
    """Each row that is no deal is reached by a move from the row before it."""
    rows = rows_of(made, "train").head(200).rows(named=True)
    assert rows[0]["ply"] == 1
    for before, row in pairwise(rows):
        if row["ply"] > 1:
            position = collapsi.parse_position(before["position"])
            assert row["position"] in {position.play(move).text for move in position.moves}
            assert (row["deal_class"], row["source"]) == (before["deal_class"], before["source"])


def test_sources_play_as_they_are_described(made: Path) -> None:
    """Of moves in positions where a random one may be worse, the share that is best tells the source."""
    rows = pl.concat([rows_of(made, split) for split in SPLITS]).rows(named=True)
    best: dict[str, list[bool]] = {source: [] for source in Source}
    for before, row in pairwise(rows):
        if row["ply"] == before["ply"] + 1 and before["legal"] != before["best"]:
            pawn = row[before["to_move"]]
            best[before["source"]].append(bool(before["best"] >> pawn & 1))
    shares = {source: sum(found) / len(found) for source, found in best.items()}
    assert all(len(found) > 100 for found in best.values())
    assert shares[Source.RANDOM] < 0.5 < shares[Source.LEVELS] < shares[Source.SLIPS]
    assert 0.7 < shares[Source.SLIPS] < 0.9  # three quarters, and some of the random moves


def test_planes_of_a_row_are_those_of_the_adapters(made: Path) -> None:
    """The recipe of the manual, run as it stands there."""
    page = (Path(__file__).parent.parent / "docs" / "dataset.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(import numpy.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {"rows": rows_of(made, "test")}
    exec(recipe, names)  # noqa: S102 - our own manual
    arena = make_arena("standard")
    for number, text in enumerate(names["rows"]["position"]):
        position = collapsi.parse_position(text)
        expected = arena.planes(position.cards, position, position.to_move)
        assert (names["planes"][number] == expected).all(), text


# Splits


def test_no_deal_leaks_between_splits(made: Path) -> None:
    """Not in any orientation: the classes of the deals are disjoint, and so are those of other seeds."""
    assert {split: len(rows_of(made, split)) for split in SPLITS} == PLAN.sizes
    seen: dict[str, set[int]] = {split: set(rows_of(made, split)["deal_class"]) for split in SPLITS}
    assert all(len(classes) > 5 for classes in seen.values())
    assert len(set.union(*seen.values())) == sum(map(len, seen.values()))


def test_a_turned_deal_is_in_the_same_split() -> None:
    """Every symmetry of a deal gives the same class, by which the split is chosen."""
    import numpy as np

    from collapsi.batch.positions import PositionBatch, deal
    from collapsi.core.symmetry import symmetries
    from collapsi.games.classic.rules import STANDARD
    from collapsi.play.strategy.samples import class_codes, tenth_of
    from collapsi.study.dataset.rows import symmetry_classes

    dealt = deal(20, np.random.default_rng(1))
    for way in symmetries(STANDARD.board)[::7]:
        turned = np.zeros_like(dealt.cards)
        turned[:, way] = dealt.cards
        roots = dealt.roots.copy()
        roots[:, 1:3] = np.array(way)[dealt.roots[:, 1:3]]
        image = PositionBatch(STANDARD, turned, roots)
        assert (tenth_of(class_codes(image)) == tenth_of(class_codes(dealt))).all()
        assert (symmetry_classes(image) == symmetry_classes(dealt)).all()


# Reproducible, resumable, whole


def test_threads_and_stops_change_nothing(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that stops after two parts, and one that resumes on two threads: the same bytes."""

    class Stopped(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.parts == 2:
            raise Stopped

    with pytest.raises(Stopped):
        make_dataset(tmp_path / "other", PLAN, jobs=1, progress=stop)
    assert not (tmp_path / "other" / "data").exists()
    assert not (tmp_path / "other" / "README.md").exists()
    played = []

    def play(plan: DatasetPlan, task: plans.SplitPart) -> Any:
        played.append(task)
        return positions_of(plan, task)

    monkeypatch.setattr(folders, "positions_of", play)
    found = make_dataset(tmp_path / "other", PLAN, jobs=2)
    assert len(played) == 3
    assert found.remade == ()
    assert contents(tmp_path / "other") == contents(made)


def test_progress_counts_positions_and_room_is_needed_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that stops after two parts, and the next."""

    class Stopped(Exception):
        pass

    told: list[Progress] = []
    room: list[int] = []

    def stop(progress: Progress) -> None:
        told.append(progress)
        if progress.parts == 2:
            raise Stopped

    monkeypatch.setattr(games, "GAMES", 10)
    monkeypatch.setattr(folders, "check_disk_space", lambda _path, size: room.append(size))
    plan = DatasetPlan("standard", 7, 100, 30)
    with pytest.raises(Stopped):
        make_dataset(tmp_path, plan, jobs=1, progress=stop)
    make_dataset(tmp_path, plan, jobs=1, progress=told.append)
    steps = list(dict.fromkeys((each.parts, each.of, each.positions) for each in told))
    assert steps == [(0, 5, 0), (1, 5, 30), (2, 5, 60), (3, 5, 80), (4, 5, 90), (5, 5, 100)]
    assert room == [100 * folders.BYTES_A_ROW, 40 * folders.BYTES_A_ROW]


KILLED = """
import sys
from pathlib import Path
from collapsi.study.dataset.folder import make_dataset
from tests.test_dataset import PLAN
make_dataset(Path(sys.argv[1]), PLAN, jobs=2)
"""


@pytest.mark.slow
@pytest.mark.parametrize("files", range(6))
def test_a_run_that_is_killed_leaves_no_half_dataset(files: int, made: Path, tmp_path: Path) -> None:
    """Killed when so many parts are there, or at the very end: the next run completes it, byte for byte."""
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)])
    while process.poll() is None and len(list(tmp_path.rglob("part-*"))) < files:
        time.sleep(0.001)
    process.kill()
    process.wait()
    if (tmp_path / "data").exists():
        assert {name for name in contents(tmp_path) if name.startswith("data")} == {
            name for name in contents(made) if name.startswith("data")
        }
    make_dataset(tmp_path, PLAN, jobs=1)
    assert contents(tmp_path) == contents(made)


def test_the_rows_of_a_seed_are_as_they_were(made: Path) -> None:
    """What changes them, such as another card of rules, is a new `FORMAT`: no dataset mixes two of them."""
    rows = json.dumps([rows_of(made, split).to_dicts() for split in SPLITS])
    assert (plans.FORMAT, hashlib.sha256(rows.encode()).hexdigest()[:16]) == (1, "0a51364d810fc593")


def test_a_larger_dataset_begins_with_the_same_rows(made: Path, tmp_path: Path) -> None:
    make_dataset(tmp_path, DatasetPlan("standard", 7, 100, 300), jobs=1)
    for split, size in {"train": 80, "validation": 10, "test": 10}.items():
        assert rows_of(tmp_path, split).equals(rows_of(made, split).head(size))


def test_another_seed_gives_other_rows(made: Path, tmp_path: Path) -> None:
    make_dataset(tmp_path, DatasetPlan("standard", 8, 100, 300), jobs=1)
    assert not set(rows_of(tmp_path, "train")["deal_class"]) & set(rows_of(made, "train")["deal_class"])


@pytest.mark.parametrize("damage", ["changed", "cut", "removed"])
def test_a_damaged_part_is_made_again(damage: str, made: Path, tmp_path: Path) -> None:
    for name, content in contents(made).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    victim = sorted((tmp_path / "data" / "train").iterdir())[1]
    changed = bytearray(victim.read_bytes())
    changed[len(changed) // 2] ^= 1
    if damage == "removed":
        victim.unlink()
    else:
        victim.write_bytes(changed if damage == "changed" else changed[:-1])
    found = make_dataset(tmp_path, PLAN, jobs=1)
    assert found.remade == (() if damage == "removed" else (victim.name,))
    assert contents(tmp_path) == contents(made)


def test_a_full_disk_is_one_line_and_loses_nothing(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def full(path: Path, content: bytes) -> None:
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        written.append(path)
        write_atomically(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(parts, "write_atomically", full)
        with pytest.raises(OutputError, match="No space left on device; finished parts are stored, and the"):
            make_dataset(tmp_path, PLAN, jobs=1)
    assert not (tmp_path / "data").exists()
    make_dataset(tmp_path, PLAN, jobs=1)
    assert contents(tmp_path) == contents(made)


def test_other_folders_are_refused(made: Path, tmp_path: Path) -> None:
    before = contents(made)
    with pytest.raises(
        parts.StudyError, match=r"holds another dataset \(standard, seed 7, 1,000 positions, not"
    ):
        make_dataset(made, DatasetPlan("standard", 8, 1000, 300))
    with FolderLock(made), pytest.raises(BusyError):
        make_dataset(made, PLAN)
    (tmp_path / "dataset.json").write_text("{")
    with pytest.raises(parts.StudyError, match="is damaged"):
        make_dataset(tmp_path, PLAN)
    with pytest.raises(CollapsiError, match="at least 10 positions"):
        make_plan("standard", positions=9)
    assert make_plan("standard", positions=10).sizes == {"train": 8, "validation": 1, "test": 1}
    with pytest.raises(CollapsiError, match="a dataset of positions is not supported for shift: use"):
        make_plan("shift", positions=100)
    with pytest.raises(CollapsiError, match="needs the 4×4 board"):
        make_plan("joker@3x4", positions=100)
    assert contents(made) == before


def test_an_error_in_a_part_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "positions_of", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make_dataset(tmp_path, PLAN, jobs=2)


# Card, checksums, loading


def test_checksums_and_card(made: Path) -> None:
    sums = (made / "SHA256SUMS").read_text()
    listed = {name: digest for digest, name in (line.split("  ") for line in sums.splitlines())}
    assert listed == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents(made).items()
        if name.startswith("data/")
    }
    card = (made / "README.md").read_text()
    assert hashlib.sha256(sums.encode()).hexdigest() in card
    assert "--positions 1000 --rules 'standard' --seed 7" in card
    assert card.startswith("---\nlicense: mit\n")
    for name in COLUMNS:
        assert f"| `{name}` |" in card
    for split, size in PLAN.sizes.items():
        assert f"| `{split}` | {size} |" in card


@pytest.mark.parametrize("library", LOADING)
def test_the_card_says_how_to_load_it(library: str, made: Path, tmp_path: Path) -> None:
    """The code of the card, run in the folder of the dataset in a process of its own."""
    modules = {"Polars": "polars", "PyArrow": "pyarrow", "DuckDB": "duckdb", "datasets": "datasets"}
    pytest.importorskip(modules[library])
    counted = {
        "Polars": "len(train)",
        "PyArrow": "train.num_rows",
        "DuckDB": "duckdb.sql(\"select count(*) from 'data/train/*.parquet'\").fetchall()[0][0]",
        "datasets": "dataset['train'].num_rows",
    }
    code = f"{LOADING[library]}\nprint({counted[library]})"
    assert LOADING[library] in (made / "README.md").read_text()
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=made, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1:] == ["800"], done.stderr


def test_libraries_read_the_same_values(made: Path) -> None:
    """In a process of its own: DuckDB prints to standard error when Python ends."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    names = ["position", "cards", "move_values", "move_plies", "legal", "symmetry_class", "source"]
    code = f"""
import duckdb, json, pyarrow.dataset
names = {names}
print(json.dumps(pyarrow.dataset.dataset("data/train").to_table(columns=names).to_pylist()))
rows = duckdb.sql(f"select {{', '.join(names)}} from 'data/train/*.parquet'").fetchall()
print(json.dumps([dict(zip(names, row)) for row in rows]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=made, capture_output=True, text=True, check=True)
    rows = rows_of(made, "train").select(names).to_dicts()
    arrow, duck = map(json.loads, done.stdout.splitlines())
    assert arrow == rows
    assert duck == rows


# The command


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["dataset", "--out", str(tmp_path / "d"), "--positions", "50", "--jobs", "1"]
    assert run_here([*typed, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    fitting(json_types.Dataset, facts)
    assert facts["positions"] == 50 == sum(facts["sources"].values())
    assert {name: split["positions"] for name, split in facts["splits"].items()} == {
        "train": 40, "validation": 5, "test": 5,
    }  # fmt: skip
    plan = json.loads((tmp_path / "d" / "dataset.json").read_text())
    assert fitting(json_types.DatasetPlan, plan) == {
        "format": plans.FORMAT, "rules": "standard", "seed": 1, "positions": 50, "part": plans.PART,
    }  # fmt: skip
    (victim,) = (tmp_path / "d" / "data" / "test").iterdir()
    victim.write_bytes(b"")
    assert run_here(typed) == 0
    said = capsys.readouterr()
    assert said.err == f"collapsi: {victim.name} was damaged and has been made again\n"
    assert "train              40" in said.out
    assert run_here(["dataset", "--out", str(tmp_path / "d"), "--positions", "60"]) == 2
    assert "holds another dataset (standard, seed 1, 50 positions, not standard" in capsys.readouterr().err


def test_parquet_is_read_back_as_written(made: Path) -> None:
    path = next((made / "data" / "train").iterdir())
    frame = pl.read_parquet(io.BytesIO(path.read_bytes()))
    assert not any(frame.null_count().row(0))
