"""The sentences and verdicts of a review of the big board, for each state of knowledge."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from collapsi import Game, deal
from collapsi.api import json_types
from collapsi.core.cards import Card
from collapsi.core.players import Player
from collapsi.games.big import review as big_review
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import EndgameAnalysis
from collapsi.games.big.engine import Estimate, MoveEstimate
from collapsi.games.big.enums import BigVerdict, Sureness
from collapsi.games.big.notation import parse_big, parse_big_game
from collapsi.games.big.review import BigJudgedMove, BigReview, PositionKnowledge
from collapsi.games.big.rules import BIG, BIG3, BIG4, BigRules
from collapsi.games.big.search import Bounds, Progress, TranspositionTable
from collapsi.games.big.state import BigState
from collapsi.solving import reference as definition
from tests.big_positions import endgames, review_big, secured
from tests.fitting import fitting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.games.big.analysis import Points

TWO_LEFT = "44..../2bA...3/34r..../44..../....../4..... r big"
"""Ten cards; red can go to b1, a4 and a6."""
SEVEN_MOVES = ".22332/44AAA2/4.43A./33bA4A2/A2A434/2r42.33 r big"
THREE_LEFT = "3g....3/2b....3/....../....23/A..A23r/2....A r big3"
ONE_PLY = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"


def known(state: BigState, *bounds: tuple[int, int]) -> BigAnalysis:
    """An analysis that knows this of each move, in reading order."""
    moves = {move: Bounds(*each) for move, each in zip(state.moves, bounds, strict=True)}
    return BigAnalysis(state, Progress(moves, None, 0, 0.0))


def judged(*bounds: tuple[int, int], learned: tuple[int, int] | None = None) -> BigJudgedMove:
    """The move b1, where the moves b1, a4 and a6 are known to be worth this."""
    state = parse_big(TWO_LEFT)
    after = None if learned is None else Bounds(*learned)
    return BigJudgedMove(1, state, state.moves[0], PositionKnowledge(known(state, *bounds)), after)


@pytest.mark.parametrize(
    ("bounds", "verdict", "text"),
    [
        ([(5, 5), (5, 5), (-3, -3)], BigVerdict.BEST, "the best: red wins in 4 more plies"),
        ([(9, 9), (5, 5), (-3, -3)], BigVerdict.BEST, "the best: red wins at once"),
        ([(-2, -2), (-4, -4), (-6, -6)], BigVerdict.BEST, "the best: blue wins in 7 more plies"),
        (
            [(3, 3), (5, 5), (5, 5)],
            BigVerdict.SLOWER_WIN,
            "still wins, in 6 more plies: after a4 or a6 red wins in 4 more plies",
        ),
        (
            [(-6, -6), (-4, -4), (-8, -8)],
            BigVerdict.FASTER_LOSS,
            "loses in 3 more plies: a4 holds out, and loses in 5 more plies",
        ),
        (
            [(-6, -6), (5, 5), (3, 3)],
            BigVerdict.THREW_AWAY,
            "throws the win away: after a4 red wins in 4 more plies",
        ),
        (
            [(-8, -2), (5, 5), (3, 3)],
            BigVerdict.THREW_AWAY,
            "throws the win away: after a4 red wins in 4 more plies",
        ),
        ([(-8, -2), (1, 7), (3, 3)], BigVerdict.THREW_AWAY, "throws the win away: after a6 or a4 red wins"),
        (
            [(1, 7), (-8, 9), (-3, -3)],
            BigVerdict.KEPT_WIN,
            "keeps the win; whether it is the quickest is not known",
        ),
        (
            [(5, 5), (1, 7), (-3, -3)],
            BigVerdict.KEPT_WIN,
            "keeps the win; whether it is the quickest is not known",
        ),
        (
            [(-8, -2), (-8, -2), (-6, -6)],
            BigVerdict.STILL_LOST,
            "every move loses; whether this holds out longest is not known",
        ),
        ([(-8, -2), (-8, 9), (-6, -6)], None, "not known"),
        ([(-8, 9), (5, 5), (3, 3)], None, "not known"),
    ],
)
def test_what_is_known_of_the_moves_makes_verdict_and_sentence(
    bounds: list[tuple[int, int]], verdict: BigVerdict | None, text: str
) -> None:
    move = judged(*bounds)
    assert (move.verdict, move.text) == (verdict, text)
    assert str(move) == f"1. red b1: {text}"
    assert move.sureness is (Sureness.UNKNOWN if verdict is None else Sureness.EXACT)


def test_the_position_after_a_move_narrows_what_is_known_of_it() -> None:
    open_ = [(-8, 9), (3, 3), (3, 3)]
    assert judged(*open_).verdict is None
    assert judged(*open_, learned=(3, 3)).verdict is BigVerdict.BEST
    assert judged(*open_, learned=(1, 1)).verdict is BigVerdict.SLOWER_WIN
    assert judged(*open_, learned=(-8, -1)).verdict is BigVerdict.THREW_AWAY
    assert judged(*open_, learned=(1, 9)).verdict is BigVerdict.KEPT_WIN
    # What the search knows already is not forgotten.
    assert judged((3, 9), (1, 1), (1, 1), learned=(1, 3)).verdict is BigVerdict.BEST
    assert judged((-8, -2), (-2, -2), (-2, -2), learned=(-2, 9)).verdict is BigVerdict.BEST


def test_at_most_four_better_moves_are_named() -> None:
    state = parse_big(SEVEN_MOVES)
    for best, named in ((4, "f1 or a4 or b5 or f5"), (6, "f1 or a4 or b5 or 3 others")):
        values = [(1, 1), *[(11, 11)] * best, *[(3, 3)] * (6 - best)]
        move = BigJudgedMove(3, state, state.moves[0], PositionKnowledge(known(state, *values)))
        assert (
            str(move) == f"3. red b1: still wins, in 30 more plies: after {named} red wins in 20 more plies"
        )


def test_a_move_with_three_left_is_said_in_points() -> None:
    state = parse_big(THREE_LEFT)
    first, second, *others = state.moves
    points: dict[int, tuple[Points, int]] = {
        first: ((2, 1, 0), 2),
        second: ((1, 2, 0), 1),
        **dict.fromkeys(others, ((0, 2, 1), 0)),
    }
    exact = EndgameAnalysis(state, (2, 1, 0), (2, 1, 0), points)
    names = [state.move_text(move) for move in state.moves]
    best, worse, *worst = (BigJudgedMove(1, state, move, PositionKnowledge(exact)) for move in state.moves)
    assert (best.verdict, best.text) == (BigVerdict.BEST, "the best: leads to 2 points")
    assert (worse.verdict, worse.best) == (BigVerdict.FEWER_POINTS, (names[0],))
    assert worse.text == f"leads to 1 point; {names[0]} to 2 points"
    assert [move.text for move in worst] == [f"leads to no points; {names[0]} to 2 points"] * len(worst)


def test_a_verdict_rests_on_the_tie_rule_where_points_and_secured_points_differ() -> None:
    state = parse_big(THREE_LEFT)
    for points, safe, secures, wanted in (
        ((2, 1, 0), (2, 1, 0), 2, Sureness.EXACT),
        ((2, 1, 0), (2, 1, 0), 1, Sureness.TIES),
        ((2, 1, 0), (2, 0, 0), 2, Sureness.TIES),
    ):
        by_move: dict[int, tuple[Points, int]] = dict.fromkeys(state.moves, (points, secures))
        exact = EndgameAnalysis(state, points, safe, by_move)
        assert BigJudgedMove(1, state, state.moves[0], PositionKnowledge(exact)).sureness is wanted


def secure(state: BigState) -> EndgameAnalysis:
    """An endgame of three in which every move leads to the same points."""
    return EndgameAnalysis(state, (2, 1, 0), (2, 1, 0), dict.fromkeys(state.moves, ((2, 1, 0), 2)))


def test_an_estimate_is_said_and_sent_as_one() -> None:
    state = parse_big(THREE_LEFT)
    first, second, *others = state.moves
    by_move = {
        first: MoveEstimate((1.04239, 1.0, 0.96), 5),
        second: MoveEstimate((1.51239, 1.0, 0.5), 90),
        **dict.fromkeys(others, MoveEstimate((0.2, 1.8, 1.0), 1)),
    }
    guessed = PositionKnowledge(None, Estimate(state, (1.5, 1.0, 0.5), by_move, 96))
    mine, choice = (BigJudgedMove(1, state, move, guessed) for move in (first, second))
    name = state.move_text(second)
    assert mine.sureness is choice.sureness is Sureness.ESTIMATE
    assert choice.text == "about 1.5 points (an estimate): the engine's choice too"
    assert mine.text == f"about 1.0 points; the engine goes to {name}: about 1.5 points (estimates)"
    solved = BigJudgedMove(1, state, first, PositionKnowledge(secure(state), guessed.estimate))
    assert solved.to_json()["verdict"] is BigVerdict.BEST  # type: ignore[typeddict-item]
    assert mine.to_json() == {
        "number": 1,
        "player": "red",
        "move": mine.name,
        "to": mine.name,
        "text": mine.text,
        "estimate": True,
        "expected": 1.0424,
        "choice": name,
        "choice_expected": 1.5124,
    }


def test_a_better_answer_replaces_the_last_of_its_type() -> None:
    state = parse_big(TWO_LEFT)
    first, second = known(state, *[(-8, 9)] * 3), known(state, *[(5, 5)] * 3)
    guess = Estimate(state, (0.5, 0.5), {}, 1)
    looked = PositionKnowledge().updated(first).updated(guess)
    assert looked == PositionKnowledge(first, guess)
    assert looked.updated(second) == PositionKnowledge(second, guess)


def random_game(seed: int, cards: int) -> Game[BigState]:
    """A game for two from a random endgame to its end."""
    rng = random.Random(seed)
    game = Game.start(rng.choice(endgames(BIG, cards, 20)))
    while game.position.moves:
        game = game.play(rng.choice(game.position.moves))
    return game


@pytest.mark.parametrize("seed", range(6))
def test_later_positions_judge_moves_that_were_not_searched(seed: int) -> None:
    """Only the positions after a move are known, or the end: verdicts follow from what they say of it."""
    game = random_game(seed, 11)
    for ply, (state, move) in enumerate(zip(game.positions, game.moves, strict=False)):
        sign = 1 if state.to_move is Player.RED else -1
        values = {each: sign * definition.score(state.play(each)) for each in state.moves}
        open_ = state.cards_left
        bounds = [(-open_, open_) if each == move else (value, value) for each, value in values.items()]
        looked = {ply: PositionKnowledge(known(state, *bounds))}
        after = game.positions[ply + 1]
        if not after.over:
            looked[ply + 1] = PositionKnowledge(BigAnalysis(after, big_search.solve(after, compiled=False)))
        found = BigReview(game, looked).moves[0]
        assert found.bounds == (
            Bounds(max(values.values()), max(values.values())),
            Bounds(values[move], values[move]),
        )
        if not after.over:
            alone = BigReview(game, {ply: looked[ply]}).moves[0]
            assert alone.bounds is not None
            assert alone.bounds[1].exact is None


def test_turning_points_are_the_moves_that_threw_something_away() -> None:
    seen = 0
    for seed in range(6):
        found = review_big(random_game(seed, 11))
        bad = [move.number for move in found.moves if move.verdict is BigVerdict.THREW_AWAY]
        assert [move.number for move in found.turning_points] == bad
        assert found.to_json()["turning_points"] == bad
        assert str(found).splitlines() == [str(move) for move in found.moves]
        seen += len(bad)
    assert seen


def test_fewer_points_are_a_turning_point_and_the_next_position_says_nothing_with_three_left() -> None:
    state = parse_big(THREE_LEFT)
    best, worse, *others = state.moves
    points: dict[int, tuple[Points, int]] = {
        best: ((2, 1, 0), 2),
        worse: ((1, 2, 0), 1),
        **dict.fromkeys(others, ((0, 2, 1), 0)),
    }
    exact = PositionKnowledge(EndgameAnalysis(state, (2, 1, 0), (2, 1, 0), points))
    for move, numbers in ((best, []), (worse, [1]), (others[0], [1])):
        game = Game.start(state, [move])
        after = PositionKnowledge(known(parse_big(TWO_LEFT), *[(5, 5)] * 3))
        found = BigReview(game, {0: exact, 1: after})
        assert found.to_json()["turning_points"] == numbers
        assert found.moves[0].bounds_after is None


def test_the_only_move_does_not_rest_on_the_rule_for_ties() -> None:
    state = next(state for state in endgames(BIG3, 8, 60) if len(state.moves) == 1)
    (move,) = state.moves
    tied = EndgameAnalysis(state, (2, 1, 0), (1, 0, 0), {move: ((2, 1, 0), 0)})
    assert BigJudgedMove(1, state, move, PositionKnowledge(tied)).sureness is Sureness.EXACT


@pytest.mark.parametrize("rules", [BIG, BIG3], ids=str)
def test_limits_of_nodes_leave_a_deal_to_estimates(rules: BigRules, monkeypatch: pytest.MonkeyPatch) -> None:
    state = deal(random.Random(2), rules)
    game = Game.start(state, [state.moves[0]])
    monkeypatch.setattr(big_review, "NODES_FOR_TWO", 300)
    monkeypatch.setattr(big_review, "NODES_FOR_MORE", 300)
    found = review_big(game)
    assert found.finished
    (move,) = found.moves
    assert (move.verdict, move.sureness) == (None, Sureness.ESTIMATE)
    assert "estimate" in move.text
    assert review_big(game).to_json() == found.to_json()
    estimate = move.knowledge.estimate
    assert estimate is not None
    assert 300 <= estimate.nodes < 100_000


def test_a_review_begins_with_the_last_position_and_says_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = random_game(3, 10)
    steps = list(big_review.review_steps(game))
    assert [len(step.moves) for step in steps] == sorted(len(step.moves) for step in steps)
    assert [step.finished for step in steps] == [len(step.moves) == len(game.moves) for step in steps]
    table = TranspositionTable(megabytes=1)
    monkeypatch.setattr(big_review, "NODES_FOR_TWO", 1)
    *_, quick = big_review.review_steps(game, table=table)
    assert quick.to_json() == steps[-1].to_json()
    assert {move.knowledge.estimate for move in quick.moves} == {None}, "an endgame of two is solved at once"
    assert table.bytes
    data = steps[-1].to_json()
    assert (data["game"], data["plies"], data["finished"]) == (game.text, len(game.moves), True)
    assert data["end"]["position"] == game.position.text


def test_the_only_move_needs_no_search() -> None:
    game = parse_big_game(f"{ONE_PLY} c3")
    move = BigReview(game, {0: PositionKnowledge()}).moves[0]
    assert (move.text, move.verdict, move.sureness) == ("the only move", BigVerdict.ONLY, Sureness.EXACT)
    assert move.to_json()["best"] == []  # type: ignore[typeddict-item]


# Against the definition


def small_games(seed: int, rules: BigRules, cards: int, count: int) -> Iterator[Game[BigState]]:
    """Games by chance on boards that have mostly collapsed, so that the judge is quick."""
    rng = random.Random(seed)
    while count:
        cells = rng.sample(range(rules.board.size), cards)
        faces = tuple(
            rng.choice(list(Card)[:4]) if cell in cells else None for cell in range(rules.board.size)
        )
        game = Game.start(BigState.at(faces, tuple(cells[: rules.players]), Player.RED, (), rules))
        while game.position.moves:
            game = game.play(rng.choice(game.position.moves))
        if len(game.moves) > 2:
            count -= 1
            yield game


def test_verdicts_with_two_left_follow_from_the_definition() -> None:
    """Every move of small games, against the value of every move by minimax straight from the rules."""
    seen = set()
    for game in small_games(5, BIG, 12, 60):
        for judged in review_big(game).moves:
            state = judged.state
            sign = 1 if state.to_move is Player.RED else -1
            values = {move: sign * definition.score(state.play(move)) for move in state.moves}
            mine, best = values[judged.move], max(values.values())
            wanted = (
                BigVerdict.ONLY
                if len(values) == 1
                else BigVerdict.BEST
                if mine == best
                else BigVerdict.SLOWER_WIN
                if mine > 0
                else BigVerdict.THREW_AWAY
                if best > 0
                else BigVerdict.FASTER_LOSS
            )
            assert judged.verdict is wanted, judged
            assert judged.sureness is Sureness.EXACT
            names = [
                state.move_text(move) for move in state.moves if values[move] == best
            ]  # in reading order
            assert judged.best == tuple(names)
            seen.add(wanted)
    in_part = {BigVerdict.KEPT_WIN, BigVerdict.STILL_LOST}
    assert seen == set(BigVerdict) - in_part - {BigVerdict.FEWER_POINTS}


def test_verdicts_with_more_left_are_the_judges() -> None:
    seen = set()
    for rules in (BIG3, BIG4):
        for game in small_games(7, rules, 11, 25):
            for state, move in zip(game.positions, game.moves, strict=False):
                if len(state.left) < 3:
                    continue
                judged = review_big(Game.start(state, [state.move_text(move)])).moves[0]
                mover = state.to_move
                points = {each: definition.points(state.play(each))[mover] for each in state.moves}
                best = points[move] == max(points.values())
                wanted = BigVerdict.BEST if best else BigVerdict.FEWER_POINTS
                assert judged.verdict is (wanted if len(points) > 1 else BigVerdict.ONLY)
                if judged.sureness is Sureness.EXACT and len(points) > 1:
                    assert secured(state, mover) == max(points.values())
                    assert secured(state.play(move), mover) == points[move]
                seen.add((judged.verdict, judged.sureness))
    assert {sureness for _, sureness in seen} == {Sureness.EXACT, Sureness.TIES}
    assert {verdict for verdict, _ in seen} == {
        BigVerdict.ONLY,
        BigVerdict.BEST,
        BigVerdict.FEWER_POINTS,
    }


def test_what_is_known_in_part_gets_a_verdict_in_part() -> None:
    """Stopped early, the search knows who wins and not how soon, or nothing: then nothing more is claimed."""
    seen = set()
    for game in small_games(9, BIG, 14, 12):
        state = game.positions[0]
        values = {
            move: bounds.exact or 0 for move, bounds in big_search.solve(state, compiled=False).moves.items()
        }
        best = max(values.values())
        for nodes in (1, 5, 20, 60, 200, 600):
            partly = BigAnalysis(state, big_search.solve(state, compiled=False, nodes=nodes))
            for move, value in values.items():
                judged = BigJudgedMove(1, state, move, PositionKnowledge(partly))
                seen.add(judged.verdict)
                match judged.verdict:
                    case BigVerdict.KEPT_WIN | BigVerdict.SLOWER_WIN:
                        assert value > 0
                    case BigVerdict.THREW_AWAY:
                        assert value < 0 < best
                    case BigVerdict.STILL_LOST | BigVerdict.FASTER_LOSS:
                        assert best < 0
                    case BigVerdict.BEST:
                        assert value == best
                    case None:
                        assert judged.sureness is Sureness.UNKNOWN
                        assert judged.text == "not known"
                assert fitting(json_types.BigMoveReviewed, judged.to_json())
    assert {None, BigVerdict.KEPT_WIN, BigVerdict.STILL_LOST, BigVerdict.THREW_AWAY} <= seen
