"""The computer as a player, and the game in the terminal."""

from __future__ import annotations

import random
import re
import signal
import subprocess
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from collapsi import STANDARD, Game, Player, Position, analyse, deal, parse_game, parse_position, review
from collapsi.cli.play import seat_players
from collapsi.core.errors import MalformedError
from collapsi.core.players import PAIR
from collapsi.games.levels import FIRST_LEVEL, Level
from collapsi.games.registry import kind_named
from collapsi.play.coach import most_tempting, why_best
from collapsi.play.levels import choose_move, liked_moves
from collapsi.solving import reference as definition
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS
from tests.shifting_positions import endgame
from tests.strategies import played
from tests.test_cli import COLLAPSI
from tests.typed import ok, refused, run

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"


@pytest.fixture(scope="module", autouse=True)
def _solvers() -> None:
    """Thousands of positions are solved here: with the compiled solvers."""
    for kind in ("classic", "shifting"):
        kind_named(kind).solver.warm_up()


def look_ahead(position: Position, plies: int) -> int:
    """The plain meaning of looking ahead: cards left at the end, negative if the side to move loses.

    0 if no end is in sight.
    """
    if not position.moves:
        return -position.cards_left
    if plies == 0:
        return 0
    return max(-look_ahead(position.play(to), plies - 1) for to in position.moves)


@settings(max_examples=60)
@given(played(fewest=6))
def test_looking_far_enough_is_perfect(position: Position) -> None:
    sign = 1 if position.to_move is Player.RED else -1
    assert look_ahead(position, 14) == sign * definition.score(position)


@settings(max_examples=60)
@given(played(fewest=3))
def test_a_level_sees_what_looking_ahead_sees(position: Position) -> None:
    for level in (Level.ONE, Level.TWO, Level.FOUR):
        sight = int(level)
        seen = {to: -look_ahead(position.play(to), sight - 1) for to in position.moves}
        best = max(seen.values(), default=None)
        assert liked_moves(position, level) == tuple(to for to, value in seen.items() if value == best)


@pytest.mark.parametrize("rules", FOR_TWO)
@pytest.mark.parametrize("level", Level)
def test_every_level_plays_legal_games_to_the_end(level: Level, rules: str) -> None:
    """From a deal; on the Shifting Board, whose deals take long, from an endgame."""
    rng = random.Random(3)
    found = FOR_TWO[rules]
    position: Any = endgame(rng, found, 8) if found.kind == "shifting" else deal(rng, found)
    while position.moves:
        position = position.play(choose_move(position, level, rng))
    with pytest.raises(ValueError, match="the game is over"):
        choose_move(position, level, rng)


def test_the_perfect_player_never_throws_a_win_away_and_wins_as_fast_as_it_can() -> None:
    rng = random.Random(5)
    for _ in range(15):
        game = Game.start(deal(rng))
        while game.position.winner is None:
            before = analyse(game.position)
            level = Level.PERFECT if game.position.to_move is Player.RED else Level.RANDOM
            game = game.play(choose_move(game.position, level, rng))
            after = analyse(game.position)
            if level is Level.PERFECT:
                assert (after.winner, after.plies) == (before.winner, before.plies - 1)
            elif before.winner is Player.RED:
                assert after.winner is Player.RED
                assert after.plies <= before.plies - 1


@pytest.mark.parametrize(
    ("rules", "levels", "games", "least"),
    [
        ("standard", (Level.RANDOM, Level.ONE, Level.TWO, Level.FOUR), 120, 64),
        ("standard", (Level.TWO, Level.CARD, Level.MASTER), 120, 64),
        ("shift-rotate", (Level.RANDOM, Level.ONE, Level.TWO), 30, 18),
        ("big", (Level.RANDOM, Level.TWO), 10, 8),
    ],
)
def test_stronger_levels_win_more(rules: str, levels: tuple[Level, ...], games: int, least: int) -> None:
    """Each level against the one before, with both colours."""
    rng = random.Random(11)
    for weaker, stronger in pairwise(levels):
        won = 0
        for number in range(games):
            colour = Player(number % 2)
            position = deal(rng, rules)
            while position.moves:
                level = stronger if position.to_move is colour else weaker
                position = position.play(choose_move(position, level, rng))
            won += position.winner is colour
        assert won >= least, (weaker, stronger, won)


PERFECT = (EXAMPLE, "--level", "perfect")


def script(*lines: str, arguments: tuple[str, ...] = (*PERFECT, "--seed", "1")) -> str:
    return ok("play", *arguments, stdin="\n".join(lines).encode() + b"\n")


def test_a_whole_scripted_game() -> None:
    """Red plays the best move each time, as the hint says it: perfect blue holds out for thirteen plies."""
    position = parse_position(EXAMPLE)
    moves: list[str] = []
    for _ in range(7):
        text = script(*moves, "hint", "quit")
        best = re.findall(r"^best: (\w\d)", text, re.MULTILINE)[-1]
        moves.append(best)
    text = script(*moves)
    assert "red has won: blue cannot move\npoints: red 3, blue 0" in text
    game = parse_game(re.findall(r"^game: (.*)$", text, re.MULTILINE)[0])
    assert game.positions[0] == position
    assert len(game.moves) == 13


def test_the_reason_for_a_hint_and_for_where_it_turned() -> None:
    game = f"{EXAMPLE} a2 b4 b3 d1 b2"
    text = script("hint", "why", "why?", "c1", "quit", arguments=(game, "--red", "you", "--blue", "you"))
    solved = analyse(parse_game(game).position)
    assert text.count(f"why: {why_best(solved)}\nbesides: {most_tempting(solved)}\n") == 2
    assert "hint, why, values" in text
    text = script("a1", "b1", arguments=(game, "--red", "you", "--blue", "you"))
    reasons = [move.why for move in review(parse_game(f"{game} a1 b1")).turning_points]
    assert re.findall(r"^  why: (.*)$", text, re.MULTILINE) == list(map(str, reasons))
    assert "why: loses in 1 more ply: red answers b1, and blue cannot move" in text


def test_words_at_the_prompt() -> None:
    text = script("values", "moves", "b1", "nonsense", "", "undo", "a2", "undo", "quit")
    assert "a2   +13  red wins in 13 plies" in text
    assert "\nd1 a2 c2 d3\n" in text
    assert "b1 is 3 steps from d2" in text
    assert "'nonsense' is no square" in text
    assert "there is no move of yours to take back" in text
    assert text.endswith(f"game so far: {EXAMPLE}\n")


def test_input_that_ends_ends_the_game() -> None:
    assert ok("play", EXAMPLE, stdin=b"").endswith(f"game so far: {EXAMPLE}\n")


def test_two_people_and_the_computer_against_itself() -> None:
    text = script("a2", "b4", "undo", "quit", arguments=(EXAMPLE, "--red", "you", "--blue", "you"))
    assert text.endswith(f"game so far: {EXAMPLE} a2\n")
    text = ok("play", "--red", "perfect", "--blue", "random", "--seed", "4", "--rules", "joker")
    assert re.search(r"^(red|blue) has won: ", text, re.MULTILINE)
    assert " joker " in text.splitlines()[-1]
    turned = review(parse_game(text.splitlines()[-1].removeprefix("game: "))).turning_points
    assert [int(number) for number in re.findall(r"it turned at move (\d+),", text)] == [
        move.number for move in turned
    ]
    assert turned


def test_a_game_is_played_on_with_its_moves() -> None:
    text = script("undo", "quit", arguments=(f"{EXAMPLE} a2 b4", "--red", "you", "--blue", "you"))
    assert text.endswith(f"game so far: {EXAMPLE} a2\n")
    finished = ok("play", "AbA../..../..Ar./.... r", stdin=b"")
    assert finished.count("blue has won: red cannot move") == 1
    assert "your move" not in finished


def test_unknown_players_are_refused() -> None:
    assert "'genius' is not a player: choose one of you, random, 1, 2, roamer, pocket, points, 4" in refused(
        "play", "--blue", "genius"
    )


YOU = None


@pytest.mark.parametrize(
    ("red", "blue", "level", "players"),
    [
        (None, None, None, (YOU, FIRST_LEVEL)),
        (None, None, Level.TWO, (YOU, Level.TWO)),
        ("you", None, Level.TWO, (YOU, Level.TWO)),
        (None, "you", Level.TWO, (Level.TWO, YOU)),
        (None, "you", None, (FIRST_LEVEL, YOU)),
        ("4", None, None, (Level.FOUR, YOU)),
        (None, "random", None, (YOU, Level.RANDOM)),
        ("you", "you", None, (YOU, YOU)),
        ("1", "you", None, (Level.ONE, YOU)),
        ("perfect", "random", None, (Level.PERFECT, Level.RANDOM)),
    ],
)
def test_who_plays_what(
    red: str | None, blue: str | None, level: Level | None, players: tuple[Level | None, Level | None]
) -> None:
    named = {Player.RED: red, Player.BLUE: blue}
    assert seat_players(STANDARD, named, level) == dict(zip(PAIR, players, strict=True))


@pytest.mark.parametrize(
    ("red", "blue", "reason"),
    [
        ("you", "you", "--level 1 is for a computer player that has no level yet"),
        ("you", "2", "leave it out, or a colour"),
        ("4", "2", "leave it out, or a colour"),
        ("4", None, "--level 1 is for a computer player that has no level yet"),
        (None, "4", "--level 1 is for a computer player that has no level yet"),
    ],
)
def test_a_level_that_is_said_twice_is_refused(red: str | None, blue: str | None, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        seat_players(STANDARD, {Player.RED: red, Player.BLUE: blue}, Level.ONE)


def test_the_level_of_the_computer() -> None:
    assert "blue (random) goes to " in script("a2", "quit", arguments=(EXAMPLE, "--level", "random"))
    text = script("quit", arguments=(EXAMPLE, "--level", "4", "--blue", "you"))
    assert "red (4) goes to " in text
    names = ", ".join(f"'{level}'" for level in Level)
    assert f"is not one of {names}" in refused("play", "--level", "genius")
    assert "leave it out, or a colour" in refused("play", "--red", "you", "--blue", "you", "--level", "1")


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict", "utf-8:surrogateescape"])
def test_bytes_that_are_no_letters_do_not_lose_the_game(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    typed = b"a2\n\xff\nx\xe9\n" + b"y" * 100_000 + b"\nquit\n"
    done = run("play", EXAMPLE, "--red", "you", "--blue", "you", stdin=typed)
    assert done.returncode == 0
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert "byte 1 is not UTF-8 (0xff)" in lines
    assert "byte 2 is not UTF-8 (0xe9)" in lines
    assert any(line.startswith("100,001 bytes are too many") for line in lines)
    assert lines[-1] == f"game so far: {EXAMPLE} a2"


def test_ctrl_c_says_the_game_so_far() -> None:
    with subprocess.Popen(
        [*COLLAPSI, "play", EXAMPLE, "--red", "you", "--blue", "you"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("a2\n")
        process.stdin.flush()
        while process.stdout.readline() != "blue to move\n":
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=HANG_SECONDS) == 130
        assert process.stdout.read().endswith(f"game so far: {EXAMPLE} a2\n")
        assert process.stderr.read() == ""
