"""The classic solver: interpreted and compiled kernel, reference and rule sheet agree."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from collapsi import JOKER, STANDARD, Player, Position, Rules, deal, format_position, parse_position
from collapsi.core.board import Board
from collapsi.core.cards import Card
from collapsi.core.errors import IllegalPositionError
from collapsi.core.players import PAIR
from collapsi.games.analysis import Analysis
from collapsi.games.classic import search
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.play.analysis import analyse
from collapsi.solving import reference as definition
from tests import naive
from tests.service import HANG_SECONDS
from tests.strategies import played, set_up

if TYPE_CHECKING:
    from pathlib import Path

NEARLY_DONE = 9  # cards from which the rule sheet's plain recursion is quick


@given(set_up(most_cards=NEARLY_DONE))
def test_the_definition_is_the_rule_sheets(position: Position) -> None:
    plain = naive.read(format_position(position))
    assert definition.score(position) == naive.score(plain)
    assert definition.count_games(position) == naive.count_games(plain)


def check_against_definition(position: Position, analysis: Analysis) -> None:
    known: dict[Position, int] = {}
    assert analysis.score == definition.score(position, known)
    assert [move.cell for move in analysis.moves] == sorted(
        position.moves,
        key=lambda to: (
            -known[position.play(to)] if position.to_move is Player.RED else known[position.play(to)],
            to,
        ),
    )
    for move in analysis.moves:
        assert move.outcome.score == known[position.play(move.cell)]
        assert move.outcome.winner is (Player.RED if move.outcome.score > 0 else Player.BLUE)
        moves = position.cards_left - abs(move.outcome.score)
        assert move.outcome.plies == moves - uncounted(position, moves)
    for before, after in zip(
        analysis.line_of_play.positions, analysis.line_of_play.positions[1:], strict=False
    ):
        assert known[before] == known[after]
    for before, square in zip(analysis.line_of_play.positions, analysis.line, strict=False):
        best = min(to for to in before.moves if known[before.play(to)] == known[before])
        assert square == position.board.square(best), "of equally good moves the first in reading order"
    end = analysis.line_of_play.position
    assert end.winner is analysis.winner
    assert len(analysis.line) == analysis.plies + uncounted(position, len(analysis.line))


def uncounted(position: Position, moves: int) -> int:
    """Under `choice` the first move of each player is no ply."""
    movers = [position.to_move, position.to_move.other][:moves]
    return sum(position.rules.name == "choice" and position.card(player) is Card.JACK for player in movers)


@settings(max_examples=150)
@given(set_up(most_cards=11))
def test_any_position_interpreted(position: Position) -> None:
    check_against_definition(position, analyse(position))


@settings(max_examples=100)
@given(played(fewest=4))
def test_any_play_interpreted(position: Position) -> None:
    check_against_definition(position, analyse(position))


@given(set_up(most_cards=12))
def test_games_interpreted(position: Position) -> None:
    assert search.count_games(position) == definition.count_games(position)


def everything_from(position: Position) -> list[tuple[Position, int]]:
    """Every position that any play leads to from here, with its score by the definition."""
    known: dict[Position, int] = {}
    definition.score(position, known)
    return list(known.items())


def test_every_position_of_a_whole_deal_compiled() -> None:
    """Some 50,000 positions: every ply, both sides, all play good and bad, to the end."""
    known = everything_from(deal(random.Random(0)))
    positions = [position for position, _ in known]
    assert len(positions) > 10_000
    assert {position.cards_left for position in positions} >= set(range(5, 17))
    for (position, score), solution in zip(known, search.solve_many(positions), strict=True):
        assert Analysis(position, solution).score == score


def test_every_joker_position_below_two_plies_compiled() -> None:
    """One opening of a joker deal by each player, then everything."""
    position = deal(random.Random(5), JOKER)
    position = position.play(position.moves[3])
    known = everything_from(position.play(position.moves[9]))
    positions = [position for position, _ in known]
    assert len(positions) > 1_000
    for (position, score), solution in zip(known, search.solve_many(positions), strict=True):
        assert Analysis(position, solution).score == score


@pytest.mark.slow
@pytest.mark.parametrize("rules", CLASSIC_RULE_SETS.values(), ids=str)
def test_every_position_of_many_deals_compiled(rules: Rules) -> None:
    for seed in range(20 if rules == STANDARD else 3):
        known = everything_from(deal(random.Random(100 + seed), rules))
        positions = [position for position, _ in known]
        for (position, score), solution in zip(known, search.solve_many(positions), strict=True):
            assert Analysis(position, solution).score == score


def test_positions_that_cannot_arise_compiled() -> None:
    """A mixed batch of any cards, any side, both rule sets: compiled, interpreted and definition agree."""
    rng = random.Random(9)
    positions: list[Position] = []
    while len(positions) < 300:
        cells = rng.sample(range(16), 16)
        cards: list[Card | None] = [None] * 16
        for cell in cells[: rng.randint(2, 10)]:
            cards[cell] = rng.choice(list(Card))
        pawns = (cells[0], cells[1])
        positions.append(Position(tuple(cards), pawns, rng.choice(PAIR), rng.choice([STANDARD, JOKER])))
    nodes, compiled_nodes = [0], [0]
    compiled = search.solve_many(positions, jobs=2, nodes=compiled_nodes)
    for position, solution in zip(positions, compiled, strict=True):
        check_against_definition(position, Analysis(position, solution))
        assert search.solve(position, nodes) == solution
    assert nodes == compiled_nodes
    games = list(search.count_games_many(positions, jobs=2))
    assert games == [definition.count_games(position) for position in positions]


def test_the_value_alone_is_that_of_the_best_move() -> None:
    """All the way through some games, to their ends: in both forms, which enter the same nodes."""
    rng = random.Random(77)
    positions: list[Position] = []
    for rules in CLASSIC_RULE_SETS.values():
        for _ in range(4):
            positions.append(deal(rng, rules))
            while positions[-1].moves:
                positions.append(positions[-1].play(rng.choice(positions[-1].moves)))
    solutions = search.solve_many(positions)
    best = [Analysis(position, found).outcome for position, found in zip(positions, solutions, strict=True)]
    nodes, compiled_nodes = [0], [0]
    values = [search.value(position, nodes) for position in positions]
    assert [position.outcome(value) for position, value in zip(positions, values, strict=True)] == best
    assert search.value_batch(positions, compiled_nodes) == values
    assert nodes == compiled_nodes


def test_both_forms_enter_the_same_nodes() -> None:
    for rules in CLASSIC_RULE_SETS.values():
        deals = [deal(random.Random(seed), rules) for seed in range(3)]
        nodes, compiled_nodes = [0], [0]
        answers = [search.solve(position, nodes) for position in deals]
        compiled = list(search.solve_many(deals, nodes=compiled_nodes))
        assert answers == compiled
        assert nodes == compiled_nodes


def test_each_player_may_have_a_first_move_of_their_own() -> None:
    """The opening rule is data: red 1 or 3 steps, blue 2 or 4. The kernel must ask who stands on the jack."""
    rules = replace(STANDARD, name="uneven", first_steps=((1, 3), (2, 4)))
    rng = random.Random(4)
    for _ in range(4):
        position = deal(rng, rules)
        cards = tuple(
            None if rng.random() < 0.35 and cell not in position.pawns else card
            for cell, card in enumerate(position.cards)
        )
        for side in PAIR:
            thin = Position(cards, position.pawns, side, rules)
            check_against_definition(thin, analyse(thin))
            check_against_definition(thin, Analysis(thin, next(search.solve_many([thin]))))


@given(played(fewest=2))
def test_parity_names_the_winner_and_the_best_move_is_the_position(position: Position) -> None:
    analysis = analyse(position)
    assert (analysis.plies % 2 == 1) == (analysis.winner is position.to_move)
    assert abs(analysis.score) == position.cards_left - analysis.plies
    if analysis.moves:
        assert analysis.moves[0].outcome == analysis.outcome
        assert analysis.best[0] == analysis.moves[0].to
        child = analyse(position.play(analysis.moves[-1].to))
        assert child.outcome == replace(
            analysis.moves[-1].outcome, plies=analysis.moves[-1].outcome.plies - 1
        )
    else:
        assert analysis.best == analysis.line == ()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("3A.2/.2b3r./2.../.... r", "pass_through"),
        ("..../A32./3.../Ar2bA. b", "pass_through"),
        ("2A.4/.3../.Ar3./.4b.3 r", "pass_through"),
        ("ArA.2/4b.../A3../.... r", "no_return"),
        ("..3r2/24../.Ab.A/..A. b", "no_return"),
        ("Ab3A./.3r../.23./..42 r", "no_return"),
    ],
)
def test_rules_that_others_get_wrong_decide_the_winner(text: str, rule: str) -> None:
    right = naive.read(text)
    wrong = replace(right, **{rule: False})  # type: ignore[arg-type]
    assert analyse(text).score == naive.score(right)
    assert (naive.score(right) > 0) != (naive.score(wrong) > 0)


@pytest.mark.parametrize("text", ["A223/4A2Jr/3A23/Jb3A4 r", "A223/4A2Jr/3A23/Jb3A4 r joker"])
def test_the_papers_example(text: str) -> None:
    position = parse_position(text)
    analysis = analyse(position)
    assert (analysis.winner, analysis.plies, analysis.score) == (Player.RED, 13, 3)


def test_results_do_not_depend_on_jobs_or_neighbours() -> None:
    rng = random.Random(2)
    deals = [deal(rng) for _ in range(600)]
    alone = list(search.solve_many(deals, jobs=1))
    assert list(search.solve_many(deals, jobs=3)) == alone
    assert list(search.solve_many(deals[::-1], jobs=2))[::-1] == alone


def test_lengths_of_random_deals_are_as_published() -> None:
    """Shares of the census in Young's paper, met by 6,000 random deals within four standard deviations."""
    published = {9: 641_520, 10: 1_248_372, 11: 19_830_630, 12: 7_652_868, 13: 16_279_812, 14: 1_633_818}
    rng = random.Random(6)
    count = 6000
    deals = [deal(rng) for _ in range(count)]
    plies = [Analysis(*pair).plies for pair in zip(deals, search.solve_many(deals), strict=True)]
    for length, weight in published.items():
        share = weight / 47_297_250
        expected, deviation = share * count, (share * (1 - share) * count) ** 0.5
        assert abs(plies.count(length) - expected) < 4 * deviation


def test_rules_of_one_name_and_boards_of_two_sizes_in_one_batch() -> None:
    """A position is played by its own rules, whatever they are called and whatever stands beside it."""
    free = replace(STANDARD, first_steps=((1, 2), (1, 2)))
    rng = random.Random(1)
    batch = [deal(rng, rules) for _ in range(4) for rules in (STANDARD, free, SMALL)]
    assert list(search.solve_many(batch)) == [search.solve(position) for position in batch]
    assert list(search.count_games_many(batch[:6])) == [
        search.count_games(position) for position in batch[:6]
    ]


def test_steps_beyond_the_kernels_table_are_refused() -> None:
    rules = replace(STANDARD, first_steps=((1, 5), (1,)))
    with pytest.raises(IllegalPositionError, match="1 to 4 steps"):
        search.solve(deal(random.Random(0), rules))


def test_even_a_small_batch_keeps_all_threads_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads meet in the kernel; if fewer were given work, they would wait in vain for the third."""
    from collapsi.games.classic import compiled

    deals = [deal(random.Random(seed)) for seed in range(60)]
    alone = list(search.solve_many(deals, jobs=1))
    kernel, meeting, met = compiled.solve_many, threading.Barrier(3, timeout=HANG_SECONDS), threading.local()

    def meet(*arguments: Any) -> None:
        if not hasattr(met, "others"):
            met.others = meeting.wait()
        kernel(*arguments)

    monkeypatch.setattr(compiled, "solve_many", meet)
    assert list(search.solve_many(deals, jobs=3)) == alone


def test_a_board_too_large_for_the_kernel_says_so() -> None:
    rules = Rules(name="big", board=Board(6, 6), cards=((Card.JACK, 2), (Card.ACE, 34)))
    with pytest.raises(IllegalPositionError, match="up to 16 cards"):
        search.solve(deal(random.Random(0), rules))


SMALL = Rules(
    name="small",
    board=Board(3, 3),
    cards=((Card.JACK, 2), (Card.ACE, 3), (Card.TWO, 3), (Card.THREE, 1)),
)


@pytest.mark.parametrize("seed", range(5))
def test_a_smaller_board_is_solved_too(seed: int) -> None:
    position = deal(random.Random(seed), SMALL)
    check_against_definition(position, analyse(position))
    check_against_definition(position, Analysis(position, next(search.solve_many([position]))))


@pytest.mark.slow
def test_a_cached_kernel_runs_in_a_second_process(tmp_path: Path) -> None:
    """Numba issues 6061 and 9129: a cached kernel may break when loaded again. Ours is, from a new cache."""
    code = (
        "import random, collapsi\n"
        "from collapsi.games.classic import search\n"
        "deals = [collapsi.deal(random.Random(seed)) for seed in range(9)]\n"
        "nodes = [0]\n"
        "answers = list(search.solve_many(deals, nodes=nodes))\n"
        "from collapsi.games.classic import compiled\n"
        "print(hash(str(answers) + str(nodes)), sum(compiled.solve_many.stats.cache_hits.values()))\n"
    )
    runs = []
    for _ in range(2):
        environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": "0"}
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        runs.append(run.stdout.split())
    (first, no_hit), (second, hit) = runs
    assert first == second
    assert (no_hit, hit) == ("0", "1")
