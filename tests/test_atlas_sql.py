"""`atlas sql` reads only the table `deals`; it answers as Polars does, or with one line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from collapsi import cli
from collapsi.census import atlas_query
from collapsi.census.atlas_query import MOST_CHARACTERS
from collapsi.core.errors import AtlasError
from tests.service import HANG_SECONDS, children_of, is_running, wait_until
from tests.small_atlas import rows_of, write_rows
from tests.test_cli import COLLAPSI
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collapsi import Atlas

SECRET = "sesame"


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    return write_rows(tmp_path_factory.mktemp("atlas"), rows_of(2, 300))


ORDINARY = [
    "select plies, sum(weight) as deals from deals group by plies order by plies",
    "SELECT count(*) FROM deals WHERE winner = 'red';",
    "select count(*) from deals ; -- that is all",
    "select /* which? */ min(deal) -- the first\nfrom deals",
    "select count(*) from DEALS",
    'select "plies" from "deals" order by "plies" limit 3',
    "select d.plies, e.score from deals d join deals as e on d.deal = e.deal order by d.deal limit 5",
    "select count(*) from deals a, deals b where a.numbering = b.numbering",
    "select count(*) from deals a left join deals b using (distance, numbering)",
    "with s as (select * from deals where plies < 11), t as (select * from s) select count(*) from s, t",
    "with t (a) as (select plies from deals) select max(a) from t",
    'with "My Table" as (select plies from deals) select max(plies) from "My Table"',
    "select max(n) from (select plies, count(*) as n from deals group by plies) as t",
    "select count(*) from (deals)",
    "select plies from deals where score = (select max(score) from deals) order by deal limit 1",
    "select count(*) from deals where plies in (select min(plies) from deals)",
    "select count(*) from deals where plies in (7, 9, 11) and winner in ('red', 'blue')",
    "select deal, row_number() over (partition by plies order by deal) as n from deals order by deal limit 4",
    "select sum(weight) over (order by deal) as s from deals order by deal limit 4",
    "select plies, count(*) as n from deals group by plies having n > 5 order by n, plies limit 2 offset 1",
    "select distinct winner from deals order by winner",
    "select plies from deals where plies = 9 union select plies from deals where plies = 11 order by plies",
    "select 'read_csv(''/etc/passwd'')' as a, 'from x, y' as b, 'it''s -- text' as c, '/* and this */' as d",
    "select deal from deals where deal like '%from read_csv%' or deal like 'Jr%' order by deal limit 2",
    "select count(*) from deals where regexp_like(deal, '^Jr\\d')",
    "select case when plies < 10 then 'a' else 'b' end as c, count(*) as n from deals group by c order by n",
    "select cast(avg(score) as int) as a, plies::double / 2 as b from deals group by plies order by b",
    "select count(*) from deals where plies is distinct from 11",
    "select count(*) from deals where to_b1 is not distinct from null",
    "select extract(year from date '2020-03-01') as y, substring('abcdef' from 2) as s",
    "select count(*) from deals where plies between 7 and 10 or not (winner = 'blue')",
    "select x from unnest([1, 2, 3]) as t(x) order by x",
    "select array_agg(plies) as a from deals where plies = 9",
    "select * exclude (deal) from deals order by numbering, distance limit 2",
    "select x'00ff' as b, 1.5e3 as n, .5 as h, -1 as m, 'ä' as ä",
    "select count(*)from deals where winner='red'and plies>8",
    "select min(a.deal) from deals a cross join (select max(plies) as p from deals) b where a.plies = b.p",
    "select 1 as one from (values (1, 2), (3, 4)) as t(a, b)",
]


ANSWERS = """
import json, sys
from pathlib import Path
from collapsi.census import atlas_query
from collapsi.core.errors import AtlasError

def answer(query):
    try:
        atlas_query._check(query)
        found = atlas_query._answer(Path(sys.argv[1]), query)
        return f"{found.schema} {found.rows()}"
    except AtlasError as error:
        return str(error)

print(json.dumps([answer(query) for query in json.load(sys.stdin)]))
"""
ONE_LINE = r"^SQL: [^\n]+\Z"


def answers(atlas: Atlas, queries: list[str]) -> dict[str, str]:
    """The answers, all by one process as one that `Atlas.sql` starts: to save time."""
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS, str(atlas.folder)],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG_SECONDS,
    )
    return dict(zip(queries, json.loads(done.stdout), strict=True))


def test_ordinary_queries_are_answered_as_polars_does(atlas: Atlas) -> None:
    for query, answer in answers(atlas, ORDINARY).items():
        plain = pl.SQLContext(deals=atlas.frame).execute(query.partition(";")[0], eager=True)
        assert answer == f"{plain.schema} {plain.rows()}", query
    for query in ORDINARY[::15]:  # and as a user asks
        plain = pl.SQLContext(deals=atlas.frame).execute(query.partition(";")[0], eager=True)
        assert atlas.sql(query).equals(plain)


FOREIGN = [
    "select * from read_csv('{}')",
    "select * from READ_CSV('{}')",
    "select * from Read_Csv ( '{}' )",
    "select * from \"read_csv\"('{}')",
    "select * from \"Read_CSV\" ('{}')",
    "select * from `read_csv`('{}')",
    "select * from read_csv/* */('{}')",
    "select * from /* */ read_csv -- \n ('{}')",
    "select * from read_csv\r('{}')",
    "select 1 -- \r from read_csv('{}')",
    "select /* /* */ * from read_csv('{}') -- */ 1",
    "select * from deals, read_csv('{}')",
    "select * from deals d, read_csv('{}') e",
    "select * from deals join read_csv('{}') as x on true",
    "select * from deals cross join read_csv('{}')",
    "select * from deals cross apply read_csv('{}')",
    "select * from deals, lateral read_csv('{}')",
    "select * from (read_csv('{}'))",
    "select * from ((deals join read_csv('{}') on true))",
    "select * from (select * from read_csv('{}')) as x",
    "select (select secret from read_csv('{}'))",
    "select * from deals where plies in (select secret from read_csv('{}'))",
    "select plies from deals union all select secret from read_csv('{}')",
    "select plies from deals group by plies, plies having true union select secret from read_csv('{}')",
    "with x as (select * from read_csv('{}')) select * from x",
    "with read_csv as (select 1) select * from read_csv('{}')",
    "with x as (select 1) select * from x, read_csv('{}')",
    "select extract(year from (select secret from read_csv('{}')))",
    "select substring((select secret from read_csv('{}')) from 1)",
    "select 1 is distinct from (select secret from read_csv('{}'))",
    "select * from scan_csv('{}')",
    "select * from read_parquet('{}')",
    "select * from read_json('{}')",
    "select * from read_ipc('{}')",
    "select * from read_anything('{}')",
    "select * from glob('{}')",
    "select * from table(read_csv('{}'))",
    "select * from '{}'",
    'select * from "{}"',
    "select * from deals, '{}'",
    'select 1 union table "{}"',
    "select 'a\\' , ' from deals union select secret from read_csv(\\'{}\\') --'",
    "select E'\\' ' from read_csv('{}') --'",
    "select $$ $$ from read_csv('{}')",
    "select * from deals\u00a0, read_csv('{}')",
    "from read_csv('{}') select *",
    "select * from deals; select * from read_csv('{}')",
    "create table x as select * from read_csv('{}')",
    "with x as (select 1) insert into deals select * from read_csv('{}')",
    "explain select * from read_csv('{}')",
]


@pytest.fixture
def foreign(tmp_path: Path) -> list[str]:
    """Queries that name a file."""
    file = tmp_path / "secret.csv"
    file.write_text(f"secret\n{SECRET}\n")
    return [query.replace("{}", str(file)) for query in FOREIGN]


def test_nothing_else_is_seen(atlas: Atlas, foreign: list[str]) -> None:
    refusals = 0
    for query, answer in answers(atlas, foreign).items():
        assert SECRET not in answer, query
        refusals += bool(re.match(ONE_LINE, answer))
    assert refusals > len(foreign) // 2
    for query in foreign[::24]:  # and as a user asks
        with pytest.raises(AtlasError, match=ONE_LINE):
            atlas.sql(query)


@pytest.mark.skipif(sys.platform == "win32", reason="the plan is looked at there")
def test_without_the_systems_help_nothing_else_is_seen(
    atlas: Atlas, foreign: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a process cannot be kept from opening files."""

    @contextmanager
    def not_enforced() -> Iterator[bool]:
        yield False

    monkeypatch.setattr(atlas_query, "_no_files", not_enforced)
    for query in foreign:
        try:
            answer = str(atlas_query._answer(atlas.folder, query).rows())
        except AtlasError:
            continue
        assert SECRET not in answer, query
    assert atlas_query._answer(atlas.folder, ORDINARY[0]).equals(atlas.sql(ORDINARY[0]))


def test_the_file_is_there_to_be_read(foreign: list[str]) -> None:
    """What is refused above would be answered by Polars: the refusals are not of queries that do nothing."""
    found = pl.SQLContext(deals=pl.DataFrame({"plies": [7]})).execute(foreign[0], eager=True)
    assert found.item() == SECRET


@pytest.mark.parametrize(
    ("term", "count"),
    [
        ("1+", 4_000),
        ("(", 4_000),
        *(
            pytest.param(term, 4_000, marks=pytest.mark.slow)
            for term in ("'a'||", "not ", "case when true then ")
        ),
        *(pytest.param(term, 150, marks=pytest.mark.slow) for term in ("1+", "'a'||", "not ", "(")),
    ],
)
def test_a_deep_query_is_answered_or_one_line(
    atlas: Atlas, term: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atlas_query, "MOST_SECONDS", 1)  # Polars takes minutes to plan some of them
    count = min(count, (MOST_CHARACTERS - 30) // len(term))
    try:
        atlas.sql("select " + term * count + "1 from deals limit 1")
    except AtlasError as error:
        assert re.match(ONE_LINE, str(error))  # noqa: PT017


def test_large_queries(atlas: Atlas) -> None:
    many = ", ".join(f"sum(case when plies = {i} then weight else 0 end) as n{i}" for i in range(200))
    assert atlas.sql(f"select {many} from deals").width == 200
    numbers = ", ".join(map(str, range(2000)))
    assert atlas.sql(f"select count(*) from deals where plies in ({numbers})").item() == len(atlas.frame)
    with pytest.raises(AtlasError, match=f"at most {MOST_CHARACTERS:,} characters"):
        atlas.sql("select 1 " + " " * MOST_CHARACTERS)


NO_QUERIES = [
    *("", " ", ";", "delete from deals", "show tables", "drop table deals", "select", "select 1)"),
    *("select '", 'select "', "select 1 from", "select * from deals where", "select /*", "select #"),
    *("select {}", "select 1; select 2", "select 1; drop table deals", "explain select 1"),
    *("with x as (select 1) delete from deals", "select 1 as a into x from deals"),
    *("with x as (select 1) insert into deals select * from x", "create table x (a int)"),
]


def test_what_is_no_query_is_one_line(atlas: Atlas) -> None:
    for query, answer in answers(atlas, NO_QUERIES).items():
        assert re.match(ONE_LINE, answer), query
    for query in (*NO_QUERIES[::11], "select \udcff", "select '\udcff'"):  # and as a user asks
        with pytest.raises(AtlasError, match=ONE_LINE):
            atlas.sql(query)


def test_the_command(atlas: Atlas) -> None:
    folder = ("--atlas", str(atlas.folder))
    query = "select x'00ff' as a, array_agg(x'0a') as b, null as c, 'x' as d"
    assert json.loads(ok("atlas", "sql", query, "--json", *folder)) == {
        "a": "00ff",
        "b": ["0a"],
        "c": None,
        "d": "x",
    }
    assert ok("atlas", "sql", query, *folder) == "a\tb\tc\td\n00ff\t['0a']\t\tx\n"
    assert "the only table is deals" in refused(
        "atlas", "sql", "select * from read_csv('/etc/passwd')", *folder
    )
    assert "characters" in refused("atlas", "sql", "select " + "1+" * 20_000 + "1", *folder)


def test_a_panic_of_polars_is_one_line(atlas: Atlas) -> None:
    """Polars panics at `greatest()`; one that only refuses it says one line as well."""
    said = refused("atlas", "sql", "select greatest() from deals", "--atlas", str(atlas.folder))
    assert said.startswith("collapsi: SQL: ")


LARGE = {
    "cross": "select a.deal from deals a, deals b, deals c, deals d",
    "equal": "select a.plies from deals a join deals b using (weight) join deals c using (weight) "
    "join deals d using (weight) order by a.plies",
    "doubled": "with a as (select * from deals x, deals y), b as (select * from a union all select * from a),"
    " c as (select * from b union all select * from b), d as (select * from c union all select * from c),"
    " e as (select * from d union all select * from d), f as (select * from e union all select * from e) "
    "select * from f union all select * from f",
}


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not hold a process to its limit")
@pytest.mark.parametrize("query", LARGE.values(), ids=LARGE)
def test_what_would_take_all_memory_is_one_line(
    atlas: Atlas, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], query: str
) -> None:
    monkeypatch.setattr(atlas_query, "MOST_BYTES", 800_000_000)
    monkeypatch.setattr(atlas_query, "available_bytes", lambda: None)
    monkeypatch.setattr(atlas_query, "MOST_SECONDS", HANG_SECONDS)
    assert cli.run(["atlas", "sql", query, "--atlas", str(atlas.folder)]) == 2
    assert capfd.readouterr() == ("", "collapsi: SQL: the answer takes more than 0.8 GB of memory\n")


ENDLESS = (
    "select count(*) from deals a, deals b, deals c, deals d, deals e "
    "where a.plies + b.plies + c.plies + d.plies + e.plies < 0"
)
"""Hours of work, in little memory."""


def test_a_query_that_takes_too_long_is_one_line(atlas: Atlas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atlas_query, "MOST_SECONDS", 1)
    said = refused("atlas", "sql", ENDLESS, "--atlas", str(atlas.folder))
    assert said == "collapsi: SQL: the query takes more than 1 seconds: select less, for example with WHERE\n"


@contextmanager
def answering_process(atlas: Atlas, seconds: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that works on an endless query."""
    question = {"folder": str(atlas.folder), "query": ENDLESS, "bytes": 10**9, "seconds": seconds}
    with subprocess.Popen(
        [sys.executable, "-m", "collapsi.census.atlas_query"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
        yield process


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not limit the time of a process")
def test_the_system_ends_a_query_too(atlas: Atlas) -> None:
    with answering_process(atlas, seconds=1) as process:
        assert process.wait(HANG_SECONDS) == -signal.SIGXCPU


def test_a_query_ends_with_the_process_that_asked(atlas: Atlas) -> None:
    with answering_process(atlas, seconds=10**6) as process:
        assert process.communicate(timeout=HANG_SECONDS)[0] == b""
    assert process.returncode == atlas_query.TOO_MUCH


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell the children of a process")
def test_ctrl_c_ends_both_processes(atlas: Atlas) -> None:
    command = [*COLLAPSI, "atlas", "sql", ENDLESS, "--atlas", str(atlas.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asking:
        wait_until(lambda: children_of(asking.pid, b"atlas_query"))
        (answering,) = children_of(asking.pid, b"atlas_query")
        stat = Path(f"/proc/{answering}/stat")
        wait_until(lambda: int(stat.read_text().split()[13]) >= 20)  # ticks: the asking process waits now
        asking.send_signal(signal.SIGINT)
        assert asking.communicate(timeout=HANG_SECONDS) == (b"", b"")
    assert asking.returncode == 130
    wait_until(lambda: not is_running(answering))


def test_find_with_odd_numbers(atlas: Atlas) -> None:
    folder = ("--atlas", str(atlas.folder), "--json")
    all_rows = ok("atlas", "find", "--limit", "9" * 20, *folder)
    assert all_rows.count("\n") == len(atlas.frame)
    assert ok("atlas", "find", "--plies", "-1", *folder) == ""
    assert ok("atlas", "find", "--plies", "9" * 20, *folder) == ""
    assert "too large" in refused("atlas", "find", "--plies", "9" * 60, *folder)
