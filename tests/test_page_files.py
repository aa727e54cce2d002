"""The page's own files, read as text: what a linter would find, and that the page by itself knows no game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import collapsi
from collapsi.opponent import Level
from collapsi.web.app import PAGE

if TYPE_CHECKING:
    from pathlib import Path

MODULES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PAGE / "js").glob("*.js"))}
LONGEST_LINE = 140


def code_of(text: str) -> str:
    """A module without its comments."""
    return re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", "", text, flags=re.DOTALL)


def imports_of(text: str) -> dict[str, list[str]]:
    """The names that a module imports from each other module; `*` for all of it."""
    found = {}
    for names, everything, module in re.findall(
        r'^import (?:\{ (.*?) \}|\* as (\w+)) from "\./(.*?)";', text, re.MULTILINE
    ):
        found[module] = names.split(", ") if names else [f"* {everything}"]
    return found


def exports_of(text: str) -> set[str]:
    """The names that a module hands out."""
    return set(re.findall(r"^export (?:async )?(?:const|let|function|class) (\w+|\$)", text, re.MULTILINE))


@pytest.mark.parametrize("path", [PAGE / "index.html", PAGE / "style.css", *sorted(PAGE.glob("js/*.js"))])
def test_lines_are_short_and_clean(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        assert len(line) <= LONGEST_LINE, f"{path.name}:{number}"
        assert line == line.rstrip(), f"{path.name}:{number}"
        assert "\t" not in line, f"{path.name}:{number}"


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_imports_is_there_and_used(name: str) -> None:
    text = code_of(MODULES[name])
    body = re.sub(r"^import .*$", "", text, flags=re.MULTILINE)
    assert text.count("import {") + text.count("import *") == len(imports_of(text))
    for module, names in imports_of(text).items():
        for imported in names:
            used = imported.removeprefix("* ")
            assert imported.startswith("* ") or used in exports_of(MODULES[module]), f"{used} of {module}"
            assert re.search(rf"(?<![\w$])(?<![\w)\]]\.){re.escape(used)}(?![\w$])", body), (
                f"{used} is not used"
            )


def test_what_a_module_hands_out_is_wanted() -> None:
    panel = {"start", "update", "KIND"}  # asked of every panel by its name
    wanted = {used for text in MODULES.values() for names in imports_of(text).values() for used in names}
    for name, text in MODULES.items():
        for exported in exports_of(text) - panel - wanted:
            assert any(f"{name.removesuffix('.js')}.{exported}" in other for other in MODULES.values()), (
                exported
            )


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    def below(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " imports ".join((*above, name))
        for module in imports_of(MODULES[name]):
            below(module, (*above, name))

    below("main.js", ())


def test_every_element_that_is_looked_for_is_in_the_page() -> None:
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="(.*?)"', html)
    assert len(ids) == len(set(ids))
    for name, text in MODULES.items():
        for found in re.findall(r'(?:\$|tell|showCopies)\("([\w-]+)"', text):
            assert found in ids, f"{found} in {name}"


@pytest.mark.parametrize("name", MODULES)
def test_no_name_is_declared_twice(name: str) -> None:
    text = code_of(MODULES[name])
    imported = [
        each.split(" as ")[-1].strip()
        for names in re.findall(r"^import \{([^}]*)\}", text, re.MULTILINE)
        for each in names.split(",")
    ]
    imported += re.findall(r"^import \* as (\w+)", text, re.MULTILINE)
    declared = re.findall(
        r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", text, re.MULTILINE
    )
    names = [each for each in imported + declared if each]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", MODULES)
def test_the_page_has_no_notation_and_no_lists_of_its_own(name: str) -> None:
    text = code_of(MODULES[name])
    texts = re.findall(r'"[^"\n]*"|`[^`]*`|/\^.*?/', text)
    for written in texts:
        bare = written.strip('"`')
        assert bare not in collapsi.RULE_SETS, written
        assert bare not in list(collapsi.Verdict), written
        assert bare != Level.RANDOM, written
        assert not re.fullmatch(r"[a-d][1-4]", bare), written
        assert not re.search(r"[A234J.]{2,}/|\[A234J|\[a-?[a-d]+\]\[1", written), written
        assert not re.match(r"M-?\d", bare), "an outline is drawn once, by the library"
