"""Who waits for what: full lanes refuse, kinds take turns, and nothing is done for those who have gone."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import threading
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from collapsi import RULE_SETS, Game, Rules, analyse, deal, parse_game
from collapsi.errors import CollapsiError
from collapsi.rules import CLASSIC
from collapsi.solve import answers, search
from collapsi.web import api, lanes, questions
from collapsi.web.api import QUICK_SECONDS, SHIFT_GAME_KINDS, SHIFT_KINDS
from collapsi.web.lanes import MOST_WAITING, GoneError, Refusals, ThreadLane, TooMuchError
from collapsi.web.worker import LOAD, LOAD_SHIFTING, LOADERS, Worker, answer
from tests.service import run_apart

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
GAME = parse_game(f"{EXAMPLE} a2")
SHIFT_WORKERS = {"shift_worker": SHIFT_KINDS, "shift_games_worker": SHIFT_GAME_KINDS}


class Asker:
    """A request as far as lanes look at it."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.gone = asyncio.Event()
        self.begun = False

    async def receive(self) -> dict[str, str]:
        if not self.begun:
            self.begun = True
            return {"type": "http.request"}
        await self.gone.wait()
        return {"type": "http.disconnect"}


def asker() -> Any:
    return Asker()


async def settle() -> None:
    """Let everything go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_thread_lane_refuses_when_full_and_drops_what_nobody_waits_for() -> None:
    async def run() -> None:
        lane = ThreadLane("questions")
        begin, done = threading.Event(), []
        first = asyncio.create_task(lane.do(asker(), begin.wait))
        askers = [asker() for _ in range(MOST_WAITING)]
        waiting = [
            asyncio.create_task(lane.do(one, lambda number=number: done.append(number)))  # type: ignore[misc]
            for number, one in enumerate(askers)
        ]
        await settle()
        with pytest.raises(TooMuchError, match="too many questions"):
            await lane.do(asker(), list)
        askers[3].gone.set()
        with pytest.raises(GoneError):
            await waiting[3]
        again: asyncio.Task[list[int]] = asyncio.create_task(lane.do(asker(), list))  # there is room again
        await settle()
        begin.set()
        assert await first
        assert await again == []
        await asyncio.gather(*waiting[:3], *waiting[4:])
        assert done == [number for number in range(MOST_WAITING) if number != 3]
        lane.close()

    run_apart(run())


class HeldWorker(Worker):
    """A worker whose process answers when it is let."""

    def __init__(self, *kinds: str, **options: Any) -> None:
        super().__init__(*kinds, **options)
        self.order: list[Any] = []
        self.let = asyncio.Semaphore(0)
        self.started = self.killed = 0

    async def _start(self) -> None:
        self.started += 1

    async def _exchange(self, line: bytes) -> bytes:
        asked = json.loads(line)
        if asked["question"] in LOADERS:
            self.order.append(asked["question"])
            return b'{"body": ""}'
        await self.let.acquire()
        self.order.append(asked["options"]["mark"])
        return json.dumps({"body": str(asked["options"]["mark"])}).encode()

    def _kill(self) -> None:
        self.killed += 1


def ask(worker: Worker, kind: str, mark: str, who: Any = None) -> asyncio.Task[str]:
    return asyncio.create_task(worker.ask(who or asker(), kind, questions.analysis, GAME, mark=mark))


def with_worker(test: Callable[[HeldWorker], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        worker = HeldWorker("boards", "games", **options)
        try:
            await test(worker)
        finally:
            await worker.close()

    run_apart(run())


def test_kinds_take_turns_and_one_that_is_full_refuses_only_its_own() -> None:
    async def test(worker: HeldWorker) -> None:
        boards = [ask(worker, "boards", "board 0")]
        await settle()  # it is being answered, the others wait
        boards += [ask(worker, "boards", f"board {number + 1}") for number in range(MOST_WAITING)]
        await settle()
        with pytest.raises(TooMuchError, match="too many boards"):
            await ask(worker, "boards", "one too many")
        games = [ask(worker, "games", f"game {number}") for number in range(3)]
        await settle()
        for _ in range(len(boards) + len(games)):
            worker.let.release()
        await asyncio.gather(*boards, *games)
        assert worker.order[:7] == ["board 0", "game 0", "board 1", "game 1", "board 2", "game 2", "board 3"]
        assert await games[2] == "game 2"

    with_worker(test)


def test_who_hangs_up_while_waiting_leaves_the_queue() -> None:
    async def test(worker: HeldWorker) -> None:
        first = ask(worker, "boards", "first")
        await settle()
        askers = [asker() for _ in range(MOST_WAITING)]
        waiting = [ask(worker, "boards", str(number), one) for number, one in enumerate(askers)]
        await settle()
        for one in askers[2:]:
            one.gone.set()
        for task in waiting[2:]:
            with pytest.raises(GoneError):
                await task
        late = ask(worker, "boards", "late")
        await settle()
        for _ in range(4):
            worker.let.release()
        await asyncio.gather(first, *waiting[:2], late)
        assert worker.order == ["first", "0", "1", "late"]

    with_worker(test)


def test_who_hangs_up_in_the_middle_of_the_work_stops_nobody() -> None:
    async def test(worker: HeldWorker) -> None:
        one = asker()
        first = ask(worker, "boards", "first", one)
        await settle()
        one.gone.set()
        with pytest.raises(GoneError):
            await first
        second = ask(worker, "boards", "second")
        for _ in range(2):
            worker.let.release()
        assert await second == "second"

    with_worker(test)


def test_what_nobody_waits_for_is_stopped_where_questions_think_for_long() -> None:
    async def test(worker: HeldWorker) -> None:
        one = asker()
        first = ask(worker, "boards", "first", one)
        await settle()
        one.gone.set()
        with pytest.raises(GoneError):
            await first
        second = ask(worker, "boards", "second")
        while not worker.killed:  # the first is still being thought about, and given up
            await asyncio.sleep(0.001)
        worker.let.release()
        assert await second == "second"
        assert worker.order == [LOAD_SHIFTING, LOAD_SHIFTING, "second"]  # each new process loads first
        assert worker.killed == 1

    with_worker(test, patience=0.01, loads=LOAD_SHIFTING)


def test_who_waits_is_not_hurried() -> None:
    async def test(worker: HeldWorker) -> None:
        first = ask(worker, "boards", "first")
        await asyncio.sleep(0.05)
        worker.let.release()
        assert await first == "first"
        assert worker.killed == 0

    with_worker(test, patience=0.01)


def test_every_solver_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    for name in LOADERS:
        monkeypatch.setitem(LOADERS, name, partial(loaded.append, name))
        asked: dict[str, Any] = {"question": name, "game": None, "options": {}}
        assert answer(json.dumps(asked).encode()) == {"body": ""}
    assert loaded == [LOAD, LOAD_SHIFTING]


@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS.values() if rules.shift], ids=str)
def test_the_shifting_board_is_never_solved_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    """Not even its endgames, and by no other worker than its own: nobody else waits for them."""

    async def run() -> None:
        workers = {name: HeldWorker(*kinds) for name, kinds in SHIFT_WORKERS.items()}
        request = asker()
        request.app = SimpleNamespace(state=SimpleNamespace(**workers))
        monkeypatch.setattr(answers, "solutions", lambda *_: pytest.fail("solved where it was asked"))
        game = Game.start(deal(random.Random(1), rules))
        asked = {
            "shift_worker": [
                api.analysis(request, game.text),
                api.moves(request, game.text),
                api.why(request, game.text),
                api.computer_move(request, game.text),
                api.drawing(request, game.text, values=True),
            ],
            "shift_games_worker": [
                api.review(request, game.text),
                api.deal(request, str(rules), seed=1, winner="red"),
            ],
        }
        tasks = [asyncio.create_task(each) for questions in asked.values() for each in questions]
        await settle()
        for name, worker in workers.items():
            waiting = sum(map(len, worker._waiting.values()))
            assert waiting + 1 == len(asked[name])  # one is being answered
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in workers.values():
            await worker.close()

    run_apart(run())


def test_the_real_process_answers_refuses_and_is_replaced_when_killed() -> None:
    async def run() -> None:
        worker = Worker("boards")
        try:
            said = json.loads(await worker.ask(asker(), "boards", questions.analysis, GAME))
            assert said == analyse(f"{EXAMPLE} a2").to_json()
            with pytest.raises(CollapsiError, match="9 moves"):
                await worker.ask(
                    asker(), "boards", questions.shown_game, GAME, ply=9, match="0-0", dealt=True
                )
            assert worker._process is not None
            os.kill(worker._process.pid, signal.SIGKILL)
            with suppress(TooMuchError):  # whether the loss is noticed before or after the next question
                await worker.ask(asker(), "boards", questions.analysis, GAME)
            again = await worker.ask(asker(), "boards", questions.analysis, GAME)
            assert json.loads(again) == said
        finally:
            await worker.close()
        assert worker._process.returncode is not None

    run_apart(run())


def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        worker = Worker("boards")
        try:
            said = await worker.ask(asker(), "boards", questions.analysis, GAME)
            assert worker._process is not None
            os.kill(worker._process.pid, signal.SIGSTOP)
            monkeypatch.setattr("collapsi.web.worker.LONGEST_SECONDS", 0.01)
            with pytest.raises(TooMuchError, match="was stopped"):
                await worker.ask(asker(), "boards", questions.analysis, GAME)
            monkeypatch.undo()
            assert await worker.ask(asker(), "boards", questions.analysis, GAME) == said
        finally:
            await worker.close()

    run_apart(run())


@pytest.mark.parametrize(
    ("question", "options"),
    [
        (questions.analysis, {}),
        (questions.moves, {}),
        (questions.computer_move, {"level": "2", "seed": 7}),
        (questions.shown_game, {"ply": 0, "match": "9-4", "dealt": True}),
        (questions.explained, {}),
        (questions.reviewed, {}),
        (questions.drawing, {"move": "b4"}),
    ],
)
def test_the_worker_says_what_the_server_would_say(question: Any, options: dict[str, Any]) -> None:
    asked = {"question": question.__name__, "game": f"{EXAMPLE} a2", "options": options}
    assert answer(json.dumps(asked).encode()) == {"body": question(GAME, **options)}


def test_a_few_refusals_come_at_once_many_are_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    refusals = Refusals()
    assert [refusals.many() for _ in range(lanes.AT_ONCE + 2)] == [False] * lanes.AT_ONCE + [True] * 2
    now = 2.0
    assert not refusals.many()


@pytest.mark.parametrize("rules", CLASSIC.values(), ids=str)
def test_a_deal_is_solved_on_the_event_loop_only_with_the_compiled_solver(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    """Interpreted it takes milliseconds in which nobody else would be answered: then the worker does it."""
    dealt = deal(random.Random(1), rules)
    monkeypatch.setattr(search, "compiled_is_loaded", lambda: False)
    assert answers.expected_seconds(dealt) > QUICK_SECONDS
    monkeypatch.setattr(search, "compiled_is_loaded", lambda: True)
    assert answers.expected_seconds(dealt) < QUICK_SECONDS
