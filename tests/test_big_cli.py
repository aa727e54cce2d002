"""The big board on the command line: partial and exact results, seats, matches and refusals."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest

from collapsi import deal
from collapsi.api import about, json_types
from collapsi.api.questions import QUESTIONS
from collapsi.cli import play, terminal
from collapsi.cli.play import seat_players
from collapsi.core.errors import CollapsiError, IllegalPositionError, MalformedError
from collapsi.core.game import Game
from collapsi.core.players import Player
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
from collapsi.games.big.state import BigState
from collapsi.games.kind import Limits
from collapsi.games.levels import Level
from collapsi.site import answering
from collapsi.solving import jit
from collapsi.solving import reference as definition
from tests.big_positions import endgames, perfect_line
from tests.fitting import fitting
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS
from tests.test_cli import COLLAPSI
from tests.typed import ok, refused, run

ENDGAME = "43..../2A...A/.3A.../.AA4../.33b44r./...... r big"
ONE_PLY = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"
THREE = "....../.2r.3../.AA.../.3b4g.../..3.../...... r big3"
DEAL = "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big"
CLASSIC = "A223/4A2Jr/3A23/Jb3A4 r"


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here needs the compiler, nor the large table that comes with it."""
    # Not by NUMBA_DISABLE_JIT: Numba would read it while this process compiles, or keep it for later tests.
    monkeypatch.setattr(jit, "may_compile", lambda: False)
    plain = SimpleNamespace(backend=lambda **_: big_backends.Interpreted(), is_loaded=lambda: False)
    monkeypatch.setattr(big_search, "big_backends", plain)  # the exact search alone: the engine is slow so


def test_who_is_out_is_drawn_nowhere_and_named() -> None:
    state = parse_big("....../.2r.3../.AA.../.Ab4.../....../...... r big3 out:g")
    picture = ET.fromstring(state._repr_svg_())
    words = [part.text for part in picture.iter() if part.text]
    assert "G" not in words
    assert {"R", "B", "red to move; out: green"} <= set(words)


def test_solve_says_what_the_judge_says() -> None:
    for state in endgames(BIG, 9, 8):
        found = json.loads(ok("solve", "--json", state.text))
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


def test_out_of_time_everything_learned_is_told_and_nothing_else() -> None:
    """Of a whole deal, which takes the interpreted search hours."""
    text = ok("solve", DEAL, "--seconds", "0.01")
    assert "not known yet" in text
    assert "stopped after" in text
    assert "perfect play" not in text
    found = json.loads(ok("solve", DEAL, "--seconds", "0.01", "--json"))
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


def test_positions_of_several_kinds_through_one_pipe() -> None:
    done = run("solve", "--json", CLASSIC, ENDGAME, THREE, "nonsense", "A2X/3Jr2/A2A", CLASSIC)
    assert done.returncode == 2
    assert b"position 4" in done.stderr
    answers = list(map(json.loads, done.stdout.splitlines()))
    assert [answer["rules"] for answer in answers] == ["standard", "big", "big3", "solo", "standard"]


@pytest.mark.parametrize("player", BIG4.seats, ids=str)
def test_the_side_to_move_is_named_by_its_own_colour(player: Player) -> None:
    state = parse_big(f"A2r3.../A2b3.../A2g3.../A2y3.../....../...... {player.letter} big4")
    assert state.to_move is player
    assert position_json(state)["to_move"] == big_json(state)["to_move"] == str(player)


def test_the_line_of_a_round_that_is_over_is_empty_and_one_that_is_not_known_is_null() -> None:
    for over in ("...../.4.../33b3g../..2r../..... b five3", f"{ONE_PLY} c3"):
        found = json.loads(ok("solve", "--json", over))
        assert (found["known"], found["moves"], found["line"]) == ("all", [], [])
        assert [answer.to_json()["line"] for answer in exact_answers(over)] == [[]]
    assert json.loads(ok("solve", "--json", "..../.2r../.Ab../.2.. r b4"))["line"] == []
    assert json.loads(ok("solve", "--json", ONE_PLY))["line"] == ["c3"]
    unsolved = parse_big(DEAL)
    assert BigAnalysis(unsolved, big_search.nothing_known(unsolved)).to_json()["line"] is None


def exact_answers(text: str) -> list[BigAnalysis]:
    """The exact answers of the engine."""
    return [answer for answer in answers(parse_big(text)) if isinstance(answer, BigAnalysis)]


def test_the_best_moves_come_in_the_order_of_the_moves() -> None:
    found = json.loads(ok("solve", "--json", "....../....../4g2Ar23./..334./....../...... r big3 out:b"))
    assert found["best"] == [move["move"] for move in found["moves"]] == ["b3", "d3", "c4"]


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


def test_with_one_player_out_the_other_two_are_solved() -> None:
    """Who wins has two points, the other one; how soon counts no points, so there is no score."""
    for state in endgames(BIG3, 9, 6):
        while len(state.left) > 2:
            state = state.play(state.moves[-1])  # noqa: PLW2901
        found = json.loads(ok("solve", "--json", state.text))
        assert fitting(json_types.BigSolved, found)
        assert [found["points"][str(player)] for player in BIG3.seats] == list(definition.points(state))
        assert (found["score"], found["out"]) == (None, [str(player) for player in state.out])


def test_where_the_rule_for_ties_matters_it_is_said() -> None:
    told = {analyse_endgame(state).exact: state for state in endgames(BIG3, 11, 12)}
    assert "tie rule: of moves worth the same" in ok("solve", told[False].text)
    assert "nobody's points depend on a rule for ties" in ok("solve", told[True].text)


def test_more_cards_than_can_be_solved_get_an_estimate_that_says_so() -> None:
    text = ok("deal", "--rules", "big3", "--seed", "1").strip()
    said = ok("solve", text, "--seconds", "0.01")
    assert "an estimate: expected points after " in said
    assert "perfect" not in said
    moves = parse_big(text).moves
    assert said.count("estimate") == 1
    assert len(re.findall(r"about \d\.\d points", said)) == len(moves)
    found = json.loads(ok("solve", text, "--seconds", "0.01", "--json"))
    assert found["estimate"] is True
    assert {"points", "secured", "exact", "known", "winner"}.isdisjoint(found)
    assert "two players left" in refused("solve", THREE, "--winner-only")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("play", "--rules", "big", "--level", "card"), "knows the small board only"),
        (("play", "--rules", "big3", "--level", "perfect"), "nobody knows perfect play"),
        (("play", "--rules", "big3", "--yellow", "1"), "big3 has 3 players and no yellow"),
        (("play", "--rules", "big", "--red", "who"), "is not a player"),
        (("play", "--rules", "big", "--red", "1", "--blue", "1", "--level", "2"), "leave it out"),
        (("play", "--match"), "a match is not supported for standard"),
        (("play", ONE_PLY, "--match"), "leave out the position"),
        (("solve", CLASSIC, "--seconds", "1"), "are not supported for standard"),
        (("solve", CLASSIC, "--winner-only"), "are not supported for standard"),
        (("solve", "A223/4A2Jr r big"), "2 rows instead of 6"),
    ],
)
def test_what_does_not_apply_is_refused_in_one_line(arguments: tuple[str, ...], why: str) -> None:
    assert why in refused(*arguments)


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


def test_a_person_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(*words: str) -> None:
        lines = iter(words)
        monkeypatch.setattr(terminal, "read_line", lambda _: next((Typed(word) for word in lines), None))

    typed("help", "moves", "hint", "values", "why", "undo", "a1", "c3")
    said = ok("play", ONE_PLY)
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
    said = ok("play", THREE)
    assert "best: c3" in said
    assert said.endswith(f"game so far: {THREE}\n")
    monkeypatch.setattr(play, "HINT_LIMITS", Limits(seconds=0.2))
    typed("hint")
    assert "best so far: " in ok("play", "--rules", "big3", "--seed", "1")


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


def test_a_match_in_the_terminal() -> None:
    said = ok(
        "play", "--rules", "big3", "--match", "--seed", "5", "--red", "1", "--blue", "random", "--green", "1"
    )
    assert "round 1: red is player 1, blue is player 2, green is player 3" in said
    assert "round 2: red is player 2, blue is player 3, green is player 1" in said
    assert "has won the match" in said.splitlines()[-1]
    assert "it turned at" not in said, "a round without people is not reviewed: that takes long"


def test_the_api_refuses_it_with_a_reason_whatever_is_asked() -> None:
    """Every question that takes a position, a game, a draft or rules, but for those of every kind."""
    asked = 0
    assert answering.answer("walk", urlencode({"position": ONE_PLY}))[0] == 200
    for path, question in QUESTIONS.items():
        if path.startswith("big/") or path == "walk" or not question.on_site:
            continue
        for name in set(question.parameters) & set(MEANT):
            status, _, body = answering.answer(path, urlencode({name: MEANT[name]}))
            detail = json.loads(body)["detail"]
            assert status == 422
            elsewhere = "big is a rule set of the big board: use the paths that begin with big/"
            assert re.search(f"{elsewhere}|required|6 rows|not supported for big", detail), detail
            asked += "big board" in detail
    assert asked > 10
    offered = [rules["name"] for rules in about.service()["rules"]]
    assert offered == [*FOR_TWO]
    assert not set(BIG_RULE_SETS) & set(offered)


MEANT = {"position": ONE_PLY, "game": ONE_PLY, "draft": ONE_PLY, "rules": "big"}


def test_nothing_is_known_before_a_search_has_begun() -> None:
    state = parse_big(ENDGAME)
    analysis = BigAnalysis(state, big_search.nothing_known(state))
    assert {move.value for move in analysis.moves} == {"?"}
    assert not analysis.finished
    with pytest.raises(CollapsiError, match="with up to 24 cards"):
        analyse_endgame(deal(random.Random(1), BIG4))
