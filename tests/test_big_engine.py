"""The engine of the big board: kernels compared with plain versions; estimates are never shown as exact."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from collapsi import deal
from collapsi.api import json_types
from collapsi.core.board import mask_of
from collapsi.games.big import pawns as big_pawns
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import EndgameAnalysis, analyse_endgame, judging
from collapsi.games.big.engine import Estimate, answers, estimate, expected_text
from collapsi.games.big.levels import choose, levels
from collapsi.games.big.multiplayer import SCALE, Endgame, LookAhead, Tree, guess, word_of
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG, BIG3, BIG4, FIVE3, BigRules
from collapsi.games.levels import Level
from collapsi.solving import reference as definition
from tests.big_positions import endgames, secured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi.core.players import Player
    from collapsi.games.big.state import BigState

FOR_MORE = (BIG3, BIG4, FIVE3)


def positions(rules: BigRules, seed: int, games: int) -> Iterator[BigState]:
    """Every position of some random rounds."""
    rng = random.Random(seed)
    for _ in range(games):
        state = deal(rng, rules)
        yield state
        while not state.over:
            state = state.play(rng.choice(state.moves))
            yield state


@pytest.mark.parametrize("rules", [BIG, *FOR_MORE], ids=str)
def test_the_word_of_pawns_plays_like_the_state(rules: BigRules) -> None:
    board = big_search.board_table(rules.board)
    for state in positions(rules, 3, 3):
        if state.over:
            continue
        steps, word = big_search.steps_of(state), word_of(state)
        assert big_pawns.moves_of(board, steps, state.face_up, word) == mask_of(state.moves)
        for move in state.moves:
            then = state.play(move)
            gone = big_pawns.go(word, move, rules.players)
            found = big_pawns.settle(board, steps, then.face_up, gone, rules.players)
            if then.over:
                assert then.points is not None
                points = [big_pawns.points_of(found, seat, rules.players) for seat in rules.seats]
                assert points == list(then.points)
            else:
                assert found == word_of(then)


def plain_guess(state: BigState, plies: int) -> tuple[Fraction, ...]:
    """`guess` once more, with states and fractions."""
    if state.over:
        assert state.points is not None
        extra = Fraction(state.cards_left, 2 * state.board.size)
        return tuple(
            Fraction(points) + extra * (points == state.rules.players - 1) for points in state.points
        )
    if plies == 0:
        counts = {player: next_moves(state, player) for player in state.left}
        total, left, gone = sum(counts.values()), len(state.left), len(state.out)
        return tuple(
            Fraction(state.out.index(player))
            if player in state.out
            else gone + min(Fraction(left * (left - 1) * counts[player], 2 * total), Fraction(left - 1))
            for player in state.rules.seats
        )
    found = [plain_guess(state.play(move), plies - 1) for move in state.moves]
    mover = state.to_move
    return max(found, key=lambda points: (points[mover], points[mover] - sum(points)))


def next_moves(state: BigState, player: Player) -> int:
    pawns = {state.pawns[other] for other in state.left}
    (steps,) = state.rules.steps(state.card(player), player)
    return len(
        {path[-1] for path in state.board.paths(state.pawns[player], steps) if path_is_open(state, path)}
        - pawns
    )


def path_is_open(state: BigState, path: tuple[int, ...]) -> bool:
    return all(state.cards[cell] is not None for cell in path)


@pytest.mark.parametrize("rules", [BIG, BIG3, BIG4], ids=str)
def test_a_guess_is_what_fractions_make_of_it(rules: BigRules) -> None:
    for number, state in enumerate(positions(rules, 5, 2)):
        if number % 4:
            continue
        for plies in (0, 1, 2):
            wanted = plain_guess(state, plies)
            found = guess(state, plies, compiled=False)
            assert guess(state, plies, compiled=True) == found
            # Guesses that differ by less than a part of a point's 65,536 parts may be taken for equal.
            assert abs(found[state.to_move] / SCALE - wanted[state.to_move]) < 1e-4


def feared(state: BigState, plies: int, seat: Player) -> Fraction:
    """What a seat gets if all others play against it: `look` for who is wary, with nothing cut off."""
    if state.over or plies == 0:
        return plain_guess(state, 0)[seat]
    found = [feared(state.play(move), plies - 1, seat) for move in state.moves]
    return max(found) if state.to_move is seat else min(found)


def test_who_is_wary_fears_what_all_others_can_do_together() -> None:
    for state in (*endgames(BIG3, 14, 6), *endgames(BIG4, 14, 6)):
        for seat in state.rules.seats:
            found = LookAhead(state, compiled=False).guess(state, 3, wary=seat)
            assert found is not None
            assert abs(found[seat] / SCALE - feared(state, 3, seat)) < 1e-4
        assert LookAhead(state).guess(state, state.cards_left, wary=state.to_move, limit=1) is None


@pytest.mark.parametrize("rules", FOR_MORE, ids=str)
@pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
def test_exact_endgames_are_the_judge_s(rules: BigRules, *, compiled: bool) -> None:
    for state in (*endgames(rules, 7, 8), *endgames(rules, 9, 4)):
        endgame = Endgame(state, compiled=compiled)
        judged: dict[Any, tuple[int, ...]] = {}
        assert endgame.points(state) == definition.points(state, judged)
        safe = [secured(state, player) for player in rules.seats]
        assert [endgame.secured(state, player) for player in rules.seats] == safe
        found = next(found for found in judging(state, compiled=compiled) if found is not None)
        assert (found.points, list(found.secured)) == (definition.points(state), safe)
        assert found.exact == (safe == list(found.points))
        assert found.to_json()["secured"] == dict(zip(map(str, rules.seats), safe, strict=True))
        for move, (points, mine) in found.by_move.items():
            then = state.play(move)
            assert (points, mine) == (definition.points(then, judged), secured(then, state.to_move))


@pytest.mark.parametrize("rules", FOR_MORE, ids=str)
def test_points_of_many_endgames_are_the_definition_s(rules: BigRules) -> None:
    """A wrong cut among the moves of a player shows in one of twenty."""
    for cards in (8, 9, 10):
        for state in endgames(rules, cards, 40):
            assert Endgame(state, compiled=True).points(state) == definition.points(state, {})


def test_some_endgames_depend_on_the_rule_for_ties() -> None:
    kinds = {analyse_endgame(state).exact for rules in FOR_MORE for state in endgames(rules, 9, 12)}
    assert kinds == {False, True}


def test_an_exact_search_that_is_cut_goes_on_to_the_same_answer() -> None:
    for state in endgames(BIG3, 12, 3):
        whole = analyse_endgame(state)
        slices = list(judging(state, slice_=5, compiled=True))
        assert slices[-1] == whole
        assert len(slices) > 1
        assert set(slices[:-1]) == {None}


@pytest.mark.parametrize("rules", [BIG, BIG3, BIG4], ids=str)
def test_a_tree_is_the_same_interpreted_and_compiled(rules: BigRules) -> None:
    for state in (deal(random.Random(2), rules), endgames(rules, 14, 1)[0]):
        slow, fast = (estimate(state, seed=5, nodes=1500, compiled=compiled) for compiled in (False, True))
        assert slow == fast
        assert slow.nodes >= 1500
    dealt = deal(random.Random(2), rules)
    assert estimate(dealt, seed=6, nodes=1500) != estimate(dealt, seed=5, nodes=1500)


def test_a_tree_adds_up() -> None:
    state = deal(random.Random(4), BIG4)
    tree = Tree(state, seed=1)
    for _ in range(3):
        tree.grow(20_000)
        found = tree.moves()
        assert tuple(found) == state.moves
        assert sum(visits for _, visits in found.values()) == tree.visits
        for points, visits in [*found.values(), (tree.points, tree.visits)]:
            assert visits > 0
            assert sum(points) == pytest.approx(sum(range(4)))  # 0 + 1 + 2 + 3, however it is shared
            assert all(0 <= one <= 3 for one in points)


def test_the_engine_finds_what_is_exact() -> None:
    """Where the judge and what can be secured agree, so does a tree that has seen enough."""
    seen = 0
    for rules in (BIG3, BIG4):
        for state in endgames(rules, 12, 8):
            exact = analyse_endgame(state)
            if exact.exact:
                seen += 1
                found = estimate(state, nodes=100_000)
                assert found.points[state.to_move] == pytest.approx(exact.points[state.to_move], abs=0.15)
                assert found.best[0] in exact.best
    assert seen >= 3


def test_thinking_gets_better_and_ends_exactly_or_in_time() -> None:
    state = deal(random.Random(1), BIG4)
    found = list(answers(state, seed=3, nodes=600_000))
    assert all(isinstance(answer, Estimate) for answer in found)
    nodes = [answer.nodes for answer in found if isinstance(answer, Estimate)]
    assert nodes == sorted(set(nodes))
    assert found == list(answers(state, seed=3, nodes=600_000))
    while state.cards_left > 21:
        state = state.play(choose(state, Level.TWO, random.Random(state.cards_left)).move)
    last = list(answers(state, nodes=4_000_000))[-1]
    assert isinstance(last, EndgameAnalysis)
    assert last == analyse_endgame(state)


def test_thinking_of_two_ends_solved() -> None:
    state = next(state for state in positions(BIG, 8, 9) if state.cards_left == 22 and not state.over)
    first, *rest = answers(state, nodes=4_000_000)
    assert isinstance(first, Estimate)
    last = rest[-1]
    assert isinstance(last, BigAnalysis)
    assert last.found is not None
    assert last.finished
    assert last.found.moves == big_search.solve(state).moves
    for small in (*endgames(BIG, 4, 3), *endgames(BIG, 10, 3)):
        *_, exact = answers(small)
        assert isinstance(exact, BigAnalysis)
        assert exact.finished
        assert exact.score == definition.score(small)
    over = next(state for state in positions(BIG, 8, 1) if state.over)
    assert [type(answer) for answer in answers(over)] == [BigAnalysis]


def test_who_stops_asking_has_stopped_it() -> None:
    found = answers(deal(random.Random(3), BIG), nodes=1 << 60)
    assert isinstance(next(found), Estimate)
    assert isinstance(next(found), BigAnalysis)
    found.close()  # type: ignore[attr-defined]  # a generator
    assert list(found) == []


def test_an_estimate_is_no_exact_answer() -> None:
    state = endgames(BIG3, 12, 1)[0]
    guessed, exact = estimate(state, nodes=2_000), analyse_endgame(state)
    assert not {EndgameAnalysis, BigAnalysis} & set(type(guessed).__mro__)
    pair: list[Any] = [guessed, exact]
    assert pair[0] != pair[1]
    shapes: list[TypeAdapter[Any]] = [
        TypeAdapter(json_types.BigEstimate),
        TypeAdapter(json_types.BigEndgame),
    ]
    for shape, answer, other in zip(shapes, pair, pair[::-1], strict=True):
        shape.validate_python(answer.to_json(), strict=True)
        with pytest.raises(ValueError, match="validation error"):
            shape.validate_python(other.to_json(), strict=True)
    assert [text.count("estimate") for text in (guessed.status, guessed.caption, str(guessed))] == [1, 1, 1]
    assert not any("estimate" in line for line in (*exact.notes, *exact.rows))
    assert expected_text(0.25) == "about 0.2 points"
    assert "perfect" not in str(guessed)


def test_the_strongest_says_what_it_knows() -> None:
    rng = random.Random(2)
    said = choose(deal(rng, BIG3), Level.MASTER, rng, nodes=2_000).comment
    assert said.startswith("expects about ")
    assert said.endswith(" points (an estimate)")
    for state in endgames(BIG3, 10, 4):
        chosen = choose(state, Level.MASTER, rng, nodes=2_000)
        found = analyse_endgame(state)
        known = "solved: " if found.exact else "is sure of "
        assert chosen.comment.startswith(known if len(state.moves) > 1 else "the only move")
        assert chosen.move in found.safest


@pytest.mark.parametrize("rules", [BIG3, BIG4], ids=str)
def test_the_engine_beats_the_careful_level(rules: BigRules) -> None:
    """One expert at a table of the careful: far more than its share, so that a few rounds show it."""
    rng, won, rounds = random.Random(6), 0, 10 * rules.players
    for number in range(rounds):
        state = deal(rng, rules)
        strong = rules.seats[number % rules.players]
        while not state.over:
            level = Level.EXPERT if state.to_move is strong else Level.RANDOM
            state = state.play(choose(state, level, rng, nodes=4_000).move)
        won += state.winner is strong
    assert won > rounds / 2 > rounds / rules.players


def test_levels_for_two_and_for_more() -> None:
    assert levels(BIG)[-1] is Level.PERFECT
    assert {levels(rules)[-1] for rules in FOR_MORE} == {Level.MASTER}


def test_a_deal_with_no_reply_is_read() -> None:
    state = parse_big("....../.2r.3../.AA.../.3b4g.../..3.../...... r big3")
    assert estimate(state, nodes=200, compiled=False).best == analyse_endgame(state).best
