"""What the service says of the big board: every question, held against the library and against play."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from collapsi import Game, analyse, deal
from collapsi.api import json_types, models
from collapsi.api.question import Cost
from collapsi.api.streams import end_json
from collapsi.core.cards import Card
from collapsi.core.errors import MalformedError
from collapsi.core.players import Player
from collapsi.draw.svg import draw_analysis, draw_position, strokes
from collapsi.games.big import search as big_search
from collapsi.games.big.analysis import BigAnalysis
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.enums import BigVerdict, Sureness
from collapsi.games.big.levels import choose, level_text, levels
from collapsi.games.big.match import BigMatch, format_big_match, parse_big_match
from collapsi.games.big.notation import parse_big
from collapsi.games.big.review import BigJudgedMove, PositionKnowledge, review_steps
from collapsi.games.big.rules import BIG, BIG3, BIG4, BIG_RULE_SETS, FIVE3, BigRules
from collapsi.games.big.state import OUT, BigState
from collapsi.service.pool import PROCESSES, QUEUE_LIMITS
from collapsi.solving import reference as definition
from tests.big_positions import review_big, secured
from tests.fitting import fitting
from tests.service import HANG_SECONDS, Answer, Server, ask, running_server, wait_until
from tests.test_api import API, problem, valid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPConnection

TWO = "..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big"
THREE = "....../.2r.3../.AA.2./.3b4g.../.A3.../...... r big3"
HARD = "43Jr423/324AA2/AJbA444/323.4./A32322/34A2AA r big"
"""A whole deal: minutes."""
MANY = "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3"
"""A deal for three: of it there are only estimates, for as long as one asks."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole module."""
    with running_server(tmp_path_factory.mktemp("cache")) as server:
        yield server
        assert "Traceback" not in server.complaints()


def some_games(seed: int, count: int) -> list[Game[BigState]]:
    """Whole games by chance, by every rule set."""
    rng = random.Random(seed)
    found = []
    for rules in BIG_RULE_SETS.values():
        for _ in range(count):
            game = Game.start(deal(rng, rules))
            while game.position.moves:
                game = game.play(rng.choice(game.position.moves))
            found.append(game)
    return found


def lines(shape: Any, answer: Answer) -> list[dict[str, Any]]:
    """The lines of a good answer, each what its typed dict says; the last, and no other, is an end."""
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = [fitting(shape, line) for line in answer.body.splitlines()]
    assert [line["kind"] == "end" for line in found] == [False] * (len(found) - 1) + [True]
    return found


def analysed(server: Server, position: str, **query: object) -> list[dict[str, Any]]:
    return lines(models.BigAnalysisLine, server.get(f"{API}/big/analysis", position=position, **query))


# Games


def test_a_game_is_shown_at_every_ply(server: Server) -> None:
    with server.connection() as connection:
        for game in some_games(3, 2):
            for ply, state in enumerate(game.positions):
                query = {"game": game.text, "ply": ply, "match": "start"}
                data = valid(models.BigGame, ask(connection, f"{API}/big/game", **query))
                assert data["game"] == game.text
                assert data["position"] == state.text
                assert data["moves"] == list(game.squares)
                assert data["movers"] == [str(each.to_move) for each in game.positions]
                assert data["winner"] == (None if state.winner is None else str(state.winner))
                assert data["text"] == str(state)
                assert data["warnings"] == []
                assert (data["task"] is None) == state.over
                check_squares(state, data["squares"])
                check_seats(state, data["seats"])
                if ply:
                    check_moved(game.positions[ply - 1], game.moves[ply - 1], state, data)
                check_match(state, data["match"])


def check_squares(state: BigState, squares: list[dict[str, Any]]) -> None:
    pawns = {square["pawn"]: square["square"] for square in squares if square["pawn"]}
    assert pawns == {str(player): state.board.square(state.pawns[player]) for player in state.left}
    for cell, square in enumerate(squares):
        card, refusal = state.cards[cell], state.refusal(cell)
        assert square["square"] == state.board.square(cell)
        assert square["card"] == (None if card is None else card.letter)
        assert (cell in state.moves) == (refusal is None) == (square["move"] is not None)
        assert square["refusal"] == (refusal and {"kind": refusal[0], "text": refusal[1]})
        if refusal is None:
            assert square["path"] == [state.board.square(step) for step in state.path(cell)]
            drawn = [[list(stroke) for stroke in step] for step in strokes(state.board, state.path(cell))]
            assert square["strokes"] == drawn


def check_seats(state: BigState, seats: list[dict[str, Any]]) -> None:
    assert [seat["seat"] for seat in seats] == [str(player) for player in state.rules.seats]
    for player, seat in zip(state.rules.seats, seats, strict=True):
        assert (seat["out"] is not None) == (state.pawns[player] == OUT) == (seat["square"] is None)
        if seat["out"]:
            assert state.out[seat["out"] - 1] is player
            assert seat["points"] == seat["out"] - 1
            assert "out" in seat["text"]
        assert seat["player"] == player + 1  # in the first round
    if state.points is not None:
        assert [seat["points"] for seat in seats] == list(state.points)


def check_moved(before: BigState, move: int, after: BigState, data: dict[str, Any]) -> None:
    path = [before.board.square(step) for step in before.path(move)]
    assert data["moved"] == path
    assert data["moved_by"] == str(before.to_move)
    assert data["went"].startswith(f"{before.to_move} went from {path[0]} to {path[-1]}")
    gone = after.out[len(before.out) :]
    assert data["went"].count("is out") == len(gone)
    for player in gone:
        assert f"{player} cannot move and is out" in data["went"]


def check_match(state: BigState, match: dict[str, Any]) -> None:
    if not state.over:
        assert match["points"] == [0] * state.rules.players
        assert match["next"] is match["winner"] is None
        return
    assert match["points"] == list(state.points or ())
    after = parse_big_match(match["next"], BIG_RULE_SETS[match["next_rules"]])
    assert after == BigMatch.start(state.rules).after(state)


@pytest.mark.parametrize("rules", [BIG, BIG3, BIG4, FIVE3], ids=str)
def test_matches_are_written_and_read_to_their_end(server: Server, rules: BigRules) -> None:
    """Round by round as the page asks: every match that arises reads back, until somebody has won."""
    rng = random.Random(8)
    off = 0
    with server.connection() as connection:
        for _ in range(4):
            text, now, match = "start", rules, BigMatch.start(rules)
            while match.winner is None:
                off += match.rounds >= rules.players
                assert parse_big_match(format_big_match(match), match.rules) == match
                state = end_of_round(rng, now)
                data = valid(models.BigGame, ask(connection, f"{API}/big/game", game=state.text, match=text))
                seats = {seat["seat"]: seat["player"] - 1 for seat in data["seats"]}
                assert seats == {str(colour): number for colour, number in match.seats.items()}
                assert data["match"]["title"] == match.title
                match = match.after(state)
                assert data["match"]["points"] == list(match.points)
                if match.winner is None:
                    text, now = data["match"]["next"], BIG_RULE_SETS[data["match"]["next_rules"]]
                    assert now is match.rules
            assert data["match"]["winner"] == match.winner + 1
            assert data["match"]["next"] is None
    assert off or rules is not BIG  # two players with a round each are often level


def end_of_round(rng: random.Random, rules: BigRules) -> BigState:
    """Somebody has won: the order in which the others went out is by chance."""
    seats = list(rules.seats)
    rng.shuffle(seats)
    *out, winner = seats
    cards = deal(rng, rules).cards
    cell = next(cell for cell, card in enumerate(cards) if card is not None)
    pawns = tuple(cell if player is winner else OUT for player in rules.seats)
    return BigState(cards, pawns, winner, tuple(out), rules)


WRONG_MATCHES = ["", "x", "1-2", "0-0/0/12+0", "0-0/2", "3-1-2/1", "1-1/2/12+2", "1-1/2/13+0", "2-0/2/12+0"]


@pytest.mark.parametrize("text", [*WRONG_MATCHES, "1-1/2/21+0", "1-1/2/11+0", "1-1/٢/12+0"])
def test_a_match_that_cannot_be_is_refused(server: Server, text: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_big_match(text, BIG)
    if text:  # an empty parameter is none
        assert problem(server.get(f"{API}/big/game", game=TWO, match=text)) == str(caught.value)


def test_deals_pictures_and_choices_are_the_librarys(server: Server) -> None:
    data = valid(models.Service, server.get(f"{API}/about"))["big"]
    for shown, rules in zip(data["rules"], BIG_RULE_SETS.values(), strict=True):
        assert (shown["name"], shown["title"], shown["text"]) == (rules.name, rules.title, rules.text)
        assert shown["seats"] == [str(player) for player in rules.seats]
        assert shown["levels"] == [{"value": str(one), "text": level_text(one)} for one in levels(rules)]
        example = parse_big(shown["example"]["position"])
        assert example.rules is rules
        move = shown["example"]["move"]
        assert example.refusal(move) is None
        assert example.board.square(example.path(move)[-1]) in shown["example"]["alt"]
        dealt = valid(models.BigDeal, server.get(f"{API}/big/deal", rules=rules.name, seed=7))
        assert dealt["position"] == deal(random.Random(7), rules).text
        assert dealt["seed"] == 7
        drawn = server.get(f"{API}/big/drawing", position=example.text, move=move)
        assert drawn.body.decode() == draw_position(example, move=move)
    assert {one["verdict"] for one in data["verdicts"]} == set(BigVerdict)
    again = valid(models.BigDeal, server.get(f"{API}/big/deal"))
    assert parse_big(again["position"]).dealt
    drawn = server.get(f"{API}/big/drawing", position=TWO, values="true")
    assert drawn.body.decode() == draw_analysis(analyse(TWO))


REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("big/game", {"game": "nonsense"}, "rules are missing"),
    ("big/game", {"game": f"{TWO} a1"}, "a1"),
    ("big/game", {"game": TWO, "ply": 1}, "no position after 1 moves"),
    ("big/deal", {"rules": "standard"}, "use the paths without a prefix"),
    ("big/analysis", {"position": "A223/4A2Jr/3A23/Jb3A4 r"}, "rules are missing"),
    ("big/analysis", {"position": TWO, "seconds": 1e9}, "seconds"),
    ("big/analysis", {"position": TWO, "seconds": "nan"}, "seconds"),
    ("big/review", {"game": "x"}, "rules are missing"),
    ("big/computer-move", {"position": THREE, "level": "perfect"}, "nobody knows perfect play of three"),
    ("big/computer-move", {"position": TWO, "level": "card"}, "knows the small board only"),
    ("big/computer-move", {"position": f"{TWO[:-6]}", "level": "1"}, ""),
    ("big/drawing", {"position": THREE, "values": "true"}, "with two players left"),
    ("big/drawing", {"position": TWO, "move": "z9"}, "no square"),
    ("analysis", {"position": TWO}, "big"),
    ("game", {"game": TWO}, "big"),
    ("deal", {"rules": "big"}, "big"),
    ("census", {"rules": "big"}, "big"),
]


@pytest.mark.parametrize(("endpoint", "query", "said"), REFUSED)
def test_what_has_no_answer_is_refused(
    server: Server, endpoint: str, query: dict[str, object], said: str
) -> None:
    assert said in problem(server.get(f"{API}/{endpoint}", **query))


def test_a_finished_round_has_no_computer_move(server: Server) -> None:
    over = next(game for game in some_games(4, 1) if game.position.over)
    assert "the game is over" in problem(server.get(f"{API}/big/computer-move", position=over.text))


# The computer


@pytest.mark.parametrize("position", [TWO, THREE, MANY])
def test_every_level_plays_for_every_seat(server: Server, position: str) -> None:
    state = parse_big(position)
    said = {}
    for level in levels(state.rules):
        query: dict[str, Any] = {"position": position, "level": level.value, "seed": 5}
        data = valid(models.BigMove, server.get(f"{API}/big/computer-move", **query))
        chosen = choose(state, level, random.Random(5))
        assert data["move"] == state.move_text(chosen.move)
        assert data["path"] == [state.board.square(step) for step in state.path(chosen.move)]
        said[level] = data["said"]
    strongest = said[levels(state.rules)[-1]]
    assert ("estimate" in strongest) == (position == MANY)
    for player in state.left:  # whoever is to move
        turned = BigState.at(state.cards, state.pawns, player, (), state.rules)
        data = valid(models.BigMove, server.get(f"{API}/big/computer-move", position=turned.text))
        assert data["to_move"] == str(turned.to_move)


# Analyses


def check_shown(line: dict[str, Any]) -> None:
    """What people see is what the answer says, and an estimate is never seen as anything else."""
    answer, moves = line["answer"], line["moves"]
    assert sorted(move["move"] for move in moves) == sorted(move["move"] for move in answer["moves"])
    assert line["best"] == answer["best"] == [*answer["best"]]
    assert {move["move"] for move in moves if move["best"]} == set(answer["best"])
    guess = line["kind"] == "estimate"
    assert guess == ("estimate" in answer) == ("estimate" in line["sure"])
    for move in moves:
        if guess:
            assert move["badge"].startswith("≈") or move["badge"] == "…"
            assert "estimate" in move["words"] or move["badge"] == "…"
            assert move["wins"] is None
        else:
            assert "≈" not in move["badge"] + move["words"]
            assert "estimate" not in move["words"]
    if guess:
        assert not line["exact"]
        assert "estimate" in line["text"]


def test_an_analysis_of_two_gets_better_until_it_is_exact(server: Server) -> None:
    for position in (TWO, *(game.positions[-6].text for game in some_games(6, 2)[:2])):
        state = parse_big(position)
        *answers, end = analysed(server, position)
        known: dict[str, bool] = {}
        for line in answers:
            check_shown(line)
            for move in line["answer"]["moves"] if line["kind"] == "solved" else ():
                if move["wins"] is not None:  # what is known once is known for good
                    assert known.setdefault(move["move"], move["wins"]) is move["wins"]
        last = answers[-1]
        assert (last["kind"], last["exact"], last["sure"], end["why"]) == ("solved", True, "exact", "done")
        exact = analyse(state).to_json()
        assert {**last["answer"], "nodes": 0} == {**exact, "nodes": 0}
        assert set(known) == {state.move_text(move) for move in state.moves}


def test_an_endgame_of_three_is_told_with_its_rule_for_ties(server: Server) -> None:
    *answers, end = analysed(server, THREE)
    for line in answers:
        check_shown(line)
    exact = analyse_endgame(parse_big(THREE))
    assert answers[-1]["answer"] == exact.to_json()
    assert answers[-1]["exact"] == exact.exact
    assert ("ties" in answers[-1]["sure"]) != exact.exact
    assert end["why"] == "done"


def test_what_cannot_be_solved_in_time_stays_an_estimate(server: Server) -> None:
    *answers, end = analysed(server, MANY, seconds=0.5)
    assert {line["kind"] for line in answers} == {"estimate"}
    nodes = [line["nodes"] for line in answers]
    assert nodes == sorted(set(nodes))
    for line in answers:
        check_shown(line)
    assert end["why"] == "time"
    over = next(game for game in some_games(4, 1) if game.position.over)
    *answers, end = analysed(server, over.text)
    assert answers[-1]["text"] == over.position.turn
    assert answers[-1]["exact"]
    assert answers[-1]["moves"] == []


# Reviews


def test_a_review_is_the_librarys_move_by_move(server: Server) -> None:
    for game in some_games(11, 1):
        part = Game.start(game.positions[-7], game.squares[-6:])
        reviewed = lines(models.BigReviewLine, server.get(f"{API}/big/review", game=part.text))
        *answers, end = reviewed
        assert end["why"] == "done"
        looked = [len(line["answer"]["moves"]) for line in answers]
        assert looked == sorted(looked)
        whole = review_big(part)
        assert answers[-1]["answer"]["finished"]
        for found, move in zip(answers[-1]["answer"]["moves"], whole.moves, strict=True):
            if move.verdict is not None:
                assert found == json.loads(json.dumps(move.to_json()))
            assert ("estimate" in found) == (move.sureness is Sureness.ESTIMATE)
            assert ("estimate" in found["text"]) == ("estimate" in found)
            assert ("verdict" in found) != ("estimate" in found)


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
        values = {move: bounds.exact or 0 for move, bounds in whole(state).moves.items()}
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


def whole(state: BigState) -> big_search.Progress:
    return big_search.solve(state, compiled=False)


def test_a_review_can_be_stopped_at_any_moment() -> None:
    game = next(game for game in some_games(12, 1) if game.position.rules is BIG)
    part = Game.start(game.positions[-5], game.squares[-4:])
    steps = list(review_steps(part))
    assert [move.number for move in steps[0].moves] == []
    for review in steps:
        assert fitting(json_types.BigReview, review.to_json())
        assert [move.number for move in review.moves] == list(range(5 - len(review.moves), 5))
    assert steps[-1].finished


# Hard questions


def cpu_ticks(server: Server) -> list[int]:
    """How long each worker of a server has computed."""
    ticks = []
    for pid in server.workers():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended since it was listed
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks.append(int(fields[11]) + int(fields[12]))
    return ticks


def begin(server: Server, stack: ExitStack) -> HTTPConnection:
    """Ask for a long analysis, and do not wait."""
    connection = stack.enter_context(server.connection())
    connection.request("GET", f"{API}/big/analysis?{urlencode({'position': MANY, 'seconds': 100})}")
    return connection


def first_refused(waiting: list[HTTPConnection]) -> Answer:
    """The first answer that is a refusal; streams that begin meanwhile go on."""
    sockets = {connection.sock: connection for connection in waiting}
    while sockets:
        ready, _, _ = select.select(sockets, [], [], HANG_SECONDS)
        response = sockets.pop(ready[0]).getresponse()
        if response.status != 200:
            return Answer(response.status, response.headers, response.read())
    pytest.fail("none was refused")


def test_hard_questions_delay_no_others_and_stop_when_the_client_goes(server: Server) -> None:
    with ExitStack() as stack:
        answer = begin(server, stack).getresponse()
        assert json.loads(answer.readline())["kind"] == "estimate"
        # More than run and wait, even if some have their turn before all are read.
        refused = first_refused([begin(server, stack) for _ in range(3 * QUEUE_LIMITS[Cost.LONG])])
        assert "too many requests for big/analysis are waiting" in problem(refused, 503)
        assert int(refused.headers["Retry-After"]) > 0
        # Meanwhile everything else is answered, also moves of the computer.
        for _ in range(10):
            valid(models.Deal, server.get(f"{API}/deal", seed=7))
            valid(models.BigGame, server.get(f"{API}/big/game", game=TWO))
        valid(models.BigMove, server.get(f"{API}/big/computer-move", position=MANY, level="expert"))
        assert json.loads(answer.readline())["kind"] in ("estimate", "end")
        assert len(server.workers()) <= sum(PROCESSES.values())

    def nothing_computes() -> bool:
        before = cpu_ticks(server)
        time.sleep(1)
        return cpu_ticks(server) == before

    wait_until(nothing_computes)  # all clients have gone
    assert analysed(server, TWO)[-1]["why"] == "done"


@pytest.mark.slow
def test_a_stream_that_has_had_its_turn_ends_for_others(server: Server) -> None:
    """It computes for ten seconds first; `tests/test_pool.py` tests the same with held processes."""
    with ExitStack() as stack:
        answer = begin(server, stack).getresponse()
        answer.readline()
        assert analysed(server, TWO)[-1]["why"] == "done"  # long before the first would have ended
        heard = [json.loads(line) for line in answer.read().splitlines()]
        assert heard[-1]["why"] == "turn"


def test_a_process_that_is_killed_ends_the_answer_and_is_replaced(server: Server) -> None:
    with ExitStack() as stack:
        answer = begin(server, stack).getresponse()
        answer.readline()
        deaths, workers = server.complaints().count("SIGKILL"), server.workers()
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        heard = [json.loads(line) for line in answer.read().splitlines()]
        assert heard[-1] == end_json("stopped")
        wait_until(lambda: server.complaints().count("SIGKILL") == deaths + len(workers))
    assert analysed(server, TWO)[-1]["why"] == "done"


@pytest.mark.slow
def test_a_thousand_analyses_leave_nothing_behind(server: Server) -> None:
    """Different small endgames, one after the other: the process grows no more after the first hundred."""
    positions = [game.positions[-4].text for game in some_games(21, 25)]

    def resident(pid: int) -> int:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    sizes = []
    with server.connection() as connection:
        for number in range(1_000):
            position = positions[number % len(positions)]
            lines(
                models.BigAnalysisLine, ask(connection, f"{API}/big/analysis", position=position, seconds=5)
            )
            if number in (99, 999):
                sizes.append(sum(map(resident, server.workers())))
    assert sizes[1] - sizes[0] < 8 * 2**20


def test_the_rooms_limit_holds() -> None:
    table = big_search.TranspositionTable(megabytes=64)
    table.limit(megabytes=1)
    big_search.solve(parse_big(HARD), table=table, nodes=1)
    assert 0 < table.bytes <= 2**20
