"""The big board on the command line: what is known and what is not, who plays, what is refused."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest

from collapsi import cli, parse_position
from collapsi.api import about, json_types
from collapsi.cli import terminal
from collapsi.cli.play import seat_players
from collapsi.core.errors import CollapsiError, IllegalPositionError, MalformedError
from collapsi.core.game import Game
from collapsi.core.players import PAIR, Player
from collapsi.games.analysis import position_json
from collapsi.games.big import backends as big_backends
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis, big_json, finding_line
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.engine import answers
from collapsi.games.big.levels import choose, levels, liked
from collapsi.games.big.match import BigMatch
from collapsi.games.big.multiplayer import SCALE, guess
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG, BIG3, BIG4, BIG_RULE_SETS
from collapsi.games.big.search import Bounds
from collapsi.games.big.state import BigState, deal_big
from collapsi.games.levels import Level
from collapsi.service.app import make_app
from collapsi.service.routes import routes
from collapsi.solving import jit
from collapsi.solving import reference as definition
from tests.big_positions import endgames, perfect_line, secured
from tests.fitting import fitting
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS, run_apart
from tests.test_cli import COLLAPSI

if TYPE_CHECKING:
    from pathlib import Path

ENDGAME = "43..../2A...A/.3A.../.AA4../.33b44r./...... r big"
ONE_PLY = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
THREE = "....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"
DEAL = "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big"
CLASSIC_RULE_SETS = "A223/4A2Jr/3A23/Jb3A4 r"


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here needs the compiler, nor the large table that comes with it."""
    # Not by NUMBA_DISABLE_JIT: Numba would read it while this process compiles, or keep it for later tests.
    monkeypatch.setattr(jit, "may_compile", lambda: False)
    plain = SimpleNamespace(backend=lambda **_: big_backends.Interpreted(), is_loaded=lambda: False)
    monkeypatch.setattr(big_search, "big_backends", plain)  # the exact search alone: the engine is slow so


class Said:
    """What a command wrote, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> Said:
        capsys.readouterr()
        code = cli.run(list(arguments))
        written = capsys.readouterr()
        assert "Traceback" not in written.err
        return Said(code, written.out, written.err)

    return call


def refused(said: Said) -> str:
    """The one line of a command that was given something wrong."""
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("collapsi: ")
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize("name", BIG_RULE_SETS)
def test_deal_and_show(say: Any, name: str) -> None:
    dealt = say("deal", "--rules", name, "--seed", "7", "--count", "2").out
    assert say("deal", "--rules", name, "--seed", "7", "--count", "2").out == dealt
    for text in dealt.splitlines():
        state = parse_big(text)
        assert (state.text, state.rules, state.dealt) == (text, BIG_RULE_SETS[name], True)
        assert say("show", text).out == f"{state}\n"
        assert say("show", text.removesuffix(f" {name}"), "--rules", name).out == f"{state}\n"
        picture = ET.fromstring(say("show", text, "--svg").out)
        words = [part.text for part in picture.iter() if part.text]
        for player in state.rules.seats:
            assert player.letter.upper() in words, "pawns are told apart without colour"
        assert len(str(state).splitlines()) == state.board.rows + 2


def test_who_is_out_is_drawn_nowhere_and_named() -> None:
    state = parse_big("....../.2r.3../.AA.../.Ab4.../....../...... r big3 out:g")
    picture = ET.fromstring(state._repr_svg_())
    words = [part.text for part in picture.iter() if part.text]
    assert "G" not in words
    assert {"R", "B", "red to move; out: green"} <= set(words)


def test_solve_says_what_the_judge_says(say: Any) -> None:
    for state in endgames(BIG, 9, 8):
        found = json.loads(say("solve", "--json", state.text).out)
        assert fitting(json_types.BigSolved, found)
        score = definition.score(state)
        assert (found["known"], found["finished"]) == ("all", True)
        assert (found["winner"], found["score"]) == ("red" if score > 0 else "blue", score)
        assert found["plies"] == state.cards_left - abs(score)
        for move in found["moves"]:
            after = definition.score(state.play(move["to"]))
            assert move["plies"] == state.cards_left - abs(after)
            assert move["winner"] == ("red" if after > 0 else "blue")
            assert move["wins"] == (move["winner"] == str(state.to_move))
        last = Game.start(state, found["line"])
        assert {definition.score(position) for position in last.positions} == {score}
        assert last.position.over


def test_solve_in_words(say: Any) -> None:
    said = say("solve", ENDGAME)
    lines = said.out.splitlines()
    assert lines[0] == ENDGAME
    assert "blue wins in 10 plies (score -4)" in lines
    assert "d4   -10  blue wins in 10 plies               e5 e4 d4" not in lines  # e4 has collapsed
    assert [line.split()[:2] for line in lines[-4:-1]] == [["d4", "-10"], ["c3", "-6"], ["b4", "-6"]]
    assert lines[-1].startswith("perfect play: d4 b3")
    assert said.code == 0


def test_out_of_time_everything_learned_is_told_and_nothing_else(say: Any) -> None:
    """Of a whole deal, which takes the interpreted search hours."""
    said = say("solve", DEAL, "--seconds", "0.01")
    assert said.code == 0
    assert "not known yet" in said.out
    assert "stopped after" in said.out
    assert "perfect play" not in said.out
    found = json.loads(say("solve", DEAL, "--seconds", "0.01", "--json").out)
    assert fitting(json_types.BigSolved, found)
    assert (found["known"], found["finished"]) == ("nothing", False)
    assert found["nodes"] > 0
    for name in ("winner", "plies", "plies_at_least", "plies_at_most", "score", "points", "line"):
        assert found[name] is None
    assert found["best"] == []
    assert {move["wins"] for move in found["moves"]} == {None}


def test_what_is_half_known_is_not_shown_as_known() -> None:
    state = parse_big(ENDGAME)
    d4, c3, b4 = (state.parse_move(name) for name in ("d4", "c3", "b4"))
    found = big_search.Progress({d4: Bounds(-12, 13), c3: Bounds(-8, -8), b4: Bounds(-8, -3)}, d4, 77, 1.0)
    analysis = BigAnalysis(state, found)
    assert [(move.name, move.value, move.wins) for move in analysis.moves] == [
        ("d4", "?", None),
        ("b4", "-?", False),
        ("c3", "-6", False),
    ]
    assert (analysis.winner, analysis.plies, analysis.points, analysis.best) == (None, None, None, ())
    assert analysis.text == "not known yet"
    assert analysis.so_far == (
        "stopped after 77 nodes, before all was known: 0 of 3 moves are known to win, 2 to lose; "
        "not settled: b4 d4"
    )
    data = analysis.to_json()
    assert fitting(json_types.BigSolved, data)
    assert data["known"] == "nothing"
    words = [part.text for part in ET.fromstring(analysis._repr_svg_()).iter() if part.text]
    assert {"?", "−6", "−?"} <= set(words)
    winning = BigAnalysis(state, big_search.Progress({d4: Bounds(1, 5), c3: Bounds(-8, 13)}, c3, 77, 1.0))
    assert (winning.winner, winning.score, winning.best) == (Player.RED, None, ())
    assert winning.to_json()["known"] == "winner"
    assert winning.text == "red wins, not known yet how soon (1 to 13 plies)"
    assert winning.points == (1, 0)


def test_winner_only(say: Any) -> None:
    for state in endgames(BIG, 9, 5):
        found = json.loads(say("solve", "--json", "--winner-only", state.text).out)
        assert found["winner"] == ("red" if definition.score(state) > 0 else "blue")
        assert found["finished"]


def test_positions_of_several_kinds_through_one_pipe(say: Any) -> None:
    said = say("solve", "--json", CLASSIC_RULE_SETS, ENDGAME, THREE, "nonsense", CLASSIC_RULE_SETS)
    assert said.code == 2
    assert "position 4" in said.err
    answers = list(map(json.loads, said.out.splitlines()))
    assert [answer["rules"] for answer in answers] == ["standard", "big", "big3", "standard"]


@pytest.mark.parametrize("player", BIG4.seats, ids=str)
def test_the_side_to_move_is_named_by_its_own_colour(player: Player) -> None:
    state = parse_big(f"A2r3.../A2b3.../A2g3.../A2y3.../....../...... {player.letter} big4")
    assert state.to_move is player
    assert position_json(state)["to_move"] == big_json(state)["to_move"] == str(player)


def test_the_line_of_a_round_that_is_over_is_empty_and_one_that_is_not_known_is_null(say: Any) -> None:
    for over in ("...../.4.../33b3g../..2r../..... b five3", f"{ONE_PLY} c3"):
        found = json.loads(say("solve", "--json", over).out)
        assert (found["known"], found["moves"], found["line"]) == ("all", [], [])
        assert [answer.to_json()["line"] for answer in exact_answers(over)] == [[]]
    assert json.loads(say("solve", "--json", "..../.2r../.Ab../.2.. r b4").out)["line"] == []
    assert json.loads(say("solve", "--json", ONE_PLY).out)["line"] == ["c3"]
    unsolved = parse_big(DEAL)
    assert BigAnalysis(unsolved, big_search.nothing_known(unsolved)).to_json()["line"] is None


def exact_answers(text: str) -> list[BigAnalysis]:
    """The exact answers of the engine."""
    return [answer for answer in answers(parse_big(text)) if isinstance(answer, BigAnalysis)]


def test_the_best_moves_come_in_the_order_of_the_moves(say: Any) -> None:
    found = json.loads(say("solve", "--json", "....../....../4g2Ar23./..334./....../...... r big3 out:b").out)
    assert found["best"] == [move["move"] for move in found["moves"]] == ["b3", "d3", "c4"]


def test_line_plays_perfect_play_out(say: Any) -> None:
    said = say("line", ENDGAME).out
    assert said.startswith(f"{parse_big(ENDGAME)}\nblue wins in 10\n")
    assert said.count("\n\n") == 10
    assert said.endswith("score -4\n")
    assert "there is no line of perfect play to print (red to move, perfect play: red 2, " in refused(
        say("line", THREE)
    )


def test_the_line_is_the_searchs_own_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    state = parse_big(ENDGAME)
    answer = big_search.solve(state)
    *_, line = finding_line(state, answer)
    assert line == perfect_line(state)
    monkeypatch.setattr(big_search, "SMALL_SLICE", 1)
    assert next(finding_line(state, answer)) is None


def test_ctrl_c_tells_what_is_known() -> None:
    """On a terminal one sees which move is being settled; then all that is known, and exit code 130."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COLLAPSI, "solve", "--json", DEAL],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    ) as process:
        os.close(theirs)
        written = b""
        while b"settling" not in written:
            written += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=HANG_SECONDS)
        os.close(ours)
        assert process.returncode == 130
    assert re.search(rb"settling [a-f][1-6], [\d,]+ nodes, 0 of 4 moves exact", written)
    found = json.loads(out)
    assert fitting(json_types.BigSolved, found)
    assert (found["known"], found["finished"], found["winner"]) == ("nothing", False, None)
    assert found["nodes"] > 0


@pytest.mark.parametrize("rules", [BIG3, BIG4])
def test_endgames_of_more_players_are_the_judges(say: Any, rules: Any) -> None:
    for state in endgames(rules, 10, 8):
        found = json.loads(say("solve", "--json", state.text).out)
        assert fitting(json_types.BigEndgame, found)
        points = definition.points(state)
        assert [found["points"][str(player)] for player in rules.seats] == list(points)
        safe = [secured(state, player) for player in rules.seats]
        assert [found["secured"][str(player)] for player in rules.seats] == safe
        assert all(least <= got for least, got in zip(safe, points, strict=True))
        assert found["exact"] == (safe == list(points))
        assert "reading order" in found["tie_rule"]


def test_with_one_player_out_the_other_two_are_solved(say: Any) -> None:
    """Who wins has two points, the other one; how soon counts no points, so there is no score."""
    for state in endgames(BIG3, 9, 6):
        while len(state.left) > 2:
            state = state.play(state.moves[-1])  # noqa: PLW2901
        found = json.loads(say("solve", "--json", state.text).out)
        assert fitting(json_types.BigSolved, found)
        assert [found["points"][str(player)] for player in BIG3.seats] == list(definition.points(state))
        assert (found["score"], found["out"]) == (None, [str(player) for player in state.out])


def test_where_the_rule_for_ties_matters_it_is_said(say: Any) -> None:
    told = {analyse_endgame(state).exact: state for state in endgames(BIG3, 11, 12)}
    assert "tie rule: of moves worth the same" in say("solve", told[False].text).out
    assert "nobody's points depend on a rule for ties" in say("solve", told[True].text).out


def test_more_cards_than_can_be_solved_get_an_estimate_that_says_so(say: Any) -> None:
    text = say("deal", "--rules", "big3", "--seed", "1").out.strip()
    said = say("solve", text, "--seconds", "0.01").out
    assert "expected points, an estimate after " in said
    assert "perfect" not in said
    moves = parse_big(text).moves
    assert said.count("points (an estimate)") == len(moves)
    found = json.loads(say("solve", text, "--seconds", "0.01", "--json").out)
    assert found["estimate"] is True
    assert {"points", "secured", "exact", "known", "winner"}.isdisjoint(found)
    assert "two players left" in refused(say("solve", THREE, "--winner-only"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("games", ONE_PLY), "counting possible games is not supported for big"),
        (
            ("games", "--rules", "big4", ONE_PLY.removesuffix(" big")),
            "counting possible games is not supported for big",
        ),
        (
            ("census", "--rules", "big"),
            "a census of all deals is not supported for big: use standard, joker, choice or shift-rotate",
        ),
        (("puzzles", "--rules", "big3"), "puzzles are not supported for big3: use standard, joker or choice"),
        (
            ("strategy", "--rules", "big"),
            "strategy cards are not supported for big: use standard, joker or choice",
        ),
        (("bench", "--rules", "big3"), "measuring the solver is not supported for big3: use standard, "),
        (("play", "--rules", "big", "--level", "card"), "knows the small board only"),
        (("play", "--rules", "big3", "--level", "perfect"), "nobody knows perfect play"),
        (("play", "--rules", "big3", "--yellow", "1"), "big3 has 3 players and no yellow"),
        (("play", "--rules", "big", "--red", "who"), "is not a player"),
        (("play", "--rules", "big", "--red", "1", "--blue", "1", "--level", "2"), "leave it out"),
        (("play", "--green", "1"), "standard has 2 players and no green"),
        (("play", "--match"), "a match is not supported for standard"),
        (("play", ONE_PLY, "--match"), "leave out the position"),
        (("solve", CLASSIC_RULE_SETS, "--seconds", "1"), "are not supported for standard"),
        (("solve", CLASSIC_RULE_SETS, "--winner-only"), "are not supported for standard"),
        (("solve", "A223/4A2Jr r big"), "2 rows instead of 6"),
    ],
)
def test_what_does_not_apply_is_refused_in_one_line(say: Any, arguments: tuple[str, ...], why: str) -> None:
    assert why in refused(say(*arguments))


def test_which_texts_are_of_the_big_board() -> None:
    def rules_of(text: str, rules: str) -> str:
        return str(parse_position(text, rules=rules).rules)

    assert rules_of(ONE_PLY, "standard") == "big"
    assert rules_of(ONE_PLY.removesuffix(" big"), "BIG") == "big"
    assert rules_of(f"{CLASSIC_RULE_SETS} joker", "big") == "joker"
    assert rules_of(CLASSIC_RULE_SETS, "standard") == "standard"


def test_every_level_plays_to_the_end_and_the_same_for_a_seed() -> None:
    for rules in (BIG, BIG4):
        for level in levels(rules):
            games = []
            for _ in range(2):
                rng = random.Random(4)
                moves: list[int] = []
                state = endgames(rules, 12, 1)[0]
                while state.moves:
                    moves.append(choose(state, level, rng, nodes=2_000).move)
                    state = state.play(moves[-1])
                games.append(moves)
            assert games[0] == games[1]


def test_looking_far_enough_ahead_is_perfect() -> None:
    for state in endgames(BIG, 8, 10):
        score = definition.score(state)
        best = {move for move in state.moves if definition.score(state.play(move)) == score}
        assert set(liked(state, state.cards_left)) == best
    for state in endgames(BIG3, 8, 10):
        points = definition.points(state)
        guessed = guess(state, state.cards_left, compiled=False)
        assert round(guessed[state.to_move] / SCALE) == points[state.to_move]


def test_the_perfect_player_says_what_it_knows() -> None:
    rng = random.Random(2)
    for state in endgames(BIG, 9, 5):
        chosen = choose(state, Level.PERFECT, rng)
        assert definition.score(state.play(chosen.move)) == definition.score(state)
        assert chosen.comment.startswith("solved: ")
    said = choose(parse_big(DEAL), Level.PERFECT, rng, nodes=1).comment
    assert re.fullmatch(r"not solved in time: expects about \d\.\d points \(an estimate\)", said)


def test_stronger_levels_win_more() -> None:
    """Two plies ahead against random, from both sides."""
    rng, won = random.Random(6), 0
    for number in range(10):
        state = deal_big(rng)
        strong = PAIR[number % 2]
        while state.moves:
            level = Level.TWO if state.to_move is strong else Level.RANDOM
            state = state.play(choose(state, level, rng).move)
        won += state.winner is strong
    assert won >= 8


def test_computers_play_a_round_of_four(say: Any) -> None:
    said = say(
        "play",
        "--rules",
        "big4",
        "--seed",
        "3",
        "--red",
        "2",
        "--blue",
        "1",
        "--green",
        "2",
        "--yellow",
        "random",
    ).out
    assert said.count("cannot move and is out") == 3
    points = re.search(r"^points: red (\d), blue (\d), green (\d), yellow (\d)$", said, re.MULTILINE)
    assert points is not None
    assert sorted(points.groups()) == ["0", "1", "2", "3"]
    game = said.splitlines()[-1].removeprefix("game: ")
    assert parse_big(game).over


def test_a_person_plays(say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(*words: str) -> None:
        lines = iter(words)
        monkeypatch.setattr(terminal, "read_line", lambda _: next((Typed(word) for word in lines), None))

    typed("help", "moves", "hint", "values", "why", "undo", "a1", "c3")
    said = say("play", ONE_PLY).out
    for part in (
        "best: c3 (red wins in 1 ply)",
        "c3    +1  red wins in 1 ply",
        "reasons are not supported for big",
        "no move of yours to take back",
        "a1 has collapsed",
        "blue cannot move and is out, with no points; the card on c5 stays face up",
        "points: red 1, blue 0",
    ):
        assert part in said
    typed("hint", "quit")
    said = say("play", THREE).out
    assert "best: c3" in said
    assert said.endswith(f"game so far: {THREE}\n")
    typed("hint")
    assert "best so far: " in say("play", "--rules", "big3", "--seed", "1").out


class Typed:
    """A line that was typed."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> str:
        return self.text


def test_seats() -> None:
    def seated(rules: Any, level: Level | None = None, **named: str) -> list[str]:
        by_player = {Player[name.upper()]: who for name, who in named.items()}
        return [str(who) for who in seat_players(rules, by_player, level).values()]

    assert seated(BIG4) == ["None", "1", "1", "1"]
    assert seated(BIG3, Level.TWO, green="you", red="4") == ["4", "2", "None"]
    assert seated(BIG3, red="you", blue="you", green="you") == ["None"] * 3
    assert seated(BIG, red="perfect") == ["perfect", "None"]
    with pytest.raises(MalformedError, match="is not a player"):
        seated(BIG, red="them")


def over(order: str, rules: Any) -> BigState:
    """A round of these rules that is over: players' letters in the order of going out."""
    seats = {player.letter: player for player in rules.seats}
    cards = (BIG.cards[1][0], *[None] * 35)
    last = seats[order[-1]]
    pawns = tuple(0 if player is last else -1 for player in rules.seats)
    return BigState(cards, pawns, last, tuple(seats[letter] for letter in order[:-1]), rules)


def test_a_match_goes_round_and_the_highest_total_wins() -> None:
    match = BigMatch.start(BIG3)
    firsts = []
    for order in ("bgr", "bgr", "gbr"):  # red wins every round: each player once
        assert match.winner is None
        firsts.append(match.seats[Player.RED])
        match = match.after(over(order, BIG3))
    assert firsts == [0, 1, 2]
    # green of the first round is player 2, of the second player 0, of the third player 1
    assert match.points == (2 + 1 + 1, 0 + 2 + 0, 1 + 0 + 2)
    assert match.winner == 0


def test_ties_play_on_among_those_who_are_tied() -> None:
    match = BigMatch.start(BIG3)
    for order in ("gbr", "brg", "brg"):
        assert match.title == f"round {match.rounds + 1}"
        match = match.after(over(order, BIG3))
    assert match.points == (4, 4, 1)
    assert match.winner is None
    assert match.title == "round 4, play-off"
    assert (match.playing, match.rules) == ((0, 1), BIG)
    for order in ("br", "br"):  # a win each: they play on
        match = match.after(over(order, BIG))
    assert (match.points, match.winner) == ((5, 5, 1), None)
    for order in ("br", "rb"):
        match = match.after(over(order, BIG))
    assert (match.points, match.winner) == ((7, 5, 1), 0)
    with pytest.raises(IllegalPositionError, match="that is over"):
        BigMatch.start(BIG).after(parse_big(ONE_PLY))


def test_a_match_in_the_terminal(say: Any) -> None:
    said = say(
        "play", "--rules", "big3", "--match", "--seed", "5", "--red", "1", "--blue", "random", "--green", "1"
    ).out
    assert "round 1: red is player 1, blue is player 2, green is player 3" in said
    assert "round 2: red is player 2, blue is player 3, green is player 1" in said
    assert "has won the match" in said.splitlines()[-1]


def test_the_service_refuses_it_with_a_reason_whatever_is_asked(tmp_path: Path) -> None:
    """Every question of the API that takes a position, a game, a draft or rules."""
    app = make_app(tmp_path)
    asked = 0
    for route in routes():
        if "/big/" in route.path:
            continue
        for name in {field.alias for field in route.dependant.query_params} & set(MEANT):
            status, detail = ask(app, route.path, **{name: MEANT[name]})
            assert status == 422
            elsewhere = "big is a rule set of the big board: use the paths that begin with big/"
            assert re.search(f"{elsewhere}|required|6 rows|not supported for big", detail), detail
            asked += "big board" in detail
    assert asked > 10
    offered = [rules["name"] for rules in about.service()["rules"]]
    assert offered == [*FOR_TWO]
    assert not set(BIG_RULE_SETS) & set(offered)


MEANT = {"position": ONE_PLY, "game": ONE_PLY, "draft": ONE_PLY, "rules": "big"}


def ask(app: Any, path: str, **query: str) -> tuple[int, str]:
    """Status and reason of the service's answer."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": urlencode(query).encode(),
        "headers": [],
    }
    run_apart(app(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])["detail"]


def test_nothing_is_known_before_a_search_has_begun() -> None:
    state = parse_big(ENDGAME)
    analysis = BigAnalysis(state, big_search.nothing_known(state))
    assert {move.value for move in analysis.moves} == {"?"}
    assert not analysis.finished
    with pytest.raises(CollapsiError, match="with up to 24 cards"):
        analyse_endgame(deal_big(random.Random(1), BIG4))


def test_who_plays_the_classic_game_loads_nothing_of_it() -> None:
    code = (
        "import collapsi, collapsi.cli, sys; collapsi.analyse('..../.2r../.Ab../.2.. r'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "collapsi.games.classic.position" in done.stdout
    assert not re.search(r"games\.big\.(state|search|kernel|solver)|numba|numpy", done.stdout)
