"""The static page: the files of its folder, its answers, and its stored census."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

import collapsi
from collapsi import Player, parse_position
from collapsi.api.question import LINES
from collapsi.api.questions import QUESTIONS
from collapsi.census.lengths import take_census
from collapsi.core.errors import AtlasError, CollapsiError
from collapsi.games.big.solver import BigSolver
from collapsi.games.classic import search
from collapsi.games.classic.rules import CLASSIC_RULE_SETS
from collapsi.games.registry import use_backend
from collapsi.play.analysis import analyse_many
from collapsi.site import answering, build, examples, kernels, publish, pyodide, wasm
from collapsi.site.modules import PACKAGE, modules
from collapsi.system.extras import MissingExtraError
from collapsi.system.files import cache_folder
from tests.contract.commands import DEALS
from tests.contract.requests import REQUESTS
from tests.rule_sets import FOR_TWO
from tests.service import HANG_SECONDS
from tests.site_folder import made
from tests.typed import ok, refused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EXAMPLE = "A223/4A2Jr/3A23/Jb3A4 r"
SOLO = "A2X/3Jr2/A2A b1"
CACHED = cache_folder() / "site" / f"pyodide-{pyodide.VERSION}"
"""The files of Pyodide as they are, once a page was made."""
BIG = "..A.../..3.../..A.../.2rA.../..2b.../...... r big"


def last_known(lines: Iterable[str]) -> dict[str, Any]:
    """The last answer of those that get better, without how much was looked at; it is complete."""
    *_, last, end = map(json.loads, lines)
    assert (end["kind"], end["why"]) == ("end", "done")
    return {name: said for name, said in last["answer"].items() if name != "nodes"}


def test_answers_that_get_better_come_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    query = urlencode({"position": BIG})
    assert answering.answer("big/analysis", query) == (200, LINES, "")
    exact: dict[str, Any] = {**collapsi.analyse(BIG).to_json()}
    del exact["nodes"]
    assert last_known(answering.lines("big/analysis", query)) == exact
    reviewed = last_known(answering.lines("big/review", urlencode({"game": f"{BIG} c3"})))
    assert [move["move"] for move in reviewed["moves"]] == ["c3"]

    def full(*_: object, **__: object) -> None:
        raise CollapsiError

    monkeypatch.setattr(BigSolver, "answers", full)
    (end,) = map(json.loads, answering.lines("big/analysis", query))
    assert (end["kind"], end["why"]) == ("end", "stopped")


def test_what_is_not_there_is_said_in_one_line() -> None:
    status, _, text = answering.answer("nothing", "")
    assert (status, json.loads(text)) == (422, {"detail": "there is nothing at 'nothing'"})


def test_what_would_take_minutes_in_the_browser_is_refused() -> None:
    query = urlencode({"position": "A223/4A2Jr/3A23/Jb3A4 r shift-rotate"})
    endgame = urlencode({"position": "..../.2r2./.Ab3./.2.. r shift-rotate"})
    try:
        assert "made without the compiled solver" in answering.start(None)
        status, _, text = answering.answer("analysis", query)
        assert (status, "about 6 minutes: where collapsi is installed" in text) == (422, True)
        assert answering.answer("analysis", endgame)[0] == 200
        classic = urlencode({"position": EXAMPLE})
        assert json.loads(answering.answer("analysis", classic)[2]) == collapsi.analyse(EXAMPLE).to_json()
    finally:
        use_backend(None)


# The census


@pytest.mark.parametrize("name", CLASSIC_RULE_SETS)
def test_every_kind_has_examples_of_it(name: str) -> None:
    counted = examples.ready(name)
    rng = random.Random(1)
    deals, wanted = [], []
    for kind, packed in zip(counted.kinds, counted._examples, strict=True):
        each = [packed[start : start + 8] for start in range(0, len(packed), 8)]
        assert len(each) == len(set(each)) == min(100, kind["different"])
        for text in rng.sample(each, min(8, len(each))):
            deals.append(examples.unpack(text, counted.rules))
            assert examples.pack(deals[-1]) == text
            wanted.append((kind["winner"], kind["plies"], kind["winning_moves"]))
    found = [
        (str(solved.winner), solved.plies, sum(move.winner is Player.RED for move in solved.moves))
        for solved in analyse_many(deals)
    ]
    assert found == wanted
    status = examples.status(name)
    assert (status["deals"], status["different"]) == (47_297_250, 1_982_769)


def test_a_deal_of_a_kind_is_one() -> None:
    counted = examples.ready("standard")
    for seed in range(5):
        deal = counted.draw(random.Random(seed), plies=7, winner="red")
        found = counted.find(deal)
        assert (found["plies"], found["winner"]) == (7, "red")
    assert len({counted.draw(random.Random(seed), winning_moves=1).text for seed in range(9)}) == 9
    with pytest.raises(AtlasError, match="there is no deal with plies 2, winner red"):
        counted.draw(random.Random(1), plies=2, winner="red")
    with pytest.raises(AtlasError, match="is not a whole deal: some cards have collapsed"):
        counted.find(parse_position(EXAMPLE).play(parse_position(EXAMPLE).moves[0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIC_RULE_SETS)
def test_the_kept_census_is_the_census(name: str, tmp_path: Path) -> None:
    from collapsi.census.atlas import write_atlas
    from collapsi.site import sampling

    atlas = write_atlas(tmp_path, take_census(FOR_TWO[name]))
    for seed in range(50):
        dealt = collapsi.deal(random.Random(seed), FOR_TWO[name])
        assert examples.ready(name).find(dealt) == atlas.find(dealt).to_json()
    assert sampling.sample(atlas) == json.loads(examples.FILE.read_text(encoding="utf-8"))[name]


# The folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> build.Site:
    """The page."""
    return made(tmp_path_factory.mktemp("site") / "page")


def names(folder: Path) -> set[str]:
    """The files of a page, by their addresses."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return found - {publish.MANIFEST}


def assets(folder: Path) -> Path:
    """The folder with all but the page itself and its service worker."""
    (found,) = folder.glob("collapsi-*")
    return found


def test_the_folder_is_small_and_asks_nobody_else(site: build.Site) -> None:
    assert len(names(site.folder)) == site.files <= 200
    assert sum((site.folder / name).stat().st_size for name in names(site.folder)) == site.size
    assert {name for name in names(site.folder) if "/" not in name} == {"index.html", "offline.js"}
    assert site.size <= 20_000_000
    page = (site.folder / "index.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="(.*?)">', page)
    assert "worker-src 'self'" in policy
    assert "'wasm-unsafe-eval'" in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    assert "api/v1" not in page
    assert not re.search(r'(?:src|link[^>]* href)="(?:https?:)?//', page)
    for loaded in re.findall(r'<(?:script|link)[^>]*(?:src|href)="(.*?)"', page):
        assert loaded in names(site.folder)


def test_what_is_kept_for_offline_is_all_there_is(site: build.Site) -> None:
    text = (site.folder / "offline.js").read_text(encoding="utf-8")
    (listed,) = re.findall(r'^const FILES = "(.*)";$', text, re.MULTILINE)
    assert set(listed.split()) == {"./", *names(site.folder)} - {"offline.js"}
    assert re.search(
        rf'^const VERSION = "{re.escape(collapsi.__version__)}-[0-9a-f]{{12}}";$', text, re.MULTILINE
    )
    manifest = json.loads((assets(site.folder) / "manifest.webmanifest").read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        assert icon["src"] in names(assets(site.folder))
    assert (manifest["start_url"], manifest["scope"]) == ("..", "..")  # the page, from the folder of assets


def test_the_same_files_make_the_same_page_and_others_another_version(
    site: build.Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = build.build(tmp_path / "again")
    for name in names(site.folder):
        assert (site.folder / name).read_bytes() == (again.folder / name).read_bytes()
    monkeypatch.setattr(build, "FIRST_DEALS", 3)
    build.build(again.folder)  # in place of what was there
    offline = [(each / "offline.js").read_text(encoding="utf-8") for each in (site.folder, again.folder)]
    assert offline[0] != offline[1]
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def test_what_the_page_is_told_first_is_what_it_would_be_answered() -> None:
    kept: Any = json.loads(build.first_answers(build.FIRST_DEALS))
    for asked, said in kept["answers"].items():
        path, _, query = asked.partition("?")
        if path == "computer-move":
            position = parse_position(said["position"])
            assert said["to"] in map(position.board.square, position.moves)
        else:
            assert said == json.loads(answering.answer(path, query)[2])
    levels = [level["value"] for level in kept["answers"]["about?"]["levels"]]
    for deal in kept["deals"]:
        position = parse_position(deal["position"])
        for move in position.moves:
            for level in levels:
                query = urlencode({"position": position.play(move).text, "level": level})
                reply = kept["answers"][f"computer-move?{query}"]["move"]
                game = f"{position.text} {position.board.square(move)} {reply}"
                assert f"game?{urlencode({'game': game})}" in kept["answers"]


def test_python_comes_packed_and_the_first_part_of_its_library_first(site: build.Site) -> None:
    folder = assets(site.folder) / "pyodide"
    original = pyodide.contents()
    for name in pyodide.PACKED:
        assert gzip.decompress((folder / f"{name}{pyodide.SUFFIX}").read_bytes()) == original[name]
    with (
        zipfile.ZipFile(folder / pyodide.FIRST_STDLIB) as first,
        zipfile.ZipFile(folder / pyodide.STDLIB) as whole,
    ):
        assert set(first.namelist()) < set(whole.namelist())
        assert all(first.read(name) == whole.read(name) for name in first.namelist())
    worker = (assets(site.folder) / "worker.js").read_text(encoding="utf-8")
    (total,) = re.findall(r'^const TOTAL = Number\("(\d+)"\);', worker, re.MULTILINE)
    later = (folder / pyodide.STDLIB).stat().st_size
    loaded = sum(path.stat().st_size for path in folder.iterdir()) - later
    others = (assets(site.folder) / name for name in ("collapsi.zip", "kernels.wasm"))
    assert int(total) == loaded + sum(path.stat().st_size for path in others)


def test_the_library_in_it_answers_everything_by_itself(site: build.Site, tmp_path: Path) -> None:
    """Unpacked alone, without anything that is installed, it says what it says here, and uses all of it."""
    assert set(REQUESTS) == set(QUESTIONS)
    for archive in ("collapsi.zip", "tables.zip"):
        with zipfile.ZipFile(assets(site.folder) / archive) as packed:
            packed.extractall(tmp_path)
    queries = [
        (path, urlencode(request.query)) for path, some in REQUESTS.items() for request in (some[0], some[-1])
    ]
    queries.append(("game", urlencode({"game": DEALS["shift"]})))
    code = f"""
import json, sys
sys.path.insert(0, {str(tmp_path)!r})
from collapsi.site import answering
answering.start(None)
print(json.dumps([answering.answer(path, query) for path, query in {queries!r}]))
for path, query in {queries!r}:
    if answering.answer(path, query)[1].endswith("ndjson"):
        next(answering.lines(path, query))
print(" ".join(name for name in sys.modules if name.partition(".")[0] == "collapsi"))
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_SECONDS)
    assert done.returncode == 0, done.stderr
    answers, imported = done.stdout.splitlines()
    for query, said in zip(queries, json.loads(answers), strict=True):
        assert tuple(said) == answering.answer(*query), query
    assert {said[0] for said in json.loads(answers)} == {200, 422}
    shipped = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.py")}
    assert shipped == {path.relative_to(PACKAGE.parent) for path in modules().values()}
    assert set(modules()) <= set(imported.split())


def test_the_command_writes_it_and_refuses_what_is_not_its_own(site: build.Site, tmp_path: Path) -> None:
    assert f"{site.files} files" in ok("site", "--out", str(tmp_path / "page"))
    (tmp_path / "mine.txt").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine", encoding="utf-8")
    said = refused("site", "--out", str(tmp_path / "mine"))
    assert f"{tmp_path / 'mine' / 'index.html'} is in the way and not from an earlier run" in said
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["index.html"]
    assert "is a file" in refused("site", "--out", str(tmp_path / "mine.txt"))
    assert "cannot write to" in refused("site", "--out", "/proc/nowhere/page")
    shutil.copytree(CACHED, tmp_path / "damaged")
    (tmp_path / "damaged" / "pyodide.mjs").write_text("no", encoding="utf-8")
    said = refused("site", "--out", str(tmp_path / "new"), "--pyodide", str(tmp_path / "damaged"))
    assert f"is not that of Pyodide {pyodide.VERSION}" in said
    assert "cannot read" in refused("site", "--out", str(tmp_path / "new"), "--pyodide", str(tmp_path))
    assert not (tmp_path / "new").exists()


def test_without_npm_or_a_network_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(CollapsiError, match="there is no npm to download it: install npm"):
        build.build(tmp_path / "page")
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    with pytest.raises(CollapsiError, match=f"Pyodide {pyodide.VERSION} could not be downloaded: "):
        build.build(tmp_path / "page")


def test_without_the_compiler_the_page_is_made_and_it_is_said(
    site: build.Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from collapsi import cli

    def none() -> bytes:
        raise MissingExtraError

    monkeypatch.setattr(wasm, "module", none)
    assert cli.run(["site", "--out", str(tmp_path / "page"), "--pyodide", str(CACHED)]) == 0
    assert 'pip install "collapsi[site]"' in capsys.readouterr().err
    without, with_it = names(assets(tmp_path / "page")), names(assets(site.folder))
    assert with_it - without == {"kernels.wasm"}


@pytest.mark.usefixtures("site")  # after it the files of Pyodide are in the cache folder
def test_a_damaged_package_from_npm_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def packed(names: list[str], wrong: str | None = None) -> bytes:
        with tarfile.open(tmp_path / "package.tgz", "w:gz", compresslevel=1) as package:
            for name in names:
                package.add(CACHED / name, f"package/{name}")
            if wrong:
                package.add(__file__, f"package/{wrong}")
        return (tmp_path / "package.tgz").read_bytes()

    names = list(pyodide.FILES)
    good, given, npm = packed(names), tmp_path / "given.tgz", tmp_path / "npm"
    npm.write_text(f'#!/bin/sh\ncp "{given}" "$4/pyodide.tgz"\n', encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda _: str(npm))
    cut = good[: len(good) // 2]
    for damaged in (b"", b"no archive", packed(names, wrong=names[0]), packed(names[:2]), cut):
        given.write_bytes(damaged)
        said = refused("site", "--out", str(tmp_path / "page"))
        assert "is damaged: run npm cache clean --force" in said
        assert not (tmp_path / "page").exists()
    given.write_bytes(good)
    assert set(pyodide.contents()) == set(pyodide.FILES)


def test_interpreted_forms_are_those_of_the_library() -> None:
    position = parse_position(EXAMPLE)
    assert kernels.Interpreted().solve(position) == search.solve(position)
