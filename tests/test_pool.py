"""The pool of worker processes: cost classes, full queues, turns, and clients that disconnect."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import threading
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import STANDARD, Game, Rules, analyse, deal
from collapsi.api import models
from collapsi.api.question import (
    AT_ONCE_SECONDS,
    INTERNAL_ERROR,
    JSON,
    Cost,
    Question,
    StreamWork,
    Work,
    as_text,
)
from collapsi.api.questions import QUESTIONS
from collapsi.api.streams import end_json
from collapsi.core.board import Board
from collapsi.core.decks import MOST_CELLS
from collapsi.core.errors import CollapsiError
from collapsi.games.big.solver import BigSolver
from collapsi.games.classic import search
from collapsi.games.classic.made_up import with_options
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.classic.solver import ClassicSolver
from collapsi.games.shifting.solver import ShiftingSolver
from collapsi.play.analysis import expected_seconds
from collapsi.service import pool as service_pool
from collapsi.service import worker
from collapsi.service.app import make_app
from collapsi.service.pool import PROCESSES, QUEUE_LIMITS, Pool
from collapsi.service.routes import lines, respond
from collapsi.service.waiting import (
    CENSUS_LIMIT,
    CensusThread,
    ClientGoneError,
    InternalError,
    OverloadedError,
)
from collapsi.service.worker import replies
from collapsi.site import answering
from tests.rule_sets import SHIFTING
from tests.service import HANG_SECONDS, apart, run_apart
from tests.wide_tree import wide_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
PLAYED = f"{EXAMPLE} a2"
SHORT, LONG = Work(str, 0.1), Work(str, 10.0)
STREAM: StreamWork[Any] = StreamWork(lambda _: iter(()))
LIMIT = QUEUE_LIMITS[Cost.SHORT]


class Client:
    """The messages of a client, as ASGI delivers them."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.begun = False

    async def __call__(self) -> dict[str, str]:
        if not self.begun:
            self.begun = True
            return {"type": "http.request"}
        await self.gone.wait()
        return {"type": "http.disconnect"}


async def settle() -> None:
    """Let everything go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


@apart
async def test_the_census_thread_refuses_when_full_and_drops_what_no_client_waits_for() -> None:
    thread = CensusThread()
    begin, done = threading.Event(), []
    first = asyncio.create_task(thread.run(Client(), lambda: begin.wait(HANG_SECONDS)))
    clients = [Client() for _ in range(CENSUS_LIMIT)]
    waiting = [
        asyncio.create_task(thread.run(one, lambda number=number: done.append(number)))  # type: ignore[misc]
        for number, one in enumerate(clients)
    ]
    await settle()
    with pytest.raises(OverloadedError, match="too many requests for the census"):
        await thread.run(Client(), list)
    clients[3].gone.set()
    with pytest.raises(ClientGoneError):
        await waiting[3]
    again: asyncio.Task[list[int]] = asyncio.create_task(thread.run(Client(), list))  # there is room
    await settle()
    begin.set()
    assert await first
    assert await again == []
    await asyncio.gather(*waiting[:3], *waiting[4:])
    assert done == [number for number in range(CENSUS_LIMIT) if number != 3]
    thread.close()


class HeldChild:
    """A process that answers when the test lets it."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.is_running = True
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.asked: dict[str, Any] = {}
        held.children.append(self)

    async def request(self, line: bytes) -> bytes:
        self.asked = json.loads(line)
        self.held.begun.append(self.asked["texts"].get("mark", self.asked["load"]))
        return b"{}"

    async def receive(self) -> bytes:
        if self.asked["path"] is None:
            return b'{"body": ""}'
        mark = self.asked["texts"]["mark"]
        await self.held.let[mark].acquire()
        if self.held.parts.get(mark):
            return json.dumps({"part": self.held.parts[mark].pop(0)}).encode()
        return json.dumps({"body": mark}).encode()

    def post(self, line: bytes) -> None:
        self.held.stopped.append(json.loads(line)["stop"])

    def kill(self) -> None:
        self.held.killed += 1
        self.is_running = False
        self.ended.set_result(None)


class Held:
    """A pool whose processes answer when the test lets them: `let[mark]` is a semaphore for each request."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.begun: list[str] = []
        self.children: list[HeldChild] = []
        self.stopped: list[int] = []
        self.killed = 0
        self.parts: dict[str, list[str]] = {}
        self.let: dict[str, asyncio.Semaphore] = {}

        async def start(*_: object) -> HeldChild:
            return HeldChild(self)

        monkeypatch.setattr("collapsi.service.pool.ChildProcess.start", start)
        monkeypatch.setattr(service_pool, "HOLD_SECONDS", 0.0)
        self.pool = Pool()

    def ask(
        self, mark: str, path: str = "analysis", work: Work[Any] = SHORT, client: Client | None = None
    ) -> asyncio.Task[str]:
        self.let[mark] = asyncio.Semaphore(0)
        return asyncio.create_task(self.pool.answer(path, {"mark": mark}, work, client or Client()))

    def stream(self, mark: str, parts: list[str]) -> asyncio.Task[list[str]]:
        self.let[mark] = asyncio.Semaphore(0)
        self.parts[mark] = parts

        async def collect() -> list[str]:
            return [part async for part in self.pool.stream("big/analysis", {"mark": mark}, STREAM)]

        return asyncio.create_task(collect())

    def release(self, *marks: str) -> None:
        for mark in marks:
            self.let[mark].release()


def with_pool(test: Callable[[Held], Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of a coroutine that takes a pool of held processes."""

    def run(monkeypatch: pytest.MonkeyPatch) -> None:
        async def run() -> None:
            held = Held(monkeypatch)
            try:
                await test(held)
            finally:
                await held.pool.close()

        run_apart(run())

    return run


@with_pool
async def test_a_short_request_never_waits_for_long_ones(held: Held) -> None:
    long = [held.ask(f"long {number}", work=LONG) for number in range(4)]
    await settle()
    assert held.begun == ["long 0", "long 1"]
    short = held.ask("short")
    await settle()
    held.release("short")
    assert await short == "short"
    held.release(*(f"long {number}" for number in range(4)))
    assert await asyncio.gather(*long) == [f"long {number}" for number in range(4)]
    assert len(held.children) == PROCESSES[Cost.LONG] + 1  # the other one was not needed


@with_pool
async def test_paths_take_turns_and_a_full_queue_refuses_only_its_own(held: Held) -> None:
    count = PROCESSES[Cost.SHORT] + LIMIT
    boards = [held.ask(f"board {number}") for number in range(count)]
    await settle()
    with pytest.raises(OverloadedError, match="too many requests for analysis are waiting"):
        await held.ask("one too many")
    games = [held.ask(f"game {number}", "review") for number in range(3)]
    shifting = held.ask("shifting", work=Work(str, 0.1, "shifting"))  # the same path, another solver
    await settle()
    held.release(*held.let)
    assert await asyncio.gather(*boards, *games) == [
        *(f"board {number}" for number in range(count)),
        *(f"game {number}" for number in range(3)),
    ]
    assert await shifting == "shifting"
    turns = ["board 2", "game 0", "shifting", "board 3", "game 1", "board 4", "game 2", "board 5"]
    assert held.begun[2:10] == turns


@with_pool
async def test_six_long_requests_for_a_path_may_wait(held: Held) -> None:
    accepted = [held.ask(f"long {number}", work=LONG) for number in range(2 + 6)]
    await settle()
    assert held.begun == ["long 0", "long 1"]
    refused = held.ask("one too many", work=LONG)
    await settle()
    held.release(*held.let)
    with pytest.raises(OverloadedError, match="too many requests for analysis are waiting"):
        await refused
    assert await asyncio.gather(*accepted) == [f"long {number}" for number in range(2 + 6)]


@with_pool
async def test_a_client_that_goes_while_waiting_leaves_the_queue(held: Held) -> None:
    busy = [held.ask(f"busy {number}") for number in range(PROCESSES[Cost.SHORT])]
    await settle()
    clients = [Client() for _ in range(LIMIT)]
    waiting = [held.ask(str(number), client=one) for number, one in enumerate(clients)]
    await settle()
    for one in clients[2:]:
        one.gone.set()
    for task in waiting[2:]:
        with pytest.raises(ClientGoneError):
            await task
    late = held.ask("late")
    await settle()
    held.release(*held.let)
    await asyncio.gather(*busy, *waiting[:2], late)
    assert held.begun == ["busy 0", "busy 1", "0", "1", "late"]
    assert held.killed == 0


@with_pool
async def test_a_process_whose_client_goes_is_killed_after_a_while(held: Held) -> None:
    held.monkeypatch.setattr(service_pool, "GONE_SECONDS", 0.01)
    client = Client()
    first = held.ask("first", work=LONG, client=client)
    await settle()
    client.gone.set()
    with pytest.raises(ClientGoneError):
        await first
    while not held.killed:
        await asyncio.sleep(0.001)
    second = held.ask("second", work=LONG)
    await settle()
    held.release("second")
    assert await second == "second"
    assert held.killed == 1
    assert len(held.stopped) == 1


@with_pool
async def test_a_process_whose_client_goes_may_finish_in_time(held: Held) -> None:
    held.monkeypatch.setattr(service_pool, "GONE_SECONDS", HANG_SECONDS)
    client = Client()
    first = held.ask("first", client=client)
    await settle()
    client.gone.set()
    with pytest.raises(ClientGoneError):
        await first
    held.release("first")
    second = held.ask("second")
    await settle()
    held.release("second")
    assert await second == "second"
    assert (held.killed, len(held.children)) == (0, 1)


@with_pool
async def test_a_stream_whose_client_goes_is_stopped_and_not_killed(held: Held) -> None:
    held.monkeypatch.setattr(service_pool, "GONE_SECONDS", HANG_SECONDS)
    first = held.stream("first", ["1", "2"])
    await settle()
    held.release("first")
    await settle()
    first.cancel()
    await settle()
    assert len(held.stopped) == 1
    second = held.stream("second", [])
    held.release("first", "first", "second")
    assert await second == ["second"]
    assert (held.killed, len(held.children)) == (0, 1)


@with_pool
async def test_a_client_that_waits_is_not_hurried(held: Held) -> None:
    held.monkeypatch.setattr(service_pool, "GONE_SECONDS", 0.01)
    first = held.ask("first")
    await asyncio.sleep(0.05)
    held.release("first")
    assert await first == "first"
    assert held.killed == 0


@with_pool
async def test_a_stream_drops_what_is_not_read_in_time_but_not_the_end(held: Held) -> None:
    first = held.stream("end", ["1", "2", "3"])
    await settle()
    held.release("end")
    await settle()
    held.release("end", "end", "end")  # two parts and the end, before the reader has its turn
    assert await first == ["1", "3", "end"]


@with_pool
async def test_only_one_stream_runs_so_single_answers_do_not_wait_for_streams(held: Held) -> None:
    streams = [held.stream(f"stream {number}", []) for number in range(3)]
    move = held.ask("move", "big/computer-move", LONG)
    await settle()
    assert held.begun == ["stream 0", "move"]
    held.release(*held.let)
    assert await move == "move"
    assert await asyncio.gather(*streams) == [["stream 0"], ["stream 1"], ["stream 2"]]
    assert held.stopped == []


@with_pool
async def test_a_stream_that_has_had_its_turn_is_stopped_when_others_wait(held: Held) -> None:
    held.monkeypatch.setattr(service_pool, "TURN_SECONDS", HANG_SECONDS)
    first = held.stream("first", ["1", "2", "3"])
    await settle()
    held.release("first")
    await settle()
    held.monkeypatch.setattr(service_pool, "TURN_SECONDS", -1.0)
    assert held.stopped == []
    second = held.stream("second", ["1", "2"])
    await settle()
    held.release(*["first"] * 3)
    await first
    held.release("second")  # no other request waits: it goes on
    await settle()
    assert held.stopped == []  # the turn of the first was not over
    third = held.stream("third", [])
    await settle()
    held.release("second", "second", "third")
    assert await second == ["1", "2", "second"]
    await third
    assert len(held.stopped) == 1


@with_pool
async def test_solvers_are_loaded_before_a_request_begins(held: Held) -> None:
    held.monkeypatch.setattr(ClassicSolver, "is_warm", lambda _: False)
    asked = []
    for solver in ("classic", "shifting", "big"):
        task = held.ask(solver, work=Work(str, 0.1, solver))
        await settle()
        asked.append(held.children[0].asked["load"])
        held.release(solver)
        await task
    assert asked == [None, "shifting", "big"]  # interpreted until the service has the compiled one
    held.monkeypatch.setattr(ClassicSolver, "is_warm", lambda _: True)
    task = held.ask("again", work=Work(str, 0.1, "classic"))
    held.pool.load("shifting", Cost.LONG)
    await settle()
    assert [child.asked["load"] for child in held.children] == ["classic", "shifting"]
    held.release("again")
    await task


# Where work is done


async def respond_to(held: Held, path: str, **texts: str) -> int:
    """The status of a response."""
    state = SimpleNamespace(pool=held.pool)
    return (await respond(QUESTIONS[path], texts, state, Client())).status_code


@pytest.mark.parametrize("rules", SHIFTING, ids=str)
def test_the_shifting_board_is_never_solved_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    """Not even its endgames."""
    monkeypatch.setattr(ShiftingSolver, "solve_many", lambda *_: pytest.fail("solved on the event loop"))
    endgame = f"..../.2r../.Ab../.2.. r {rules}"

    async def test(held: Held) -> None:
        for text in (deal(random.Random(1), rules).text, endgame):
            for path, texts in (
                ("analysis", {"position": text}),
                ("moves", {"position": text}),
                ("why", {"position": text}),
                ("computer-move", {"position": text}),
                ("drawing", {"position": text, "values": "true"}),
                ("review", {"game": text}),
                ("deal", {"rules": str(rules), "winner": "red"}),
            ):
                work = QUESTIONS[path].read(texts)
                assert isinstance(work, Work)
                assert work.solver == "shifting"
                assert work.cost is not Cost.AT_ONCE
            assert await respond_to(held, "drawing", position=text) == 200  # needs no solver

    with_pool(test)(monkeypatch)


@with_pool
async def test_the_table_of_another_board_is_never_made_on_the_event_loop(held: Held) -> None:
    """It takes a tenth of a second, for each of 18 boards: a worker process makes it."""
    held.monkeypatch.setattr(search, "compiled_is_loaded", lambda: True)
    held.monkeypatch.setattr(search, "full_reach", lambda board: pytest.fail(f"made for {board}"))
    boards = [
        Board(rows, columns)
        for rows in range(2, 9)
        for columns in range(2, 9)
        if rows * columns <= MOST_CELLS
    ]
    boards.remove(STANDARD.board)
    assert len(boards) == 18
    for board in boards:
        text = Game.start(deal(random.Random(1), with_options(STANDARD, board=board))).text
        for path, texts in (
            ("analysis", {}),
            ("moves", {}),
            ("computer-move", {}),
            ("drawing", {"values": "true"}),
            ("puzzle/try", {"move": "a1"}),
        ):
            work = QUESTIONS[path].read({"position": text, **texts})
            assert isinstance(work, Work)
            assert work.cost is Cost.SHORT
        for path, name in (("game", "game"), ("drawing", "position"), ("edit", "draft")):
            assert await respond_to(held, path, **{name: text}) == 200  # needs no solver


@pytest.mark.parametrize("rules", CLASSIC_RULE_SETS.values(), ids=str)
def test_a_deal_is_solved_on_the_event_loop_only_with_the_compiled_solver(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    """Interpreted it takes milliseconds in which no other request would be answered."""
    dealt = deal(random.Random(1), rules)
    monkeypatch.setattr(search, "compiled_is_loaded", lambda: False)
    assert expected_seconds(dealt) > AT_ONCE_SECONDS
    monkeypatch.setattr(search, "compiled_is_loaded", lambda: True)
    assert expected_seconds(dealt) < AT_ONCE_SECONDS
    work = QUESTIONS["analysis"].read({"position": dealt.text})
    assert isinstance(work, Work)
    assert work.cost is Cost.AT_ONCE


@pytest.mark.parametrize(
    ("path", "rules"),
    [("game", "standard"), ("game", "shift"), ("solo/game", "solo"), ("big/game", "big")],
)
def test_a_large_tree_is_neither_read_nor_shown_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, path: str, rules: str
) -> None:
    start = deal(random.Random(1), rules).text
    question = QUESTIONS[path]
    costs = [question.read({"game": wide_tree(moves, start)}).cost for moves in (10, 500)]  # type: ignore[union-attr]
    assert costs == [Cost.AT_ONCE, Cost.SHORT]
    loops: list[int] = []
    readers: list[int] = []
    read = question.read

    def noted(texts: dict[str, str]) -> Any:
        readers.append(threading.get_ident())
        return read(texts)

    async def test(held: Held) -> None:
        monkeypatch.setattr(question, "read", noted)
        loops.append(threading.get_ident())
        assert await respond_to(held, path, game=start) == 200
        with pytest.raises(CollapsiError, match="a variation is not closed"):
            await respond_to(held, path, game=f"{wide_tree(500, start)} (")

    with_pool(test)(monkeypatch)
    assert [each in loops for each in readers] == [True, False]


# The real process


def running(pool: Pool) -> list[Any]:
    """The processes of a pool that run."""
    return [slot.child for slot in pool._slots if slot.child is not None and slot.child.is_running]


@apart
async def test_the_real_process_answers_refuses_and_is_replaced_when_killed() -> None:
    pool = Pool()
    try:
        told = json.loads(await pool.answer("analysis", {"position": PLAYED}, SHORT, Client()))
        assert told == analyse(PLAYED).to_json()
        with pytest.raises(CollapsiError, match="9 moves"):
            await pool.answer("game", {"game": PLAYED, "ply": "9"}, SHORT, Client())
        (child,) = running(pool)
        os.kill(child.pid, signal.SIGKILL)
        with suppress(OverloadedError):  # whether the loss is noticed before or after the next request
            await pool.answer("analysis", {"position": PLAYED}, SHORT, Client())
        again = await pool.answer("analysis", {"position": PLAYED}, SHORT, Client())
        assert json.loads(again) == told
        (last,) = running(pool)
    finally:
        await pool.close()
    assert not last.is_running


@apart
async def test_an_unexpected_error_is_logged_and_the_process_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    pool = Pool("tests.broken_worker")
    try:
        with pytest.raises(InternalError, match=INTERNAL_ERROR):
            await pool.answer("broken", {}, SHORT, Client())
        (child,) = running(pool)
        told = await pool.answer("analysis", {"position": PLAYED}, SHORT, Client())
        assert json.loads(told) == analyse(PLAYED).to_json()
        assert running(pool) == [child]
        parts = pool.stream("broken/stream", {}, StreamWork(lambda _: iter(())))
        sent = [line async for line in lines(await anext(parts), parts)]
        assert [json.loads(line)["kind"] for line in sent] == ["solved", "end"]
        assert json.loads(sent[-1]) == end_json("stopped")
    finally:
        await pool.close()
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 2
    assert all("Traceback" in text and "ZeroDivisionError" in text for text in logged)
    assert "an error in a request for broken\n" in logged[0]


def test_a_worker_that_cannot_load_a_solver_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BigSolver, "warm_up", lambda _: 1 / 0)
    worker.load.cache_clear()
    request: dict[str, Any] = {"number": 1, "path": None, "texts": {}, "load": "big"}
    began, failed = replies(request, lambda: False)
    assert began == {"began": 1}
    assert "ZeroDivisionError" in failed["failed"]


def test_without_memory_a_worker_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(BigSolver, "warm_up", no_memory)
    worker.load.cache_clear()
    request: dict[str, Any] = {"number": 1, "path": None, "texts": {}, "load": "big"}
    with pytest.raises(MemoryError):
        list(replies(request, lambda: False))


def test_an_unexpected_error_is_answered_with_status_500(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the service, which raises the error again for the server's log, and on the static page."""
    broken = Question("broken", "Fail", JSON, lambda: Work(lambda: 1 / 0))
    monkeypatch.setattr(broken.function, "__annotations__", {"return": Work[models.Deal]})
    monkeypatch.setitem(QUESTIONS, "broken", broken)
    said: list[Any] = []

    async def ask() -> None:
        async def send(message: Any) -> None:
            said.append(message)

        app = make_app(tmp_path)
        app.state.pool = None
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/v1/broken",
            "query_string": b"",
            "headers": [],
        }
        with pytest.raises(ZeroDivisionError):
            await app(scope, Client(), send)

    run_apart(ask())
    assert said[0]["status"] == 500
    assert dict(said[0]["headers"])[b"content-type"] == b"application/problem+json"
    assert json.loads(said[1]["body"])["detail"] == INTERNAL_ERROR
    assert answering.answer("broken", "") == (500, JSON, as_text({"detail": INTERNAL_ERROR}))
    assert "500" in make_app(tmp_path).openapi()["paths"]["/api/v1/analysis"]["get"]["responses"]


@apart
async def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool()
    try:
        told = await pool.answer("analysis", {"position": PLAYED}, SHORT, Client())
        (child,) = running(pool)
        os.kill(child.pid, signal.SIGSTOP)
        monkeypatch.setattr(service_pool, "LONGEST_SECONDS", 0.01)
        with pytest.raises(OverloadedError, match="was stopped"):
            await pool.answer("analysis", {"position": PLAYED}, SHORT, Client())
        monkeypatch.undo()
        assert await pool.answer("analysis", {"position": PLAYED}, SHORT, Client()) == told
    finally:
        await pool.close()


def test_a_request_is_not_stopped_with_a_later_one() -> None:
    """Requests take turns, so their numbers do not rise."""
    held = threading.Event()

    def lines() -> Iterator[bytes]:
        yield b'{"stop": 7}'
        yield b'{"number": 6}'
        held.wait(HANG_SECONDS)

    requests = worker.Requests(lines())
    assert next(iter(requests)) == {"number": 6}
    assert requests.is_stopped(7)
    assert not requests.is_stopped(6)
    held.set()


def test_a_worker_streams_stops_and_refuses() -> None:
    three = "2AA3A4/22Jr333/4AJbA24/343AA2/44Jg2.2/343A42 r big3"
    request = {"number": 1, "path": "big/analysis", "texts": {"position": three, "seed": "1"}, "load": None}
    began, part, end = replies(request, lambda: True)
    assert began == {"began": 1}
    assert json.loads(part["part"])["kind"] == "estimate"
    assert end == {"body": as_text(end_json("turn"))}
    request = {"number": 2, "path": "big/computer-move", "texts": {"position": "x"}, "load": None}
    _, refused = replies(request, lambda: False)
    assert "rules are missing" in refused["refused"]


def test_the_end_of_the_input_stops_everything() -> None:
    requests = worker.Requests([b'{"stop": 3}\n', b'{"number": 4}\n'])
    assert list(requests) == [{"number": 4}]
    assert requests.is_stopped(4)
