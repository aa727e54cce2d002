"""The big board's search: against the judge, against a second way to search, and between its two speeds."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest

from collapsi.analysis import analyse
from collapsi.board import Board
from collapsi.errors import IllegalPositionError
from collapsi.games.crowd import Crowd, deal_crowd
from collapsi.games.crowd_notation import parse_crowd
from collapsi.notation import parse_position
from collapsi.rules import BIG, BIG3, BIG4, FIVE3, PAIR, Card, CrowdRules, Player
from collapsi.solve import answers, crowd_compiled, crowd_kernel, crowd_search, definition
from collapsi.solve.crowd_search import Bounds, Progress, Room, Win
from tests import crowd_second


def patch(rng: random.Random, cards: int, rules: CrowdRules = BIG) -> Crowd:
    """Cards that mostly hang together, anywhere: endgames that are not over."""
    board = rules.board
    while True:
        cells = [rng.randrange(board.size)]
        while len(cells) < cards:
            near = rng.choice(board.neighbours(rng.choice(cells)))
            cell = near if rng.random() < 0.9 else rng.randrange(board.size)
            if cell not in cells:
                cells.append(cell)
        laid = [
            Card(rng.randint(0 if rng.random() < 0.1 else 1, 4)) if cell in cells else None
            for cell in range(board.size)
        ]
        pawns = rng.sample(cells, 2)
        out = rules.seats[2:]
        state = Crowd.at(tuple(laid), (*pawns, *[-1 for _ in out]), rng.choice(PAIR), out, rules)
        if state.moves:
            return state


def middle(rng: random.Random, cards: int) -> Crowd:
    """A position in the middle of a game between players who move at random."""
    while True:
        state = deal_crowd(rng)
        while state.moves and state.cards_left > cards:
            state = state.play(rng.choice(state.moves))
        if state.moves:
            return state


def judged(state: Crowd, known: dict[Any, int]) -> dict[int, int]:
    sign = 1 if state.to_move is Player.RED else -1
    return {move: sign * definition.score(state.play(move), known) for move in state.moves}


def exact(state: Crowd, **options: Any) -> dict[int, int | None]:
    answer = crowd_search.solve(state, **options)
    assert answer.finished
    return {move: bounds.exact for move, bounds in answer.moves.items()}


@pytest.mark.parametrize("board", [Board(5, 5), Board(6, 6), Board(5, 7), Board(7, 5)], ids=str)
def test_reach_is_that_of_the_board(board: Board) -> None:
    rng = random.Random(1)
    table = crowd_search.board_table(board)
    for _ in range(1500):
        share = rng.random()
        up = sum(1 << cell for cell in range(board.size) if rng.random() < share)
        cell, steps = rng.randrange(board.size), rng.randint(1, 4)
        assert crowd_kernel.reach(table, cell, steps, up) == board.reach(cell, steps, up)
        assert crowd_kernel.spread(table, up) == sum(
            1 << there
            for there in range(board.size)
            if any(up >> near & 1 for near in board.neighbours(there))
        )


def test_small_and_huge_boards_are_refused() -> None:
    for board in (Board(4, 6), Board(7, 7)):
        with pytest.raises(IllegalPositionError, match="the search is for boards with sides of 5 or more"):
            crowd_search.board_table(board)


def compare_with_the_judge(seeds: range, most: int, *, compiled: bool) -> None:
    room = Room(megabytes=1)
    for seed in seeds:
        rng = random.Random(seed)
        state = patch(rng, rng.randint(3, most))
        assert exact(state, room=room, compiled=compiled) == judged(state, {})


def test_the_interpreted_search_is_the_judge() -> None:
    compare_with_the_judge(range(150), 10, compiled=False)


def test_the_compiled_search_is_the_judge() -> None:
    compare_with_the_judge(range(1000, 1400), 11, compiled=True)


@pytest.mark.slow
def test_thousands_of_positions_are_as_the_judge_says() -> None:
    compare_with_the_judge(range(2000, 5000), 14, compiled=True)


def same_nodes(state: Crowd, slices: int, places: int) -> None:
    """Both forms of the kernel, in slices, give the same answers after the same nodes."""
    steps, face_up, mover, other = crowd_search.arguments(state)
    sizes: tuple[int, ...] = (
        crowd_kernel.DEPTH * crowd_kernel.FRAME,
        crowd_kernel.DEPTH * crowd_kernel.MOVES,
        crowd_kernel.DEPTH * crowd_kernel.FRAME,
        crowd_kernel.RUN,
    )
    board = crowd_search.board_table(state.board)
    plain: list[Any] = [board, steps, [0] * (4 * places), 1, *([0] * size for size in sizes)]
    arrays: list[Any] = [word if isinstance(word, int) else np.array(word, np.int64) for word in plain]
    kernel: Any = crowd_kernel.search
    for goal in (1, -state.cards_left // 2, state.cards_left // 2):
        while True:
            found = [
                int(kernel(*plain, face_up, mover, other, goal, slices)),
                int(crowd_compiled.search(*arrays, face_up, mover, other, goal, slices)),
            ]
            assert found[0] == found[1]
            for one, another in zip(plain, arrays, strict=True):
                assert list(one if not isinstance(one, int) else [one]) == np.atleast_1d(another).tolist()
            if found[0] != crowd_kernel.UNFINISHED:
                break


def test_interpreted_and_compiled_are_the_same_node_for_node() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        same_nodes(patch(rng, rng.randint(8, 16)), slices=50, places=64)
    same_nodes(middle(random.Random(3), 22), slices=1000, places=1 << 8)


def test_slices_change_nothing() -> None:
    state = middle(random.Random(4), 24)
    whole = crowd_search.Search(state, room=Room(megabytes=4), compiled=True)
    sliced = crowd_search.Search(state, room=Room(megabytes=4), compiled=True)
    sliced.slice = 7
    for move in state.moves:
        answers = [list(search.ask(move, 1)) for search in (whole, sliced)]
        assert answers[0][-1] == answers[1][-1]
        assert set(answers[1][:-1]) <= {None}
    assert whole.nodes == sliced.nodes > 7


def second_opinion(state: Crowd) -> bool:
    steps, face_up, mover, other = crowd_search.arguments(state)
    return crowd_second.mover_wins(state.board.columns, tuple(steps), face_up, mover, other)


def test_a_second_way_of_searching_agrees() -> None:
    for seed in range(12):
        state = middle(random.Random(seed), 20)
        answer = crowd_search.solve(state, winner_only=True)
        assert (answer.bounds.win is Win.WINS) == second_opinion(state)


@pytest.mark.slow
def test_a_second_way_of_searching_agrees_earlier_in_the_game() -> None:
    for seed in range(40):
        state = middle(random.Random(seed), 22 + seed % 5)
        answer = crowd_search.solve(state)
        assert (answer.bounds.win is Win.WINS) == second_opinion(state)


def plain_opinion(state: Crowd) -> bool:
    steps, face_up, mover, other = crowd_search.arguments(state)
    return crowd_second.plain_mover_wins(state.board.columns, tuple(steps), face_up, mover, other)


@pytest.mark.slow
def test_whole_deals_are_won_by_whom_a_plain_search_says() -> None:
    for seed in (0, 1, 4, 7, 8, 9):  # blue wins the first
        state = deal_crowd(random.Random(seed))
        answer = crowd_search.solve(state, winner_only=True)
        assert (answer.bounds.win is Win.WINS) == plain_opinion(state)


@pytest.mark.parametrize("rules", [BIG3, BIG4, FIVE3], ids=str)
def test_two_who_are_left_of_more_are_solved_too(rules: CrowdRules) -> None:
    for seed in range(15):
        state = patch(random.Random(seed), 9, rules)
        answer = crowd_search.solve(state, winner_only=True, compiled=False)
        points = definition.points(state)
        assert (answer.bounds.win is Win.WINS) == (points[state.to_move] == rules.players - 1)


def test_more_players_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match="with two players left, and here 3 are"):
        crowd_search.solve(deal_crowd(random.Random(1), BIG3))


def test_the_line_is_perfect_play() -> None:
    for seed in range(20):
        state = middle(random.Random(seed), 18)
        best = crowd_search.solve(state).bounds.exact
        assert best is not None
        line = crowd_search.line(state)
        assert len(line) == state.outcome(best).plies
        for move in line:
            assert crowd_search.solve(state).moves[move].exact == best
            assert all(
                v.exact is not None and v.exact <= best for v in crowd_search.solve(state).moves.values()
            )
            state, best = state.play(move), -best
        assert state.winner is not None
        assert state.result is not None
        assert crowd_search.line(state) == ()


def test_a_search_can_be_stopped_and_tells_what_it_has_learned() -> None:
    state = middle(random.Random(5), 27)
    heard: list[Progress] = []
    stopped = crowd_search.solve(state, progress=heard.append, nodes=0, room=Room(megabytes=8))
    assert not stopped.finished
    assert stopped.settling is None
    known = [bounds for bounds in stopped.moves.values() if bounds.win is not Win.UNKNOWN]
    assert len(known) <= 1 < len(stopped.moves)

    rest: list[Progress] = []
    whole = crowd_search.solve(state, progress=rest.append, room=Room(megabytes=8))
    assert whole.finished
    assert whole.exact
    assert rest[0].settling in state.moves
    for before, after in pairwise(rest):
        assert before.nodes <= after.nodes
        for move, bounds in before.moves.items():
            assert bounds.lower <= after.moves[move].lower <= after.moves[move].upper <= bounds.upper
    for progress in [stopped, *heard, *rest]:
        for move, bounds in progress.moves.items():
            true = whole.moves[move].exact
            assert true is not None
            assert bounds.lower <= true <= bounds.upper

    assert not crowd_search.solve(state, progress=lambda _: False, room=Room(megabytes=8)).finished
    assert not crowd_search.solve(state, seconds=0, room=Room(megabytes=8)).finished


def test_the_winner_alone_is_found_with_fewer_questions() -> None:
    state = middle(random.Random(6), 24)
    whole = crowd_search.solve(state, room=Room(megabytes=8))
    winner = crowd_search.solve(state, winner_only=True, room=Room(megabytes=8))
    assert winner.finished
    assert winner.bounds.win is whole.bounds.win is not Win.UNKNOWN
    assert winner.nodes < whole.nodes


def test_verdicts() -> None:
    assert Bounds(-5, 9).win is Win.UNKNOWN
    assert Bounds(-5, 9).learn(1, 3) == Bounds(3, 9)
    assert Bounds(-5, 9).learn(1, -1) == Bounds(-5, -1) == -Bounds(1, 5)
    assert Bounds(-5, 9).exact is None


def test_a_room_keeps_what_it_knows_of_a_deal_and_nothing_else() -> None:
    room = Room(megabytes=4)
    state = middle(random.Random(7), 25)
    first = crowd_search.solve(state, room=room)
    again = crowd_search.solve(state, room=room)
    assert again.moves == first.moves
    assert again.nodes < first.nodes / 5
    for move in state.moves:
        after = state.play(move)
        if after.moves:
            known = crowd_search.solve(after, room=room)
            assert known.bounds == -first.moves[move]
    other = middle(random.Random(8), 25)
    fresh = crowd_search.solve(other, room=Room(megabytes=4))
    used = crowd_search.solve(other, room=room)
    assert used.moves == fresh.moves
    assert room.bytes == 4 * 2**20
    room.forget()
    assert room.bytes == 0
    assert crowd_search.solve(other, room=room).moves == fresh.moves


def test_stamps_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd_kernel, "LAST_STAMP", 3)
    room = Room(megabytes=1)
    for seed in range(12):
        state = patch(random.Random(seed), 8)
        assert exact(state, room=room, compiled=True) == judged(state, {})


def test_a_thousand_analyses_take_no_more_memory() -> None:
    import tracemalloc

    room = Room(megabytes=1)
    states = [patch(random.Random(seed), 9) for seed in range(50)]

    def analyse_all() -> None:
        for state in states:
            crowd_search.solve(state, room=room, compiled=True)

    analyse_all()
    tracemalloc.start()
    try:
        analyse_all()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(19):
            analyse_all()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 50_000
    assert room.bytes <= 2**20


def test_a_position_with_one_player_left_has_no_moves_to_solve() -> None:
    over = parse_crowd("..A.../..3r.../....../....../....../...... r big out:b")
    with pytest.raises(IllegalPositionError, match="here 1 are"):
        crowd_search.solve(over)


def test_whoever_asks_for_a_solution_gets_it_of_the_big_board_too() -> None:
    state = middle(random.Random(9), 20)
    classic = parse_position("..../.2r../.Ab../.2.. r")
    found, other = answers.solutions([state, classic])
    assert {move: found.values[move] for move in state.moves} == exact(state)
    assert sum(map(bool, found.values)) == len(state.moves)
    assert found.line == crowd_search.line(state)
    assert list(answers.solutions([classic])) == [other]
    analysis = analyse(cast("Any", state))
    assert analysis.outcome == state.outcome(max(filter(None, found.values)))
