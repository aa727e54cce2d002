"""The solver of the shifting board: rule sheet, reference, interpreted and compiled kernel agree."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from collapsi import Player, parse_position
from collapsi.core.cards import Card
from collapsi.games.analysis import Analysis
from collapsi.games.shifting import kernel as shift_kernel
from collapsi.games.shifting import search as shift_search
from collapsi.solving import reference as definition
from tests import naive_shift
from tests.rule_sets import SHIFTING
from tests.shifting_positions import endgame, made_up, random_game

if TYPE_CHECKING:
    from collapsi.games.shifting.rules import ShiftingRules
    from collapsi.games.shifting.state import Shifting

readings = pytest.mark.parametrize("rules", SHIFTING, ids=str)


def reading(name: str) -> ShiftingRules:
    return next(rules for rules in SHIFTING if rules.name == name)


def laid(text: str) -> Shifting:
    return cast("Shifting", parse_position(text))


@readings
def test_the_definition_is_the_rule_sheets(rules: ShiftingRules) -> None:
    rng = random.Random(3)
    for _ in range(30):
        for position in (endgame(rng, rules, 7), made_up(rng, rules, 7)):
            assert definition.score(position) == naive_shift.score(naive_shift.read(position.text))


def check_against_definition(position: Shifting, analysis: Analysis[Shifting]) -> None:
    """Every move's value, and of equally good moves the first in reading order along the line."""
    known: dict[Shifting, int] = {}
    assert analysis.score == definition.score(position, known)
    sign = 1 if position.to_move is Player.RED else -1
    values = {move: sign * known[position.play(move)] for move in position.moves}
    assert [move.move for move in analysis.moves] == sorted(values, key=lambda move: (-values[move], move))
    for move in analysis.moves:
        assert sign * move.outcome.score == values[move.move]
        assert move.outcome.plies == position.cards_left - abs(move.outcome.score)
    here = position
    for chosen in analysis.solution.line:
        assert chosen == next(one for one in here.moves if known[here.play(one)] == known[here])
        here = here.play(chosen)
    assert here.winner is analysis.winner
    assert len(analysis.line) == analysis.plies


def check_endgames(rules: ShiftingRules, seed: int, count: int, most_cards: int) -> None:
    rng = random.Random(seed)
    positions = [make(rng, rules, most_cards) for _ in range(count // 2) for make in (endgame, made_up)]
    compiled_nodes = [0]
    found = list(shift_search.solve_many(positions, jobs=2, nodes=compiled_nodes))
    values = list(shift_search.value_many(positions, jobs=2))
    for position, solution, value in zip(positions, found, values, strict=True):
        analysis = Analysis(position, solution)
        check_against_definition(position, analysis)
        assert value == (analysis.score if position.to_move is Player.RED else -analysis.score)
    some = len(positions) if most_cards < 9 else len(positions) // 4
    nodes, compiled_nodes = [0], [0]
    assert [shift_search.solve(position, nodes) for position in positions[:some]] == found[:some]
    assert list(shift_search.solve_many(positions[:some], jobs=2, nodes=compiled_nodes)) == found[:some]
    assert nodes == compiled_nodes


@readings
def test_endgames(rules: ShiftingRules) -> None:
    check_endgames(rules, 4, 80, 8)


@pytest.mark.slow
@readings
def test_many_endgames(rules: ShiftingRules) -> None:
    check_endgames(rules, 5, 4000, 8)
    check_endgames(rules, 6, 300, 10)


def ends_within(position: Shifting, plies: int, known: dict[tuple[Shifting, int], bool]) -> bool:
    """Whether the side whose plies they are wins within so many: with an odd number the side to move."""
    if not position.moves:
        return plies % 2 == 0
    if plies == 0:
        return False
    if (position, plies) not in known:
        children = (ends_within(position.play(move), plies - 1, known) for move in position.moves)
        known[position, plies] = any(children) if plies % 2 else all(children)
    return known[position, plies]


def check_length(position: Shifting, plies: int) -> None:
    """That a position is won or lost in exactly so many plies, by the rules alone."""
    known: dict[tuple[Shifting, int], bool] = {}
    assert ends_within(position, plies, known)
    assert plies < 2 or not ends_within(position, plies - 2, known)


def whole_deals(rules: ShiftingRules, seed: int, count: int) -> list[Shifting]:
    rng = random.Random(seed)
    return [next(iter(random_game(rng, rules))) for _ in range(count)]


def test_both_forms_enter_the_same_nodes_on_whole_deals() -> None:
    deals = whole_deals(reading("shift-box"), 7, 3)
    nodes, compiled_nodes = [0], [0]
    answers = [shift_search.solve(position, nodes) for position in deals]
    assert answers == list(shift_search.solve_many(deals, nodes=compiled_nodes))
    assert nodes == compiled_nodes
    assert nodes[0] > 1000


@readings
def test_what_was_solved_before_changes_nothing(rules: ShiftingRules) -> None:
    """Neither other threads nor an old table: the nodes entered are the same too."""
    rng = random.Random(8)
    positions = [endgame(rng, rules, 11) for _ in range(20)]
    alone, together, backwards = [0], [0], [0]
    found = [next(iter(shift_search.solve_many([position], jobs=1, nodes=alone))) for position in positions]
    assert list(shift_search.solve_many(positions, jobs=3, nodes=together)) == found
    assert list(shift_search.solve_many(positions[::-1], jobs=2, nodes=backwards))[::-1] == found
    assert alone == together == backwards


@readings
def test_a_moves_value_is_that_of_the_position_it_leads_to(rules: ShiftingRules) -> None:
    """From whole deals down to where the definition has its say, each position solved for itself."""
    rng = random.Random(10)
    for _ in range(2):
        positions = [position for position in random_game(rng, rules) if position.moves]
        if rules.name == "shift-rotate":
            positions = positions[2:]
        for position, solution in zip(positions, shift_search.solve_many(positions), strict=True):
            children = [position.play(move) for move in position.moves]
            values = [-value for value in shift_search.value_many(children)]
            assert [solution.values[move] for move in position.moves] == values
            assert next(iter(shift_search.value_many([position]))) == max(values)


def test_whole_deals_are_won_as_quickly_as_said() -> None:
    """As far as the rules alone can be asked: deals that are over soon."""
    deals = whole_deals(reading("shift-box"), 11, 60)
    short = [
        (position, Analysis(position, solution).plies)
        for position, solution in zip(deals, shift_search.solve_many(deals), strict=True)
        if Analysis(position, solution).plies <= 5
    ]
    assert len(short) > 3
    for position, plies in short:
        check_length(position, plies)


@pytest.mark.slow
@readings
def test_positions_of_many_cards_are_won_as_quickly_as_said(rules: ShiftingRules) -> None:
    rng = random.Random(12)
    checked = 0
    while checked < 60:
        for position in random_game(rng, rules):
            if position.moves and position.cards_left >= 12:
                analysis = Analysis(position, next(iter(shift_search.solve_many([position]))))
                if analysis.plies <= (5 if position.cards_left > 13 else 7):
                    check_length(position, analysis.plies)
                    checked += 1


def test_a_jack_is_a_card_of_one_step_wherever_it_lies() -> None:
    stray = laid("J2J3/JrA.J/.4.2/..Jb. b shift")
    ace = replace(stray, cards=tuple(Card.ACE if card is Card.JACK else card for card in stray.cards))
    assert shift_search.solve(stray) == shift_search.solve(ace)


def test_who_stops_listening_stops_the_kernels() -> None:
    """As Ctrl-C does: of deals that take many seconds together hardly any are solved."""
    rules = reading("shift-rotate")
    deals = whole_deals(rules, 13, 12)
    nodes = [0]
    listening = shift_search.solve_many([endgame(random.Random(1), rules, 6), *deals], jobs=2, nodes=nodes)
    next(listening)
    tasks: list[shift_search.SearchTask] = []
    known = shift_search.SearchTask.stop

    def stop(task: shift_search.SearchTask) -> None:
        known(task)
        tasks.append(task)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shift_search.SearchTask, "stop", stop)
        listening.close()  # type: ignore[attr-defined]
    assert len(tasks) == len(deals) + 1
    entered = [int(task.nodes[0]) for task in tasks[1:]]
    assert sum(count == 0 for count in entered) >= len(deals) - 3, "those that had not begun never do"
    assert all((task.values == 0).any() for task in tasks[1:])


def test_progress_is_told_of_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shift_search, "PROGRESS_SECONDS", 0.001)
    deal = whole_deals(reading("shift"), 14, 1)[0]
    told: list[tuple[int, int]] = []
    list(shift_search.solve_many([deal], progress=lambda done, of: told.append((done, of))))
    assert told == sorted(told)
    assert {of for _, of in told} == {len(deal.moves)}
    assert 0 <= told[0][0] < told[-1][0] <= len(deal.moves)


@pytest.mark.parametrize("reading_number", [shift_kernel.LINE, shift_kernel.ROTATE])
def test_the_tables_key_is_complete(reading_number: int) -> None:
    """What the kernel's header claims: in n shifts no two cards come further apart, or nearer, than by n.

    So two boards n < 16 shifts from one root that look the same modulo 32, as seen from card 0, are the same
    but for drift. On a board whose lines turn, modulo four is everything there is to see.
    """
    rng = random.Random(15)
    places = [20 * 65 + 64 * (card // 4) + card % 4 for card in range(16)]
    for _ in range(200):
        patch = [0] * shift_kernel.PATCH
        shift_kernel.lay(patch, places, shift_kernel.EVERY)
        for shifts in range(1, 15):
            # Always the same two cards, so that they get as far as they can; sometimes any.
            card = rng.choice([0, 15]) if rng.random() < 0.8 else rng.randrange(16)
            shift_kernel.slide(patch, reading_number, card, 2 * rng.randrange(2) + (card == 0))
            if reading_number == shift_kernel.ROTATE:
                assert sorted(patch[:16]) == sorted(places)
                continue
            for one in range(16):
                (down, right), (row, column) = (
                    [a - b for a, b in zip(divmod(where[one], 64), divmod(where[0], 64), strict=True)]
                    for where in (patch, places)
                )
                assert max(abs(down - row), abs(right - column)) <= shifts < 16
            grid = patch[shift_kernel.GRID :]
            assert [grid[patch[one]] for one in range(16)] == [1 << one for one in range(16)]
