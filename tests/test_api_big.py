"""Analyses and reviews of the big board as the service streams them, and questions that take long.

Single answers are recorded in `tests/contract/api/`.
"""

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
from collapsi.api import models
from collapsi.api.question import Cost
from collapsi.api.streams import end_json
from collapsi.games.big.endgame import analyse_endgame
from collapsi.games.big.enums import Sureness
from collapsi.games.big.notation import parse_big
from collapsi.games.big.rules import BIG_RULE_SETS
from collapsi.service.pool import PROCESSES, QUEUE_LIMITS
from tests.big_positions import review_big
from tests.fitting import fitting
from tests.service import HANG_SECONDS, Answer, Server, ask, wait_until
from tests.test_api import API, problem, valid

if TYPE_CHECKING:
    from http.client import HTTPConnection

    from collapsi.games.big.state import BigState

TWO = "..A.../.23A../A.A3../.2rA.../.A2b4../..3A.. r big"
THREE = "....../.2r.3../.AA.2./.3b4g.../.A3.../...... r big3"
MANY = "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3"
"""A deal for three: of it there are only estimates, for as long as one asks."""


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
            assert "about" in move["words"] or move["badge"] == "…"
            assert move["wins"] is None
        else:
            assert "≈" not in move["badge"] + move["words"]
            assert "estimate" not in move["words"]
    if guess:
        assert not line["exact"]
        assert "about" in line["text"]


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
