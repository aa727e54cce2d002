"""The example that learns by self-play: its parts, a short run, and what a longer one reaches."""

from __future__ import annotations

import csv
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collapsi import batch, parse_position, symmetries, transform
from collapsi.batch import PositionBatch
from collapsi.play.strategy.samples import Split, draw_sample
from tests.test_cli import EXAMPLE

EXAMPLE_FILE = Path(__file__).parent.parent / "examples" / "learn_by_self_play.py"
CURVE = EXAMPLE_FILE.parent.parent / "docs" / "learning.csv"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE_FILE))


def test_the_example_runs(
    example: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    curve, weights = tmp_path / "curve.csv", tmp_path / "weights.npz"
    words = ["--games", "300", "--measure", "60", "--out", str(curve), "--save", str(weights)]
    example["main"](words)
    first, header, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("random moves keep ")
    assert header.split() == ["games", "CPU", "s", "kept", "wins", "%"]
    assert [line.split()[0] for line in lines] == ["0", "300"]
    with curve.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["games"] for row in rows] == ["0", "300"]
    sample = draw_sample(Split.FRESH, 60, np.random.default_rng([1, 1]))
    kept = example["kept_wins"](example["Network"].load(weights), sample)
    assert f"{kept.value:.4f}" == rows[-1]["kept"]
    assert f"{example['chance'](sample).value:.4f}" == rows[-1]["chance"]


def test_the_network_sees_the_board_from_its_pawn(example: dict[str, Any]) -> None:
    """Moved over the edges, a position looks the same; so do the values of its moves."""
    position = parse_position(EXAMPLE).play("a2").play("b4")
    moved = transform(position, tuple((cell // 4 + 1) % 4 * 4 + (cell + 2) % 4 for cell in range(16)))
    states = PositionBatch.of([position, moved])
    first, second = example["inputs_of"](states, states.legal())
    assert (first == second).all()
    network = example["Network"](np.random.default_rng(1))
    values = example["move_values"](network, states, states.legal())
    assert np.allclose(np.sort(values[0]), np.sort(values[1]))
    assert ((values > -2) == states.legal()).all()


def test_symmetries_keep_the_first_cell_and_the_number_of_cards(example: dict[str, Any]) -> None:
    turns = example["TURNS"]
    assert len(turns) == len(symmetries(parse_position(EXAMPLE).board)) // 16 == 24
    assert (turns[:, 0] == 0).all()


def test_a_win_at_once_is_worth_one(example: dict[str, Any]) -> None:
    states = PositionBatch.of([parse_position("..../.2r../.Ab../.2.. r")])
    network = example["Network"](np.random.default_rng(1))
    values = example["move_values"](network, states, states.legal())
    assert values[0, 13] == 1
    assert (np.delete(values[0], 13) == -2).all()


def test_gradients_are_slopes(example: dict[str, Any]) -> None:
    """A step of training lowers the cross-entropy of what it trains on."""
    rng = np.random.default_rng(1)
    network = example["Network"](rng)
    found = example["play_round"](network, 50, rng)
    assert set(np.abs(found.targets) <= 1) == {True}

    def loss() -> float:
        likely = (1 + network.values(found.inputs)) / 2
        wanted = (1 + found.targets) / 2
        return -float((wanted * np.log(likely) + (1 - wanted) * np.log(1 - likely)).mean())

    losses = [loss()]
    for _ in range(20):
        network.train(found.inputs, found.targets, 0.001)
        losses.append(loss())
    assert losses == sorted(losses, reverse=True)


def test_the_curve_of_the_manual_rises_clearly_above_chance() -> None:
    with CURVE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kept, margins = ([float(row[name]) for row in rows] for name in ("kept", "margin"))
    assert kept[-1] - margins[-1] > kept[0] + margins[0]
    assert kept[-1] - margins[-1] > float(rows[-1]["chance"]) + 0.2
    assert float(rows[-1]["cpu_seconds"]) < 300


@pytest.mark.slow
def test_a_network_learns(example: dict[str, Any]) -> None:
    """In about ten seconds of CPU time it keeps many more wins than random moves."""
    rng = np.random.default_rng(1)
    sample = draw_sample(Split.FRESH, 2000, np.random.default_rng(2))
    *_, last = example["learn"](example["Network"](rng), 120_000, sample, rng)
    assert last.kept.value > example["chance"](sample).value + 0.12


def test_random_choice_stays_among_the_allowed() -> None:
    allowed = np.random.default_rng(1).random((500, 16)) < 0.3
    allowed[~allowed.any(axis=1), 5] = True
    for seed in range(3):
        assert allowed[np.arange(500), batch.choose(allowed, np.random.default_rng(seed))].all()
