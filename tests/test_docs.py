"""The README does what it says: its commands are run, its files exist, its pictures are the current ones.

The Python examples are doctests and run by themselves.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


STUDY = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")


def console_examples(text: str = README) -> list[tuple[str, str]]:
    """Each command of the `console` blocks with the output that is shown."""
    examples = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            examples.append((command, output))
    return examples


@pytest.mark.parametrize(("command", "output"), console_examples() + console_examples(STUDY))
def test_commands_print_what_is_shown(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "collapsi"
    done = subprocess.run(
        [sys.executable, "-m", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.stdout + done.stderr == output


def test_there_are_examples() -> None:
    assert len(console_examples()) >= 6
    assert README.count(">>> ") >= 10


def test_the_map_names_every_module() -> None:
    package = ROOT / "src" / "collapsi"
    modules = {path.name for path in package.glob("*.py") if not path.name.startswith("__")}
    folder_map = README.partition("src/collapsi/\n")[2].partition("tests/")[0]
    assert modules == set(re.findall(r"\w+\.py", folder_map))
    solvers = {path.stem for path in (package / "solve").iterdir() if not path.stem.startswith("__")}
    line = next(line for line in README.splitlines() if "solve/ " in line)
    assert all(solver in line for solver in solvers)


def test_linked_files_exist() -> None:
    links = re.findall(r"\]\(([\w./]+)\)|src=\"([\w./]+)\"", README)
    assert links
    for link in links:
        assert (ROOT / "".join(link)).exists(), link


def test_pictures_are_current() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        from pictures import pictures
    finally:
        sys.path.pop(0)
    for name, content in pictures().items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == content, "run `make pictures`"


def test_one_version_everywhere() -> None:
    import collapsi

    version = re.search(
        r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version is not None
    assert version[1] == collapsi.__version__
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
