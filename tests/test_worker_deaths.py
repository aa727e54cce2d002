"""Workers are killed and suspended at any moment of their life; each question gets an answer or a 503."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.api.question import Cost, Work
from collapsi.service import child_process
from collapsi.service.atlases import Atlases
from collapsi.service.pool import Pool
from collapsi.service.waiting import OverloadedError
from tests.service import HANG_SECONDS, running_server
from tests.test_pool import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tests.service import Answer, Server

API = "/api/v1"
BIG = "A.432A/....22/.234.Ab/.A4434r/A332.2/A32443 r big"
LOOPS = ["asyncio", "uvloop"]


async def ask(pool: Pool, mark: str) -> str:
    return await pool.answer("analysis", {"mark": mark}, Work(str, 0.1, "shifting"), Client())


def run_in(loop: str, work: Callable[[], Coroutine[Any, Any, None]]) -> list[Any]:
    """Run in a thread of its own; what the loop's exception handler was told."""
    factory = asyncio.new_event_loop if loop == "asyncio" else pytest.importorskip(loop).new_event_loop
    told: list[Any] = []

    def run() -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.get_loop().set_exception_handler(lambda _, context: told.append(context))
            runner.run(work())
            gc.collect()  # an exception that nobody has retrieved is reported when its future goes

    with ThreadPoolExecutor(1) as thread:
        thread.submit(run).result()
    return told


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="the system does not say who is suspended")
@pytest.mark.parametrize("loop", LOOPS)
def test_a_worker_may_die_at_any_moment(
    loop: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """While it starts, loads, thinks, writes or waits; the question after it is answered."""
    monkeypatch.setattr(child_process, "CHECK_SECONDS", 0.01)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    rng = random.Random(1)
    answered, rounds = 0, 25

    async def attack() -> None:
        nonlocal answered
        pool = Pool("tests.fake_worker")
        slot = pool._slots[0]
        for number in range(rounds):
            if number % 5 == 0:  # a process that has not loaded yet; otherwise one that may have
                pool._kill(slot)
            first = asyncio.create_task(ask(pool, f"first {number}"))
            while slot.child is None:
                await asyncio.sleep(0)
            child = slot.child
            await asyncio.sleep(rng.uniform(0, 0.2))
            os.kill(child.pid, rng.choice([signal.SIGKILL, signal.SIGSTOP]))
            await child.ended
            with suppress(OverloadedError):
                assert await first == f"first {number}"
                answered += 1
            assert await ask(pool, f"second {number}") == f"second {number}"
        await pool.close()

    told = run_in(loop, lambda: asyncio.wait_for(attack(), HANG_SECONDS))
    assert told == []
    logged = [record.getMessage() for record in caplog.records if record.name == child_process.__name__]
    assert len(logged) == rounds
    assert all("process" in line and "for short requests" in line for line in logged)
    assert {line.partition(" for short requests ")[2].partition(":")[0] for line in logged} == {
        "ended unexpectedly (SIGKILL)",
        "was suspended and has been killed",
    }
    assert 0 < answered < rounds  # otherwise the signals came too early or too late to show anything


def test_a_question_whose_client_leaves_when_its_process_dies_raises_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))

    async def attack() -> None:
        pool = Pool("tests.fake_worker")
        pool.load("shifting", Cost.SHORT)  # without a client
        while pool._slots[0].child is None:
            await asyncio.sleep(0)
        os.kill(pool._slots[0].child.pid, signal.SIGKILL)
        await pool._slots[0].child.ended
        assert await ask(pool, "next") == "next"
        await pool.close()

    assert run_in("asyncio", attack) == []


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="the system does not say who is suspended")
def test_a_census_job_that_is_suspended_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would keep the lock for ever, and no other census could be taken."""
    monkeypatch.setattr(child_process, "CHECK_SECONDS", 0.01)

    def census_jobs() -> list[int]:
        children: list[str] = []
        for task in Path("/proc/self/task").glob("*/children"):
            with suppress(OSError):  # a thread may have ended since it was listed
                children += task.read_text().split()
        named = str(tmp_path).encode()
        return [int(child) for child in children if named in Path(f"/proc/{child}/cmdline").read_bytes()]

    async def attack() -> None:
        atlases = Atlases(tmp_path)
        assert atlases.status("standard")["state"] == "working"
        while not (jobs := census_jobs()):
            await asyncio.sleep(0.001)
        os.kill(jobs[0], signal.SIGSTOP)
        while (status := atlases.status("standard"))["state"] == "working":
            await asyncio.sleep(0.001)
        assert (status["state"], status["reason"]) == ("failed", "it was stopped (-9)")
        await atlases.close()

    assert run_in("asyncio", lambda: asyncio.wait_for(attack(), HANG_SECONDS)) == []


def kill_while_loading(server: Server, rng: random.Random, number: signal.Signals) -> Answer:
    """Ask for a move on the big board and send a signal to the process that loads for it."""
    before = set(server.workers())
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(server.get, f"{API}/big/computer-move", position=BIG, level="random", seed=1)
        patience = time.monotonic() + HANG_SECONDS
        while not (new := set(server.workers()) - before):
            assert time.monotonic() < patience
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.3))
        for pid in new:
            os.kill(pid, number)
        return asked.result(HANG_SECONDS)


def kill_idle_workers(server: Server) -> int:
    """Kill the processes that the service starts in advance, so that each request starts a new one."""
    patience = time.monotonic() + HANG_SECONDS
    while len(server.workers()) < 2:  # one loads the classic solver, one that of the shifting board
        assert time.monotonic() < patience
        time.sleep(0.005)
    time.sleep(0.5)
    idle = server.workers()
    for pid in idle:
        os.kill(pid, signal.SIGKILL)
    while len(server.complaints().splitlines()) < len(idle):
        assert time.monotonic() < patience
        time.sleep(0.005)
    return len(idle)


def attack_loading(folder: Path, signals: list[signal.Signals]) -> None:
    rng = random.Random(1)
    with running_server(folder) as server:
        idle = kill_idle_workers(server)
        for number in signals:
            answer = kill_while_loading(server, rng, number)
            assert answer.status == 503
            assert int(answer.headers["Retry-After"]) > 0
        said = server.get_json(f"{API}/big/computer-move", position=BIG, level="random", seed=1)
        assert said["move"]
        assert server.stop() in (0, 130)
        logged = server.complaints().splitlines()
    assert len(logged) == idle + len(signals), logged
    for line, number in zip(logged[idle:], signals, strict=True):
        reason = {signal.SIGKILL: "ended unexpectedly (SIGKILL)", signal.SIGSTOP: "was suspended"}
        assert line.startswith("collapsi: the process ")
        assert reason[number] in line


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="the system does not say who is suspended")
def test_the_service_recovers_from_workers_that_die_while_they_load(tmp_path: Path) -> None:
    attack_loading(tmp_path, [signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP, signal.SIGKILL])


@pytest.mark.slow
def test_the_service_recovers_from_fifty_deaths(tmp_path: Path) -> None:
    attack_loading(tmp_path, [signal.SIGKILL] * 45 + [signal.SIGSTOP] * 5)
