"""README and manual are up to date: commands are run, links resolve, pictures are current.

The Python examples (`>>>`) are doctests and run by themselves. In `console` blocks every command is run and
must print what stands below it. Commands in `text` blocks take minutes: they are run by the slow tests.
Commands in `sh` blocks have no output to compare with, and some write files or never end: the program must
understand them, options and all. So must those that stand in the text.

Figures in tables and in prose are compared with a command's output where the page says so in a comment:

    <!-- from: collapsi ladder --neighbours --games 4000 --seed 1 -->

By itself before a table it means: the rows of the table are rows that the command prints, in the same order,
with the same first columns. At the end of a paragraph or list item it means: the command prints every figure
of it. A figure may be rounded. The slow tests run these commands, in a folder with the census as `atlas`.
Tables of figures without such a comment are listed below with the reason (`UNCHECKED`).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from collapsi.cli import load
from collapsi.games.levels import Level
from collapsi.games.registry import rule_sets
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
    """What a command prints, on both streams; how far long work is, it prints by the clock: left out."""
    program, *arguments = shlex.split(command)
    assert program == "collapsi"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    return done.stdout + re.sub(r"^collapsi: \d+ of \d+ parts, .*\n", "", done.stderr, flags=re.MULTILINE)


LONG = ("collapsi study shift-box --deals 500 --seed 7",)
"""Commands of `console` blocks that take seconds: they run with the slow tests."""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param(*found.values, id=found.id, marks=[pytest.mark.slow] * (found.values[0] in LONG))
        for found in examples("console")
    ],
)
def test_commands_print_what_the_page_shows(command: str, output: str) -> None:
    assert outcome(command) == output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "output"), [found for found in examples("text") if "not installed" not in found.values[1]]
)
def test_long_commands_print_what_the_page_shows(command: str, output: str) -> None:
    assert outcome(command).startswith(output)


FROM = re.compile(r"<!-- from: (.+?) -->")
ALONE = re.compile(r"(?:<!-- from: .+? -->\s*)+")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
LIST_ITEM = re.compile(r"^- ", re.MULTILINE)
HOURS = 3600.0

UNCHECKED = {
    ("docs/speed.md", "work"): "times of two versions: make bench-compare",
    ("docs/how-we-know.md", "command"): "hours of CPU time: make proof prints it",
    ("docs/how-it-works.md", "one seat among trees"): "an hour: benchmarks/big_tournament.py",
    (
        "docs/how-it-works.md",
        "one",
    ): "up to 2,000 rounds a row: collapsi ladder --rules big3 and big4, by hand",
    ("docs/how-it-works.md", "what"): "CPU times and memory: make bench-census",
    ("docs/exam.md", "network"): "minutes of training, whose rounding depends on the machine",
    ("docs/findings.md", "level"): "kept data: tests/test_kept_studies.py compares it",
    ("docs/findings.md", "nodes for a move"): "kept data: tests/test_kept_studies.py compares it",
    ("docs/speed.md", "one deal"): "CPU times, and counts by programs that are not kept",
    ("docs/lab.md", "deck (A, 2, 3, 4)"): "minutes and 6 GB: tests/test_lab.py compares single decks",
}
"""Tables of figures that no test compares with a command, by page and first heading: why not."""


class Figures(NamedTuple):
    """A table or a paragraph, and the commands that print its figures."""

    page: str
    commands: tuple[str, ...]
    text: str

    @property
    def is_table(self) -> bool:
        return self.text.startswith("|")

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a table, its heading first."""
        lines = [line for line in self.text.splitlines() if not re.fullmatch(r"[|\s:-]+", line)]
        return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def paragraphs() -> list[Figures]:
    """Every table, paragraph and list item of every page, with the commands of its comments, if any."""
    found = []
    for page, text in PAGES.items():
        waiting: tuple[str, ...] = ()
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        for block in re.split(r"\n\s*\n", prose):
            for part in LIST_ITEM.split(block.strip()):
                commands = tuple(FROM.findall(part))
                if commands and ALONE.fullmatch(part):
                    waiting = commands
                    continue
                found.append(Figures(page, waiting + commands, FROM.sub("", part).strip()))
                waiting = ()
    return found


def numbers(text: str) -> list[str]:
    """The figures of a text without their commas; what stands in code and links does not count."""
    plain = re.sub(r"`[^`]*`|\]\([^)]*\)|https?://\S+", " ", text)
    return [number.rstrip(",").replace(",", "") for number in NUMBER.findall(plain)]


def same_figure(shown: str, printed: str) -> bool:
    """Whether a figure is one that was printed, or that one rounded."""
    places = len(shown.partition(".")[2])
    return len(printed.partition(".")[2]) >= places and f"{float(printed):.{places}f}" == shown


def same_cell(shown: str, printed: str) -> bool:
    """Whether a cell of a table says what a command printed."""
    shown = shown.replace("`", "").replace("*", "")
    here, there = numbers(shown), numbers(printed)
    if here or there:
        return len(here) == len(there) and all(map(same_figure, here, there))
    return shown == printed


def table_is_printed(rows: list[list[str]], output: str) -> bool:
    """Whether the rows of a table are among those printed, in the same order, with the same first columns."""
    printed = iter([re.split(r"\t|\s{2,}", line.strip()) for line in output.splitlines()])
    return all(
        any(len(line) >= len(row) and all(map(same_cell, row, line)) for line in printed) for row in rows
    )


def test_figures_are_compared_by_what_they_say() -> None:
    printed = (
        "player   against  games               won\n1        random   8,000  54.32 (53.2–55.4)  beginner\n"
    )
    row = ["`1`", "random", "8,000", "54.3 (53.2–55.4)"]
    assert table_is_printed([row], printed)
    assert table_is_printed([row[:2]], printed)
    assert not table_is_printed([row, row], printed)
    for wrong in ("54.4 (53.2–55.4)", "54.321 (53.2–55.4)", "54.3", "", "54.3 (53.2–55.5)"):
        assert not table_is_printed([[*row[:3], wrong]], printed)
    assert numbers("In `4` of 1,120 games, 97.1 %, since 2.") == ["1120", "97.1", "2"]
    assert same_figure("77.7", "77.7052")
    assert not same_figure("77.70", "77.7")


def test_every_table_of_figures_names_its_command_or_is_known_to_be_unchecked() -> None:
    unchecked = {
        (table.page, table.rows[0][0])
        for table in paragraphs()
        if table.is_table and not table.commands
        for row in table.rows[1:]
        if any(re.match(r"\d", cell) for cell in row[1:])
    }
    assert unchecked == set(UNCHECKED)


def test_the_command_of_every_figure_is_on_its_page() -> None:
    sourced = [figures for figures in paragraphs() if figures.commands]
    assert len(sourced) >= 5
    for page, text in PAGES.items():
        assert text.count("<!-- from:") == len(FROM.findall(text)), page
    for figures in sourced:
        for command in figures.commands:
            assert command in FROM.sub("", PAGES[figures.page]), command
            if not figures.is_table:
                assert numbers(figures.text), figures


@cache
def printed_by(command: str, folder: Path) -> str:
    """What a command of ours, or a script of the repository, prints in a folder."""
    program, *arguments = shlex.split(command)
    if program == "python":
        started = [sys.executable, str(ROOT / arguments[0]), *arguments[1:]]
    else:
        started = [sys.executable, "-m", program, *arguments]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])  # for the examples
    done = subprocess.run(
        started,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=HOURS,
    )
    return done.stdout


@pytest.fixture(scope="module")
def folder_with_atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the census is the atlas."""
    folder = tmp_path_factory.mktemp("figures")
    printed_by("collapsi census --out atlas", folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "figures",
    [
        pytest.param(figures, id=f"{figures.page}: {figures.commands[0]}")
        for figures in paragraphs()
        if figures.commands
    ],
)
def test_figures_are_what_their_command_prints(figures: Figures, folder_with_atlas: Path) -> None:
    output = "\n".join(printed_by(command, folder_with_atlas) for command in figures.commands)
    if figures.is_table:
        assert table_is_printed(figures.rows[1:], output), output
    else:
        printed = numbers(output)
        for shown in numbers(figures.text):
            assert any(same_figure(shown, number) for number in printed), shown


def test_the_levels_are_in_the_order_of_their_matches() -> None:
    """The table of matches has every pair of neighbours, and in each the later level wins beyond doubt.

    But the last two never err: they are equal.
    """
    (table,) = (
        found for found in paragraphs() if found.is_table and found.rows[0][:2] == ["player", "against"]
    )
    levels = [level.value for level in Level]
    assert [row[:2] for row in table.rows[1:]] == [[after, before] for before, after in pairwise(levels)]
    *stronger, equal = table.rows[1:]
    assert all(float(numbers(row[3])[1]) > 50 for row in stronger)
    assert (equal[0], numbers(equal[3])[0]) == ("tempting", "50.0")


def test_every_view_of_the_page_is_in_the_manual() -> None:
    from importlib.resources import files

    page = files("collapsi").joinpath("page")
    html = page.joinpath("index.html").read_text("utf-8")
    doors = re.findall(r'<button type="button" data-view="\w+">(\w+)</button>', html)
    views = re.findall(r'title: "([\w ]+)"', page.joinpath("js/views.js").read_text("utf-8"))
    assert (len(doors), len(views)) == (6, 12)
    for name in (*doors, *views):
        assert re.search(rf"\*\*{name}\b", PAGES["docs/page.md"]), name
    known = PAGES["docs/rules.md"].partition("## The big board")[2].partition("\n## ")[0]
    assert "the page has it" in known


def test_the_decks_of_the_big_board_are_those_of_the_program() -> None:
    from collapsi.core.cards import Card
    from collapsi.games.big.rules import BIG_RULE_SETS

    words = {2: "two", 3: "three", 4: "four", 6: "six", 8: "eight"}
    known = PAGES["docs/rules.md"].partition("## The big board")[2].partition("\n## ")[0]
    for rules in BIG_RULE_SETS.values():
        deck = dict(rules.cards)
        jacks, *counts = (words[count] for count in deck.values())
        if len(set(counts)) == 1:
            text = f"{jacks} jacks and {counts[0]} each of A, 2, 3 and 4"
        else:
            text = f"{jacks} jacks, {counts[0]} aces, {counts[1]} 2s, {counts[2]} 3s and {counts[3]} 4s"
        assert list(deck) == [Card.JACK, Card.ACE, Card.TWO, Card.THREE, Card.FOUR]
        assert f"{sum(deck.values())} cards, {text}" in known
        assert rules.unused_jacks == (4 - rules.players if rules.official else 0)


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
    assert rows == [(level.value, level.text) for level in Level], "docs/players.md has a table of them"


def test_every_extra_is_on_the_page_of_how_to_install() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["docs/install.md"], re.MULTILINE)
    assert set(rows) == set(project["optional-dependencies"])


def test_every_rule_set_is_on_the_page_of_rules() -> None:
    for name in rule_sets():
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
