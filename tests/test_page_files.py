"""The page's own files, read as text: what a linter would find, and that the page by itself knows no game."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import pytest

import collapsi
from collapsi.opponent import Level
from collapsi.rules import Player
from collapsi.site.build import OWN
from collapsi.web.about import VERDICTS
from collapsi.web.app import PAGE
from tests.style_sheet import declarations

if TYPE_CHECKING:
    from pathlib import Path

MODULES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PAGE / "js").glob("*.js"))}
HTML = (PAGE / "index.html").read_text(encoding="utf-8")
STYLE = list(declarations((PAGE / "style.css").read_text(encoding="utf-8")))
LONGEST_LINE = 140
COLOUR = re.compile(
    r"#[0-9a-f]{3}|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix)a?\("
    r"|\b(?:black|white|gr[ae]y|red|green|blue|yellow|orange|purple|pink|brown)\b",
    re.IGNORECASE,
)


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
    return set(re.findall(r"^export (?:async )?(?:const|let|function\*?|class) (\w+|\$)", text, re.MULTILINE))


ALONE = sorted(OWN.glob("*.js"))
"""What the page has in addition where it has no service."""


@pytest.mark.parametrize(
    "path", [PAGE / "index.html", PAGE / "style.css", *sorted(PAGE.glob("js/*.js")), *ALONE]
)
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
    ids = re.findall(r'\bid="(.*?)"', HTML)
    assert len(ids) == len(set(ids))
    for name, text in MODULES.items():
        for found in re.findall(r'(?:\$|tell|showCopies)\("([\w-]+)"', text):
            assert found in ids, f"{found} in {name}"


def words_in(code: str) -> set[str]:
    """Every word of the texts in some code; where a template leaves something open, `*` stands for it."""
    texts = re.findall(r'"([^"\n]*)"', code)
    texts += [re.sub(r"\$\{.*?\}", "*", template) for template in re.findall(r"`([^`]*)`", code)]
    return {word for text in texts for word in text.split() if re.search("[a-z]", word)}


def classes_given() -> set[str]:
    """The classes that elements get in the page and in the modules, as far as they are written out there."""
    found = {name for names in re.findall(r'\bclass="(.*?)"', HTML) for name in names.split()}
    code = "".join(map(code_of, MODULES.values()))
    for given in re.findall(r'\bclass(?:Name)?(?:: | = )((?:[^,}`";\n]|"[^"\n]*"|`[^`]*`)*)', code):
        found |= words_in(given)
    return found | set(re.findall(r'\.classList\.\w+\("([\w-]+)"', code))


def named_in_style(mark: str) -> set[str]:
    """The names that follow a mark in selectors: `.` for classes, `#` for ids."""
    return {name for rule in STYLE for name in re.findall(rf"\{mark}([a-z][\w-]*)", rule.selector)}


@pytest.mark.parametrize(
    "text",
    [
        "p { color: red; } }",
        "p { color: red; } b { color: red;",
        "@media print { p { color: red; }",
        "p { color red; }",
        "p { color: red }",
        "p { color: red margin: 0; }",
        "p { }",
        "p { color: red; } b",
    ],
)
def test_a_style_sheet_with_a_slip_is_refused(text: str) -> None:
    with pytest.raises(AssertionError):
        list(declarations(text))


def test_a_style_sheet_is_taken_apart() -> None:
    text = "a:is(b, i), p { color: /* no; */ red; } @media print { p { margin: 0\n 1px; } }"
    assert list(declarations(text)) == [
        ("", "a:is(b, i)", "color", "red"),
        ("", "p", "color", "red"),
        ("@media print", "p", "margin", "0 1px"),
    ]


def test_no_property_is_said_twice_of_one_selector() -> None:
    said = Counter((rule.around, rule.selector, rule.name) for rule in STYLE)
    assert [found for found, times in said.items() if times > 1] == []


def test_every_colour_and_size_that_has_a_name_is_used() -> None:
    defined = {rule.name for rule in STYLE if rule.name.startswith("--")}
    used = {name for rule in STYLE for name in re.findall(r"var\((--[\w-]+)", rule.value)}
    assert used == defined
    assert set(re.findall(r'"(--[\w-]+)"', "".join(MODULES.values()))) <= defined
    at_first = {rule.name for rule in STYLE if (rule.around, rule.selector) == ("", ":root")}
    assert {rule.name for rule in STYLE if rule.around and rule.selector == ":root"} <= at_first


def test_colours_stand_at_the_beginning_only() -> None:
    for rule in STYLE:
        if COLOUR.search(re.sub(r"var\(.*?\)", "", rule.value)):
            assert rule.selector == ":root", rule
            assert rule.name.startswith("--"), rule


def test_movements_are_described_and_used() -> None:
    described = {rule.around.split()[1] for rule in STYLE if rule.around.startswith("@keyframes")}
    used = {rule.value.split()[0] for rule in STYLE if rule.name == "animation"} - {"none"}
    assert used == described


def test_what_the_style_is_for_is_there() -> None:
    by_service = {*map(str, Player), *(mood for _, mood in VERDICTS.values())}
    given = classes_given() | by_service
    for name in named_in_style("."):
        assert any(fnmatchcase(name, one) for one in given), name
    for name in named_in_style("#"):
        assert f'id="{name}"' in HTML or f'id: "{name}"' in "".join(MODULES.values()), name


def test_every_class_and_id_is_for_something() -> None:
    code = "".join(map(code_of, MODULES.values()))
    looked_for = " ".join(re.findall(r"querySelector(?:All)?\((.*?)\)", code))
    used = named_in_style(".") | set(re.findall(r"\.([\w-]+)", looked_for))
    for name in classes_given():
        assert any(fnmatchcase(one, name) for one in used), name
    pointed_at = " ".join(re.findall(r'(?:\bfor="|aria-[a-z]+="|href="#)(.*?)"', HTML)).split()
    used = named_in_style("#") | set(re.findall(r"#([\w-]+)", looked_for)) | words_in(code) | set(pointed_at)
    for name in re.findall(r'\bid="(.*?)"', HTML):
        assert any(fnmatchcase(name, one) for one in used), name


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
