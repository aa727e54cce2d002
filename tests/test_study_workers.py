"""Studies on worker processes: killed processes do not change the result."""

from __future__ import annotations

import logging
import os
import random
import re
import sys
import time
from collections import Counter
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from collapsi.cli import run as run_here
from collapsi.cli import study as study_command
from collapsi.core.players import Player
from collapsi.study import engines
from collapsi.study.engines import ATTEMPTS, Cluster, ClusterError, local_cluster
from collapsi.study.plan import FORMAT, Part, Plan
from collapsi.study.run import run, sample
from collapsi.study.solving import Cost, Ending, FailedPart, SolvedPart
from tests.service import HANG_SECONDS, wait_until
from tests.study_cluster import cluster, contents, kill, kill_all, parts_in, start_study, workers_of
from tests.test_cli import ok
from tests.test_cli import run as run_command
from tests.test_study import PLAN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


SMALL_PARTS = ("standard", "--seed", "3", "--part", "50")
ENDLESS = (*SMALL_PARTS, "--deals", "100000000")
"""However fast the machine is, this study is killed in the middle."""
BUSY = (*SMALL_PARTS, "--deals", "3000")
"""And this is the beginning of it, which is finished."""


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What is in its folder when nothing disturbs it, done by threads."""
    path = tmp_path_factory.mktemp("undisturbed")
    ok("study", *BUSY, "--out", str(path))
    return contents(path)


def finished(path: Path, undisturbed: dict[str, bytes], *options: str) -> bool:
    """Whether a study that was killed is finished as one that nothing disturbed, beside later parts."""
    ok("study", *BUSY, "--out", str(path), *options)
    found = contents(path)
    later = {name for name in found if name.startswith("parts/part-") and int(name[11:17]) >= 60}
    return {name: content for name, content in found.items() if name not in later} == undisturbed


def test_local_workers_are_killed_and_then_the_command(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    rng = random.Random(1)
    study = start_study(*ENDLESS, "--out", str(tmp_path), "--workers", "2")
    try:
        wait_until(lambda: len(parts_in(tmp_path)) >= 3 or study.poll() is not None)
        wait_until(lambda: len(workers_of(study)) == 2)
        os.kill(rng.choice(workers_of(study)), 9)
        before = len(parts_in(tmp_path))
        wait_until(lambda: len(parts_in(tmp_path)) >= before + 5 or study.poll() is not None)
        kill(study)
    finally:
        kill_all(study)
    assert finished(tmp_path, undisturbed)


@pytest.mark.slow
def test_a_local_worker_is_killed_while_it_starts(tmp_path: Path) -> None:
    options = ("--deals", "200", "--part", "50", "--workers", "2")
    study = start_study("standard", *options, "--out", str(tmp_path))
    try:
        wait_until(lambda: bool(workers_of(study)) or study.poll() is not None)
        os.kill(workers_of(study)[0], 9)
        said = study.communicate(timeout=HANG_SECONDS)[1].decode()
    finally:
        kill_all(study)
    assert (study.returncode, said) == (0, "")
    assert len(parts_in(tmp_path)) == 4


@pytest.mark.parametrize("deaths", [2, 3])
def test_local_workers_are_not_started_for_ever(monkeypatch: pytest.MonkeyPatch, deaths: int) -> None:
    started: list[int] = []

    class Started:
        def __init__(self, *_: object, n_workers: int = 0, **__: object) -> None:
            started.append(n_workers)
            if len(started) <= deaths:
                msg = "Nanny failed to start."
                raise RuntimeError(msg)

    class Distributed:
        LocalCluster = Started
        Client = type("Client", (), {"__init__": lambda *_, **__: None})

    monkeypatch.setattr(engines, "_distributed", lambda: Distributed)
    said = None
    try:
        with local_cluster(5):
            pass
    except ClusterError as error:
        said = str(error)
    assert started == [5, 5, 5]
    assert said == (
        None if deaths == 2 else "cannot start 5 workers, tried 3 times: RuntimeError: Nanny failed to start."
    )


class Client:
    """A client of a cluster that is not there: its one worker changes its answers."""

    status = "running"

    def __init__(self, changed: Callable[[SolvedPart], object], threads: object = 1) -> None:
        self.changed = changed
        self.threads = threads

    def nthreads(self) -> dict[str, object]:
        """The threads of the worker."""
        return {"tcp://worker:1": self.threads}

    def submit(self, function: Any, plan: Plan, part: Part, *_: object, pure: bool) -> Future:
        """A future that is done."""
        assert not pure
        return Future(self.changed(function(plan, part)))

    def cancel(self, futures: list[Any]) -> None:
        """Nothing is under way."""


class Future:
    """An answer that has arrived."""

    status = "finished"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def add_done_callback(self, call: Callable[[Future], None]) -> None:
        """It is done already."""
        call(self)

    def result(self, timeout: float) -> object:  # noqa: ARG002 - a future's
        """The answer, or the error."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def release(self) -> None:
        """Nothing is held."""


def with_ending(*ending: Any) -> Callable[[SolvedPart], object]:
    """All deals of a part with the same ending."""
    return lambda done: done._replace(rows=[("", Ending(*ending))] * done.part.deals)


def replaced(**fields: Any) -> Callable[[SolvedPart], object]:
    """A part with other fields."""
    return lambda done: done._replace(**fields)


WRONG_ANSWERS: dict[str, Callable[[SolvedPart], object]] = {
    "int": lambda _: 5,
    "none": lambda _: None,
    "tuple": tuple,
    "another part": replaced(part=Part(9, 0, 40)),
    "no part": replaced(part=None),
    "no rows": replaced(rows=None),
    "a row missing": lambda done: done._replace(rows=done.rows[1:]),
    "one row wrong": lambda done: done._replace(rows=[*done.rows[1:], ("", Ending(Player.RED, -1, None))]),
    "numbers as rows": replaced(rows=[1] * 40),
    "winner in words": with_ending("red", 3, None),
    "too many plies": with_ending(Player.RED, 256, None),
    "first out in words": with_ending(Player.RED, 3, "blue"),
    "no cost": replaced(cost=7),
    "cost in words": replaced(cost=Cost(40, "long", 3)),  # type: ignore[arg-type]
    "failed without a reason": lambda done: FailedPart(done.part, 3),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS)
def test_a_wrong_answer_of_a_worker_is_one_line(
    tmp_path: Path, answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Cluster(Client(WRONG_ANSWERS[answer]), "tcp://head:8786")
    monkeypatch.setattr(study_command, "open_cluster", lambda _: nullcontext(found))
    options = ["--deals", "40", "--part", "40", "--cluster", "tcp://head:8786", "--out", str(tmp_path)]
    assert run_here(["study", "standard", *options]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith("collapsi: a worker of tcp://head:8786 answered part 0 (deals 0 to 39) with ")
    assert parts_in(tmp_path) == []


def test_right_answers_of_workers_are_taken_and_wrong_threads_refused() -> None:
    right = run(PLAN, deals=100, engine=Cluster(Client(lambda done: done), "here"))
    assert right.result.to_json() == sample("standard", deals=100, seed=7).to_json()
    with pytest.raises(ClusterError, match="does not report how many threads"):
        run(PLAN, deals=100, engine=Cluster(Client(lambda done: done, "many"), "here"))


class KilledWorker(Exception):
    """What Dask calls a part of which workers die."""


def test_a_part_that_fails_is_tried_again_but_not_if_workers_die_of_it() -> None:
    tried: Counter[int] = Counter()

    def changed(done: SolvedPart) -> object:
        number = done.part.number
        tried[number] += 1
        wrong = {
            0: FailedPart(done.part, "no luck"),
            1: FailedPart(done.part, "no luck yet"),
            2: ValueError("no sense\nat all"),
            3: KilledWorker(),
        }
        return done if number == 1 and tried[1] == ATTEMPTS else wrong.get(number, done)

    found = run(PLAN, deals=200, engine=Cluster(Client(changed), "here"))
    assert tried == {0: ATTEMPTS, 1: ATTEMPTS, 2: ATTEMPTS, 3: 1, 4: 1}
    assert [str(part).partition(" failed: ")[2] for part in found.failed] == [
        "no luck",
        "ValueError: no sense",
        "every worker that tried it died",
    ]
    assert found.result.deals == 80


@pytest.mark.parametrize(("status", "error"), [("running", TypeError), ("closed", ClusterError)])
def test_a_part_that_cannot_be_submitted_ends_the_study(status: str, error: type[Exception]) -> None:
    """By the fault of the scheduler if that is gone."""

    class Refusing(Client):
        def submit(self, *_: object, **__: object) -> Future:
            self.status = status
            raise TypeError

    with pytest.raises(error):
        run(PLAN, deals=40, engine=Cluster(Refusing(lambda done: done), "here"))


def test_two_parts_a_thread_are_under_way_and_threads_that_come_get_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submitted: list[Part] = []

    def changed(done: SolvedPart) -> SolvedPart:
        submitted.append(done.part)
        return done

    now = 1000.0
    monkeypatch.setattr(engines, "time", SimpleNamespace(monotonic=lambda: now))
    client = Client(changed)
    work = Cluster(client, "here").work(PLAN, (Part(number, number, number + 1) for number in range(40)))
    under_way = []
    for number, (threads, seconds) in enumerate(((1, 0), (3, 1), (3, engines.REFRESH_SECONDS), (3, 1)), 1):
        client.threads, now = threads, now + seconds
        assert next(work) is not None
        under_way.append(len(submitted) - number)
    assert under_way == [2, 2, 6, 6], "the scheduler is asked from time to time"


def test_workers_may_take_longer_than_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Callable[[], None]] = []
    monkeypatch.setattr(engines, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(Future, "add_done_callback", lambda future, call: calls.append(lambda: call(future)))
    found = []
    for done in Cluster(Client(lambda done: done), "here").work(PLAN, iter([Part(0, 0, 1), Part(1, 1, 2)])):
        if done is None:
            calls.pop()()
        else:
            found.append(done.part.number)
    assert found == [1, 0]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (FORMAT + 1, f"its format is {FORMAT + 1}"),
        (True, "its format is True"),
        (None, "its format is None"),
        (
            ModuleNotFoundError("No module named 'collapsi'"),
            "ModuleNotFoundError: No module named 'collapsi'",
        ),
    ],
)
def test_workers_of_another_version_are_refused(answer: object, why: str) -> None:
    """And those that are gone are not waited for."""
    answers = {"tcp://worker:1": OSError("gone"), "tcp://worker:2": FORMAT, "tcp://worker:3": TimeoutError()}

    class Workers:
        def run(self, function: Callable[[], object], on_error: str) -> dict[str, object]:
            assert (function(), on_error) == (FORMAT, "return")
            return answers

    engines._check_workers(Workers())
    answers["tcp://worker:4"] = answer
    with pytest.raises(ClusterError) as raised:
        engines._check_workers(Workers())
    assert str(raised.value) == f"the worker at tcp://worker:4 does not run this version of collapsi ({why})"


def test_dask_and_its_libraries_log_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", ModuleType("distributed"))
    monkeypatch.setattr(logging.root.manager, "loggerDict", {})
    names = ("asyncio", "distributed.nanny", "tornado.application", "collapsi.study", "tornadoes")
    loggers = [logging.getLogger(name) for name in names]
    assert engines._distributed() is sys.modules["distributed"]
    assert [logger.disabled for logger in loggers] == [True, True, True, False, False]


@pytest.mark.slow
def test_a_scheduler_is_killed(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    out = tmp_path / "study"
    with cluster(tmp_path, workers=1) as found:
        study = start_study(*ENDLESS, "--out", str(out), "--cluster", str(found.file))
        try:
            wait_until(lambda: len(parts_in(out)) >= 3 or study.poll() is not None)
            found.kill_scheduler()
            said = study.communicate()[1].decode()
        finally:
            kill_all(study)
    assert study.returncode == 2
    assert said.startswith("collapsi: the scheduler at tcp://127.0.0.1:")
    assert said.endswith(
        "does not answer any more; finished parts are stored, and the same command resumes\n"
    )
    assert len(parts_in(out)) >= 3
    assert finished(out, undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_kills_at_random_moments(tmp_path: Path, undisturbed: dict[str, bytes], seed: int) -> None:
    """Workers, the scheduler and the command, ten in each of two runs; a laptop has its turn in between."""
    rng = random.Random(seed)
    out = tmp_path / "study"
    kinds = ["worker", "worker", "worker", "worker", "scheduler", "scheduler", *["command"] * 4]
    rng.shuffle(kinds)
    with cluster(tmp_path) as found:
        command = ("--out", str(out), "--cluster", str(found.file))
        study = start_study(*ENDLESS, *command)
        try:
            for kind in kinds:
                before, more = len(parts_in(out)), rng.randrange(4)
                wait_until(lambda: len(parts_in(out)) >= before + more or study.poll() is not None)  # noqa: B023 - asked now
                time.sleep(rng.random())
                assert study.poll() is None
                if kind == "worker":
                    found.kill_worker(rng)
                    continue
                if kind == "scheduler":
                    found.kill_scheduler()
                    said = study.communicate()[1].decode()
                    assert study.returncode == 2
                    assert "Traceback" not in said
                    # It may have been killed before it was found.
                    assert re.search("scheduler at .* does not answer|no scheduler answers at", said)
                    found.restart()
                else:
                    kill_all(study)
                if rng.random() < 0.3:  # finished by a laptop, in part
                    laptop = start_study(*ENDLESS, "--out", str(out), "--jobs", "1")
                    before = len(parts_in(out))
                    wait_until(lambda: len(parts_in(out)) > before or laptop.poll() is not None)  # noqa: B023 - asked now
                    kill_all(laptop)
                study = start_study(*ENDLESS, *command)
        finally:
            kill_all(study)
        assert finished(out, undisturbed, "--cluster", str(found.file))


@pytest.mark.slow
def test_parts_that_kill_every_worker_or_fail_there_are_named(tmp_path: Path) -> None:
    preload = tmp_path / "deadly.py"
    preload.write_text(
        """
import os
from collapsi.study import solving
if not hasattr(solving, "solve"):  # it is loaded twice
    solving.solve = solving._rows
def rows(plan, part, nodes):
    if part.number == 2:
        os._exit(1)
    if part.number == 4:
        return rows(plan, part, nodes)  # without end
    return solving.solve(plan, part, nodes)
solving._rows = rows
"""
    )
    out = tmp_path / "study"
    with cluster(tmp_path, 6, "--preload", str(preload)) as found:
        done = run_command(
            *("study", "standard", "--deals", "500", "--part", "50", "--out", str(out)),
            *("--cluster", str(found.file)),
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "collapsi: part 2 (deals 100 to 149) failed: every worker that tried it died",
        "collapsi: part 4 (deals 200 to 249) failed: RecursionError: maximum recursion depth exceeded",
    ]
    assert "not complete: 100 deals of 2 parts missing" in done.stdout.decode()
    assert len(parts_in(out)) == 8
    assert not (out / "result.json").exists()
