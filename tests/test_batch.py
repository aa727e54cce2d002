"""Batches of games, compared with the naive twin, with positions as objects and with arenas."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import collapsi
from collapsi import CollapsiError, IllegalMoveError, batch, parse_position, parse_rules
from collapsi.batch import Games, PositionBatch
from collapsi.batch.positions import best_of
from collapsi.ecosystem.arena import make_arena
from collapsi.games.levels import Level
from collapsi.play.strategy.ladder import choose_many
from collapsi.play.strategy.players import character
from tests import naive
from tests.test_cli import EXAMPLE

RULES = ["standard", "joker", "choice", "1,3|2", "standard@5,4,3,2", "joker@3x4", "choice@2x3"]
"""First moves, decks and boards of the classic game."""


def naive_of(position: Any) -> naive.Naive:
    return naive.read(position.text.partition("@")[0])


def play_with_the_twin(games: Games, twins: list[naive.Naive]) -> int:
    """Play games to their ends at random, each beside its naive twin; return the number of plies."""
    rng = np.random.default_rng(7)
    plies = 0
    while not games.over.all():
        for twin, mask, won in zip(twins, games.legal.tolist(), games.won.tolist(), strict=True):
            ends = naive.ends(twin)
            assert [divmod(cell, 4) for cell in range(16) if mask[cell]] == sorted(ends)
            assert won == ([False] * 2 if ends else [twin.to_move == 1, twin.to_move == 0])
        ends_played = batch.choose(games.legal, rng)
        going = (~games.over).tolist()
        games.step(ends_played)
        for index, end in enumerate(ends_played.tolist()):
            if going[index]:
                twins[index] = naive.play(twins[index], divmod(end, 4))
                plies += 1
    positions = games.positions
    for index in range(0, len(games), 97):
        assert naive_of(positions.position(index)) == twins[index]
    assert (positions.face_up == [len(twin.cards) for twin in twins]).all()
    assert (positions.movers == [twin.to_move for twin in twins]).all()
    return plies


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        ("standard", 200),
        ("joker", 50),
        ("choice", 50),
        ("standard@5,4,3,2", 50),
        pytest.param("standard", 60_000, marks=pytest.mark.slow),
        pytest.param("joker", 15_000, marks=pytest.mark.slow),
        pytest.param("choice", 15_000, marks=pytest.mark.slow),
        pytest.param("joker@1,1,6,6", 10_000, marks=pytest.mark.slow),
    ],
)
def test_games_are_those_of_the_naive_twin(rules: str, count: int) -> None:
    for first in range(0, count, 1000):
        games = Games(min(1000, count - first), np.random.default_rng([first, len(rules)]), rules)
        twins = [naive_of(games.positions.position(index)) for index in range(len(games))]
        assert all(len(twin.cards) == 16 for twin in twins)
        assert play_with_the_twin(games, twins) >= 3 * len(games)


@pytest.mark.parametrize("rules", RULES)
def test_batches_are_positions(rules: str) -> None:
    """Through whole games: positions and back, moves, planes of both observers, values, the best moves."""
    rng = np.random.default_rng(3)
    games = Games(12, rng, rules)
    arena = make_arena(rules)
    assert games.positions.rules == parse_rules(rules)
    while True:
        positions = [games.positions.position(index) for index in range(12)]
        again = PositionBatch.of(positions)
        assert [again.position(index) for index in range(12)] == positions
        assert (again.legal() == games.legal).all()
        assert [tuple(np.nonzero(row)[0].tolist()) for row in games.legal] == [p.moves for p in positions]
        assert games.over.tolist() == [not position.moves for position in positions]
        assert games.won.tolist() == [
            [value > 0 for value in arena.returns(position)] for position in positions
        ]
        for observers in (None, np.arange(12) % 2):
            planes = games.positions.planes(observers)
            for index, position in enumerate(positions):
                observer = position.to_move if observers is None else index % 2
                assert (planes[index] == arena.planes(position.cards, position, observer)).all()
        values, best = games.positions.values(jobs=1), games.positions.best(jobs=1)
        for index, analysis in enumerate(collapsi.analyse_many(positions, jobs=1)):
            size = len(positions[index].cards)
            assert values[index].tolist() == list(analysis.solution.values[:size])
            fastest = [move.move for move in analysis.moves if move.name in analysis.best]
            assert np.nonzero(best[index])[0].tolist() == sorted(fastest)
        if games.over.all():
            break
        games.step(batch.choose(games.legal, rng))


def test_values_are_those_of_the_naive_twin() -> None:
    """In endgames, where the naive twin is quick enough."""
    rng = np.random.default_rng(5)
    games = Games(300, rng)
    for _ in range(9):
        games.step(batch.choose(games.legal, rng))
    values = games.positions.values(jobs=1)
    compared = 0
    for index in np.nonzero(~games.over)[0].tolist():
        twin = naive_of(games.positions.position(index))
        side = 1 if twin.to_move == 0 else -1
        for row, column in naive.ends(twin):
            compared += 1
            assert values[index, 4 * row + column] == side * naive.score(naive.play(twin, (row, column)))
    assert compared > 100


def test_a_finished_game_waits_for_its_reset() -> None:
    rng = np.random.default_rng(1)
    games = Games(50, rng)
    while not games.over.any():
        games.step(batch.choose(games.legal, rng))
    over = games.over
    before = [games.positions.position(index) for index in range(50)]
    games.step(batch.choose(games.legal, rng))
    after = [games.positions.position(index) for index in range(50)]
    assert [old == new for old, new in zip(before, after, strict=True)] == over.tolist()
    games.reset(over)
    dealt = [games.positions.position(index) for index in range(50)]
    assert games.legal[over].any(axis=1).all()
    for old, new, again in zip(after, dealt, over.tolist(), strict=True):
        assert (new.cards_left == 16) if again else (new == old)
    assert (games.legal == games.positions.legal()).all()
    games.reset()
    assert (games.positions.face_up == 16).all()
    assert not games.over.any()


def test_some_games_of_a_batch_can_move_alone() -> None:
    games = Games(4, np.random.default_rng(1))
    moved = np.array([True, False, True, False])
    games.step(games.legal.argmax(axis=1), moved)
    assert games.positions.face_up.tolist() == [15, 16, 15, 16]


def test_a_seed_determines_the_games_and_every_deal_is_as_likely() -> None:
    first, second, third = (batch.deal(300, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (first.cards == second.cards).all()
    assert (first.cards != third.cards).any()
    dealt = batch.deal(16_000, np.random.default_rng(4))
    for card, copies in parse_rules("standard").cards:
        lies = (dealt.cards == card).mean(axis=0)
        assert np.abs(lies - copies / 16).max() < 0.02  # five standard deviations


def test_games_can_begin_anywhere() -> None:
    start = parse_position("..../.2r../.Ab../.2.. r")
    games = Games(3, np.random.default_rng(1), start=start)
    assert games.positions.position(2) == start
    games.step([13] * 3)
    assert games.positions.position(1) == start.play(13)
    games.reset(np.array([False, True, False]))
    assert [games.positions.position(index) == start for index in range(3)] == [False, True, False]


@pytest.mark.parametrize("rules", ["standard", "choice", "1,2|3", "joker@3x4"])
@pytest.mark.parametrize("level", Level)
def test_levels_choose_as_they_do_one_by_one(level: Level, rules: str) -> None:
    rng = np.random.default_rng(2)
    games = Games(6, rng, rules)
    games.step(batch.choose(games.legal, rng))
    player = character(level)
    luck, slip = rng.random((2, len(games)))
    chosen = choose_many(player, games.positions, luck, slip, jobs=1)
    for index, (end, errs) in enumerate(zip(chosen.tolist(), (slip < player.slips).tolist(), strict=True)):
        position = games.positions.position(index)
        moves = position.moves if errs else player.allowed(position)
        assert end == moves[int(luck[index] * len(moves))]


def test_the_best_moves_of_a_row_without_any_are_none() -> None:
    values = np.array([[0, -4, -2, -2], [3, 5, 0, -1], [0, 0, 0, 0]], np.int8)
    assert best_of(values).astype(int).tolist() == [[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]]


def test_what_is_wrong_is_said_in_one_line() -> None:
    rng = np.random.default_rng(1)
    games = Games(2, rng, start=parse_position(EXAMPLE))
    for end in (0, -1, 16):
        with pytest.raises(
            IllegalMoveError, match=f"game 1: {end} is no move of red: choose one of 3, 4, 6, 11"
        ):
            games.step([4, end])
    assert games.positions.face_up.tolist() == [16, 16]
    with pytest.raises(
        CollapsiError, match=r"expected 2 moves, one for each game, not an array of shape \(3,\)"
    ):
        games.step([4, 4, 4])
    with pytest.raises(CollapsiError, match="not supported for shift: use standard, joker or choice"):
        batch.deal(1, rng, "shift")
    with pytest.raises(CollapsiError, match="the number of games is at least 1, not 0"):
        Games(0, rng)
    with pytest.raises(TypeError, match="expected a generator of NumPy"):
        batch.deal(1, random.Random(1))  # type: ignore[arg-type]
    with pytest.raises(CollapsiError, match="positions of one rule set"):
        PositionBatch.of([parse_position(EXAMPLE), parse_position(f"{EXAMPLE} joker")])
    with pytest.raises(TypeError, match="expected positions of the classic game"):
        PositionBatch.of([EXAMPLE])  # type: ignore[list-item]


def test_batches_are_loaded_on_demand() -> None:
    """`collapsi.batch` needs no import of its own; nothing else loads it."""
    code = """
import sys, collapsi
collapsi.analyse("..../.2r../.Ab../.2.. r")
print("collapsi.batch" in sys.modules, collapsi.batch.Games.__name__)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "Games"]
