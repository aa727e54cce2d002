"""The tempting level: its chances compared with plain recursion, and wins that it never gives away."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import STANDARD, Player, Position, deal
from collapsi.batch.positions import PositionBatch
from collapsi.core.intervals import Rate, paired_difference
from collapsi.core.players import PAIR
from collapsi.games.registry import kind_named, kind_of, parse_rules
from collapsi.play.strategy.ladder import allowed_many, red_wins, won_deals
from collapsi.play.strategy.players import character
from collapsi.play.strategy.won_back import lost_positions, play_won_back
from collapsi.play.traps import SLIP, Traps
from collapsi.solving import reference
from tests.strategies import played, set_up, shifting_rules
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPTING, PERFECT, STUDENT = character("tempting"), character("perfect"), character("card")
SLIPS = Fraction(1, 5)


@pytest.fixture(scope="module", autouse=True)
def _solvers() -> None:
    for kind in ("classic", "shifting"):
        kind_named(kind).solver.warm_up()


# The plain meaning, without a table of known positions, by the reference minimax


def wins(state: Any) -> bool:
    """Whether the side to move wins by force."""
    score = reference.score(state)
    return score > 0 if state.to_move is Player.RED else score < 0


def mean(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction()) / len(numbers)


def kept(state: Any, *, by_card: bool) -> Fraction:
    """The chance that the winner by force wins in the end: it errs by a model, the loser plays for that."""
    after = {move: state.play(move) for move in state.moves}
    if not wins(state):
        return min((kept(then, by_card=by_card) for then in after.values()), default=Fraction(1))
    chance = {
        move: Fraction(0) if wins(then) else kept(then, by_card=by_card) for move, then in after.items()
    }
    if by_card:
        return mean([chance[move] for move in STUDENT.allowed(state)])
    return (1 - SLIPS) * max(chance.values()) + SLIPS * mean(list(chance.values()))


def tempting(state: Any) -> tuple[int, ...]:
    """The moves of the tempting level by its description."""
    after = {move: state.play(move) for move in state.moves}
    won = {move: then for move, then in after.items() if not wins(then)}
    sign = 1 if state.to_move is Player.RED else -1
    worth = {move: sign * reference.score(then) for move, then in after.items()}
    if won:
        chance = {move: kept(then, by_card=False) for move, then in won.items()}
    else:
        chance = {move: -kept(then, by_card=False) - kept(then, by_card=True) for move, then in after.items()}
    best = [move for move in chance if chance[move] == max(chance.values())]
    return tuple(move for move in best if worth[move] == max(worth[other] for other in best))


def test_the_stated_probability_of_a_slip() -> None:
    assert float(SLIPS) == SLIP


@settings(max_examples=60)
@given(st.one_of(played(fewest=7), set_up(most_cards=7)))
def test_chances_are_those_of_plain_recursion(position: Position) -> None:
    traps = Traps([STUDENT])
    found = (traps.winner_to_move if wins(position) else traps.loser_to_move)(position)
    assert found == pytest.approx([float(kept(position, by_card=by_card)) for by_card in (False, True)])


@settings(max_examples=60)
@given(st.one_of(played(fewest=7), set_up(most_cards=7)))
def test_the_tempting_level_plays_by_its_description(position: Position) -> None:
    assert TEMPTING.allowed(position) == tempting(position)


@settings(max_examples=15)
@given(played(fewest=11, rules=shifting_rules))
def test_and_so_it_does_on_the_shifting_board(state: Any) -> None:
    assert TEMPTING.allowed(state) == tempting(state)


@settings(max_examples=25)
@given(played(fewest=1, most=10))
def test_many_at_a_time_choose_the_same(position: Position) -> None:
    if position.moves:
        (found,) = allowed_many(TEMPTING, PositionBatch.of([position]))
        assert tuple(np.nonzero(found)[0].tolist()) == TEMPTING.allowed(position)


@pytest.mark.parametrize("name", ["shift", "joker", "choice"])
def test_where_there_are_too_many_lines_it_plays_like_the_perfect_level(name: str) -> None:
    state = deal(random.Random(4), parse_rules(name))
    assert not kind_of(state).finds_traps(state)
    assert TEMPTING.allowed(state) == PERFECT.allowed(state)


def test_traps_are_found_from_the_first_move_of_the_standard_game() -> None:
    for state in (deal(random.Random(4)), deal(random.Random(4), parse_rules("3|1,2"))):
        assert kind_of(state).finds_traps(state)


# It never throws a win away


def endgames(cards: int) -> Iterator[PositionBatch]:
    """Every position with this number of cards and the mover on the first cell; shifts give the others."""
    numbers = np.array(list(product(range(1, 5), repeat=cards)), np.uint8)
    for others in combinations(range(1, 16), cards - 1):
        laid = np.zeros((len(numbers), 16), np.uint8)
        laid[:, (0, *others)] = numbers
        for other in others:
            roots = np.tile([1 + sum(1 << cell for cell in others), 0, other, 0], (len(numbers), 1))
            yield PositionBatch(STANDARD, laid, roots.astype(np.int64))


def check_wins_are_kept(states: PositionBatch) -> int:
    """Check that every move of the tempting level keeps a win; return how many positions are won."""
    values = states.values()
    won = (values > 0).any(axis=1)
    chosen = allowed_many(TEMPTING, states)
    assert (chosen.any(axis=1) == (values != 0).any(axis=1)).all()
    assert (values[won][chosen[won]] > 0).all()
    return int(won.sum())


def test_no_win_is_thrown_away_with_three_cards() -> None:
    parts = list(endgames(3))
    assert check_wins_are_kept(parts[0].joined(parts[1:])) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("cards", [4, 5])
def test_no_win_is_thrown_away_with_few_cards(cards: int) -> None:
    rng = random.Random(1)
    parts = list(endgames(cards))
    for part in parts if cards == 4 else rng.sample(parts, 200):
        check_wins_are_kept(part)


@pytest.mark.parametrize("opponent", ["random", "card", "perfect"])
def test_no_won_deal_is_lost(opponent: str) -> None:
    rng = np.random.default_rng(3)
    for side in PAIR:
        dealt = won_deals(side, 12, rng)
        players = (TEMPTING, character(opponent))
        won = red_wins(*(players if side is Player.RED else players[::-1]), dealt, rng)
        assert won.all() if side is Player.RED else not won.any()


def test_an_early_lost_position_is_played_for_the_likeliest_error() -> None:
    """Of all moves of a lost position, those chosen leave the winner the least chances, by both models."""
    position = lost_positions(Player.RED, 2, 1, 1).position(0)
    traps = Traps([STUDENT])
    left = {move: sum(traps.winner_to_move(position.play(move))) for move in position.moves}
    for move in TEMPTING.allowed(position):
        assert left[move] == pytest.approx(min(left.values()))
    assert all(0 < each < 2 for each in left.values())


# Lost positions won back


def test_lost_positions_are_lost() -> None:
    for side in PAIR:
        for plies in (0, 4):
            states = lost_positions(side, plies, 30, 5)
            assert len(states) == 30
            assert (states.face_up == 16 - plies).all()
            assert (states.roots[:, 3] == 0).all()
            assert ((states.values() > 0).any(axis=1) == (side is Player.BLUE)).all()


def test_the_tempting_level_wins_more_back() -> None:
    found = play_won_back((TEMPTING, PERFECT), [STUDENT, PERFECT], 40, 2, plies=(4,))
    assert [row.against for row in found] == ["card", "perfect"]
    card, perfect = found
    assert card.difference.low > 0
    assert perfect.won == {"tempting": Rate(0, 80), "perfect": Rate(0, 80)}


def test_the_rows_of_an_opponent_do_not_depend_on_the_others() -> None:
    both = play_won_back((TEMPTING, PERFECT), [character("2"), STUDENT], 6, 2, plies=(4,))
    assert both[1:] == play_won_back((TEMPTING, PERFECT), [STUDENT], 6, 2, plies=(4,))


def test_won_back_on_the_command_line() -> None:
    arguments = ("ladder", "--won-back", "--players", "card", "--games", "5", "--seed", "3")
    found = json.loads(ok(*arguments, "--json"))
    assert (found["rules"], found["seed"]) == ("standard", 3)
    assert [(row["against"], row["plies"]) for row in found["won_back"]] == [
        ("card", 0),
        ("card", 4),
        ("card", 8),
    ]
    for row in found["won_back"]:
        tempting, perfect = row["won"]
        assert (tempting["player"], perfect["player"]) == ("tempting", "perfect")
        assert tempting["played"] == perfect["played"] == 10
        assert row["difference"]["mean"] == pytest.approx(tempting["share"] - perfect["share"])
    assert len(ok(*arguments).splitlines()) == 6
    assert "choose one of" in refused("ladder", "--won-back", "--neighbours")
    assert "--won-back" in refused("ladder", "--won-back", "--rules", "big")


def test_paired_intervals_hold_the_true_difference() -> None:
    """In at least 93 of 100 samples, also where a share is extreme."""
    cases = 25
    for shares in ((0.3, 0.3, 0.1, 0.3), (0.0, 0.1, 0.0, 0.9), (0.6, 0.2, 0.0, 0.2)):
        covered = 0.0
        rng = np.random.default_rng(1)
        samples = rng.multinomial(cases, shares, size=4000)
        for sample in samples:
            found = paired_difference(*map(int, sample))
            covered += found.low <= shares[1] - shares[2] <= found.high
        assert covered / len(samples) > 0.93
    one = paired_difference(20, 12, 2, 16)
    assert (one.low, one.high) == pytest.approx((0.056, 0.329), abs=5e-4)
