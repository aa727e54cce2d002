"""The search of the big board against the reference, a second search, and interpreted against compiled."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from collapsi import deal
from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.errors import IllegalPositionError
from collapsi.core.players import PAIR, Player
from collapsi.games.big import compiled as big_compiled
from collapsi.games.big import kernel as big_kernel
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import finding_line
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG, BIG3, BIG4, FIVE3, BigRules
from collapsi.games.big.search import Bounds, Progress, TranspositionTable, Win
from collapsi.games.big.state import BigState
from collapsi.games.registry import parse_position
from collapsi.play.analysis import analyse, analyse_many
from collapsi.solving import reference as definition
from tests import big_second
from tests.big_positions import perfect_line


def patch(rng: random.Random, cards: int, rules: BigRules = BIG) -> BigState:
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
        state = BigState.at(tuple(laid), (*pawns, *[-1 for _ in out]), rng.choice(PAIR), out, rules)
        if state.moves:
            return state


def middle(rng: random.Random, cards: int) -> BigState:
    """A position in the middle of a game between players who move at random."""
    while True:
        state = deal(rng, BIG)
        while state.moves and state.cards_left > cards:
            state = state.play(rng.choice(state.moves))
        if state.moves:
            return state


def judged(state: BigState, known: dict[Any, int]) -> dict[int, int]:
    sign = 1 if state.to_move is Player.RED else -1
    return {move: sign * definition.score(state.play(move), known) for move in state.moves}


def exact(state: BigState, **options: Any) -> dict[int, int | None]:
    answer = big_search.solve(state, **options)
    assert answer.finished
    return {move: bounds.exact for move, bounds in answer.moves.items()}


@pytest.mark.parametrize("board", [Board(5, 5), Board(6, 6), Board(5, 7), Board(7, 5)], ids=str)
def test_reach_is_that_of_the_board(board: Board) -> None:
    rng = random.Random(1)
    table = big_search.board_table(board)
    for _ in range(1500):
        share = rng.random()
        up = sum(1 << cell for cell in range(board.size) if rng.random() < share)
        cell, steps = rng.randrange(board.size), rng.randint(1, 4)
        assert big_kernel.reach(table, cell, steps, up) == board.reach(cell, steps, up)
        assert big_kernel.spread(table, up) == sum(
            1 << there
            for there in range(board.size)
            if any(up >> near & 1 for near in board.neighbours(there))
        )


def test_small_and_huge_boards_are_refused() -> None:
    for board in (Board(4, 6), Board(7, 7)):
        with pytest.raises(IllegalPositionError, match="the search is for boards with sides of 5 or more"):
            big_search.board_table(board)


def compare_with_the_judge(seeds: range, most: int, *, compiled: bool) -> None:
    table = TranspositionTable(megabytes=1)
    for seed in seeds:
        rng = random.Random(seed)
        state = patch(rng, rng.randint(3, most))
        assert exact(state, table=table, compiled=compiled) == judged(state, {})


def test_the_interpreted_search_is_the_judge() -> None:
    compare_with_the_judge(range(150), 10, compiled=False)


def test_the_compiled_search_is_the_judge() -> None:
    compare_with_the_judge(range(1000, 1400), 11, compiled=True)


@pytest.mark.slow
def test_thousands_of_positions_are_as_the_judge_says() -> None:
    compare_with_the_judge(range(2000, 5000), 14, compiled=True)


def same_nodes(state: BigState, slices: int, places: int) -> None:
    """Both forms of the kernel, in slices, give the same answers after the same nodes."""
    steps, face_up, mover, other = big_search.arguments(state)
    sizes: tuple[int, ...] = (
        big_kernel.DEPTH * big_kernel.FRAME,
        big_kernel.DEPTH * big_kernel.MOVES,
        big_kernel.DEPTH * big_kernel.FRAME,
        big_kernel.RUN,
    )
    board = big_search.board_table(state.board)
    plain: list[Any] = [board, steps, [0] * (4 * places), 1, *([0] * size for size in sizes)]
    arrays: list[Any] = [word if isinstance(word, int) else np.array(word, np.int64) for word in plain]
    kernel: Any = big_kernel.search
    for goal in (1, -state.cards_left // 2, state.cards_left // 2):
        while True:
            found = [
                int(kernel(*plain, face_up, mover, other, goal, slices)),
                int(big_compiled.search(*arrays, face_up, mover, other, goal, slices)),
            ]
            assert found[0] == found[1]
            for one, another in zip(plain, arrays, strict=True):
                assert list(one if not isinstance(one, int) else [one]) == np.atleast_1d(another).tolist()
            if found[0] != big_kernel.UNFINISHED:
                break


def test_interpreted_and_compiled_are_the_same_node_for_node() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        same_nodes(patch(rng, rng.randint(8, 16)), slices=50, places=64)
    same_nodes(middle(random.Random(3), 22), slices=1000, places=1 << 8)


def test_slices_change_nothing() -> None:
    state = middle(random.Random(4), 24)
    whole = big_search.Search(state, table=TranspositionTable(megabytes=4), compiled=True)
    sliced = big_search.Search(state, table=TranspositionTable(megabytes=4), compiled=True)
    sliced.slice = 7
    for move in state.moves:
        answers = [list(search.ask(move, 1)) for search in (whole, sliced)]
        assert answers[0][-1] == answers[1][-1]
        assert set(answers[1][:-1]) <= {None}
    assert whole.nodes == sliced.nodes > 7


def second_opinion(state: BigState) -> bool:
    steps, face_up, mover, other = big_search.arguments(state)
    return big_second.mover_wins(state.board.columns, tuple(steps), face_up, mover, other)


def test_a_second_way_of_searching_agrees() -> None:
    for seed in range(12):
        state = middle(random.Random(seed), 20)
        answer = big_search.solve(state, winner_only=True)
        assert (answer.bounds.win is Win.WINS) == second_opinion(state)


@pytest.mark.slow
def test_a_second_way_of_searching_agrees_earlier_in_the_game() -> None:
    for seed in range(40):
        state = middle(random.Random(seed), 22 + seed % 5)
        answer = big_search.solve(state)
        assert (answer.bounds.win is Win.WINS) == second_opinion(state)


def plain_opinion(state: BigState) -> bool:
    steps, face_up, mover, other = big_search.arguments(state)
    return big_second.plain_mover_wins(state.board.columns, tuple(steps), face_up, mover, other)


@pytest.mark.slow
def test_whole_deals_are_won_by_whom_a_plain_search_says() -> None:
    for seed in (0, 1, 4, 7, 8, 9):  # blue wins the first
        state = deal(random.Random(seed), BIG)
        answer = big_search.solve(state, winner_only=True)
        assert (answer.bounds.win is Win.WINS) == plain_opinion(state)


@pytest.mark.parametrize("rules", [BIG3, BIG4, FIVE3], ids=str)
def test_two_who_are_left_of_more_are_solved_too(rules: BigRules) -> None:
    for seed in range(15):
        state = patch(random.Random(seed), 9, rules)
        answer = big_search.solve(state, winner_only=True, compiled=False)
        points = definition.points(state)
        assert (answer.bounds.win is Win.WINS) == (points[state.to_move] == rules.players - 1)


def test_more_players_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match="for two players, and here 3 are left"):
        big_search.solve(deal(random.Random(1), BIG3))


def test_the_line_is_perfect_play() -> None:
    for seed in range(20):
        state = middle(random.Random(seed), 18)
        best = big_search.solve(state).bounds.exact
        assert best is not None
        *_, line = finding_line(state, big_search.solve(state))
        assert line == perfect_line(state)
        assert len(line) == state.outcome(best).plies
        for move in line:
            assert big_search.solve(state).moves[move].exact == best
            assert all(
                v.exact is not None and v.exact <= best for v in big_search.solve(state).moves.values()
            )
            state, best = state.play(move), -best
        assert state.winner is not None
        assert state.result is not None
        assert analyse(state).line_moves == ()


def test_a_search_can_be_stopped_and_tells_what_it_has_learned() -> None:
    state = middle(random.Random(5), 27)
    heard: list[Progress] = []
    stopped = big_search.solve(state, progress=heard.append, nodes=0, table=TranspositionTable(megabytes=8))
    assert not stopped.finished
    assert stopped.settling is None
    known = [bounds for bounds in stopped.moves.values() if bounds.win is not Win.UNKNOWN]
    assert len(known) <= 1 < len(stopped.moves)

    rest: list[Progress] = []
    whole = big_search.solve(state, progress=rest.append, table=TranspositionTable(megabytes=8))
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

    assert not big_search.solve(
        state, progress=lambda _: False, table=TranspositionTable(megabytes=8)
    ).finished
    assert not big_search.solve(state, seconds=0, table=TranspositionTable(megabytes=8)).finished


def test_the_winner_alone_is_found_with_fewer_questions() -> None:
    state = middle(random.Random(6), 24)
    whole = big_search.solve(state, table=TranspositionTable(megabytes=8))
    winner = big_search.solve(state, winner_only=True, table=TranspositionTable(megabytes=8))
    assert winner.finished
    assert winner.bounds.win is whole.bounds.win is not Win.UNKNOWN
    assert winner.nodes < whole.nodes


def test_verdicts() -> None:
    assert Bounds(-5, 9).win is Win.UNKNOWN
    assert Bounds(-5, 9).learn(1, 3) == Bounds(3, 9)
    assert Bounds(-5, 9).learn(1, -1) == Bounds(-5, -1) == -Bounds(1, 5)
    assert Bounds(-5, 9).exact is None


def test_a_room_keeps_what_it_knows_of_a_deal_and_nothing_else() -> None:
    table = TranspositionTable(megabytes=4)
    state = middle(random.Random(7), 25)
    first = big_search.solve(state, table=table)
    again = big_search.solve(state, table=table)
    assert again.moves == first.moves
    assert again.nodes < first.nodes / 5
    for move in state.moves:
        after = state.play(move)
        if after.moves:
            known = big_search.solve(after, table=table)
            assert known.bounds == -first.moves[move]
    other = middle(random.Random(8), 25)
    fresh = big_search.solve(other, table=TranspositionTable(megabytes=4))
    used = big_search.solve(other, table=table)
    assert used.moves == fresh.moves
    assert table.bytes == 2**19
    table.clear()
    assert table.bytes == 0
    assert big_search.solve(other, table=table).moves == fresh.moves


def test_a_table_can_be_limited() -> None:
    table = TranspositionTable(megabytes=64)
    table.limit(megabytes=1)
    big_search.solve(deal(random.Random(1), BIG), table=table, nodes=1)
    assert 0 < table.bytes <= 2**20


def test_stamps_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(big_kernel, "LAST_STAMP", 3)
    table = TranspositionTable(megabytes=1)
    for seed in range(12):
        state = patch(random.Random(seed), 8)
        assert exact(state, table=table, compiled=True) == judged(state, {})


def test_a_thousand_analyses_take_no_more_memory() -> None:
    import gc
    import tracemalloc

    table = TranspositionTable(megabytes=1)
    states = [patch(random.Random(seed), 9) for seed in range(50)]

    def analyse_all() -> None:
        for state in states:
            big_search.solve(state, table=table, compiled=True)

    analyse_all()
    tracemalloc.start()
    try:
        analyse_all()
        gc.collect()  # also empties the free lists of tuples and floats
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(19):
            analyse_all()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 50_000
    assert table.bytes <= 2**20


def test_a_position_with_one_player_left_has_no_moves_to_solve() -> None:
    over = parse_big("..A.../..3r.../....../....../....../...... r big out:b")
    with pytest.raises(IllegalPositionError, match="here 1 are"):
        big_search.solve(over)


def test_whoever_asks_for_a_solution_gets_it_of_the_big_board_too() -> None:
    state = middle(random.Random(9), 20)
    classic = parse_position("..../.2r../.Ab../.2.. r")
    found, other = analyse_many([state, classic])
    assert {move.move: move.bounds.exact for move in found.moves} == exact(state)
    assert found.line_moves == perfect_line(state)
    assert analyse(classic) == other
    assert analyse(state).score == found.score
