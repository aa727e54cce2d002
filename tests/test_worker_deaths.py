"""Workers are killed or suspended at every stage; each request gets an answer or status 503.

In the ordinary run the processes block at the stage (`tests/fake_worker.py`). The slow test kills real ones.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.api.question import Cost, Work
from collapsi.census.atlas_files import open_writer
from collapsi.service import child_process
from collapsi.service.atlases import Atlases
from collapsi.service.pool import Pool
from collapsi.service.waiting import OverloadedError
from tests.fake_worker import STAGES
from tests.service import HANG_SECONDS, children_of, running_server, wait_until
from tests.test_pool import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tests.service import Answer, Server

pytestmark = pytest.mark.skipif(
    not hasattr(os, "waitid"), reason="the system cannot tell whether a process is suspended"
)

SIGNALS = {
    signal.SIGKILL: "ended unexpectedly (SIGKILL)",
    signal.SIGSTOP: "was suspended and has been killed",
}


@pytest.fixture(autouse=True)
def quick_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "CHECK_SECONDS", 0.01)


async def until(is_so: Callable[[], Any]) -> None:
    """Wait for a state on the event loop."""
    async with asyncio.timeout(HANG_SECONDS):
        while not is_so():
            await asyncio.sleep(0.005)


def run_in(loop: str, work: Coroutine[Any, Any, None]) -> None:
    """Run in a thread of its own; the loop's exception handler must not be called."""
    factory = asyncio.new_event_loop if loop == "asyncio" else pytest.importorskip(loop).new_event_loop
    reported: list[Any] = []

    def run() -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.get_loop().set_exception_handler(lambda _, context: reported.append(context))
            runner.run(work)
            gc.collect()  # an exception that was not retrieved is reported when its future is deleted

    with ThreadPoolExecutor(1) as thread:
        thread.submit(run).result()
    assert reported == []


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("stage", [*STAGES, "loading without a client"])
def test_a_worker_may_die_at_any_stage(
    stage: str,
    number: signal.Signals,
    loop: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The request is refused unless it was answered before, and a new process answers the next request."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    monkeypatch.setenv("FAKE_WORKER", str(tmp_path))
    stage, _, no_client = stage.partition(" ")
    (tmp_path / stage).touch()

    async def ask(pool: Pool, mark: str) -> str:
        return await pool.answer("analysis", {"mark": mark}, Work(str, 0.1, "shifting"), Client())

    async def attack(pool: Pool) -> None:
        if no_client:
            pool.load("shifting", Cost.SHORT)
        else:
            first = asyncio.create_task(ask(pool, "first"))
        await until((tmp_path / "held").exists)
        os.kill(int((tmp_path / "held").read_text()), number)
        await until(lambda: caplog.records)
        if stage == "waiting":
            assert await first == "first"
        elif not no_client:
            with pytest.raises(OverloadedError, match="was stopped: try again"):
                await first
        assert await ask(pool, "second") == "second"

    async def run() -> None:
        pool = Pool("tests.fake_worker")
        try:
            await attack(pool)
        finally:
            await pool.close()

    run_in(loop, run())
    (record,) = caplog.records
    assert f" for short requests {SIGNALS[number]}: " in record.getMessage()


def test_a_census_job_that_is_suspended_is_killed(tmp_path: Path) -> None:
    """It would keep the lock for ever, and no other census could be taken."""

    async def attack() -> None:
        atlases = Atlases(tmp_path)
        with open_writer(tmp_path / "standard"):  # the job waits for this writer, and takes no census
            assert atlases.status("standard")["state"] == "working"
            await until(lambda: children_of(os.getpid(), b"collapsi.service.census_job"))
            (job,) = children_of(os.getpid(), b"collapsi.service.census_job")
            os.kill(job, signal.SIGSTOP)
            await until(lambda: atlases.status("standard")["state"] != "working")
        status = atlases.status("standard")
        assert (status["state"], status["reason"]) == ("failed", "it was stopped (-9)")
        await atlases.close()

    run_in("asyncio", attack())


API = "/api/v1"
BIG = "A.432A/....22/.234.Ab/.A4434r/A332.2/A32443 r big"


def kill_while_loading(server: Server, number: signal.Signals) -> Answer:
    """Ask for a move on the big board and send a signal to the process that is started for it."""
    before, deaths = set(server.workers()), len(server.complaints().splitlines())
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(server.get, f"{API}/big/computer-move", position=BIG, level="random", seed=1)
        wait_until(lambda: set(server.workers()) - before)
        (new,) = set(server.workers()) - before
        os.kill(new, number)
        wait_until(lambda: len(server.complaints().splitlines()) > deaths)
        return asked.result(HANG_SECONDS)


@pytest.mark.slow
def test_the_service_recovers_from_fifty_deaths_while_workers_load(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        wait_until(lambda: len(server.workers()) >= 2)  # they load the solvers in advance
        killed = server.workers()
        for pid in killed:  # so that each request starts a new process
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: len(server.complaints().splitlines()) == len(killed))
        signals = [signal.SIGKILL] * 45 + [signal.SIGSTOP] * 5
        for number in signals:
            while (answer := kill_while_loading(server, number)).status == 200:
                pass  # the signal came after the answer: once more
            assert answer.status == 503
            assert int(answer.headers["Retry-After"]) > 0
        assert server.get_json(f"{API}/big/computer-move", position=BIG, level="random", seed=1)["move"]
        assert server.stop() in (0, 130)
        logged = server.complaints().splitlines()
    assert len(logged) >= len(killed) + len(signals)
    for line in logged:
        assert line.startswith("collapsi: the process ")
        assert any(reason in line for reason in SIGNALS.values())
