"""The API over a socket: what is random, refusals, and the census of the real service.

Single answers are recorded in `tests/contract/api/`; games are compared with their states in
`tests/test_game_views.py`.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collapsi import Position, analyse, deal, format_position, parse_position
from collapsi.api import models
from collapsi.census.atlas_files import open_writer
from tests.fitting import fitting
from tests.service import HANG_SECONDS, Answer, Server, ask, is_running, running_server, wait_until
from tests.small_atlas import facts_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polars as pl

API = "/api/v1"
EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"

DEALS, DIFFERENT = 47_297_250, 1_982_769
SEVEN_PLIES, SEVEN_PLIES_DIFFERENT = 525, 25


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the server."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def server(cache: Path) -> Iterator[Server]:
    """One server for the whole module."""
    with running_server(cache) as server:
        yield server


def valid(shape: Any, answer: Answer) -> Any:
    """The data of a good answer that is exactly what its typed dict says, no field more."""
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == "application/json"
    return fitting(shape, answer.body)


def problem(answer: Answer, status: int = 422) -> str:
    """The one line of an answer that says what is wrong."""
    assert answer.status == status, answer.body
    assert answer.headers["content-type"] == "application/problem+json"
    data = fitting(models.Problem, answer.body)
    assert data["status"] == status
    detail: str = data["detail"]
    assert detail
    assert len(detail.splitlines()) == 1
    assert detail.isprintable()
    assert len(detail) < 300
    return detail


def test_the_computer_varies_without_a_seed(server: Server) -> None:
    """Red has four first moves: forty random ones are the same with a chance of 4 to the power of -39."""
    with server.connection() as connection:
        query = {"position": EXAMPLE, "level": "random"}
        answers = [ask(connection, f"{API}/computer-move", **query) for _ in range(40)]
    assert len({json.loads(answer.body)["to"] for answer in answers}) > 1


# Deals


@pytest.mark.parametrize(
    ("endpoint", "query"),
    [
        ("deal", {}),
        ("deal", {"winner": "red"}),
        ("deal", {"winner": "blue"}),
        ("puzzle", {}),
        ("solo/deal", {"difficulty": "easy"}),
        ("big/deal", {}),
    ],
)
def test_what_is_drawn_by_chance_names_its_seed(server: Server, endpoint: str, query: dict[str, str]) -> None:
    first, second = (server.get_json(f"{API}/{endpoint}", **query) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert 0 <= first["seed"] < 2**53
    assert server.get_json(f"{API}/{endpoint}", **query, seed=first["seed"]) == first


# What is wrong


WRONG: list[tuple[str, dict[str, object], str]] = [
    ("computer-move", {"position": EXAMPLE, "seed": "x" * 500}, "seed: "),
    ("deal", {"seed": "9" * 400}, "seed: "),
    ("deal", {"seed": "9" * 5000}, "seed: "),
    ("puzzle/try", {"position": f"{EXAMPLE} a2", "move": "b4"}, "^blue cannot win here: there is no move"),
    ("solo/deal", {"deck": "2333444", "exit": "closed"}, "can be solved"),
]
"""Texts of any length and what cannot be answered; other refusals are recorded in `tests/contract/api/`."""


@pytest.mark.parametrize(("path", "query", "said"), WRONG)
def test_what_is_wrong_is_named(server: Server, path: str, query: dict[str, object], said: str) -> None:
    assert re.search(said, problem(server.get(f"{API}/{path}", **query)))


def test_what_is_not_there_is_named(server: Server) -> None:
    assert problem(server.get(f"{API}/nothing"), 404) == "there is nothing at '/api/v1/nothing'"
    with server.connection() as connection:
        connection.request("POST", f"{API}/deal")
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
    assert problem(answer, 405) == "'POST' is not answered here: use GET"


def test_a_question_may_be_asked_for_its_head_only(server: Server) -> None:
    """HEAD is GET without the body (RFC 9110): whether an address is right can be asked so."""
    path = f"{API}/deal?seed=7"
    expected = server.get(path)
    with server.connection() as connection:
        connection.request("HEAD", path)
        response = connection.getresponse()
        assert response.read() == b""
    assert response.status == expected.status
    assert response.headers["content-type"] == expected.headers["content-type"]


# The census


def until_ready(server: Server) -> Iterator[dict[str, Any]]:
    """What the census says again and again, last that it is ready."""
    patience = time.monotonic() + 5 * HANG_SECONDS
    with server.connection() as connection:
        while time.monotonic() < patience:
            data = valid(models.Census, ask(connection, f"{API}/census"))
            yield data
            if data["state"] != "working":
                return
            time.sleep(0.05)
    pytest.fail("the census does not end")


class Taken:
    """A server that has taken the census, and what was seen meanwhile."""

    def __init__(self, server: Server, cache: Path) -> None:
        self.server = server
        self.folder = cache / "collapsi" / "atlas" / "standard"
        self.statuses: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.meanwhile: list[tuple[Position, Any]] = []

    @property
    def census(self) -> dict[str, Any]:
        """The finished census."""
        return self.statuses[-1]

    def watch(self, rng: random.Random) -> Iterator[int]:
        """Ask other questions until the census is ready; yield after each round how many there were."""
        for data in until_ready(self.server):
            self.statuses.append(data)
            if data["state"] != "working":
                return
            asked = deal(rng)
            answer = self.server.get_json(f"{API}/analysis", position=format_position(asked))
            self.meanwhile.append((asked, answer))
            assert self.server.get_json(f"{API}/game", game=EXAMPLE)["winner"] is None
            if not self.refused:  # at once after it began, so it cannot have ended yet
                self.refused.append(problem(self.server.get(f"{API}/deal", plies=7), 409))
                self.refused.append(problem(self.server.get(f"{API}/census/deal", position=EXAMPLE), 409))
            yield len(self.meanwhile)

    def files(self) -> dict[str, tuple[int, str]]:
        """When each file of the atlas was written, and a hash of what is in it."""
        return {
            path.name: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
            for path in self.folder.iterdir()
        }


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    """Few deals, the first of the recorded games among them."""
    return rows_of(1, also=(parse_position(EXAMPLE),))


@pytest.fixture(scope="module")
def few(server: Server, cache: Path, rows: pl.DataFrame) -> Taken:
    """Few deals in place of all: the census is under way for as long as the test holds the folder."""
    taken = Taken(server, cache)
    with open_writer(taken.folder) as place:
        rounds = taken.watch(random.Random(11))
        for number in rounds:
            if number == 4:
                place.write(rows, facts_of(rows))
                break
    for _ in rounds:
        pass
    return taken


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    """The census of all deals."""
    cache = tmp_path_factory.mktemp("every")
    with running_server(cache) as server:
        taken = Taken(server, cache)
        for _ in taken.watch(random.Random(11)):
            pass
        yield taken


@pytest.fixture(params=["few", pytest.param("every", marks=pytest.mark.slow)])
def taken(request: pytest.FixtureRequest) -> Taken:
    found: Taken = request.getfixturevalue(request.param)
    return found


def test_the_census_is_taken_while_others_are_answered(taken: Taken) -> None:
    states = [data["state"] for data in taken.statuses]
    assert set(states[:-1]) == {"working"}
    assert states[-1] == "ready"
    shares = [data["progress"] for data in taken.statuses]
    assert all(earlier <= later for earlier, later in pairwise(shares))
    assert shares[0] < shares[-1] == 1
    assert len(taken.meanwhile) > 3
    for asked, answer in taken.meanwhile:
        assert answer == analyse(asked).to_json()
    assert len(taken.refused) == 2
    for line in taken.refused:
        assert re.fullmatch(
            r"the census of standard is being taken \(\d+% done\): ask again in a few seconds", line
        )


@pytest.mark.slow
def test_the_census_of_all_deals(every: Taken) -> None:
    """Of a small deck in `tests/test_kept_censuses.py`."""
    assert len({data["progress"] for data in every.statuses}) > 3
    assert (every.census["deals"], every.census["different"]) == (DEALS, DIFFERENT)
    seven = [kind for kind in every.census["kinds"] if kind["plies"] == 7]
    assert sum(kind["deals"] for kind in seven) == SEVEN_PLIES
    assert sum(kind["different"] for kind in seven) == SEVEN_PLIES_DIFFERENT
    rng = random.Random(12)
    for _ in range(15):
        check_deal(every, format_position(deal(rng)))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.none() | st.integers(0, 16),
    st.none() | st.integers(0, 16),
    st.none() | st.sampled_from(["red", "blue"]),
)
def test_a_deal_is_of_the_kind_that_was_asked_for(
    taken: Taken, plies: int | None, winning_moves: int | None, winner: str | None
) -> None:
    wanted = {"plies": plies, "winning_moves": winning_moves, "winner": winner}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    there_is = any(wanted.items() <= kind.items() for kind in taken.census["kinds"])
    answer = taken.server.get(f"{API}/deal", seed=1, **wanted)
    if not there_is:
        assert problem(answer).startswith("there is no deal with")
        return
    analysis = analyse(valid(models.Deal, answer)["position"])
    found = {
        "plies": analysis.plies,
        "winner": str(analysis.winner),
        "winning_moves": sum(move.wins for move in analysis.moves),
    }
    assert wanted.items() <= found.items()


def check_deal(taken: Taken, text: str) -> None:
    """The census says of a deal what the solver says, and counts those of its kind."""
    server, census = taken.server, taken.census
    data = valid(models.DealClass, server.get(f"{API}/census/deal", position=text))
    analysis = analyse(text)
    assert data["asked"] == text
    assert data["winner"] == str(analysis.winner)
    assert (data["plies"], data["score"]) == (analysis.plies, analysis.score)
    assert data["winning_moves"] == sum(move.wins for move in analysis.moves)
    # The representative is the same game turned: the same values on other squares.
    assert sorted(data["first_moves"].values()) == sorted(move.score for move in analysis.moves)
    assert analyse(data["deal"]).score == analysis.score
    assert (data["deals"], data["different"]) == (census["deals"], census["different"])
    length = [kind for kind in census["kinds"] if kind["plies"] == analysis.plies]
    alike = [kind for kind in length if kind["winning_moves"] == data["winning_moves"]]
    for name in ("deals", "different"):
        assert data[f"length_{name}"] == sum(kind[name] for kind in length)
        assert data[f"alike_{name}"] == sum(kind[name] for kind in alike)
    assert data["twins"][0] == text
    assert len(set(data["twins"])) == len(data["twins"])
    for twin in data["twins"][1:]:
        assert server.get_json(f"{API}/census/deal", position=twin)["deal"] == data["deal"]


def test_the_census_knows_every_deal(taken: Taken) -> None:
    shortest = min(kind["plies"] for kind in taken.census["kinds"])
    drawn: list[dict[str, int]] = [{"plies": shortest}, *({"winning_moves": n} for n in (0, 1, 2))]
    for seed in range(16):
        wanted = drawn[seed % len(drawn)]
        check_deal(taken, taken.server.get_json(f"{API}/deal", seed=seed, **wanted)["position"])


def test_a_damaged_census_is_made_again(few: Taken, rows: pl.DataFrame) -> None:
    """Another writer holds the folder meanwhile: the server's job waits for it and takes no census."""
    server = few.server
    (path,) = few.folder.glob("*.parquet")
    deal = rows["deal"][0]
    known = server.get_json(f"{API}/census/deal", position=deal)
    with open_writer(few.folder, force=True) as place:
        content = bytearray(path.read_bytes())
        content[500] ^= 1
        path.write_bytes(content)
        assert server.get_json(f"{API}/census")["state"] == "working"
        for answer in (
            server.get(f"{API}/census/deal", position=deal),
            server.get(f"{API}/deal", plies=11),
        ):
            assert answer.status == 409
            assert str(few.folder.parent).encode() not in answer.body
        assert server.get(f"{API}/deal", seed=1).status == 200
        place.write(rows, facts_of(rows))
    assert list(until_ready(server))[-1] == few.census
    assert server.get_json(f"{API}/census/deal", position=deal) == known
    complaint = f"collapsi: {path} is damaged: its SHA-256 is not the manifest's: it is made again\n"
    assert server.complaints() == complaint


def test_the_next_server_has_the_census_already_and_stops_that_of_others(taken: Taken) -> None:
    before = taken.files()
    assert len(before) == 2
    with running_server(taken.folder.parents[2]) as second:
        statuses = []
        for data in until_ready(second):
            statuses.append(data)
            assert second.census_jobs() == []
        assert statuses[-1] == taken.census
        assert {data["progress"] for data in statuses[:-1]} <= {0}
        assert analyse(second.get_json(f"{API}/deal", plies=13)["position"]).plies == 13
        assert second.get_json(f"{API}/census", rules="joker")["state"] == "working"
        wait_until(second.census_jobs)
        jobs = second.children()
        assert second.stop() in (0, 130)
        assert "Traceback" not in second.complaints()
    assert not any(is_running(job) for job in jobs)
    assert taken.files() == before


@pytest.mark.slow
def test_a_damaged_census_of_all_deals_is_taken_again(every: Taken, tmp_path: Path) -> None:
    """With few deals above."""
    good = every.files()
    shutil.copytree(every.folder.parents[1], tmp_path / "collapsi")
    again = Taken(every.server, tmp_path)
    (rows,) = again.folder.glob("*.parquet")
    content = bytearray(rows.read_bytes())
    content[len(content) // 2] ^= 0xFF
    rows.write_bytes(content)
    with running_server(tmp_path) as server:
        statuses = list(until_ready(server))
    assert statuses[0]["state"] == "working"
    assert statuses[-1] == every.census
    mended = {name: content for name, (_, content) in again.files().items()}
    assert {name for name in mended if name.endswith(".parquet")} == {
        name for name in good if name.endswith(".parquet")
    }
    assert mended[rows.name] == good[rows.name][1]
