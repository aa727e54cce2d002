"""Puzzles: exactly one move wins, the ratings are true, sets depend on their seed and repeat nothing."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collapsi import (
    JOKER,
    STANDARD,
    CollapsiError,
    IllegalMoveError,
    Position,
    Rules,
    analyse,
    parse_game,
    parse_position,
    status,
    symmetries,
    transform,
)
from collapsi.core.players import Player
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.classic.solver import ClassicSolver
from collapsi.games.registry import kind_named
from collapsi.play import puzzles
from collapsi.play.enums import PuzzleKind, Turn
from collapsi.play.puzzles import Puzzle, is_puzzle, kind_of, make_puzzles, orientation_free, try_move
from collapsi.play.strategy.rulecard import bundled_card
from collapsi.play.tempo import PassPuzzle, passed
from collapsi.solving import reference as definition
from tests.strategies import played
from tests.typed import ok

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


@pytest.fixture(scope="module", autouse=True)
def _solver() -> None:
    """Many positions are solved here: with the compiled solver."""
    kind_named("classic").solver.warm_up()


@pytest.fixture(scope="module")
def some() -> dict[tuple[str, PuzzleKind], list[Puzzle]]:
    """Some of every kind, under both rule sets."""
    return {
        (rules.name, kind): list(make_puzzles(5, kind=kind, rules=rules, count=40))
        for rules in (STANDARD, JOKER)
        for kind in PuzzleKind
        if kind is not PuzzleKind.PASS
    }


def sees(position: Position, plies: int) -> dict[int, bool | None]:
    """What looking so many plies ahead tells of each move, by the rules alone: it wins, loses, or nothing."""

    def won(here: Position, left: int) -> bool | None:
        """Whether the side to move wins, as far as so many plies show."""
        if not here.moves:
            return False
        if not left:
            return None
        fates = [won(here.play(move), left - 1) for move in here.moves]
        if False in fates:
            return True
        return None if None in fates else False

    fates = {move: won(position.play(move), plies - 1) for move in position.moves}
    return {move: None if fate is None else not fate for move, fate in fates.items()}


def is_found(position: Position, plies: int) -> bool:
    """Whether who knows that one move wins, and looks so many plies ahead, knows which."""
    told = Counter(sees(position, plies).values())
    return told[True] == 1 or told[False] == len(position.moves) - 1


def test_exactly_one_move_wins_by_the_definition(some: dict[tuple[str, PuzzleKind], list[Puzzle]]) -> None:
    """Minimax straight from the rules, where that is quick: with few cards left."""
    checked = 0
    for found in some.values():
        for puzzle in found:
            if puzzle.position.cards_left > 10:
                continue
            checked += 1
            values = definition_values(puzzle.position)
            assert len(values) > 1
            assert [move for move, wins in values.items() if wins] == [puzzle.move.move]
    assert checked > 130


def definition_values(position: Position) -> dict[int, bool]:
    """Whether each move wins."""
    sign = 1 if position.to_move is Player.RED else -1
    return {move: sign * definition.score(position.play(move)) > 0 for move in position.moves}


def test_exactly_one_move_wins_by_the_solver(some: dict[tuple[str, PuzzleKind], list[Puzzle]]) -> None:
    for found in some.values():
        for puzzle in found:
            solved = analyse(puzzle.position)
            assert [move.name for move in solved.moves if move.wins] == [puzzle.move.name]
            assert len(solved.moves) > 1
            assert puzzle.analysis.moves == solved.moves
            assert puzzle.plies == solved.plies
            assert puzzle.refuted == max(move.plies for move in solved.moves if not move.wins)


def test_the_rating_is_what_looking_ahead_plainly_finds(
    some: dict[tuple[str, PuzzleKind], list[Puzzle]],
) -> None:
    """One ply less, and one cannot be sure; with so many one is."""
    checked = 0
    for found in some.values():
        for puzzle in found:
            if puzzle.sight <= 5 and puzzle.position.cards_left <= 11:
                checked += 1
                assert is_found(puzzle.position, puzzle.sight)
                assert puzzle.sight == 1 or not is_found(puzzle.position, puzzle.sight - 1)
    assert checked > 100


def test_puzzles_are_of_the_kind_that_was_asked_for(some: dict[tuple[str, PuzzleKind], list[Puzzle]]) -> None:
    ranges = {
        PuzzleKind.EASY: (1, 2),
        PuzzleKind.MEDIUM: (3, 4),
        PuzzleKind.HARD: (5, 6),
        PuzzleKind.EXPERT: (7, 14),
    }
    for (_, kind), found in some.items():
        least, most = ranges[kind]
        assert all(least <= puzzle.sight <= most for puzzle in found)
        assert {puzzle.kind for puzzle in found} == {kind}
    assert [kind_of(sight) for sight in range(1, 8)] == [
        PuzzleKind.EASY,
        PuzzleKind.EASY,
        PuzzleKind.MEDIUM,
        PuzzleKind.MEDIUM,
        PuzzleKind.HARD,
        PuzzleKind.HARD,
        PuzzleKind.EXPERT,
    ]


def test_puzzles_arise_in_play(some: dict[tuple[str, PuzzleKind], list[Puzzle]]) -> None:
    for (rules, _), found in some.items():
        for puzzle in found:
            assert puzzle.position.rules.name == rules
            assert puzzle.game.positions[0].dealt
            assert parse_game(puzzle.game.text).position == puzzle.position
            assert not status(puzzle.position)


def images(position: Position) -> set[Position]:
    """All orientations, in both colours."""
    red, blue = position.pawns
    swapped = Position(position.cards, (blue, red), position.to_move.other, position.rules)
    return {transform(one, way) for one in (position, swapped) for way in symmetries(position.board)}


def test_no_two_of_a_set_are_the_same_in_another_orientation(
    some: dict[tuple[str, PuzzleKind], list[Puzzle]],
) -> None:
    for found in some.values():
        assert len({orientation_free(puzzle.position) for puzzle in found}) == len(found)
        seen: set[Position] = set()
        for puzzle in found[:8]:
            assert puzzle.position not in seen
            seen |= images(puzzle.position)


@given(played(), st.data())
@settings(max_examples=60, deadline=None)
def test_what_stands_for_a_position_is_the_same_for_all_its_images(
    position: Position, data: st.DataObject
) -> None:
    way = data.draw(st.sampled_from(symmetries(position.board)))
    assert orientation_free(transform(position, way)) == orientation_free(position)


def test_what_stands_for_a_position_tells_others_apart() -> None:
    found = [puzzle.position for puzzle in make_puzzles(1, kind=PuzzleKind.EASY, count=12)]
    way = random.Random(3).choice(symmetries(STANDARD.board))
    found += [transform(position, way) for position in found[::3]]
    for position in found:
        same = images(position)
        for other in found:
            assert (orientation_free(position) == orientation_free(other)) == (other in same)


@pytest.mark.parametrize("rules", [STANDARD, JOKER], ids=str)
def test_a_seed_says_it_all(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are made, and however many games are played at a time."""
    many = [puzzle.position.text for puzzle in make_puzzles(9, rules=rules, count=30)]
    few = [puzzle.position.text for puzzle in make_puzzles(9, rules=rules, count=7)]
    assert few == many[:7]
    assert many[:5] == [puzzle.position.text for puzzle in islice(make_puzzles(9, rules=rules, count=60), 5)]
    monkeypatch.setattr(puzzles, "MOST_AT_ONCE", 3)
    assert many == [puzzle.position.text for puzzle in make_puzzles(9, rules=rules, count=30, jobs=1)]
    assert many != [puzzle.position.text for puzzle in make_puzzles(10, rules=rules, count=30)]


def test_all_kinds_are_found_where_none_is_asked_for() -> None:
    assert {puzzle.kind for puzzle in make_puzzles(1, count=60)} == set(PuzzleKind) - {PuzzleKind.PASS}


def test_a_position_with_one_move_is_no_puzzle() -> None:
    """Nor one with two winning moves, or none."""
    for text, expected in (
        ("..../.2r../.Ab../.2.. r", False),
        (EXAMPLE, True),
        (f"{EXAMPLE} a2 b4", False),
        (f"{EXAMPLE} d1", False),
    ):
        position = parse_game(text).position
        solution = next(iter(ClassicSolver().solutions([position])))
        moves = analyse(position).moves
        assert is_puzzle(solution) is expected
        assert expected == (len(moves) > 1 and sum(move.wins for move in moves) == 1)


def test_what_there_is_none_of_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "MOST_BARREN", 5)
    monkeypatch.setattr(puzzles, "orientation_free", lambda _: ())  # as if all were the same one
    with pytest.raises(CollapsiError, match="5 games under standard rules gave no more easy puzzles than 1"):
        list(make_puzzles(1, kind=PuzzleKind.EASY, count=2))


def test_the_card_finds_what_it_names_alone(some: dict[tuple[str, PuzzleKind], list[Puzzle]]) -> None:
    """Some it finds and some it does not; it finds a win at once, which its first line takes."""
    found = [puzzle for several in some.values() for puzzle in several]
    for puzzle in found[::7]:
        chosen = bundled_card(puzzle.position.rules.name).choose(puzzle.position)
        assert puzzle.card == (len(chosen) == 1 and puzzle.position.play(chosen[0]) in wins_of(puzzle))
        assert puzzle.to_json()["card"] is puzzle.card
        assert ("does not find it" in puzzle.rating) != puzzle.card
    assert {puzzle.card for puzzle in found} == {True, False}
    at_once = [puzzle for puzzle in found if puzzle.plies == 1]
    assert at_once
    assert all(puzzle.card for puzzle in at_once)


def wins_of(puzzle: Puzzle) -> list[Position]:
    """Where the winning moves lead."""
    return [puzzle.position.play(move.move) for move in analyse(puzzle.position).moves if move.wins]


@given(played(rules=st.sampled_from([STANDARD, JOKER]), fewest=4))
@settings(max_examples=40, deadline=None)
def test_a_trial_is_proven(position: Position) -> None:
    """The line that proves it is legal, perfect, and ends as the trial says."""
    before = analyse(position)
    if before.winner is not position.to_move:
        with pytest.raises(CollapsiError, match=f"{position.to_move} cannot win here"):
            try_move(before, "a1")
        return
    for move in before.moves:
        trial = try_move(before, move.name)
        assert trial.right == move.wins
        assert trial.only == (sum(one.wins for one in before.moves) == 1)
        here = position
        for number, name in enumerate(trial.line):
            if number:
                assert name in analyse(here).best
            here = here.play(name)
        assert here.winner is move.winner
        assert len(trial.line) == move.plies
        said = str(trial)
        assert (
            said.startswith(f"{move.name} {'is the only move that wins' if trial.only else 'wins'}")
            == move.wins
        )
        if not move.wins:
            assert f"{trial.line[1]} and wins in {move.plies - 1} pl" in said
        elif move.plies == 1:
            assert said.endswith(": " + f"{position.to_move.other} cannot move") or before.plies < 1
        else:
            assert f", in {move.plies} plies" in said
        data = trial.to_json()
        several = sum(one.wins for one in before.moves) > 1 or len(before.moves) == 1
        assert (data["kind"] is None) == (data["rating"] is None) == several
        assert ("the quickest" in said) == (move.wins and move.plies > before.plies)


def test_a_trial_that_is_no_move_is_named() -> None:
    with pytest.raises(IllegalMoveError, match="d4 is 2 steps"):
        try_move(analyse(EXAMPLE), "d4")


@pytest.mark.parametrize("rules", CLASSIC_RULE_SETS.values(), ids=str)
def test_every_rule_set_has_puzzles(rules: Rules) -> None:
    for puzzle in make_puzzles(2, rules=rules, count=3):
        assert sum(move.wins for move in analyse(puzzle.position).moves) == 1


# Would you rather pass?


@pytest.fixture(scope="module")
def passes() -> list[PassPuzzle]:
    """Some under several rule sets."""
    return [
        puzzle
        for rules in (STANDARD, JOKER)
        for puzzle in make_puzzles(5, kind=PuzzleKind.PASS, rules=rules, count=60)
    ]


def wins_by_definition(position: Position) -> bool:
    """Whether the side to move wins, by minimax straight from the rules."""
    sign = 1 if position.to_move is Player.RED else -1
    return sign * definition.score(position) > 0


def test_whoever_is_to_move_wins_or_loses(passes: list[PassPuzzle]) -> None:
    checked = 0
    for puzzle in passes:
        position = puzzle.position
        assert puzzle.choice.decides
        assert position.moves
        swapped = replace(position, to_move=position.to_move.other)
        assert swapped.moves
        if position.cards_left <= 10:
            checked += 1
            moving, passing = wins_by_definition(position), not wins_by_definition(swapped)
            assert (moving, passing) == ((False, True) if puzzle.answer == "pass" else (True, False))
    assert checked > 30


def test_neither_answer_is_a_good_guess(passes: list[PassPuzzle]) -> None:
    answers = Counter(puzzle.answer for puzzle in passes)
    assert set(answers) == {"pass", "move"}
    assert min(answers.values()) > 40


def test_passes_arise_in_play_and_are_different(passes: list[PassPuzzle]) -> None:
    for puzzle in passes:
        assert puzzle.game.positions[0].dealt
        assert parse_game(puzzle.game.text).position == puzzle.position
    for rules in (STANDARD, JOKER):
        some = [orientation_free(one.position) for one in passes if one.position.rules is rules]
        assert len(set(some)) == len(some) == 60


def test_a_pass_puzzle_as_data(passes: list[PassPuzzle]) -> None:
    for puzzle in passes[:20]:
        data = puzzle.to_json()
        better, worse = analyse(puzzle.position), analyse(passed(puzzle.position))
        if puzzle.answer == "pass":
            better, worse = worse, better
        assert (data["plies"], data["refuted"]) == (better.plies, worse.plies)
        assert data["sight"] == min(better.plies, worse.plies)
        assert data["line"] == list(better.line)
        assert (data["kind"], data["card"], data["move"]) == ("pass", False, puzzle.answer)


@given(played(rules=st.sampled_from(list(CLASSIC_RULE_SETS.values())), fewest=2))
@settings(max_examples=40, deadline=None)
def test_an_answer_is_proven(position: Position) -> None:
    """The line that proves it is legal, and ends as the trial says; a pass is right if nothing else wins."""
    if not position.moves:
        with pytest.raises(CollapsiError, match="the game is over"):
            try_move(analyse(position), "pass")
        return
    moving = analyse(position).winner is position.to_move
    passing = analyse(passed(position)).winner is position.to_move
    for turn in Turn:
        data = try_move(analyse(position), turn.value).to_json()
        assert data["right"] == ((turn is Turn.PASS) == (passing and not moving))
        assert data["only"] == (moving != passing) == (data["kind"] == "pass") == (data["rating"] is not None)
        here = parse_position(data["start"])
        assert (here == position) == (turn is Turn.MOVE)
        assert len(data["line"]) == data["plies"]
        for name in data["line"]:
            here = here.play(name)
        assert not here.moves
        assert str(here.winner) == data["winner"]
        assert data["text"].startswith(f"if {position.to_move} moves, ")


def test_passes_on_the_command_line(passes: list[PassPuzzle]) -> None:
    lines = ok("puzzles", "--kind", "pass", "--seed", "5", "--count", "6", "--answers").splitlines()
    assert lines == [f"{puzzle.position.text} {puzzle.answer}" for puzzle in passes[:6]]
    (data,) = map(
        json.loads, ok("puzzles", "--kind", "pass", "--seed", "5", "--count", "1", "--json").splitlines()
    )
    assert data == passes[0].to_json()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in PuzzleKind if kind.asks_for_move])
def test_ten_thousand_from_one_command(kind: PuzzleKind) -> None:
    said = ok("puzzles", "--kind", kind, "--count", "10000", "--seed", "1", "--answers")
    games = [parse_game(line) for line in said.splitlines()]
    assert len({orientation_free(game.positions[0]) for game in games}) == 10_000
    for game in games[::97]:
        solved = analyse(game.positions[0])
        assert [move.name for move in solved.moves if move.wins] == list(game.squares)
