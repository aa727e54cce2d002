"""README and manual do what they say: commands are run, links lead somewhere, pictures are the current ones.

The Python examples (`>>>`) are doctests and run by themselves. In `console` blocks every command is run and
must print what stands below it. Commands in `text` blocks take minutes: they are run by the slow tests.
Commands in `sh` blocks have no output to compare with, and some write files or never end: the program must
understand them, options and all. So must those that stand in the text.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from collapsi.cli import load
from collapsi.opponent import Level
from tests.service import HANG_SECONDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
}
README = PAGES["README.md"]


def blocks(kind: str) -> list[tuple[str, str]]:
    """Page and content of every block of a kind."""
    return [
        (page, block)
        for page, text in PAGES.items()
        for block in re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    ]


def examples(kind: str) -> list[Any]:
    """Each command of the blocks of a kind, with the output that the page shows, as a test's parameters."""
    return [
        pytest.param(command, output, id=f"{page}: {command}")
        for page, block in blocks(kind)
        for command, _, output in (
            part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        )
    ]


def outcome(command: str) -> str:
    """What a command prints, on both streams."""
    program, *arguments = shlex.split(command)
    assert program == "collapsi"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(("command", "output"), examples("console"))
def test_commands_print_what_the_page_shows(command: str, output: str) -> None:
    assert outcome(command) == output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "output"), [found for found in examples("text") if "not installed" not in found.values[1]]
)
def test_long_commands_print_what_the_page_shows(command: str, output: str) -> None:
    assert outcome(command).startswith(output)


def test_there_are_examples() -> None:
    assert len(examples("console")) >= 12
    assert len(examples("text")) >= 3
    assert README.count(">>> ") >= 3


def typed() -> set[str]:
    """Every command of ours that a page names, but has not run."""
    lines = [line for _, block in blocks("sh") for line in block.splitlines()]
    lines += [command for text in PAGES.values() for command in re.findall(r"`(collapsi [^`]+)`", text)]
    return {part.partition("  #")[0].strip() for line in lines for part in line.split(" | ")}


PLACEHOLDERS = {"DEAL", "COMMAND", "…"}


@pytest.mark.parametrize("line", sorted(line for line in typed() if line.startswith("collapsi ")))
def test_the_program_understands_every_command(line: str) -> None:
    _, *arguments = shlex.split(line.partition(" > ")[0])
    command: Any = typer.main.get_command(load())
    while hasattr(command, "commands") and arguments and not arguments[0].startswith("-"):
        if arguments[0] in PLACEHOLDERS:
            return
        command = command.commands[arguments.pop(0)]
    if arguments and "--help" not in arguments and not hasattr(command, "commands"):
        command.make_context(command.name, arguments)


def test_every_make_target_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page, text in {**PAGES, "CONTRIBUTING.md": (ROOT / "CONTRIBUTING.md").read_text()}.items():
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE))
        assert named <= targets, page
    assert {"census", "test", "docs", "package", "serve"} <= targets


def test_the_map_names_every_module() -> None:
    package = ROOT / "src" / "collapsi"
    modules = {path.name for path in package.glob("*.py") if not path.name.startswith("__")}
    page = PAGES["docs/map.md"]
    folder_map = page.partition("src/collapsi/\n")[2].partition("tests/")[0]
    assert modules == set(re.findall(r"\w+\.py", folder_map))
    solvers = {path.stem for path in (package / "solve").iterdir() if not path.stem.startswith("__")}
    line = next(line for line in page.splitlines() if "solve/ " in line)
    assert all(solver in line for solver in solvers)


@pytest.mark.parametrize("page", PAGES)
def test_linked_files_exist(page: str) -> None:
    links = re.findall(r"\]\(([^):#]+)(?:#[\w-]*)?\)|src=\"([\w./]+)\"", PAGES[page])
    for link in links:
        assert (ROOT / page).parent.joinpath("".join(link)).exists(), link


def test_the_readme_leads_into_the_manual() -> None:
    assert len(re.findall(r"\]\(docs/[\w-]+\.md\)", README)) >= 12
    assert len(README.splitlines()) <= 100


def test_the_levels_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGES["docs/players.md"], re.MULTILINE)
    assert rows == [(level.value, level.text) for level in Level]


def test_every_extra_is_on_the_page_of_how_to_install() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["docs/install.md"], re.MULTILINE)
    assert set(rows) == set(project["optional-dependencies"])


def test_every_rule_set_is_on_the_page_of_rules() -> None:
    from collapsi.rules import CROWD_RULES, RULE_SETS

    for name in (*RULE_SETS, *CROWD_RULES):
        assert f"`{name}`" in PAGES["docs/rules.md"]


def test_pictures_are_current() -> None:
    sys.path.insert(0, str(DOCS))
    try:
        from pictures import pictures
    finally:
        sys.path.pop(0)
    for name, content in pictures().items():
        assert (DOCS / name).read_text(encoding="utf-8") == content, "run `make pictures`"


def test_one_version_everywhere() -> None:
    import collapsi

    version = re.search(
        r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version is not None
    assert version[1] == collapsi.__version__
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
