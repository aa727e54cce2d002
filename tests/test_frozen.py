"""Compare commands, answers of the API and links of the page with the golden files in `tests/contract/`.

If a change is meant to alter them, `python -m tests.contract.record` writes the files again: review the
difference as part of the change.
"""

from __future__ import annotations

import ast
import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import collapsi
from tests.browser import chromium
from tests.contract import entry, links, running, substitutions
from tests.contract.commands import ATLAS, COMMANDS, DEALS, ENDGAMES, NAMED, RULES, is_slow
from tests.contract.requests import LEVELS, PREFIX, REQUESTS
from tests.fitting import fitting

if TYPE_CHECKING:
    from tests.contract.running import Asked

SLOW_PATHS = [path for path, requests in REQUESTS.items() if any(request.slow for request in requests)]


def compare(path: Path, found: str) -> None:
    """Compare with a golden file, line by line."""
    assert found.splitlines() == path.read_text(encoding="utf-8").splitlines(), (
        f"{path.name} differs: if that is meant, run python -m tests.contract.record"
    )


@cache
def asked(*, slow: bool = False) -> Asked:
    """The answers of the service, asked once for all tests here.

    In a thread: that of the tests may have an event loop already, which drives a browser.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(running.asked, slow=slow).result()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if is_slow(name) else name for name in COMMANDS]
)
def test_a_command_writes_what_it_wrote(name: str) -> None:
    compare(running.command_file(name), running.transcript(name))


def test_the_description_of_the_service_is_as_it_was() -> None:
    compare(running.OPENAPI, asked().openapi)


@pytest.mark.parametrize("path", REQUESTS)
def test_the_service_and_the_static_page_answer_as_they_did(path: str) -> None:
    compare(running.request_file(path), running.comparison(path, asked()))


@pytest.mark.slow
@pytest.mark.parametrize("path", SLOW_PATHS)
def test_the_census_is_as_it_was(path: str) -> None:
    answers = asked(slow=True)
    compare(running.request_file(path, slow=True), running.comparison(path, answers, slow=True))


@pytest.mark.slow
def test_links_show_what_they_showed() -> None:
    if chromium.find() is None:
        (pytest.fail if chromium.required() else pytest.skip)(chromium.ADVICE)
    with ThreadPoolExecutor(1) as thread:
        compare(running.LINKS, thread.submit(links.visits).result())


# The files are complete, and say nothing about a machine


def listed(text: str) -> list[str]:
    """The commands that a help text lists, in panels below the options."""
    return re.findall(r"^│ ([a-z]+) {2,}\S", text.partition("─ Options ─")[2], flags=re.MULTILINE)


def test_every_command_has_a_file() -> None:
    found = []
    for name in listed(entry.run_command("--help").stdout.decode()):
        found += [
            name,
            *(f"{name} {each}" for each in listed(entry.run_command(name, "--help").stdout.decode())),
        ]
    recorded = sorted(name for name in COMMANDS if not is_slow(name) and name != "collapsi")
    assert sorted(found) == recorded, "COMMANDS of tests/contract/commands.py has samples of each command"


def test_every_question_has_a_sample_that_is_answered() -> None:
    assert sorted(REQUESTS) == sorted(entry.PATHS), "REQUESTS of tests/contract/requests.py has all paths"
    for path in entry.PATHS:
        recorded = json.loads(running.request_file(path).read_text(encoding="utf-8"))["requests"]
        statuses = {answer["status"] for each in recorded for answer in each.values() if "status" in answer}
        assert 200 in statuses, path


@pytest.mark.parametrize("path", REQUESTS)
def test_recorded_answers_fit_the_declared_type(path: str) -> None:
    """And so do real ones, which are compared with them above."""
    shape = entry.answer_type(path)
    for file in (running.request_file(path), running.request_file(path, slow=True)):
        requests = json.loads(file.read_text(encoding="utf-8"))["requests"] if file.exists() else []
        for answer in (answer for each in requests for answer in each.values() if "status" in answer):
            lines = answer["body"] if answer["media"] == running.STREAM else [answer["body"]]
            if answer["status"] == 200 and answer["media"] != "image/svg+xml":
                assert all(fitting(shape, measured(line)) for line in lines)


def measured(line: Any) -> Any:
    """A recorded line with numbers in place of what was not recorded."""
    text = json.dumps(line)
    for name in substitutions.MEASURED.values():
        text = text.replace(json.dumps(name), "1")
    return json.loads(text)


def test_every_path_of_the_service_has_a_file() -> None:
    paths = json.loads(running.OPENAPI.read_text(encoding="utf-8"))["paths"]
    assert sorted(paths) == sorted(f"{PREFIX}/{path}" for path in REQUESTS)


def test_every_rule_set_is_asked_for() -> None:
    offered = json.loads(entry.ask_site("about", "")[2])
    names = [rules["name"] for rules in (*offered["rules"], *offered["big"]["rules"])]
    assert names == list(NAMED), "NAMED of tests/contract/commands.py has all rule sets, in this order"
    for positions in (DEALS, ENDGAMES):
        assert set(positions) == set(RULES), "tests/contract/commands.py has a deal and an endgame of each"


def test_every_level_is_asked_for() -> None:
    levels = {level["value"] for level in json.loads(entry.ask_site("about", "")[2])["levels"]}
    assert levels == set(LEVELS), "LEVELS of tests/contract/requests.py has all levels"


def test_every_view_has_a_link() -> None:
    visited = {state.get("view", "play") for state in links.LINKS}
    shown = set(re.findall(r"^  view: (.+)$", running.LINKS.read_text(encoding="utf-8"), flags=re.MULTILINE))
    page = (Path(collapsi.__file__).parent / "page" / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'data-view="\w+">(\w+)<', page)) < shown
    assert len(visited - {"nonsense"}) == 12


def test_no_golden_file_is_left_over() -> None:
    files = {running.command_file(name) for name in COMMANDS} | {running.OPENAPI}
    files |= {running.request_file(path) for path in REQUESTS}
    files |= {running.request_file(path, slow=True) for path in SLOW_PATHS}
    assert {*running.CLI.iterdir(), *running.API.iterdir()} == files


def test_the_small_atlas_can_be_written_again(tmp_path: Path) -> None:
    """With the same rows; newer columns are added."""
    kept = collapsi.Atlas(running.HERE / ATLAS).frame
    written = entry.write_small_atlas(tmp_path).frame
    assert written.select(kept.columns).rows() == kept.rows()


def test_golden_files_name_no_machine() -> None:
    told = re.compile(r"/(?:home|root|tmp|work|usr|var|Users)/|\.venv|site-packages|localhost|:\d{4,5}/")
    for path in (*running.CLI.iterdir(), *running.API.iterdir(), running.LINKS):
        assert not told.findall(path.read_text(encoding="utf-8")), path.name


def test_only_one_file_of_the_contract_imports_the_program() -> None:
    importing = []
    for path in sorted(running.HERE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if any(name.split(".")[0] == "collapsi" for name in names):
                importing.append(path.name)
    assert set(importing) == {"entry.py"}
